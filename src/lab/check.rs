//! `tabiya lab check`: a verdict for every claim.

use std::io::Write;
use std::process::ExitCode;

use serde::Serialize;
use tabiya_lab::frame::verdict::{Counts, Judgment, judge};
use tabiya_lab::frame::works::Library;

use super::{EXIT_CODES, Manner, experiments_of, measure, works_named};
use crate::exit::INTERRUPTED;
use crate::{Outcome, json};

/// Judge every claim of the works: it holds, does not hold, or cannot be tested.
///
/// Measures what has not been measured yet. A claim that does not hold is a result, not a failure.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Only these works, as in `reul-2009`.
    #[arg(value_name = "WORK")]
    works: Vec<String>,
    #[command(flatten)]
    manner: Manner,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    verdicts: Vec<Judgment<'a>>,
    #[serde(flatten)]
    counts: Counts,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let library = Library::load()?;
    let works = works_named(&library, &args.works)?;
    let Some(found) = measure(&experiments_of(&works), &args.manner, &library)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let verdicts: Vec<Judgment<'_>> = works.iter().flat_map(|work| judge(work, &found)).collect();
    let counts = Counts::of(&verdicts);
    if args.json {
        json::print(out, &Report { verdicts, counts })?;
        return Ok(ExitCode::SUCCESS);
    }
    for work in works {
        writeln!(out, "{}: {} ({})", work.author, work.title, work.published)?;
        let of_work: Vec<_> = verdicts.iter().filter(|verdict| verdict.work == work.id).collect();
        for verdict in &of_work {
            writeln!(out, "{verdict}")?;
        }
        writeln!(out, "{}\n", Counts::of(of_work))?;
    }
    writeln!(out, "in all: {counts}")?;
    Ok(ExitCode::SUCCESS)
}
