//! Checks by many moves of one position.

use crate::{Bitboard, Move, MoveKind, Piece, Position, Square, attacks};

/// Where each kind of man would give check, worked out once for all moves of a position.
///
/// ```
/// use tabiya_chess::{Checks, Move, Position, Square};
/// let position = Position::from_fen("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
/// let checks = Checks::of(&position);
/// assert!(checks.are_given_by(&position, Move::ordinary(Square::E4, Square::C3)));
/// assert!(!checks.are_given_by(&position, Move::ordinary(Square::E1, Square::E2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    squares: [Bitboard; Piece::ALL.len()],
    discoverers: Bitboard,
}

impl Checks {
    /// Of the side to move.
    pub fn of(position: &Position) -> Checks {
        let us = position.turn();
        let king = position.king(!us);
        let occupied = position.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let squares = Piece::ALL.map(|piece| match piece {
            Piece::Pawn => attacks::pawn(!us, king),
            Piece::Knight => attacks::knight(king),
            Piece::Bishop => bishop,
            Piece::Rook => rook,
            Piece::Queen => bishop | rook,
            Piece::King => Bitboard::EMPTY,
        });
        Checks { king, squares, discoverers: position.discoverers() }
    }

    /// From where a piece would give check.
    #[inline(always)]
    pub fn squares(&self, piece: Piece) -> Bitboard {
        self.squares[piece.index()]
    }

    /// Does this legal move of the same position give check? As [`Position::gives_check`], but
    /// quicker from the second move on.
    #[inline]
    pub fn are_given_by(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Ordinary => {
                position.piece_at(from).is_some_and(|piece| self.squares(piece).contains(to))
                    || self.discoverers.contains(from)
                        && !attacks::line(self.king, from).contains(to)
            }
            // Rare, and more than one man leaves or changes.
            MoveKind::Promotion | MoveKind::EnPassant | MoveKind::Castling => {
                position.gives_check(mv)
            }
        }
    }
}
