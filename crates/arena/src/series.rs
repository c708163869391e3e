//! A series of games by a schedule: played, written down, and taken up again where it was left.
//!
//! Matches and tournaments are such series, and differ only in what they make of the results.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabiya_chess::Color;

use crate::clock::PlayerLimits;
use crate::game::{Ending, GameRules, PlayedGame};
use crate::journal::{Journal, JournalError};
use crate::openings::Openings;
use crate::pairing::{Format, Schedule, ScheduledGame};
use crate::pgn::{self, GameTags, PgnFile};
use crate::player::{OwnEngine, PlayerSpec};
use crate::results::PlayerResult;
use crate::runner::{ArenaError, GameQueue, Job, PlayerPool, run};
use crate::stats::sprt::Sprt;
use crate::watchdog::Interrupt;

/// What is played, how, and where it is written down.
#[derive(Clone, Debug)]
pub struct SeriesPlan {
    /// What the games are called in PGN.
    pub event: String,
    /// How long everybody may think who does not bring limits of his own.
    pub limits: Option<PlayerLimits>,
    /// What holds for all games.
    pub rules: GameRules,
    /// Where games begin, each opening once with each color.
    pub openings: Openings,
    /// How many games at a time.
    pub concurrency: usize,
    /// The file that games are appended to.
    pub pgn: Option<PathBuf>,
    /// The file that remembers the results; without one, an interrupted series starts again.
    pub journal: Option<PathBuf>,
}

/// The result of a game, as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the schedule.
    #[serde(flatten)]
    pub game: ScheduledGame,
    /// How it ended.
    #[serde(flatten)]
    pub ending: Ending,
    /// How many moves were played by the engines.
    pub plies: usize,
    /// How long it took.
    pub milliseconds: u64,
    /// Tells the opening from others.
    opening_key: u64,
    /// How long the file of games is with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pgn_length: Option<u64>,
}

impl GameRecord {
    /// The result as White sees it.
    #[must_use]
    pub fn outcome_for_white(&self) -> PlayerResult {
        PlayerResult::of(self.ending.result, Color::White)
    }
}

/// All that makes results comparable. How many games, and how many at a time, does not.
#[derive(Serialize)]
struct Recipe<'a> {
    players: &'a [PlayerSpec],
    names: &'a [String],
    limits: &'a [PlayerLimits],
    format: Format,
    rules: &'a GameRules,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Sprt>,
    pgn: &'a Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    /// How long the file of games was before.
    pgn_start: u64,
}

/// A series that is about to be played, or to be taken up again.
pub(crate) struct Series<'a> {
    plan: &'a SeriesPlan,
    pool: PlayerPool<'a>,
    schedule: Schedule,
    pgn: Option<PgnFile>,
    journal: Option<Journal>,
    past: Vec<GameRecord>,
}

/// Told of each result, old or new; says whether to go on.
pub(crate) type Observer<'a> = dyn FnMut(&GameRecord) -> Result<ControlFlow<()>, ArenaError> + 'a;

impl<'a> Series<'a> {
    pub(crate) fn open(
        plan: &'a SeriesPlan,
        players: &'a [PlayerSpec],
        (format, cycles): (Format, u32),
        sprt: Option<Sprt>,
        own_engine: &'a OwnEngine,
    ) -> Result<Self, ArenaError> {
        let schedule = Schedule::new(format, players.len(), cycles)?;
        let pool = PlayerPool::start(players, plan.limits, plan.concurrency, own_engine)?;
        let mut pgn = plan.pgn.as_deref().map(PgnFile::open).transpose()?;
        let mut journal = None;
        let mut past: Vec<GameRecord> = Vec::new();
        if let Some(path) = &plan.journal {
            let recipe = Recipe {
                players,
                names: pool.names(),
                limits: pool.limits(),
                format,
                rules: &plan.rules,
                sprt,
                pgn: &plan.pgn,
            };
            let header = Header { pgn_start: pgn.as_ref().map_or(0, PgnFile::length) };
            let (opened, read) = Journal::open(path, "series of games", &recipe, header)?;
            past = read.results;
            check_openings(path, &past, &plan.openings)?;
            let last = past.last().and_then(|record| record.pgn_length);
            take_up(pgn.as_mut(), last.unwrap_or(read.header.pgn_start))?;
            journal = Some(opened);
        }
        Ok(Self { plan, pool, schedule, pgn, journal, past })
    }

    /// The players' names, no two the same.
    pub(crate) fn names(&self) -> &[String] {
        self.pool.names()
    }

    /// Their own names, with all that tells builds apart.
    pub(crate) fn identities(&self) -> &[String] {
        self.pool.identities()
    }

    /// How many games there are in all.
    pub(crate) fn games(&self) -> u64 {
        self.schedule.games()
    }

    /// Tells of all games that were played before, and plays the others.
    pub(crate) fn play(
        self,
        interrupt: &Interrupt,
        observe: &mut Observer<'_>,
    ) -> Result<(), ArenaError> {
        for record in &self.past {
            if observe(record)?.is_break() {
                return Ok(());
            }
        }
        let mut done: Vec<u64> = self.past.iter().map(|record| record.game.index).collect();
        done.sort_unstable();
        let mut playing = Playing {
            plan: self.plan,
            pool: &self.pool,
            schedule: self.schedule,
            next: 0,
            done,
            pgn: self.pgn,
            journal: self.journal,
            observe,
        };
        let plan = self.plan;
        run(&self.pool, &plan.rules, plan.concurrency, interrupt, &mut playing)
    }
}

/// The openings must be the same as far as they were played; there may be more now.
fn check_openings(
    path: &Path,
    past: &[GameRecord],
    openings: &Openings,
) -> Result<(), JournalError> {
    let changed =
        past.iter().find(|record| openings.get(record.game.opening).key() != record.opening_key);
    match changed {
        None => Ok(()),
        Some(record) => Err(JournalError::OtherRecipe {
            path: path.to_owned(),
            differences: vec![format!("game {} had another opening", record.game.index + 1)],
        }),
    }
}

/// Makes a file of games what it was when the journal was last written.
fn take_up(pgn: Option<&mut PgnFile>, expected: u64) -> Result<(), ArenaError> {
    let Some(pgn) = pgn else { return Ok(()) };
    if pgn.length() < expected {
        return Err(ArenaError::PgnShrunk {
            path: pgn.path().to_owned(),
            expected,
            found: pgn.length(),
        });
    }
    Ok(pgn.cut_back(expected)?)
}

struct Playing<'a, 'o> {
    plan: &'a SeriesPlan,
    pool: &'a PlayerPool<'a>,
    schedule: Schedule,
    next: u64,
    /// Games that were played before, sorted.
    done: Vec<u64>,
    pgn: Option<PgnFile>,
    journal: Option<Journal>,
    observe: &'a mut Observer<'o>,
}

impl GameQueue for Playing<'_, '_> {
    fn next(&mut self) -> Option<Job> {
        while self.done.binary_search(&self.next).is_ok() {
            self.next += 1;
        }
        let game = self.schedule.game(self.next)?;
        self.next += 1;
        Some(Job {
            number: game.index,
            players: [game.white, game.black],
            opening: self.plan.openings.get(game.opening),
            options: Default::default(),
        })
    }

    fn finished(&mut self, job: Job, game: PlayedGame) -> Result<ControlFlow<()>, ArenaError> {
        let Some(scheduled) = self.schedule.game(job.number) else {
            return Ok(ControlFlow::Continue(()));
        };
        // The games first: a game that the journal knows has been written down.
        if let Some(pgn) = &mut self.pgn {
            let tags = GameTags {
                event: &self.plan.event,
                round: format!("{}.{}", scheduled.pair + 1, scheduled.index % 2 + 1),
                names: job.players.map(|player| &*self.pool.names()[player]),
                identities: job.players.map(|player| &*self.pool.identities()[player]),
                limits: job.players.map(|player| self.pool.limits()[player]),
            };
            pgn.append(&pgn::write(&game, &tags))?;
        }
        let record = GameRecord {
            game: scheduled,
            plies: game.moves.len(),
            milliseconds: game.duration.as_millis() as u64,
            ending: game.ending,
            opening_key: game.opening.key(),
            pgn_length: self.pgn.as_ref().map(PgnFile::length),
        };
        if let Some(journal) = &mut self.journal {
            journal.write(&record)?;
        }
        (self.observe)(&record)
    }
}
