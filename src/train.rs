//! `tabiya train`: games against itself, and what is learnt from them.

mod classical;
mod fit;
mod gate;
mod lineage;
mod selfplay;
mod validate;
mod verify;
mod wdl;

use std::io::Write;
use std::path::Path;

use clap::Subcommand;
use serde::de::DeserializeOwned;
use tabiya_files::read;

use crate::Outcome;
use crate::exit::usage;

/// Let the engine play against itself and learn from it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Selfplay(selfplay::Args),
    Verify(verify::Args),
    Classical(classical::Args),
    Wdl(wdl::Args),
    Fit(Box<fit::Args>),
    Gate(Box<gate::Args>),
    Validate(validate::Args),
    Lineage(lineage::Args),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::Selfplay(args) => selfplay::run(args, out),
        Task::Verify(args) => verify::run(args, out),
        Task::Classical(args) => classical::run(args, out),
        Task::Wdl(args) => wdl::run(args, out),
        Task::Fit(args) => fit::run(args, out),
        Task::Gate(args) => gate::run(args, out),
        Task::Validate(args) => validate::run(args, out),
        Task::Lineage(args) => lineage::run(args, out),
    }
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  that was not possible, or something is not as it should be
  2  bad usage
  5  interrupted; what was done is kept";

/// No recipe, alone or in a report, is larger.
const MAX_JSON: u64 = 1 << 24;

/// The beginning of a hash, enough to know a network by.
fn short_hash(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

/// Reads a recipe that was given as `--recipe`.
fn read_recipe<T: DeserializeOwned>(path: &Path) -> Result<T, clap::Error> {
    let text = read(path, MAX_JSON).map_err(|error| usage(format!("--recipe {error}")))?;
    serde_json::from_slice(&text)
        .map_err(|error| usage(format!("--recipe {}: {error}", path.display())))
}
