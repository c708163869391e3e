//! Endings with few men, whose results are known: Syzygy tables.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{Tablebase, Wdl};
use tabiya_chess::{GameResult, Position};
use thiserror::Error;

/// The tables of a directory.
#[derive(Clone)]
pub struct Tables {
    directory: PathBuf,
    tables: Arc<Tablebase<Chess>>,
}

/// Why there are no tables.
#[derive(Debug, Error)]
pub enum TablesError {
    /// The directory cannot be read.
    #[error("the tablebases in {directory} cannot be read")]
    Io {
        /// Which directory.
        directory: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There are none.
    #[error(
        "there are no tablebases in {directory}; Syzygy tables are files with names such as KRvK.rtbw"
    )]
    None {
        /// Which directory.
        directory: PathBuf,
    },
}

impl Tables {
    /// Opens the tables of a directory, not those of directories in it.
    ///
    /// # Errors
    /// If there are none, or one of them is damaged so that it can be seen at once.
    pub fn open(directory: &Path) -> Result<Self, TablesError> {
        let mut tables = Tablebase::new();
        tables
            .add_directory(directory)
            .map_err(|source| TablesError::Io { directory: directory.to_owned(), source })?;
        // A directory that has only distances can be opened, and answers nothing.
        let results = std::fs::read_dir(directory).into_iter().flatten().flatten();
        if !results.into_iter().any(|file| file.path().extension() == Some("rtbw".as_ref())) {
            return Err(TablesError::None { directory: directory.to_owned() });
        }
        Ok(Self { directory: directory.to_owned(), tables: Arc::new(tables) })
    }

    /// The result where it is known for certain, fifty-move rule included.
    #[must_use]
    pub fn result(&self, position: &Position) -> Option<GameResult> {
        let few = position.occupied().len() as usize <= self.tables.max_pieces();
        if !few || !position.castling_rooks().is_empty() {
            return None;
        }
        let setup: Fen = position.fen().parse().ok()?;
        let known: Chess = setup.into_position(CastlingMode::Chess960).ok()?;
        let winner = match self.tables.probe_wdl_after_zeroing(&known).ok()? {
            // What is won too slowly is drawn, the more so if moves are counted already.
            Wdl::Draw | Wdl::CursedWin | Wdl::BlessedLoss => return Some(GameResult::Draw),
            Wdl::Win => position.side_to_move(),
            Wdl::Loss => !position.side_to_move(),
        };
        // In the middle of the count, a win may come too late.
        (position.halfmove_clock() == 0).then(|| GameResult::win(winner))
    }
}

/// The directory says it all.
impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tables").field(&self.directory).finish()
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        self.directory == other.directory
    }
}

impl Eq for Tables {}

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.directory.serialize(serializer)
    }
}
