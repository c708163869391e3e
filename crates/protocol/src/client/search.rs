//! A search that goes on at the other end of a pipe.

use super::Timeouts;
use super::pipe::Outbox;
use crate::uci::info::Figures;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tabiya_chess::Position;
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, Event, EventSink, Info, Limits, SearchHandle, SearchResult};

/// Only UCI engines are ever asked to ponder.
const PONDER_HIT: &str = "ponderhit\n";

/// What an engine says besides its move. Only CECP has words for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gesture {
    /// It gives up, instead of a move.
    Resigns,
    /// It offers a draw with its move.
    OffersDraw,
    /// It holds the game to be over, instead of a move; this is how it says so.
    Claims(String),
}

/// A search of an engine in another process. Besides what every [`SearchHandle`] does it can be waited for
/// with a deadline, and knows how long it took to the microsecond, however late the one who waits
/// wakes up.
pub struct RemoteSearch {
    name: String,
    root: Position,
    /// How its protocol says that it should come to an end.
    stop: &'static str,
    outbox: Outbox,
    timeout: Duration,
    /// How long it may think by its clock, if there is a clock.
    budget: Option<Duration>,
    state: Mutex<State>,
    changed: Condvar,
    ear: Mutex<Ear>,
}

struct State {
    /// Since when its clock runs; not while it ponders.
    clock_started: Option<Instant>,
    stopped: Option<Instant>,
    gesture: Option<Gesture>,
    best_line: Option<Info>,
    end: Option<End>,
}

struct End {
    at: Instant,
    result: Result<SearchResult, AnalystError>,
}

/// Used by the reader alone, so that a report may do as it likes with the search itself.
struct Ear {
    report: Option<EventSink>,
    figures: Figures,
}

impl RemoteSearch {
    pub(super) fn new(
        name: &str,
        root: &Position,
        limits: &Limits,
        report: Option<EventSink>,
        stop: &'static str,
        outbox: &Outbox,
        timeouts: &Timeouts,
    ) -> RemoteSearch {
        RemoteSearch {
            name: name.to_owned(),
            root: root.clone(),
            stop,
            outbox: outbox.clone(),
            timeout: timeouts.answer,
            budget: budget(limits),
            state: Mutex::new(State {
                clock_started: (!limits.ponder).then(Instant::now),
                stopped: None,
                gesture: None,
                best_line: None,
                end: None,
            }),
            changed: Condvar::new(),
            ear: Mutex::new(Ear { report, figures: Figures::default() }),
        }
    }

    /// Waits for the end, but not longer than this; none if it still thinks then.
    pub fn wait_for(&self, timeout: Duration) -> Option<Result<SearchResult, AnalystError>> {
        self.wait_until(Instant::now().checked_add(timeout))
    }

    /// How long it has thought: from its `go` until its move was read. None before that.
    /// While it ponders its clock stands still.
    pub fn thinking_time(&self) -> Option<Duration> {
        let state = lock(&self.state);
        let end = state.end.as_ref()?;
        Some(
            state
                .clock_started
                .map_or(Duration::ZERO, |start| end.at.saturating_duration_since(start)),
        )
    }

    /// What it said besides its move. An engine may still offer a draw just after its move.
    pub fn gesture(&self) -> Option<Gesture> {
        lock(&self.state).gesture.clone()
    }

    /// Where it began.
    pub(super) fn root(&self) -> &Position {
        &self.root
    }

    pub(super) fn is_over(&self) -> bool {
        lock(&self.state).end.is_some()
    }

    pub(super) fn start_clock(&self, now: Instant) {
        if let Some(start) = &mut lock(&self.state).clock_started {
            *start = now;
        }
    }

    /// Passes on what the engine says, if anyone still wants to hear it.
    pub(super) fn hear<E: IntoIterator<Item = Event>>(
        &self,
        read: impl FnOnce(&Position, &mut Figures) -> E,
    ) {
        if self.is_over() {
            return;
        }
        let mut ear = lock(&self.ear);
        for event in read(&self.root, &mut ear.figures) {
            if let Some(report) = &mut ear.report {
                report(&event);
            }
            if let Event::Info(info) = event
                && info.line == 1
            {
                lock(&self.state).best_line = Some(info);
            }
        }
    }

    pub(super) fn set_gesture(&self, gesture: Gesture) {
        lock(&self.state).gesture = Some(gesture);
    }

    /// It has decided. Only the first decision counts.
    pub(super) fn end(&self, at: Instant, result: Result<SearchResult, AnalystError>) {
        let mut state = lock(&self.state);
        if state.end.is_none() {
            let info = state.best_line.take();
            let result = result.map(|result| SearchResult { info, ..result });
            state.end = Some(End { at, result });
        }
        drop(state);
        self.changed.notify_all();
    }

    pub(super) fn stop_and_wait(&self) -> Result<SearchResult, AnalystError> {
        self.stop();
        self.wait()
    }

    fn wait_until(&self, deadline: Option<Instant>) -> Option<Result<SearchResult, AnalystError>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(end) = &state.end {
                return Some(end.result.clone());
            }
            let now = Instant::now();
            let overdue = self.overdue(&state);
            if overdue.is_some_and(|overdue| overdue <= now) {
                let after = match (state.stopped, self.budget) {
                    (None, Some(budget)) => budget.saturating_add(self.timeout),
                    _ => self.timeout,
                };
                let name = self.name.clone();
                return Some(Err(AnalystError::Silent { name, after }));
            }
            if deadline.is_some_and(|deadline| deadline <= now) {
                return None;
            }
            state = match deadline.into_iter().chain(overdue).min() {
                Some(until) => {
                    let waited = self.changed.wait_timeout(state, until - now);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => {
                    let waited = self.changed.wait(state);
                    waited.unwrap_or_else(PoisonError::into_inner)
                }
            };
        }
    }

    /// When its silence becomes a fault.
    fn overdue(&self, state: &State) -> Option<Instant> {
        let out_of_time = state.clock_started.zip(self.budget);
        let must_answer = out_of_time.and_then(|(start, budget)| start.checked_add(budget));
        must_answer.into_iter().chain(state.stopped).min()?.checked_add(self.timeout)
    }
}

/// How long a search under these limits may last.
fn budget(limits: &Limits) -> Option<Duration> {
    if limits.infinite {
        return None;
    }
    let remaining = limits.clock.map(|clock| clock.remaining);
    remaining.into_iter().chain(limits.move_time).min()
}

impl SearchHandle for RemoteSearch {
    fn stop(&self) {
        {
            let mut state = lock(&self.state);
            if state.end.is_some() || state.stopped.is_some() {
                return;
            }
            state.stopped = Some(Instant::now());
        }
        // The thread that waits must learn that there is a deadline now.
        self.changed.notify_all();
        // If the stop cannot be sent, the engine's silence will be noticed.
        let _ = self.outbox.send(self.stop.to_owned());
    }

    fn ponder_hit(&self) {
        {
            let mut state = lock(&self.state);
            if state.end.is_some() || state.clock_started.is_some() {
                return;
            }
            state.clock_started = Some(Instant::now());
        }
        self.changed.notify_all();
        let _ = self.outbox.send(PONDER_HIT.to_owned());
    }

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        loop {
            if let Some(result) = self.wait_until(None) {
                return result;
            }
        }
    }
}
