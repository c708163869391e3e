//! Check squares: which of many moves of one position give check.

use crate::{Bitboard, Move, MoveKind, PieceKind, Position, Square, attacks};

/// Where each kind of piece would give check, and which pieces discover one: computed once for all moves
/// of a position.
///
/// ```
/// use tabiya_chess::{CheckInfo, Move, Position, Square};
/// let position = Position::from_fen("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
/// let info = CheckInfo::of(&position);
/// assert!(info.gives_check(&position, Move::normal(Square::E4, Square::C3)));
/// assert!(!info.gives_check(&position, Move::normal(Square::E1, Square::E2)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    king: Square,
    squares: [Bitboard; PieceKind::ALL.len()],
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Of the side to move.
    pub fn of(position: &Position) -> CheckInfo {
        let us = position.side_to_move();
        let king = position.king(!us);
        let occupied = position.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let squares = PieceKind::ALL.map(|kind| match kind {
            PieceKind::Pawn => attacks::pawn(!us, king),
            PieceKind::Knight => attacks::knight(king),
            PieceKind::Bishop => bishop,
            PieceKind::Rook => rook,
            PieceKind::Queen => bishop | rook,
            PieceKind::King => Bitboard::EMPTY,
        });
        CheckInfo { king, squares, discoverers: position.discoverers() }
    }

    /// The squares from which a kind of piece gives check.
    #[inline(always)]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind.index()]
    }

    /// Does this legal move of the same position give check? As [`Position::gives_check`], but
    /// quicker from the second move on.
    #[inline]
    pub fn gives_check(&self, position: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        match mv.kind() {
            MoveKind::Normal => {
                position.kind_at(from).is_some_and(|kind| self.squares(kind).contains(to))
                    || self.discoverers.contains(from)
                        && !attacks::line(self.king, from).contains(to)
            }
            // Rare, and more than one piece moves or changes.
            MoveKind::Promotion | MoveKind::EnPassant | MoveKind::Castling => {
                position.gives_check(mv)
            }
        }
    }
}
