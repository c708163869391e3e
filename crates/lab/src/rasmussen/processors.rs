//! Tables A.1 to A.3 for the threads of this machine.

use super::alone::RUNS;
use super::{His, Means, WORK, positions, rate, simulate_all};
use crate::classic::{Settings, Thought, think};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, Stop, go_on};
use crate::frame::findings::Findings;
use crate::frame::labor::threads_here;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Spread;
use serde::{Deserialize, Serialize};
use std::sync::Barrier;
use std::thread;
use tabiya_chess::Position;

pub(super) struct Processors;

/// More threads than this are not measured, however many there are.
const MOST: usize = 24;

/// What the simulator may be off by at two processors, in per cent, of the tree and of the time.
const STATED_ERROR: [f64; 2] = [10.0, 15.0];

/// Rate, tree and time.
const FIGURES: [&str; 3] = ["rate ×", "tree ×", "time ×"];

/// One position, searched in every way, one right after the other, so that a slow moment of the machine meets
/// all alike.
#[derive(Serialize, Deserialize)]
struct Turn {
    /// With one thread, with two, and so on.
    thoughts: Vec<Thought>,
    /// The node rate that two searches reach at once which have nothing to do with each other: what the
    /// machine has to give.
    apart: f64,
}

impl Turn {
    fn take(position: &Position, depth: u32, most: usize, stop: &Stop<'_>) -> Result<Turn, Halt> {
        let search = |threads| think::<His>(position, depth, threads, Settings::default());
        let mut thoughts = Vec::new();
        for threads in 1..=most {
            go_on(stop)?;
            thoughts.push(search(threads));
        }
        go_on(stop)?;
        let barrier = Barrier::new(2);
        let work = || {
            barrier.wait();
            rate(&search(1))
        };
        let apart = thread::scope(|scope| {
            let workers = [scope.spawn(work), scope.spawn(work)];
            workers.into_iter().map(|worker| worker.join().unwrap_or(0.0)).sum()
        });
        Ok(Turn { thoughts, apart })
    }
}

impl Experiment for Processors {
    fn card(&self) -> Card {
        Card {
            id: "threads",
            work: WORK,
            title: "The program with the threads of this machine",
            question: "Tables A.1 to A.3 again, as far as this machine goes, always with three figures: node rate, \
                       tree and time to depth. Beside them what two searches reach that have nothing to do with \
                       each other, and what the simulator says of two processors.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds) = lab.effort.pick((7, 3), (11, 3));
        let mut findings = Findings::default();
        let most = threads_here().min(MOST);
        if most < 2 {
            for name in needed() {
                findings.lacks(&name, "this machine runs one thread at a time");
            }
            return Ok(findings);
        }
        let mut rows: Vec<Vec<Means>> = (0..most).map(|_| Vec::new()).collect();
        let mut ceilings = Vec::new();
        for round in 1..=rounds {
            let mut turns: Vec<Turn> = Vec::new();
            for (name, position) in positions() {
                let step = format!("{name}, round {round}");
                turns.push(lab.step(&step, |stop| Turn::take(&position, depth, most, stop))?);
            }
            for (i, row) in rows.iter_mut().enumerate() {
                let thoughts: Vec<Thought> = turns.iter().map(|turn| turn.thoughts[i]).collect();
                row.push(Means::of(&thoughts));
            }
            let apart: f64 = turns.iter().map(|turn| turn.apart).sum();
            let alone: f64 = turns.iter().map(|turn| rate(&turn.thoughts[0])).sum();
            ceilings.push(apart / alone.max(1e-9));
        }
        let simulated: Vec<Vec<Thought>> = lab.step("simulated", |stop| {
            let all = |processors| simulate_all(depth, processors, Settings::default(), stop);
            Ok(vec![all(1)?, all(2)?])
        })?;
        let ceiling = Spread::of(ceilings);
        let title = format!("Tables A.1 to A.3 for this machine, depth {depth}");
        let mut table = Table::new("threads", &title, &columns());
        for (i, threads) in (1..=most).enumerate() {
            printed_rows(lab, &mut table, threads);
            let ratios = [0, 1, 2].map(|figure| {
                let pairs = rows[i].iter().zip(&rows[0]);
                Spread::of(pairs.map(|(many, alone)| many.against(alone)[figure]))
            });
            table.row(row_here(threads, &rows[i], ratios));
            if threads == 2 {
                for (name, ratio) in ["rate", "tree", "time"].into_iter().zip(ratios) {
                    findings.measured(&format!("two: {name}"), ratio.median, ratio.low, ratio.high);
                }
                let share = ratios[0].median / ceiling.median;
                findings.number("two: rate against the ceiling", share);
                let model = Means::of(&simulated[1]).against(&Means::of(&simulated[0]));
                let row = vec![
                    "2".into(),
                    "simulated".into(),
                    Cell::none(),
                    Cell::Number { value: Means::of(&simulated[1]).nodes, decimals: 0 },
                    Cell::none(),
                    percentage(Means::of(&simulated[1]).hash),
                    percentage(Means::of(&simulated[1]).order),
                    percentage(Means::of(&simulated[1]).quiescence),
                    model[0].into(),
                    model[1].into(),
                    model[2].into(),
                ];
                table.row(row);
                compare(&mut findings, ratios, model, ceiling);
            }
        }
        table.note = format!(
            "Medians of {rounds} rounds and their ranges; each column is a mean over the ten positions. Two \
             searches that have nothing to do with each other reach {:.2} times the node rate of one here.",
            ceiling.median
        );
        findings.tables.push(table);
        findings.measured("ceiling", ceiling.median, ceiling.low, ceiling.high);
        Ok(findings)
    }
}

fn needed() -> Vec<String> {
    let mut names = ["two: rate", "two: tree", "two: time", "two: rate against the ceiling"]
        .map(String::from)
        .to_vec();
    names.extend(["simulator: tree off by, %", "simulator: time off by, %"].map(String::from));
    names
}

/// How far the simulator is from real threads, and whether that is within what is stated.
fn compare(findings: &mut Findings, real: [Spread; 3], model: [f64; 3], ceiling: Spread) {
    let off = |real: f64, model: f64| 100.0 * (real / model - 1.0);
    let tree = off(real[1].median, model[1]);
    // The simulator knows nothing of what two threads take from each other.
    let time = off(real[2].median, model[2] * ceiling.median / 2.0);
    findings.number("simulator: tree off by, %", tree);
    findings.number("simulator: time off by, %", time);
    let verdict = |value: f64, stated: f64| if value.abs() <= stated { "within" } else { "beyond" };
    findings.note(format!(
        "At two processors real threads differ from the simulator by {tree:+.1} % in the tree and by {time:+.1} % \
         in time to depth (after its figure is scaled by what the machine gives two searches at once): {} and {} \
         the stated {} and {} %.",
        verdict(tree, STATED_ERROR[0]),
        verdict(time, STATED_ERROR[1]),
        STATED_ERROR[0],
        STATED_ERROR[1],
    ));
}

fn columns() -> Vec<(&'static str, Origin)> {
    let mut columns = vec![
        ("processors", Origin::Label),
        ("run", Origin::Label),
        ("nodes/s", Origin::Timed),
        ("nodes", Origin::Counted),
        ("seconds", Origin::Timed),
        ("hash %", Origin::Counted),
        ("order %", Origin::Counted),
        ("Qn %", Origin::Counted),
    ];
    columns.extend(FIGURES.map(|name| (name, Origin::Timed)));
    columns
}

fn percentage(value: f64) -> Cell {
    Cell::Number { value, decimals: 1 }
}

fn printed_rows(lab: &Lab<'_>, table: &mut Table, processors: usize) {
    let label = processors.to_string();
    for run in RUNS {
        let printed = lab.printed(run);
        let number = |row: &str, column: &str| printed.number(row, column);
        let (Some(nodes), Some(seconds)) = (number(&label, "Nodes"), number(&label, "Time")) else {
            continue;
        };
        let alone = |column: &str| number("1", column).unwrap_or(f64::NAN);
        table.row(vec![
            label.as_str().into(),
            format!("table {run}").into(),
            printed.cell(&label, "NPS"),
            printed.cell(&label, "Nodes"),
            printed.cell(&label, "Time"),
            printed.cell(&label, "Hash"),
            printed.cell(&label, "Order"),
            printed.cell(&label, "Qn"),
            printed.cell(&label, "Speedup"),
            (nodes / alone("Nodes")).into(),
            (alone("Time") / seconds).into(),
        ]);
    }
}

fn row_here(threads: usize, means: &[Means], ratios: [Spread; 3]) -> Vec<Cell> {
    let spread = |value: fn(&Means) -> f64| Spread::of(means.iter().map(value));
    let mut row = vec![
        threads.to_string().into(),
        "here".into(),
        spread(|means| means.rate).cell(0),
        spread(|means| means.nodes).cell(0),
        spread(|means| means.seconds).cell(2),
        percentage(spread(|means| means.hash).median),
        percentage(spread(|means| means.order).median),
        percentage(spread(|means| means.quiescence).median),
    ];
    row.extend(ratios.map(|ratio| ratio.cell(2)));
    row
}
