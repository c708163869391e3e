//! The thesis's own tables, looked at again.

use super::alone::RUNS;
use super::{WORK, slope};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::PrintedTable;
use tabiya_chess::attacks::rays::walk;
use tabiya_chess::{Bitboard, Square};

pub(super) struct Printed;

/// A row of a printed table, with what it does not print.
#[derive(Clone, Copy)]
struct Row {
    processors: f64,
    speed: f64,
    printed_speedup: f64,
    tree: f64,
    time: f64,
    hash: f64,
    order: f64,
    quiescence: f64,
    /// Rate times time over nodes: near 1 if the columns belong together.
    consistency: f64,
}

fn rows(table: &PrintedTable) -> Vec<Row> {
    let column = |name: &str| table.column(name);
    let (nps, nodes, time) = (column("NPS"), column("Nodes"), column("Time"));
    let (speedup, hash, order, qn) =
        (column("Speedup"), column("Hash"), column("Order"), column("Qn"));
    (0..nps.len())
        .map(|i| Row {
            processors: (i + 1) as f64,
            speed: nps[i] / nps[0],
            printed_speedup: speedup[i],
            tree: nodes[i] / nodes[0],
            time: time[0] / time[i],
            hash: hash[i],
            order: order[i],
            quiescence: qn[i],
            consistency: nps[i] * time[i] / nodes[i],
        })
        .collect()
}

/// The row in which something is greatest.
fn best(rows: &[Row], value: impl Fn(&Row) -> f64) -> Row {
    let first = rows[0];
    rows.iter().fold(first, |best, row| if value(row) > value(&best) { *row } else { best })
}

/// The points of the "general trend": those below no earlier one.
fn trend(rows: &[Row]) -> Vec<f64> {
    let mut top = 0.0;
    let mut dropped = Vec::new();
    for row in rows {
        if row.speed < top {
            dropped.push(row.processors);
        } else {
            top = row.speed;
        }
    }
    dropped
}

impl Experiment for Printed {
    fn card(&self) -> Card {
        Card {
            id: "thesis-tables",
            work: WORK,
            title: "The printed tables, looked at again",
            question: "The thesis calls the gain in node rate a speedup. Its tables hold two more figures that it \
                       does not print: how the tree grows, and how much sooner the depth is reached. What are \
                       they, and does the text agree with the tables?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let runs = RUNS.map(|run| rows(lab.printed(run)));
        let columns = [
            ("run", Origin::Label),
            ("best rate ×", Origin::Counted),
            ("at", Origin::Counted),
            ("time × there", Origin::Counted),
            ("best time ×", Origin::Counted),
            ("at", Origin::Counted),
            ("tree grows by", Origin::Counted),
        ];
        let mut table = Table::new("speedups", "Three runs, three figures each", &columns);
        let mut curves = [Vec::new(), Vec::new(), Vec::new()];
        for ((run, rows), limit) in RUNS.iter().zip(&runs).zip([15.0, 17.0, 12.0]) {
            let (rate, time) = (best(rows, |row| row.speed), best(rows, |row| row.time));
            let line: Vec<(f64, f64)> = rows
                .iter()
                .filter(|row| row.processors <= limit)
                .map(|row| (row.processors, row.tree))
                .collect();
            let growth = slope(&line);
            let count = |value| Cell::Number { value, decimals: 0 };
            table.row(vec![
                format!("table {run}").into(),
                rate.speed.into(),
                count(rate.processors),
                rate.time.into(),
                time.time.into(),
                count(time.processors),
                Cell::Number { value: growth, decimals: 3 },
            ]);
            findings.numbers(&format!("{run}: best rate"), [rate.speed]);
            findings.number(&format!("{run}: processors at the best rate"), rate.processors);
            findings.number(&format!("{run}: time at the best rate"), rate.time);
            findings.number(&format!("{run}: best time"), time.time);
            findings.number(&format!("{run}: processors at the best time"), time.processors);
            findings.number(&format!("{run}: growth"), growth);
            let off = rows.iter().map(|row| (row.speed - row.printed_speedup).abs());
            findings.number(&format!("{run}: speedup off by"), off.fold(0.0, f64::max));
            findings
                .numbers(&format!("{run}: consistency"), rows.iter().map(|row| row.consistency));
            let named = |pick: fn(&Row) -> f64| Curve {
                name: format!("table {run}"),
                printed: true,
                points: rows.iter().map(|row| (row.processors, pick(row))).collect(),
            };
            curves[0].push(named(|row| row.speed));
            curves[1].push(named(|row| row.tree));
            curves[2].push(named(|row| row.time));
        }
        table.note = "Rate: nodes per second against one processor's, which the thesis calls speedup. Time: how \
                      much sooner the depth is reached. The tree's growth is per processor, a line fitted to \
                      the rows before the machines were overloaded."
            .to_owned();
        findings.tables.push(table);
        let plots = [
            ("printed-rate", "Node rate", "Times one processor's; what the thesis calls speedup."),
            ("printed-tree", "The tree", "Nodes, times one processor's."),
            ("printed-time", "Time to depth", "How much sooner depth 11 is reached."),
        ];
        for ((id, title, subtitle), curves) in plots.into_iter().zip(curves) {
            let (x, y) = ("processors".to_owned(), "times".to_owned());
            let drawing = Drawing::Lines { x, y, logarithmic: false, curves };
            findings.plots.push(Plot::new(id, title, subtitle, drawing));
        }
        let alone = RUNS.map(|run| lab.printed(run).column("Nodes")[0]);
        findings.numbers("trees of one processor", alone.map(|nodes| nodes / alone[0]));
        text_and_tables(&mut findings, &runs[0]);
        findings.number("rank index", rank_index());
        Ok(findings)
    }
}

/// What the text says of the main run.
fn text_and_tables(findings: &mut Findings, main: &[Row]) {
    let at = |processors: usize| main[processors - 1];
    findings.numbers("trend: dropped", trend(main));
    findings.number("tree at 10", at(10).tree);
    findings.number("tree at 20", at(20).tree);
    findings.number("tree at 24, % larger", 100.0 * (at(24).tree - 1.0));
    findings.number("hash at 24", at(24).hash);
    findings.numbers("order at 1 and 24", [at(1).order, at(24).order]);
    findings.numbers("quiescence", main.iter().map(|row| row.quiescence));
    findings.number("time at 9 over time at 17", at(9).time / at(17).time);
    let after_ten = main[10..].iter().map(|row| row.time).fold(0.0, f64::max);
    let up_to_ten = main[..10].iter().map(|row| row.time).fold(0.0, f64::max);
    findings.number("gain beyond ten", after_ten / up_to_ten);
}

/// The thesis's example of a look-up: a rook on d4, pieces on a4, b4, d4, g4 and h4. The occupation of the rank as a
/// number, if what the rook attacks is as the thesis says.
fn rank_index() -> f64 {
    let occupied: Bitboard =
        [Square::A4, Square::B4, Square::D4, Square::G4, Square::H4].into_iter().collect();
    let attacked = walk(Square::D4, (1, 0), occupied) | walk(Square::D4, (-1, 0), occupied);
    let expected: Bitboard =
        [Square::B4, Square::C4, Square::E4, Square::F4, Square::G4].into_iter().collect();
    if attacked != expected {
        return f64::NAN;
    }
    (occupied.0 >> 24 & 255) as f64
}
