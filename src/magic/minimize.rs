//! `tabiya magic minimise`: makes the tables small.

use super::{MAX_WIDTH, hexadecimal, name, show};
use crate::progress::progress_bar;
use crate::{Outcome, json};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;
use tabiya_chess::attacks::magic::{self, MagicSharing, Packing, Thrift};
use tabiya_chess::attacks::rays::Slider;

/// Make the tables of all squares small, and lay them into one array.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Let tables share entries that only differ in squares which one of them can never attack. A
    /// look-up then has to mask what it finds.
    #[arg(long)]
    masked: bool,
    /// How hard to try to save index bits: unfinished numbers to keep while growing multipliers. 0
    /// does not try; the default takes about half a minute.
    #[arg(
        long,
        value_name = "N",
        default_value_t = Thrift::default().width as u32,
        value_parser = clap::value_parser!(u32).range(0..=MAX_WIDTH)
    )]
    width: u32,
    /// Where chance begins.
    #[arg(long, default_value_t = Thrift::default().seed)]
    seed: u64,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "rust")]
    json: bool,
    /// Print Rust constants.
    #[arg(long)]
    rust: bool,
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

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let sharing = if args.masked { MagicSharing::Masked } else { MagicSharing::Exact };
    let thrift = Thrift { sharing, width: args.width as usize, seed: args.seed };
    let bar = progress_bar(128, "squares");
    let packing = magic::minimize(&thrift, &mut |progress| {
        let before = if progress.spot.slider == Slider::Rook { 64 } else { 0 };
        bar.set_position(before + progress.spot.square.index() as u64);
        show(&bar, progress);
        ControlFlow::Continue(())
    })?;
    bar.finish_and_clear();
    if args.rust {
        let masked = if args.masked { " --masked" } else { "" };
        let command = format!(
            "tabiya magic minimise{masked} --width {} --seed {} --rust",
            args.width, args.seed
        );
        write!(out, "{}", packing.constants(&command))?;
        return Ok(ExitCode::SUCCESS);
    }
    let report = report(&packing, args.masked);
    if args.json {
        json::print(out, &report)?;
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
