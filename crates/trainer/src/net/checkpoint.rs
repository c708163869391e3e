//! A training that was stopped, to be taken up again.
//!
//! | bytes  | what                                                                        |
//! |--------|-----------------------------------------------------------------------------|
//! | 0-7    | `tabiyaCP`                                                                  |
//! | 8-11   | the header's length, the low byte first                                     |
//! | 12-    | the header, JSON                                                            |
//! | then   | the network's numbers and both lists of the optimiser, 32-bit floats, the   |
//! |        | low byte first                                                              |

use super::adam::{AdamSteps, Moments};
use super::model::{Model, Shape};
use super::{EpochErrors, TRAINER};
use crate::manifest::sha256;
use crate::net::recipe::NetRecipe;
use crate::shard::{JsonReason, MAX_FILE};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tabiya_files::{FileError, read_if_there, write};

const MAGIC: &[u8; 8] = b"tabiyaCP";
const MAX_HEADER: usize = 1 << 24;

/// Everything that a training is at some moment.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Checkpoint {
    pub(crate) place: TrainingProgress,
    pub(crate) model: Model,
    pub(crate) moments: Moments,
}

/// How far it has come.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrainingProgress {
    /// Epochs that are finished.
    pub(crate) epochs: Vec<EpochErrors>,
    /// Batches of the next epoch that are done.
    pub(crate) done: usize,
    /// The sum of their squared errors.
    pub(crate) error: f64,
    /// The optimiser's steps.
    pub(crate) clock: AdamSteps,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// What the training is: a hash of its recipe.
    training: String,
    place: TrainingProgress,
    /// The hash of the numbers.
    sha256: String,
}

/// Why a training cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is something else, or damaged.
    #[error("{}: this is no checkpoint of a training, or it is damaged", .0.display())]
    Damaged(PathBuf),
    /// The header cannot be read.
    #[error("{}: the checkpoint makes no sense: {reason}", path.display())]
    Header {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: JsonReason,
    },
    /// It is of another recipe.
    #[error(
        "{} is of a training by another recipe, on other games or by another trainer; remove it to \
         begin anew",
        .0.display()
    )]
    Other(PathBuf),
}

/// What tells trainings apart.
pub(crate) fn identity(recipe: &NetRecipe) -> String {
    // Numbers and names only: nothing that JSON could refuse.
    let recipe = serde_json::to_string(recipe).unwrap_or_default();
    sha256(format!("{TRAINER} {recipe}").as_bytes())
}

impl Checkpoint {
    /// Reads the checkpoint of a training; nothing if there is none.
    pub(crate) fn load(
        path: &Path,
        identity: &str,
        shape: Shape,
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let Some(bytes) = read_if_there(path, MAX_FILE)? else { return Ok(None) };
        let damaged = || CheckpointError::Damaged(path.to_owned());
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
        let (length, rest) = rest.split_first_chunk().ok_or_else(damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_HEADER.min(rest.len()) {
            return Err(damaged());
        }
        let (header, payload) = rest.split_at(length);
        let header: Header = serde_json::from_slice(header).map_err(|error| {
            CheckpointError::Header { path: path.to_owned(), reason: error.into() }
        })?;
        if header.training != identity {
            return Err(CheckpointError::Other(path.to_owned()));
        }
        let count = shape.count();
        if payload.len() != 3 * 4 * count || sha256(payload) != header.sha256 {
            return Err(damaged());
        }
        let mut numbers = payload.as_chunks().0.iter().copied().map(f32::from_le_bytes);
        let mut take = || numbers.by_ref().take(count).collect();
        let model = Model { shape, numbers: take() };
        let moments = Moments { mean: take(), square: take() };
        Ok(Some(Checkpoint { place: header.place, model, moments }))
    }
}

/// Writes the checkpoint of a training.
pub(crate) fn save(
    path: &Path,
    identity: &str,
    place: &TrainingProgress,
    (model, moments): (&Model, &Moments),
) -> Result<(), CheckpointError> {
    let lists = [&model.numbers, &moments.mean, &moments.square];
    let payload: Vec<u8> =
        lists.into_iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
    let header =
        Header { training: identity.to_owned(), place: place.clone(), sha256: sha256(&payload) };
    let header = serde_json::to_vec(&header).unwrap_or_default();
    let length = (header.len() as u32).to_le_bytes();
    Ok(write(path, &[&MAGIC[..], &length, &header, &payload].concat())?)
}
