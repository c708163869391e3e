//! The runtime of real threads.

use super::runtime::{Cost, Flag, Lock, Runtime};
use core::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use core::time::Duration;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Threads of the operating system.
pub struct OsThreads {
    parkers: Vec<Parker>,
    begin: Instant,
    /// How long whoever waits looks out for himself before he has the system wake him.
    watch: Duration,
}

/// To be woken by the system takes about as long as most waits last; where every thread has a core of its
/// own, looking out for so long costs nobody anything.
const WATCH: Duration = Duration::from_micros(30);

#[derive(Default)]
struct Parker {
    state: AtomicU8,
    sleep: Mutex<()>,
    woken: Condvar,
}

/// Nobody has called.
const QUIET: u8 = 0;
/// Somebody has called, and it was not heard yet.
const CALLED: u8 = 1;
/// Whoever calls has to wake somebody.
const ASLEEP: u8 = 2;

impl Parker {
    fn heard(&self) -> bool {
        let heard =
            self.state.compare_exchange(CALLED, QUIET, Ordering::Acquire, Ordering::Relaxed);
        heard.is_ok()
    }

    fn park(&self, watch: Duration) {
        if self.heard() {
            return;
        }
        let begin = Instant::now();
        while begin.elapsed() < watch {
            for _ in 0..32 {
                core::hint::spin_loop();
            }
            if self.heard() {
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

    fn wake(&self) {
        if self.state.swap(CALLED, Ordering::Release) == ASLEEP {
            // Whoever fell asleep holds the lock until he waits.
            drop(self.sleep.lock().unwrap_or_else(PoisonError::into_inner));
            self.woken.notify_one();
        }
    }
}

impl OsThreads {
    /// For so many processors.
    pub fn new(processors: usize) -> Arc<OsThreads> {
        let parkers = (0..processors).map(|_| Parker::default()).collect();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let watch = if processors <= cores { WATCH } else { Duration::ZERO };
        Arc::new(OsThreads { parkers, begin: Instant::now(), watch })
    }
}

impl Runtime for OsThreads {
    type Lock<T: Send> = Mutex<T>;
    type Flag = SharedFlag;

    fn spawn(self: &Arc<Self>, who: usize, work: Box<dyn FnOnce() + Send>) {
        std::thread::Builder::new()
            .name(format!("split {who}"))
            .stack_size(crate::pool::STACK)
            .spawn(work)
            .expect("a thread can be had");
    }

    fn park(&self, me: usize) {
        self.parkers[me].park(self.watch);
    }

    fn wake(&self, _me: usize, who: usize) {
        self.parkers[who].wake();
    }

    fn charge(&self, _me: usize, _cost: Cost) {}

    fn now(&self, _me: usize) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }
}

impl<T: Send> Lock<T> for Mutex<T> {
    fn new(value: T) -> Self {
        Mutex::new(value)
    }

    fn with<A>(&self, work: impl FnOnce(&mut T) -> A) -> A {
        // Whoever panicked in here has ended the crew as well.
        work(&mut self.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A flag that can be held from several places.
#[derive(Clone, Default, Debug)]
pub struct SharedFlag(Arc<AtomicBool>);

impl Flag for SharedFlag {
    fn new() -> Self {
        SharedFlag::default()
    }

    #[inline(always)]
    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, value: bool) {
        self.0.store(value, Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::thread::scope;

    #[test]
    fn every_call_is_heard_asleep_or_not() {
        for watch in [Duration::ZERO, WATCH] {
            let [ping, pong] = [Parker::default(), Parker::default()];
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
        let parker = Parker::default();
        parker.wake();
        parker.wake();
        parker.park(Duration::ZERO);
        assert!(!parker.heard());
    }
}
