//! Positions to learn from.

use crate::Stop;
use crate::manifest::{DataError, Manifest};
use crate::parallel::{CrewError, in_order};
use crate::record::PackedGame;
use crate::shard::ShardReader;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use tabiya_chess::{Move, MoveKind, Position};
use tabiya_engine::eval::{Evaluator, Trace, Weights};

/// Which positions are used for training.
///
/// Never those in check or where the best move takes something or promotes: a static evaluation cannot
/// know what comes of that, nor those of a known ending: no weight has a part in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// Only positions with a score of at most this, either way: others are decided.
    pub largest_score: i16,
    /// Only positions after this many plies of the game, the random ones counted too.
    pub first_ply: u32,
    /// One game of this many is held out for validation: the last, by number.
    pub hold_out_every: u32,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { largest_score: 1500, first_ply: 12, hold_out_every: 20 }
    }
}

impl Filter {
    fn wants(&self, position: &Position, mv: Move, score: i16) -> bool {
        is_quiet(position, mv) && score.unsigned_abs() <= self.largest_score.unsigned_abs()
    }
}

/// Nothing is taken or promoted by the best move, and there is no check: a static evaluation can know
/// what such a position is worth.
pub(crate) fn is_quiet(position: &Position, best: Move) -> bool {
    best.promoted().is_none()
        && best.kind() != MoveKind::EnPassant
        && (best.is_castling() || position.piece_at(best.to()).is_none())
        && !position.in_check()
}

/// A position to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSample {
    /// How its value comes from the weights.
    pub trace: Trace,
    /// What a search said it is worth to White.
    pub score: i16,
    /// What White got for the game.
    pub points: f32,
}

/// Training positions, and validation positions of other games.
#[derive(Clone, Default, Debug)]
pub struct Samples {
    /// For training.
    pub training: Vec<FitSample>,
    /// For validation.
    pub validation: Vec<FitSample>,
    /// Games that were read.
    pub games: u64,
    /// Positions that they had.
    pub positions: u64,
}

impl Samples {
    /// All positions of some directories that a filter lets through.
    ///
    /// `progress` gets the number of shards that have been read, and of all.
    ///
    /// # Errors
    /// If a directory cannot be read, or is not what its manifest says.
    pub fn load(
        directories: &[impl AsRef<Path>],
        filter: &Filter,
        weights: &Weights,
        threads: usize,
        stop: Stop<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Samples, LoadError> {
        let mut shards = Vec::new();
        for directory in directories {
            let directory = directory.as_ref();
            let manifest = Arc::new(Manifest::load(directory)?);
            let entries = manifest.shards.clone();
            shards.extend(entries.into_iter().map(|entry| (directory, manifest.clone(), entry)));
        }
        let weights = Arc::new(weights.clone());
        let mut all = Samples::default();
        in_order(
            threads,
            0..shards.len() as u64,
            stop,
            || Ok(Evaluator::new(Arc::clone(&weights))),
            |evaluator, index| {
                let (directory, manifest, entry) = &shards[index as usize];
                let bytes = manifest.read_shard(directory, entry)?;
                let wrong = |source| DataError::Shard { path: directory.join(&entry.file), source };
                let mut part = Samples::default();
                for game in ShardReader::new(&bytes).map_err(wrong)? {
                    let (number, record) = game.map_err(wrong)?;
                    part.add(number, &record, filter, evaluator);
                }
                Ok(part)
            },
            |index, part| {
                all.training.extend(part.training);
                all.validation.extend(part.validation);
                all.games += part.games;
                all.positions += part.positions;
                progress(index + 1, shards.len() as u64);
                Ok(())
            },
        )
        .map(|()| all)
    }

    fn add(&mut self, number: u64, record: &PackedGame, filter: &Filter, evaluator: &Evaluator) {
        let every = u64::from(filter.hold_out_every.max(1));
        let list =
            if number % every == every - 1 { &mut self.validation } else { &mut self.training };
        let points = record.result.white_points() as f32;
        let unjudged = (filter.first_ply as usize).saturating_sub(record.opening.len());
        let mut ply = 0;
        let replayed = record.replay(|position, played| {
            if ply >= unjudged
                && filter.wants(position, played.mv, played.score)
                && let Some(trace) = evaluator.trace(position)
            {
                list.push(FitSample { trace, score: played.score, points });
            }
            ply += 1;
        });
        debug_assert!(replayed.is_ok(), "a game from bytes is legal");
        self.games += 1;
        self.positions += record.plies.len() as u64;
    }
}

/// Why samples cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The files are not what they should be.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The threads fail.
    #[error(transparent)]
    Crew(#[from] CrewError),
}
