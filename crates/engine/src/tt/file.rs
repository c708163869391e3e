//! The TT in a file, so that an analysis can go on another day.
//!
//! | bytes | meaning                                                             |
//! |-------|---------------------------------------------------------------------|
//! | 0-7   | `TABIYAHT`                                                          |
//! | 8-15  | version of this layout and of the entries'                          |
//! | 16-23 | key of the starting position: with other keys the entries mean nothing |
//! | 24-31 | how many clusters                                                   |
//! | 32-39 | generation                                                          |
//! | 40-47 | checksum of what follows and of the numbers above                   |
//! | 48-   | clusters                                                            |
//!
//! All numbers are of 64 bits, little-endian.

use super::{CLUSTER_BYTES, Cluster, GENERATIONS, TranspositionTable, TtMemoryError};
use core::sync::atomic::Ordering;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tabiya_chess::Position;
use tabiya_files::{FileError, NewFile, open_regular};

const MAGIC: [u8; 8] = *b"TABIYAHT";
/// Goes up with every change of the layout or of what the bits of an entry mean.
const VERSION: u64 = 2;
const HEADER_BYTES: u64 = 48;

/// Why a table was not saved or loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{} is not a saved hash table", .0.display())]
    Foreign(PathBuf),
    #[error(
        "{} was saved by another version of this program (layout {found}; this one reads {VERSION})",
        path.display()
    )]
    Version { path: PathBuf, found: u64 },
    #[error("{} was saved by a program that signatures positions differently", .0.display())]
    Keys(PathBuf),
    #[error("{} has {found} bytes instead of {expected}: it is cut short or damaged", path.display())]
    Size { path: PathBuf, found: u64, expected: u64 },
    #[error("{} is damaged: its checksum is wrong", .0.display())]
    Checksum(PathBuf),
    #[error(transparent)]
    Memory(#[from] TtMemoryError),
}

/// Every step is one to one, so that no single wrong word goes unnoticed.
struct Checksum(u64);

impl Checksum {
    fn of(header: [u64; 3]) -> Checksum {
        let mut sum = Checksum(VERSION);
        header.into_iter().for_each(|word| sum.add(word));
        sum
    }

    #[inline(always)]
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }
}

fn start_key() -> u64 {
    Position::start().keys().position
}

impl TranspositionTable {
    /// Writes everything to a file. Until it is whole, a file that is already there stays as it is.
    pub(crate) fn save(&self, path: &Path) -> Result<(), TableFileError> {
        let mut file = NewFile::create(path)?;
        self.write_to(&mut file).map_err(FileError::io(path, "written"))?;
        Ok(file.commit()?)
    }

    fn write_to(&self, file: &mut NewFile) -> io::Result<()> {
        let generation = u64::from(self.generation.load(Ordering::Relaxed));
        let header = [start_key(), self.clusters as u64, generation];
        let words = || self.clusters().iter().flat_map(|Cluster(words)| words);
        let mut sum = Checksum::of(header);
        // The sum comes first in the file, so it takes a pass of its own. No search runs meanwhile.
        words().for_each(|word| sum.add(word.load(Ordering::Relaxed)));
        file.write_all(&MAGIC)?;
        for number in [VERSION].into_iter().chain(header).chain([sum.0]) {
            file.write_all(&number.to_le_bytes())?;
        }
        for word in words() {
            file.write_all(&word.load(Ordering::Relaxed).to_le_bytes())?;
        }
        Ok(())
    }

    /// A table from a file, as large as it was when it was saved.
    pub(crate) fn load(path: &Path) -> Result<TranspositionTable, TableFileError> {
        let failed = FileError::io(path, "read");
        let own = || path.to_owned();
        let file = open_regular(path)?;
        let found = file.metadata().map_err(&failed)?.len();
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut magic = [0; 8];
        if found < HEADER_BYTES || file.read_exact(&mut magic).is_err() || magic != MAGIC {
            return Err(TableFileError::Foreign(own()));
        }
        let mut number = || {
            let mut bytes = [0; 8];
            file.read_exact(&mut bytes).map_err(&failed)?;
            Ok::<u64, TableFileError>(u64::from_le_bytes(bytes))
        };
        let version = number()?;
        if version != VERSION {
            return Err(TableFileError::Version { path: own(), found: version });
        }
        let header = [number()?, number()?, number()?];
        let expected_sum = number()?;
        let [key, clusters, generation] = header;
        if key != start_key() {
            return Err(TableFileError::Keys(own()));
        }
        let expected = clusters.saturating_mul(CLUSTER_BYTES as u64).saturating_add(HEADER_BYTES);
        // Only what is really there is made room for.
        if found != expected {
            return Err(TableFileError::Size { path: own(), found, expected });
        }
        let megabytes = (found - HEADER_BYTES) >> 20;
        let table = TranspositionTable::new(megabytes as usize)?;
        if table.clusters as u64 != clusters {
            return Err(TableFileError::Checksum(own()));
        }
        let mut sum = Checksum::of(header);
        for word in table.clusters().iter().flat_map(|Cluster(words)| words) {
            let read = number()?;
            sum.add(read);
            word.store(read, Ordering::Relaxed);
        }
        if sum.0 != expected_sum || generation >= u64::from(GENERATIONS) {
            return Err(TableFileError::Checksum(own()));
        }
        table.generation.store(generation as u32, Ordering::Relaxed);
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::super::TtEntry;
    use super::*;
    use crate::score::Bound;

    fn filled() -> TranspositionTable {
        let table = TranspositionTable::new(1).unwrap();
        for i in 0..3000_u64 {
            let entry = TtEntry {
                mv: None,
                value: i as i32 % 700,
                eval: Some(3),
                depth: i as i32 % 20,
                bound: Some(Bound::Lower),
                pv: false,
            };
            table.store(i.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0, entry);
        }
        table.next_generation();
        table
    }

    fn words(table: &TranspositionTable) -> Vec<u64> {
        let words = table.clusters().iter().flat_map(|Cluster(words)| words);
        words.map(|word| word.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("analysis.hash");
        let table = filled();
        std::fs::write(&path, "an older one").unwrap();
        table.save(&path).unwrap();
        let loaded = TranspositionTable::load(&path).unwrap();
        assert_eq!(words(&loaded), words(&table));
        assert_eq!(loaded.generation.load(Ordering::Relaxed), 1);
        // Nothing else is left behind.
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn damage_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("damaged");
        filled().save(&path).unwrap();
        let sound = std::fs::read(&path).unwrap();
        let error_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            TranspositionTable::load(&path).err().unwrap().to_string()
        };
        let with = |at: usize| {
            let mut bytes = sound.clone();
            bytes[at] ^= 4;
            bytes
        };
        assert!(error_of(b"").contains("is not a saved hash table"));
        assert!(error_of(&with(0)).contains("is not a saved hash table"));
        assert!(error_of(&with(8)).contains("another version of this program"));
        assert!(error_of(&with(16)).contains("signatures positions differently"));
        assert!(error_of(&with(24)).contains("it is cut short or damaged"));
        assert!(error_of(&with(31)).contains("it is cut short or damaged"));
        for at in [32, 40, 48, 1 << 19, sound.len() - 1] {
            assert!(error_of(&with(at)).contains("its checksum is wrong"), "{at}");
        }
        assert!(error_of(&sound[..sound.len() - 1]).contains("bytes instead of 1048624"));
        let missing = TranspositionTable::load(&directory.path().join("missing")).err().unwrap();
        assert!(matches!(missing, TableFileError::File(_)), "{missing}");
        assert!(TranspositionTable::load(directory.path()).is_err());
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(filled().save(&directory.path().join("no/such/folder")).is_err());
        assert!(filled().save(directory.path()).is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
