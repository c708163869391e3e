//! Figures 3.18 and 3.19: the fewest ones that a magic multiplier can have, square by square.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::Plot;
use std::ops::ControlFlow;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{FindError, Puzzle, sparsest, verify};
use tabiya_chess::attacks::rays::Slider;

pub(super) struct MagicBits;

/// More ones than any square needs.
const MOST: u32 = 6;

/// As printed in appendix B for a bishop on d8, and on g1.
const PRINTED_D8: u64 = 0x0000_0000_0420_2000;
const PRINTED_G1: u64 = 0x0004_0404_0404_0400;

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
        let judge = |square, magic: u64| {
            let puzzle = Puzzle::new(Slider::Bishop, square);
            verify(Slider::Bishop, square, magic, puzzle.bits()).is_ok()
        };
        findings.truth("printed multiplier of d8", judge(Square::D8, PRINTED_D8));
        findings.truth("printed multiplier of g1", judge(Square::G1, PRINTED_G1));
        findings.number("ones of the printed multiplier of g1", f64::from(PRINTED_G1.count_ones()));
        Ok(findings)
    }
}
