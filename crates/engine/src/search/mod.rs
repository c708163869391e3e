//! The search: iterative deepening, alpha-beta (PVS), quiescence search (qsearch).

mod alpha_beta;
mod cuckoo;
mod iterative_deepening;
mod node;
mod qsearch;
mod thread;

pub(crate) use iterative_deepening::{Listener, RootMove, RootResult};
pub(crate) use node::{
    Candidate, MoveLoop, MoveOutcome, MoveResult, MoveSource, Node, NodeKind, NonPv, Pv, Root,
    Window,
};
#[cfg(test)]
pub(crate) use thread::PanicPoint;
pub use thread::{CutoffCount, ProbeCount};
pub(crate) use thread::{PvLine, SearchPath, SharedContext, StackEntry, ThreadData};
