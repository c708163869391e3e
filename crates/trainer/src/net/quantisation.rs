//! What is lost when real numbers become whole ones.

use super::model::Model;
use super::sample::Sample;
use crate::fit::Target;
use serde::{Deserialize, Serialize};
use tabiya_engine::nnue::Network;

/// No more positions than this are compared.
const MOST: usize = 20_000;

/// How far the network of whole numbers is from the one that was trained.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quantisation {
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

impl Quantisation {
    pub(crate) fn measure(
        model: &Model,
        network: &Network,
        samples: &[Sample],
        target: Target,
    ) -> Quantisation {
        let mut sum = Quantisation::default();
        for sample in samples.iter().step_by(samples.len().div_ceil(MOST).max(1)) {
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
        Quantisation {
            mean_difference: sum.mean_difference / count,
            real_error: sum.real_error / count,
            whole_error: sum.whole_error / count,
            ..sum
        }
    }
}
