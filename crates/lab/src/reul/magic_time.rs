//! Table 3.1: how long it takes to find multipliers, by their number of ones.

use super::WORK;
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Spread, Stopwatch};
use std::ops::ControlFlow;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{
    Candidates, MagicFindError, MagicSearch, Puzzle, find, passes_filter,
};
use tabiya_chess::attacks::rays::Slider;

pub(super) struct MagicTime;

const CORNERS: [Square; 4] = [Square::A1, Square::H1, Square::A8, Square::H8];

/// The number of ones that the thesis finds quickest.
const BEST: u32 = 9;

/// The most ones of bishops' multipliers that the thesis gets with the filter.
const MOST_FILTERED: u32 = 19;

/// What it took to find multipliers for all squares, set by set.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Effortful {
    trials: Vec<u64>,
    seconds: Vec<f64>,
    /// Those that the four corners took.
    corner_seconds: f64,
    /// Of all multipliers found, those that the thesis's filter would have thrown away.
    refused: u64,
    found: u64,
}

fn sets(
    slider: Slider,
    candidates: Candidates,
    filter: bool,
    count: u64,
    stop: &dyn Fn() -> bool,
) -> Result<(Effortful, u64), Halt> {
    let puzzles: Vec<Puzzle> =
        Square::ALL.into_iter().map(|square| Puzzle::new(slider, square)).collect();
    let mut effort = Effortful::default();
    let mut filtered = 0;
    for seed in 1..=count {
        let search = MagicSearch { candidates, filter, seed, budget: u64::MAX };
        let watch = Stopwatch::start();
        let mut trials = 0;
        for (square, puzzle) in Square::ALL.into_iter().zip(&puzzles) {
            let keep_on =
                &mut |_| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let begin = Stopwatch::start();
            let found = match find(puzzle, puzzle.bits(), &search, keep_on) {
                Ok(found) => found,
                Err(MagicFindError::Stopped { .. }) => return Err(Halt::Interrupted),
                Err(other) => return Err(Halt::Wrong(other.to_string())),
            };
            trials += found.trials;
            if CORNERS.contains(&square) {
                effort.corner_seconds += begin.seconds();
            }
            filtered += found.filtered;
            effort.found += 1;
            effort.refused += u64::from(!passes_filter(puzzle, found.magic));
        }
        effort.trials.push(trials);
        effort.seconds.push(watch.seconds());
    }
    Ok((effort, filtered))
}

impl Experiment for MagicTime {
    fn card(&self) -> Card {
        Card {
            id: "magic-time",
            work: WORK,
            title: "Finding multipliers by trial and error",
            question: "Random numbers with exactly so many ones are tried until one serves, for all 64 \
                       squares. How many ones make it quickest? And is the thesis's \"necessary condition\" \
                       necessary?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let [bishop_sets, rook_sets] = lab.effort.pick([10, 3], [100, 10]);
        let rook_most = lab.effort.pick(13, 15);
        let columns = [
            ("ones", Origin::Label),
            ("bishops, ms", Origin::Printed),
            ("bishops, ms", Origin::Timed),
            ("bishops, numbers tried", Origin::Counted),
            ("rooks, ms", Origin::Printed),
            ("rooks, ms", Origin::Timed),
            ("rooks, numbers tried", Origin::Counted),
        ];
        let title = "Table 3.1: a set of 64 multipliers, by number of ones";
        let mut table = Table::new("table-3-1", title, &columns);
        let mut curves: Vec<Curve> = ["bishops, tried", "rooks, tried"]
            .map(|name| Curve { name: name.to_owned(), printed: false, points: Vec::new() })
            .into();
        let mut refused = [(0, 0); 2];
        let mut means = [Vec::new(), Vec::new()];
        for ones in 6..=15u32 {
            let mut row: Vec<Cell> = vec![ones.to_string().into()];
            for (i, (slider, name, count)) in
                [(Slider::Bishop, "Bishop", bishop_sets), (Slider::Rook, "Rook", rook_sets)]
                    .into_iter()
                    .enumerate()
            {
                let printed = lab.printed("3.1").number(&ones.to_string(), name);
                row.push(match printed {
                    Some(value) => Cell::Number { value: value / 100.0, decimals: 0 },
                    None => Cell::none(),
                });
                if i == 1 && !(7..=rook_most).contains(&ones) {
                    row.extend([Cell::none(), Cell::none()]);
                    continue;
                }
                let step = format!("{name}s with {ones} ones");
                let effort: Effortful = lab.step(&step, |stop| {
                    Ok(sets(slider, Candidates::Ones(ones), false, count, stop)?.0)
                })?;
                refused[i].0 += effort.refused;
                refused[i].1 += effort.found;
                let trials = effort.trials.iter().sum::<u64>() as f64 / count as f64;
                curves[i].points.push((f64::from(ones), trials));
                means[i].push((ones, effort.seconds.iter().sum::<f64>() / count as f64));
                if i == 0 && (ones == 6 || ones == 15) {
                    let found = effort.trials.len() as f64;
                    findings.number(&format!("bishop sets with {ones} ones"), found);
                }
                if i == 1 && ones == 13 {
                    let corner = effort.corner_seconds / CORNERS.len() as f64;
                    let mean = effort.seconds.iter().sum::<f64>() / Square::ALL.len() as f64;
                    findings.number("corners, rooks with 13 ones", corner / mean.max(1e-12));
                }
                row.push(Spread::of(effort.seconds).times(1e3).cell(0));
                row.push(Cell::Number { value: trials, decimals: 0 });
            }
            table.row(row);
        }
        table.note = format!(
            "Medians of the times and means of the numbers tried, of {bishop_sets} sets for bishops and \
             {rook_sets} for rooks; the thesis has 100 of each, shown for one. The numbers tried do not depend \
             on the machine."
        );
        for (name, means) in ["bishops", "rooks"].into_iter().zip(means) {
            let of_best = means.iter().find(|mean| mean.0 == BEST).map_or(0.0, |mean| mean.1);
            let quickest = means.iter().map(|mean| mean.1).fold(f64::INFINITY, f64::min);
            findings.number(
                &format!("9 ones over the quickest, {name}"),
                of_best / quickest.max(1e-12),
            );
        }
        let per_cent = |(refused, found): (u64, u64)| 100.0 * refused as f64 / found.max(1) as f64;
        findings.numbers("good multipliers that the filter refuses", refused.map(per_cent));
        findings.tables.push(table);
        findings.plots.push(Plot::new(
            "tried",
            "Numbers tried until all 64 squares were served",
            "By the number of ones; a logarithmic scale.",
            Drawing::Lines {
                x: "ones".to_owned(),
                y: "numbers tried".to_owned(),
                logarithmic: true,
                curves,
            },
        ));
        filter(lab, &mut findings)?;
        if lab.effort == Effort::Quick {
            findings.note("Rooks with 14 ones and more are left to the full run.");
        }
        Ok(findings)
    }
}

/// What the filter takes out, for several numbers of ones.
fn filter(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let ones: &[u32] = lab.effort.pick(&[8, 9, 10], &[7, 8, 9, 10, 11, 12]);
    let columns = [
        ("ones", Origin::Label),
        ("bishop candidates removed, %", Origin::Counted),
        ("rook candidates removed, %", Origin::Counted),
    ];
    let mut table = Table::new("filter", "What the filter of section 3.8.2 takes out", &columns);
    let mut shares = [Vec::new(), Vec::new()];
    for &ones in ones {
        let mut row: Vec<Cell> = vec![ones.to_string().into()];
        for (i, slider) in Slider::ALL.into_iter().enumerate() {
            let step = format!("filter, {slider:?}s with {ones} ones");
            let share: f64 = lab.step(&step, |stop| {
                let (effort, filtered) = sets(slider, Candidates::Ones(ones), true, 1, stop)?;
                Ok(100.0 * filtered as f64 / effort.trials.iter().sum::<u64>() as f64)
            })?;
            shares[i].push(share);
            row.push(share.into());
        }
        table.row(row);
    }
    findings.tables.push(table);
    let dense = format!("filter, Bishops with {MOST_FILTERED} ones");
    let found: u64 = lab.step(&dense, |stop| {
        Ok(sets(Slider::Bishop, Candidates::Ones(MOST_FILTERED), true, 1, stop)?.0.found)
    })?;
    findings.number("bishops served with 19 ones and the filter", found as f64);
    let [bishops, rooks] = shares;
    findings.numbers("bishop candidates removed", bishops);
    findings.numbers("rook candidates removed", rooks);
    Ok(())
}
