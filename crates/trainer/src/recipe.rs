//! How self-play games are made: everything that decides what they are, but the engine.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use tabiya_engine::Limits;

/// A recipe for self-play. The same recipe and the same engine give the same games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Where chance begins. Each game draws from a stream of its own.
    pub seed: u64,
    /// Games in a file.
    pub games_per_shard: u32,
    /// Megabytes for the engine's table. Clearing it before each game should cost nothing.
    pub hash: u32,
    /// No iteration of a search is begun after this many nodes (soft limit).
    pub soft_nodes: u64,
    /// No search takes more nodes than this.
    pub hard_nodes: u64,
    /// What the engine evaluates by.
    #[serde(default, skip_serializing_if = "Evaluation::is_built_in")]
    pub evaluation: Evaluation,
    /// How games begin.
    pub opening: OpeningRule,
    /// How games end before the rules end them.
    pub adjudication: AdjudicationLimits,
}

/// What an engine that plays games evaluates by.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Evaluation {
    /// The network that comes with the program.
    #[default]
    BuiltIn,
    /// The classical evaluation.
    Classical,
    /// What the pieces are worth, and nothing else.
    Material,
    /// A network in a file.
    Network {
        /// Where it was when the games were played.
        file: PathBuf,
        /// The file's hash.
        sha256: String,
    },
}

impl Evaluation {
    fn is_built_in(&self) -> bool {
        *self == Evaluation::BuiltIn
    }
}

/// How games begin: with random moves, until a search finds the position level.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpeningRule {
    /// From a random Chess960 position, not from the usual one?
    pub chess960: bool,
    /// Random plies. Half of the games have one more, so that either color moves first.
    pub plies: u32,
    /// Nodes for the search that judges the position, where an iteration may go beyond them.
    pub nodes: u64,
    /// The most that either side may be ahead.
    pub limit: i16,
}

/// How games end before the rules end them. Scores are in the units of the search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdjudicationLimits {
    /// So far ahead is won ...
    pub win_score: i16,
    /// ... after this many plies in a row.
    pub win_plies: u32,
    /// So near to level is drawn ...
    pub draw_score: i16,
    /// ... after this many plies in a row ...
    pub draw_plies: u32,
    /// ... but not before this ply of the game.
    pub draw_from: u32,
    /// A game of this many plies is drawn.
    pub longest: u32,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe {
            seed: 1,
            games_per_shard: 1000,
            hash: 2,
            soft_nodes: 500,
            hard_nodes: 5_000,
            evaluation: Evaluation::BuiltIn,
            opening: OpeningRule { chess960: false, plies: 8, nodes: 1_000, limit: 300 },
            adjudication: AdjudicationLimits {
                win_score: 1_500,
                win_plies: 4,
                draw_score: 8,
                draw_plies: 10,
                draw_from: 70,
                longest: 400,
            },
        }
    }
}

/// Why no games can be made by a recipe.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the recipe's {field} is {value}; {from} to {to} would be right")]
pub struct RecipeError {
    /// Which number is wrong.
    pub field: &'static str,
    /// What it is.
    pub value: u64,
    /// The least that makes sense.
    pub from: u64,
    /// The most that makes sense.
    pub to: u64,
}

impl Recipe {
    /// Can games be made by it?
    ///
    /// # Errors
    /// With the first number that makes no sense.
    pub fn check(&self) -> Result<(), RecipeError> {
        let score = |value: i16| u64::from(value.unsigned_abs());
        let Recipe { opening, adjudication, .. } = self;
        let ranges = [
            ("games_per_shard", self.games_per_shard.into(), 1, 1_000_000),
            ("hash", self.hash.into(), 1, 1 << 20),
            ("soft_nodes", self.soft_nodes, 1, 1 << 40),
            ("hard_nodes", self.hard_nodes, self.soft_nodes, 1 << 40),
            ("opening plies", opening.plies.into(), 0, 100),
            ("opening nodes", opening.nodes, 1, 1 << 40),
            ("opening limit", score(opening.limit), 1, 32_000),
            ("win_score", score(adjudication.win_score), 1, 32_000),
            ("win_plies", adjudication.win_plies.into(), 1, 10_000),
            ("draw_score", score(adjudication.draw_score), 0, 32_000),
            ("draw_plies", adjudication.draw_plies.into(), 1, 10_000),
            ("draw_from", adjudication.draw_from.into(), 0, 10_000),
            ("longest game", adjudication.longest.into(), 1, 10_000),
        ];
        match ranges.into_iter().find(|(_, value, from, to)| !(from..=to).contains(&value)) {
            Some((field, value, from, to)) => Err(RecipeError { field, value, from, to }),
            None => Ok(()),
        }
    }

    /// The same wherever a network's file lies: its hash says which it is.
    pub(crate) fn anywhere(&self) -> Recipe {
        let mut recipe = self.clone();
        if let Evaluation::Network { file, .. } = &mut recipe.evaluation {
            *file = PathBuf::new();
        }
        recipe
    }

    /// The nodes for a move.
    pub(crate) fn move_limits(&self) -> Limits {
        nodes(self.soft_nodes, self.hard_nodes)
    }

    /// The nodes for judging an opening.
    pub(crate) fn opening_limits(&self) -> Limits {
        nodes(self.opening.nodes, self.opening.nodes.saturating_mul(10))
    }
}

fn nodes(soft: u64, hard: u64) -> Limits {
    Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_makes_sense() {
        assert_eq!(Recipe::default().check(), Ok(()));
    }

    #[test]
    fn nonsense_is_named() {
        let recipe = Recipe { hard_nodes: 10, soft_nodes: 11, ..Recipe::default() };
        let error = recipe.check().unwrap_err();
        assert_eq!((error.field, error.value, error.from), ("hard_nodes", 10, 11));
        let unknown = serde_json::to_string(&recipe).unwrap().replace("\"hash\"", "\"hesh\"");
        assert!(serde_json::from_str::<Recipe>(&unknown).is_err());
    }
}
