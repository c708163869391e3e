//! Watching a search.

use super::board::Move;
use super::record::Iteration;
use super::table::Bound;
use std::ops::ControlFlow;

/// Something that happens in a search. Scores are for the side to move at the node.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// An iteration begins.
    Iteration {
        /// Its depth.
        depth: usize,
    },
    /// Its score was outside the window: it is searched again with another one.
    Again {
        /// The window.
        low: i32,
        /// Its other end.
        high: i32,
    },
    /// An iteration is complete.
    Completed(&'a Iteration),
    /// A move is made.
    Down {
        /// How many plies below the root.
        ply: usize,
        /// The move.
        mv: Move,
    },
    /// It is taken back.
    Up {
        /// How many plies below the root.
        ply: usize,
    },
    /// The table knows the position.
    TableHit {
        /// Its score.
        score: i32,
        /// What that says.
        bound: Bound,
    },
    /// The move took a king.
    KingTaken {
        /// The score.
        score: i32,
    },
    /// A node at the horizon.
    Leaf {
        /// Its score.
        score: i32,
    },
    /// A move is better than all before it, and the principal variation changes.
    Better {
        /// How many plies below the root.
        ply: usize,
        /// The move.
        mv: Move,
        /// Its score.
        score: i32,
    },
    /// A move refutes the one before it.
    Cutoff {
        /// How many plies below the root.
        ply: usize,
    },
    /// A move of the root has been searched.
    RootMove {
        /// The move.
        mv: Move,
        /// The best score so far.
        score: i32,
        /// How many moves are left.
        left: usize,
    },
}

/// Whoever watches; to break is to end the search.
pub type Watch<'a> = dyn FnMut(Event<'_>) -> ControlFlow<()> + 'a;

/// Nobody watches.
pub fn unwatched(_: Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
