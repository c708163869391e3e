//! Endings with few pieces, whose results are known: Syzygy tables.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Serialize, Serializer};
use tabiya_chess::{GameResult, Position};
use tabiya_engine::tablebases::{SyzygyTables, Tablebase, TablebaseError, TablebaseResult};

/// Tables, and the directory where they are: what a journal remembers of them.
#[derive(Clone)]
pub struct Tables {
    tables: Arc<dyn Tablebase>,
    directory: PathBuf,
}

impl Tables {
    /// Tables that are open already.
    #[must_use]
    pub fn new(tables: Arc<dyn Tablebase>, directory: PathBuf) -> Self {
        Self { tables, directory }
    }

    /// Opens the Syzygy tables of a directory, not those of directories in it.
    ///
    /// # Errors
    /// If there are none, or one of them is damaged so that it can be seen at once.
    pub fn open(directory: &Path) -> Result<Self, TablebaseError> {
        Ok(Self::new(Arc::new(SyzygyTables::open(directory)?), directory.to_owned()))
    }

    /// The result where it is known for certain, fifty-move rule included.
    #[must_use]
    pub fn result(&self, position: &Position) -> Option<GameResult> {
        let winner = match self.tables.probe_wdl(position)? {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows one result for all positions.
    struct Same(TablebaseResult);

    impl Tablebase for Same {
        fn max_pieces(&self) -> usize {
            32
        }

        fn probe_wdl(&self, _: &Position) -> Option<TablebaseResult> {
            Some(self.0)
        }
    }

    #[test]
    fn only_what_is_certain_is_a_result() {
        let result = |known, halfmoves: u32| {
            let tables = Tables::new(Arc::new(Same(known)), PathBuf::new());
            let fen = format!("8/8/8/8/8/2k5/7R/2K5 b - - {halfmoves} 60");
            tables.result(&Position::from_fen(&fen).unwrap())
        };
        assert_eq!(result(TablebaseResult::Loss, 0), Some(GameResult::White));
        assert_eq!(result(TablebaseResult::Win, 0), Some(GameResult::Black));
        assert_eq!(result(TablebaseResult::Loss, 1), None);
        for drawn in [TablebaseResult::CursedWin, TablebaseResult::Draw] {
            assert_eq!(result(drawn, 30), Some(GameResult::Draw));
        }
    }
}
