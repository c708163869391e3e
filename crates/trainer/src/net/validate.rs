//! Validation: the error of an evaluation on games that no network was trained on.

use super::lambda::TdLambda;
use super::load::{NetLoadError, NetSamples};
use super::recipe::{DataSource, NetFilter, NetRecipe};
use crate::Stop;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tabiya_engine::eval::Evaluator;
use tabiya_engine::nnue::Network;

/// The errors of a network and of the classical evaluation on the same positions.
///
/// They are mean squared errors of the expected points, with the scale and the WDL weight of the
/// default recipe, so that networks of different recipes can be
/// compared.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// Games that were read.
    pub games: u64,
    /// Positions of them that networks learn from.
    pub positions: u64,
    /// The network's error.
    pub network: f64,
    /// The classical evaluation's.
    pub classical: f64,
}

/// Validates a network by all games of some directories.
///
/// # Errors
/// If a directory cannot be read, or is not what its manifest says.
pub fn validate(
    network: &Network,
    directories: &[PathBuf],
    threads: usize,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Validation, NetLoadError> {
    let source =
        |directory: &PathBuf| DataSource { directory: directory.clone(), manifest_sha256: None };
    let mut sources: Vec<DataSource> = directories.iter().map(source).collect();
    let everything_held_out = NetFilter { hold_out_every: 1, ..NetFilter::default() };
    let samples = NetSamples::load(
        &mut sources,
        &everything_held_out,
        TdLambda::NONE,
        threads,
        stop,
        progress,
    )?;
    let target = NetRecipe::default().target();
    let mut rules = Evaluator::default();
    let mut sums = [0.0; 2];
    let mut positions = 0u32;
    for sample in &samples.validation {
        let Some(position) = sample.position() else { continue };
        let wanted = target.of(sample.score(), sample.points());
        let values = [network.evaluate(&position), rules.evaluate(&position)];
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum += (target.chance(value.into()) - wanted).powi(2);
        }
        positions += 1;
    }
    let [network, classical] = sums.map(|sum| sum / f64::from(positions.max(1)));
    Ok(Validation { games: samples.games, positions: positions.into(), network, classical })
}
