//! Questions about a single move: is it legal, does it give check?

use super::generate::{Restraints, attacked_by, castlings};
use crate::attacks::{self, sliders::SliderTable};
use crate::board::castling_targets;
use crate::side::{Side, for_side};
use crate::{Bitboard, Move, MoveKind, Piece, PieceKind, Position, Square};

impl Position {
    /// Is this move legal here? For moves of unknown origin, such as a hash table's; quicker than
    /// looking for it among all.
    #[inline]
    pub fn is_legal(&self, mv: Move) -> bool {
        for_side!(self.side_to_move(), S => self.is_legal_for::<S>(mv))
    }

    fn is_legal_for<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        if piece.color() != S::COLOR {
            return false;
        }
        match mv.kind() {
            MoveKind::Castling => mv == Move::castling(from, to) && self.may_castle::<S>(from, to),
            MoveKind::EnPassant => {
                mv == Move::en_passant(from, to)
                    && piece.kind() == PieceKind::Pawn
                    && self.en_passant() == Some(to)
                    && attacks::pawn(S::COLOR, from).contains(to)
                    && self.board.en_passant_is_legal::<S>(SliderTable::get(), from, to)
            }
            MoveKind::Promotion => {
                piece.kind() == PieceKind::Pawn
                    && S::LAST.contains(to)
                    && self.pawn_reaches::<S>(from, to)
                    && self.leaves_king_safe::<S>(from, to)
            }
            MoveKind::Normal => {
                // The two bits for a promotion must be clear, or the same move had four names.
                mv == Move::normal(from, to)
                    && !self.colors(S::COLOR).contains(to)
                    && match piece.kind() {
                        PieceKind::Pawn => {
                            !S::LAST.contains(to) && self.pawn_reaches::<S>(from, to)
                        }
                        _ => attacks::of(piece, from, self.occupied()).contains(to),
                    }
                    && self.leaves_king_safe::<S>(from, to)
            }
        }
    }

    pub(crate) fn pawn_reaches<S: Side>(&self, from: Square, to: Square) -> bool {
        let empty = !self.occupied();
        let single = Bitboard::square(from).forward(S::COLOR) & empty;
        let double = (single & S::THIRD).forward(S::COLOR) & empty;
        let captures = attacks::pawn(S::COLOR, from) & self.colors(!S::COLOR);
        (single | double | captures).contains(to)
    }

    fn leaves_king_safe<S: Side>(&self, from: Square, to: Square) -> bool {
        let king = self.king(S::COLOR);
        if from == king {
            let occupied = self.occupied().without(king);
            return (self.attackers(to, occupied) & self.colors(!S::COLOR)).is_empty();
        }
        let restraints = Restraints::of::<S>(&self.board);
        !restraints.checkers.has_several()
            && restraints.check_mask.contains(to)
            && (!restraints.pinned.contains(from) || attacks::line(king, from).contains(to))
    }

    fn may_castle<S: Side>(&self, king: Square, rook: Square) -> bool {
        if king != self.king(S::COLOR)
            || self.in_check()
            || !(self.castling_rooks() & S::HOME).contains(rook)
        {
            return false;
        }
        let danger =
            attacked_by::<S::Other>(&self.board, SliderTable::get(), self.occupied().without(king));
        let pinned = Restraints::of::<S>(&self.board).pinned;
        let mut found = false;
        castlings::<S>(&self.board, king, danger, pinned, |candidate| found |= candidate == rook);
        found
    }

    /// Candidates for a discovered check: own pieces that alone stand between an own slider and the enemy
    /// king.
    pub fn discoverers(&self) -> Bitboard {
        let us = self.colors(self.side_to_move());
        let king = self.king(!self.side_to_move());
        let aligned = (attacks::rook_rays(king) & self.orthogonal_sliders()
            | attacks::bishop_rays(king) & self.diagonal_sliders())
            & us;
        let mut discoverers = Bitboard::EMPTY;
        for slider in aligned {
            let blockers = attacks::between(king, slider) & self.occupied();
            if !blockers.has_several() {
                discoverers |= blockers & us;
            }
        }
        discoverers
    }

    /// Does this legal move give check?
    ///
    /// ```
    /// use tabiya_chess::{Move, Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
    /// // Any knight move uncovers the rook, and two of them attack the king as well.
    /// assert!(position.gives_check(Move::normal(Square::E4, Square::C3)));
    /// assert!(!position.gives_check(Move::normal(Square::E1, Square::E2)));
    /// ```
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let king = self.king(!us);
        let (from, to) = (mv.from(), mv.to());
        let mut occupied = self.occupied().without(from).with(to);
        let direct = |kind: PieceKind, square: Square, occupied: Bitboard| {
            attacks::of(Piece::new(us, kind), square, occupied).contains(king)
        };
        // Sliders that did not move; the one that did is asked for by itself.
        let rest = self.colors(us).without(from);
        let uncovers = |occupied: Bitboard, rest: Bitboard| {
            let rays = attacks::rook_rays(king) | attacks::bishop_rays(king);
            rays.intersects(rest & (self.orthogonal_sliders() | self.diagonal_sliders()))
                && (attacks::rook(king, occupied) & self.orthogonal_sliders() & rest
                    | attacks::bishop(king, occupied) & self.diagonal_sliders() & rest)
                    .intersects(rest)
        };
        match mv.kind() {
            MoveKind::Normal => match self.kind_at(from) {
                Some(kind) => direct(kind, to, occupied) || uncovers(occupied, rest),
                None => false,
            },
            MoveKind::Promotion => {
                direct(mv.promoted().unwrap_or(PieceKind::Queen), to, occupied)
                    || uncovers(occupied, rest)
            }
            MoveKind::EnPassant => {
                occupied = occupied.without(Square::from_coords(to.file(), from.rank()));
                direct(PieceKind::Pawn, to, occupied) || uncovers(occupied, rest)
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                occupied = self.occupied().without(from).without(to).with(king_to).with(rook_to);
                direct(PieceKind::Rook, rook_to, occupied) || uncovers(occupied, rest.without(to))
            }
        }
    }
}
