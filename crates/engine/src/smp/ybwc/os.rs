//! The runtime of the operating system's threads.

use super::parker::Parker;
use super::runtime::{Cost, Flag, Lock, Runtime};
use crate::lock;
use crate::padded::CachePadded;
use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Threads of the operating system.
pub struct OsThreads {
    parkers: Vec<CachePadded<Parker>>,
    begin: Instant,
    /// How long a waiting thread spins before it sleeps and must be woken by the system.
    watch: Duration,
}

/// To be woken by the system can cost both sides tens of microseconds, on a virtual machine most of all, and
/// most waits are shorter than this. Where every thread has a core of its own, spinning for so long takes
/// time from no other thread.
const WATCH: Duration = Duration::from_micros(500);

impl OsThreads {
    /// For `processors` threads.
    pub fn new(processors: usize) -> Arc<OsThreads> {
        static CORES: OnceLock<usize> = OnceLock::new();
        // The system may read files to answer this.
        let cores =
            CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from));
        let parkers = (0..processors).map(|_| CachePadded(Parker::new())).collect();
        let watch = if processors <= *cores { WATCH } else { Duration::ZERO };
        Arc::new(OsThreads { parkers, begin: Instant::now(), watch })
    }
}

impl Runtime for OsThreads {
    type Lock<T: Send> = Mutex<T>;
    type Flag = SharedFlag;

    fn spawn(self: &Arc<Self>, who: usize, work: Box<dyn FnOnce() + Send>) {
        std::thread::Builder::new()
            .name(format!("split {who}"))
            .stack_size(crate::smp::pool::STACK)
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
        // A thread that panicked in here has ended the search of all as well.
        work(&mut lock(self))
    }
}

/// A flag that can be held from several places.
#[derive(Clone, Default, Debug)]
pub struct SharedFlag(Arc<CachePadded<AtomicBool>>);

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
