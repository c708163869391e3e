//! The engine of this project, as an [`Analyst`].

use crate::analyst::{Analyst, AnalystError, EventSink, Limits, RunOn, SearchHandle};
use crate::evaluation::{EvalMode, EvalSource, built_in};
use crate::nnue::Network;
use crate::options::{LONGEST_QUOTE, OptionError, OptionKind, OptionSpec, OptionValue};
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
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tabiya_chess::{Game, shortened};

/// Megabytes for the table unless told otherwise.
const DEFAULT_HASH: usize = 16;
const LARGEST_HASH: i64 = 1 << 25;
const MOST_THREADS: i64 = 1024;
/// Milliseconds kept back for what lies between the engine and the clock.
const DEFAULT_OVERHEAD: u64 = 10;

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
    judge: EvalSource,
    in_use: NetworkInUse,
    /// The last search, until it is known to have ended.
    running: Option<Arc<LocalSearch>>,
}

/// The network by which an engine evaluates, as its options have it at the time of asking.
#[derive(Clone, Default)]
pub struct NetworkInUse(Arc<Mutex<Option<Arc<Network>>>>);

impl NetworkInUse {
    /// The network; none while the engine evaluates by rules.
    pub fn get(&self) -> Option<Arc<Network>> {
        lock(&self.0).clone()
    }
}

impl Engine {
    /// Bytes of stack that a search may need, on the thread that waits for it too if it
    /// [searches](RunOn::Waiter).
    pub const SEARCH_STACK: usize = pool::STACK;

    /// An engine with default options.
    pub fn new() -> Result<Engine, AnalystError> {
        let table = TranspositionTable::new(DEFAULT_HASH).map_err(gone)?;
        let mut engine = Engine {
            table: Arc::new(table),
            pool: ThreadPool::new(),
            lines: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
            hash_file: PathBuf::new(),
            pace: None,
            node_clock: NodeClock::default(),
            tunable: None,
            network: built_in(),
            eval_mode: EvalMode::default(),
            // As the pool has it to begin with.
            judge: EvalMode::Classical.eval_source(None),
            in_use: NetworkInUse::default(),
            running: None,
        };
        engine.choose_evaluation();
        Ok(engine)
    }

    /// An engine whose search margins are options too, for tuning.
    pub fn tunable() -> Result<Engine, AnalystError> {
        let mut engine = Engine::new()?;
        engine.tunable = Some(Params::DEFAULT);
        Ok(engine)
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

    /// The network in use, to be followed from elsewhere.
    pub fn network_in_use(&self) -> NetworkInUse {
        self.in_use.clone()
    }

    /// Evaluates as the options say. What was found out by another evaluation is forgotten.
    fn choose_evaluation(&mut self) {
        let wanted = self.eval_mode.eval_source(self.network.as_ref());
        if wanted.is(&self.judge) {
            return;
        }
        self.finish();
        self.clear_table();
        *lock(&self.in_use.0) = wanted.network().cloned();
        self.judge = wanted.clone();
        self.pool.each(move |worker| {
            worker.new_game();
            worker.evaluate_by(wanted.clone());
        });
    }

    fn clear_table(&mut self) {
        self.table.clear(self.pool.threads());
        self.pool.clear_tables();
    }

    /// So many threads that share the work like this, or why not.
    fn arrange(&mut self, threads: usize, mode: ParallelMode) -> Result<(), String> {
        self.finish();
        let params = self.params();
        self.pool
            .arrange(threads, mode, &params, &self.judge)
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
        self.judge.clone()
    }

    /// The search's margins.
    pub(crate) fn params(&self) -> Params {
        self.tunable.clone().unwrap_or(Params::DEFAULT)
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

    fn author(&self) -> String {
        "the Tabiya authors".to_owned()
    }

    fn options(&self) -> Vec<OptionSpec> {
        let spin = |name: &str, default: i64, min: i64, max: i64| OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::Spin { default, min, max },
            help: String::new(),
        };
        let button = |name: &str| OptionSpec {
            name: name.to_owned(),
            kind: OptionKind::Button,
            help: String::new(),
        };
        let mut options = vec![
            spin("Hash", DEFAULT_HASH as i64, 1, LARGEST_HASH),
            spin("Threads", 1, 1, MOST_THREADS),
            OptionSpec {
                name: "Parallel Mode".to_owned(),
                kind: OptionKind::Combo {
                    default: ParallelMode::default().name().to_owned(),
                    choices: ParallelMode::ALL.map(|mode| mode.name().to_owned()).to_vec(),
                },
                help: String::new(),
            },
            button("Clear Hash"),
            OptionSpec {
                name: "Hash File".to_owned(),
                kind: OptionKind::Text { default: String::new() },
                help: String::new(),
            },
            button("Save Hash"),
            button("Load Hash"),
            spin("MultiPV", 1, 1, 256),
            spin("Move Overhead", DEFAULT_OVERHEAD as i64, 0, 5000),
            spin("nodestime", 0, 0, 10_000),
            OptionSpec {
                name: "EvalFile".to_owned(),
                kind: OptionKind::Text { default: String::new() },
                help: String::new(),
            },
            OptionSpec {
                name: "Eval Mode".to_owned(),
                kind: OptionKind::Combo {
                    default: EvalMode::default().name().to_owned(),
                    choices: EvalMode::ALL.map(|mode| mode.name().to_owned()).to_vec(),
                },
                help: String::new(),
            },
        ];
        if self.tunable.is_some() {
            options.extend(Params::SPECS.iter().map(|spec| {
                spin(spec.name, spec.default.into(), spec.min.into(), spec.max.into())
            }));
        }
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let specs = self.options();
        let spec = specs
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(shortened(name, LONGEST_QUOTE)))?;
        let value = spec.parse(value)?;
        let failed = |reason: String| OptionError::Failed { name: spec.name.clone(), reason };
        match (spec.name.as_str(), value) {
            ("Hash", OptionValue::Spin(megabytes)) => {
                let table = TranspositionTable::new(megabytes as usize)
                    .map_err(|error| failed(error.to_string()))?;
                self.replace_table(table);
            }
            ("Threads", OptionValue::Spin(threads)) => {
                self.arrange(threads as usize, self.pool.mode()).map_err(failed)?;
            }
            ("Parallel Mode", OptionValue::Text(mode)) => {
                let mode = ParallelMode::named(&mode).unwrap_or_default();
                self.arrange(self.pool.threads(), mode).map_err(failed)?;
            }
            ("Clear Hash", _) => {
                self.finish();
                self.clear_table();
            }
            ("Hash File", OptionValue::Text(path)) => self.hash_file = path.into(),
            (button @ ("Save Hash" | "Load Hash"), _) => {
                self.use_hash_file(button == "Save Hash").map_err(failed)?;
            }
            ("MultiPV", OptionValue::Spin(lines)) => self.lines = lines as usize,
            ("Move Overhead", OptionValue::Spin(ms)) => {
                self.overhead = Duration::from_millis(ms as u64);
            }
            ("nodestime", OptionValue::Spin(nodes)) => {
                self.finish();
                self.pace = NodesPerMs::new(nodes as u64);
                self.node_clock = NodeClock::default();
            }
            // Without a name it is the network that comes with the program.
            ("EvalFile", OptionValue::Text(path)) => {
                self.network = if path.is_empty() {
                    built_in()
                } else {
                    let network = Network::load(Path::new(&path))
                        .map_err(|error| failed(error.to_string()))?;
                    Some(Arc::new(network))
                };
                self.choose_evaluation();
            }
            ("Eval Mode", OptionValue::Text(mode)) => {
                self.eval_mode = EvalMode::named(&mode).unwrap_or_default();
                self.choose_evaluation();
            }
            (param, OptionValue::Spin(value)) if self.tunable.is_some() => {
                self.finish();
                let params = self.tunable.get_or_insert(Params::DEFAULT);
                params.set(param, value as i32);
                let params = params.clone();
                self.pool.each(move |worker| worker.set_params(params.clone()));
            }
            _ => return Err(OptionError::Unknown(spec.name.clone())),
        }
        Ok(())
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
        let verdict = search(&mut engine, &[]);
        assert_eq!(engine.table.probe(key, 0, 0).unwrap().mv, verdict.best);
        // What some moves are worth is not what the position is.
        let mut engine = Engine::new().unwrap();
        search(&mut engine, &["a2a3", "h2h4"]);
        assert_eq!(engine.table.probe(key, 0, 0).and_then(|entry| entry.mv), None);
    }
}
