//! How long to think.
//!
//! Two limits come from the clock: a soft one, scaled after each iteration by how the search goes, and
//! a hard one that nothing moves.

use crate::analyst::{Clock, Limits};
use core::time::Duration;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The share of the remaining time for one move when no more is promised.
const SUDDEN_DEATH_SHARE: f64 = 0.026;
/// The share of the increment that is spent.
const INCREMENT_SHARE: f64 = 0.75;
/// No move takes a greater share of what is left than this.
const HARD_SHARE: f64 = 0.60;
/// The hard limit in soft limits.
const HARD_FACTOR: f64 = 4.5;
/// Scaling never goes beyond this.
const LARGEST_SCALE: f64 = 2.6;

/// What one search may use.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Budget {
    soft: Duration,
    hard: Duration,
}

/// The time keeper of one search.
pub(crate) struct TimeKeeper {
    /// When the time began to count: the start, or the ponder hit.
    begin: Mutex<Instant>,
    start: Instant,
    pondering: AtomicBool,
    budget: Option<Budget>,
    move_time: Option<Duration>,
}

impl TimeKeeper {
    pub(crate) fn new(limits: &Limits, overhead: Duration, start: Instant) -> TimeKeeper {
        let less = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
        TimeKeeper {
            begin: Mutex::new(start),
            start,
            pondering: AtomicBool::new(limits.ponder),
            budget: limits
                .clock
                .filter(|_| !limits.infinite)
                .map(|clock| Budget::for_move(clock, overhead)),
            move_time: limits.move_time.map(less),
        }
    }

    /// Time since the start, for telling.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// The pondered move was played: the clock runs from now.
    pub(crate) fn ponder_hit(&self) {
        *self.begin.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        self.pondering.store(false, Ordering::Release);
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    fn counted(&self) -> Duration {
        self.begin.lock().unwrap_or_else(PoisonError::into_inner).elapsed()
    }

    /// Is there any limit of time?
    pub(crate) fn is_timed(&self) -> bool {
        self.budget.is_some() || self.move_time.is_some()
    }

    /// Must the search end now?
    pub(crate) fn is_over(&self) -> bool {
        if !self.is_timed() || self.is_pondering() {
            return false;
        }
        let counted = self.counted();
        self.budget.is_some_and(|budget| counted >= budget.hard)
            || self.move_time.is_some_and(|limit| counted >= limit)
    }

    /// Is another iteration not worth beginning, when the soft limit is scaled so?
    pub(crate) fn is_enough(&self, scale: f64) -> bool {
        match self.budget {
            Some(budget) if !self.is_pondering() => {
                self.counted() >= budget.soft.mul_f64(scale.clamp(0.1, LARGEST_SCALE))
            }
            _ => false,
        }
    }
}

impl Budget {
    fn for_move(clock: Clock, overhead: Duration) -> Budget {
        let remaining = clock.remaining.saturating_sub(overhead).as_secs_f64().max(0.001);
        let increment = clock.increment.as_secs_f64();
        let (base, most) = match clock.moves_to_go {
            // Some is kept back for each of the moves to go, for none of them comes free.
            Some(moves) => {
                let moves = f64::from(moves.clamp(1, 50));
                let share = remaining / (moves + 0.6);
                (share, if moves < 1.5 { 0.9 } else { HARD_SHARE })
            }
            None => (remaining * SUDDEN_DEATH_SHARE, HARD_SHARE),
        };
        let soft = (base + increment * INCREMENT_SHARE).min(remaining * most);
        let hard = (soft * HARD_FACTOR).min(remaining * most);
        Budget { soft: Duration::from_secs_f64(soft), hard: Duration::from_secs_f64(hard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Budget::for_move(clock, Duration::from_millis(10))
    }

    #[test]
    fn never_more_than_there_is() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 1, 100, 10_000, 1_000_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = budget(remaining, increment, moves);
                    let left = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(budget.soft <= budget.hard);
                    assert!(budget.hard <= left, "{remaining} {increment} {moves:?}");
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_more_time_may_use_most_of_it() {
        assert!(budget(10_000, 0, Some(1)).hard > Duration::from_secs(8));
        assert!(budget(10_000, 0, Some(40)).soft < Duration::from_millis(400));
    }
}
