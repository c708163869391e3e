//! Which moves a search asks for, and when.

use super::generate::origin;
use crate::attacks;
use crate::board::code;
use crate::{Bitboard, Move, Position, Square};

/// A share of the legal moves.
///
/// Captures include all promotions; quiet moves include castling. Within its share a stage may narrow
/// the targets further.
pub(crate) trait MoveStage {
    const CAPTURES: bool;
    const QUIETS: bool;

    /// The wanted targets of a piece other than a pawn.
    #[inline(always)]
    fn narrow(&self, _code: u8, _from: Square, targets: Bitboard) -> Bitboard {
        targets
    }

    /// The wanted targets of quiet pawn moves, each from `to - step`.
    #[inline(always)]
    fn narrow_pawns(&self, _step: i32, targets: Bitboard) -> Bitboard {
        targets
    }

    /// Is this castling wanted?
    #[inline(always)]
    fn wants_castling(&self, _king: Square, _rook: Square) -> bool {
        true
    }
}

/// All legal moves.
pub(crate) struct All;

impl MoveStage for All {
    const CAPTURES: bool = true;
    const QUIETS: bool = true;
}

/// Captures and promotions.
pub(crate) struct Captures;

impl MoveStage for Captures {
    const CAPTURES: bool = true;
    const QUIETS: bool = false;
}

/// All others.
pub(crate) struct Quiets;

impl MoveStage for Quiets {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;
}

/// Quiet moves that give check, directly or by moving out of a slider's way.
pub(crate) struct QuietChecks<'a> {
    position: &'a Position,
    king: Square,
    /// The squares from which each kind gives check, by plane code.
    checks: [Bitboard; 8],
    /// Candidates for a discovered check.
    discoverers: Bitboard,
}

impl<'a> QuietChecks<'a> {
    pub(crate) fn of(position: &'a Position) -> QuietChecks<'a> {
        let us = position.side_to_move();
        let king = position.king(!us);
        let occupied = position.occupied();
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let mut checks = [Bitboard::EMPTY; 8];
        checks[usize::from(code::PAWN)] = attacks::pawn(!us, king);
        checks[usize::from(code::KNIGHT)] = attacks::knight(king);
        checks[usize::from(code::BISHOP)] = bishop;
        checks[usize::from(code::ROOK)] = rook;
        checks[usize::from(code::QUEEN)] = bishop | rook;
        QuietChecks { position, king, checks, discoverers: position.discoverers() }
    }
}

impl MoveStage for QuietChecks<'_> {
    const CAPTURES: bool = false;
    const QUIETS: bool = true;

    fn narrow(&self, code: u8, from: Square, targets: Bitboard) -> Bitboard {
        let mut checking = targets & self.checks[usize::from(code)];
        if self.discoverers.contains(from) {
            checking |= targets - attacks::line(self.king, from);
        }
        checking
    }

    fn narrow_pawns(&self, step: i32, targets: Bitboard) -> Bitboard {
        targets
            .into_iter()
            .filter(|&to| {
                !self.narrow(code::PAWN, origin(to, step), Bitboard::square(to)).is_empty()
            })
            .collect()
    }

    fn wants_castling(&self, king: Square, rook: Square) -> bool {
        self.position.gives_check(Move::castling(king, rook))
    }
}
