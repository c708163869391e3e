//! `tabiya train lineage`: all networks that were trained, and what came of them.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_files::write;
use tabiya_trainer::lineage::{Gate, Lineage};

use crate::Outcome;
use crate::json;

/// Where the lineage is by default.
pub(super) const DEFAULT_LINEAGE: &str = "nets/lineage.json";

/// List all networks that were trained and tested, those that failed too.
///
/// Elo is the lead over the classical evaluation, added up along the tests at a number of nodes.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The lineage.
    #[arg(default_value = DEFAULT_LINEAGE)]
    file: PathBuf,
    /// Draw the Elo of all networks into this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let lineage = Lineage::load(&args.file)?;
    if let Some(path) = &args.svg {
        write(path, lineage.svg().as_bytes())?;
    }
    if args.json {
        json::print(out, &lineage)?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        out,
        "{:<16} {:<16} {:>9} {:>10} {:>4} {:>1} {:>5} {:>6} {:>6} {:>9} {:>15} {:>15} {:>6}  data",
        "network",
        "begun with",
        "games",
        "positions",
        "H",
        "B",
        "WDL",
        "lambda",
        "epochs",
        "val. loss",
        "at nodes",
        "at time",
        "Elo"
    )?;
    for (run, elo) in lineage.runs.iter().zip(lineage.elo()) {
        let parent = run.parent.as_ref().map_or_else(String::new, |hash| {
            let known = lineage.runs.iter().find(|other| other.sha256 == *hash);
            known.map_or_else(|| super::short_hash(hash).to_owned(), |other| other.name.clone())
        });
        writeln!(
            out,
            "{:<16} {parent:<16} {:>9} {:>10} {:>4} {:>1} {:>5} {:>6} {:>6} {:>9.6} {:>15} {:>15} {:>6}  {}{}",
            run.name,
            run.games,
            run.positions,
            run.hidden,
            run.buckets,
            run.wdl_weight,
            run.lambda,
            run.epochs,
            run.validation,
            lead(run.gate(true)),
            lead(run.gate(false)),
            elo.map_or_else(String::new, |(elo, _)| format!("{elo:+.0}")),
            run.data.join(" "),
            if run.accepted { "" } else { " (not accepted)" },
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn lead(gate: Option<&Gate>) -> String {
    gate.map_or_else(String::new, |gate| {
        let error = gate.error.map_or_else(String::new, |error| format!(" ± {error:.0}"));
        format!("{:+.0}{error}", gate.elo)
    })
}
