//! Checks by many moves of one position.

use crate::{Bitboard, Move, MoveKind, PieceKind, Position, Square, attacks};

/// Where each kind of man would give check, worked out once for all moves of a position.
///
/// ```
/// use tabiya_chess::{Checks, Move, Position, Square};
/// let position = Position::from_fen("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
/// let checks = Checks::of(&position);
/// assert!(checks.are_given_by(&position, Move::normal(Square::E4, Square::C3)));
/// assert!(!checks.are_given_by(&position, Move::normal(Square::E1, Square::E2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    king: Square,
    squares: [Bitboard; PieceKind::ALL.len()],
    discoverers: Bitboard,
}

impl Checks {
    /// Of the side to move.
    pub fn of(position: &Position) -> Checks {
        let us = position.side_to_move();
        let king = position.king(!us);
        let occupied = position.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let squares = PieceKind::ALL.map(|piece| match piece {
            PieceKind::Pawn => attacks::pawn(!us, king),
            PieceKind::Knight => attacks::knight(king),
            PieceKind::Bishop => bishop,
            PieceKind::Rook => rook,
            PieceKind::Queen => bishop | rook,
            PieceKind::King => Bitboard::EMPTY,
        });
        Checks { king, squares, discoverers: position.discoverers() }
    }

    /// From where a piece would give check.
    #[inline(always)]
    pub fn squares(&self, piece: PieceKind) -> Bitboard {
        self.squares[piece.index()]
    }

    /// Does this legal move of the same position give check? As [`Position::gives_check`], but
    /// quicker from the second move on.
    #[inline]
    pub fn are_given_by(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => {
                position.kind_at(from).is_some_and(|piece| self.squares(piece).contains(to))
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
