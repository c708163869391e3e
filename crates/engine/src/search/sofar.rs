//! What a node knows before its moves are tried, and what has come of them so far.

use crate::movepick::PickStage;
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{INFINITE, Value, is_mate};
use arrayvec::ArrayVec;
use tabiya_chess::Move;

/// Quiet moves and captures that were tried before the best one, for their histories.
const TRIED: usize = 32;

/// What a node knows before its moves are tried.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) beta: Value,
    pub(crate) ply: usize,
    pub(crate) cut_node: bool,
    pub(crate) excluded: Option<Move>,
    pub(crate) tt_entry: Option<TtEntry>,
    pub(crate) tt_move: Option<Move>,
    pub(crate) was_pv: bool,
    pub(crate) raw_eval: Option<Value>,
    pub(crate) static_eval: Option<Value>,
    pub(crate) eval: Option<Value>,
    /// How much the evaluation had to be put right.
    pub(crate) correction_size: Value,
    pub(crate) improving: bool,
}

/// What has come of a node's moves so far.
pub(crate) struct MoveLoop {
    pub(crate) alpha: Value,
    pub(crate) depth: i32,
    pub(crate) best: Value,
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// How many moves were taken up.
    pub(crate) number: usize,
    pub(crate) quiets: ArrayVec<Move, TRIED>,
    pub(crate) captures: ArrayVec<Move, TRIED>,
}

/// A move to be tried, and how things stand by then.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) stage: PickStage,
    pub(crate) number: usize,
    pub(crate) alpha: Value,
    pub(crate) best: Value,
    pub(crate) depth: i32,
    /// It was tried before, and found better than there was to beat then.
    pub(crate) is_rival: bool,
}

/// What a move was to its node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveOutcome {
    None,
    Best,
    Cutoff,
}

impl MoveLoop {
    #[inline(always)]
    pub(crate) fn new(alpha: Value, depth: i32) -> MoveLoop {
        MoveLoop {
            alpha,
            depth,
            best: -INFINITE,
            best_move: None,
            bound: Bound::Upper,
            number: 0,
            quiets: ArrayVec::new_const(),
            captures: ArrayVec::new_const(),
        }
    }

    /// A move to be tried once more, as things stand now.
    pub(crate) fn turn_again(&self, turn: Candidate) -> Candidate {
        Candidate { alpha: self.alpha, best: self.best, depth: self.depth, is_rival: true, ..turn }
    }

    /// Takes in what a move was worth.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        mv: Move,
        value: Value,
        beta: Value,
        tactical: bool,
    ) -> MoveOutcome {
        let mut merit = MoveOutcome::None;
        if value > self.best {
            self.best = value;
            if value > self.alpha {
                self.best_move = Some(mv);
                if value >= beta {
                    self.bound = Bound::Lower;
                    return MoveOutcome::Cutoff;
                }
                merit = MoveOutcome::Best;
                self.bound = Bound::Exact;
                self.alpha = value;
                // Once a good move is tt_entry, the others get a little less.
                if self.depth > 4 && self.depth < 12 && !is_mate(value) {
                    self.depth -= 1;
                }
            }
        }
        if merit == MoveOutcome::None {
            let tried = if tactical { &mut self.captures } else { &mut self.quiets };
            let _ = tried.try_push(mv);
        }
        merit
    }
}
