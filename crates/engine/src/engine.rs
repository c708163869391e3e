//! The engine of this project, as an [`Analyst`].

use crate::analyst::{Analyst, AnalystError, Event, Info, Limits, Search, Verdict};
use crate::clock::{NodeClock, Pace, TimeKeeper};
use crate::evaluation::{Evaluation, built_in};
use crate::nnue::Network;
use crate::options::{OptionError, OptionKind, OptionSpec, OptionValue};
use crate::params::Params;
use crate::score::{Bound, Chances, Score};
use crate::search::{CutoffCount, Finding, Listener, Shared, Worker};
use crate::table::Table;
use crate::value::{DRAW, mated_in};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;
use tabiya_chess::{Game, Move, Position};

/// Megabytes for the table unless told otherwise.
const DEFAULT_HASH: usize = 16;
const LARGEST_HASH: i64 = 1 << 25;
/// Milliseconds kept back for what lies between the engine and the clock.
const DEFAULT_OVERHEAD: u64 = 10;
/// The words for which evaluation to use. Without any network it is the classical one.
const BY_NETWORK: &str = "network";
const BY_RULES: &str = "classical";

/// A complete engine; several live in one process.
pub struct Engine {
    table: Arc<Table>,
    worker: Arc<Mutex<Worker>>,
    lines: usize,
    overhead: Duration,
    /// Where the table is saved to and loaded from.
    hash_file: PathBuf,
    /// Nodes instead of milliseconds.
    pace: Option<Pace>,
    node_clock: NodeClock,
    /// The search's margins, if they are on offer as options.
    tunable: Option<Params>,
    /// The network to evaluate by, unless rules are preferred.
    network: Option<Arc<Network>>,
    by_rules: bool,
    in_use: NetworkInUse,
    running: Option<Running>,
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

struct Running {
    search: Arc<LocalSearch>,
    thread: JoinHandle<()>,
}

/// How many nodes a thought may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NodeBudget {
    /// No iteration is begun after so many. A whole iteration has a better value to tell than a piece
    /// of one.
    pub soft: u64,
    /// Never more than so many.
    pub hard: u64,
}

/// What [`Engine::think`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The move to play; none in mate and stalemate.
    pub best: Option<Move>,
    /// The value for the side to move in the units of the search, which are those of
    /// [`eval`](crate::eval); mate in n plies is 32000 - n.
    pub value: i32,
    /// The last depth that was finished.
    pub depth: u32,
    /// How many nodes it took.
    pub nodes: u64,
}

impl Engine {
    /// Bytes of stack that a search may need: a line of the greatest length has a frame of some
    /// kilobytes at each ply.
    pub const THINKING_STACK: usize = 16 << 20;

    /// An engine with default options.
    pub fn new() -> Result<Engine, AnalystError> {
        let table = Table::new(DEFAULT_HASH).map_err(|error| AnalystError::Gone {
            name: NAME.to_owned(),
            reason: error.to_string(),
        })?;
        let mut engine = Engine {
            table: Arc::new(table),
            worker: Arc::new(Mutex::new(Worker::new(Params::DEFAULT))),
            lines: 1,
            overhead: Duration::from_millis(DEFAULT_OVERHEAD),
            hash_file: PathBuf::new(),
            pace: None,
            node_clock: NodeClock::default(),
            tunable: None,
            network: built_in(),
            by_rules: false,
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
        lock(&self.worker).cutoffs()
    }

    /// The network in use, to be followed from elsewhere.
    pub fn network_in_use(&self) -> NetworkInUse {
        self.in_use.clone()
    }

    /// Evaluates as the options say. What was found out by another evaluation is forgotten.
    fn choose_evaluation(&mut self) {
        let wanted = if self.by_rules { None } else { self.network.clone() };
        let address = |network: &Option<Arc<Network>>| network.as_ref().map(Arc::as_ptr);
        if address(&wanted) == address(&self.in_use.get()) {
            return;
        }
        self.finish();
        self.table.clear(1);
        let mut worker = lock(&self.worker);
        worker.new_game();
        worker.evaluator = Evaluation::new(wanted.clone());
        *lock(&self.in_use.0) = wanted;
    }

    /// Thinks within a budget of nodes, on the caller's own thread and without telling of it: what
    /// playing thousands of quick games needs.
    ///
    /// A thread that calls this should have a stack of [`Engine::THINKING_STACK`] bytes.
    pub fn think(&mut self, game: &Game, budget: NodeBudget) -> Thought {
        let limits = Limits { nodes: Some(budget.hard), ..Limits::default() };
        let shared = self.share(limits, budget.soft);
        let mut worker = lock(&self.worker);
        worker.prepare(game, &game.position().legal_moves());
        let finding = worker.iterate(&shared, game, 1, None);
        let position = game.position();
        let value = match &finding {
            Some(Finding { best, .. }) => best.known_value(),
            None if position.in_check() => Some(mated_in(0)),
            None => Some(DRAW),
        };
        Thought {
            best: finding.as_ref().map(|finding| finding.best.mv),
            // Not even one move was looked through.
            value: value.unwrap_or_else(|| worker.evaluator.evaluate(position)),
            depth: finding.map_or(0, |finding| finding.depth as u32),
            nodes: worker.all_nodes(&shared),
        }
    }

    /// What the next search works with; the one before ends.
    fn share(&mut self, mut limits: Limits, soft_nodes: u64) -> Shared {
        let now = Instant::now();
        self.finish();
        self.table.next_generation();
        if self.pace.is_some() {
            self.node_clock.adjust(&mut limits);
        }
        Shared {
            table: Arc::clone(&self.table),
            stop: AtomicBool::new(false),
            time: TimeKeeper::new(&limits, self.overhead, self.pace, now),
            limits,
            soft_nodes,
            nodes: AtomicU64::new(0),
        }
    }

    /// Ends the search that is under way.
    fn finish(&mut self) {
        if let Some(Running { search, thread }) = self.running.take() {
            search.stop();
            // A panic there has already been turned into an error for whoever waits.
            let _ = thread.join();
            self.charge(&search.shared, &search.wait().unwrap_or_default());
        }
    }

    /// Takes what a search took off the clock that counts nodes, if there is one.
    fn charge(&mut self, shared: &Shared, verdict: &Verdict) {
        if let (Some(pace), Some(clock)) = (self.pace, shared.limits.clock) {
            let nodes = verdict.info.as_ref().map_or(0, |info| info.nodes);
            self.node_clock.charge(clock, nodes, pace);
        }
    }

    /// Another table from now on.
    fn replace_table(&mut self, table: Table) {
        self.finish();
        self.table = Arc::new(table);
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
        let table = Table::load(&self.hash_file).map_err(|error| error.to_string())?;
        self.replace_table(table);
        Ok(())
    }
}

/// What there is to tell where no move is legal.
fn game_over(position: &Position) -> Info {
    let (score, chances) = if position.in_check() {
        (Score::Mate(0), Chances { win: 0, draw: 0, loss: 1000 })
    } else {
        (Score::Centipawns(0), Chances { win: 0, draw: 1000, loss: 0 })
    };
    Info {
        depth: 0,
        selective_depth: 0,
        line: 1,
        score,
        bound: Bound::Exact,
        chances: Some(chances),
        nodes: 0,
        time: Duration::ZERO,
        hash_full: None,
        tablebase_hits: 0,
        pv: Vec::new(),
    }
}

const NAME: &str = concat!("Tabiya ", env!("CARGO_PKG_VERSION"));

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

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
        };
        let button = |name: &str| OptionSpec { name: name.to_owned(), kind: OptionKind::Button };
        let mut options = vec![
            spin("Hash", DEFAULT_HASH as i64, 1, LARGEST_HASH),
            button("Clear Hash"),
            OptionSpec {
                name: "Hash File".to_owned(),
                kind: OptionKind::Text { default: String::new() },
            },
            button("Save Hash"),
            button("Load Hash"),
            spin("MultiPV", 1, 1, 256),
            spin("Move Overhead", DEFAULT_OVERHEAD as i64, 0, 5000),
            spin("nodestime", 0, 0, 10_000),
            OptionSpec {
                name: "EvalFile".to_owned(),
                kind: OptionKind::Text { default: String::new() },
            },
            OptionSpec {
                name: "Eval Mode".to_owned(),
                kind: OptionKind::Combo {
                    default: BY_NETWORK.to_owned(),
                    choices: [BY_NETWORK, BY_RULES].map(str::to_owned).to_vec(),
                },
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
            .ok_or_else(|| OptionError::Unknown(name.chars().take(80).collect()))?;
        let value = spec.parse(value)?;
        let failed = |reason: String| OptionError::Failed { name: spec.name.clone(), reason };
        match (spec.name.as_str(), value) {
            ("Hash", OptionValue::Spin(megabytes)) => {
                let table =
                    Table::new(megabytes as usize).map_err(|error| failed(error.to_string()))?;
                self.replace_table(table);
            }
            ("Clear Hash", _) => {
                self.finish();
                self.table.clear(1);
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
                self.pace = Pace::new(nodes as u64);
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
                self.by_rules = mode == BY_RULES;
                self.choose_evaluation();
            }
            (param, OptionValue::Spin(value)) if self.tunable.is_some() => {
                self.finish();
                let params = self.tunable.get_or_insert(Params::DEFAULT);
                params.set(param, value as i32);
                lock(&self.worker).set_params(params.clone());
            }
            _ => return Err(OptionError::Unknown(spec.name.clone())),
        }
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.finish();
        self.table.clear(1);
        self.node_clock = NodeClock::default();
        lock(&self.worker).new_game();
        Ok(())
    }

    fn start(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: Box<dyn FnMut(&Event) + Send>,
    ) -> Result<Arc<dyn Search>, AnalystError> {
        let search = LocalSearch::of(self.share(limits.clone(), u64::MAX));
        let (game, lines) = (game.clone(), self.lines);
        let (worker, own) = (Arc::clone(&self.worker), Arc::clone(&search));
        let thread = std::thread::Builder::new()
            .name("search".to_owned())
            .stack_size(Engine::THINKING_STACK)
            .spawn(move || {
                let _ended = EndsSearch(&own);
                let verdict = own.think(&mut lock(&worker), &game, lines, Some(report));
                own.end(State::Done(Box::new(verdict)));
            })
            .map_err(|error| AnalystError::Gone {
                name: NAME.to_owned(),
                reason: format!("no thread for the search: {error}"),
            })?;
        let handle: Arc<dyn Search> = search.clone();
        self.running = Some(Running { search, thread });
        Ok(handle)
    }

    fn decide(
        &mut self,
        game: &Game,
        limits: &Limits,
        begun: &mut dyn FnMut(&Arc<dyn Search>),
    ) -> Result<Verdict, AnalystError> {
        let search = LocalSearch::of(self.share(limits.clone(), u64::MAX));
        let handle: Arc<dyn Search> = search.clone();
        begun(&handle);
        let _ended = EndsSearch(&search);
        let verdict = search.think(&mut lock(&self.worker), game, self.lines, None);
        self.charge(&search.shared, &verdict);
        search.end(State::Done(Box::new(verdict.clone())));
        Ok(verdict)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

enum State {
    Thinking,
    Done(Box<Verdict>),
    Failed,
}

/// A search in a thread of this process.
struct LocalSearch {
    shared: Shared,
    state: Mutex<State>,
    changed: Condvar,
}

impl LocalSearch {
    fn of(shared: Shared) -> Arc<LocalSearch> {
        let state = Mutex::new(State::Thinking);
        Arc::new(LocalSearch { shared, state, changed: Condvar::new() })
    }

    /// All of it, on this thread.
    fn think(&self, worker: &mut Worker, game: &Game, lines: usize, listener: Listener) -> Verdict {
        let moves = game.position().legal_moves();
        match self.shared.limits.search_moves.as_slice() {
            [] => worker.prepare(game, &moves),
            some => {
                let is_wanted = |mv: &Move| some.contains(mv);
                let wanted: Vec<Move> = moves.iter().copied().filter(is_wanted).collect();
                worker.prepare(game, &wanted);
            }
        }
        let finding = worker.iterate(&self.shared, game, lines, listener);
        let verdict = match finding {
            None => Verdict { info: Some(game_over(game.position())), ..Verdict::default() },
            finding => worker.verdict(&self.shared, game.position(), finding),
        };
        self.rest_until_wanted();
        verdict
    }

    /// Who analyses without end or ponders does not answer before he is asked.
    fn rest_until_wanted(&self) {
        let mut state = lock(&self.state);
        while (self.shared.limits.infinite || self.shared.time.is_pondering())
            && !self.shared.stop.load(Ordering::Relaxed)
        {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn end(&self, end: State) {
        *lock(&self.state) = end;
        self.changed.notify_all();
    }
}

/// Whoever waits must hear of the end, even if the search panics.
struct EndsSearch<'a>(&'a LocalSearch);

impl Drop for EndsSearch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end(State::Failed);
        }
    }
}

impl Search for LocalSearch {
    fn stop(&self) {
        let _state = lock(&self.state);
        self.shared.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn ponder_hit(&self) {
        let _state = lock(&self.state);
        self.shared.time.ponder_hit(self.shared.nodes.load(Ordering::Relaxed));
        self.changed.notify_all();
    }

    fn wait(&self) -> Result<Verdict, AnalystError> {
        let mut state = lock(&self.state);
        loop {
            match &*state {
                State::Thinking => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
                State::Done(verdict) => return Ok(Verdict::clone(verdict)),
                State::Failed => {
                    return Err(AnalystError::Gone {
                        name: NAME.to_owned(),
                        reason: "the search failed inside; this is a bug".to_owned(),
                    });
                }
            }
        }
    }
}
