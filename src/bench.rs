//! `tabiya bench`: a fixed piece of work, and the search's signature.

use crate::identity::COMMIT;
use crate::{Outcome, bench_parallel};
use std::io::Write;
use std::process::ExitCode;
use tabiya_engine::bench::{DEEPEST, DEFAULT_DEPTH, bench};
use tabiya_engine::{Analyst, Engine};

/// Search a fixed set of positions to a fixed depth.
///
/// The node count is the same on every machine: it is the signature of the search. The first line says which
/// program counted, the last line reads
/// `<nodes> nodes <speed> nps`. With `--threads` or `--simulate` the bench measures parallel
/// search instead.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How deep.
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=i64::from(DEEPEST)))]
    depth: u32,
    /// Megabytes for the table.
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// Set an option first, the search's margins among them.
    #[arg(long, value_name = "NAME=VALUE", value_parser = name_and_value)]
    option: Vec<(String, String)>,
    #[command(flatten)]
    parallel: bench_parallel::ParallelArgs,
}

pub(crate) fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("this should read NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let ready = || -> Result<Engine, Box<dyn std::error::Error>> {
        let mut engine = Engine::tunable()?.built_from(COMMIT);
        engine.set_option("Hash", &args.hash.to_string())?;
        for (name, value) in &args.option {
            engine.set_option(name, value)?;
        }
        Ok(engine)
    };
    if args.parallel.is_wanted() {
        return args.parallel.run(args.depth, args.hash, &ready, out);
    }
    let mut engine = ready()?;
    writeln!(out, "{}", engine.program())?;
    let mut lines = Vec::new();
    let total = bench(&mut engine, args.depth, |position, report| {
        lines.push(format!("{:>10} {}", report.nodes, position.fen()));
    })?;
    for line in lines {
        writeln!(out, "{line}")?;
    }
    let first = 100.0 * total.cutoffs.by_first_move as f64 / total.cutoffs.all.max(1) as f64;
    writeln!(out, "cut off by the first move: {first:.1} %")?;
    writeln!(out, "{} nodes {} nps", total.nodes, total.speed())?;
    Ok(ExitCode::SUCCESS)
}
