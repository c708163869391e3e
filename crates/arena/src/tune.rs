//! Tuning an engine's numeric options by games of the engine against itself.
//!
//! The mathematics are in [`spsa`](crate::stats::spsa). Here every iteration becomes a few pairs of games
//! between the engine with the values of the plus side and the engine with those of the minus side.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabiya_chess::{Color, Excerpt};
use tabiya_engine::{OptionKind, OptionSpec};
use thiserror::Error;

use crate::clock::PlayerLimits;
use crate::game::{GameRules, PlayedGame};
use crate::journal::{Journal, JournalError};
use crate::openings::{Opening, Openings};
use crate::player::{OwnEngine, Player, PlayerSpec};
use crate::results::{PlayerResult, Wdl};
use crate::runner::{ArenaError, GameQueue, Job, PlayerPool, run};
use crate::stats::spsa::{Parameter, Perturbation, Spsa};
use crate::watchdog::Interrupt;

/// The last shift of a parameter that says nothing else, as a share of its range.
const DEFAULT_SHIFT_SHARE: f64 = 0.05;

/// The last learning rate of a parameter that says nothing else; a usual one.
const DEFAULT_RATE: f64 = 0.002;

/// A parameter as a user asks for it; what is left out comes from the engine's option.
///
/// ```
/// use tabiya_arena::tune::ParameterWish;
/// let wish: ParameterWish = "Razor Margin, value=300, c=20".parse()?;
/// assert_eq!((wish.name.as_str(), wish.value, wish.min), ("Razor Margin", Some(300.0), None));
/// # Ok::<(), tabiya_arena::tune::ParameterError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParameterWish {
    /// The option's name.
    pub name: String,
    /// Where to start; the default, if left out.
    pub value: Option<f64>,
    /// The least value; the option's, if left out.
    pub min: Option<f64>,
    /// The greatest value; the option's, if left out.
    pub max: Option<f64>,
    /// The shift in the last iteration; a twentieth of the range, if left out.
    pub c_end: Option<f64>,
    /// The learning rate in the last iteration; 0.002, if left out.
    pub r_end: Option<f64>,
}

/// Why a parameter cannot be tuned.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParameterError {
    /// Not a parameter.
    #[error(
        "{0} is not a parameter; write its name and what should not be as the engine has it, as in RazorMargin, value=300, min=100, max=500, c=20, r=0.002"
    )]
    Malformed(Excerpt),
    /// The engine does not have it.
    #[error("{engine} has no option \"{name}\"")]
    Unknown {
        /// The engine.
        engine: String,
        /// The option.
        name: String,
    },
    /// It is not a number.
    #[error("the option \"{name}\" of {engine} is not a number")]
    NotANumber {
        /// The engine.
        engine: String,
        /// The option.
        name: String,
    },
    /// The engine would refuse values that the tuning may try.
    #[error("\"{name}\" should stay between {min} and {max}, as {engine} has it")]
    OutsideRange {
        /// The engine.
        engine: String,
        /// The option.
        name: String,
        /// The least it takes.
        min: i64,
        /// The most it takes.
        max: i64,
    },
}

impl FromStr for ParameterWish {
    type Err = ParameterError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || ParameterError::Malformed(Excerpt::of(text));
        let mut parts = text.split(',').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty());
        let mut wish = Self { name: name.ok_or_else(malformed)?.to_owned(), ..Self::default() };
        for part in parts {
            let (key, value) = part.split_once('=').ok_or_else(malformed)?;
            let slot = match key.trim() {
                "value" => &mut wish.value,
                "min" => &mut wish.min,
                "max" => &mut wish.max,
                "c" => &mut wish.c_end,
                "r" => &mut wish.r_end,
                _ => return Err(malformed()),
            };
            let value: f64 = value.trim().parse().map_err(|_| malformed())?;
            if slot.replace(value).is_some() {
                return Err(malformed());
            }
        }
        Ok(wish)
    }
}

impl ParameterWish {
    fn fulfil(&self, engine: &str, options: &[OptionSpec]) -> Result<Parameter, ParameterError> {
        let (engine, name) = (engine.to_owned(), self.name.clone());
        let found = options.iter().find(|spec| spec.name.eq_ignore_ascii_case(&name));
        let Some(spec) = found else {
            return Err(ParameterError::Unknown { engine, name });
        };
        let OptionKind::Spin { default, min, max } = spec.kind else {
            return Err(ParameterError::NotANumber { engine, name });
        };
        let (lowest, highest) = (self.min.unwrap_or(min as f64), self.max.unwrap_or(max as f64));
        if lowest < min as f64 || highest > max as f64 {
            return Err(ParameterError::OutsideRange { engine, name, min, max });
        }
        let shift = DEFAULT_SHIFT_SHARE * (highest - lowest);
        Ok(Parameter {
            name: spec.name.clone(),
            value: self.value.unwrap_or(default as f64),
            min: lowest,
            max: highest,
            c_end: self.c_end.unwrap_or(shift),
            r_end: self.r_end.unwrap_or(DEFAULT_RATE),
        })
    }
}

/// What is tuned, and how.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The engine.
    pub player: PlayerSpec,
    /// What of it.
    pub parameters: Vec<ParameterWish>,
    /// How many iterations.
    pub iterations: u64,
    /// How many pairs of games make an iteration.
    pub pairs: u32,
    /// Where chance comes from.
    pub seed: u64,
    /// How long the engine may think.
    pub limits: Option<PlayerLimits>,
    /// What holds for all games.
    pub rules: GameRules,
    /// Where games begin.
    pub openings: Openings,
    /// How many games at a time.
    pub concurrency: usize,
    /// The file that remembers the results.
    pub journal: Option<PathBuf>,
}

/// How far a tuning has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneStatus {
    /// The engine.
    pub name: String,
    /// What it calls itself, with all that tells its build from others.
    pub engine: String,
    /// The parameters as they stand.
    pub parameters: Vec<Parameter>,
    /// Iterations that are done.
    pub finished: u64,
    /// Iterations in all.
    pub iterations: u64,
    /// All games so far, as the plus side saw them.
    pub games: Wdl,
    /// Games that ended because somebody failed: a value may be more than the engine can take.
    pub faults: u64,
}

/// The result of an iteration, as the journal has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IterationRecord {
    iteration: u64,
    games: Wdl,
    faults: u64,
    /// Tells its first opening from others.
    opening_key: u64,
}

#[derive(Serialize)]
struct Recipe<'a> {
    player: &'a PlayerSpec,
    name: &'a str,
    limits: &'a [PlayerLimits],
    rules: &'a GameRules,
    seed: u64,
    iterations: u64,
    pairs: u32,
    parameters: &'a [Parameter],
}

#[derive(Serialize, Deserialize)]
struct Header {}

/// Tunes an engine, or goes on with it. `progress` is told of every iteration.
///
/// # Errors
/// If the engine cannot be started or has no such options, or something cannot be written.
pub fn tune(
    plan: &TunePlan,
    own_engine: &OwnEngine,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(&TuneStatus),
) -> Result<TuneStatus, ArenaError> {
    let mut example = Player::start(&plan.player, own_engine)?;
    let (name, engine) = (example.name().to_owned(), example.identity().to_owned());
    let options = example.analyst().options().to_vec();
    drop(example);
    let wishes = plan.parameters.iter();
    let parameters =
        wishes.map(|wish| wish.fulfil(&name, &options)).collect::<Result<Vec<_>, _>>()?;
    let spsa = Spsa::new(parameters, plan.iterations, plan.seed)?;

    let sides = [plan.player.clone(), plan.player.clone()];
    let pool = PlayerPool::start(&sides, plan.limits, plan.concurrency, own_engine)?;
    let mut tuning = Tuning {
        plan,
        status: TuneStatus {
            name,
            engine,
            parameters: Vec::new(),
            finished: 0,
            iterations: plan.iterations,
            games: Wdl::default(),
            faults: 0,
        },
        spsa,
        underway: BTreeMap::new(),
        journal: None,
        progress,
    };
    if let Some(path) = &plan.journal {
        let recipe = Recipe {
            player: &plan.player,
            name: &tuning.status.name,
            limits: pool.limits(),
            rules: &plan.rules,
            seed: plan.seed,
            iterations: plan.iterations,
            pairs: plan.pairs,
            parameters: tuning.spsa.parameters(),
        };
        let (journal, past) = Journal::open(path, "tuning", &recipe, Header {})?;
        let records: Vec<IterationRecord> = past.results;
        for record in records {
            if tuning.opening(record.iteration, 0).key() != record.opening_key {
                let path = path.clone();
                let differences =
                    vec![format!("iteration {} had another opening", record.iteration)];
                return Err(JournalError::OtherRecipe { path, differences }.into());
            }
            tuning.count(record)?;
        }
        tuning.journal = Some(journal);
    }
    run(&pool, &plan.rules, plan.concurrency, interrupt, &mut tuning)?;
    tuning.refresh();
    Ok(tuning.status)
}

struct Tuning<'a> {
    plan: &'a TunePlan,
    status: TuneStatus,
    spsa: Spsa,
    /// Iterations that are being played.
    underway: BTreeMap<u64, Underway>,
    journal: Option<Journal>,
    progress: &'a mut dyn FnMut(&TuneStatus),
}

/// An iteration that is being played.
struct Underway {
    perturbation: Perturbation,
    /// How many of its games were handed out.
    given: u64,
    so_far: IterationRecord,
}

impl Tuning<'_> {
    fn games(&self) -> u64 {
        2 * u64::from(self.plan.pairs.max(1))
    }

    fn refresh(&mut self) {
        self.status.parameters = self.spsa.parameters().to_vec();
        self.status.finished = self.spsa.finished();
    }

    fn count(&mut self, record: IterationRecord) -> Result<(), ArenaError> {
        self.spsa.update(record.iteration, record.games)?;
        self.status.games.merge(record.games);
        self.status.faults += record.faults;
        self.refresh();
        Ok(())
    }

    /// Where a game of an iteration begins.
    fn opening(&self, iteration: u64, game: u64) -> Arc<Opening> {
        let before = iteration.saturating_sub(1).saturating_mul(self.games() / 2);
        self.plan.openings.get(before.saturating_add(game / 2))
    }

    /// The iteration that has games to hand out: one that is under way, or else a new one.
    fn open_iteration(&mut self) -> Option<u64> {
        let games = self.games();
        let mut underway = self.underway.iter();
        if let Some((&iteration, _)) = underway.find(|(_, state)| state.given < games) {
            return Some(iteration);
        }
        let new = self.spsa.unfinished().find(|k| !self.underway.contains_key(k))?;
        // The number is one that is left to play.
        let perturbation = self.spsa.perturbation(new).ok()?;
        let opening_key = self.opening(new, 0).key();
        let so_far =
            IterationRecord { iteration: new, games: Wdl::default(), faults: 0, opening_key };
        self.underway.insert(new, Underway { perturbation, given: 0, so_far });
        Some(new)
    }
}

impl GameQueue for Tuning<'_> {
    fn next(&mut self) -> Option<Job> {
        let iteration = self.open_iteration()?;
        let state = self.underway.get_mut(&iteration)?;
        let game = state.given;
        state.given += 1;
        let [plus, minus] = state.perturbation.rounded().map(|values| {
            let named = self.spsa.parameters().iter().zip(values);
            let settings =
                named.map(|(parameter, value)| (parameter.name.clone(), value.to_string()));
            settings.collect::<Vec<_>>()
        });
        // Plus plays White in the first game of a pair, minus in the second.
        let (players, options) = match game % 2 {
            0 => ([0, 1], [plus, minus]),
            _ => ([1, 0], [minus, plus]),
        };
        Some(Job { number: iteration, players, opening: self.opening(iteration, game), options })
    }

    fn finished(&mut self, job: Job, game: PlayedGame) -> Result<ControlFlow<()>, ArenaError> {
        let games = self.games();
        let Some(state) = self.underway.get_mut(&job.number) else {
            return Ok(ControlFlow::Continue(()));
        };
        let plus = Color::ALL[usize::from(job.players[0] != 0)];
        state.so_far.games.record(PlayerResult::of(game.ending.result, plus));
        state.so_far.faults += u64::from(game.ending.reason.is_fault());
        if state.so_far.games.games() == games {
            let record = state.so_far;
            self.underway.remove(&job.number);
            if let Some(journal) = &mut self.journal {
                journal.write(&record)?;
            }
            self.count(record)?;
            (self.progress)(&self.status);
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests;
