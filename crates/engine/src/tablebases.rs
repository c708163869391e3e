//! Endgame tablebases: positions of few pieces whose results are known.
//!
//! [`Tablebase`] is the seam. [`SyzygyTables`] are the tables in a directory of files. Adjudication in
//! matches asks them; a search would ask a `Tablebase` in what its threads share.

use shakmaty::{ByColor, ByRole, CastlingMode, Chess, Setup, Square};
use shakmaty_syzygy::Wdl;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use tabiya_chess::{Bitboard, Color, PieceKind, Position};

/// Who knows the results of positions with few pieces.
pub trait Tablebase: Send + Sync {
    /// Positions with more pieces than this, kings and pawns included, are never known.
    fn max_pieces(&self) -> usize;

    /// The result for the side to move (WDL), as if the last move had been a capture or a pawn move: the
    /// halfmove clock is not looked at. None if it is not known, as with castling rights.
    fn probe_wdl(&self, position: &Position) -> Option<TablebaseResult>;
}

/// The result of a position for the side to move, from the worst to the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Lost, but for the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

/// The Syzygy tables of a directory.
pub struct SyzygyTables {
    directory: PathBuf,
    tables: shakmaty_syzygy::Tablebase<Chess>,
}

/// Why there are no tables.
#[derive(Debug, thiserror::Error)]
pub enum TablebaseError {
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

impl SyzygyTables {
    /// Opens the tables of a directory, not those of directories in it. A file is read when it is asked
    /// first.
    ///
    /// # Errors
    /// If there are none, or one of them is damaged so that it can be seen at once.
    pub fn open(directory: &Path) -> Result<SyzygyTables, TablebaseError> {
        let mut tables = shakmaty_syzygy::Tablebase::new();
        tables
            .add_directory(directory)
            .map_err(|source| TablebaseError::Io { directory: directory.to_owned(), source })?;
        // A directory that has only distances can be opened, and answers nothing.
        let results = std::fs::read_dir(directory).into_iter().flatten().flatten();
        if !results.into_iter().any(|file| file.path().extension() == Some("rtbw".as_ref())) {
            return Err(TablebaseError::None { directory: directory.to_owned() });
        }
        Ok(SyzygyTables { directory: directory.to_owned(), tables })
    }

    /// Where the files are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Tablebase for SyzygyTables {
    fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    fn probe_wdl(&self, position: &Position) -> Option<TablebaseResult> {
        let few = position.occupied().len() as usize <= self.max_pieces();
        if !few || !position.castling_rooks().is_empty() {
            return None;
        }
        let wdl = self.tables.probe_wdl_after_zeroing(&to_shakmaty(position)?).ok()?;
        Some(match wdl {
            Wdl::Loss => TablebaseResult::Loss,
            Wdl::BlessedLoss => TablebaseResult::BlessedLoss,
            Wdl::Draw => TablebaseResult::Draw,
            Wdl::CursedWin => TablebaseResult::CursedWin,
            Wdl::Win => TablebaseResult::Win,
        })
    }
}

impl fmt::Debug for SyzygyTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SyzygyTables").field(&self.directory).finish()
    }
}

/// The same position in the types of the crate that reads the tables. None if it can come from no game, which
/// that crate is stricter about.
fn to_shakmaty(position: &Position) -> Option<Chess> {
    let set = |squares: Bitboard| shakmaty::Bitboard(squares.0);
    let kind = |kind| set(position.pieces(kind));
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color = ByColor {
        black: set(position.colors(Color::Black)),
        white: set(position.colors(Color::White)),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?;
    setup.turn = shakmaty::Color::from_white(position.side_to_move() == Color::White);
    setup.castling_rights = set(position.castling_rooks());
    setup.ep_square = position.en_passant().map(|square| Square::new(square.index() as u32));
    setup.halfmoves = position.halfmove_clock();
    setup.position(CastlingMode::Chess960).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use tabiya_chess::Game;

    /// Plays long games of arbitrary moves, and compares every position with the one read from its FEN.
    #[test]
    fn a_position_is_the_same_as_through_its_fen() {
        let mut compared = 0;
        for (number, step) in [(0, 1), (518, 7), (518, 11), (959, 5)] {
            let mut game = Game::new(Position::chess960(number).unwrap());
            for ply in 0..150 {
                let position = game.position();
                let fen: Fen = position.fen().parse().unwrap();
                let expected: Option<Chess> = fen.into_position(CastlingMode::Chess960).ok();
                assert!(expected.is_some(), "{}", position.fen());
                assert_eq!(to_shakmaty(position), expected, "{}", position.fen());
                compared += 1;
                let moves = position.legal_moves();
                let Some(&mv) = moves.get(ply * step % moves.len().max(1)) else { break };
                game.play(mv).unwrap();
            }
        }
        assert!(compared > 300, "{compared}");
        // En passant, which no such game need have.
        let position = Position::from_fen("8/8/8/8/3Pp3/8/4K2k/8 b - d3 0 1").unwrap();
        let fen: Fen = position.fen().parse().unwrap();
        assert_eq!(to_shakmaty(&position), fen.into_position(CastlingMode::Chess960).ok());
    }

    #[test]
    fn a_directory_without_tables_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let refused = |path: &Path| SyzygyTables::open(path).unwrap_err();
        assert!(matches!(refused(directory.path()), TablebaseError::None { .. }));
        std::fs::write(directory.path().join("KRvK.rtbw"), "no table").unwrap();
        assert!(matches!(refused(directory.path()), TablebaseError::Io { .. }));
        assert!(matches!(refused(Path::new("/no/such/directory")), TablebaseError::Io { .. }));
    }
}
