//! `tabiya openings`: level positions to begin games from.

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use tabiya_arena::openings::{Balance, as_lines, as_numbers, balanced};
use tabiya_arena::player::{Player, PlayerSpec};
use tabiya_engine::Engine;
use tabiya_engine::bench::{DEFAULT_DEPTH, bench};

use crate::Outcome;
use crate::players::{HOW_TO_NAME_AN_ENGINE, own_engine};
use crate::progress::progress_bar;

/// Make openings: random moves that a search finds level.
///
/// The result is a line of UCI moves for each, which --openings reads. The same seed and engine give the same
/// openings, everywhere.
#[derive(clap::Args)]
#[command(after_help = HOW_TO_NAME_AN_ENGINE)]
pub(crate) struct Args {
    /// The engine that judges.
    #[arg(default_value = "tabiya")]
    engine: PlayerSpec,
    /// How many.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    count: NonZeroUsize,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = crate::numbers::count)]
    nodes: u64,
    /// The most that either side may be ahead, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 40)]
    band: u32,
    /// Print numbers from which the openings can be made again, instead of moves: the form in which this
    /// program has its own built in.
    #[arg(long)]
    numbers: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let mut player = Player::start(&args.engine, &own_engine)?;
    let Args { nodes, band, seed, count, .. } = *args;
    let bar = progress_bar(count.get() as u64, "openings");
    let progress = |found: usize, looked_at: usize| {
        bar.set_position(found as u64);
        bar.set_message(format!("{looked_at} looked at"));
    };
    let balance = Balance { nodes, band };
    let openings = balanced(seed, count.get(), player.analyst(), balance, progress)?;
    bar.finish_and_clear();
    let name = player.name();
    writeln!(
        out,
        "# {count} openings, seed {seed}, within {band} centipawns by {name} at {nodes} nodes"
    )?;
    if args.numbers {
        // Another search would choose others.
        let signature = bench(&mut Engine::new()?, DEFAULT_DEPTH, |_, _| ())?.nodes;
        writeln!(
            out,
            "# tabiya openings --numbers --count {count} --seed {seed} --nodes {nodes} --band {band}"
        )?;
        writeln!(out, "# by a program whose bench is {signature} nodes")?;
        write!(out, "{}", as_numbers(seed, &openings))?;
    } else {
        write!(out, "{}", as_lines(openings.iter().map(|judged| &judged.opening)))?;
    }
    Ok(ExitCode::SUCCESS)
}
