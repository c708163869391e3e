//! A search in threads of this process.

use crate::analyst::{AnalystError, Info, SearchHandle, SearchResult};
use crate::engine::NAME;
use crate::score::{Bound, Score, Wdl};
use crate::search::{Listener, SharedContext, ThreadData};
use crate::smp::Helpers;
use crate::smp::vote;
use crate::sync::lock;
use core::sync::atomic::Ordering;
use core::time::Duration;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use tabiya_chess::{Game, Move, Position};

struct State {
    /// Was an end asked for?
    asked: bool,
    result: Option<Result<SearchResult, AnalystError>>,
}

/// What is to be thought about.
#[derive(Clone)]
pub(crate) struct SearchTask {
    pub(crate) game: Game,
    /// The root's moves that count.
    pub(crate) moves: Vec<Move>,
    /// How many lines of play are wanted.
    pub(crate) lines: usize,
}

impl SearchTask {
    /// Of all legal moves, or of those among some.
    pub(crate) fn new(game: &Game, some: &[Move], lines: usize) -> SearchTask {
        let is_wanted = |mv: &Move| some.is_empty() || some.contains(mv);
        let moves = game.position().legal_moves().iter().copied().filter(is_wanted).collect();
        SearchTask { game: game.clone(), moves, lines }
    }
}

/// A search in threads of this process.
pub(crate) struct LocalSearch {
    pub(crate) shared: Arc<SharedContext>,
    state: Mutex<State>,
    changed: Condvar,
}

impl LocalSearch {
    pub(crate) fn of(shared: SharedContext) -> Arc<LocalSearch> {
        let state = Mutex::new(State { asked: false, result: None });
        Arc::new(LocalSearch { shared: Arc::new(shared), state, changed: Condvar::new() })
    }

    /// What the first thread does: its own search, until that is over for all.
    pub(crate) fn think(
        &self,
        worker: &mut ThreadData,
        task: &SearchTask,
        listener: Listener,
        helpers: Helpers,
    ) -> SearchResult {
        let _ended = EndOnPanic(self);
        worker.prepare(&task.game, &task.moves);
        let (own, others) = helpers.accompany(&self.shared, worker, |worker| {
            worker.iterate(&self.shared, &task.game, task.lines, listener)
        });
        let position = task.game.position();
        let verdict = match own {
            None => SearchResult { info: Some(game_over(position)), ..SearchResult::default() },
            Some(own) if task.lines > 1 => worker.verdict(&self.shared, position, own),
            Some(own) => worker.verdict(&self.shared, position, vote(own, others)),
        };
        self.rest_until_wanted();
        self.end(Ok(verdict.clone()));
        verdict
    }

    /// Who analyses without end or ponders does not answer before he is asked.
    fn rest_until_wanted(&self) {
        let mut state = lock(&self.state);
        while (self.shared.limits.infinite || self.shared.time.is_pondering()) && !state.asked {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, result: Result<SearchResult, AnalystError>) {
        lock(&self.state).result = Some(result);
        self.changed.notify_all();
    }
}

/// Whoever waits must hear of the end, and no helper may go on, even if the search panics.
struct EndOnPanic<'a>(&'a LocalSearch);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.shared.end();
            let reason = "the search failed inside; this is a bug".to_owned();
            self.0.end(Err(AnalystError::Gone { name: NAME.to_owned(), reason }));
        }
    }
}

impl SearchHandle for LocalSearch {
    fn stop(&self) {
        let mut state = lock(&self.state);
        state.asked = true;
        self.shared.end();
        self.changed.notify_all();
    }

    fn ponder_hit(&self) {
        let _state = lock(&self.state);
        let nodes = self.shared.nodes.load(Ordering::Relaxed);
        self.shared.time.ponder_hit(self.shared.with_others(nodes));
        self.changed.notify_all();
    }

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        let mut state = lock(&self.state);
        loop {
            match &state.result {
                Some(result) => return result.clone(),
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// What there is to tell where no move is legal.
fn game_over(position: &Position) -> Info {
    let (score, wdl) = if position.in_check() {
        (Score::Mate(0), Wdl { win: 0, draw: 0, loss: 1000 })
    } else {
        (Score::Centipawns(0), Wdl { win: 0, draw: 1000, loss: 0 })
    };
    Info {
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
    }
}
