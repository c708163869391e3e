//! Chapter 8 and the wishes of chapter 10: what each method of searching saves.

use super::WORK;
use super::evaluation::{Evaluation, Settings};
use super::search::{Found, Judge, Methods, Quiescence, Searcher};
use crate::boards::suite::{CLOSED, OPEN};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Ladder;

/// Positions, with how deep they are searched quickly and in full.
const POSITIONS: [(&str, &str, [u32; 2]); 5] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [4, 5]),
    ("closed", CLOSED, [4, 5]),
    ("open", OPEN, [4, 5]),
    ("test Zero", super::endings::ZERO, [5, 7]),
    ("test Sixth", super::endings::SIXTH, [5, 7]),
];

const PRUNED: Methods = Methods { alpha_beta: true, ..Methods::MINIMAX };
const QUIET: Methods = Methods { quiescence: Quiescence::Plies(1), ..PRUNED };
const TABLE: Methods = Methods { table: true, ..QUIET };
const DEEPENING: Methods = Methods { deepening: true, ..TABLE };
const ORDERED: Methods = Methods { ordering: true, ..DEEPENING };

/// The ladder, from the bottom.
const RUNGS: [(&str, Methods); 6] = [
    ("minimax", Methods::MINIMAX),
    ("alpha-beta", PRUNED),
    ("+ quiescence", QUIET),
    ("+ table", TABLE),
    ("+ deepening", DEEPENING),
    ("+ ordering", ORDERED),
];

/// What stands beside the ladder: ordering with nothing else.
const ASIDE: [(&str, Methods); 2] = [
    ("alpha-beta, ordering", Methods { ordering: true, ..PRUNED }),
    ("quiescence, ordering", Methods { ordering: true, ..QUIET }),
];
const BARE_ORDERED: usize = 0;
const ORDERED_ALONE: usize = 1;

/// How far captures may be followed, with moves as they are generated and in order.
const QUIESCENCE: [(&str, Methods); 5] = [
    ("none", PRUNED),
    ("one ply", QUIET),
    ("two plies", Methods { quiescence: Quiescence::Plies(2), ..PRUNED }),
    ("to the end", Methods { quiescence: Quiescence::Whole, ..PRUNED }),
    ("to the end, ordering", Methods { quiescence: Quiescence::Whole, ordering: true, ..PRUNED }),
];

/// So much less deep, since without order there is no end to captures.
const SHALLOWER: u32 = 2;

/// Value and nodes, for a step.
fn search(methods: Methods, fen: &str, depth: u32, lab: &mut Lab<'_>) -> Result<(i32, u64), Halt> {
    let position = known_position(fen)?;
    let name = format!("{methods:?} to depth {depth} of {fen}");
    lab.step(&name, |stop| {
        let judge = Judge::Report(Evaluation::new(Settings::LAST));
        let Found { value, nodes, .. } =
            Searcher::new(methods, judge).search(&position, depth, stop)?;
        Ok((value, nodes))
    })
}

impl Experiment for Ladder {
    fn card(&self) -> Card {
        Card {
            id: "search-ladder",
            work: WORK,
            title: "From minimax to ordered moves",
            question: "The report ships alpha-beta with one ply of quiescence, and wishes for a table, iterative \
                       deepening and ordering. Here each is added in turn to the same small program, with the \
                       report's evaluation, and its nodes are counted. All rungs with the same quiescence must \
                       come to the same value.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let mut columns = vec![("position", Origin::Label), ("depth", Origin::Label)];
        columns.extend(RUNGS.iter().map(|&(name, _)| (name, Origin::Counted)));
        let mut table = Table::new("ladder", "Nodes, method by method", &columns);
        columns.truncate(2);
        columns.extend(ASIDE.iter().map(|&(name, _)| (name, Origin::Counted)));
        let mut beside = Table::new("beside", "Nodes, beside the ladder", &columns);
        let (mut sums, mut asides) = ([0u64; RUNGS.len()], [0u64; ASIDE.len()]);
        let mut unequal = 0;
        let (mut plain, mut ordered) = (Vec::new(), Vec::new());
        for (name, fen, depths) in POSITIONS {
            let depth = lab.effort.pick(depths[0], depths[1]);
            let mut row: Vec<Cell> = vec![name.into(), depth.to_string().into()];
            let mut other = row.clone();
            let rungs = search_all(RUNGS, fen, depth, lab)?;
            let aside = search_all(ASIDE, fen, depth, lab)?;
            for (i, (_, nodes)) in rungs.into_iter().enumerate() {
                sums[i] += nodes;
                row.push(nodes.into());
            }
            for (i, (_, nodes)) in aside.into_iter().enumerate() {
                asides[i] += nodes;
                other.push(nodes.into());
            }
            let [bare, quiet] = [rungs[0].0, rungs[2].0];
            unequal += usize::from(rungs[1].0 != bare) + usize::from(aside[BARE_ORDERED].0 != bare);
            let quiet_ones = rungs[3..].iter().chain([&aside[ORDERED_ALONE]]);
            unequal += quiet_ones.filter(|(value, _)| *value != quiet).count();
            let exponent = |nodes: u64| (nodes as f64).ln() / (rungs[0].1 as f64).ln();
            plain.push(exponent(rungs[1].1));
            ordered.push(exponent(aside[BARE_ORDERED].1));
            table.row(row);
            beside.row(other);
        }
        let total = |name: &str, sums: &[u64]| {
            let mut row: Vec<Cell> = vec![name.into(), Cell::none()];
            row.extend(sums.iter().map(|&sum| Cell::from(sum)));
            row
        };
        table.row(total("all", &sums));
        beside.row(total("all", &asides));
        let mut saves: Vec<Cell> = vec!["times fewer than the rung below".into(), Cell::none()];
        let factor = |more: u64, fewer: u64| more as f64 / fewer.max(1) as f64;
        saves.push(Cell::none());
        saves.extend(sums.windows(2).map(|pair| Cell::from(factor(pair[0], pair[1]))));
        table.row(saves);
        table.note = "Quiescence adds nodes instead of saving them: it makes leaves honest. With deepening, the \
                      nodes of all depths before are counted too."
            .to_owned();
        findings.tables.extend([table, beside]);
        findings.plots.push(curves(lab)?);

        findings.number("values that differ", unequal as f64);
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        findings.measured("exponent as generated", mean(&plain), least(&plain), most(&plain));
        findings.measured(
            "exponent with ordering",
            mean(&ordered),
            least(&ordered),
            most(&ordered),
        );
        findings.number("alpha-beta saves", factor(sums[0], sums[1]));
        findings.number("quiescence costs", factor(sums[2], sums[1]));
        let deep = quiescence(lab, &mut findings)?;
        findings.number("quiescence to the end costs", factor(deep[3], deep[0]));
        findings.number("quiescence to the end costs with ordering", factor(deep[4], deep[0]));
        findings.number("table saves", factor(sums[2], sums[3]));
        findings.number("deepening saves", factor(sums[3], sums[4]));
        findings.number("ordering saves", factor(sums[4], sums[5]));
        findings.number("ordering alone saves", factor(sums[2], asides[ORDERED_ALONE]));
        let others = factor(sums[2], sums[3]).max(factor(sums[3], sums[4]));
        let ordering = factor(sums[2], asides[ORDERED_ALONE]);
        findings.number("ordering over the best of the other wishes", ordering / others);
        Ok(findings)
    }
}

fn search_all<const N: usize>(
    methods: [(&str, Methods); N],
    fen: &str,
    depth: u32,
    lab: &mut Lab<'_>,
) -> Result<[(i32, u64); N], Halt> {
    let mut all = [(0, 0); N];
    for (found, (_, methods)) in all.iter_mut().zip(methods) {
        *found = search(methods, fen, depth, lab)?;
    }
    Ok(all)
}

/// Nodes by how far captures are followed, added up.
fn quiescence(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<[u64; 5], Halt> {
    let mut columns = vec![("position", Origin::Label), ("depth", Origin::Label)];
    columns.extend(QUIESCENCE.iter().map(|&(name, _)| (name, Origin::Counted)));
    let title = "Nodes, by how far captures are followed";
    let mut table = Table::new("quiescence", title, &columns);
    let mut sums = [0; 5];
    for (name, fen, depths) in POSITIONS {
        let depth = lab.effort.pick(depths[0], depths[1]) - SHALLOWER;
        let mut row: Vec<Cell> = vec![name.into(), depth.to_string().into()];
        for (sum, (_, nodes)) in sums.iter_mut().zip(search_all(QUIESCENCE, fen, depth, lab)?) {
            *sum += nodes;
            row.push(nodes.into());
        }
        table.row(row);
    }
    findings.tables.push(table);
    Ok(sums)
}

fn least(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::INFINITY, f64::min)
}

fn most(numbers: &[f64]) -> f64 {
    numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Nodes by depth.
fn curves(lab: &mut Lab<'_>) -> Result<Plot, Halt> {
    let (_, fen, depths) = POSITIONS[1];
    let depth = lab.effort.pick(depths[0], depths[1]);
    let mut curves = Vec::new();
    for (name, methods) in RUNGS {
        let mut points = Vec::new();
        for depth in 1..=depth {
            points.push((f64::from(depth), search(methods, fen, depth, lab)?.1 as f64));
        }
        curves.push(Curve { name: name.to_owned(), printed: false, points });
    }
    Ok(Plot::new(
        "depths",
        "Nodes by depth",
        "In the closed position, on a logarithmic scale.",
        Drawing::Lines { x: "depth".to_owned(), y: "nodes".to_owned(), logarithmic: true, curves },
    ))
}
