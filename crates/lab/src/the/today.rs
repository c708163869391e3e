//! One question that the thesis could not ask: what is each heuristic worth inside an engine of today?

use super::WORK;
use super::trial::resampled;
use crate::fixafan::positions;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::thinking::{think, wrong};
use serde::{Deserialize, Serialize};
use tabiya_engine::{Analyst, Engine, Limits};

pub(super) struct Today;

/// What is switched off, its nearest relative in the thesis, and the engine's parameters for it.
const SWITCHES: [(&str, &str, &[&str]); 8] = [
    ("nothing", "", &[]),
    ("the table's move first", "B", &["order_tt"]),
    ("the killer", "1", &["order_killer"]),
    ("a move's own history", "H", &["order_main", "order_pawns"]),
    ("history after the move before", "A", &["order_cont_1"]),
    ("history after earlier moves", "A", &["order_cont_2", "order_cont_4", "order_cont_6"]),
    ("history of captures", "C", &["order_capture"]),
    ("checks and escapes", "", &["order_check", "order_escape"]),
];

/// All that is remembered of quiet moves.
const ALL_HISTORY: [&str; 6] =
    ["order_main", "order_pawns", "order_cont_1", "order_cont_2", "order_cont_4", "order_cont_6"];

#[derive(Clone, Default, Serialize, Deserialize)]
struct Thought {
    nodes: Vec<u64>,
    cutoffs: u64,
    first: u64,
}

impl Experiment for Today {
    fn card(&self) -> Card {
        Card {
            id: "ordering-today",
            work: WORK,
            title: "The heuristics inside today's engine",
            question: "The heuristics have descendants in the engine of today: the table's move, a killer, \
                       histories of moves, of replies and of captures. Each is switched off in turn. How many \
                       nodes does the engine then need to the same depth, on the same 24 positions?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let depth = lab.effort.pick(9, 14);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut rows: Vec<(&str, &str, Thought)> = Vec::new();
        let all = ("all quiet histories", "H and A", &ALL_HISTORY[..]);
        for (name, relative, params) in SWITCHES.iter().copied().chain([all]) {
            let thought: Thought = lab.step(name, |stop| {
                let mut thought = Thought::default();
                let mut engine = Engine::tunable().map_err(wrong)?;
                for param in params {
                    engine.set_option(param, "0").map_err(wrong)?;
                }
                for test in positions::all() {
                    engine.new_game().map_err(wrong)?;
                    let (depths, _) = think(&mut engine, &test.position, &limits, stop)?;
                    thought.nodes.push(depths.last().map_or(0, |&(_, nodes, _)| nodes));
                    let count = engine.cutoffs();
                    thought.cutoffs += count.all;
                    thought.first += count.by_first_move;
                }
                Ok(thought)
            })?;
            rows.push((name, relative, thought));
        }
        let mut findings = Findings::default();
        let columns = [
            ("switched off", Origin::Label),
            ("like", Origin::Label),
            ("nodes", Origin::Counted),
            ("times as many", Origin::Counted),
            ("geometric mean (9 of 10)", Origin::Counted),
            ("first-move cutoffs %", Origin::Counted),
        ];
        let title = format!("Nodes to depth {depth} on 24 positions, one thread");
        let mut table = Table::new("switches", &title, &columns);
        let reference = rows[0].2.clone();
        let sum = |thought: &Thought| thought.nodes.iter().sum::<u64>();
        let mut means = Vec::new();
        for (name, relative, thought) in &rows {
            let pairs = thought.nodes.iter().zip(&reference.nodes);
            let ratios: Vec<f64> = pairs.map(|(&a, &b)| a as f64 / b.max(1) as f64).collect();
            let (mean, low, high) = resampled(&ratios);
            let first = 100.0 * thought.first as f64 / thought.cutoffs.max(1) as f64;
            table.row(vec![
                (*name).into(),
                (*relative).into(),
                sum(thought).into(),
                (sum(thought) as f64 / sum(&reference).max(1) as f64).into(),
                Cell::Range { median: mean, low, high, places: 2 },
                Cell::Number { value: first, decimals: 1 },
            ]);
            means.push((*name, mean, low, high));
            findings.number(&format!("without {name}"), mean);
        }
        table.note = "A depth is not the same tree in both: what comes late in the order is also reduced and \
                      pruned more, so an order that is worse can even need fewer nodes, and play worse. What it \
                      is worth in strength, only games can tell. Captures come before quiet moves in any case."
            .to_owned();
        findings.tables.push(table);
        findings.plots.push(Plot::bars(
            "switches",
            "What each heuristic saves today",
            "Nodes to the same depth with it switched off, as a multiple of those of the whole engine.",
            means[1..].iter().map(|(name, ..)| (*name).to_owned()).collect(),
            vec![Series {
                name: String::new(),
                printed: false,
                values: means[1..].iter().map(|&(_, mean, ..)| Some(mean)).collect(),
                ranges: means[1..].iter().map(|&(_, _, low, high)| Some((low, high))).collect(),
            }],
            Some(1.0),
        ));
        Ok(findings)
    }
}
