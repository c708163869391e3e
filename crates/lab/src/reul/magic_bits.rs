//! Figures 3.18 and 3.19: the fewest ones that a magic multiplier can have, square by square.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::Plot;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::{Entry, PrintedTable};
use std::ops::ControlFlow;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{MagicFindError, Puzzle, sparsest, verify};
use tabiya_chess::attacks::rays::Slider;

pub(super) struct MagicBits;

/// More ones than any square needs.
const MOST: u32 = 6;

/// Numbers of appendix B that have claims of their own.
const DOUBTFUL: [(Slider, Square); 2] =
    [(Slider::Bishop, Square::D8), (Slider::Bishop, Square::G1)];

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
                        Err(MagicFindError::Stopped { .. }) => Err(Halt::Interrupted),
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
            judge(&mut findings, slider, name, &appendix_b(appendix, name)?);
        }
        Ok(findings)
    }
}

/// What is right of the multipliers of appendix B, and a table of those that are not.
fn judge(findings: &mut Findings, slider: Slider, name: &str, printed: &[(Square, u64, f64)]) {
    let columns = [
        ("square", Origin::Label),
        ("multiplier", Origin::Printed),
        ("ones", Origin::Printed),
        ("ones", Origin::Counted),
        ("serves", Origin::Counted),
    ];
    let title = format!("Appendix B: numbers for {name}s that are not as they should be");
    let mut table = Table::new(&format!("appendix-{name}"), &title, &columns);
    let (mut serving, mut counted) = (0, 0);
    for &(square, magic, ones) in printed {
        let serves = verify(slider, square, magic, Puzzle::new(slider, square).bits()).is_ok();
        let right = f64::from(magic.count_ones()) == ones;
        serving += u32::from(serves);
        counted += u32::from(right);
        let count = u64::from(magic.count_ones());
        if DOUBTFUL.contains(&(slider, square)) {
            findings.truth(&format!("printed multiplier of {name} {square}"), serves);
            let ones = format!("ones of the printed multiplier of {name} {square}");
            findings.number(&ones, count as f64);
        }
        if !(serves && right) {
            table.row(vec![
                square.to_string().into(),
                format!("{magic:#018x}").into(),
                Cell::Number { value: ones, decimals: 0 },
                count.into(),
                if serves { "yes" } else { "no" }.into(),
            ]);
        }
    }
    findings.number(&format!("{name} multipliers that serve"), serving.into());
    findings.number(&format!("{name} multipliers with their ones"), counted.into());
    if !table.rows.is_empty() {
        findings.tables.push(table);
    }
}
