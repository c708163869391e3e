//! What a node knows before its moves are tried, and what has come of them so far.

use crate::picker::Stage;
use crate::score::Bound;
use crate::table::Entry;
use crate::value::{INFINITE, Value, is_mate};
use arrayvec::ArrayVec;
use tabiya_chess::Move;

/// Quiet moves and captures that were tried before the best one, for their histories.
const TRIED: usize = 32;

/// What a node knows before its moves are tried.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) beta: Value,
    pub(super) ply: usize,
    pub(super) cut_node: bool,
    pub(super) excluded: Option<Move>,
    pub(super) known: Option<Entry>,
    pub(super) table_move: Option<Move>,
    pub(super) was_pv: bool,
    pub(super) raw_eval: Option<Value>,
    pub(super) static_eval: Option<Value>,
    pub(super) eval: Option<Value>,
    /// How much the evaluation had to be put right.
    pub(super) doubt: Value,
    pub(super) improving: bool,
}

/// What has come of a node's moves so far.
pub(super) struct Sofar {
    pub(super) alpha: Value,
    pub(super) depth: i32,
    pub(super) best: Value,
    pub(super) best_move: Option<Move>,
    pub(super) bound: Bound,
    /// How many moves were taken up.
    pub(super) number: usize,
    pub(super) quiets: ArrayVec<Move, TRIED>,
    pub(super) captures: ArrayVec<Move, TRIED>,
}

/// A move to be tried, and how things stand by then.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    pub(super) mv: Move,
    pub(super) stage: Stage,
    pub(super) number: usize,
    pub(super) alpha: Value,
    pub(super) best: Value,
    pub(super) depth: i32,
    /// It was tried before, and found better than there was to beat then.
    pub(super) is_rival: bool,
}

/// What a move was to its node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Merit {
    None,
    Best,
    Cutoff,
}

impl Sofar {
    #[inline(always)]
    pub(super) fn new(alpha: Value, depth: i32) -> Sofar {
        Sofar {
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
    pub(super) fn turn_again(&self, turn: Turn) -> Turn {
        Turn { alpha: self.alpha, best: self.best, depth: self.depth, is_rival: true, ..turn }
    }

    /// Takes in what a move was worth.
    #[inline(always)]
    pub(super) fn add(&mut self, mv: Move, value: Value, beta: Value, tactical: bool) -> Merit {
        let mut merit = Merit::None;
        if value > self.best {
            self.best = value;
            if value > self.alpha {
                self.best_move = Some(mv);
                if value >= beta {
                    self.bound = Bound::Lower;
                    return Merit::Cutoff;
                }
                merit = Merit::Best;
                self.bound = Bound::Exact;
                self.alpha = value;
                // Once a good move is known, the others get a little less.
                if self.depth > 4 && self.depth < 12 && !is_mate(value) {
                    self.depth -= 1;
                }
            }
        }
        if merit == Merit::None {
            let tried = if tactical { &mut self.captures } else { &mut self.quiets };
            let _ = tried.try_push(mv);
        }
        merit
    }
}
