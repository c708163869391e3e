//! Games, several at a time: one thread for each, which does nothing but wait for its engines.
//!
//! All that is decided (what to play next, what a result means, when to stop) is decided in the thread
//! that called, one thing after the other; the others only play what they are given.

use std::any::Any;
use std::io;
use std::ops::ControlFlow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;

use tabiya_chess::Color;
use tabiya_engine::Engine;
use thiserror::Error;

use crate::clock::{PlayerLimits, PlayerLimitsError};
use crate::game::{GamePlayer, GameRules, PlayedGame, play, unwinding};
use crate::journal::JournalError;
use crate::openings::Opening;
use crate::pairing::ScheduleError;
use crate::pgn::PgnError;
use crate::player::{EngineSpec, OwnEngine, Player, PlayerSpec, StartError};
use crate::process::Protocol;
use crate::results::ResultTableError;
use crate::stats::spsa::SpsaError;
use crate::tune::ParameterError;
use crate::watchdog::{Interrupt, Watchdog};
use tabiya_engine::lock;

/// Why games could not be played to the end. What was finished before is safe.
#[derive(Debug, Error)]
pub enum ArenaError {
    /// An engine cannot play.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A player could think for ever.
    #[error("{player}: {error}")]
    Limits {
        /// Who.
        player: String,
        /// What is missing.
        error: PlayerLimitsError,
    },
    /// A limit that the protocol has no word for.
    #[error(
        "{0} speaks CECP, which has no word for nodes; give it tc=, movetime= or depth= instead"
    )]
    NodesInCecp(String),
    /// The anchor of the ratings does not play.
    #[error("{name}, whose rating is to be the anchor, does not play; it is one of {names}")]
    NoSuchAnchor {
        /// Who was named.
        name: String,
        /// Who plays.
        names: String,
    },
    /// There is no such schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The results cannot be counted.
    #[error(transparent)]
    Results(#[from] ResultTableError),
    /// The tuning makes no sense.
    #[error(transparent)]
    Spsa(#[from] SpsaError),
    /// A parameter cannot be tuned.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The journal cannot be kept.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The games cannot be written down.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// Games that the journal knows are missing.
    #[error("{path} has lost games since: it should have {expected} bytes and has {found}")]
    PgnShrunk {
        /// The file.
        path: std::path::PathBuf,
        /// How long it was.
        expected: u64,
        /// How long it is.
        found: u64,
    },
    /// There is no thread for it.
    #[error("a thread cannot be started")]
    Thread(#[source] io::Error),
}

/// A game to be played.
pub(crate) struct Job {
    /// What the queue calls it.
    pub(crate) number: u64,
    /// White and Black.
    pub(crate) players: [usize; 2],
    /// Where it begins.
    pub(crate) opening: Arc<Opening>,
    /// What White and Black have to set before.
    pub(crate) options: [Vec<(String, String)>; 2],
}

/// Who knows what to play.
pub(crate) trait GameQueue {
    /// The next game; nothing if there is none for now.
    fn next(&mut self) -> Option<Job>;

    /// Takes note of a game, and says whether to go on.
    fn finished(&mut self, job: Job, game: PlayedGame) -> Result<ControlFlow<()>, ArenaError>;
}

/// The players, as many of each as are needed at a time.
pub(crate) struct PlayerPool<'a> {
    /// With the protocols that were found out.
    specs: Vec<PlayerSpec>,
    own_engine: &'a OwnEngine,
    names: Vec<String>,
    identities: Vec<String>,
    limits: Vec<PlayerLimits>,
    /// The most players that are kept running at a time.
    max_running: usize,
    running: Mutex<Running>,
}

/// The players that have been started.
#[derive(Default)]
struct Running {
    /// Those without a game, by their numbers.
    idle: Vec<(usize, Player)>,
    playing: usize,
}

impl<'a> PlayerPool<'a> {
    /// Starts everybody once, to see that they can and how they are called.
    pub(crate) fn start(
        specs: &[PlayerSpec],
        limits: Option<PlayerLimits>,
        concurrency: usize,
        own_engine: &'a OwnEngine,
    ) -> Result<Self, ArenaError> {
        let limits = specs.iter().map(|spec| {
            spec.limits.or(limits).ok_or_else(|| ArenaError::Limits {
                player: spec.to_string(),
                error: PlayerLimitsError::Unlimited,
            })
        });
        let limits = limits.collect::<Result<Vec<_>, _>>()?;
        let max_running = 2 * concurrency.max(1);
        let mut running = Running::default();
        let (mut names, mut identities): (Vec<String>, Vec<String>) = Default::default();
        let mut specs = specs.to_vec();
        for (index, spec) in specs.iter_mut().enumerate() {
            let player = Player::start(spec, own_engine)?;
            // Who comes back after a crash need not be asked again what he speaks.
            if let (EngineSpec::Process(process), Some(spoken)) =
                (&mut spec.engine, player.protocol())
            {
                process.protocol = spoken;
            }
            if limits[index].nodes.is_some() && player.protocol() == Some(Protocol::Cecp) {
                return Err(ArenaError::NodesInCecp(player.name().to_owned()));
            }
            names.push(unlike(&names, player.name()));
            identities.push(player.identity().to_owned());
            if running.idle.len() < max_running {
                running.idle.push((index, player));
            }
        }
        let running = Mutex::new(running);
        Ok(Self { specs, own_engine, names, identities, limits, max_running, running })
    }

    /// The players' names, no two the same.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// Their own names, with all that tells builds apart.
    pub(crate) fn identities(&self) -> &[String] {
        &self.identities
    }

    /// How long each may think.
    pub(crate) fn limits(&self) -> &[PlayerLimits] {
        &self.limits
    }

    /// An idle player who is fit for another game, or else a new one.
    fn take(
        &self,
        index: usize,
        rules: &GameRules,
        watchdog: &Watchdog,
    ) -> Result<Player, StartError> {
        let mut running = lock(&self.running);
        running.playing += 1;
        let is_wanted = |(other, _): &(usize, Player)| *other == index;
        let idle = running.idle.iter().position(is_wanted);
        let idle = idle.map(|place| running.idle.swap_remove(place).1);
        let full = running.playing + running.idle.len() > self.max_running;
        let leaving = (idle.is_none() && full).then(|| running.idle.pop());
        drop(running);
        // Saying good-bye may take a while; others need not wait for it.
        drop(leaving);
        if let Some(mut player) = idle {
            // Between games nothing is lost; and some engines play only one each time they are started.
            let _guard = watchdog.guard(rules.patience, player.kill());
            if unwinding(&mut player, Player::prepare).is_ok() {
                return Ok(player);
            }
        }
        let started = Player::start(&self.specs[index], self.own_engine);
        if started.is_err() {
            self.lose();
        }
        started
    }

    /// A player is idle again.
    fn give_back(&self, index: usize, player: Player) {
        let mut running = lock(&self.running);
        running.playing -= 1;
        running.idle.push((index, player));
    }

    /// A player will not come back.
    fn lose(&self) {
        lock(&self.running).playing -= 1;
    }

    fn play(
        &self,
        job: &Job,
        rules: &GameRules,
        watchdog: &Watchdog,
    ) -> Result<Option<PlayedGame>, StartError> {
        let [white, black] = job.players;
        let mut players = [self.take(white, rules, watchdog)?, self.take(black, rules, watchdog)?];
        for (player, options) in players.iter_mut().zip(&job.options) {
            for (name, value) in options {
                player.set_option(name, value)?;
            }
        }
        let [first, second] = &mut players;
        let both = [(first, white), (second, black)]
            .map(|(player, index)| GamePlayer { player, limits: self.limits[index] });
        let game = play(both, &job.opening, rules, watchdog);
        let failed = game.as_ref().and_then(PlayedGame::failed);
        for ((player, index), color) in players.into_iter().zip(job.players).zip(Color::ALL) {
            // A player that failed is in an unknown state, and so is one whose search was broken off by a
            // stop that it may not have obeyed. The next game gets a new one.
            if failed == Some(color) || game.is_none() {
                drop(player);
                self.lose();
            } else {
                self.give_back(index, player);
            }
        }
        Ok(game)
    }
}

/// The name, with a number if others have it too.
fn unlike(others: &[String], name: &str) -> String {
    let taken = |name: &String| others.contains(name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}

/// What a thread has to tell.
enum Report {
    Finished(Job, PlayedGame),
    BrokenOff,
    Failed(StartError),
    Panicked(Box<dyn Any + Send>),
}

/// Plays all games of a queue, some at the same time. Returns early if the queue says so, or the
/// interrupt is raised; games that are under way then are dropped.
pub(crate) fn run(
    pool: &PlayerPool<'_>,
    rules: &GameRules,
    concurrency: usize,
    interrupt: &Interrupt,
    queue: &mut dyn GameQueue,
) -> Result<(), ArenaError> {
    let watchdog = Watchdog::new(interrupt).map_err(ArenaError::Thread)?;
    thread::scope(|scope| {
        let (report, reports) = mpsc::channel();
        let mut boards = Vec::new();
        for board in 0..concurrency.max(1) {
            let (give, jobs) = mpsc::channel();
            let (report, watchdog) = (report.clone(), &watchdog);
            thread::Builder::new()
                .name(format!("board {}", board + 1))
                // Engines of this process search here.
                .stack_size(Engine::SEARCH_STACK)
                .spawn_scoped(scope, move || {
                    for job in jobs {
                        let done = play_job(pool, rules, watchdog, job);
                        if report.send((board, done)).is_err() {
                            break;
                        }
                    }
                })
                .map_err(ArenaError::Thread)?;
            boards.push(give);
        }
        dispatch(&boards, &reports, &watchdog, queue)
    })
}

fn play_job(pool: &PlayerPool<'_>, rules: &GameRules, watchdog: &Watchdog, job: Job) -> Report {
    // A mistake of ours must not leave the others waiting for this thread.
    let played = panic::catch_unwind(AssertUnwindSafe(|| pool.play(&job, rules, watchdog)));
    match played {
        Ok(Ok(Some(game))) => Report::Finished(job, game),
        Ok(Ok(None)) => Report::BrokenOff,
        Ok(Err(error)) => Report::Failed(error),
        Err(payload) => Report::Panicked(payload),
    }
}

fn dispatch(
    boards: &[Sender<Job>],
    reports: &Receiver<(usize, Report)>,
    watchdog: &Watchdog,
    queue: &mut dyn GameQueue,
) -> Result<(), ArenaError> {
    let mut idle: Vec<usize> = (0..boards.len()).collect();
    let mut outcome = Ok(());
    loop {
        while !watchdog.is_halted()
            && let Some(&board) = idle.last()
            && let Some(job) = queue.next()
            && boards[board].send(job).is_ok()
        {
            idle.pop();
        }
        if idle.len() == boards.len() {
            return outcome;
        }
        let Ok((board, report)) = reports.recv() else {
            return outcome;
        };
        idle.push(board);
        match report {
            // What was finished counts, even if it is not needed any more.
            Report::Finished(job, game) if outcome.is_ok() => match queue.finished(job, game) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => watchdog.halt(),
                Err(error) => outcome = Err(error),
            },
            Report::Finished(..) | Report::BrokenOff => {}
            Report::Failed(error) => outcome = Err(error.into()),
            Report::Panicked(payload) => {
                watchdog.halt();
                panic::resume_unwind(payload);
            }
        }
        if outcome.is_err() {
            watchdog.halt();
        }
    }
}
