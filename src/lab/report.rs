//! `tabiya lab report`: one page for the browser.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_files::write;
use tabiya_lab::frame::report::html;
use tabiya_lab::frame::works::Library;

use super::{Place, experiments_of, works_named};
use crate::Outcome;

/// Write what has been measured as one HTML page that needs nothing else.
///
/// The full run of each experiment is shown where there is one, the quick one otherwise.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only these works, as in `reul-2009`.
    #[arg(value_name = "WORK")]
    works: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Where the page goes. [default: report.html among the results]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let library = Library::load()?;
    let store = args.place.store();
    let works = works_named(&library, &args.works)?;
    let cards: Vec<_> = experiments_of(&works).iter().map(|experiment| experiment.card()).collect();
    let mut found = BTreeMap::new();
    for card in &cards {
        if let Some(outcome) = store.best(card.id)? {
            found.insert(card.id.to_owned(), outcome);
        }
    }
    if found.is_empty() {
        return Err(
            "nothing has been measured yet; `tabiya lab check --quick` does in minutes".into()
        );
    }
    let path = args.out.clone().unwrap_or_else(|| args.place.dir.join("report.html"));
    write(&path, html(&works, &cards, &found).as_bytes())?;
    writeln!(out, "{}", path.display())?;
    Ok(ExitCode::SUCCESS)
}
