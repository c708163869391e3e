//! `tabiya lab run`: measures experiments.

use std::io::Write;
use std::process::ExitCode;

use tabiya_lab::frame::works::Library;

use super::{EXIT_CODES, Manner, measure, named};
use crate::arena_args::INTERRUPTED;
use crate::{Outcome, json};

/// Measure experiments, and show their tables.
///
/// Beside each table stands what the work printed. Tables are also kept as CSV, plots as SVG, and everything
/// as JSON, in the directory of results. What has been measured is shown again, not measured again.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Which: words as `tabiya lab list` shows them, or `all`.
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    #[command(flatten)]
    manner: Manner,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let wanted = named(&args.experiments)?;
    let library = Library::load()?;
    let Some(found) = measure(&wanted, &args.manner, &library)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if args.json {
        json::print(out, &found)?;
        return Ok(ExitCode::SUCCESS);
    }
    for experiment in wanted {
        let card = experiment.card();
        let Some(outcome) = found.get(card.id) else { continue };
        writeln!(out, "{}\n{}\n", card.title, "=".repeat(card.title.chars().count()))?;
        for table in &outcome.findings.tables {
            writeln!(out, "{}", table.terminal())?;
        }
        for note in &outcome.findings.notes {
            writeln!(out, "{note}\n")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
