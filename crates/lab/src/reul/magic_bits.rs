//! Figures 3.18 and 3.19: the fewest ones that a magic multiplier can have, square by square.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::Plot;
use crate::frame::works::{Entry, PrintedTable};
use std::ops::ControlFlow;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{FindError, Puzzle, sparsest, verify};
use tabiya_chess::attacks::rays::Slider;

pub(super) struct MagicBits;

/// More ones than any square needs.
const MOST: u32 = 6;

/// The multipliers of appendix B for one kind, with the number of ones that is printed beside each.
fn appendix_b(table: &PrintedTable, kind: &str) -> Result<Vec<(Square, u64, f64)>, Halt> {
    let (multiplier, ones) = (table.place(kind), table.place(&format!("{kind}, ones")));
    let read = |row: &Vec<Entry>| {
        let (Entry::Text(square), Entry::Text(magic)) = (&row[0], &row[multiplier]) else {
            return None;
        };
        let magic = u64::from_str_radix(magic.strip_prefix("0x")?, 16).ok()?;
        Some((square.parse().ok()?, magic, row[ones].number()?))
    };
    let rows = table.rows.iter().map(read).collect::<Option<_>>();
    rows.ok_or_else(|| Halt::Wrong(format!("table {} is damaged", table.id)))
}

impl Experiment for MagicBits {
    fn card(&self) -> Card {
        Card {
            id: "magic-bits",
            work: WORK,
            title: "The sparsest magic multipliers",
            question: "For each slider on each square: the fewest one-bits that a multiplier can have, by \
                       going through all multipliers with one, two, ... ones. Both matrices of the thesis, \
                       number for number.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        for (slider, name, figure) in
            [(Slider::Bishop, "bishop", "3.18"), (Slider::Rook, "rook", "3.19")]
        {
            let ones: Vec<u32> = lab.step(name, |stop| {
                let fewest = |square| {
                    let puzzle = Puzzle::new(slider, square);
                    let watch = &mut |_| match stop() {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    };
                    match sparsest(&puzzle, puzzle.bits(), MOST, u64::MAX, watch) {
                        Ok(found) => Ok(found.magic.count_ones()),
                        Err(FindError::Stopped { .. }) => Err(Halt::Interrupted),
                        Err(other) => Err(Halt::Wrong(other.to_string())),
                    }
                };
                Square::ALL.into_iter().map(fewest).collect()
            })?;
            let ones: Vec<f64> = ones.into_iter().map(f64::from).collect();
            findings.plots.push(Plot::board(
                name,
                &format!("Figure {figure}: the fewest ones of a {name}'s multiplier"),
                "Proved by exhaustive search; the thesis prints the same board.",
                &ones,
                0,
            ));
            // As printed: the eighth rank first.
            findings.numbers(name, ones.chunks(8).rev().flatten().copied());
        }
        let appendix = lab.printed("B");
        for (slider, name) in [(Slider::Bishop, "bishop"), (Slider::Rook, "rook")] {
            let printed = appendix_b(appendix, name)?;
            let serves = |(square, magic, _): &&(Square, u64, f64)| {
                let bits = Puzzle::new(slider, *square).bits();
                verify(slider, *square, *magic, bits).is_ok()
            };
            let serving = printed.iter().filter(serves).count();
            findings.number(&format!("{name} multipliers that serve"), serving as f64);
            let counted =
                printed.iter().filter(|(_, magic, ones)| f64::from(magic.count_ones()) == *ones);
            findings.number(&format!("{name} multipliers with their ones"), counted.count() as f64);
        }
        for (square, what) in [(Square::D8, "d8"), (Square::G1, "g1")] {
            let printed = appendix_b(appendix, "bishop")?;
            let magic = printed.iter().find(|entry| entry.0 == square).map_or(0, |entry| entry.1);
            let bits = Puzzle::new(Slider::Bishop, square).bits();
            let serves = verify(Slider::Bishop, square, magic, bits).is_ok();
            findings.truth(&format!("printed multiplier of {what}"), serves);
            let ones = f64::from(magic.count_ones());
            findings.number(&format!("ones of the printed multiplier of {what}"), ones);
        }
        Ok(findings)
    }
}
