//! Are the games in a directory those that its manifest tells of?

use crate::Stop;
use crate::manifest::{Census, DataError, Manifest, Origin};
use crate::parallel::in_order;
use crate::recipe::{Evaluation, Recipe};
use crate::record::PackedGame;
use crate::selfplay::{SelfPlayError, SelfPlayer};
use crate::shard::{ShardError, ShardReader};
use std::path::Path;
use tabiya_chess::rng::SplitMix64;

/// Why games are not what their manifest says.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The files are not.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Another engine played.
    #[error(
        "the games are by an engine with bench {there}{}; this one has bench {here} and would play others",
        commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default()
    )]
    Engine {
        /// The bench in the manifest.
        there: u64,
        /// This program's.
        here: u64,
        /// The commit in the manifest.
        commit: Option<String>,
    },
    /// Another evaluation played.
    #[error("the games are by another evaluation or network than this one")]
    Evaluation,
    /// A game was played differently.
    #[error("game {game} comes out differently when it is played again")]
    Differs {
        /// Which.
        game: u64,
    },
    /// Playing fails.
    #[error(transparent)]
    Play(#[from] SelfPlayError),
}

impl From<crate::parallel::CrewError> for VerifyError {
    fn from(error: crate::parallel::CrewError) -> VerifyError {
        VerifyError::Play(error.into())
    }
}

/// Which games are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VerifySample {
    /// Every one.
    All,
    /// This many, drawn by chance from a seed.
    Some {
        /// How many.
        games: u64,
        /// Where chance begins.
        seed: u64,
    },
}

/// What was verified.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verified {
    /// What the directory holds; all of it was read.
    pub census: Census,
    /// Games that were played again and came out the same.
    pub replayed: u64,
}

/// Reads all shards of a directory, compares hashes and counts with the manifest, and plays a sample of
/// the games again, comparing bytes. Another engine is refused at once. The games are played by
/// `evaluation`, which is the manifest's, but for where its network lies now.
///
/// `progress` gets the number of games that were played again, and of all.
///
/// # Errors
/// With the first thing that is not as it should be.
pub fn verify(
    directory: &Path,
    evaluation: &Evaluation,
    origin: &Origin,
    sample: VerifySample,
    threads: usize,
    stop: Stop<'_>,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verified, VerifyError> {
    let manifest = Manifest::load(directory)?;
    let recipe = Recipe { evaluation: evaluation.clone(), ..manifest.recipe.clone() };
    if recipe.anywhere() != manifest.recipe.anywhere() {
        return Err(VerifyError::Evaluation);
    }
    if manifest.origin.bench != origin.bench {
        return Err(VerifyError::Engine {
            there: manifest.origin.bench,
            here: origin.bench,
            commit: manifest.origin.commit,
        });
    }
    let chosen = choose(sample, manifest.census().games);
    let mut verified = Verified::default();
    for entry in &manifest.shards {
        let bytes = manifest.read_shard(directory, entry)?;
        let path = directory.join(&entry.file);
        let mut census = Census::default();
        let mut to_play = Vec::new();
        let wrong = |source| DataError::Shard { path: path.clone(), source };
        let mut reader = ShardReader::new(&bytes).map_err(wrong)?;
        while let Some(record) = reader.next_record() {
            let (game, bytes) = record.map_err(wrong)?;
            let record = PackedGame::decode(bytes)
                .map_err(|source| wrong(ShardError::Record { game, source }))?;
            census.add_game(record.plies.len() as u64, record.result);
            if chosen.as_ref().is_none_or(|chosen| chosen.binary_search(&game).is_ok()) {
                to_play.push((game, bytes));
            }
        }
        if census != entry.census {
            return Err(DataError::Contents { path }.into());
        }
        verified.census.add(&census);
        if to_play.is_empty() {
            continue;
        }
        let wanted = chosen.as_ref().map_or(manifest.census().games, |c| c.len() as u64);
        in_order(
            threads.min(to_play.len()),
            0..to_play.len() as u64,
            stop,
            || Ok(SelfPlayer::new(&recipe)?),
            |player, index| {
                let (game, expected) = to_play[index as usize];
                let played = player.play(game)?;
                let bytes =
                    played.encode().map_err(|source| SelfPlayError::Record { game, source })?;
                if bytes == expected { Ok(()) } else { Err(VerifyError::Differs { game }) }
            },
            |_, ()| {
                verified.replayed += 1;
                progress(verified.replayed, wanted);
                Ok(())
            },
        )?;
        if stop() {
            break;
        }
    }
    Ok(verified)
}

/// The numbers of the games to play again, in order; nothing for all of them.
fn choose(sample: VerifySample, games: u64) -> Option<Vec<u64>> {
    match sample {
        VerifySample::Some { games: wanted, seed } if wanted < games => {
            let mut random = SplitMix64::stream(seed, 0);
            // Each game is taken with the chance that makes the number come out.
            let mut left = wanted;
            let take = |&game: &u64| {
                let taken = random.below(games - game) < left;
                left -= u64::from(taken);
                taken
            };
            Some((0..games).filter(take).collect())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_have_their_size() {
        for wanted in [0, 1, 7, 99] {
            let chosen = choose(VerifySample::Some { games: wanted, seed: 5 }, 100).unwrap();
            assert_eq!(chosen.len() as u64, wanted);
            assert!(chosen.is_sorted() && chosen.iter().all(|&game| game < 100));
        }
        assert_eq!(choose(VerifySample::All, 100), None);
        assert_eq!(choose(VerifySample::Some { games: 100, seed: 5 }, 100), None);
    }
}
