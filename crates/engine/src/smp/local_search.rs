//! A search by threads of this process, as a [`SearchHandle`].

use crate::analyst::{AnalystError, Info, SearchHandle, SearchResult};
use crate::engine::NAME;
use crate::score::{Bound, Score, Wdl};
use crate::search::{Listener, SharedContext};
use crate::smp::{HelperPanicked, SearchGroup, ThreadSlot, vote};
use crate::sync::lock;
use crate::value::{DRAW, mated_in};
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use tabiya_chess::{Game, Move, Position};

/// What every thread of a search is given.
#[derive(Clone)]
pub(crate) struct SearchTask {
    pub(crate) game: Game,
    /// The legal root moves that are searched.
    pub(crate) moves: Vec<Move>,
    /// How many lines of play are wanted (MultiPV).
    pub(crate) lines: usize,
}

impl SearchTask {
    /// A search of all legal moves, or of those among `search_moves` if there are any.
    pub(crate) fn new(game: &Game, search_moves: &[Move], lines: usize) -> SearchTask {
        let is_wanted = |mv: &Move| search_moves.is_empty() || search_moves.contains(mv);
        let moves = game.position().legal_moves().iter().copied().filter(is_wanted).collect();
        SearchTask { game: game.clone(), moves, lines }
    }
}

/// What the first thread of a search needs besides what all threads share.
pub(crate) struct FirstThread {
    pub(crate) slot: ThreadSlot,
    pub(crate) task: SearchTask,
    pub(crate) listener: Listener,
    pub(crate) group: SearchGroup,
}

/// A search by threads of this process.
pub(crate) struct LocalSearch {
    pub(crate) shared: Arc<SharedContext>,
    progress: Mutex<Progress>,
    ended: Condvar,
    /// The calls that led to its thread.
    #[cfg(test)]
    started_from: Mutex<Option<std::backtrace::Backtrace>>,
}

#[derive(Default)]
struct Progress {
    /// The first thread's part, while it waits for a thread to take it up.
    to_do: Option<FirstThread>,
    result: Option<Result<SearchResult, AnalystError>>,
    /// How many threads wait for the result. Without any, a system call is saved.
    waiting: usize,
}

impl LocalSearch {
    pub(crate) fn new(shared: SharedContext) -> Arc<LocalSearch> {
        Arc::new(LocalSearch {
            shared: Arc::new(shared),
            progress: Mutex::default(),
            ended: Condvar::new(),
            #[cfg(test)]
            started_from: Mutex::default(),
        })
    }

    /// Notes the calls that led to its thread.
    #[cfg(test)]
    pub(crate) fn note_start(&self, calls: std::backtrace::Backtrace) {
        *lock(&self.started_from) = Some(calls);
    }

    /// The calls that led to its thread, if it has one of its own.
    #[cfg(test)]
    pub(crate) fn started_from(&self) -> Option<String> {
        lock(&self.started_from).as_ref().map(ToString::to_string)
    }

    /// Leaves the first thread's part to the thread that waits for the result.
    pub(crate) fn leave_to_waiter(&self, first: FirstThread) {
        lock(&self.progress).to_do = Some(first);
    }

    /// The first thread's part: its own search, and the end of all threads' searches.
    pub(crate) fn run(&self, first: FirstThread) {
        let _ended = EndOnPanic(self);
        let FirstThread { slot, task, listener, group } = first;
        let (shared, position) = (&self.shared, task.game.position());
        let mut thread = lock(&slot);
        thread.prepare(&task.game, &task.moves);
        thread.listener = listener;
        group.join(&mut thread);
        let own = thread.iterative_deepening(shared, position, task.lines);
        let others = group.disband(&mut thread);
        let result = match (own, others) {
            (own, Err(HelperPanicked)) => Err(panicked(own.map(|own| own.best.mv))),
            (None, Ok(_)) => Ok(game_over(position)),
            (Some(own), Ok(others)) => {
                let alone = task.lines > 1 || others.is_empty();
                let chosen = if alone { own } else { vote(&thread.params, own, others) };
                let result = thread.search_result(shared, position, chosen);
                // Without a value not even one move has been searched.
                let value = result.value.unwrap_or_else(|| thread.evaluator.evaluate(position));
                Ok(SearchResult { value: Some(value), ..result })
            }
        };
        thread.listener = None;
        drop(thread);
        self.end(result);
    }

    fn end(&self, result: Result<SearchResult, AnalystError>) {
        let mut progress = lock(&self.progress);
        progress.result = Some(result);
        if progress.waiting > 0 {
            self.ended.notify_all();
        }
    }

    /// How many nodes count for the engine's own clock, once the search has ended.
    pub(crate) fn nodes_on_clock(&self) -> Option<u64> {
        let progress = lock(&self.progress);
        let info = progress.result.as_ref().and_then(|result| result.as_ref().ok()?.info.as_ref());
        self.shared.time.own_nodes(info.map_or(0, |info| info.nodes))
    }
}

/// If the search panics, the waiters get an error and the helpers end.
struct EndOnPanic<'a>(&'a LocalSearch);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.shared.end();
            self.0.end(Err(panicked(None)));
        }
    }
}

fn panicked(best: Option<Move>) -> AnalystError {
    AnalystError::Panicked { name: NAME.to_owned(), best }
}

impl SearchHandle for LocalSearch {
    fn stop(&self) {
        self.shared.end();
    }

    fn ponder_hit(&self) {
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        self.shared.time.ponder_hit(self.shared.with_others(nodes));
    }

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        let mut progress = lock(&self.progress);
        if let Some(first) = progress.to_do.take() {
            drop(progress);
            // A panic has ended the search with an error, which is found below.
            let _ = catch_unwind(AssertUnwindSafe(|| self.run(first)));
            progress = lock(&self.progress);
        }
        loop {
            match &progress.result {
                Some(result) => return result.clone(),
                None => {
                    progress.waiting += 1;
                    progress = self.ended.wait(progress).unwrap_or_else(PoisonError::into_inner);
                    progress.waiting -= 1;
                }
            }
        }
    }
}

/// The result where no move is legal, or none of those that were asked for.
fn game_over(position: &Position) -> SearchResult {
    let (value, score, wdl) = if position.in_check() {
        (mated_in(0), Score::Mate(0), Wdl { win: 0, draw: 0, loss: 1000 })
    } else {
        (DRAW, Score::Centipawns(0), Wdl { win: 0, draw: 1000, loss: 0 })
    };
    let info = Info {
        depth: 0,
        selective_depth: 0,
        line: 1,
        score,
        bound: Bound::Exact,
        wdl: Some(wdl),
        nodes: 0,
        time: Duration::ZERO,
        hash_full: None,
        tablebase_hits: 0,
        pv: Vec::new(),
    };
    SearchResult { best: None, ponder: None, value: Some(value), info: Some(info) }
}
