//! `tabiya lab ordering search`: one search, on a sheet as the thesis prints them.

use std::io::Write;
use std::process::ExitCode;

use tabiya_lab::fixafan::search;
use tabiya_lab::fixafan::sheet::sheet;
use tabiya_lab::fixafan::watch::unwatched;

use super::{Manner, ORDERS, Subject};
use crate::{Outcome, json};

/// Search a position and show what it took, ply by ply, with the lines of all iterations.
#[derive(clap::Args)]
#[command(after_help = ORDERS)]
pub(super) struct Args {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    manner: Manner,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let (position, depth) = args.subject.position()?;
    let settings = args.manner.settings(depth);
    let record = search::search(&position, &settings, &mut unwatched);
    if args.json {
        json::print(out, &record)?;
    } else {
        write!(out, "{}", sheet(&position, &settings, &record))?;
    }
    Ok(ExitCode::SUCCESS)
}
