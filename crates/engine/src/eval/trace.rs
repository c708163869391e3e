//! How a value comes from the weights: what a fitter needs to know of a position.

use super::Judgment;
use super::king::{DANGER_DIVISOR, DANGER_LIMIT};
use super::layout::{Role, Weights};
use super::material::FULL_PHASE;
use super::scaling::FULL_SCALE;
use super::tally::Record;
use std::collections::BTreeMap;
use tabiya_chess::Color;

/// A middlegame and an endgame value that need not be whole.
pub type RealPair = [f64; 2];

/// A weight's place in the flat list, and how many times it counts.
pub type Coefficient = (u16, i16);

const _: () = assert!(Weights::COUNT <= u16::MAX as usize);

/// A position as the weights see it.
///
/// With weights given as pairs of a middlegame and an endgame value, the value for White is
///
/// ```text
/// (phase * mg + (1 - phase) * scale * eg), where for mg and eg alike
/// half = Σ linear · weight - cost(Σ danger of White · weight) + cost(Σ danger of Black · weight)
/// cost(d) = clamp(d, 0, 1500)² / 1024
/// ```
///
/// [`Trace::value`] and [`Trace::add_gradient`] work it out.
#[derive(Clone, PartialEq, Debug)]
pub struct Trace {
    /// How much of the middlegame there is, 0 to 1.
    pub phase: f64,
    /// How much of the endgame value counts, 0 to 1.
    pub scale: f64,
    /// Weights that count as they are, White's less Black's.
    pub linear: Box<[Coefficient]>,
    /// Weights that make up the danger to each color's king.
    pub danger: [Box<[Coefficient]>; 2],
}

impl Trace {
    pub(super) fn of_record(judgment: Judgment, record: &Record) -> Trace {
        let mut linear = BTreeMap::new();
        let mut danger = [BTreeMap::new(), BTreeMap::new()];
        for &(color, index, count) in &record.entries {
            match Weights::kind(index).1 {
                Role::Linear => {
                    let count = if color == Color::White { count } else { -count };
                    *linear.entry(index).or_insert(0) += count;
                }
                Role::Danger => *danger[color.index()].entry(index).or_insert(0) += count,
            }
        }
        // Counts are numbers of pieces and squares: far from the limits of their type.
        let list = |counts: BTreeMap<usize, i32>| -> Box<[Coefficient]> {
            let counted = counts.into_iter().filter(|&(_, count)| count != 0);
            counted.map(|(index, count)| (index as u16, count as i16)).collect()
        };
        Trace {
            phase: f64::from(judgment.phase) / f64::from(FULL_PHASE),
            scale: f64::from(judgment.scale) / f64::from(FULL_SCALE),
            linear: list(linear),
            danger: danger.map(list),
        }
    }

    /// The value for White with these weights, in the order of the flat list.
    pub fn value(&self, weights: &[RealPair]) -> f64 {
        let sum = |list: &[Coefficient]| {
            list.iter().fold([0.0, 0.0], |[mg, eg], &(index, count)| {
                let weight = weights[usize::from(index)];
                [mg + f64::from(count) * weight[0], eg + f64::from(count) * weight[1]]
            })
        };
        let [linear, white, black] =
            [&self.linear, &self.danger[0], &self.danger[1]].map(|l| sum(l));
        let half = |i: usize| linear[i] - cost(white[i]) + cost(black[i]);
        let [mg_share, eg_share] = self.shares();
        mg_share * half(0) + eg_share * half(1)
    }

    /// Adds `factor` times the value's derivative by each weight.
    pub fn add_gradient(&self, weights: &[RealPair], factor: f64, gradient: &mut [RealPair]) {
        let shares = self.shares().map(|share| share * factor);
        for &(index, count) in &self.linear {
            for (half, share) in shares.into_iter().enumerate() {
                gradient[usize::from(index)][half] += share * f64::from(count);
            }
        }
        for (list, sign) in self.danger.iter().zip([-1.0, 1.0]) {
            for (half, share) in shares.into_iter().enumerate() {
                let danger: f64 = list
                    .iter()
                    .map(|&(index, count)| f64::from(count) * weights[usize::from(index)][half])
                    .sum();
                let slope = sign * share * cost_slope(danger);
                if slope != 0.0 {
                    for &(index, count) in list {
                        gradient[usize::from(index)][half] += slope * f64::from(count);
                    }
                }
            }
        }
    }

    fn shares(&self) -> RealPair {
        [self.phase, (1.0 - self.phase) * self.scale]
    }
}

fn cost(danger: f64) -> f64 {
    let danger = danger.clamp(0.0, f64::from(DANGER_LIMIT));
    danger * danger / f64::from(DANGER_DIVISOR)
}

fn cost_slope(danger: f64) -> f64 {
    if (0.0..f64::from(DANGER_LIMIT)).contains(&danger) {
        2.0 * danger / f64::from(DANGER_DIVISOR)
    } else {
        0.0
    }
}
