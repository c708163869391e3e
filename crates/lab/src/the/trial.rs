//! Searches of all positions in one order, and what is made of them.

use crate::fixafan::positions::{self, Test};
use crate::fixafan::record::Ply;
use crate::fixafan::watch::unwatched;
use crate::fixafan::{Order, Record, Settings, search};
use crate::frame::experiment::{Halt, Stop, go_on};
use crate::frame::labor::side_by_side;
use serde::{Deserialize, Serialize};

/// What is kept of a search.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Trial {
    /// The position's number.
    pub(super) board: usize,
    /// Interior nodes after each iteration.
    pub(super) after: Vec<u64>,
    /// Horizon nodes among them.
    pub(super) horizon: u64,
    /// Nodes of the quiescence search.
    pub(super) quiescent: u64,
    pub(super) hits: u64,
    pub(super) score: i32,
    pub(super) line: Vec<String>,
    pub(super) solved: bool,
    pub(super) truncated: bool,
    pub(super) seconds: f64,
    /// Branching factor and killer average, as the thesis counts them and without any horizon.
    pub(super) branching: [f64; 2],
    pub(super) kills: [f64; 2],
    pub(super) cutoffs: Vec<u64>,
    /// Sums over all iterations, horizons left out.
    pub(super) plies: Vec<Ply>,
}

impl Trial {
    fn new(test: &Test, record: &Record) -> Trial {
        let depth = record.iterations.len();
        Trial {
            board: test.number,
            after: record.iterations.iter().map(|iteration| iteration.nodes).collect(),
            horizon: record.horizon,
            quiescent: record.quiescent,
            hits: record.hits,
            score: record.score(),
            line: record.iterations.last().map_or_else(Vec::new, |last| last.line.clone()),
            solved: solves(test, record),
            truncated: record.truncated,
            seconds: record.seconds(),
            branching: [true, false].map(|horizon| record.branching(horizon)),
            kills: [true, false].map(|horizon| record.kills(horizon)),
            cutoffs: record.cutoffs.clone(),
            plies: (0..depth).map(|ply| record.ply(ply, false)).collect(),
        }
    }

    /// Interior nodes of all iterations.
    pub(super) fn nodes(&self) -> f64 {
        self.after.last().map_or(0.0, |&nodes| nodes as f64)
    }

    /// All nodes in which moves were generated.
    pub(super) fn work(&self) -> f64 {
        self.nodes() + self.quiescent as f64
    }
}

/// Is the best move one that solves the position?
fn solves(test: &Test, record: &Record) -> bool {
    let Some(best) = record.best else { return false };
    let position = &test.position;
    let Ok(best) = position.parse_uci(&best.uci()) else { return false };
    test.solutions.iter().any(|san| position.parse_san(san) == Ok(best))
}

/// Searches positions, each with settings of its own, several at a time: only counts are asked for.
pub(super) fn try_all<'a>(
    tests: impl IntoIterator<Item = &'a Test>,
    settings: impl Fn(&Test) -> Settings + Sync,
    stop: &Stop<'_>,
) -> Result<Vec<Trial>, Halt> {
    let tests: Vec<&Test> = tests.into_iter().collect();
    side_by_side(tests.len(), stop, |i, _| {
        Trial::new(tests[i], &search(&tests[i].position, &settings(tests[i]), &mut unwatched))
    })
}

/// The same, one after the other, for times that can be compared.
pub(super) fn time_all<'a>(
    tests: impl IntoIterator<Item = &'a Test>,
    settings: impl Fn(&Test) -> Settings,
    stop: &Stop<'_>,
) -> Result<Vec<Trial>, Halt> {
    let mut trials = Vec::new();
    for test in tests {
        go_on(stop)?;
        let record = search(&test.position, &settings(test), &mut unwatched);
        trials.push(Trial::new(test, &record));
    }
    Ok(trials)
}

/// Some positions by their numbers.
pub(super) fn boards(numbers: &[usize]) -> impl Iterator<Item = &'static Test> {
    numbers.iter().filter_map(|&number| positions::get(number))
}

/// An order by its letters.
pub(super) fn order(letters: &str) -> Result<Order, Halt> {
    letters
        .parse()
        .map_err(|error: crate::fixafan::order::OrderError| Halt::Wrong(error.to_string()))
}

/// The trials of one order.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) order: Order,
    pub(super) trials: Vec<Trial>,
}

impl Entry {
    /// As the thesis writes it.
    pub(super) fn name(&self) -> String {
        self.order.to_string()
    }

    /// The mean of something over all positions.
    pub(super) fn mean(&self, of: impl Fn(&Trial) -> f64) -> f64 {
        let whole: Vec<f64> = self.trials.iter().filter(|t| !t.truncated).map(of).collect();
        whole.iter().sum::<f64>() / whole.len().max(1) as f64
    }

    /// How many runs did not come to their depth.
    pub(super) fn truncated(&self) -> usize {
        self.trials.iter().filter(|trial| trial.truncated).count()
    }

    /// The runs of this order and another that both came to their depth.
    fn pairs<'a>(&'a self, other: &'a Entry) -> impl Iterator<Item = (&'a Trial, &'a Trial)> {
        let pairs = self.trials.iter().zip(&other.trials);
        pairs.filter(|(a, b)| !a.truncated && !b.truncated)
    }

    /// Its nodes as a share of another's, of sums over all positions.
    pub(super) fn ratio(&self, other: &Entry, of: impl Fn(&Trial) -> f64) -> f64 {
        let (mut ours, mut theirs) = (0.0, 0.0);
        for (a, b) in self.pairs(other) {
            ours += of(a);
            theirs += of(b);
        }
        ours / f64::max(theirs, 1e-9)
    }

    /// The same, position by position.
    pub(super) fn ratios(&self, other: &Entry, of: impl Fn(&Trial) -> f64) -> Vec<f64> {
        self.pairs(other).map(|(a, b)| of(a) / of(b).max(1e-9)).collect()
    }

    /// The share on one position.
    pub(super) fn on(&self, other: &Entry, board: usize) -> Option<f64> {
        let mut pairs = self.pairs(other).filter(|(trial, _)| trial.board == board);
        pairs.next().map(|(a, b)| a.nodes() / b.nodes().max(1.0))
    }
}

/// The middle of the geometric mean of some ratios, and where nine of ten fall when positions are drawn anew.
pub(super) fn resampled(ratios: &[f64]) -> (f64, f64, f64) {
    const DRAWS: usize = 1000;
    let logs: Vec<f64> = ratios.iter().map(|ratio| ratio.max(1e-9).ln()).collect();
    let count = logs.len().max(1);
    let mut state = 1u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let mut means: Vec<f64> = (0..DRAWS)
        .map(|_| {
            (0..count).map(|_| logs.get(draw()).copied().unwrap_or(0.0)).sum::<f64>() / count as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let mean = logs.iter().sum::<f64>() / count as f64;
    (mean.exp(), means[DRAWS / 20].exp(), means[DRAWS - DRAWS / 20 - 1].exp())
}
