//! `tabiya lab specimen`: a piece of work whose instructions the laboratory counts.

use std::io::Write;
use std::process::ExitCode;

use tabiya_lab::specimen;

use crate::Outcome;
use crate::exit::usage;

/// Do a piece of work, for a counter of instructions to watch.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Which.
    name: String,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let result = specimen::run(&args.name).map_err(usage)?;
    writeln!(out, "{result}")?;
    Ok(ExitCode::SUCCESS)
}
