//! What the heuristics remember of earlier cutoffs, over all iterations.

use super::board::{CELLS, Move};
use super::order::{History, Order};

/// The greatest depth of a search.
pub const MAX_DEPTH: usize = 32;

/// The most killers that a ply can remember.
const MOST_KILLERS: usize = 9;

/// The best killer of a ply.
#[derive(Clone, Copy, Default)]
struct Best {
    mv: Move,
    count: u32,
}

/// Killers, replies and counts.
pub struct Memory {
    order: Order,
    /// The last moves that cut off at a ply, the latest first.
    last: [[Move; MOST_KILLERS]; MAX_DEPTH + 3],
    /// One move for each ply: the last one, the best one, or the reply to the move before.
    single: [Best; MAX_DEPTH + 3],
    /// Points of a move from a cell to a cell, for both sides; allotted when wanted.
    points: Vec<u32>,
    /// Replies to a move, likewise.
    replies: Vec<Move>,
}

fn index(mv: Move, ply: usize) -> usize {
    ((usize::from(mv.from) * CELLS) + usize::from(mv.to)) * 2 + (ply & 1)
}

impl Memory {
    /// Nothing is remembered yet.
    pub fn new(order: Order) -> Memory {
        let size = CELLS * CELLS * 2;
        let counts = order.best_killer || order.history.is_some();
        Memory {
            order,
            last: [[Move::default(); MOST_KILLERS]; MAX_DEPTH + 3],
            single: [Best::default(); MAX_DEPTH + 3],
            points: vec![0; if counts { size } else { 0 }],
            replies: vec![Move::default(); if order.assoc { size } else { 0 }],
        }
    }

    /// A move that another one answers has been made at `ply`.
    #[inline]
    pub fn made(&mut self, mv: Move, ply: usize) {
        if self.order.assoc {
            self.single[ply + 1].mv = self.replies[index(mv, ply)];
        }
    }

    /// A move at `ply` has caused a cutoff, in an iteration of so many plies.
    pub fn learn(&mut self, mv: Move, parent: Move, ply: usize, depth: usize) {
        let kept = self.order.kept_killers();
        if kept > 0 && !self.last[ply][0].is_like(mv) {
            let list = &mut self.last[ply][..kept];
            let old = list.iter().position(|known| known.is_like(mv)).unwrap_or(kept - 1);
            list[..=old].rotate_right(1);
            list[0] = mv;
        }
        // Of these, the thesis's program serves the first that is on.
        if self.order.assoc {
            self.replies[index(parent, ply - 1)] = mv;
        } else if self.order.best_killer {
            let count = &mut self.points[index(mv, ply)];
            *count += 1;
            if *count > self.single[ply].count {
                self.single[ply].mv = mv;
                self.single[ply].count += 1;
            }
        } else if self.order.history.is_some() {
            let points = &mut self.points[index(mv, ply)];
            *points = points.saturating_add(1 << (depth - ply));
        } else if self.order.last_one && self.order.last_several == 0 {
            self.single[ply].mv = mv;
        }
    }

    /// The last killers of a ply that come first when moves are generated.
    #[inline]
    pub fn killers(&self, ply: usize) -> &[Move] {
        &self.last[ply][..self.order.static_killers()]
    }

    /// The last two killers of a ply, whatever they are used for.
    #[inline]
    pub fn last_two(&self, ply: usize) -> [Move; 2] {
        [self.last[ply][0], self.last[ply][1]]
    }

    /// The one move of a ply that comes first.
    #[inline]
    pub fn single(&self, ply: usize) -> Move {
        self.single[ply].mv
    }

    /// What the history says of a move.
    #[inline]
    pub fn points(&self, mv: Move, ply: usize) -> u32 {
        self.points[index(mv, ply)]
    }

    /// Is the history kept, and used in this way?
    #[inline]
    pub fn uses(&self, history: History) -> bool {
        self.order.history == Some(history)
    }
}
