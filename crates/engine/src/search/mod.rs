//! The search: iterative deepening, principal variation search, quiescence.

mod brothers;
mod cuckoo;
mod lazy;
mod marks;
mod node;
mod prune;
mod quiescence;
mod root;
mod sofar;
mod worker;

pub(crate) use brothers::Place;
pub(crate) use lazy::{Bent, vote};
pub(crate) use root::{Finding, Listener};
pub use worker::{CutoffCount, ProbeCount};
pub(crate) use worker::{Shared, Worker};
