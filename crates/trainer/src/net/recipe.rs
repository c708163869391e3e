//! How a network is trained: everything that decides what it is.

use super::lambda::TdLambda;
use crate::fit::Target;
use crate::manifest::sha256;
use crate::shard::MAX_FILE;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tabiya_engine::nnue::{Network, NetworkError};
use tabiya_files::{FileError, read};

/// A recipe for a network. The same recipe gives the same network, to the bit.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetRecipe {
    /// The training games.
    pub data: Vec<DataSource>,
    /// Which of their positions.
    pub filter: NetFilter,
    /// Neurons of the hidden layer for each side: a multiple of 32.
    pub hidden: u32,
    /// Outputs, one of which is used by how many pieces there are: 1 or 8.
    pub buckets: u32,
    /// The value at which 73 % of the points are expected: from values to chances. A network learns
    /// best what lies within a few times of it.
    pub scale: f64,
    /// The WDL weight: how much the game's result counts against the search's score, 0 to 1.
    pub wdl_weight: f64,
    /// TD(lambda): how much of a position's score comes from the position after it, which has the same
    /// share from the next, and so on to the result: 0 to 0.99.
    pub lambda: f64,
    /// The learning rate at first ...
    pub rate: f64,
    /// ... and at last; in between it follows a cosine.
    pub final_rate: f64,
    /// Weight decay: the share of each weight that is taken off at each step, times the learning rate.
    pub weight_decay: f64,
    /// No weight becomes larger: what is exported must fit into its integers.
    pub weight_limit: f64,
    /// Positions to a step. If nothing is said: 4096, and 16384 from twenty million positions.
    pub batch: Option<u32>,
    /// How often all positions are gone through.
    pub epochs: u32,
    /// Where chance begins, which makes the first weights and shuffles the positions.
    pub seed: u64,
    /// The network to begin with, instead of chance.
    pub start: Option<StartNet>,
}

/// A directory of games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataSource {
    /// Where it is.
    pub directory: PathBuf,
    /// The SHA-256 of its manifest, which names all files and theirs. If nothing is said, it is not
    /// compared; a recipe as run always says it.
    pub manifest_sha256: Option<String>,
}

/// A network to begin with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartNet {
    /// Where it is.
    pub file: PathBuf,
    /// The SHA-256 of its bytes. If nothing is said, it is not compared; a recipe as run always says
    /// it.
    pub sha256: Option<String>,
}

/// Why there is no network to begin with.
#[derive(Debug, thiserror::Error)]
pub enum TrainingStartError {
    /// It cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no network.
    #[error("{}: the network to begin with cannot be used", path.display())]
    Network {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: NetworkError,
    },
    /// It is not the one that the recipe means.
    #[error("{}: SHA-256 is {found}; the recipe says {expected}", path.display())]
    Hash {
        /// Which file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
}

impl StartNet {
    /// Reads the network; its hash is filled in where it is not there.
    ///
    /// # Errors
    /// If there is none, or another.
    pub fn load(&mut self) -> Result<Network, TrainingStartError> {
        let path = self.file.clone();
        let bytes = read(&path, MAX_FILE)?;
        let found = sha256(&bytes);
        match &self.sha256 {
            Some(expected) if *expected != found => {
                return Err(TrainingStartError::Hash { path, found, expected: expected.clone() });
            }
            _ => self.sha256 = Some(found),
        }
        Network::from_bytes(&bytes).map_err(|source| TrainingStartError::Network { path, source })
    }
}

/// Which positions are used for training.
///
/// Never the random ones, nor those in check or where the best move takes something or promotes: a
/// static evaluation cannot know what comes of that.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetFilter {
    /// Only positions with a score below this, either way: others are decided.
    pub score_limit: i16,
    /// Only positions after this many plies of the game, the random ones counted too.
    pub first_ply: u32,
    /// One game of this many is held out for validation, by a hash of its moves and scores.
    pub hold_out_every: u32,
}

impl Default for NetFilter {
    fn default() -> NetFilter {
        NetFilter { score_limit: 3000, first_ply: 0, hold_out_every: 50 }
    }
}

impl Default for NetRecipe {
    fn default() -> NetRecipe {
        NetRecipe {
            data: Vec::new(),
            filter: NetFilter::default(),
            hidden: 256,
            buckets: 1,
            scale: 200.0,
            wdl_weight: 0.05,
            lambda: 0.0,
            rate: 1e-3,
            final_rate: 2.5e-6,
            weight_decay: 0.01,
            weight_limit: MOST_WEIGHT,
            batch: None,
            epochs: 12,
            seed: 1,
            start: None,
        }
    }
}

/// The largest weight that the engine's integers hold: 127 of 64 parts.
const MOST_WEIGHT: f64 = 1.98;

/// Positions to a step where there are few ...
const SMALL_BATCH: u32 = 4096;

/// ... and where there are many ...
const LARGE_BATCH: u32 = 16_384;

/// ... which is this number.
const MANY_POSITIONS: usize = 20_000_000;

/// Why no network can be trained by a recipe.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("the recipe's {field} is {value}; {range} would be right")]
pub struct NetRecipeError {
    /// Which field is wrong.
    pub field: &'static str,
    /// What it is.
    pub value: f64,
    /// What it should be.
    pub range: &'static str,
}

impl NetRecipe {
    /// Can a network be trained by it?
    ///
    /// # Errors
    /// With the first field that makes no sense.
    pub fn check(&self) -> Result<(), NetRecipeError> {
        let within = |value: f64, from: f64, to: f64| (from..=to).contains(&value);
        let NetFilter { score_limit, first_ply, hold_out_every } = self.filter;
        let hidden = (32..=1024).contains(&self.hidden) && self.hidden.is_multiple_of(32);
        let batch = self.batch.unwrap_or(SMALL_BATCH);
        let checks = [
            ("data", self.data.len() as f64, "one directory or more", !self.data.is_empty()),
            ("score_limit", score_limit.into(), "1 or more", score_limit > 0),
            ("first_ply", first_ply.into(), "at most 10000", first_ply <= 10_000),
            ("hold_out_every", hold_out_every.into(), "2 or more", hold_out_every >= 2),
            ("hidden", self.hidden.into(), "a multiple of 32 from 32 to 1024", hidden),
            ("buckets", self.buckets.into(), "1 or 8", matches!(self.buckets, 1 | 8)),
            ("scale", self.scale, "10 to 10000", within(self.scale, 10.0, 10_000.0)),
            ("wdl_weight", self.wdl_weight, "0 to 1", within(self.wdl_weight, 0.0, 1.0)),
            ("lambda", self.lambda, "0 to 0.99", within(self.lambda, 0.0, 0.99)),
            ("rate", self.rate, "more than 0 and at most 1", within(self.rate, 1e-12, 1.0)),
            ("final_rate", self.final_rate, "0 to rate", within(self.final_rate, 0.0, self.rate)),
            ("weight_decay", self.weight_decay, "0 to 1", within(self.weight_decay, 0.0, 1.0)),
            (
                "weight_limit",
                self.weight_limit,
                "0.1 to 1.98",
                within(self.weight_limit, 0.1, MOST_WEIGHT),
            ),
            ("batch", batch.into(), "1 to 1048576", (1..=1 << 20).contains(&batch)),
            ("epochs", self.epochs.into(), "1 to 10000", (1..=10_000).contains(&self.epochs)),
        ];
        match checks.into_iter().find(|&(.., right)| !right) {
            Some((field, value, range, _)) => Err(NetRecipeError { field, value, range }),
            None => Ok(()),
        }
    }

    /// What the network should say.
    pub(crate) fn target(&self) -> Target {
        Target { scale: self.scale, wdl_weight: self.wdl_weight }
    }

    /// How far its positions look ahead.
    pub fn td_lambda(&self) -> TdLambda {
        TdLambda { lambda: self.lambda, scale: self.scale }
    }

    /// The batch size, where there are `positions` in all.
    pub(crate) fn batch_for(&self, positions: usize) -> u32 {
        let usual = if positions >= MANY_POSITIONS { LARGE_BATCH } else { SMALL_BATCH };
        self.batch.unwrap_or(usual)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> NetRecipe {
        let source = DataSource { directory: "games".into(), manifest_sha256: None };
        NetRecipe { data: vec![source], ..NetRecipe::default() }
    }

    #[test]
    fn the_default_makes_sense_once_it_has_games() {
        assert_eq!(good().check(), Ok(()));
        assert_eq!(NetRecipe::default().check().unwrap_err().field, "data");
        assert_eq!(good().batch_for(19_999_999), 4096);
        assert_eq!(good().batch_for(20_000_000), 16_384);
        assert_eq!(NetRecipe { batch: Some(7), ..good() }.batch_for(20_000_000), 7);
    }

    #[test]
    fn nonsense_is_named() {
        let filter = |change: fn(&mut NetFilter)| {
            let mut recipe = good();
            change(&mut recipe.filter);
            recipe
        };
        let wrong = [
            ("score_limit", filter(|filter| filter.score_limit = 0)),
            ("first_ply", filter(|filter| filter.first_ply = u32::MAX)),
            ("hold_out_every", filter(|filter| filter.hold_out_every = 1)),
            ("hidden", NetRecipe { hidden: 0, ..good() }),
            ("hidden", NetRecipe { hidden: 100, ..good() }),
            ("hidden", NetRecipe { hidden: 1056, ..good() }),
            ("buckets", NetRecipe { buckets: 4, ..good() }),
            ("scale", NetRecipe { scale: 0.0, ..good() }),
            ("wdl_weight", NetRecipe { wdl_weight: 1.5, ..good() }),
            ("lambda", NetRecipe { lambda: 1.0, ..good() }),
            ("rate", NetRecipe { rate: f64::NAN, ..good() }),
            ("final_rate", NetRecipe { final_rate: 0.5, ..good() }),
            ("weight_decay", NetRecipe { weight_decay: -1.0, ..good() }),
            ("weight_limit", NetRecipe { weight_limit: 2.5, ..good() }),
            ("batch", NetRecipe { batch: Some(0), ..good() }),
            ("epochs", NetRecipe { epochs: 0, ..good() }),
        ];
        for (field, recipe) in wrong {
            assert_eq!(recipe.check().map_err(|error| error.field), Err(field));
        }
    }

    #[test]
    fn a_recipe_is_read_as_it_was_written() {
        let recipe = NetRecipe { rate: 0.1 + 0.2, ..good() };
        let text = serde_json::to_string(&recipe).unwrap();
        assert_eq!(serde_json::from_str::<NetRecipe>(&text).unwrap(), recipe);
        assert!(serde_json::from_str::<NetRecipe>(r#"{"hiden": 64}"#).is_err());
    }
}
