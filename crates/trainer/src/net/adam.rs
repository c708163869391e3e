//! The optimiser AdamW: every weight has a step of its own, by how steady its slope is, and fades a
//! little at every step.

use super::recipe::NetRecipe;
use crate::maths::half_turn_cosine;
use serde::{Deserialize, Serialize};

/// Means over the last slopes of each weight, and over their squares.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Moments {
    pub(crate) mean: Vec<f32>,
    pub(crate) square: Vec<f32>,
}

impl Moments {
    /// Moments of `weights` weights of which nothing is known yet.
    pub(crate) fn new(count: usize) -> Moments {
        Moments { mean: vec![0.0; count], square: vec![0.0; count] }
    }
}

const KEEP_MEAN: f64 = 0.9;
const KEEP_SQUARE: f64 = 0.999;

/// Keeps a weight without slopes from being divided by nothing.
const TINY: f32 = 1e-8;

/// Means smaller than this are none: processors are slow with the smallest numbers that there are.
const NOTHING: f32 = 1e-30;

/// How far the optimiser has come.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AdamSteps {
    /// Steps made.
    pub(crate) steps: u64,
    /// What the means still lack, having begun at nothing.
    pub(crate) lack: [f64; 2],
}

impl AdamSteps {
    pub(crate) fn new() -> AdamSteps {
        AdamSteps { steps: 0, lack: [1.0; 2] }
    }

    /// The next step of a training.
    pub(crate) fn tick(&mut self, recipe: &NetRecipe, steps: u64) -> AdamStep {
        let share = self.steps as f64 / steps.max(1) as f64;
        self.steps += 1;
        self.lack = [self.lack[0] * KEEP_MEAN, self.lack[1] * KEEP_SQUARE];
        let height = 0.5 * (1.0 + half_turn_cosine(share));
        let rate = recipe.final_rate + (recipe.rate - recipe.final_rate) * height;
        AdamStep {
            rate: (rate / (1.0 - self.lack[0])) as f32,
            square_factor: (1.0 / (1.0 - self.lack[1])) as f32,
            fade: (1.0 - rate * recipe.weight_decay) as f32,
            limit: recipe.weight_limit as f32,
        }
    }
}

/// What one step is to all weights.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AdamStep {
    /// The rate, with what makes up for the lack of the means.
    rate: f32,
    square_factor: f32,
    fade: f32,
    limit: f32,
}

impl AdamStep {
    /// Moves weights by their gradient, which is nothing afterwards.
    #[inline(always)]
    pub(crate) fn apply(&self, weights: &mut [f32], moments: &mut Moments, gradient: &mut [f32]) {
        const MEAN: [f32; 2] = [KEEP_MEAN as f32, (1.0 - KEEP_MEAN) as f32];
        const SQUARE: [f32; 2] = [KEEP_SQUARE as f32, (1.0 - KEEP_SQUARE) as f32];
        let moments = moments.mean.iter_mut().zip(&mut moments.square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            let new_mean = MEAN[0] * *mean + MEAN[1] * *slope;
            let new_square = SQUARE[0] * *square + SQUARE[1] * (*slope * *slope);
            *slope = 0.0;
            *mean = if new_mean.abs() < NOTHING { 0.0 } else { new_mean };
            *square = if new_square < NOTHING { 0.0 } else { new_square };
            let size = (*square * self.square_factor).sqrt() + TINY;
            let moved = *weight * self.fade - self.rate * *mean / size;
            *weight = moved.clamp(-self.limit, self.limit);
        }
    }
}
