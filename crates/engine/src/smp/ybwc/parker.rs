//! Parking: how a thread of the operating system waits until another wakes it.

#[cfg(not(all(test, loom)))]
use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering;
use core::time::Duration;
#[cfg(all(test, loom))]
use loom::sync::{Condvar, Mutex, atomic::AtomicU8};
use std::sync::PoisonError;
#[cfg(not(all(test, loom)))]
use std::sync::{Condvar, Mutex};
use std::time::Instant;

/// Where a thread waits until it is called. A call before the wait ends it at once, and counts once.
pub(super) struct Parker {
    state: AtomicU8,
    sleep: Mutex<()>,
    woken: Condvar,
}

/// There was no call.
const QUIET: u8 = 0;
/// There was a call, and the thread has not seen it yet.
const CALLED: u8 = 1;
/// The thread sleeps: a caller has to wake it.
const ASLEEP: u8 = 2;

impl Parker {
    pub(super) fn new() -> Parker {
        Parker { state: AtomicU8::new(QUIET), sleep: Mutex::new(()), woken: Condvar::new() }
    }

    fn heard(&self) -> bool {
        let heard =
            self.state.compare_exchange(CALLED, QUIET, Ordering::Acquire, Ordering::Relaxed);
        heard.is_ok()
    }

    /// Waits for a call: spins for a time, then sleeps.
    pub(super) fn park(&self, watch: Duration) {
        if self.heard() {
            return;
        }
        let begin = Instant::now();
        while begin.elapsed() < watch {
            for _ in 0..32 {
                core::hint::spin_loop();
            }
            // Only reading: a write would take the cache line away from the thread that is about to call.
            if self.state.load(Ordering::Relaxed) == CALLED && self.heard() {
                return;
            }
        }
        let mut sleep = self.sleep.lock().unwrap_or_else(PoisonError::into_inner);
        let fell_asleep =
            self.state.compare_exchange(QUIET, ASLEEP, Ordering::Relaxed, Ordering::Relaxed);
        if fell_asleep.is_err() {
            self.state.swap(QUIET, Ordering::Acquire);
            return;
        }
        while !self.heard() {
            sleep = self.woken.wait(sleep).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Calls the thread that waits here, now or next.
    pub(super) fn wake(&self) {
        if self.state.swap(CALLED, Ordering::Release) == ASLEEP {
            // A thread that goes to sleep holds the lock until it waits.
            drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
            self.woken.notify_one();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread::scope;

    #[test]
    fn every_call_is_heard_asleep_or_not() {
        for watch in [Duration::ZERO, Duration::from_micros(30)] {
            let [ping, pong] = [Parker::new(), Parker::new()];
            scope(|scope| {
                scope.spawn(|| {
                    for _ in 0..4_000 {
                        ping.park(watch);
                        pong.wake();
                    }
                });
                for _ in 0..4_000 {
                    ping.wake();
                    pong.park(watch);
                }
            });
            assert!(!ping.heard() && !pong.heard());
        }
    }

    #[test]
    fn a_call_before_the_wait_ends_it_and_counts_once() {
        let parker = Parker::new();
        parker.wake();
        parker.wake();
        parker.park(Duration::ZERO);
        assert!(!parker.heard());
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use std::sync::Arc;

    /// Two threads that call each other, in every order there is: a thread that was called goes on.
    #[test]
    fn no_call_is_lost() {
        loom::model(|| {
            let both = Arc::new([Parker::new(), Parker::new()]);
            let other = Arc::clone(&both);
            let answers = loom::thread::spawn(move || {
                for _ in 0..2 {
                    other[0].park(Duration::ZERO);
                    other[1].wake();
                }
            });
            for _ in 0..2 {
                both[0].wake();
                both[1].park(Duration::ZERO);
            }
            answers.join().unwrap();
            assert!(!both[0].heard() && !both[1].heard());
        });
    }

    /// Two threads call one: it goes on, and sees at most one more call.
    #[test]
    fn two_calls_are_as_good_as_one() {
        loom::model(|| {
            let parker = Arc::new(Parker::new());
            let callers: Vec<_> = (0..2)
                .map(|_| {
                    let parker = Arc::clone(&parker);
                    loom::thread::spawn(move || parker.wake())
                })
                .collect();
            parker.park(Duration::ZERO);
            callers.into_iter().for_each(|caller| caller.join().unwrap());
        });
    }
}
