//! From pieces on a board to a legal position, or to the reason why it is not legal.

use crate::attacks::sliders::SliderTable;
use crate::board::Board;
use crate::retro;
use crate::{Bitboard, Color, MAX_CLOCK, Piece, PieceKind, Position, Rank, Square};
use core::fmt;

/// Everything that makes up a position, unchecked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, a1 first.
    pub pieces: [Option<Piece>; 64],
    /// The color that is to move.
    pub side_to_move: Color,
    /// The squares of the rooks that may castle.
    pub castling: Bitboard,
    /// The square behind a pawn that has just made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the move to come.
    pub move_number: u32,
}

/// Why a setup is not a legal position.
///
/// A single check that no last move explains is noted, not refused: some well-known test positions have
/// one. Several at once are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// A side without a king, or with several.
    #[error("{color} has {count} kings; each side has exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// How many it has.
        count: u32,
    },
    /// More than sixteen pieces.
    #[error("{color} has {count} pieces; a side has 16 at most")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many it has.
        count: u32,
    },
    /// More than eight pawns.
    #[error("{color} has {count} pawns; a side has 8 at most")]
    TooManyPawns {
        /// The side.
        color: Color,
        /// How many it has.
        count: u32,
    },
    /// A pawn on the first or last rank.
    #[error("a pawn stands on {0}; pawns stand on the second to the seventh rank")]
    PawnOnEndRank(Square),
    /// The side that has just moved is in check.
    #[error("{color} has just moved, and yet the king on {king} is attacked from {checker}")]
    OpponentInCheck {
        /// The side in check.
        color: Color,
        /// Where its king stands.
        king: Square,
        /// One of the pieces that give check.
        checker: Square,
    },
    /// Several checks at once that no last move explains.
    #[error("no move can have given check from {} at once", SquareList(*.0))]
    ImpossibleCheck(Bitboard),
}

struct SquareList(Bitboard);

impl fmt::Display for SquareList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.0.into_iter().enumerate() {
            write!(f, "{}{square}", if i == 0 { "" } else { " and " })?;
        }
        Ok(())
    }
}

/// What had to be put right in a setup, or is odd about it without being wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// An en-passant square that no pawn can use; it was dropped.
    pub useless_en_passant: Option<Square>,
    /// Castling rights without a rook on the square or a king beside it; they were dropped.
    pub castling_without_rook: Bitboard,
    /// A single check that no last move explains; it stays, since well-known test positions have one.
    pub unexplained_check: Option<Square>,
    /// Per color, promoted pieces beyond what the missing pawns can have become; they stay.
    pub surplus_promotions: [u32; 2],
}

impl Notes {
    /// Was there nothing to note?
    pub fn is_empty(&self) -> bool {
        *self == Notes::default()
    }
}

impl fmt::Display for Notes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(square) = self.useless_en_passant {
            write!(f, "no pawn can capture en passant on {square}: ignored")?;
            separator = "; ";
        }
        if !self.castling_without_rook.is_empty() {
            let squares = SquareList(self.castling_without_rook);
            write!(f, "{separator}no king and rook to castle with on {squares}: ignored")?;
            separator = "; ";
        }
        if let Some(square) = self.unexplained_check {
            write!(f, "{separator}no move can have given the check from {square}: kept")?;
            separator = "; ";
        }
        for color in Color::ALL {
            let surplus = self.surplus_promotions[color.index()];
            if surplus > 0 {
                write!(f, "{separator}{color} has too many promoted pieces by {surplus}: kept")?;
                separator = "; ";
            }
        }
        Ok(())
    }
}

impl Setup {
    /// An empty board, White to move.
    pub const EMPTY: Setup = Setup {
        pieces: [None; 64],
        side_to_move: Color::White,
        castling: Bitboard::EMPTY,
        en_passant: None,
        halfmove_clock: 0,
        move_number: 1,
    };

    /// The legal position that this describes, and what had to be put right.
    ///
    /// ```
    /// use tabiya_chess::{Color, Piece, PieceKind, PositionError, Setup, Square};
    /// let mut setup = Setup::EMPTY;
    /// setup.pieces[Square::E1.index()] = Some(Piece::new(Color::White, PieceKind::King));
    /// let error = setup.position().unwrap_err();
    /// assert_eq!(error, PositionError::Kings { color: Color::Black, count: 0 });
    ///
    /// setup.pieces[Square::E8.index()] = Some(Piece::new(Color::Black, PieceKind::King));
    /// assert!(setup.position().is_ok());
    /// ```
    pub fn position(&self) -> Result<(Position, Notes), PositionError> {
        let mut board = Board::EMPTY;
        for (square, piece) in Square::ALL.into_iter().zip(self.pieces) {
            if let Some(piece) = piece {
                board.put(square, piece);
            }
        }
        board.side_to_move = self.side_to_move;
        check_material(&board)?;
        let mut notes = Notes {
            unexplained_check: check_kings(&board)?,
            surplus_promotions: Color::ALL.map(|color| surplus_promotions(&board, color)),
            ..Notes::default()
        };
        board.castling = sound_castling(&board, self.castling);
        notes.castling_without_rook = self.castling - board.castling;
        let mut double_step = None;
        if let Some(square) = self.en_passant {
            if retro::is_double_step(&board, square) {
                double_step = Some(square);
                board.en_passant = retro::takeable(&board, square).then_some(square);
            }
            if board.en_passant.is_none() {
                notes.useless_en_passant = Some(square);
            }
        }
        let halfmove_clock = self.halfmove_clock.min(MAX_CLOCK);
        let move_number = self.move_number.clamp(1, MAX_CLOCK);
        let position = Position::assemble(board, double_step, halfmove_clock, move_number);
        Ok((position, notes))
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        Setup {
            pieces: Square::ALL.map(|square| position.piece_at(square)),
            side_to_move: position.side_to_move(),
            castling: position.castling_rooks(),
            en_passant: position.en_passant(),
            halfmove_clock: position.halfmove_clock(),
            move_number: position.move_number(),
        }
    }
}

fn check_material(board: &Board) -> Result<(), PositionError> {
    for color in Color::ALL {
        let pieces = board.colors(color);
        let count = (board.kings() & pieces).len();
        if count != 1 {
            return Err(PositionError::Kings { color, count });
        }
        let count = pieces.len();
        if count > 16 {
            return Err(PositionError::TooManyPieces { color, count });
        }
        let count = (board.pawns() & pieces).len();
        if count > 8 {
            return Err(PositionError::TooManyPawns { color, count });
        }
    }
    let ends = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    match (board.pawns() & ends).first() {
        Some(square) => Err(PositionError::PawnOnEndRank(square)),
        None => Ok(()),
    }
}

/// Refuses checks that cannot be; returns a single one that is only odd.
fn check_kings(board: &Board) -> Result<Option<Square>, PositionError> {
    let attackers_of = |color: Color| {
        let king = board.king(color);
        board.attackers(SliderTable::get(), king, board.occupied()) & board.colors(!color)
    };
    let color = !board.side_to_move;
    if let Some(checker) = attackers_of(color).first() {
        let king = board.king(color);
        return Err(PositionError::OpponentInCheck { color, king, checker });
    }
    let checkers = attackers_of(board.side_to_move);
    if checkers.is_empty() || retro::some_move_gave_check(board) {
        Ok(None)
    } else if checkers.has_several() {
        Err(PositionError::ImpossibleCheck(checkers))
    } else {
        Ok(checkers.first())
    }
}

/// How many pieces of a color are promoted beyond what its missing pawns explain.
fn surplus_promotions(board: &Board, color: Color) -> u32 {
    let pieces = board.colors(color);
    let bishops = board.bishops() & pieces;
    let beyond = |set: Bitboard, at_start: u32| (set & pieces).len().saturating_sub(at_start);
    let promoted = beyond(board.queens(), 1)
        + beyond(board.rooks(), 2)
        + beyond(board.knights(), 2)
        + beyond(bishops & Bitboard::LIGHT, 1)
        + beyond(bishops & Bitboard::DARK, 1);
    promoted.saturating_sub(8 - (board.pawns() & pieces).len())
}

/// The castling rights that a king and a rook on their home rank stand behind: at most one to each
/// side, the rook being the one that was named.
fn sound_castling(board: &Board, claimed: Bitboard) -> Bitboard {
    let mut sound = Bitboard::EMPTY;
    for color in Color::ALL {
        let home = Bitboard::rank(Rank::First.relative_to(color));
        let king = board.king(color);
        if !home.contains(king) {
            continue;
        }
        let rooks = claimed & home & board.pieces(PieceKind::Rook) & board.colors(color);
        let queenside = rooks.into_iter().find(|&rook| rook < king);
        let kingside = rooks.into_iter().filter(|&rook| rook > king).last();
        sound = queenside.into_iter().chain(kingside).fold(sound, Bitboard::with);
    }
    sound
}
