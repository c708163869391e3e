//! The search: iterative deepening, principal variation search, quiescence.

mod alpha_beta;
mod cuckoo;
mod iterative_deepening;
mod marks;
mod prune;
mod qsearch;
mod sofar;
mod thread;

pub(crate) use alpha_beta::{NodeKind, NonPv, Pv, Root};
pub(crate) use iterative_deepening::{Listener, RootMove, RootResult};
pub(crate) use sofar::{Candidate, MoveLoop, MoveOutcome, Node};
pub use thread::{CutoffCount, ProbeCount};
pub(crate) use thread::{PvLine, SearchPath, SharedContext, StackEntry, ThreadData};
