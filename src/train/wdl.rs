//! `tabiya train wdl`: the WDL model of scores.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tabiya_engine::wdl::{IN_USE, WdlModel};
use tabiya_trainer::wdl::Histogram;

use super::EXIT_CODES;
use crate::Outcome;
use crate::exit::INTERRUPTED;
use crate::json;
use crate::players::interrupt_on_ctrl_c;

/// Fit the WDL model: the curve by which scores become probabilities of a win, a draw and a loss.
///
/// Prints the model in the search's units as the engine's source has it (crates/engine/src/wdl.rs),
/// and its mean squared error beside that of the model in use.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Where games are kept; all of these are counted.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// How many threads work.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    games: u64,
    positions: u64,
    in_use: &'a WdlModel,
    error_in_use: f64,
    fitted: &'a WdlModel,
    error_fitted: f64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let interrupt = interrupt_on_ctrl_c()?;
    let stop = || interrupt.is_raised();
    let histogram = Histogram::count(&args.directories, args.threads.get(), &stop)?;
    if stop() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let fitted = histogram.fit()?;
    let report = Report {
        games: histogram.games,
        positions: histogram.positions,
        in_use: &IN_USE,
        error_in_use: histogram.error(&IN_USE),
        fitted: &fitted,
        error_fitted: histogram.error(&fitted),
    };
    if args.json {
        json::print(out, &report)?;
    } else {
        writeln!(out, "{} games, {} positions", report.games, report.positions)?;
        for (name, model, error) in
            [("in use", &IN_USE, report.error_in_use), ("fitted", &fitted, report.error_fitted)]
        {
            let (middle, width) = (&model.middle, &model.width);
            writeln!(
                out,
                "{name}: middle {} to {}, width {} to {} from the least material to the most; error {error:.6}",
                middle.at_least_material,
                middle.at_most_material,
                width.at_least_material,
                width.at_most_material
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
