//! `tabiya eval`: why the classical evaluation thinks what it thinks.

use crate::position_arg::{self, Given};
use crate::{Outcome, json};
use std::io::Write;
use std::process::ExitCode;
use tabiya_engine::eval::Evaluator;

/// Show every term of the classical evaluation, for both sides.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position: a FEN in quotes, `startpos`, or `chess960:NUMBER`.
    #[arg(value_parser = position_arg::parse)]
    position: Given,
    /// List every rule under its term.
    #[arg(long)]
    rules: bool,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "rules")]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let explanation = Evaluator::default().explain(args.position.position()?);
    if args.json {
        json::print(out, &explanation)?;
    } else if args.rules {
        writeln!(out, "{explanation:#}")?;
    } else {
        writeln!(out, "{explanation}")?;
    }
    Ok(ExitCode::SUCCESS)
}
