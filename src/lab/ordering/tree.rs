//! `tabiya lab ordering tree`: the search tree of an iteration.

use std::io::Write;
use std::num::NonZeroU64;
use std::process::ExitCode;

use tabiya_lab::fixafan::search;
use tabiya_lab::fixafan::tree::TreePrinter;

use super::{Manner, ORDERS, Subject};
use crate::Outcome;

const MARKS: &str = "\
Marks:
  => 3          the score at the horizon, for the side to move there
  [3,EXACT]     the transposition table knew the position; BOUND: it knew enough
  mate          the move takes the king
  AB            the move refutes the one before it: a cutoff
  * e2-e4 1     the best move so far, which changes the principal variation";

/// Print the search tree of an iteration.
///
/// Trees are large: choose an early iteration, or only its first plies.
#[derive(clap::Args)]
#[command(after_help = format!("{MARKS}\n\n{ORDERS}"))]
pub(super) struct Args {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    manner: Manner,
    /// Which iteration.
    #[arg(long, short, value_name = "N", default_value = "3")]
    iteration: usize,
    /// Only the first N plies from the root.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Print at most N lines.
    #[arg(long, value_name = "N", default_value = "100000", value_parser = crate::numbers::positive::<NonZeroU64>)]
    lines: NonZeroU64,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let (position, depth) = args.subject.position()?;
    let settings = args.manner.settings(depth.max(args.iteration));
    let plies = args.plies.unwrap_or(usize::MAX);
    let mut printer = TreePrinter::new(out, args.iteration, plies, args.lines.get());
    search::search(&position, &settings, &mut |event| printer.see(event));
    let (failed, full) = (printer.failed.take(), printer.full);
    if let Some(error) = failed {
        return Err(error.into());
    }
    if full {
        writeln!(out, "\n... and so on; --lines shows more")?;
    }
    Ok(ExitCode::SUCCESS)
}
