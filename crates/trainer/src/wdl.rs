//! The WDL model: the curve by which the engine turns scores into the probabilities of a win, a draw and a loss.
//!
//! A histogram of games by material and score is enough to fit it; the measure is the mean squared error
//! of the chances of a win, a draw and a loss.

use crate::Stop;
use crate::manifest::{DataError, Manifest};
use crate::maths::{lowest, sigmoid};
use crate::parallel::{CrewError, in_order};
use crate::record::PackedGame;
use crate::shard::ShardReader;
use std::path::Path;
use tabiya_chess::{Color, GameResult};
use tabiya_engine::wdl::{LEAST_MATERIAL, MOST_MATERIAL, WdlCurve, WdlModel, material};

/// Scores beyond this say nothing about the curve.
const LARGEST_SCORE: i32 = 1_200;
/// Scores so near to each other count as one.
const GRAIN: i32 = 4;
const SCORES: usize = (2 * LARGEST_SCORE / GRAIN) as usize + 1;
const MATERIALS: usize = (MOST_MATERIAL - LEAST_MATERIAL) as usize + 1;

/// How positions with a score and material ended, for the side to move: won, drawn, lost.
#[derive(Clone)]
pub struct Histogram {
    counts: Vec<[u32; 3]>,
    /// Games that were read.
    pub games: u64,
    /// Positions that were counted.
    pub positions: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: vec![[0; 3]; SCORES * MATERIALS], games: 0, positions: 0 }
    }
}

/// Why the games cannot be counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// The files are not what they should be.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The threads fail.
    #[error(transparent)]
    Crew(#[from] CrewError),
    /// There is too little to fit a curve to.
    #[error("{0} positions are too few for a curve; {LEAST_POSITIONS} would do")]
    TooFew(u64),
}

const LEAST_POSITIONS: u64 = 10_000;

impl Histogram {
    /// Counts all games of some directories.
    ///
    /// # Errors
    /// If a directory cannot be read, or is not what its manifest says.
    pub fn count(
        directories: &[impl AsRef<Path> + Sync],
        threads: usize,
        stop: Stop<'_>,
    ) -> Result<Histogram, CountError> {
        let mut shards = Vec::new();
        for directory in directories {
            let manifest = Manifest::load(directory.as_ref())?;
            let entries = manifest.shards.clone();
            shards.extend(
                entries.into_iter().map(|entry| (directory.as_ref(), manifest.clone(), entry)),
            );
        }
        let mut all = Histogram::default();
        in_order(
            threads,
            0..shards.len() as u64,
            stop,
            || Ok::<(), CountError>(()),
            |(), index| {
                let (directory, manifest, entry) = &shards[index as usize];
                let bytes = manifest.read_shard(directory, entry)?;
                let wrong = |source| DataError::Shard { path: directory.join(&entry.file), source };
                let mut part = Histogram::default();
                for game in ShardReader::new(&bytes).map_err(wrong)? {
                    let (_, record) = game.map_err(wrong)?;
                    part.add(&record);
                }
                Ok(part)
            },
            |_, part| {
                all.merge(&part);
                Ok(())
            },
        )?;
        Ok(all)
    }

    fn add(&mut self, record: &PackedGame) {
        let replayed = record.replay(|position, played| {
            let score = i32::from(played.score);
            let own = if position.side_to_move() == Color::White { score } else { -score };
            if own.abs() > LARGEST_SCORE {
                return;
            }
            let outcome = match record.result {
                GameResult::Draw => 1,
                result if result == GameResult::win(position.side_to_move()) => 0,
                _ => 2,
            };
            let row =
                (material(position).clamp(LEAST_MATERIAL, MOST_MATERIAL) - LEAST_MATERIAL) as usize;
            let column = ((own + LARGEST_SCORE) / GRAIN) as usize;
            self.counts[row * SCORES + column][outcome] += 1;
            self.positions += 1;
        });
        debug_assert!(replayed.is_ok(), "a game from bytes is legal");
        self.games += 1;
    }

    fn merge(&mut self, other: &Histogram) {
        for (sum, part) in self.counts.iter_mut().zip(&other.counts) {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
        self.games += other.games;
        self.positions += other.positions;
    }

    /// The mean squared error of a model's chances.
    pub fn error(&self, model: &WdlModel) -> f64 {
        self.error_at(&ends_of(model))
    }

    fn error_at(&self, ends: &Ends) -> f64 {
        let mut sum = 0.0;
        for row in 0..MATERIALS {
            let share = row as f64 / (MATERIALS - 1) as f64;
            let at = |[low, high]: [f64; 2]| low + (high - low) * share;
            let (middle, width) = (at(ends[0]), at(ends[1]));
            for (column, counts) in self.counts[row * SCORES..][..SCORES].iter().enumerate() {
                if *counts == [0; 3] {
                    continue;
                }
                let score = f64::from(column as i32 * GRAIN - LARGEST_SCORE);
                let win = sigmoid((score - middle) / width);
                let loss = sigmoid((-score - middle) / width);
                let chances = [win, 1.0 - win - loss, loss];
                for (outcome, &count) in counts.iter().enumerate() {
                    let miss: f64 = chances
                        .iter()
                        .enumerate()
                        .map(|(i, chance)| (chance - f64::from(u8::from(i == outcome))).powi(2))
                        .sum();
                    sum += f64::from(count) * miss;
                }
            }
        }
        sum / self.positions.max(1) as f64
    }

    /// The model with the least error.
    ///
    /// # Errors
    /// If there are too few positions.
    pub fn fit(&self) -> Result<WdlModel, CountError> {
        if self.positions < LEAST_POSITIONS {
            return Err(CountError::TooFew(self.positions));
        }
        let mut ends: Ends = [[150.0, 150.0], [80.0, 80.0]];
        let mut error = self.error_at(&ends);
        // One number after the other, until all stand still.
        loop {
            for quantity in 0..ends.len() {
                for end in 0..2 {
                    let best = lowest(10.0, 800.0, |candidate| {
                        let mut tried = ends;
                        tried[quantity][end] = candidate;
                        self.error_at(&tried)
                    });
                    ends[quantity][end] = best;
                }
            }
            let now = self.error_at(&ends);
            if error - now < 1e-8 {
                break;
            }
            error = now;
        }
        let curve = |[low, high]: [f64; 2]| WdlCurve {
            at_least_material: low.round() as i32,
            at_most_material: high.round() as i32,
        };
        Ok(WdlModel { middle: curve(ends[0]), width: curve(ends[1]) })
    }
}

/// Middle and width, each at the least and at the most material.
type Ends = [[f64; 2]; 2];

fn ends_of(model: &WdlModel) -> Ends {
    [&model.middle, &model.width]
        .map(|curve| [f64::from(curve.at_least_material), f64::from(curve.at_most_material)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that end as a known model says are fitted by that model.
    #[test]
    fn a_known_curve_is_found_again() {
        let truth = WdlModel {
            middle: WdlCurve { at_least_material: 120, at_most_material: 200 },
            width: WdlCurve { at_least_material: 50, at_most_material: 90 },
        };
        let ends = ends_of(&truth);
        let mut histogram = Histogram::default();
        for row in 0..MATERIALS {
            let share = row as f64 / (MATERIALS - 1) as f64;
            let at = |[low, high]: [f64; 2]| low + (high - low) * share;
            for column in 0..SCORES {
                let score = f64::from(column as i32 * GRAIN - LARGEST_SCORE);
                let win = sigmoid((score - at(ends[0])) / at(ends[1]));
                let loss = sigmoid((-score - at(ends[0])) / at(ends[1]));
                let counts =
                    [win, 1.0 - win - loss, loss].map(|chance| (chance * 1e4).round() as u32);
                histogram.counts[row * SCORES + column] = counts;
                histogram.positions += counts.iter().map(|&count| u64::from(count)).sum::<u64>();
            }
        }
        assert_eq!(histogram.fit().unwrap(), truth);
        let other = WdlModel { width: truth.middle, middle: truth.width };
        assert!(histogram.error(&other) > histogram.error(&truth));
    }

    #[test]
    fn nothing_is_not_enough() {
        assert!(matches!(Histogram::default().fit(), Err(CountError::TooFew(0))));
    }
}
