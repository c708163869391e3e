//! What a search is measured by.

use super::board::Move;
use serde::{Deserialize, Serialize};

/// Cutoffs are counted by the number of the move up to here; later ones come together.
pub const CUTOFF_PLACES: usize = 24;

/// What happened at one ply of one iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// Nodes.
    pub nodes: u64,
    /// Branches searched.
    pub branches: u64,
    /// Cutoffs by a move that a heuristic had put in front; where moves are only looked at, nodes where
    /// something can be taken.
    pub kills: u64,
}

/// A completed iteration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Interior nodes until its end.
    pub nodes: u64,
    /// Its score in the evaluation's units, for the side to move.
    pub score: i32,
    /// Its principal variation, as it is printed.
    pub line: Vec<String>,
    /// Searches that had to be repeated: H for a score above the window, L for one below.
    pub fails: String,
    /// Processor time until its end; the only figure here that is not the same every time.
    pub seconds: f64,
    /// Plies from the root, the last being the horizon's.
    pub plies: Vec<Ply>,
}

/// A search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Its iterations.
    pub iterations: Vec<Iteration>,
    /// Whether it was ended by a limit of nodes before its depth.
    pub truncated: bool,
    /// Interior nodes in all.
    pub nodes: u64,
    /// Horizon nodes among them: moves were looked at, not made.
    pub horizon: u64,
    /// Nodes of the quiescence search.
    pub quiescent: u64,
    /// How often the table was asked.
    pub probes: u64,
    /// How often it knew the position.
    pub matches: u64,
    /// How often that ended the node: what the thesis calls hits.
    pub hits: u64,
    /// Cutoffs in interior nodes above the horizon, by the number of the move that caused them, from 0.
    pub cutoffs: Vec<u64>,
    /// The best move.
    #[serde(skip)]
    pub best: Option<Move>,
}

impl Record {
    /// The final score; 0 before the first iteration.
    pub fn score(&self) -> i32 {
        self.iterations.last().map_or(0, |iteration| iteration.score)
    }

    /// Processor time of all completed iterations.
    pub fn seconds(&self) -> f64 {
        self.iterations.last().map_or(0.0, |iteration| iteration.seconds)
    }

    /// Sums of a ply over all iterations; without the horizon's if so wished.
    pub fn ply(&self, ply: usize, horizon: bool) -> Ply {
        let mut sum = Ply::default();
        for iteration in &self.iterations {
            if !horizon && ply + 1 == iteration.plies.len() {
                continue;
            }
            if let Some(entry) = iteration.plies.get(ply) {
                sum.nodes += entry.nodes;
                sum.branches += entry.branches;
                sum.kills += entry.kills;
            }
        }
        sum
    }

    fn sum(&self, horizon: bool) -> Ply {
        let depth =
            self.iterations.iter().map(|iteration| iteration.plies.len()).max().unwrap_or(0);
        let mut sum = Ply::default();
        // The thesis leaves out the last ply of the last iteration, but not the horizons of those before.
        for ply in 0..depth.saturating_sub(1).max(1) {
            let entry = self.ply(ply, horizon);
            sum.nodes += entry.nodes;
            sum.branches += entry.branches;
            sum.kills += entry.kills;
        }
        sum
    }

    /// The average branching factor, as the thesis counts it or with all horizons left out.
    pub fn branching(&self, horizon: bool) -> f64 {
        let sum = self.sum(horizon);
        sum.branches as f64 / sum.nodes.max(1) as f64
    }

    /// The killer average in per cent, as the thesis counts it or with all horizons left out.
    pub fn kills(&self, horizon: bool) -> f64 {
        let sum = self.sum(horizon);
        100.0 * sum.kills as f64 / sum.nodes.max(1) as f64
    }

    /// The share of cutoffs by the first move, in per cent.
    pub fn first_move_cutoffs(&self) -> f64 {
        let all: u64 = self.cutoffs.iter().sum();
        100.0 * self.cutoffs.first().copied().unwrap_or(0) as f64 / all.max(1) as f64
    }
}
