//! The engine of this project, as an [`Analyst`].

mod own_options;

use crate::analyst::{Analyst, AnalystError, EventSink, Limits, RunOn, SearchHandle};
use crate::book::{Book, BookSearch};
use crate::eval::Terms;
use crate::evaluation::{Assessment, EvalMode, EvalSource, built_in};
use crate::identity::Identity;
use crate::nnue::Network;
use crate::options::{OptionError, OptionRegistry, OptionSetting, OptionSpec};
use crate::params::Params;
use crate::search::{CutoffCount, ProbeCount, SharedContext, ThreadData};
use crate::smp::local_search::{LocalSearch, SearchTask};
use crate::smp::pool;
use crate::smp::ybwc::SplitCounts;
use crate::smp::{ParallelMode, ThreadPool};
use crate::sync::lock;
use crate::time::{NodeClock, NodesPerMs, TimeManager};
use crate::tt::TranspositionTable;
use core::time::Duration;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tabiya_chess::{Game, Move, Position};

/// A complete engine; several live in one process.
pub struct Engine {
    table: Arc<TranspositionTable>,
    pool: ThreadPool,
    lines: usize,
    overhead: Duration,
    /// Where the table is saved to and loaded from.
    hash_file: PathBuf,
    /// Nodes instead of milliseconds.
    pace: Option<NodesPerMs>,
    node_clock: NodeClock,
    /// The search's margins, if they are on offer as options.
    tunable: Option<Params>,
    /// The network to evaluate by, unless rules are preferred.
    network: Option<Arc<Network>>,
    eval_mode: EvalMode,
    /// The terms of the classical evaluation that are on.
    eval_terms: Terms,
    eval_source: EvalSource,
    in_use: EvalInUse,
    /// Asked before a search.
    book: Option<Arc<dyn Book>>,
    /// The last search, until it is known to have ended.
    running: Option<Arc<LocalSearch>>,
    registry: OptionRegistry<Engine>,
    commit: Option<&'static str>,
}

/// What an engine evaluates by, as its options have it at the time of asking.
#[derive(Clone)]
pub struct EvalInUse(Arc<Mutex<EvalSource>>);

impl EvalInUse {
    /// The network; none while the engine evaluates by rules.
    pub fn network(&self) -> Option<Arc<Network>> {
        lock(&self.0).network().cloned()
    }

    /// What this evaluation sees in a position, and why.
    pub fn assess(&self, position: &Position) -> Assessment {
        let source = lock(&self.0).clone();
        match source {
            EvalSource::Rules(terms) => Assessment::new(position, terms, None),
            EvalSource::Network(network) => Assessment::new(position, Terms::ALL, Some(&network)),
        }
    }
}

impl Engine {
    /// Bytes of stack that a search may need, on the thread that waits for it too if it
    /// [searches](RunOn::Waiter).
    pub const SEARCH_STACK: usize = pool::STACK;

    /// An engine with default options.
    pub fn new() -> Result<Engine, AnalystError> {
        let table = TranspositionTable::new(own_options::DEFAULT_HASH).map_err(gone)?;
        let mut engine = Engine {
            table: Arc::new(table),
            pool: ThreadPool::new(),
            lines: 1,
            overhead: Duration::from_millis(own_options::DEFAULT_OVERHEAD),
            hash_file: PathBuf::new(),
            pace: None,
            node_clock: NodeClock::default(),
            tunable: None,
            network: built_in(),
            eval_mode: EvalMode::default(),
            eval_terms: Terms::ALL,
            // As the pool has it to begin with.
            eval_source: EvalSource::Rules(Terms::ALL),
            in_use: EvalInUse(Arc::new(Mutex::new(EvalSource::Rules(Terms::ALL)))),
            book: None,
            running: None,
            registry: own_options::registry(),
            commit: None,
        };
        engine.choose_evaluation();
        Ok(engine)
    }

    /// The commit that the program was built from, for its identity.
    #[must_use]
    pub fn built_from(mut self, commit: Option<&'static str>) -> Engine {
        self.commit = commit;
        self
    }

    /// The program, with the network that this engine evaluates by.
    pub fn program(&self) -> Identity {
        Identity::with_network(self.commit, self.eval_source.network().map(|net| &**net))
    }

    /// An engine whose search margins are options too, for tuning.
    pub fn tunable() -> Result<Engine, AnalystError> {
        let mut engine = Engine::new()?;
        engine.tunable = Some(Params::DEFAULT);
        engine.extend_options(own_options::add_params);
        Ok(engine)
    }

    /// Lets another part of the program (a book, tablebases) add its own options. They are listed behind the
    /// engine's own, and set like these: by a closure that is given the engine.
    ///
    /// ```
    /// use tabiya_engine::{Analyst, Engine};
    ///
    /// let mut engine = Engine::new()?;
    /// engine.extend_options(|options| {
    ///     options.button("Close Book", "Plays without a book.", |engine| {
    ///         engine.set_book(None);
    ///         Ok(())
    ///     });
    /// });
    /// assert_eq!(engine.options().last().unwrap().name, "Close Book");
    /// engine.set_option("close book", "")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn extend_options(&mut self, add: impl FnOnce(&mut OptionRegistry<Engine>)) {
        add(&mut self.registry);
    }

    /// Plays from a book from now on, as long as it knows a move; without a book, none. Analysis never asks
    /// it: endless searches, pondering, searches for a mate or of some moves only, and MultiPV.
    pub fn set_book(&mut self, book: Option<Arc<dyn Book>>) {
        self.book = book;
    }

    /// The move that the book plays instead of a search.
    fn book_move(&self, game: &Game, limits: &Limits) -> Option<Move> {
        let book = self.book.as_ref()?;
        let of_all_moves = limits.search_moves.is_empty() && self.lines == 1;
        let is_analysis =
            limits.is_endless() || limits.ponder || limits.mate.is_some() || !of_all_moves;
        let mv = if is_analysis { None } else { book.book_move(game) };
        mv.filter(|&mv| game.position().is_legal(mv))
    }

    /// How well moves were ordered in the last search.
    pub fn cutoffs(&mut self) -> CutoffCount {
        self.finish();
        lock(self.pool.first()).cutoffs()
    }

    /// How the table answered in the last search.
    pub fn probes(&mut self) -> ProbeCount {
        self.finish();
        self.pool.probes()
    }

    /// What happened at the splits of the last search, if its threads shared one tree.
    pub fn split_counts(&mut self) -> SplitCounts {
        self.finish();
        self.pool.split_counts()
    }

    /// The evaluation in use, to be followed from elsewhere.
    pub fn eval_in_use(&self) -> EvalInUse {
        self.in_use.clone()
    }

    /// Evaluates as the options say. What was found out by another evaluation is forgotten.
    fn choose_evaluation(&mut self) {
        let wanted = self.eval_mode.eval_source(self.network.as_ref(), self.eval_terms);
        if wanted.is(&self.eval_source) {
            return;
        }
        self.finish();
        self.clear_table();
        *lock(&self.in_use.0) = wanted.clone();
        self.eval_source = wanted.clone();
        self.pool.each(move |thread| {
            thread.new_game();
            thread.evaluate_by(wanted.clone());
        });
    }

    fn clear_table(&mut self) {
        self.table.clear(self.pool.threads());
        self.pool.clear_tables();
    }

    /// Sets the number of threads and the parallel mode, or says why it cannot.
    fn arrange(&mut self, threads: usize, mode: ParallelMode) -> Result<(), String> {
        self.finish();
        let params = self.params();
        self.pool
            .arrange(threads, mode, &params, &self.eval_source)
            .map_err(|error| format!("no more threads can be had: {error}"))
    }

    /// What the threads of the next search share.
    fn share(&mut self, mut limits: Limits) -> SharedContext {
        let now = Instant::now();
        self.table.next_generation();
        if self.pace.is_some() {
            self.node_clock.adjust(&mut limits);
        }
        let batch = SharedContext::batch(&limits, self.pool.threads());
        let time = TimeManager::new(&limits, self.overhead, self.pace, &self.params(), now);
        SharedContext::new(Arc::clone(&self.table), limits, time, batch)
    }

    /// What it evaluates by.
    pub(crate) fn eval_source(&self) -> EvalSource {
        self.eval_source.clone()
    }

    /// The search's margins.
    pub(crate) fn params(&self) -> Params {
        self.tunable.clone().unwrap_or(Params::DEFAULT)
    }

    /// Its threads.
    #[cfg(test)]
    pub(crate) fn thread_pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// The last search.
    #[cfg(test)]
    pub(crate) fn running_search(&self) -> Option<&LocalSearch> {
        self.running.as_deref()
    }

    /// Ends the search that is under way.
    fn finish(&mut self) {
        let Some(search) = self.running.take() else { return };
        search.stop();
        // A search that failed has no nodes to charge.
        let _ = search.wait();
        if let (Some(pace), Some(clock)) = (self.pace, search.shared.limits.clock)
            && let Some(nodes) = search.nodes_on_clock()
        {
            self.node_clock.charge(clock, nodes, pace);
        }
    }

    /// Another table from now on.
    fn replace_table(&mut self, table: TranspositionTable) {
        self.finish();
        self.table = Arc::new(table);
        self.pool.clear_tables();
    }

    /// Saves or loads the table, or tells why not.
    fn use_hash_file(&mut self, saving: bool) -> Result<(), String> {
        if self.hash_file.as_os_str().is_empty() {
            return Err("option Hash File has to name the file first".to_owned());
        }
        self.finish();
        if saving {
            return self.table.save(&self.hash_file).map_err(|error| error.to_string());
        }
        let table = TranspositionTable::load(&self.hash_file).map_err(|error| error.to_string())?;
        self.replace_table(table);
        Ok(())
    }
}

fn gone(reason: impl ToString) -> AnalystError {
    AnalystError::Gone { name: NAME.to_owned(), reason: reason.to_string() }
}

pub(crate) const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));

impl Analyst for Engine {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn identity(&self) -> String {
        self.program().to_string()
    }

    fn author(&self) -> String {
        "the Tabiya authors".to_owned()
    }

    fn options(&self) -> &[OptionSpec] {
        self.registry.specs()
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        let set = self.registry.prepare(setting)?;
        set(self)
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.finish();
        self.clear_table();
        self.node_clock = NodeClock::default();
        self.pool.each(ThreadData::new_game);
        Ok(())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        self.finish();
        if let Some(mv) = self.book_move(game, limits) {
            return Ok(Arc::new(BookSearch(mv)));
        }
        let mut shared = self.share(limits.clone());
        self.pool.fit(&mut shared).map_err(gone)?;
        let task = SearchTask::new(game, &limits.search_moves, self.lines);
        let params = self.params();
        let search = self
            .pool
            .start(shared, task, limits, &params, run, report)
            .map_err(|error| gone(format!("no thread for the search: {error}")))?;
        self.running = Some(Arc::clone(&search));
        Ok(search)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::Position;

    #[test]
    fn the_table_keeps_the_whole_roots_value() {
        let position = Position::start();
        let game = Game::new(position.clone());
        let key = position.keys().position;
        let search = |engine: &mut Engine, moves: &[&str]| {
            let search_moves = moves.iter().map(|mv| position.parse_uci(mv).unwrap()).collect();
            let limits = Limits { depth: Some(6), search_moves, ..Limits::default() };
            engine.search(&game, &limits, RunOn::Waiter, None).unwrap().wait().unwrap()
        };
        // Of several lines only the first is the position's.
        let mut engine = Engine::new().unwrap();
        engine.set_option("MultiPV", "4").unwrap();
        let result = search(&mut engine, &[]);
        assert_eq!(engine.table.probe(key, 0, 0).unwrap().mv, result.best);
        // What some moves are worth is not what the position is.
        let mut engine = Engine::new().unwrap();
        search(&mut engine, &["a2a3", "h2h4"]);
        assert_eq!(engine.table.probe(key, 0, 0).and_then(|entry| entry.mv), None);
    }
}
