//! What a directory of games holds, and where it comes from.

use crate::recipe::{Evaluation, Recipe};
use crate::selfplay::{SelfPlayError, evaluate_by};
use crate::shard::{JsonReason, MAX_FILE, ShardError, ShardHeader, ShardReader};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use tabiya_chess::GameResult;
use tabiya_engine::bench::{DEFAULT_DEPTH, bench};
use tabiya_engine::{Analyst, Engine, Identity};
use tabiya_files::{FileError, read, write};

/// The manifest's name in its directory.
pub const MANIFEST: &str = "manifest.json";

/// The engine that played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Name and version.
    pub engine: String,
    /// The commit that it was built from, where that is known.
    pub commit: Option<String>,
    /// The SHA-256 of the network that it evaluated by; none by rules, and in old manifests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// The compilations that ran on its CPU; not in old manifests. They make no difference to the games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The bench's nodes, by the evaluation that played: the signature of the search.
    pub bench: u64,
}

impl Origin {
    /// The engine of this program with an evaluation, which runs its bench.
    ///
    /// # Errors
    /// If it cannot.
    pub fn of_this_engine(
        evaluation: &Evaluation,
        commit: Option<&'static str>,
    ) -> Result<Origin, SelfPlayError> {
        let mut engine = Engine::new()?.built_from(commit);
        evaluate_by(&mut engine, evaluation)?;
        let bench = bench(&mut engine, DEFAULT_DEPTH, |_, _| ())?.nodes;
        let Identity { commit, network, cpu, .. } = engine.program();
        Ok(Origin { engine: engine.name(), commit, network, cpu: Some(cpu), bench })
    }
}

/// What a directory of games holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Who played.
    pub origin: Origin,
    /// By which recipe.
    pub recipe: Recipe,
    /// The files, in the order of their games.
    pub shards: Vec<ShardEntry>,
}

/// What is known of a shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    /// Its name in the directory.
    pub file: String,
    /// The number of its first game.
    pub first_game: u64,
    /// What is in it.
    pub census: Census,
    /// Its size.
    pub bytes: u64,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

/// Games, counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Census {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Games that White won.
    pub white_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
}

impl Census {
    /// Counts a game.
    pub fn add_game(&mut self, positions: u64, result: GameResult) {
        self.games += 1;
        self.positions += positions;
        match result {
            GameResult::White => self.white_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Black => self.black_wins += 1,
        }
    }

    /// Counts all that another census counted.
    pub fn add(&mut self, other: &Census) {
        self.games += other.games;
        self.positions += other.positions;
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
    }
}

/// Why a directory of games is not what it should be.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The manifest cannot be read.
    #[error("{}: the manifest makes no sense: {reason}", path.display())]
    Manifest {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: JsonReason,
    },
    /// The manifest names a file outside its directory, or not all games in their order.
    #[error("{}: the manifest says something impossible of shard {file:?}", path.display())]
    Entry {
        /// Which manifest.
        path: PathBuf,
        /// What it names.
        file: String,
    },
    /// A shard's bytes have changed.
    #[error("{}: SHA-256 is {found}; the manifest says {expected}", path.display())]
    Hash {
        /// Which file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it was.
        expected: String,
    },
    /// A shard cannot be read.
    #[error("{}: the games cannot be read", path.display())]
    Shard {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: ShardError,
    },
    /// A shard is not the one that the manifest describes.
    #[error("{}: the file's header or contents are not what the manifest says", path.display())]
    Contents {
        /// Which file.
        path: PathBuf,
    },
}

/// The SHA-256 of bytes, as people write it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Manifest {
    /// A manifest that names nothing yet.
    pub fn new(origin: Origin, recipe: Recipe) -> Manifest {
        Manifest { origin, recipe, shards: Vec::new() }
    }

    /// Reads the manifest of a directory.
    ///
    /// # Errors
    /// If there is none, or it makes no sense.
    pub fn load(directory: &Path) -> Result<Manifest, DataError> {
        let path = directory.join(MANIFEST);
        let text = read(&path, MAX_FILE)?;
        let manifest: Manifest = serde_json::from_slice(&text)
            .map_err(|error| DataError::Manifest { path: path.clone(), reason: error.into() })?;
        let mut next_game = 0u64;
        for entry in &manifest.shards {
            let plain = Path::new(&entry.file).file_name().is_some_and(|name| *name == *entry.file);
            if !plain || entry.first_game != next_game {
                return Err(DataError::Entry { path, file: entry.file.clone() });
            }
            next_game = next_game.saturating_add(entry.census.games);
        }
        Ok(manifest)
    }

    /// Writes it to its directory.
    ///
    /// # Errors
    /// If that fails.
    pub fn save(&self, directory: &Path) -> Result<(), DataError> {
        // Numbers and names only: nothing that JSON could refuse.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        Ok(write(&directory.join(MANIFEST), &text)?)
    }

    /// All games together.
    pub fn census(&self) -> Census {
        self.shards.iter().fold(Census::default(), |mut all, entry| {
            all.add(&entry.census);
            all
        })
    }

    /// The header that a shard of these games must have.
    pub(crate) fn header(&self, first_game: u64, games: u64) -> ShardHeader {
        ShardHeader {
            bench: self.origin.bench,
            first_game,
            games: games as u32,
            // Where somebody kept a network is no part of the games.
            recipe: self.recipe.anywhere(),
        }
    }

    /// Reads a shard's bytes and makes sure that they are the ones the manifest names.
    ///
    /// # Errors
    /// If they are not.
    pub fn read_shard(&self, directory: &Path, entry: &ShardEntry) -> Result<Vec<u8>, DataError> {
        let path = directory.join(&entry.file);
        let bytes = read(&path, MAX_FILE)?;
        let found = sha256(&bytes);
        if found != entry.sha256 {
            return Err(DataError::Hash { path, found, expected: entry.sha256.clone() });
        }
        let header = match ShardReader::new(&bytes) {
            Ok(reader) => reader.header().anywhere(),
            Err(source) => return Err(DataError::Shard { path, source }),
        };
        if header != self.header(entry.first_game, entry.census.games) {
            return Err(DataError::Contents { path });
        }
        Ok(bytes)
    }
}
