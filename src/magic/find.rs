//! `tabiya magic find`: looks for multipliers.

use super::{Kind, MAX_WIDTH, hexadecimal, name, show};
use crate::progress::progress_bar;
use crate::{Cli, Outcome, json};
use clap::CommandFactory;
use clap::error::ErrorKind;
use indicatif::ProgressBar;
use serde::Serialize;
use std::error::Error;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use tabiya_chess::attacks::magic::{
    self, Candidates, Found, Growth, MAX_BITS, MagicFindError, MagicSearch, Multipliers, Puzzle,
    Spot,
};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::{File, Rank, Square};

/// Look for magic multipliers, for all 128 spots or for some.
///
/// By default numbers with few ones are drawn by chance until one serves. The same seed gives the
/// same multipliers, everywhere.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Only for this piece.
    #[arg(long, value_enum)]
    slider: Option<Kind>,
    /// Only for these squares, as in `--square e4,d5`.
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    square: Vec<Square>,
    /// Use BITS index bits, for a table of 2^BITS slots. [default: as many as there are squares
    /// that can be in the way]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_BITS)))]
    bits: Option<u32>,
    /// Try numbers with exactly N one-bits; with --exhaustive, with up to N.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    ones: Option<u32>,
    /// Skip numbers whose product with all squares in the way has few ones in its highest 16 bits.
    #[arg(long)]
    filter: bool,
    /// Go through all numbers with one one-bit, then two, and so on up to --ones (6 by default):
    /// finds the fewest, or proves that there is none.
    #[arg(long, group = "method", conflicts_with = "filter")]
    exhaustive: bool,
    /// Improve random numbers bit by bit; good for a bishop with a bit less than usual.
    #[arg(long, group = "method", conflicts_with_all = ["filter", "ones"])]
    climb: bool,
    /// Grow numbers from their low end; good for a rook on the seventh or eighth rank with a bit
    /// less than usual.
    #[arg(long, group = "method", conflicts_with_all = ["filter", "ones"])]
    grow: bool,
    /// How many unfinished numbers --grow keeps.
    #[arg(
        long,
        value_name = "N",
        requires = "grow",
        default_value_t = Growth::default().width as u32,
        value_parser = clap::value_parser!(u32).range(1..=MAX_WIDTH)
    )]
    width: u32,
    /// Where chance begins.
    #[arg(long, default_value_t = MagicSearch::default().seed)]
    seed: u64,
    /// Give up after this many candidates for one square.
    #[arg(long, value_name = "CANDIDATES", default_value_t = u64::MAX, hide_default_value = true)]
    budget: u64,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "rust")]
    json: bool,
    /// Print Rust constants, for all squares.
    #[arg(long, conflicts_with_all = ["slider", "square", "bits"])]
    rust: bool,
}

/// A multiplier as it is reported; numbers of 64 bits are text, since JSON readers round them.
#[derive(Serialize)]
struct Row {
    slider: &'static str,
    square: String,
    multiplier: String,
    bits: u32,
    ones: u32,
    slots_used: u32,
    highest_slot: u32,
    candidates: u64,
    filtered: u64,
}

impl From<&Found> for Row {
    fn from(found: &Found) -> Row {
        Row {
            slider: name(found.spot.slider),
            square: found.spot.square.to_string(),
            multiplier: hexadecimal(found.magic),
            bits: found.bits,
            ones: found.magic.count_ones(),
            slots_used: found.fit.used,
            highest_slot: found.fit.highest,
            candidates: found.trials,
            filtered: found.filtered,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let puzzles: Vec<Puzzle> = Puzzle::all().filter(|puzzle| args.wants(puzzle.spot())).collect();
    let bar = progress_bar(puzzles.len() as u64, "squares");
    let mut found = Vec::new();
    for puzzle in &puzzles {
        let bits = args.bits.unwrap_or(puzzle.bits());
        found.push(args.find_one(puzzle, bits, &bar).map_err(usage)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.rust {
        write!(out, "{}", magic::constants(&collect(&found), &args.command()))?;
    } else if args.json {
        let rows: Vec<Row> = found.iter().map(Row::from).collect();
        json::print(out, &serde_json::json!({ "multipliers": rows }))?;
    } else {
        write_rows(&found, out)?;
        if args.exhaustive {
            write_ones(&found, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    fn wants(&self, spot: Spot) -> bool {
        self.slider.is_none_or(|kind| Slider::from(kind) == spot.slider)
            && (self.square.is_empty() || self.square.contains(&spot.square))
    }

    fn find_one(
        &self,
        puzzle: &Puzzle,
        bits: u32,
        bar: &ProgressBar,
    ) -> Result<Found, MagicFindError> {
        let watch = &mut |progress| {
            show(bar, progress);
            ControlFlow::Continue(())
        };
        if self.exhaustive {
            magic::sparsest(puzzle, bits, self.most_ones(), self.budget, watch)
        } else if self.climb {
            magic::climb(puzzle, bits, self.seed, self.budget, watch)
        } else if self.grow {
            let growth =
                Growth { width: self.width as usize, seed: self.seed, budget: self.budget };
            magic::grow(puzzle, bits, &growth, watch)
        } else {
            let candidates = self.ones.map_or(Candidates::Sparse, Candidates::Ones);
            let search = MagicSearch {
                candidates,
                filter: self.filter,
                seed: self.seed,
                budget: self.budget,
            };
            magic::find(puzzle, bits, &search, watch)
        }
    }

    fn most_ones(&self) -> u32 {
        /// As many as the worst square needs.
        const ENOUGH: u32 = 6;
        self.ones.unwrap_or(ENOUGH)
    }

    /// The command line that finds these multipliers again.
    fn command(&self) -> String {
        let mut command = String::from("tabiya magic find");
        if self.exhaustive {
            command += &format!(" --exhaustive --ones {}", self.most_ones());
        } else {
            command += &format!(" --seed {}", self.seed);
            if let Some(ones) = self.ones {
                command += &format!(" --ones {ones}");
            }
            for (flag, given) in
                [(" --filter", self.filter), (" --climb", self.climb), (" --grow", self.grow)]
            {
                command += if given { flag } else { "" };
            }
            if self.grow {
                command += &format!(" --width {}", self.width);
            }
        }
        command + " --rust"
    }
}

/// What the arguments alone show to be wrong is bad usage.
fn usage(error: MagicFindError) -> Box<dyn Error> {
    match error {
        MagicFindError::Bits { .. } | MagicFindError::Ones(_) => {
            Cli::command().error(ErrorKind::ValueValidation, error).into()
        }
        MagicFindError::Absent { .. }
        | MagicFindError::Spent { .. }
        | MagicFindError::Stopped { .. } => error.into(),
    }
}

fn collect(found: &[Found]) -> Multipliers {
    let mut multipliers = Multipliers { bishop: [0; 64], rook: [0; 64] };
    for found in found {
        multipliers.of_mut(found.spot.slider)[found.spot.square.index()] = found.magic;
    }
    multipliers
}

fn write_rows(found: &[Found], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<7} {:<6} {:<18} {:>4} {:>4} {:>10} {:>7} {:>12}",
        "slider", "square", "multiplier", "bits", "ones", "slots used", "highest", "candidates"
    )?;
    for row in found.iter().map(Row::from) {
        writeln!(
            out,
            "{:<7} {:<6} {:<18} {:>4} {:>4} {:>10} {:>7} {:>12}",
            row.slider,
            row.square,
            row.multiplier,
            row.bits,
            row.ones,
            row.slots_used,
            row.highest_slot,
            row.candidates
        )?;
    }
    Ok(())
}

/// The numbers of ones as a board, for each slider whose squares are all there.
fn write_ones(found: &[Found], out: &mut dyn Write) -> std::io::Result<()> {
    for slider in Slider::ALL {
        let of_slider: Vec<_> = found.iter().filter(|found| found.spot.slider == slider).collect();
        if of_slider.len() < 64 {
            continue;
        }
        writeln!(out, "\nFewest ones, {}:", name(slider))?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(out, "{rank} ")?;
            for file in File::ALL {
                let square = Square::from_coords(file, rank);
                write!(out, " {}", of_slider[square.index()].magic.count_ones())?;
            }
            writeln!(out)?;
        }
        writeln!(out, "   a b c d e f g h")?;
    }
    Ok(())
}
