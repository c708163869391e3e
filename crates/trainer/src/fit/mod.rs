//! Fitting the weights of the classical evaluation to games (Texel's method).
//!
//! The evaluation's value becomes a chance by a sigmoid; the squared difference to what the chance
//! should have been, a mixture of the game's result and the search's score, is made small by gradient
//! descent. First of all the sigmoid's scale is fitted to the results with the weights as they are, so
//! that values keep their meaning.

mod objective;
mod samples;
#[cfg(test)]
mod tests;

pub(crate) use objective::Target;
pub(crate) use samples::is_quiet;
pub use samples::{Filter, FitSample, LoadError, Samples};

use crate::Stop;
use crate::maths::{lowest, shuffle, sigmoid};
use objective::Objective;
use serde::{Deserialize, Serialize};
use tabiya_engine::eval::{Pair, RealPair, Weights};

/// How weights are fitted. The same recipe and the same samples give the same weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitRecipe {
    /// Where chance begins, which shuffles the samples.
    pub seed: u64,
    /// How much the game's result counts against the search's score, 0 to 1.
    pub wdl_weight: f64,
    /// Samples that are looked at for one step.
    pub batch: u32,
    /// The greatest step of a weight at first; it shrinks to nothing along a straight line.
    pub rate: f64,
    /// How often all samples are gone through at most.
    pub epochs: u32,
    /// It ends after this many epochs in a row without a lower validation loss.
    pub patience: u32,
    /// How strongly weights are held where they were: the cost of a difference, squared.
    pub hold: f64,
}

impl Default for FitRecipe {
    fn default() -> FitRecipe {
        FitRecipe {
            seed: 1,
            wdl_weight: 0.5,
            batch: 16_384,
            rate: 0.3,
            epochs: 20,
            patience: 10,
            hold: 2e-9,
        }
    }
}

/// Mean squared errors of the expected points.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Errors {
    /// Training loss. During an epoch the weights change, and this is the mean over it.
    pub training: f64,
    /// Validation loss.
    pub validation: f64,
    /// Validation loss against the games' results alone.
    pub validation_by_result: f64,
}

/// What came of a fit.
#[derive(Clone, PartialEq, Debug)]
pub struct Fitted {
    /// The value at which White is expected to get 73 % of the points.
    pub scale: f64,
    /// With the weights that it began with.
    pub before: Errors,
    /// After each epoch.
    pub epochs: Vec<Errors>,
    /// The epoch, from 1, whose weights were best; 0 if none were better than those before.
    pub best_epoch: usize,
    /// With the weights that came out.
    pub after: Errors,
    /// The best weights, rounded.
    pub weights: Weights,
}

/// Why nothing can be fitted.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum FitError {
    /// There are no training or no validation positions.
    #[error("{training} training positions and {validation} validation positions are too few")]
    TooFew {
        /// To learn from.
        training: usize,
        /// For validation.
        validation: usize,
    },
    /// The recipe makes no sense.
    #[error("the fit's {field} is {value}; {range} would be right")]
    Recipe {
        /// Which number.
        field: &'static str,
        /// What it is.
        value: f64,
        /// What it should be.
        range: &'static str,
    },
}

impl FitRecipe {
    /// Can anything be fitted by it?
    ///
    /// # Errors
    /// With the first number that makes no sense.
    pub fn check(&self) -> Result<(), FitError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        let checks = [
            ("wdl_weight", self.wdl_weight, "0 to 1", (0.0..=1.0).contains(&self.wdl_weight)),
            ("batch", self.batch.into(), "1 or more", self.batch > 0),
            ("rate", self.rate, "more than 0", positive(self.rate)),
            ("epochs", self.epochs.into(), "1 or more", self.epochs > 0),
            ("patience", self.patience.into(), "1 or more", self.patience > 0),
            ("hold", self.hold, "0 or more", self.hold == 0.0 || positive(self.hold)),
        ];
        match checks.into_iter().find(|&(.., right)| !right) {
            Some((field, value, range, _)) => Err(FitError::Recipe { field, value, range }),
            None => Ok(()),
        }
    }
}

/// No weight becomes larger than this: sums of halves must stay within 16 bits.
const LARGEST_WEIGHT: f64 = 3000.0;

/// The scales among which the best is looked for.
const SCALES: (f64, f64) = (20.0, 2000.0);

/// Fits weights to samples.
///
/// `progress` gets the errors after each epoch. A fit that is stopped gives the best weights so far.
///
/// # Errors
/// If there are no samples, or the recipe makes no sense.
pub fn fit(
    samples: &Samples,
    start: &Weights,
    recipe: &FitRecipe,
    threads: usize,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(usize, &Errors),
) -> Result<Fitted, FitError> {
    recipe.check()?;
    let (training, validation) = (&samples.training, &samples.validation);
    if training.is_empty() || validation.is_empty() {
        return Err(FitError::TooFew { training: training.len(), validation: validation.len() });
    }
    let start = to_real(start);
    let scale = fit_scale(training, &start);
    let target = Target { scale, wdl_weight: recipe.wdl_weight };
    let mut validator = Validator {
        objective: Objective::new(target, threads),
        by_result: Objective::new(Target { wdl_weight: 1.0, ..target }, threads),
        validation,
    };
    let mut weights = start.clone();
    let training_before = validator.objective.error(training, &weights);
    let before = validator.errors(training_before, &weights);
    let mut best = (before.validation, 0, weights.clone());
    let mut epochs = Vec::new();

    let mut order: Vec<u32> = (0..training.len() as u32).collect();
    let batches = order.len().div_ceil(recipe.batch as usize);
    let steps = (batches * recipe.epochs as usize) as f64;
    let mut adam = Adam::new();
    let mut gradient = vec![[0.0; 2]; weights.len()];
    for epoch in 1..=recipe.epochs as usize {
        shuffle(&mut order, recipe.seed, epoch as u64);
        let mut sum = 0.0;
        for batch in order.chunks(recipe.batch as usize) {
            if stop() {
                break;
            }
            let error = validator.objective.gradient(training, batch, &weights, &mut gradient);
            sum += error * batch.len() as f64;
            for ((slope, weight), home) in gradient.iter_mut().zip(&weights).zip(&start) {
                for half in 0..2 {
                    slope[half] += 2.0 * recipe.hold * (weight[half] - home[half]);
                }
            }
            let rate = recipe.rate * (1.0 - adam.steps as f64 / steps);
            adam.step(&mut weights, &gradient, rate);
        }
        if stop() {
            break;
        }
        let errors = validator.errors(sum / training.len() as f64, &weights);
        progress(epoch, &errors);
        epochs.push(errors);
        if errors.validation < best.0 {
            best = (errors.validation, epoch, weights.clone());
        } else if epoch - best.1 >= recipe.patience as usize {
            break;
        }
    }

    let (_, best_epoch, weights) = best;
    let weights = to_weights(&weights);
    let rounded = to_real(&weights);
    let training_after = validator.objective.error(training, &rounded);
    let after = validator.errors(training_after, &rounded);
    Ok(Fitted { scale, before, epochs, best_epoch, after, weights })
}

/// Computes losses on the validation positions.
struct Validator<'a> {
    objective: Objective,
    by_result: Objective,
    validation: &'a [FitSample],
}

impl Validator<'_> {
    fn errors(&mut self, training: f64, weights: &[RealPair]) -> Errors {
        Errors {
            training,
            validation: self.objective.error(self.validation, weights),
            validation_by_result: self.by_result.error(self.validation, weights),
        }
    }
}

/// The scale with which values foretell results best.
fn fit_scale(samples: &[FitSample], weights: &[RealPair]) -> f64 {
    let values: Vec<(f64, f64)> = samples
        .iter()
        .map(|sample| (sample.trace.value(weights), f64::from(sample.points)))
        .collect();
    lowest(SCALES.0, SCALES.1, |scale| {
        values.iter().map(|(value, points)| (sigmoid(value / scale) - points).powi(2)).sum()
    })
}

/// The optimiser Adam: every weight has a step of its own, by how steady its slope is.
struct Adam {
    steps: u64,
    mean: Vec<RealPair>,
    square: Vec<RealPair>,
    /// What the means still lack, having begun at nothing.
    lack: [f64; 2],
}

impl Adam {
    const KEEP: [f64; 2] = [0.9, 0.999];
    const TINY: f64 = 1e-12;

    fn new() -> Adam {
        let zeros = vec![[0.0; 2]; Weights::COUNT];
        Adam { steps: 0, mean: zeros.clone(), square: zeros, lack: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut [RealPair], gradient: &[RealPair], rate: f64) {
        self.steps += 1;
        let [keep_mean, keep_square] = Adam::KEEP;
        self.lack = [self.lack[0] * keep_mean, self.lack[1] * keep_square];
        let [mean_share, square_share] = self.lack.map(|lack| 1.0 - lack);
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            for half in 0..2 {
                let slope = slope[half];
                mean[half] = keep_mean * mean[half] + (1.0 - keep_mean) * slope;
                square[half] = keep_square * square[half] + (1.0 - keep_square) * slope * slope;
                let step = mean[half] / mean_share;
                let size = (square[half] / square_share).sqrt() + Adam::TINY;
                weight[half] =
                    (weight[half] - rate * step / size).clamp(-LARGEST_WEIGHT, LARGEST_WEIGHT);
            }
        }
    }
}

fn to_real(weights: &Weights) -> Vec<RealPair> {
    let real = |pair: Pair| [f64::from(pair.midgame()), f64::from(pair.endgame())];
    weights.to_vec().into_iter().map(real).collect()
}

fn to_weights(real: &[RealPair]) -> Weights {
    let whole = |half: f64| half.round() as i32;
    let list: Vec<Pair> =
        real.iter().map(|pair| Pair::new(whole(pair[0]), whole(pair[1]))).collect();
    Weights::from_slice(&list).expect("as many as there were")
}
