//! Training of networks.
//!
//! Positions of self-play games are packed into 32 bytes each and shuffled anew for every epoch; a
//! network in real numbers learns from them by gradient descent what a search said of them and, for a
//! small part, how their games ended; then it is rounded to the whole numbers that the engine takes.
//!
//! A recipe gives the same network to the bit, on every machine and with any number of threads: sums
//! are made in a fixed order, no multiplication is fused with an addition, and functions are our own.

mod adam;
mod batch;
mod checkpoint;
pub mod gauge;
mod lambda;
mod lanes;
mod load;
mod machine;
mod model;
mod quantization;
mod recipe;
mod sample;
#[cfg(test)]
mod tests;
mod tile;
mod validate;

pub use checkpoint::CheckpointError;
pub use lambda::TdLambda;
pub use load::{NetLoadError, NetSamples};
pub use quantization::Quantization;
pub use recipe::{DataSource, NetFilter, NetRecipe, NetRecipeError, StartNet, TrainingStartError};
pub use sample::Sample;
pub use validate::{Validation, validate};

use crate::Stop;
use crate::manifest::sha256;
use crate::maths::shuffle;
use crate::shard::MAX_FILE;
use adam::{AdamSteps, Moments};
use checkpoint::{Checkpoint, TrainingProgress};
use machine::{Lesson, Machine, Standing};
use model::{Model, Shape};
use serde::{Deserialize, Serialize};
use std::path::Path;
use tabiya_chart::{Chart, Curve, Drawing, LineChart, Point, YScale};
use tabiya_engine::nnue::{Network, NetworkError};
use tabiya_files::{FileError, read};

/// Which trainer this is: another number, and the same recipe may give another network.
pub const TRAINER: u32 = 2;

/// Mean squared errors of the expected points.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpochErrors {
    /// Training loss: of each position before its own step.
    pub training: f64,
    /// Validation loss after the epoch.
    pub validation: f64,
}

/// How far a training has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The epoch, from 1.
    pub epoch: u32,
    /// Training positions of it so far.
    pub positions: u64,
    /// The mean squared error of these.
    pub training: f64,
    /// Validation loss after the epoch before.
    pub validation: Option<f64>,
}

/// A network, and how it came about.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The network.
    pub network: Network,
    /// How it came about.
    pub report: NetReport,
}

/// How a network came about.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetReport {
    /// The SHA-256 of the network's file.
    pub sha256: String,
    /// Which trainer made it.
    pub trainer: u32,
    /// By which recipe; nothing in it is left open.
    pub recipe: NetRecipe,
    /// Games that were read.
    pub games: u64,
    /// Positions that they had.
    pub positions: u64,
    /// Training positions.
    pub training: u64,
    /// Validation positions.
    pub validation: u64,
    /// The errors after each epoch.
    pub epochs: Vec<EpochErrors>,
    /// What rounding has cost.
    #[serde(rename = "quantisation")]
    pub quantization: Quantization,
}

impl NetReport {
    /// The errors as a picture.
    pub fn svg(&self, name: &str) -> String {
        let line = |name: &str, loss: fn(&EpochErrors) -> f64| Curve {
            name: name.to_owned(),
            reference: false,
            points: (1..)
                .zip(&self.epochs)
                .map(|(epoch, errors)| Point::exact(f64::from(epoch), loss(errors)))
                .collect(),
        };
        let curves = vec![
            line("training loss", |errors| errors.training),
            line("validation loss", |errors| errors.validation),
        ];
        let (x, y) = ("epoch".to_owned(), "loss".to_owned());
        Chart {
            title: name.to_owned(),
            subtitle: "mean squared error of the expected points".to_owned(),
            drawing: Drawing::Lines(LineChart { x, y, axis: YScale::Close, curves }),
        }
        .svg()
    }
}

/// The SHA-256 of a file.
///
/// # Errors
/// If it cannot be read.
pub fn file_sha256(path: &Path) -> Result<String, FileError> {
    Ok(sha256(&read(path, MAX_FILE)?))
}

/// Why no network can be trained.
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// The recipe makes no sense.
    #[error(transparent)]
    Recipe(#[from] NetRecipeError),
    /// There are no training or no validation positions.
    #[error("{training} training positions and {validation} validation positions are too few")]
    TooFew {
        /// To learn from.
        training: usize,
        /// For validation.
        validation: usize,
    },
    /// More than can be numbered.
    #[error("{0} positions are more than the trainer can number; 4294967295 are the most")]
    TooMany(usize),
    /// The network to begin with is of another shape.
    #[error(
        "the network to begin with has {hidden} neurons and {buckets} buckets; the recipe wants \
         others"
    )]
    Start {
        /// Its neurons.
        hidden: usize,
        /// Its buckets.
        buckets: usize,
    },
    /// The training cannot be taken up.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The weights do not fit into whole numbers.
    #[error("the trained network cannot be used")]
    Network(#[from] NetworkError),
}

/// Trains a network.
///
/// `start` is the network to begin with, if the recipe names one. Where `checkpoint` names a file, what
/// was done is kept there after each epoch and when the training is stopped, in which case nothing is
/// returned; the same call then goes on, and the network is the same as if it had never been stopped.
///
/// # Errors
/// If the recipe makes no sense, there are no positions, or the checkpoint is of another training.
pub fn train(
    samples: &NetSamples,
    recipe: &NetRecipe,
    start: Option<&Network>,
    threads: usize,
    checkpoint: Option<&Path>,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Option<Trained>, NetError> {
    recipe.check()?;
    let (training, validation) = (&samples.training[..], &samples.validation[..]);
    if training.is_empty() || validation.is_empty() {
        return Err(NetError::TooFew { training: training.len(), validation: validation.len() });
    }
    let most = training.len().max(validation.len());
    if u32::try_from(most).is_err() {
        return Err(NetError::TooMany(most));
    }
    let batch = recipe.batch_for(training.len());
    let recipe = NetRecipe { batch: Some(batch), ..recipe.clone() };
    let identity = checkpoint::identity(&recipe);
    let shape = Shape { hidden: recipe.hidden as usize, buckets: recipe.buckets as usize };
    let kept = checkpoint.map(|path| Checkpoint::load(path, &identity, shape)).transpose()?;
    let begun = match kept.flatten() {
        Some(kept) => kept,
        None => begin(&recipe, start, shape)?,
    };
    let keep = |place: &TrainingProgress, machine: &mut Machine| match checkpoint {
        Some(path) => checkpoint::save(path, &identity, place, machine.state()),
        None => Ok(()),
    };

    let Checkpoint { mut place, model, moments } = begun;
    let mut machine = Machine::new(model, moments, threads);
    let batch = batch as usize;
    let steps = training.len().div_ceil(batch) as u64 * u64::from(recipe.epochs);
    let in_order: Vec<u32> = (0..validation.len() as u32).collect();
    let mut order: Vec<u32> = Vec::new();
    let target = recipe.target();
    while place.epochs.len() < recipe.epochs as usize {
        let epoch = place.epochs.len() as u32 + 1;
        order.clear();
        order.extend(0..training.len() as u32);
        shuffle(&mut order, recipe.seed, epoch.into());
        let TrainingProgress { done, error, .. } = place;
        let lesson = Lesson { samples: training, order: &order, batch, done, error, target };
        let before = place.epochs.last().map(|errors| errors.validation);
        let mut tell = |standing: &Standing| {
            let positions = (standing.done * batch).min(training.len());
            progress(&Progress {
                epoch,
                positions: positions as u64,
                training: standing.error / positions.max(1) as f64,
                validation: before,
            });
        };
        let mut next_step = || place.clock.tick(&recipe, steps);
        let standing = machine.go_through(&lesson, Some(&mut next_step), stop, &mut tell);
        (place.done, place.error) = (standing.done, standing.error);
        tell(&standing);
        if standing.done < order.len().div_ceil(batch) {
            keep(&place, &mut machine)?;
            return Ok(None);
        }
        let exam = Lesson { samples: validation, order: &in_order, done: 0, error: 0.0, ..lesson };
        let judged = machine.go_through(&exam, None, &|| false, &mut |_| ());
        place.epochs.push(EpochErrors {
            training: place.error / training.len() as f64,
            validation: judged.error / validation.len() as f64,
        });
        (place.done, place.error) = (0, 0.0);
        keep(&place, &mut machine)?;
    }

    let (model, _) = machine.state();
    let network = quantization::centered(model, &model.quantized()?, validation)?;
    let quantization = Quantization::measure(model, &network, validation, target);
    let report = NetReport {
        sha256: sha256(&network.to_bytes()),
        trainer: TRAINER,
        recipe,
        games: samples.games,
        positions: samples.positions,
        training: training.len() as u64,
        validation: validation.len() as u64,
        epochs: place.epochs,
        quantization,
    };
    Ok(Some(Trained { network, report }))
}

/// A training that has not begun.
fn begin(
    recipe: &NetRecipe,
    start: Option<&Network>,
    shape: Shape,
) -> Result<Checkpoint, NetError> {
    let model = match start {
        Some(network) => {
            let (hidden, buckets) = (network.hidden(), network.buckets());
            let model = Model::from_network(network);
            match (hidden == shape.hidden, buckets) {
                (true, _) if buckets == shape.buckets => model,
                (true, 1) => model.with_buckets(shape.buckets),
                _ => return Err(NetError::Start { hidden, buckets }),
            }
        }
        None => Model::random(shape, recipe.seed),
    };
    let moments = Moments::new(shape.count());
    let place =
        TrainingProgress { epochs: Vec::new(), done: 0, error: 0.0, clock: AdamSteps::new() };
    Ok(Checkpoint { place, model, moments })
}
