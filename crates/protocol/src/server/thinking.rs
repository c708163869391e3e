//! A search that was asked for, until it is answered.

use super::extra::Errands;
use super::output::Output;
use super::perft::Count;
use crate::uci::bestmove::{BestMove, BestMoveLine};
use crate::uci::info::{CurrentMoveLine, InfoLine};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tabiya_chess::{CastlingStyle, Move, Position};
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, Event, Info, Limits, SearchHandle, SearchResult};

/// GUIs do not want to hear of single moves before this.
const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(1);

/// A search of so few nodes is over before anyone could read of it: all is said together with the move.
/// Whoever asks for that few asks often, and every line would cost him more time than many nodes.
const FEW_NODES: u64 = 10_000;

/// How a search is told.
#[derive(Clone)]
pub(super) struct Telling {
    pub(super) output: Output,
    pub(super) root: Position,
    pub(super) style: CastlingStyle,
    pub(super) show_wdl: bool,
    began: Instant,
    is_brief: bool,
    /// The lines of play as they were last told.
    told: Arc<Mutex<Vec<Info>>>,
}

impl Telling {
    pub(super) fn new(
        output: &Output,
        root: &Position,
        style: CastlingStyle,
        show_wdl: bool,
        limits: &Limits,
    ) -> Telling {
        let waits = limits.infinite || limits.ponder;
        Telling {
            output: output.clone(),
            root: root.clone(),
            style,
            show_wdl,
            began: Instant::now(),
            is_brief: !waits && limits.nodes.is_some_and(|nodes| nodes <= FEW_NODES),
            told: Arc::default(),
        }
    }

    pub(super) fn tell(&self, event: &Event) {
        match *event {
            Event::Info(ref info) => self.tell_info(info, self.is_brief),
            Event::CurrentMove { depth, mv, number } => {
                if self.began.elapsed() >= CURRENT_MOVE_AFTER {
                    let (root, style) = (&self.root, self.style);
                    self.output.say(CurrentMoveLine { depth, mv, number, root, style });
                }
            }
            Event::Note(ref note) => self.output.note(note),
        }
    }

    fn tell_info(&self, info: &Info, more_follows: bool) {
        let mut told = lock(&self.told);
        if info.line == 1 {
            told.clear();
        }
        told.push(info.clone());
        drop(told);
        let (root, style, show_wdl) = (&self.root, self.style, self.show_wdl);
        let line = InfoLine { info, root, style, show_wdl };
        if more_follows { self.output.hold(line) } else { self.output.say(line) }
    }

    /// The protocol wants a last word before the move, and all lines of play together: those beside
    /// the best one stand where they stood.
    fn tell_end(&self, best: &Info) {
        let told = std::mem::take(&mut *lock(&self.told));
        if told.first().is_some_and(|first| first.pv == best.pv && first.nodes == best.nodes) {
            return;
        }
        self.tell_info(&Info { line: 1, ..best.clone() }, true);
        let others = told.iter().filter(|info| info.pv.first() != best.pv.first());
        let (nodes, time) = (best.nodes, best.time);
        // The first line told may not be the best any more; then there is one line too many.
        for (line, info) in (2..).zip(others).take(told.len().saturating_sub(1)) {
            self.tell_info(&Info { line, nodes, time, ..info.clone() }, true);
        }
    }

    /// Says what was decided. `fallback` is played if nothing was, since a GUI waits for a move.
    fn answer(&self, result: Result<SearchResult, AnalystError>, fallback: Option<Move>) {
        let decision = match result {
            Ok(verdict) => {
                if let Some(info) = &verdict.info {
                    self.tell_end(info);
                }
                BestMove { best: verdict.best, ponder: verdict.ponder }
            }
            Err(error) => {
                self.output.note(format_args!("{error}; this is just any legal move"));
                BestMove { best: fallback, ponder: None }
            }
        };
        let (root, style) = (&self.root, self.style);
        self.output.say(BestMoveLine { decision, root, style });
    }
}

/// A search under way, or what takes long instead of one, and the thread that will answer.
pub(super) struct Thinking {
    search: Arc<dyn SearchHandle>,
    /// The same, if it is no search but errands.
    errands: Option<Arc<Errands>>,
    gate: Arc<Gate>,
    infinite: bool,
    stopped: bool,
    answerer: JoinHandle<()>,
}

/// Holds the answer back while the protocol forbids it.
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
        // Before the answer itself: whoever has read it may ask the next question at once.
        self.answered.store(true, Ordering::SeqCst);
    }
}

impl Thinking {
    /// Waits for a search in the background and answers it. An endless search, or one on the
    /// opponent's time, is not answered before it may be, whatever it has found.
    pub(super) fn on(
        search: Arc<dyn SearchHandle>,
        limits: &Limits,
        telling: Telling,
    ) -> io::Result<Thinking> {
        let legal = telling.root.legal_moves();
        let fallback = limits.search_moves.first().or(legal.first()).copied();
        Thinking::begin(search, limits, move |result| telling.answer(result, fallback))
    }

    /// Counts in the background.
    pub(super) fn counting(count: Count) -> io::Result<Thinking> {
        let count = Arc::new(count);
        let counted = Arc::clone(&count);
        Thinking::begin(count, &answered_when_over(), move |_| counted.answer())
    }

    /// Does errands in the background.
    pub(super) fn running(errands: Errands) -> io::Result<Thinking> {
        let errands = Arc::new(errands);
        let done = Arc::clone(&errands);
        let answer = move |_| done.answer();
        let thinking = Thinking::begin(errands.clone(), &answered_when_over(), answer)?;
        Ok(Thinking { errands: Some(errands), ..thinking })
    }

    fn begin(
        search: Arc<dyn SearchHandle>,
        limits: &Limits,
        answer: impl FnOnce(Result<SearchResult, AnalystError>) + Send + 'static,
    ) -> io::Result<Thinking> {
        let infinite = limits.infinite || is_unlimited(limits);
        let gate = Arc::new(Gate {
            open: Mutex::new(!infinite && !limits.ponder),
            opened: Condvar::new(),
            answered: AtomicBool::new(false),
        });
        let (awaited, passed) = (Arc::clone(&search), Arc::clone(&gate));
        let body = move || {
            let result = awaited.wait();
            passed.pass();
            answer(result);
        };
        let answerer = thread::Builder::new().name("answer".to_owned()).spawn(body)?;
        Ok(Thinking { search, errands: None, gate, infinite, stopped: false, answerer })
    }

    /// Is it still thinking, with nobody having told it to stop?
    pub(super) fn is_under_way(&self) -> bool {
        let over = self.gate.answered.load(Ordering::SeqCst) || self.answerer.is_finished();
        !over && !self.stopped
    }

    /// The errands that are under way, with nobody having told them to stop.
    pub(super) fn errands(&self) -> Option<&Errands> {
        self.errands.as_deref().filter(|_| self.is_under_way())
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

    /// Waits until it is answered; one that was not told to stop may take its time.
    pub(super) fn join(self) {
        // If it panicked it has said so already.
        let _ = self.answerer.join();
    }
}

/// Is there nothing that would ever end such a search?
fn is_unlimited(limits: &Limits) -> bool {
    let Limits { clock, move_time, depth, nodes, soft_nodes, mate, .. } = limits;
    let timed = clock.is_some() || move_time.is_some();
    let in_nodes = nodes.is_some() || soft_nodes.is_some();
    !timed && !in_nodes && depth.is_none() && mate.is_none()
}

/// What is asked of something that ends by itself.
fn answered_when_over() -> Limits {
    Limits { depth: Some(1), ..Limits::default() }
}

/// A search that could not even be started: the GUI gets its answer like any other.
pub(super) struct Failed(pub(super) AnalystError);

impl SearchHandle for Failed {
    fn stop(&self) {}

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        Err(self.0.clone())
    }
}
