//! `tabiya magic`: the workshop of magic multipliers.

use crate::{Cli, Outcome};
use clap::error::ErrorKind;
use clap::{CommandFactory, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::error::Error;
use std::io::Write;
use std::num::ParseIntError;
use std::ops::ControlFlow;
use std::process::ExitCode;
use tabiya_chess::attacks::magic::{
    self, Candidates, Collision, FindError, Found, Growth, MAX_BITS, Multipliers, Packing,
    Progress, Puzzle, Search, Sharing, Spot, Thrift, VerifyError,
};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::{File, Rank, Square};

/// Find, prove and pack the multipliers behind fast slider attacks.
///
/// To look up which squares a bishop or rook attacks, the squares in its way are taken as a number of 64
/// bits and multiplied by a "magic" number; the highest bits of the product say where in a table the
/// answer is. A number is magic for a piece and a square if no two ways to stand in its way that lead
/// to different answers end up in the same slot of the table.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Find(FindArgs),
    Verify(VerifyArgs),
    Minimise(MinimiseArgs),
}

/// Look for magic multipliers, for all 128 spots or for some.
///
/// By default numbers with few ones are drawn by chance until one serves. The same seed gives the same
/// multipliers, everywhere.
#[derive(clap::Args)]
struct FindArgs {
    /// Only for this piece.
    #[arg(long, value_enum)]
    slider: Option<Kind>,
    /// Only for these squares, as in `--square e4,d5`.
    #[arg(long, value_delimiter = ',', value_name = "SQUARES")]
    square: Vec<Square>,
    /// Use so many index bits, for a table of 2^BITS slots. [default: as many as there are squares that
    /// can be in the way]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_BITS)))]
    bits: Option<u32>,
    /// Try numbers with exactly so many one-bits; with --exhaustive, with up to so many.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    ones: Option<u32>,
    /// Skip numbers whose product with all squares in the way has few ones in its highest 16 bits.
    #[arg(long)]
    filter: bool,
    /// Go through all numbers with one one-bit, then two, and so on up to --ones (6 by default): finds
    /// the fewest, or proves that there is none.
    #[arg(long, group = "method", conflicts_with = "filter")]
    exhaustive: bool,
    /// Improve random numbers bit by bit; good for a bishop with a bit less than usual.
    #[arg(long, group = "method", conflicts_with_all = ["filter", "ones"])]
    climb: bool,
    /// Grow numbers from their low end; good for a rook on the seventh or eighth rank with a bit less
    /// than usual.
    #[arg(long, group = "method", conflicts_with_all = ["filter", "ones"])]
    grow: bool,
    /// How many unfinished numbers --grow keeps.
    #[arg(long, value_name = "N", requires = "grow", default_value_t = Growth::default().width)]
    width: usize,
    /// Where chance begins.
    #[arg(long, default_value_t = Search::default().seed)]
    seed: u64,
    /// Give up after so many candidates for one square.
    #[arg(long, value_name = "CANDIDATES", default_value_t = u64::MAX, hide_default_value = true)]
    budget: u64,
    #[command(flatten)]
    form: Form,
}

/// Check a multiplier: does it serve, and how much of its table does it use?
///
/// Ends with code 1 if it does not serve, and shows two ways to stand in the way that it mixes up.
#[derive(clap::Args)]
struct VerifyArgs {
    /// The piece.
    #[arg(value_enum)]
    slider: Kind,
    /// Its square.
    square: Square,
    /// The multiplier, as in 0x0080_0040_0080_2010.
    #[arg(value_parser = parse_multiplier)]
    multiplier: u64,
    /// How many index bits. [default: as many as there are squares that can be in the way]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_BITS)))]
    bits: Option<u32>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Make the tables of all squares small, and lay them into one array.
#[derive(clap::Args)]
struct MinimiseArgs {
    /// Let tables share entries that only differ in squares which one of them can never attack. A look-up
    /// then has to mask what it finds.
    #[arg(long)]
    masked: bool,
    /// How hard to try to save index bits: unfinished numbers to keep while growing multipliers. 0
    /// does not try; 60000 takes minutes.
    #[arg(long, value_name = "N", default_value_t = Thrift::default().width)]
    width: usize,
    /// Where chance begins.
    #[arg(long, default_value_t = Thrift::default().seed)]
    seed: u64,
    #[command(flatten)]
    form: Form,
}

#[derive(clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Print Rust constants; for all squares.
    #[arg(long, conflicts_with_all = ["slider", "square", "bits"])]
    rust: bool,
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

fn parse_multiplier(text: &str) -> Result<u64, ParseIntError> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::Find(args) => find(args, out),
        Task::Verify(args) => verify(args, out),
        Task::Minimise(args) => minimise(args, out),
    }
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

fn hexadecimal(magic: u64) -> String {
    format!("{magic:#018x}")
}

fn name(slider: Slider) -> &'static str {
    match slider {
        Slider::Bishop => "bishop",
        Slider::Rook => "rook",
    }
}

fn find(args: &FindArgs, out: &mut dyn Write) -> Outcome {
    let puzzles: Vec<Puzzle> = Puzzle::all().filter(|puzzle| args.wants(puzzle.spot())).collect();
    let bar = progress_bar(puzzles.len());
    let mut found = Vec::new();
    for puzzle in &puzzles {
        let bits = args.bits.unwrap_or(puzzle.bits());
        found.push(args.find_one(puzzle, bits, &bar).map_err(usage)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if args.form.rust {
        write!(out, "{}", magic::constants(&collect(&found), &args.command()))?;
    } else if args.form.json {
        let rows: Vec<Row> = found.iter().map(Row::from).collect();
        writeln!(out, "{}", serde_json::json!({ "multipliers": rows }))?;
    } else {
        write_rows(&found, out)?;
        if args.exhaustive {
            write_ones(&found, out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl FindArgs {
    fn wants(&self, spot: Spot) -> bool {
        self.slider.is_none_or(|kind| Slider::from(kind) == spot.slider)
            && (self.square.is_empty() || self.square.contains(&spot.square))
    }

    fn find_one(&self, puzzle: &Puzzle, bits: u32, bar: &ProgressBar) -> Result<Found, FindError> {
        let watch = &mut |progress| {
            show(bar, progress);
            ControlFlow::Continue(())
        };
        if self.exhaustive {
            magic::sparsest(puzzle, bits, self.most_ones(), self.budget, watch)
        } else if self.climb {
            magic::climb(puzzle, bits, self.seed, self.budget, watch)
        } else if self.grow {
            let growth = Growth { width: self.width, seed: self.seed, budget: self.budget };
            magic::grow(puzzle, bits, &growth, watch)
        } else {
            let candidates = self.ones.map_or(Candidates::Sparse, Candidates::Ones);
            let search =
                Search { candidates, filter: self.filter, seed: self.seed, budget: self.budget };
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

/// What could have been told from the arguments alone is bad usage.
fn usage(error: FindError) -> Box<dyn Error> {
    match error {
        FindError::Bits { .. } | FindError::Ones(_) => {
            Cli::command().error(ErrorKind::ValueValidation, error).into()
        }
        FindError::Absent { .. } | FindError::Spent { .. } | FindError::Stopped { .. } => {
            error.into()
        }
    }
}

fn collect(found: &[Found]) -> Multipliers {
    let mut multipliers = Multipliers { bishop: [0; 64], rook: [0; 64] };
    for found in found {
        let of_slider = match found.spot.slider {
            Slider::Bishop => &mut multipliers.bishop,
            Slider::Rook => &mut multipliers.rook,
        };
        of_slider[found.spot.square.index()] = found.magic;
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

#[derive(Serialize)]
struct Verdict {
    slider: &'static str,
    square: String,
    multiplier: String,
    bits: u32,
    serves: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    slots_used: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    highest_slot: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mixed_up: Option<[String; 2]>,
}

fn verify(args: &VerifyArgs, out: &mut dyn Write) -> Outcome {
    let puzzle = Puzzle::new(args.slider.into(), args.square);
    let bits = args.bits.unwrap_or(puzzle.bits());
    let multiplier = hexadecimal(args.multiplier);
    let (fit, collision) = match puzzle.verify(args.multiplier, bits) {
        Ok(fit) => (Some(fit), None),
        Err(VerifyError::Collision(collision)) => (None, Some(collision)),
        Err(error @ VerifyError::Bits(_)) => return Err(error.into()),
    };
    if args.json {
        let verdict = Verdict {
            slider: name(args.slider.into()),
            square: args.square.to_string(),
            multiplier,
            bits,
            serves: fit.is_some(),
            slots_used: fit.map(|fit| fit.used),
            highest_slot: fit.map(|fit| fit.highest),
            mixed_up: collision.map(|found| found.occupied.map(|occupied| hexadecimal(occupied.0))),
        };
        serde_json::to_writer(&mut *out, &verdict)?;
        writeln!(out)?;
    } else if let Some(fit) = fit {
        writeln!(
            out,
            "{multiplier} serves a {} with {bits} index bits: {} of {} slots used, the highest is {}",
            puzzle.spot(),
            fit.used,
            1 << bits,
            fit.highest
        )?;
    } else if let Some(collision) = &collision {
        writeln!(out, "{multiplier} does not serve: {collision}\n")?;
        write_collision(collision, out)?;
    }
    Ok(if fit.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The two occupancies above their attack sets, side by side.
fn write_collision(collision: &Collision, out: &mut dyn Write) -> std::io::Result<()> {
    for (title, [left, right]) in
        [("occupied", collision.occupied), ("attacked", collision.attacks)]
    {
        writeln!(out, "{title:<20}{title}")?;
        for (left, right) in left.to_string().lines().zip(right.to_string().lines()) {
            writeln!(out, "{left:<20}{right}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

#[derive(Serialize)]
struct PackingReport {
    entries: usize,
    bytes: usize,
    plain_entries: usize,
    masked: bool,
    tables: Vec<TableReport>,
}

#[derive(Serialize)]
struct TableReport {
    slider: &'static str,
    square: String,
    multiplier: String,
    bits: u32,
    bits_saved: u32,
    offset: u32,
}

fn minimise(args: &MinimiseArgs, out: &mut dyn Write) -> Outcome {
    let sharing = if args.masked { Sharing::Masked } else { Sharing::Exact };
    let thrift = Thrift { sharing, width: args.width, seed: args.seed };
    let bar = progress_bar(128);
    let packing = magic::minimise(&thrift, &mut |progress| {
        let before = if progress.spot.slider == Slider::Rook { 64 } else { 0 };
        bar.set_position(before + progress.spot.square.index() as u64);
        show(&bar, progress);
        ControlFlow::Continue(())
    })?;
    bar.finish_and_clear();
    if args.form.rust {
        let masked = if args.masked { " --masked" } else { "" };
        let command = format!(
            "tabiya magic minimise{masked} --width {} --seed {} --rust",
            args.width, args.seed
        );
        write!(out, "{}", packing.constants(&command))?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = report(&packing, args.masked);
    if args.form.json {
        serde_json::to_writer(&mut *out, &report)?;
        writeln!(out)?;
    } else {
        write_packing(&report, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn report(packing: &Packing, masked: bool) -> PackingReport {
    let tables = packing.places.iter().map(|place| TableReport {
        slider: name(place.spot.slider),
        square: place.spot.square.to_string(),
        multiplier: hexadecimal(place.magic),
        bits: place.bits,
        bits_saved: place.mask.len() - place.bits,
        offset: place.offset,
    });
    PackingReport {
        entries: packing.entries.len(),
        bytes: packing.bytes(),
        plain_entries: packing.places.iter().map(|place| 1 << place.mask.len()).sum(),
        masked,
        tables: tables.collect(),
    }
}

fn write_packing(report: &PackingReport, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(
        out,
        "{:<7} {:<6} {:<18} {:>4} {:>5} {:>7}",
        "slider", "square", "multiplier", "bits", "saved", "offset"
    )?;
    for table in &report.tables {
        writeln!(
            out,
            "{:<7} {:<6} {:<18} {:>4} {:>5} {:>7}",
            table.slider,
            table.square,
            table.multiplier,
            table.bits,
            table.bits_saved,
            table.offset
        )?;
    }
    let saving = tables_with_fewer_bits(report);
    writeln!(
        out,
        "\n{} entries of 8 bytes, {} KiB; with a slot for every occupancy there would be {}.\n\
         {saving} of the {} tables save a bit.",
        report.entries,
        report.bytes.div_ceil(1024),
        report.plain_entries,
        report.tables.len()
    )
}

fn tables_with_fewer_bits(report: &PackingReport) -> usize {
    report.tables.iter().filter(|table| table.bits_saved > 0).count()
}

/// Draws on standard error, and only if that is a terminal.
fn progress_bar(spots: usize) -> ProgressBar {
    let bar = ProgressBar::new(spots as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar
}

fn show(bar: &ProgressBar, progress: Progress) {
    if !bar.is_hidden() {
        bar.set_message(format!("{}, {} candidates", progress.spot, progress.trials));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multipliers_are_read_as_rust_writes_them() {
        assert_eq!(parse_multiplier("0x0080_0040_0080_2010"), Ok(0x0080_0040_0080_2010));
        assert_eq!(parse_multiplier("0xFfffFfffFfffFfff"), Ok(u64::MAX));
        assert_eq!(parse_multiplier("12"), Ok(12));
        for wrong in ["", "0x", "0x1_0000_0000_0000_0000", "-1", "magic"] {
            assert!(parse_multiplier(wrong).is_err(), "{wrong}");
        }
    }
}
