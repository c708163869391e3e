//! Engines at the other end of a pipe, as [`Analyst`]s.
//!
//! [`UciClient`] and [`CecpClient`] are given what the engine writes and what it reads, and do the
//! rest. The owner of the engine's process ends it: dropping a client only sends `quit` and closes the
//! engine's input.
//!
//! ```text
//!  caller ──────> outbox ──> writer thread ──> the engine reads
//!     │                                              │
//!     └── waits on a desk <── reader thread <── the engine writes
//! ```
//!
//! Neither thread is ever waited for, so that an engine that reads nothing or says nothing holds up no
//! other thread: whatever is waited for has a time-out, and what is queued has a bound.

mod cecp;
mod pipe;
mod search;
#[cfg(test)]
mod testing;
mod uci;

pub use cecp::CecpClient;
pub use search::{Gesture, RemoteSearch};
pub use uci::UciClient;

use std::sync::Arc;
use std::time::Duration;
use tabiya_chess::Game;
use tabiya_engine::{Analyst, AnalystError, EventSink, Limits};

/// How long an engine may be silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// From the first word to the end of the introduction.
    pub handshake: Duration,
    /// From the question whether it is ready to the answer: it may be clearing gigabytes.
    pub ready: Duration,
    /// From the moment when it must move, because of a stop or because its time is over, to the move.
    pub answer: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            handshake: Duration::from_secs(10),
            ready: Duration::from_secs(30),
            answer: Duration::from_secs(5),
        }
    }
}

/// An analyst whose searches also say when exactly the move came, and what came with it (a
/// resignation, an offer).
pub trait Remote: Analyst {
    /// The same as [`Analyst::search`], with a search of this kind.
    fn remote_search(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: Option<EventSink>,
    ) -> Result<Arc<RemoteSearch>, AnalystError>;
}
