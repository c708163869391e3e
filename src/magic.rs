//! `tabiya magic`: the workshop of magic multipliers.

mod find;
mod minimize;
mod verify;

use crate::Outcome;
use clap::{Subcommand, ValueEnum};
use indicatif::ProgressBar;
use std::io::Write;
use tabiya_chess::attacks::magic::MagicProgress;
use tabiya_chess::attacks::rays::Slider;

/// Unfinished multipliers to keep while growing: what fits into 80 megabytes.
const MAX_WIDTH: i64 = 10_000_000;

/// Find, prove and pack the multipliers behind fast slider attacks.
///
/// To look up which squares a bishop or rook attacks, the squares in its way are taken as a number
/// of 64 bits and multiplied by a "magic" number; the highest bits of the product say where in a
/// table the answer is. A number is magic for a piece and a square if no two ways to stand in its
/// way that lead to different answers end up in the same slot of the table.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Find(find::Args),
    Verify(verify::Args),
    Minimise(minimize::Args),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::Find(args) => find::run(args, out),
        Task::Verify(args) => verify::run(args, out),
        Task::Minimise(args) => minimize::run(args, out),
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Bishop,
    Rook,
}

impl From<Kind> for Slider {
    fn from(kind: Kind) -> Slider {
        match kind {
            Kind::Bishop => Slider::Bishop,
            Kind::Rook => Slider::Rook,
        }
    }
}

fn hexadecimal(magic: u64) -> String {
    format!("{magic:#018x}")
}

fn name(slider: Slider) -> &'static str {
    match slider {
        Slider::Bishop => "bishop",
        Slider::Rook => "rook",
    }
}

fn show(bar: &ProgressBar, progress: MagicProgress) {
    if !bar.is_hidden() {
        bar.set_message(format!("{}, {} candidates", progress.spot, progress.trials));
    }
}
