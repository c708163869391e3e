//! `tabiya train validate`: a network's loss on games that it was not trained on.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_engine::nnue::Network;
use tabiya_trainer::net::validate;

use super::EXIT_CODES;
use crate::Outcome;
use crate::exit::INTERRUPTED;
use crate::json;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Measure a network's validation loss on other games, beside the classical evaluation's.
///
/// Prints mean squared errors of the expected points over all quiet positions of the games. Unlike a
/// match it takes seconds, and it compares networks of different recipes; but only games prove strength.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// The network.
    network: PathBuf,
    /// Where games are kept; all of these are counted.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// How many threads read the games.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let network = Network::load(&args.network)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let stop = || interrupt.is_raised();
    let bar = progress_bar(0, "games");
    let mut progress = |read, all| {
        bar.set_length(all);
        bar.set_position(read);
    };
    let found = validate(&network, &args.directories, args.threads.get(), &stop, &mut progress)?;
    bar.finish_and_clear();
    if stop() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if args.json {
        json::print(out, &found)?;
    } else {
        writeln!(out, "{} games, {} positions", found.games, found.positions)?;
        writeln!(out, "validation loss of the network         {:.6}", found.network)?;
        writeln!(out, "and of the classical evaluation        {:.6}", found.classical)?;
    }
    Ok(ExitCode::SUCCESS)
}
