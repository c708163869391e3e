//! `go perft`: counting instead of thinking, but as easily stopped.

use super::output::Output;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tabiya_chess::{CastlingStyle, Position, perft};
use tabiya_engine::{AnalystError, SearchHandle, SearchResult};

/// How deep is counted in one go, between two looks at whether to stop.
const AT_ONCE: u8 = 5;

/// A count of what follows each legal move. The thread that waits for it counts.
pub(super) struct Perft {
    position: Position,
    depth: u8,
    style: CastlingStyle,
    output: Output,
    stopped: AtomicBool,
    total: OnceLock<Option<u64>>,
}

impl Perft {
    pub(super) fn new(
        position: &Position,
        depth: u8,
        style: CastlingStyle,
        output: &Output,
    ) -> Perft {
        Perft {
            position: position.clone(),
            depth,
            style,
            output: output.clone(),
            stopped: AtomicBool::new(false),
            total: OnceLock::new(),
        }
    }

    /// Says the count of each move, and returns their sum; none if it was stopped.
    fn divide(&self) -> Option<u64> {
        let Some(rest) = self.depth.checked_sub(1) else {
            return Some(1);
        };
        let mut total = 0_u64;
        for mv in self.position.legal_moves() {
            let mut next = self.position.clone();
            next.play_unchecked(mv);
            let count = self.count(&next, rest)?;
            total = total.saturating_add(count);
            let mv = mv.uci(&self.position, self.style);
            self.output.say(format_args!("{mv}: {count}"));
        }
        Some(total)
    }

    /// Says the sum.
    pub(super) fn answer(&self) {
        match self.total.get() {
            Some(Some(total)) => self.output.say(format_args!("\nNodes searched: {total}\n")),
            _ => self.output.note(format_args!("perft {}: stopped", self.depth)),
        }
    }

    fn count(&self, position: &Position, depth: u8) -> Option<u64> {
        if self.stopped.load(Ordering::Relaxed) {
            return None;
        }
        if depth <= AT_ONCE {
            return Some(perft(position, depth));
        }
        let mut total = 0_u64;
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            total = total.saturating_add(self.count(&next, depth - 1)?);
        }
        Some(total)
    }
}

impl SearchHandle for Perft {
    fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        self.total.get_or_init(|| self.divide());
        Ok(SearchResult::default())
    }
}
