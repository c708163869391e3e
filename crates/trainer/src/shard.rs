//! Files of games.
//!
//! | bytes    | what                                                                |
//! |----------|---------------------------------------------------------------------|
//! | 0-7      | `tabiyaSP`                                                          |
//! | 8-9      | the format's version, 1, the low byte first                         |
//! | 10-13    | the header's length, the low byte first                             |
//! | 14-      | the header, JSON: [`ShardHeader`]                                   |
//! | then     | as many games as it says: the length in bytes (7 bits a byte, the   |
//! |          | low ones first, the high bit set where more follow), then the bytes |
//! |          | of a [`PackedGame`]                                                 |
//!
//! Nothing in a shard tells when or by how many threads it was made: the same recipe and engine give
//! the same bytes.

use crate::recipe::Recipe;
use crate::record::{PackedGame, RecordError};
use core::fmt;
use serde::{Deserialize, Serialize};
use tabiya_chess::shortened;

const MAGIC: &[u8; 8] = b"tabiyaSP";
const VERSION: u16 = 1;
const FIXED: usize = 14;
const MAX_HEADER: usize = 1 << 16;
const MAX_RECORD: usize = 1 << 16;
/// No file of this crate is larger.
pub(crate) const MAX_FILE: u64 = 1 << 30;

/// What stands at the head of a shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardHeader {
    /// The bench of the engine that played.
    pub bench: u64,
    /// The number of the first game.
    pub first_game: u64,
    /// How many games there are.
    pub games: u32,
    /// How they were made.
    pub recipe: Recipe,
}

impl ShardHeader {
    /// The same wherever a network's file lay; the first shards named the place.
    pub(crate) fn anywhere(&self) -> ShardHeader {
        ShardHeader { recipe: self.recipe.anywhere(), ..*self }
    }
}

/// Why bytes are no shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// Something else altogether.
    #[error("this is no file of Tabiya's self-play games")]
    Foreign,
    /// From another time.
    #[error("the file has version {0} of the format; this program reads version {VERSION}")]
    Version(u16),
    /// The header cannot be read.
    #[error("the file's header makes no sense: {0}")]
    Header(JsonReason),
    /// The header is longer than any header.
    #[error("the file's header claims to be {0} bytes long; none is longer than {MAX_HEADER}")]
    HeaderLength(usize),
    /// The file ends too soon.
    #[error("the file ends within game {game}")]
    Truncated {
        /// The first that is not there.
        game: u64,
    },
    /// There is more in the file than the games.
    #[error("{0} bytes are left after the last game")]
    Trailing(usize),
    /// A game is longer than any game.
    #[error("game {game} claims to be {length} bytes long; none is longer than {MAX_RECORD}")]
    RecordLength {
        /// Which.
        game: u64,
        /// What was found.
        length: u64,
    },
    /// A game cannot be read.
    #[error("game {game} cannot be read")]
    Record {
        /// Which.
        game: u64,
        /// Why.
        source: RecordError,
    },
}

/// What is wrong with JSON, in few words however much of it there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonReason(Box<str>);

impl From<serde_json::Error> for JsonReason {
    fn from(error: serde_json::Error) -> JsonReason {
        /// Names of fields, which the reason quotes, can be of any length.
        const LONGEST: usize = 200;
        JsonReason(shortened(&error.to_string(), LONGEST).into())
    }
}

impl fmt::Display for JsonReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Puts a shard together: a header and games as bytes, in their order.
pub(crate) fn compose(header: &ShardHeader, games: &[Vec<u8>]) -> Vec<u8> {
    // Numbers and names only: nothing that JSON could refuse.
    let head = serde_json::to_vec(header).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((head.len() as u32).to_le_bytes());
    bytes.extend(head);
    for game in games {
        let mut length = game.len();
        while length >= 0x80 {
            bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        bytes.push(length as u8);
        bytes.extend_from_slice(game);
    }
    bytes
}

/// A shard's header, and its games one after the other.
///
/// Any bytes may be given; memory and work are bounded by their number.
pub struct ShardReader<'a> {
    header: ShardHeader,
    rest: &'a [u8],
    next_game: u64,
    games_left: u32,
}

impl<'a> ShardReader<'a> {
    /// Reads the header.
    ///
    /// # Errors
    /// If there is none.
    pub fn new(bytes: &'a [u8]) -> Result<ShardReader<'a>, ShardError> {
        let Some((fixed, rest)) = bytes.split_at_checked(FIXED) else {
            return Err(ShardError::Foreign);
        };
        let &[ref magic @ .., v0, v1, l0, l1, l2, l3] = fixed else {
            return Err(ShardError::Foreign);
        };
        if magic != MAGIC {
            return Err(ShardError::Foreign);
        }
        let version = u16::from_le_bytes([v0, v1]);
        if version != VERSION {
            return Err(ShardError::Version(version));
        }
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        if length > MAX_HEADER.min(rest.len()) {
            return Err(ShardError::HeaderLength(length));
        }
        let (head, rest) = rest.split_at(length);
        let header: ShardHeader =
            serde_json::from_slice(head).map_err(|error| ShardError::Header(error.into()))?;
        let (next_game, games_left) = (header.first_game, header.games);
        Ok(ShardReader { header, rest, next_game, games_left })
    }

    /// The header.
    pub fn header(&self) -> &ShardHeader {
        &self.header
    }

    /// The bytes of the next game, which may still be no game.
    pub(crate) fn next_record(&mut self) -> Option<Result<(u64, &'a [u8]), ShardError>> {
        if self.games_left == 0 {
            let left = std::mem::take(&mut self.rest).len();
            return (left > 0).then_some(Err(ShardError::Trailing(left)));
        }
        let game = self.next_game;
        let record = self.take_record(game);
        match &record {
            Ok(_) => {
                self.next_game = game.wrapping_add(1);
                self.games_left -= 1;
            }
            Err(_) => (self.rest, self.games_left) = (&[], 0),
        }
        Some(record.map(|bytes| (game, bytes)))
    }

    fn take_record(&mut self, game: u64) -> Result<&'a [u8], ShardError> {
        let truncated = ShardError::Truncated { game };
        let mut length = 0u64;
        let mut shift = 0;
        loop {
            let Some((&byte, rest)) = self.rest.split_first() else { return Err(truncated) };
            self.rest = rest;
            length |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            // Four bytes are too many already.
            if byte < 0x80 || shift > 21 {
                break;
            }
        }
        if length > MAX_RECORD as u64 || shift > 21 {
            return Err(ShardError::RecordLength { game, length });
        }
        let Some((record, rest)) = self.rest.split_at_checked(length as usize) else {
            return Err(truncated);
        };
        self.rest = rest;
        Ok(record)
    }
}

impl Iterator for ShardReader<'_> {
    /// A game and its number.
    type Item = Result<(u64, PackedGame), ShardError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().map(|record| {
            let (game, bytes) = record?;
            match PackedGame::decode(bytes) {
                Ok(record) => Ok((game, record)),
                Err(source) => Err(ShardError::Record { game, source }),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::random_game;
    use proptest::prelude::*;

    fn shard(games: u32) -> (Vec<u8>, Vec<PackedGame>) {
        let records: Vec<_> = (0..games).map(|i| random_game(i.into(), 200)).collect();
        let bytes: Vec<_> = records.iter().map(|game| game.encode().unwrap()).collect();
        let header = ShardHeader { bench: 7, first_game: 40, games, recipe: Recipe::default() };
        (compose(&header, &bytes), records)
    }

    fn read(bytes: &[u8]) -> Result<Vec<PackedGame>, ShardError> {
        ShardReader::new(bytes)?.map(|game| game.map(|(_, record)| record)).collect()
    }

    #[test]
    fn a_shard_is_read_as_it_was_written() {
        let (bytes, records) = shard(5);
        let reader = ShardReader::new(&bytes).unwrap();
        assert_eq!(reader.header().recipe, Recipe::default());
        let read: Vec<_> = reader.map(Result::unwrap).collect();
        assert_eq!(read.iter().map(|game| game.0).collect::<Vec<_>>(), [40, 41, 42, 43, 44]);
        assert!(read.iter().map(|game| &game.1).eq(&records));
    }

    #[test]
    fn no_part_of_a_shard_is_a_shard() {
        let (bytes, _) = shard(3);
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
        let more = [&bytes[..], &[0]].concat();
        assert!(matches!(read(&more), Err(ShardError::Trailing(1))));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let (bytes, _) = shard(1);
        assert!(matches!(read(b"GIF89a and so on, and on"), Err(ShardError::Foreign)));
        let mut newer = bytes.clone();
        newer[8] = 2;
        assert!(matches!(read(&newer), Err(ShardError::Version(2))));
        let mut long = bytes.clone();
        long[13] = 0xFF;
        assert!(matches!(read(&long), Err(ShardError::HeaderLength(_))));
        let mut other = bytes.clone();
        other[14] = b'[';
        assert!(matches!(read(&other), Err(ShardError::Header(_))));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn changed_bytes_are_survived(changes in proptest::collection::vec(any::<(usize, u8)>(), 1..4)) {
            let (mut bytes, _) = shard(2);
            let length = bytes.len();
            for (place, byte) in changes {
                bytes[place % length] = byte;
            }
            if let Ok(games) = read(&bytes) {
                prop_assert!(games.len() <= length);
            }
        }
    }
}
