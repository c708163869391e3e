//! From games to samples.

use super::lambda::TdLambda;
use super::recipe::{DataSource, NetFilter};
use super::sample::Sample;
use crate::Stop;
use crate::fit::is_quiet;
use crate::manifest::{DataError, MANIFEST, Manifest, sha256};
use crate::parallel::{CrewError, in_order};
use crate::record::{PackedGame, RecordError};
use crate::shard::{MAX_FILE, ShardError, ShardReader};
use std::path::{Path, PathBuf};
use tabiya_chess::rng::SplitMix64;
use tabiya_files::read;

/// Training positions, and validation positions of other games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NetSamples {
    /// For training.
    pub training: Vec<Sample>,
    /// For validation.
    pub validation: Vec<Sample>,
    /// Games that were read.
    pub games: u64,
    /// Positions that they had.
    pub positions: u64,
}

/// Why samples cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum NetLoadError {
    /// The files are not what they should be.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The games are not those that the recipe means.
    #[error("{}: SHA-256 is {found}; the recipe says {expected}", path.display())]
    Manifest {
        /// Which manifest.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// The threads fail.
    #[error(transparent)]
    Crew(#[from] CrewError),
}

/// What is held of each shard until its turn has come.
struct Part<'a> {
    directory: &'a Path,
    manifest: usize,
    entry: usize,
}

impl NetSamples {
    /// All positions of some directories that a filter lets through, in the order of their games.
    ///
    /// The filter goes by what the searches said; what is learnt looks ahead.
    ///
    /// The hashes of the manifests are put into `sources` where they are not there. `progress` gets
    /// how many games of how many have been read.
    ///
    /// # Errors
    /// If a directory cannot be read, or is not what its manifest or the recipe says.
    pub fn load(
        sources: &mut [DataSource],
        filter: &NetFilter,
        td_lambda: TdLambda,
        threads: usize,
        stop: Stop<'_>,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<NetSamples, NetLoadError> {
        let manifests =
            sources.iter_mut().map(read_manifest).collect::<Result<Vec<Manifest>, _>>()?;
        let mut parts = Vec::new();
        for (index, (source, manifest)) in sources.iter().zip(&manifests).enumerate() {
            let part = |entry| Part { directory: &source.directory, manifest: index, entry };
            parts.extend((0..manifest.shards.len()).map(part));
        }
        let all_games = manifests.iter().map(|manifest| manifest.census().games).sum();
        let mut all = NetSamples::default();
        in_order(
            threads,
            0..parts.len() as u64,
            stop,
            || Ok(()),
            |(), index| {
                let part = &parts[index as usize];
                let manifest = &manifests[part.manifest];
                let entry = &manifest.shards[part.entry];
                let bytes = manifest.read_shard(part.directory, entry)?;
                let path = part.directory.join(&entry.file);
                Ok(samples_of(&bytes, filter, td_lambda)
                    .map_err(|source| DataError::Shard { path, source })?)
            },
            |_, part: NetSamples| {
                all.training.extend(part.training);
                all.validation.extend(part.validation);
                all.games += part.games;
                all.positions += part.positions;
                progress(all.games, all_games);
                Ok(())
            },
        )
        .map(|()| all)
    }

    /// Adds a game, whose bytes decide on which side it goes.
    fn add(
        &mut self,
        bytes: &[u8],
        filter: &NetFilter,
        td_lambda: TdLambda,
    ) -> Result<(), RecordError> {
        let held_out = is_held_out(bytes, filter.hold_out_every);
        let list = if held_out { &mut self.validation } else { &mut self.training };
        let first = list.len();
        let mut plies = Vec::new();
        let record = PackedGame::decode_and_visit(bytes, |game, position, played| {
            if game.opening.len() + game.plies.len() >= filter.first_ply as usize
                && played.score.unsigned_abs() < filter.score_limit.unsigned_abs()
                && is_quiet(position, played.mv)
            {
                list.push(Sample::new(position, played.score, game.result));
                plies.push((game.plies.len(), position.side_to_move()));
            }
        })?;
        let scores = td_lambda.scores(&record);
        for (sample, (ply, turn)) in list[first..].iter_mut().zip(plies) {
            sample.set_score(turn, scores[ply]);
        }
        self.games += 1;
        self.positions += record.plies.len() as u64;
        Ok(())
    }
}

fn read_manifest(source: &mut DataSource) -> Result<Manifest, NetLoadError> {
    let path = source.directory.join(MANIFEST);
    let found = sha256(&read(&path, MAX_FILE).map_err(DataError::from)?);
    match &source.manifest_sha256 {
        Some(expected) if *expected != found => {
            return Err(NetLoadError::Manifest { path, found, expected: expected.clone() });
        }
        _ => source.manifest_sha256 = Some(found),
    }
    Ok(Manifest::load(&source.directory)?)
}

fn samples_of(
    bytes: &[u8],
    filter: &NetFilter,
    td_lambda: TdLambda,
) -> Result<NetSamples, ShardError> {
    let mut part = NetSamples::default();
    let mut reader = ShardReader::new(bytes)?;
    while let Some(record) = reader.next_record() {
        let (game, bytes) = record?;
        part.add(bytes, filter, td_lambda).map_err(|source| ShardError::Record { game, source })?;
    }
    Ok(part)
}

/// Is a game held out? The same game is or is not, wherever it lies: no copy of it is in both training and validation.
fn is_held_out(game: &[u8], every: u32) -> bool {
    let mixed = game.chunks(8).fold(game.len() as u64, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        SplitMix64::stream(sum, u64::from_le_bytes(word)).next()
    });
    mixed % u64::from(every.max(1)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::random_game;

    fn games(count: u64) -> Vec<Vec<u8>> {
        (0..count).map(|seed| random_game(seed, 60).encode().unwrap()).collect()
    }

    fn all(games: &[Vec<u8>], filter: &NetFilter) -> NetSamples {
        let mut samples = NetSamples::default();
        games.iter().for_each(|game| samples.add(game, filter, TdLambda::NONE).unwrap());
        samples
    }

    #[test]
    fn games_that_are_held_out_never_train() {
        let filter = NetFilter { hold_out_every: 5, ..NetFilter::default() };
        let games = games(300);
        let (held_out, others): (Vec<_>, Vec<_>) =
            games.iter().cloned().partition(|game| is_held_out(game, 5));
        assert!((30..90).contains(&held_out.len()), "{}", held_out.len());
        let samples = all(&games, &filter);
        assert_eq!(samples.training, all(&others, &filter).training);
        assert_eq!(samples.validation, all(&held_out, &filter).validation);
        assert!(all(&held_out, &filter).training.is_empty());
        assert!(all(&others, &filter).validation.is_empty());
        assert_eq!(samples.games, 300);
    }

    #[test]
    fn filters_leave_out_what_they_say() {
        let games = games(100);
        let wide = NetFilter { score_limit: i16::MAX, first_ply: 0, hold_out_every: u32::MAX };
        let whole = all(&games, &wide);
        let narrow = all(&games, &NetFilter { score_limit: 100, ..wide.clone() });
        assert!(!narrow.training.is_empty());
        let small = |sample: &&Sample| sample.score().unsigned_abs() < 100;
        assert!(narrow.training.iter().eq(whole.training.iter().filter(small)));
        let late = all(&games, &NetFilter { first_ply: 40, ..wide });
        assert!(!late.training.is_empty() && late.training.len() < whole.training.len());
        assert_eq!(late.positions, whole.positions);
    }
}
