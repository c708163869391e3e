//! The four statistics of chapter 8.1, which the thesis did not gather.

use super::simulated::{nodes_of, splits_of};
use super::{His, WORK, search_all, simulate_all};
use crate::classic::{Defects, Settings, Thought};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::labor::threads_here;
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Splits;

/// Processors of the simulator that stand beside the real ones.
const SIMULATED: [usize; 3] = [2, 8, 24];

/// The statistics, one value for each.
struct Statistics {
    splits: u64,
    split_nanoseconds: f64,
    split_share: f64,
    cutoffs_of_splits: f64,
    cutoffs_per_thousand: f64,
    superfluous_each: f64,
    superfluous_share: f64,
    torn_per_million: f64,
    torn_of_entries: f64,
}

impl Statistics {
    fn of(thoughts: &[Thought]) -> Statistics {
        let splits = splits_of(thoughts);
        let nodes = nodes_of(thoughts) as f64;
        let sum = |value: &dyn Fn(&Thought) -> u64| thoughts.iter().map(value).sum::<u64>() as f64;
        let torn = sum(&|thought| thought.torn.seen + thought.torn.changed);
        let each = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        Statistics {
            splits: splits.splits,
            split_nanoseconds: each(splits.split_time, splits.splits),
            split_share: 100.0 * each(splits.split_time, splits.search_time),
            cutoffs_of_splits: 100.0 * each(splits.cutoffs, splits.splits),
            cutoffs_per_thousand: 1000.0 * splits.cutoffs as f64 / nodes.max(1.0),
            superfluous_each: each(splits.superfluous, splits.cutoffs),
            superfluous_share: 100.0 * splits.superfluous as f64 / nodes.max(1.0),
            torn_per_million: 1e6 * torn / sum(&|thought| thought.counters.probes).max(1.0),
            torn_of_entries: 1e6 * torn / sum(&|thought| thought.entries).max(1.0),
        }
    }
}

impl Experiment for Splits {
    fn card(&self) -> Card {
        Card {
            id: "split-cost",
            work: WORK,
            title: "What splits cost",
            question: "The thesis ends with four statistics that it wished it had: the time that splits take, the \
                       splits that end in a cutoff, the nodes that are superfluous then, and the entries of the \
                       table that are inconsistent.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let depth = lab.effort.pick(7, 10);
        let mut findings = Findings::default();
        let columns = [
            ("processors", Origin::Label),
            ("splits", Origin::Counted),
            ("ns per split", Origin::Timed),
            ("of the search after, %", Origin::Timed),
            ("cut off, %", Origin::Counted),
            ("per 1000 nodes", Origin::Counted),
            ("superfluous each", Origin::Counted),
            ("of the tree, %", Origin::Counted),
            ("torn per million probes", Origin::Counted),
            ("per million entries", Origin::Counted),
        ];
        let title = format!("The statistics of 8.1, depth {depth}");
        let mut table = Table::new("statistics", &title, &columns);
        let mut add = |name: String, statistics: &Statistics| {
            let decimal = |value, decimals| Cell::Number { value, decimals };
            table.row(vec![
                name.into(),
                statistics.splits.into(),
                decimal(statistics.split_nanoseconds, 0),
                decimal(statistics.split_share, 2),
                decimal(statistics.cutoffs_of_splits, 1),
                decimal(statistics.cutoffs_per_thousand, 2),
                decimal(statistics.superfluous_each, 0),
                decimal(statistics.superfluous_share, 2),
                decimal(statistics.torn_per_million, 2),
                decimal(statistics.torn_of_entries, 2),
            ]);
        };
        let threads = threads_here();
        if threads > 1 {
            for (name, defects) in [("as it was", Defects::ALL), ("as it was meant", Defects::NONE)]
            {
                let settings = Settings { defects, ..Settings::default() };
                let thoughts: Vec<Thought> = lab.step(&format!("threads, {name}"), |stop| {
                    search_all::<His>(depth, threads, settings, stop)
                })?;
                let statistics = Statistics::of(&thoughts);
                add(format!("{threads} threads, {name}"), &statistics);
                if defects == Defects::ALL {
                    report(&mut findings, &statistics);
                }
            }
        } else {
            for name in FIGURES {
                findings.lacks(name, "this machine runs one thread at a time");
            }
        }
        for processors in SIMULATED {
            let thoughts: Vec<Thought> = lab.step(&format!("{processors} simulated"), |stop| {
                simulate_all(depth, processors, Settings::default(), stop)
            })?;
            let statistics = Statistics::of(&thoughts);
            add(format!("{processors} simulated"), &statistics);
            findings.number(
                &format!("cut off at {processors} simulated, %"),
                statistics.cutoffs_of_splits,
            );
        }
        table.note = "The time of a split is that of copying and offering; a simulated split takes 3000 ns by \
                      assumption, and simulated entries cannot be torn."
            .to_owned();
        findings.tables.push(table);
        Ok(findings)
    }
}

const FIGURES: [&str; 6] = [
    "split time, ns",
    "split time of search, %",
    "cut off, %",
    "superfluous nodes each",
    "superfluous of the tree, %",
    "torn per million probes",
];

fn report(findings: &mut Findings, statistics: &Statistics) {
    let values = [
        statistics.split_nanoseconds,
        statistics.split_share,
        statistics.cutoffs_of_splits,
        statistics.superfluous_each,
        statistics.superfluous_share,
        statistics.torn_per_million,
    ];
    for (name, value) in FIGURES.into_iter().zip(values) {
        findings.number(name, value);
    }
}
