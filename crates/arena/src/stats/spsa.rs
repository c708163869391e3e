//! Tuning many constants at once, by simultaneous perturbation (Spall's SPSA).
//!
//! Every iteration shifts *all* parameters at random, each up or down by its own c, lets the engine
//! with these values (plus) play the engine with the opposite shifts (minus), and moves every
//! parameter a little towards the side that won. The direction of one iteration is mostly chance; the
//! sum of thousands is the way uphill, and it costs the same for one parameter as for a hundred.
//!
//! With N iterations, the k-th of them shifts by c·(N/k)^γ and moves by a·((A+N)/(A+k))^α divided by
//! that shift, times the plus side's wins minus losses. As users of other tuners know it, each
//! parameter states where it wants to end: `c_end` is its last shift, worth a few Elo, and `r_end` its
//! last learning rate, which gives a = r_end·c_end².
//!
//! The state is plain data. The shifts of an iteration follow from the seed and its number alone, so a
//! tuning that was interrupted goes on with [`Spsa::unfinished`] as if nothing had happened, and
//! iterations may be played side by side and finish in any order.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::results::Wdl;
use tabiya_chess::rng::SplitMix64;

/// How fast the learning rate falls; Spall's advice for runs of finite length.
const ALPHA: f64 = 0.602;

/// How fast the shifts shrink; Spall's advice for runs of finite length.
const GAMMA: f64 = 0.101;

/// The share of the iterations by which the fall of the learning rate is delayed.
const STABILITY_SHARE: f64 = 0.1;

/// No constant of an engine is larger; up to here nothing can overflow, and every whole number is exact.
const MAX_MAGNITUDE: f64 = 1e15;

/// One constant of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// What the engine calls it.
    pub name: String,
    /// The value so far.
    pub value: f64,
    /// The least value allowed.
    pub min: f64,
    /// The greatest value allowed.
    pub max: f64,
    /// The shift in the last iteration.
    pub c_end: f64,
    /// The learning rate in the last iteration.
    pub r_end: f64,
}

/// Why a tuning cannot start, go on, or be read.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpsaError {
    /// There is nothing to tune.
    #[error("a tuning needs one parameter at least")]
    NoParameters,
    /// There is no time to tune.
    #[error("a tuning needs one iteration at least")]
    NoIterations,
    /// Two parameters could not be told apart.
    #[error("parameter \"{0}\" is given twice")]
    DuplicateName(String),
    /// A value that is no number, or one beyond all bounds.
    #[error("{field} of parameter \"{name}\" should be an ordinary number, not {value}")]
    NotOrdinary {
        /// The parameter.
        name: String,
        /// Which of its numbers.
        field: &'static str,
        /// The number.
        value: f64,
    },
    /// No room to move in.
    #[error("parameter \"{name}\" has min {min}, which should be less than max {max}")]
    EmptyRange {
        /// The parameter.
        name: String,
        /// Its least value.
        min: f64,
        /// Its greatest value.
        max: f64,
    },
    /// The start is out of bounds.
    #[error("parameter \"{name}\" starts at {value}, which should lie between {min} and {max}")]
    OutsideRange {
        /// The parameter.
        name: String,
        /// Where it starts.
        value: f64,
        /// Its least value.
        min: f64,
        /// Its greatest value.
        max: f64,
    },
    /// A shift or a rate that leads nowhere.
    #[error("{field} of parameter \"{name}\" should be greater than 0, not {value}")]
    NotPositive {
        /// The parameter.
        name: String,
        /// Which of its numbers.
        field: &'static str,
        /// The number.
        value: f64,
    },
    /// There is no such iteration.
    #[error("there is no iteration {iteration}: they are counted from 1 to {iterations}")]
    NoSuchIteration {
        /// The number asked for.
        iteration: u64,
        /// The last one.
        iterations: u64,
    },
    /// A result must not be counted twice.
    #[error("iteration {0} was finished before; its result counts only once")]
    FinishedBefore(u64),
}

/// The values with which the two sides of an iteration play, in the order of the parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Perturbation {
    /// The number of the iteration.
    pub iteration: u64,
    /// The values of the side whose result is counted.
    pub plus: Vec<f64>,
    /// The values of its opponent.
    pub minus: Vec<f64>,
    /// One number in [0, 1) per parameter, at which fractions are rounded up.
    thresholds: Vec<f64>,
}

impl Perturbation {
    /// Whole numbers for engines that take no others: first those of plus, then those of minus.
    ///
    /// A fraction is rounded up as often as it is large (both sides at the same threshold), so that
    /// even a shift of less than one half is felt, on average exactly as large as it is.
    #[must_use]
    pub fn rounded(&self) -> [Vec<i64>; 2] {
        [&self.plus, &self.minus].map(|values| {
            let round = |(value, threshold): (&f64, &f64)| (value + threshold).floor() as i64;
            values.iter().zip(&self.thresholds).map(round).collect()
        })
    }
}

/// A tuning: its parameters as they stand, and which iterations are finished.
///
/// ```
/// use tabiya_arena::results::Wdl;
/// use tabiya_arena::stats::spsa::{Parameter, Spsa};
///
/// let margin = Parameter {
///     name: "RazorMargin".into(),
///     value: 300.0,
///     min: 100.0,
///     max: 500.0,
///     c_end: 20.0,
///     r_end: 0.002,
/// };
/// let mut tuning = Spsa::new(vec![margin], 10_000, 1)?;
/// let next = tuning.unfinished().next().expect("nothing is played yet");
/// let sides = tuning.perturbation(next)?;
/// // Two games: plus wins the first and draws the second.
/// tuning.update(next, Wdl { wins: 1, draws: 1, losses: 0 })?;
/// let moved = tuning.parameters()[0].value - 300.0;
/// assert_eq!(moved > 0.0, sides.plus[0] > 300.0, "the value follows the winner");
/// # Ok::<(), tabiya_arena::stats::spsa::SpsaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSpsa")]
pub struct Spsa {
    parameters: Vec<Parameter>,
    iterations: u64,
    seed: u64,
    /// All iterations up to this one are finished.
    finished: u64,
    /// Later ones that finished before their turn.
    finished_early: BTreeSet<u64>,
}

#[derive(Deserialize)]
struct RawSpsa {
    parameters: Vec<Parameter>,
    iterations: u64,
    seed: u64,
    finished: u64,
    finished_early: BTreeSet<u64>,
}

impl TryFrom<RawSpsa> for Spsa {
    type Error = SpsaError;

    fn try_from(raw: RawSpsa) -> Result<Self, Self::Error> {
        let mut tuning = Self::new(raw.parameters, raw.iterations, raw.seed)?;
        if raw.finished > raw.iterations {
            return Err(tuning.no_such_iteration(raw.finished));
        }
        tuning.finished = raw.finished;
        for iteration in raw.finished_early {
            tuning.finish(iteration)?;
        }
        Ok(tuning)
    }
}

impl Spsa {
    /// A tuning that has not begun.
    ///
    /// # Errors
    /// If there is nothing to tune, or a parameter's numbers make no sense.
    pub fn new(parameters: Vec<Parameter>, iterations: u64, seed: u64) -> Result<Self, SpsaError> {
        if parameters.is_empty() {
            return Err(SpsaError::NoParameters);
        }
        if iterations == 0 {
            return Err(SpsaError::NoIterations);
        }
        let mut names = BTreeSet::new();
        for parameter in &parameters {
            check(parameter)?;
            if !names.insert(&parameter.name) {
                return Err(SpsaError::DuplicateName(parameter.name.clone()));
            }
        }
        Ok(Self { parameters, iterations, seed, finished: 0, finished_early: BTreeSet::new() })
    }

    /// The parameters as they stand.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How many iterations there are in all.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// How many of them are finished.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.finished + self.finished_early.len() as u64
    }

    /// The iterations whose result has not been counted, in order: what is left to play.
    pub fn unfinished(&self) -> impl Iterator<Item = u64> + '_ {
        (self.finished..self.iterations)
            .map(|before| before + 1)
            .filter(|iteration| !self.finished_early.contains(iteration))
    }

    /// The values to play an iteration with, around where the parameters stand now.
    ///
    /// # Errors
    /// If there is no such iteration.
    pub fn perturbation(&self, iteration: u64) -> Result<Perturbation, SpsaError> {
        self.check_iteration(iteration)?;
        let mut chance = self.chance(iteration);
        let mut perturbation = Perturbation {
            iteration,
            plus: Vec::with_capacity(self.parameters.len()),
            minus: Vec::with_capacity(self.parameters.len()),
            thresholds: Vec::with_capacity(self.parameters.len()),
        };
        for parameter in &self.parameters {
            let (direction, threshold) = draw(&mut chance);
            let shift = direction * self.shift(parameter, iteration);
            let within = |value: f64| value.clamp(parameter.min, parameter.max);
            perturbation.plus.push(within(parameter.value + shift));
            perturbation.minus.push(within(parameter.value - shift));
            perturbation.thresholds.push(threshold);
        }
        Ok(perturbation)
    }

    /// Counts the games of an iteration, as plus saw them, and moves the parameters.
    ///
    /// Usually these are one pair of games; twice as many move the parameters twice as far.
    ///
    /// # Errors
    /// If there is no such iteration, or it was counted before.
    pub fn update(&mut self, iteration: u64, games: Wdl) -> Result<(), SpsaError> {
        self.advance(iteration, f64::from(games.wins) - f64::from(games.losses))
    }

    fn advance(&mut self, iteration: u64, advantage: f64) -> Result<(), SpsaError> {
        self.finish(iteration)?;
        let mut chance = self.chance(iteration);
        let stability = STABILITY_SHARE * self.iterations as f64;
        let fall =
            ((stability + self.iterations as f64) / (stability + iteration as f64)).powf(ALPHA);
        for index in 0..self.parameters.len() {
            let (direction, _) = draw(&mut chance);
            let shift = self.shift(&self.parameters[index], iteration);
            let parameter = &mut self.parameters[index];
            let gain = parameter.r_end * parameter.c_end * parameter.c_end * fall;
            let moved = parameter.value + direction * advantage * gain / shift;
            parameter.value = moved.clamp(parameter.min, parameter.max);
        }
        Ok(())
    }

    fn finish(&mut self, iteration: u64) -> Result<(), SpsaError> {
        self.check_iteration(iteration)?;
        if iteration <= self.finished || !self.finished_early.insert(iteration) {
            return Err(SpsaError::FinishedBefore(iteration));
        }
        while self.finished < self.iterations && self.finished_early.remove(&(self.finished + 1)) {
            self.finished += 1;
        }
        Ok(())
    }

    fn check_iteration(&self, iteration: u64) -> Result<(), SpsaError> {
        if (1..=self.iterations).contains(&iteration) {
            Ok(())
        } else {
            Err(self.no_such_iteration(iteration))
        }
    }

    fn no_such_iteration(&self, iteration: u64) -> SpsaError {
        SpsaError::NoSuchIteration { iteration, iterations: self.iterations }
    }

    fn shift(&self, parameter: &Parameter, iteration: u64) -> f64 {
        parameter.c_end * (self.iterations as f64 / iteration as f64).powf(GAMMA)
    }

    fn chance(&self, iteration: u64) -> SplitMix64 {
        SplitMix64::stream(self.seed, iteration)
    }
}

/// The direction in which a parameter is shifted, and the threshold at which it is rounded.
fn draw(chance: &mut SplitMix64) -> (f64, f64) {
    let direction = if chance.next() >> 63 == 0 { 1.0 } else { -1.0 };
    (direction, chance.unit())
}

fn check(parameter: &Parameter) -> Result<(), SpsaError> {
    let Parameter { name, value, min, max, c_end, r_end } = parameter;
    let name = || name.clone();
    let (value, min, max) = (*value, *min, *max);
    for (field, value) in
        [("value", value), ("min", min), ("max", max), ("c_end", *c_end), ("r_end", *r_end)]
    {
        if value.is_nan() || value.abs() > MAX_MAGNITUDE {
            return Err(SpsaError::NotOrdinary { name: name(), field, value });
        }
    }
    if min >= max {
        return Err(SpsaError::EmptyRange { name: name(), min, max });
    }
    if !(min..=max).contains(&value) {
        return Err(SpsaError::OutsideRange { name: name(), value, min, max });
    }
    for (field, value) in [("c_end", *c_end), ("r_end", *r_end)] {
        if value <= 0.0 {
            return Err(SpsaError::NotPositive { name: name(), field, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
