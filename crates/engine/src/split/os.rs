//! The runtime of real threads.

use super::runtime::{Cost, Flag, Lock, Runtime};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Threads of the operating system.
pub struct OsThreads {
    parkers: Vec<Parker>,
    begin: Instant,
}

#[derive(Default)]
struct Parker {
    woken: Mutex<bool>,
    changed: Condvar,
}

impl OsThreads {
    /// For so many processors.
    pub fn new(processors: usize) -> Arc<OsThreads> {
        let parkers = (0..processors).map(|_| Parker::default()).collect();
        Arc::new(OsThreads { parkers, begin: Instant::now() })
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
        let Parker { woken, changed } = &self.parkers[me];
        let mut token = woken.lock().unwrap_or_else(PoisonError::into_inner);
        while !*token {
            token = changed.wait(token).unwrap_or_else(PoisonError::into_inner);
        }
        *token = false;
    }

    fn wake(&self, _me: usize, who: usize) {
        let Parker { woken, changed } = &self.parkers[who];
        *woken.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_one();
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
