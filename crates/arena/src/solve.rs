//! Test suites: positions whose solution is known, and how long an engine takes to find it.
//!
//! A suite is a file of EPD. A position counts as solved if, at the end of the search, everything that
//! it asks for holds: the move is one of `bm`, none of `am`, and the score a mate in `dm` moves or fewer.
//! The time to solution is when all of it began to hold and did not cease to.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya_chess::{Epd, EpdError, Game, Move, Position};
use tabiya_engine::{AnalystError, Event, Info, Limits, Score, SearchResult};
use tabiya_files::FileError;
use thiserror::Error;

use crate::clock::{PlayerLimits, PlayerLimitsError};
use crate::files::{lines, read_text};
use crate::game::{DEFAULT_PATIENCE, unwinding};
use crate::player::{Failure, OwnEngine, Player, PlayerSpec, StartError};
use crate::watchdog::{Interrupt, Watchdog};
use tabiya_engine::lock;

/// Larger files are not suites.
const MOST_BYTES: u64 = 1 << 26;

/// Why a suite cannot be solved.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The file cannot be read, or is too large.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line makes no sense.
    #[error("line {line} of {path}: {error}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: LineError,
    },
    /// No position in it.
    #[error("{path} has no positions; it should have one to a line, in EPD")]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// How long to think is not said, or makes no sense here.
    #[error(transparent)]
    Limits(#[from] PlayerLimitsError),
    /// A clock for a whole game, where there is only one move.
    #[error(
        "a time control is for games; give movetime=1000, nodes=100000 or depth=12 for each position"
    )]
    Clock,
    /// The engine cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no thread for it.
    #[error("a thread cannot be started")]
    Thread(#[source] io::Error),
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// Not text.
    #[error("it is not text")]
    NotText,
    /// Not EPD.
    #[error(transparent)]
    Epd(#[from] EpdError),
    /// Nothing is asked.
    #[error(
        "nothing is asked; it should have a best move (bm), a move to avoid (am) or a mate (dm)"
    )]
    NoQuestion,
    /// Nothing to think about.
    #[error("there is no legal move")]
    Over,
}

/// A position and what is asked.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What the suite calls it, or its number.
    pub id: String,
    /// The position.
    pub position: Position,
    best: Vec<Move>,
    avoid: Vec<Move>,
    mate: Option<u32>,
}

impl Problem {
    fn parse(text: &str, number: usize) -> Result<Self, LineError> {
        let epd: Epd = text.parse()?;
        let problem = Self {
            id: epd.id().map_or_else(|| number.to_string(), Into::into),
            position: epd.position().clone(),
            best: epd.best_moves()?,
            avoid: epd.avoid_moves()?,
            mate: epd.direct_mate()?,
        };
        if problem.best.is_empty() && problem.avoid.is_empty() && problem.mate.is_none() {
            return Err(LineError::NoQuestion);
        }
        if !problem.position.has_legal_move() {
            return Err(LineError::Over);
        }
        Ok(problem)
    }

    fn is_solved_by(&self, mv: Option<&Move>, score: Option<Score>) -> bool {
        let Some(mv) = mv else { return false };
        let mates = self.mate.is_none_or(|wanted| match score {
            Some(Score::Mate(moves)) => moves > 0 && moves.unsigned_abs() <= wanted,
            _ => false,
        });
        mates && (self.best.is_empty() || self.best.contains(mv)) && !self.avoid.contains(mv)
    }

    /// What is asked, in words.
    #[must_use]
    pub fn question(&self) -> String {
        let names = |moves: &[Move]| {
            let names = moves.iter().map(|&mv| self.position.san(mv).to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(format!("bm {}", names(&self.best)));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("am {}", names(&self.avoid)));
        }
        parts.extend(self.mate.map(|moves| format!("dm {moves}")));
        parts.join("; ")
    }
}

/// Reads a suite.
///
/// # Errors
/// If there is no such file, or a line makes no sense.
pub fn read_suite(path: &Path) -> Result<Vec<Problem>, SolveError> {
    let bytes = read_text(path, MOST_BYTES)?;
    let path = || path.to_owned();
    let mut problems = Vec::new();
    for (line, text) in lines(&bytes) {
        let fail = |error| SolveError::Line { path: path(), line, error };
        let text = text.map_err(|_| fail(LineError::NotText))?;
        problems.push(Problem::parse(text, problems.len() + 1).map_err(fail)?);
    }
    if problems.is_empty() {
        return Err(SolveError::Empty { path: path() });
    }
    Ok(problems)
}

/// What an engine made of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The problem's name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// What was asked.
    pub question: String,
    /// Was it solved?
    pub solved: bool,
    /// The move that was chosen, in algebraic notation.
    pub answer: Option<String>,
    /// What it was said to be worth.
    pub score: Option<String>,
    /// How deep the search was.
    pub depth: Option<u32>,
    /// How long it took in all.
    pub milliseconds: f64,
    /// How many nodes it took in all.
    pub nodes: u64,
    /// When the solution was found, if it was.
    pub milliseconds_to_solution: Option<f64>,
    /// After how many nodes.
    pub nodes_to_solution: Option<u64>,
    /// What went wrong, if the engine failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

/// What an engine made of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveReport {
    /// The engine.
    pub name: String,
    /// What it calls itself, with all that tells its build from others.
    pub engine: String,
    /// All positions that were tried, in the order of the suite.
    pub attempts: Vec<Attempt>,
    /// How many the suite has.
    pub problems: usize,
    /// How many were solved.
    pub solved: usize,
    /// The sum of the times to solution; an unsolved position counts with all the time it took.
    pub milliseconds: f64,
    /// The same in nodes.
    pub nodes: u64,
}

impl SolveReport {
    fn new([name, engine]: [String; 2], problems: usize, attempts: Vec<Attempt>) -> Self {
        Self {
            name,
            engine,
            problems,
            solved: attempts.iter().filter(|attempt| attempt.solved).count(),
            milliseconds: attempts
                .iter()
                .map(|attempt| attempt.milliseconds_to_solution.unwrap_or(attempt.milliseconds))
                .sum(),
            nodes: attempts
                .iter()
                .map(|attempt| attempt.nodes_to_solution.unwrap_or(attempt.nodes))
                .sum(),
            attempts,
        }
    }

    /// Was every position tried, rather than interrupted?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.attempts.len() == self.problems
    }
}

/// Lets an engine solve a suite, some positions at the same time. `progress` is called after every position.
///
/// # Errors
/// If the engine cannot be started. One that fails at a position is started again for the next.
pub fn solve(
    spec: &PlayerSpec,
    problems: &[Problem],
    limits: Option<PlayerLimits>,
    concurrency: usize,
    own_engine: &OwnEngine,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(&Attempt),
) -> Result<SolveReport, SolveError> {
    let limits = spec.limits.or(limits).ok_or(PlayerLimitsError::Unlimited)?;
    if limits.control.is_some() {
        return Err(SolveError::Clock);
    }
    let solver = Solver {
        spec,
        problems,
        limits: Limits {
            move_time: limits.move_time,
            depth: limits.depth,
            nodes: limits.nodes,
            ..Limits::default()
        },
        own_engine,
        watchdog: &Watchdog::new(interrupt).map_err(SolveError::Thread)?,
        next: AtomicUsize::new(0),
    };
    let first = Player::start(spec, own_engine)?;
    let names = [first.name(), first.identity()].map(str::to_owned);
    let mut attempts = vec![None; problems.len()];
    thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        let mut first = Some(first);
        for _ in 0..concurrency.clamp(1, problems.len().max(1)) {
            let (solver, done, first) = (&solver, done.clone(), first.take());
            thread::Builder::new()
                .spawn_scoped(scope, move || {
                    if let Err(error) = solver.work(first, &done) {
                        // The receiver lives as long as this thread.
                        let _ = done.send(Err(error));
                        solver.watchdog.halt();
                    }
                })
                .map_err(SolveError::Thread)?;
        }
        drop(done);
        for result in results {
            let (index, attempt) = result?;
            progress(&attempt);
            attempts[index] = Some(attempt);
        }
        Ok::<(), SolveError>(())
    })?;
    let attempts = attempts.into_iter().flatten().collect();
    Ok(SolveReport::new(names, problems.len(), attempts))
}

struct Solver<'a> {
    spec: &'a PlayerSpec,
    problems: &'a [Problem],
    limits: Limits,
    own_engine: &'a OwnEngine,
    watchdog: &'a Watchdog,
    next: AtomicUsize,
}

type Results = mpsc::Sender<Result<(usize, Attempt), SolveError>>;

impl Solver<'_> {
    fn work(&self, mut player: Option<Player>, done: &Results) -> Result<(), SolveError> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = self.problems.get(index) else {
                return Ok(());
            };
            let mut solving = match player.take() {
                Some(player) => player,
                None => Player::start(self.spec, self.own_engine)?,
            };
            let attempt = self.attempt(&mut solving, problem);
            if self.watchdog.is_halted() {
                return Ok(());
            }
            if attempt.failure.is_none() {
                player = Some(solving);
            }
            // The receiver is gone if another engine could not be started.
            if done.send(Ok((index, attempt))).is_err() {
                return Ok(());
            }
        }
    }

    fn attempt(&self, player: &mut Player, problem: &Problem) -> Attempt {
        let allowed = self.limits.move_time.unwrap_or_default() + DEFAULT_PATIENCE;
        let guard = self.watchdog.guard(allowed, player.kill());
        let begin = Instant::now();
        let found = Arc::new(Mutex::new(Found::default()));
        let report = {
            let (found, problem) = (Arc::clone(&found), problem.clone());
            move |event: &Event| {
                if let Event::Info(info) = event {
                    lock(&found).hear(&problem, info, begin.elapsed());
                }
            }
        };
        let reply = unwinding(player, |player| {
            player.prepare()?;
            let game = Game::new(problem.position.clone());
            player.think(&game, &self.limits, Some(Box::new(report)), &guard)
        });
        let took = begin.elapsed();
        let (result, failure) = match reply {
            Ok(reply) => (reply.result, None),
            Err(failure) => (SearchResult::default(), Some(describe(player, &failure))),
        };
        let info = result.info.as_ref();
        let score = info.map(|info| info.score);
        let nodes = info.map_or(0, |info| info.nodes);
        let solved = problem.is_solved_by(result.best.as_ref(), score);
        // A search too short to tell of itself has found what it says at its end.
        let since = solved.then(|| lock(&found).since.unwrap_or((took, nodes)));
        Attempt {
            id: problem.id.clone(),
            fen: problem.position.fen(),
            question: problem.question(),
            solved,
            answer: result.best.map(|mv| problem.position.san(mv).to_string()),
            score: score.map(|score| score.to_string()),
            depth: info.map(|info| info.depth),
            milliseconds: milliseconds(took),
            nodes,
            milliseconds_to_solution: since.map(|(time, _)| milliseconds(time)),
            nodes_to_solution: since.map(|(_, nodes)| nodes),
            failure,
        }
    }
}

/// Since when, and since how many nodes, the solution stands.
#[derive(Default)]
struct Found {
    since: Option<(Duration, u64)>,
}

impl Found {
    fn hear(&mut self, problem: &Problem, info: &Info, now: Duration) {
        if info.line != 1 || info.pv.is_empty() {
            return;
        }
        if !problem.is_solved_by(info.pv.first(), Some(info.score)) {
            self.since = None;
        } else if self.since.is_none() {
            self.since = Some((now, info.nodes));
        }
    }
}

fn describe(player: &Player, failure: &Failure) -> String {
    let (Failure::ToBegin(error) | Failure::ToDecide(error)) = failure;
    match error {
        AnalystError::Gone { .. } => format!("{error}{}", player.last_words()),
        _ => error.to_string(),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests;
