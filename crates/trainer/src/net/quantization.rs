//! What is lost when real numbers become whole ones.

use super::model::Model;
use super::sample::Sample;
use crate::fit::Target;
use serde::{Deserialize, Serialize};
use tabiya_engine::nnue::{Network, NetworkError, QA, QB, SCALE};

/// No more positions than this are compared.
const MOST: usize = 20_000;

/// How far the network of whole numbers is from the one that was trained.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantization {
    /// Positions that were compared: held out, and spread evenly.
    pub positions: usize,
    /// The mean difference of their values, in the units of the search.
    pub mean_difference: f64,
    /// The largest.
    pub largest_difference: f64,
    /// The mean squared error of the trained network on these positions.
    pub real_error: f64,
    /// The same of the network of whole numbers.
    pub whole_error: f64,
}

/// A network with its outputs moved so that on the whole its values are those of the trained one.
///
/// Men that hardly ever leave their squares are rounded the same way in nearly every position, and what
/// that makes together is far more than what the roundings of others leave.
///
/// # Errors
/// If the outputs become too large.
pub(crate) fn centered(
    model: &Model,
    network: &Network,
    samples: &[Sample],
) -> Result<Network, NetworkError> {
    let mut sums = vec![(0.0, 0u32); network.buckets()];
    for sample in some_of(samples) {
        let Some(position) = sample.position() else { continue };
        let difference = model.value(sample) - f64::from(network.evaluate(&position));
        let (sum, count) = &mut sums[model.bucket(sample)];
        *sum += difference;
        *count += 1;
    }
    let mut weights = network.weights();
    for (bias, (sum, count)) in weights.output_biases.iter_mut().zip(sums) {
        let shift = sum / f64::from(count.max(1));
        *bias += (shift * f64::from(QA * QB) / f64::from(SCALE)).round() as i32;
    }
    Network::new(network.hidden(), network.buckets(), &weights)
}

/// Samples to compare by, spread evenly.
fn some_of(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    samples.iter().step_by(samples.len().div_ceil(MOST).max(1))
}

impl Quantization {
    pub(crate) fn measure(
        model: &Model,
        network: &Network,
        samples: &[Sample],
        target: Target,
    ) -> Quantization {
        let mut sum = Quantization::default();
        for sample in some_of(samples) {
            let Some(position) = sample.position() else { continue };
            let real = model.value(sample);
            let whole = f64::from(network.evaluate(&position));
            let difference = (real - whole).abs();
            let wanted = target.of(sample.score(), sample.points());
            let error = |value: f64| {
                let miss = target.chance(value) - wanted;
                miss * miss
            };
            sum.positions += 1;
            sum.mean_difference += difference;
            sum.largest_difference = sum.largest_difference.max(difference);
            sum.real_error += error(real);
            sum.whole_error += error(whole);
        }
        let count = sum.positions.max(1) as f64;
        Quantization {
            mean_difference: sum.mean_difference / count,
            real_error: sum.real_error / count,
            whole_error: sum.whole_error / count,
            ..sum
        }
    }
}
