//! Tables A.1 to A.3 for up to 24 processors that need not exist.

use super::alone::RUNS;
use super::{Means, WORK, simulate_all, slope};
use crate::classic::{Settings, SplitFigures, Thought};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Simulated;

const QUICK: &[usize] = &[1, 2, 4, 8, 10, 16, 20, 24];
const FULL: &[usize] = &[1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 14, 16, 17, 18, 20, 22, 24];

/// What was found for a number of processors.
struct Row {
    processors: usize,
    means: Means,
    /// Rate, tree and time against one processor.
    ratios: [f64; 3],
    idle: f64,
    splits: SplitFigures,
    nodes: u64,
}

/// What happened at the splits of several searches together.
pub(super) fn splits_of(thoughts: &[Thought]) -> SplitFigures {
    let sum = |value: fn(&SplitFigures) -> u64| thoughts.iter().map(|t| value(&t.splits)).sum();
    SplitFigures {
        splits: sum(|splits| splits.splits),
        joins: sum(|splits| splits.joins),
        cutoffs: sum(|splits| splits.cutoffs),
        superfluous: sum(|splits| splits.superfluous),
        split_time: sum(|splits| splits.split_time),
        search_time: sum(|splits| splits.search_time),
    }
}

/// All nodes of several searches.
pub(super) fn nodes_of(thoughts: &[Thought]) -> u64 {
    thoughts.iter().map(|thought| thought.counters.nodes).sum()
}

impl Experiment for Simulated {
    fn card(&self) -> Card {
        Card {
            id: "simulated",
            work: WORK,
            title: "The program with 1 to 24 simulated processors",
            question: "The same program and the same protocol on virtual processors, whose nodes and splits take a \
                       fixed time and whose memory takes none. How does the tree grow, how much sooner is the \
                       depth reached, and what do hash rate, ordering and quiescence do?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, counts) = lab.effort.pick((6, QUICK), (10, FULL));
        let mut rows: Vec<Row> = Vec::new();
        let mut alone: Option<Means> = None;
        for &processors in counts {
            let thoughts: Vec<Thought> = lab.step(&format!("{processors} processors"), |stop| {
                simulate_all(depth, processors, Settings::default(), stop)
            })?;
            let means = Means::of(&thoughts);
            let ratios = means.against(alone.as_ref().unwrap_or(&means));
            let time: f64 = thoughts.iter().map(|thought| thought.seconds).sum();
            let idle: f64 = thoughts.iter().map(|thought| thought.idle).sum();
            rows.push(Row {
                processors,
                ratios,
                idle: 100.0 * idle / (processors as f64 * time).max(1e-9),
                splits: splits_of(&thoughts),
                nodes: nodes_of(&thoughts),
                means,
            });
            alone.get_or_insert_with(|| Means::of(&thoughts));
        }
        let mut findings = Findings::default();
        findings.tables.push(table(lab, &rows, depth));
        plots(lab, &mut findings, &rows);
        figures(&mut findings, &rows);
        findings.note(
            "A simulated node rate is the number of processors times the share of time in which they are busy, by \
             construction: compare trees and times with the thesis's, not rates. What a busy memory costs is not \
             in it.",
        );
        Ok(findings)
    }
}

fn table(lab: &Lab<'_>, rows: &[Row], depth: u32) -> Table {
    let mut columns = vec![("processors", Origin::Label)];
    columns.extend([("tree × A.1", Origin::Printed), ("A.2", Origin::Printed)]);
    columns.extend([("A.3", Origin::Printed), ("tree ×", Origin::Counted)]);
    columns.extend([("time × A.1", Origin::Printed), ("A.2", Origin::Printed)]);
    columns.extend([("A.3", Origin::Printed), ("time ×", Origin::Counted)]);
    columns.extend([("rate × A.1", Origin::Printed), ("rate ×", Origin::Counted)]);
    columns.extend(
        ["hash %", "order %", "Qn %", "idle %", "splits", "cut off %", "superfluous %"]
            .map(|name| (name, Origin::Counted)),
    );
    let title = format!("Tables A.1 to A.3 by the simulator, depth {depth}");
    let mut table = Table::new("simulated", &title, &columns);
    let decimal = |value, decimals| Cell::Number { value, decimals };
    for row in rows {
        let label = row.processors.to_string();
        let printed = |run: &str, column: &str, inverse: bool| {
            let table = lab.printed(run);
            let (here, alone) = (table.number(&label, column), table.number("1", column));
            match (here, alone) {
                (Some(here), Some(alone)) if inverse => (alone / here).into(),
                (Some(here), Some(alone)) => (here / alone).into(),
                _ => Cell::none(),
            }
        };
        let mut cells: Vec<Cell> = vec![label.as_str().into()];
        cells.extend(RUNS.map(|run| printed(run, "Nodes", false)));
        cells.push(row.ratios[1].into());
        cells.extend(RUNS.map(|run| printed(run, "Time", true)));
        cells.push(row.ratios[2].into());
        cells.push(printed("A.1", "NPS", false));
        cells.push(row.ratios[0].into());
        cells
            .extend([row.means.hash, row.means.order, row.means.quiescence].map(|v| decimal(v, 1)));
        cells.push(decimal(row.idle, 1));
        cells.push(row.splits.splits.into());
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        cells.push(decimal(share(row.splits.cutoffs, row.splits.splits), 1));
        cells.push(decimal(share(row.splits.superfluous, row.nodes), 1));
        table.row(cells);
    }
    table.note = "Simulated; what memory costs is not in it. Cut off: splits that ended in a cutoff. Superfluous: \
                  nodes that were under way then, of all nodes."
        .to_owned();
    table
}

fn plots(lab: &Lab<'_>, findings: &mut Findings, rows: &[Row]) {
    let kinds: [(&str, &str, &str, &str, usize); 2] = [
        ("tree", "How the tree grows", "Nodes, times one processor's.", "Nodes", 1),
        ("time", "How much sooner the depth is reached", "Times one processor's.", "Time", 2),
    ];
    for (id, title, subtitle, column, figure) in kinds {
        let mut curves: Vec<Curve> = RUNS
            .iter()
            .map(|run| {
                let values = lab.printed(run).column(column);
                let ratio = |value: f64| {
                    if column == "Time" { values[0] / value } else { value / values[0] }
                };
                let points = (1..).zip(&values).map(|(n, v)| (f64::from(n), ratio(*v))).collect();
                Curve { name: format!("table {run}"), printed: true, points }
            })
            .collect();
        let points = rows.iter().map(|row| (row.processors as f64, row.ratios[figure])).collect();
        curves.push(Curve { name: "simulated".to_owned(), printed: false, points });
        let (x, y) = ("processors".to_owned(), "times".to_owned());
        let drawing = Drawing::Lines { x, y, logarithmic: false, curves };
        findings.plots.push(Plot::new(id, title, subtitle, drawing));
    }
}

fn figures(findings: &mut Findings, rows: &[Row]) {
    let at = |processors: usize| rows.iter().find(|row| row.processors == processors);
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    let tree: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.processors <= 15)
        .map(|row| (row.processors as f64, row.ratios[1]))
        .collect();
    findings.number("tree: growth per processor", slope(&tree));
    for processors in [2, 10, 20, 24] {
        if let Some(row) = at(processors) {
            findings.number(&format!("tree at {processors}"), row.ratios[1]);
            findings.number(&format!("time at {processors}"), row.ratios[2]);
        }
    }
    let best = rows
        .iter()
        .fold(first, |best, row| if row.ratios[2] > best.ratios[2] { row } else { best });
    findings.number("best time", best.ratios[2]);
    findings.number("processors at the best time", best.processors as f64);
    if let Some(ten) = at(10) {
        findings.number("gain beyond ten", best.ratios[2] / ten.ratios[2]);
    }
    findings.number("time at 24 over the best", last.ratios[2] / best.ratios[2]);
    findings.number("hash lost", first.means.hash - last.means.hash);
    findings.number("order lost", first.means.order - last.means.order);
    let quiescence = rows.iter().map(|row| row.means.quiescence - first.means.quiescence);
    findings.numbers("quiescence against one processor's", quiescence);
    let share = 100.0 * last.splits.superfluous as f64
        / (last.nodes as f64 * (1.0 - 1.0 / last.ratios[1])).max(1.0);
    findings.number("growth that is superfluous, %", share);
}
