//! How wrong weights are, and which way they would be less so.

use super::samples::FitSample;
use crate::maths::sigmoid;
use tabiya_engine::eval::{RealPair, Weights};

/// Sums are made in this number of parts, each by one thread and in order, and the parts are added in order:
/// so the number of threads changes nothing, not even the last bit.
const LANES: usize = 16;

/// What the evaluation should have said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Target {
    /// The value at which the chance is 73 %: from values to chances.
    pub(crate) scale: f64,
    /// How much the game's result counts against the search's score, 0 to 1.
    pub(crate) wdl_weight: f64,
}

impl Target {
    /// The expected points, by what a search said and by what the game gave.
    pub(crate) fn of(&self, score: i16, points: f64) -> f64 {
        let by_search = self.chance(score.into());
        by_search + self.wdl_weight * (points - by_search)
    }

    /// The expected points by a value.
    pub(crate) fn chance(&self, value: f64) -> f64 {
        sigmoid(value / self.scale)
    }
}

/// One part of a sum.
#[derive(Clone)]
struct Lane {
    error: f64,
    gradient: Vec<RealPair>,
}

/// Works out errors and gradients.
pub(crate) struct Objective {
    pub(crate) target: Target,
    lanes: Vec<Lane>,
    threads: usize,
}

impl Objective {
    pub(crate) fn new(target: Target, threads: usize) -> Objective {
        let lane = Lane { error: 0.0, gradient: vec![[0.0; 2]; Weights::COUNT] };
        Objective { target, lanes: vec![lane; LANES], threads: threads.clamp(1, LANES) }
    }

    /// The mean squared error, and its derivative by each weight.
    ///
    /// `order` names the samples that are meant.
    pub(crate) fn gradient(
        &mut self,
        samples: &[FitSample],
        order: &[u32],
        weights: &[RealPair],
        gradient: &mut [RealPair],
    ) -> f64 {
        let target = self.target;
        let part = order.len().div_ceil(LANES).max(1);
        self.each_lane(|index, lane| {
            lane.error = 0.0;
            lane.gradient.fill([0.0; 2]);
            for &place in order.chunks(part).nth(index).unwrap_or_default() {
                let sample = &samples[place as usize];
                let chance = target.chance(sample.trace.value(weights));
                let miss = chance - target.of(sample.score, sample.points.into());
                lane.error += miss * miss;
                let slope = 2.0 * miss * chance * (1.0 - chance) / target.scale;
                sample.trace.add_gradient(weights, slope, &mut lane.gradient);
            }
        });
        let share = 1.0 / order.len().max(1) as f64;
        gradient.fill([0.0; 2]);
        let mut error = 0.0;
        for lane in &self.lanes {
            error += lane.error;
            for (sum, part) in gradient.iter_mut().zip(&lane.gradient) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        for pair in gradient {
            *pair = pair.map(|half| half * share);
        }
        error * share
    }

    /// The mean squared error.
    pub(crate) fn error(&mut self, samples: &[FitSample], weights: &[RealPair]) -> f64 {
        let target = self.target;
        self.mean(samples, |sample| {
            let chance = target.chance(sample.trace.value(weights));
            let miss = chance - target.of(sample.score, sample.points.into());
            miss * miss
        })
    }

    /// The mean of something over all samples.
    fn mean(&mut self, samples: &[FitSample], f: impl Fn(&FitSample) -> f64 + Sync) -> f64 {
        let part = samples.len().div_ceil(LANES).max(1);
        self.each_lane(|index, lane| {
            lane.error = samples.chunks(part).nth(index).unwrap_or_default().iter().map(&f).sum();
        });
        self.lanes.iter().map(|lane| lane.error).sum::<f64>() / samples.len().max(1) as f64
    }

    fn each_lane(&mut self, work: impl Fn(usize, &mut Lane) + Sync) {
        let per_thread = LANES.div_ceil(self.threads);
        let work = |thread: usize, lanes: &mut [Lane]| {
            for (place, lane) in lanes.iter_mut().enumerate() {
                work(thread * per_thread + place, lane);
            }
        };
        let (own, others) = self.lanes.split_at_mut(per_thread);
        std::thread::scope(|scope| {
            for (thread, lanes) in (1..).zip(others.chunks_mut(per_thread)) {
                let work = &work;
                scope.spawn(move || work(thread, lanes));
            }
            work(0, own);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{some_samples, start};
    use super::*;

    const TARGET: Target = Target { scale: 230.0, wdl_weight: 0.4 };

    #[test]
    fn the_gradient_is_the_derivative() {
        let samples = some_samples(40);
        let order: Vec<u32> = (0..samples.len() as u32).collect();
        let mut objective = Objective::new(TARGET, 1);
        let mut weights = start();
        let mut gradient = vec![[0.0; 2]; weights.len()];
        let error = objective.gradient(&samples, &order, &weights, &mut gradient);
        assert!((error - objective.error(&samples, &weights)).abs() < 1e-12);

        let mut felt = 0;
        for index in 0..weights.len() {
            for half in 0..2 {
                let slope = gradient[index][half];
                let here = weights[index][half];
                let mut at = |value: f64| {
                    weights[index][half] = value;
                    objective.error(&samples, &weights)
                };
                let found = (at(here + 1e-3) - at(here - 1e-3)) / 2e-3;
                weights[index][half] = here;
                assert!(
                    (found - slope).abs() < 1e-9 + 1e-5 * slope.abs(),
                    "{index} {found} {slope}"
                );
                felt += usize::from(slope != 0.0);
            }
        }
        assert!(felt > 300, "only {felt} weights matter");
    }

    #[test]
    fn threads_do_not_matter_to_the_last_bit() {
        let samples = some_samples(50);
        let order: Vec<u32> = (0..samples.len() as u32).rev().collect();
        let weights = start();
        let mut gradients = [1, 2, 3, 16, 99].map(|threads| {
            let mut gradient = vec![[0.0; 2]; weights.len()];
            let mut objective = Objective::new(TARGET, threads);
            let error = objective.gradient(&samples, &order, &weights, &mut gradient);
            let all = objective.error(&samples, &weights);
            (error.to_bits(), all.to_bits(), gradient)
        });
        let first = gradients[0].clone();
        assert!(gradients.iter_mut().all(|other| *other == first));
    }
}
