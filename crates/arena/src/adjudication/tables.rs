//! Endings with few pieces, whose results are known: Syzygy tables.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Serialize, Serializer};
use tabiya_chess::{GameResult, Position};
use tabiya_engine::tablebases::{SyzygyTables, Tablebase, TablebaseError, TablebaseResult};

/// The tables of a directory.
#[derive(Clone)]
pub struct Tables(Arc<SyzygyTables>);

impl Tables {
    /// Opens the tables of a directory, not those of directories in it.
    ///
    /// # Errors
    /// If there are none, or one of them is damaged so that it can be seen at once.
    pub fn open(directory: &Path) -> Result<Self, TablebaseError> {
        Ok(Self(Arc::new(SyzygyTables::open(directory)?)))
    }

    /// The result where it is known for certain, fifty-move rule included.
    #[must_use]
    pub fn result(&self, position: &Position) -> Option<GameResult> {
        let winner = match self.0.probe_wdl(position)? {
            // What is won too slowly is drawn, the more so if moves are counted already.
            TablebaseResult::Draw | TablebaseResult::CursedWin | TablebaseResult::BlessedLoss => {
                return Some(GameResult::Draw);
            }
            TablebaseResult::Win => position.side_to_move(),
            TablebaseResult::Loss => !position.side_to_move(),
        };
        // In the middle of the count, a win may come too late.
        (position.halfmove_clock() == 0).then(|| GameResult::win(winner))
    }
}

/// The directory says it all.
impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Tables").field(&self.0.directory()).finish()
    }
}

impl PartialEq for Tables {
    fn eq(&self, other: &Self) -> bool {
        self.0.directory() == other.0.directory()
    }
}

impl Eq for Tables {}

impl Serialize for Tables {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.directory().serialize(serializer)
    }
}
