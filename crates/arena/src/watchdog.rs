//! One sleeping thread that keeps games from hanging.
//!
//! A game's thread waits for its engine and cannot look at the clock meanwhile. Before it does so it
//! leaves word here; coming back in time, it takes the word back, and nobody was woken. Who overstays is
//! told to stop, and who does not stop is killed:
//!
//! | time since the move began | what happens |
//! | --- | --- |
//! | allowance + margin | the search is stopped; whatever it answers is late |
//! | [`GRACE`] later | the process is killed, so that waiting for it ends |
//!
//! An engine within this process cannot be killed. It is ours, and stops when it is told to.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

use tabiya_engine::SearchHandle;

use tabiya_engine::lock;

/// How long an engine may take to obey `stop`.
pub const GRACE: Duration = Duration::from_secs(2);

/// Ends an engine that does not listen.
pub(crate) type Kill = Arc<dyn Fn() + Send + Sync>;

/// A request to finish, which may come from another thread at any time.
///
/// Games under way are dropped at once (a search that is running is stopped), and played again by whoever
/// resumes.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<InterruptState>);

#[derive(Default)]
struct InterruptState {
    raised: AtomicBool,
    listeners: Mutex<Vec<Thread>>,
}

impl Interrupt {
    /// An interrupt that nobody has raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all who know of this interrupt to finish.
    pub fn raise(&self) {
        self.0.raised.store(true, Ordering::Release);
        for listener in lock(&self.0.listeners).iter() {
            listener.unpark();
        }
    }

    /// Has somebody asked to finish?
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.raised.load(Ordering::Acquire)
    }

    fn add_listener(&self, thread: Thread) {
        lock(&self.0.listeners).push(thread);
    }

    fn remove_listener(&self, thread: &Thread) {
        lock(&self.0.listeners).retain(|listener| listener.id() != thread.id());
    }
}

/// The thread, and the searches it looks after.
pub(crate) struct Watchdog {
    shared: Arc<Shared>,
    interrupt: Interrupt,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The games of this run are to end, whatever others do who share the interrupt.
    halted: AtomicBool,
}

#[derive(Default)]
struct State {
    watches: Vec<Watch>,
    next_number: u64,
    /// When the thread wakes by itself. It may find nothing to do: that is cheaper than to wake it for
    /// every move that came in time.
    wakes: Option<Instant>,
    closing: bool,
}

struct Watch {
    number: u64,
    due: Instant,
    stage: Stage,
    search: Option<Arc<dyn SearchHandle>>,
    kill: Option<Kill>,
}

/// How far things went with a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// It ended by itself.
    InTime,
    /// It was told to stop.
    Stopped,
    /// It was killed, or could only be waited for.
    Killed,
}

/// The word a game's thread has left; taken back when it is dropped.
pub(crate) struct Guard<'a> {
    watchdog: &'a Watchdog,
    number: u64,
}

impl Watchdog {
    pub(crate) fn new(interrupt: &Interrupt) -> io::Result<Self> {
        let shared = Arc::new(Shared::default());
        let thread = thread::Builder::new().name("watchdog".into()).spawn({
            let (shared, interrupt) = (Arc::clone(&shared), interrupt.clone());
            move || shared.watch(&interrupt)
        })?;
        interrupt.add_listener(thread.thread().clone());
        Ok(Self { shared, interrupt: interrupt.clone(), thread: Some(thread) })
    }

    /// Are the games to end?
    pub(crate) fn is_halted(&self) -> bool {
        self.shared.is_halted(&self.interrupt)
    }

    /// Ends all games of this run.
    pub(crate) fn halt(&self) {
        self.shared.halted.store(true, Ordering::Release);
        self.wake();
    }

    /// Watches over a search that is about to start and may take so long.
    pub(crate) fn guard(&self, allowed: Duration, kill: Option<Kill>) -> Guard<'_> {
        let due = Instant::now() + allowed;
        let mut state = lock(&self.shared.state);
        let number = state.next_number;
        state.next_number += 1;
        state.watches.push(Watch { number, due, stage: Stage::InTime, search: None, kill });
        let too_late = state.wakes.is_none_or(|wakes| due < wakes);
        drop(state);
        if too_late {
            self.wake();
        }
        Guard { watchdog: self, number }
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        lock(&self.shared.state).closing = true;
        self.wake();
        if let Some(thread) = self.thread.take() {
            self.interrupt.remove_listener(thread.thread());
            // It does not panic, and there is nothing to do if it did.
            let _ = thread.join();
        }
    }
}

impl Guard<'_> {
    /// The search has started.
    pub(crate) fn attach(&self, search: &Arc<dyn SearchHandle>) {
        let mut state = lock(&self.watchdog.shared.state);
        let mut missed = self.watchdog.is_halted();
        if let Some(watch) = state.find(self.number) {
            watch.search = Some(Arc::clone(search));
            missed |= watch.stage != Stage::InTime;
        }
        drop(state);
        // Whoever wanted it stopped could not, before it was known.
        if missed {
            search.stop();
        }
    }

    /// The search has ended. How did it come to that?
    pub(crate) fn finish(self) -> Stage {
        lock(&self.watchdog.shared.state)
            .find(self.number)
            .map_or(Stage::InTime, |watch| watch.stage)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        lock(&self.watchdog.shared.state).watches.retain(|watch| watch.number != self.number);
    }
}

impl State {
    fn find(&mut self, number: u64) -> Option<&mut Watch> {
        self.watches.iter_mut().find(|watch| watch.number == number)
    }
}

impl Shared {
    fn is_halted(&self, interrupt: &Interrupt) -> bool {
        self.halted.load(Ordering::Acquire) || interrupt.is_raised()
    }

    fn watch(&self, interrupt: &Interrupt) {
        loop {
            let now = Instant::now();
            let mut to_stop = Vec::new();
            let mut to_kill = Vec::new();
            let mut state = lock(&self.state);
            if state.closing {
                return;
            }
            let halted = self.is_halted(interrupt);
            for watch in &mut state.watches {
                if watch.stage == Stage::InTime && (halted || watch.due <= now) {
                    watch.stage = Stage::Stopped;
                    watch.due = now + GRACE;
                    to_stop.extend(watch.search.clone());
                } else if watch.stage == Stage::Stopped && watch.due <= now {
                    watch.stage = Stage::Killed;
                    to_kill.extend(watch.kill.clone());
                }
            }
            let pending = state.watches.iter().filter(|watch| watch.stage != Stage::Killed);
            let wakes = pending.map(|watch| watch.due).min();
            state.wakes = wakes;
            drop(state);

            to_kill.iter().for_each(|kill| kill());
            for search in to_stop {
                // An engine that does not read its pipe can hold up whoever writes to it, and this thread
                // is the one that has to kill it then.
                let stopping = thread::Builder::new().spawn({
                    let search = Arc::clone(&search);
                    move || search.stop()
                });
                if stopping.is_err() {
                    search.stop();
                }
            }
            match wakes {
                Some(wakes) => {
                    thread::park_timeout(wakes.saturating_duration_since(Instant::now()))
                }
                None => thread::park(),
            }
        }
    }
}
