//! `tabiya magic verify`: checks a multiplier.

use super::{Kind, hexadecimal, name};
use crate::{Outcome, json};
use serde::Serialize;
use std::io::Write;
use std::num::ParseIntError;
use std::process::ExitCode;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{Collision, MAX_BITS, MagicVerifyError, Puzzle};

/// Check a multiplier: does it serve, and how much of its table does it use?
///
/// Ends with code 1 if it does not serve, and shows two ways to stand in the way that it mixes up.
#[derive(clap::Args)]
pub(super) struct Args {
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

fn parse_multiplier(text: &str) -> Result<u64, ParseIntError> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16),
        None => digits.parse(),
    }
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

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let puzzle = Puzzle::new(args.slider.into(), args.square);
    let bits = args.bits.unwrap_or(puzzle.bits());
    let multiplier = hexadecimal(args.multiplier);
    let (fit, collision) = match puzzle.verify(args.multiplier, bits) {
        Ok(fit) => (Some(fit), None),
        Err(MagicVerifyError::Collision(collision)) => (None, Some(collision)),
        Err(error @ MagicVerifyError::Bits(_)) => return Err(error.into()),
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
        json::print(out, &verdict)?;
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
