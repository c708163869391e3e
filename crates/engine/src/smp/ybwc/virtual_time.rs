//! Virtual time: the runtime of virtual processors, any number of them, on one core.
//!
//! Every virtual processor has a thread, and one of them runs at a time: always the one whose clock is
//! behind all others, until it has done enough to be ahead of one. So every run is the same, whatever the
//! machine does meanwhile.

use super::os::SharedFlag;
use super::runtime::{Cost, Runtime};
use crate::lock;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How long things take, in nanoseconds of virtual time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latencies {
    /// A node's search.
    pub node: u64,
    /// Copying a node and offering it.
    pub split: u64,
    /// From the call until the processor that is called is awake.
    pub wake: u64,
    /// Copying what there is to know of a node that is on offer.
    pub join: u64,
    /// Telling what was found.
    pub merge: u64,
    /// Telling others to stop.
    pub stop: u64,
}

impl Default for Latencies {
    /// About what threads of an operating system take.
    fn default() -> Latencies {
        Latencies { node: 1000, split: 3000, wake: 12_000, join: 3000, merge: 1000, stop: 1000 }
    }
}

/// Virtual processors. The thread that makes them is the first.
pub struct VirtualTime {
    latencies: Latencies,
    schedule: Mutex<Schedule>,
    turns: Vec<Condvar>,
}

struct Schedule {
    processors: Vec<Processor>,
    running: usize,
}

#[derive(Clone, Copy, Default)]
struct Processor {
    clock: u64,
    state: State,
    /// It was woken before it parked.
    woken: bool,
    /// How long it was parked, all together.
    parked: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum State {
    #[default]
    Absent,
    Ready,
    Parked,
}

impl VirtualTime {
    /// `processors` processors, the first of them at work.
    pub fn new(processors: usize, latencies: Latencies) -> Arc<VirtualTime> {
        let mut all = vec![Processor::default(); processors];
        all[0].state = State::Ready;
        Arc::new(VirtualTime {
            latencies,
            schedule: Mutex::new(Schedule { processors: all, running: 0 }),
            turns: (0..processors).map(|_| Condvar::new()).collect(),
        })
    }

    /// How long a processor has been at it, and how much of that it was parked.
    pub fn clock(&self, who: usize) -> (u64, u64) {
        let processor = self.lock().processors[who];
        (processor.clock, processor.parked)
    }

    fn lock(&self) -> MutexGuard<'_, Schedule> {
        lock(&self.schedule)
    }

    /// Lets the processor run that is furthest behind, and comes back when it is this one's turn.
    fn yield_turn(&self, me: usize, mut schedule: MutexGuard<'_, Schedule>) {
        self.pass_turn(&mut schedule);
        self.await_turn(me, schedule);
    }

    fn pass_turn(&self, schedule: &mut Schedule) {
        let ready = schedule.processors.iter().enumerate().filter(|(_, p)| p.state == State::Ready);
        if let Some((next, _)) = ready.min_by_key(|(_, processor)| processor.clock) {
            schedule.running = next;
            self.turns[next].notify_one();
        }
    }

    fn await_turn(&self, me: usize, mut schedule: MutexGuard<'_, Schedule>) {
        while schedule.running != me {
            schedule = self.turns[me].wait(schedule).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A processor that ends passes its turn on, however it ends.
struct PassesTurn {
    time: Arc<VirtualTime>,
    me: usize,
}

impl Drop for PassesTurn {
    fn drop(&mut self) {
        let mut schedule = self.time.lock();
        schedule.processors[self.me].state = State::Absent;
        self.time.pass_turn(&mut schedule);
    }
}

impl Runtime for VirtualTime {
    // One runs at a time and none stops inside a lock, so no processor ever waits for one.
    type Lock<T: Send> = Mutex<T>;
    type Flag = SharedFlag;

    fn spawn(self: &Arc<Self>, who: usize, work: Box<dyn FnOnce() + Send>) {
        let mut schedule = self.lock();
        let clock = schedule.processors[schedule.running].clock;
        let processor = &mut schedule.processors[who];
        (processor.state, processor.clock) = (State::Ready, clock);
        drop(schedule);
        let time = Arc::clone(self);
        std::thread::Builder::new()
            .name(format!("virtual {who}"))
            .stack_size(crate::smp::pool::STACK)
            .spawn(move || {
                time.await_turn(who, time.lock());
                let _ended = PassesTurn { time, me: who };
                work();
            })
            .expect("a thread can be had");
    }

    fn park(&self, me: usize) {
        let mut schedule = self.lock();
        let processor = &mut schedule.processors[me];
        if std::mem::take(&mut processor.woken) {
            return;
        }
        processor.state = State::Parked;
        let someone_runs = schedule.processors.iter().any(|p| p.state == State::Ready);
        assert!(someone_runs, "every virtual processor waits for another: a wake-up was lost");
        self.yield_turn(me, schedule);
    }

    fn wake(&self, me: usize, who: usize) {
        let mut schedule = self.lock();
        let now = schedule.processors[me].clock;
        let processor = &mut schedule.processors[who];
        if processor.state == State::Parked {
            processor.state = State::Ready;
            let awake = processor.clock.max(now) + self.latencies.wake;
            processor.parked += awake - processor.clock;
            processor.clock = awake;
        } else {
            processor.woken = true;
        }
    }

    fn charge(&self, me: usize, cost: Cost) {
        let Latencies { node, split, join, merge, stop, .. } = self.latencies;
        let time = match cost {
            Cost::Nodes(nodes) => node * nodes,
            Cost::Split => split,
            Cost::Join => join,
            Cost::Merge => merge,
            Cost::Stop => stop,
        };
        let mut schedule = self.lock();
        schedule.processors[me].clock += time;
        self.yield_turn(me, schedule);
    }

    fn now(&self, me: usize) -> u64 {
        self.lock().processors[me].clock
    }
}
