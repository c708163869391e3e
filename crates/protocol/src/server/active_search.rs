//! The search under way, or what runs in its place, until it is answered.

use super::commands::TaskQueue;
use super::perft::Perft;
use super::report::SearchReport;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use tabiya_chess::{Move, Position};
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, Limits, SearchHandle, SearchResult};

/// A search under way, or a count or background tasks instead of one, and the thread that will answer.
pub(super) struct ActiveSearch {
    search: Arc<dyn SearchHandle>,
    /// The same, if it is no search but background tasks.
    tasks: Option<Arc<TaskQueue>>,
    gate: Arc<Gate>,
    infinite: bool,
    stopped: bool,
    answer_thread: JoinHandle<()>,
}

/// Holds the answer back while the protocol forbids it: until `stop`, or `ponderhit`.
struct Gate {
    open: Mutex<bool>,
    opened: Condvar,
    answered: AtomicBool,
}

impl Gate {
    fn open(&self) {
        *lock(&self.open) = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let open = lock(&self.open);
        let passed = self.opened.wait_while(open, |open| !*open);
        drop(passed.unwrap_or_else(PoisonError::into_inner));
        // Before the answer itself: a GUI that has read it may send the next command at once.
        self.answered.store(true, Ordering::SeqCst);
    }
}

impl ActiveSearch {
    /// Waits for a search in the background and answers it. An endless search, or one on the opponent's
    /// time, is not answered before the protocol allows it, whatever it has found.
    pub(super) fn search(
        search: Arc<dyn SearchHandle>,
        limits: &Limits,
        root: &Position,
        report: SearchReport,
    ) -> io::Result<ActiveSearch> {
        let fallback = fallback(limits, root);
        let infinite = limits.is_endless();
        let answer = move |result| report.answer(result, fallback);
        ActiveSearch::start(search, infinite, !infinite && !limits.ponder, answer)
    }

    /// Counts in the background.
    pub(super) fn perft(perft: Perft) -> io::Result<ActiveSearch> {
        let perft = Arc::new(perft);
        let counted = Arc::clone(&perft);
        ActiveSearch::start(perft, false, true, move |_| counted.answer())
    }

    /// Does tasks in the background.
    pub(super) fn tasks(tasks: TaskQueue) -> io::Result<ActiveSearch> {
        let tasks = Arc::new(tasks);
        let done = Arc::clone(&tasks);
        let answer = move |_| done.answer();
        let active = ActiveSearch::start(tasks.clone(), false, true, answer)?;
        Ok(ActiveSearch { tasks: Some(tasks), ..active })
    }

    fn start(
        search: Arc<dyn SearchHandle>,
        infinite: bool,
        gate_is_open: bool,
        answer: impl FnOnce(Result<SearchResult, AnalystError>) + Send + 'static,
    ) -> io::Result<ActiveSearch> {
        let gate = Arc::new(Gate {
            open: Mutex::new(gate_is_open),
            opened: Condvar::new(),
            answered: AtomicBool::new(false),
        });
        let (awaited, passed) = (Arc::clone(&search), Arc::clone(&gate));
        let body = move || {
            let result = awaited.wait();
            passed.pass();
            answer(result);
        };
        let answer_thread = thread::Builder::new().name("answer".to_owned()).spawn(body)?;
        Ok(ActiveSearch { search, tasks: None, gate, infinite, stopped: false, answer_thread })
    }

    /// Is it still running, without a stop?
    pub(super) fn is_under_way(&self) -> bool {
        let over = self.gate.answered.load(Ordering::SeqCst) || self.answer_thread.is_finished();
        !over && !self.stopped
    }

    /// The background tasks that are under way, without a stop.
    pub(super) fn running_tasks(&self) -> Option<&TaskQueue> {
        self.tasks.as_deref().filter(|_| self.is_under_way())
    }

    pub(super) fn stop(&mut self) {
        self.stopped = true;
        self.gate.open();
        self.search.stop();
    }

    pub(super) fn ponder_hit(&mut self) {
        self.search.ponder_hit();
        if !self.infinite {
            self.gate.open();
        }
    }

    /// Waits until it is answered, which takes as long as the search unless it was stopped.
    pub(super) fn join(self) {
        // If the thread panicked, the panic's message has been printed.
        let _ = self.answer_thread.join();
    }
}

/// The move for a GUI that waits for one, if the search fails.
fn fallback(limits: &Limits, root: &Position) -> Option<Move> {
    limits.search_moves.first().or(root.legal_moves().first()).copied()
}

/// A search that could not even be started: the GUI gets its answer like any other.
pub(super) struct FailedSearch(pub(super) AnalystError);

impl SearchHandle for FailedSearch {
    fn stop(&self) {}

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        Err(self.0.clone())
    }
}
