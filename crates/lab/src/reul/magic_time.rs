//! Table 3.1: how long it takes to find multipliers, by their number of ones.

use super::WORK;
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Spread, Stopwatch};
use std::ops::ControlFlow;
use tabiya_chess::Square;
use tabiya_chess::attacks::magic::{Candidates, FindError, Puzzle, Search, find, passes_filter};
use tabiya_chess::attacks::rays::Slider;

pub(super) struct MagicTime;

/// What it took to find multipliers for all squares, set by set.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Effortful {
    trials: Vec<u64>,
    seconds: Vec<f64>,
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
        let search = Search { candidates, filter, seed, budget: u64::MAX };
        let watch = Stopwatch::start();
        let mut trials = 0;
        for puzzle in &puzzles {
            let keep_on =
                &mut |_| if stop() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let found = match find(puzzle, puzzle.bits(), &search, keep_on) {
                Ok(found) => found,
                Err(FindError::Stopped { .. }) => return Err(Halt::Interrupted),
                Err(other) => return Err(Halt::Wrong(other.to_string())),
            };
            trials += found.trials;
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
        let [bishop_sets, rook_sets] = lab.effort.pick([5, 1], [20, 5]);
        let rook_most = lab.effort.pick(12, 15);
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
                row.push(Spread::of(effort.seconds).times(1e3).cell(0));
                row.push(Cell::Number { value: trials, decimals: 0 });
            }
            table.row(row);
        }
        table.note = format!(
            "Means of {bishop_sets} sets for bishops and {rook_sets} for rooks; the thesis has 100 of each, \
             shown for one. The numbers tried do not depend on the machine."
        );
        let quickest = |curve: &Curve| {
            curve.points.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |point| point.0)
        };
        findings.number("best ones, bishops", quickest(&curves[0]));
        findings.number("best ones, rooks", quickest(&curves[1]));
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
            findings.note("Rooks with 13 ones and more are left to the full run.");
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
    let [bishops, rooks] = shares;
    findings.numbers("bishop candidates removed", bishops);
    findings.numbers("rook candidates removed", rooks);
    Ok(())
}
