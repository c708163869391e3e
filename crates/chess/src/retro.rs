//! Retrograde analysis of one ply: can a last move have led here?

use crate::attacks::{self, sliders::SliderTable};
use crate::board::Board;
use crate::side::{Side, for_side};
use crate::{Bitboard, Color, File, Rank, Square};

/// Has the side that is not to move just made a double step over this square?
pub(crate) fn is_double_step(board: &Board, passed: Square) -> bool {
    let them = !board.side_to_move;
    if passed.rank() != Rank::Third.relative_to(them) {
        return false;
    }
    let (from, to) = (step_back(passed, them), step_back(passed, !them));
    let pawns = board.pawns() & board.colors(them);
    let (Some(from), Some(to)) = (from, to) else { return false };
    pawns.contains(to)
        && !board.occupied().contains(passed)
        && !board.occupied().contains(from)
        && !attacks::pawn(them, from).contains(board.king(board.side_to_move))
        && Before::new(board).king_was_safe(to, from, Bitboard::EMPTY)
}

/// Can a pawn that has just made a double step over this square legally be taken?
pub(crate) fn takeable(board: &Board, passed: Square) -> bool {
    for_side!(board.side_to_move, S => {
        let pawns = board.pawns() & board.colors(S::COLOR);
        (attacks::pawn(!S::COLOR, passed) & pawns)
            .into_iter()
            .any(|taker| board.en_passant_is_legal::<S>(SliderTable::get(), taker, passed))
    })
}

/// The side to move is in check: is there a last move of the other side before which it was not?
pub(crate) fn some_move_gave_check(board: &Board) -> bool {
    let before = Before::new(board);
    before.movers.into_iter().any(|to| before.some_move_to(to)) || before.by_castling()
}

/// The square that a pawn of `color` would have come from in one step.
fn step_back(square: Square, color: Color) -> Option<Square> {
    square.offset(0, if color == Color::White { -1 } else { 1 })
}

/// The position before the last move, of which only the pieces are known.
struct Before<'a> {
    board: &'a Board,
    /// The king that must not have been attacked.
    king: Square,
    /// The side that made the move.
    them: Color,
    movers: Bitboard,
    /// May a piece of the side to move have been taken by the last move?
    may_uncapture: bool,
}

impl Before<'_> {
    fn new(board: &Board) -> Before<'_> {
        let them = !board.side_to_move;
        Before {
            board,
            king: board.king(board.side_to_move),
            them,
            movers: board.colors(them),
            may_uncapture: board.colors(board.side_to_move).len() < 16,
        }
    }

    /// Was the king safe when the piece now on `to` stood on `from`, not attacking him from there, and
    /// the squares of `taken` were occupied by pieces of his own?
    fn king_was_safe(&self, to: Square, from: Square, taken: Bitboard) -> bool {
        let occupied = self.board.occupied().without(to).with(from) | taken;
        self.unattacked(Bitboard::square(to), occupied)
    }

    /// Is the king out of reach of all movers but the `absent`, when `occupied` squares are in the way?
    fn unattacked(&self, absent: Bitboard, occupied: Bitboard) -> bool {
        let attackers = self.board.attackers(SliderTable::get(), self.king, occupied);
        (attackers & (self.movers - absent)).is_empty()
    }

    fn some_move_to(&self, to: Square) -> bool {
        let board = self.board;
        if board.pawns().contains(to) {
            return self.some_pawn_move_to(to);
        }
        let occupied = board.occupied();
        let sliders = SliderTable::get();
        use crate::attacks::sliders::Sliders;
        let mut reach = Bitboard::EMPTY;
        if board.knights().contains(to) {
            reach |= attacks::knight(to);
        }
        if board.kings().contains(to) {
            reach |= attacks::king(to);
        }
        if board.diagonal().contains(to) {
            reach |= sliders.bishop(to, occupied);
        }
        if board.orthogonal().contains(to) {
            reach |= sliders.rook(to, occupied);
        }
        let came_from = (reach - occupied).into_iter().any(|from| {
            let attacked_from = |taken: Bitboard| {
                let occupied = occupied.without(to).with(from) | taken;
                self.piece_attacks(to, from, occupied)
            };
            self.with_and_without_capture(to)
                .any(|taken| !attacked_from(taken) && self.king_was_safe(to, from, taken))
        });
        came_from || self.some_promotion_on(to)
    }

    /// Would the piece now on `to`, standing on `from`, attack the king?
    fn piece_attacks(&self, to: Square, from: Square, occupied: Bitboard) -> bool {
        use crate::attacks::sliders::Sliders;
        let (board, king, sliders) = (self.board, self.king, SliderTable::get());
        board.knights().contains(to) && attacks::knight(from).contains(king)
            || board.diagonal().contains(to) && sliders.bishop(from, occupied).contains(king)
            || board.orthogonal().contains(to) && sliders.rook(from, occupied).contains(king)
            || board.kings().contains(to) && attacks::king(from).contains(king)
    }

    /// What may have stood on the target: nothing, or a piece that was taken.
    fn with_and_without_capture(&self, to: Square) -> impl Iterator<Item = Bitboard> {
        let capture = self.may_uncapture.then_some(Bitboard::square(to));
        core::iter::once(Bitboard::EMPTY).chain(capture)
    }

    fn some_pawn_move_to(&self, to: Square) -> bool {
        let occupied = self.board.occupied();
        let safe_from = |from: Square, taken: Bitboard| {
            !occupied.contains(from)
                && !Bitboard::rank(Rank::First.relative_to(self.them)).contains(from)
                && !attacks::pawn(self.them, from).contains(self.king)
                && self.king_was_safe(to, from, taken)
        };
        let Some(single) = step_back(to, self.them) else { return false };
        if safe_from(single, Bitboard::EMPTY) {
            return true;
        }
        if to.rank() == Rank::Fourth.relative_to(self.them)
            && !occupied.contains(single)
            && step_back(single, self.them).is_some_and(|from| safe_from(from, Bitboard::EMPTY))
        {
            return true;
        }
        if !self.may_uncapture {
            return false;
        }
        // Squares from which a pawn captures here are those that an enemy pawn here would attack.
        // The pawn taken en passant came over the square in front of the target.
        let passing = to.rank() == Rank::Sixth.relative_to(self.them)
            && step_back(to, !self.them).is_some_and(|over| !occupied.contains(over));
        attacks::pawn(!self.them, to).into_iter().any(|from| {
            safe_from(from, Bitboard::square(to))
                || passing
                    && !occupied.contains(single)
                    && safe_from(from, Bitboard::square(single))
        })
    }

    fn some_promotion_on(&self, to: Square) -> bool {
        let board = self.board;
        if to.rank() != Rank::Eighth.relative_to(self.them) || board.kings().contains(to) {
            return false;
        }
        // A pawn more than eight cannot have been there.
        if (board.pawns() & self.movers).len() >= 8 {
            return false;
        }
        let safe_from = |from: Square, taken: Bitboard| {
            !board.occupied().contains(from)
                && !attacks::pawn(self.them, from).contains(self.king)
                && self.king_was_safe(to, from, taken)
        };
        step_back(to, self.them).is_some_and(|from| safe_from(from, Bitboard::EMPTY))
            || self.may_uncapture
                && attacks::pawn(!self.them, to)
                    .into_iter()
                    .any(|from| safe_from(from, Bitboard::square(to)))
    }

    /// Castling, from anywhere on the home rank as Chess960 has it.
    fn by_castling(&self) -> bool {
        let home = Rank::First.relative_to(self.them);
        let board = self.board;
        let king = board.king(self.them);
        let rooks = board.rooks() & self.movers;
        [(File::G, File::F), (File::C, File::D)].into_iter().any(|(king_file, rook_file)| {
            let king_to = Square::from_coords(king_file, home);
            let rook_to = Square::from_coords(rook_file, home);
            if king != king_to || !rooks.contains(rook_to) {
                return false;
            }
            let lifted = board.occupied().without(king_to).without(rook_to);
            let free = Bitboard::rank(home) - lifted;
            let absent = Bitboard::square(king_to).with(rook_to);
            free.into_iter().any(|king_from| {
                free.into_iter().any(|rook_from| {
                    let outward = (rook_from > king_from) == (king_file == File::G);
                    let occupied = lifted.with(king_from).with(rook_from);
                    rook_from != king_from
                        && outward
                        && (attacks::between(king_from, rook_from) & lifted).is_empty()
                        && !attacks::rook(rook_from, occupied).contains(self.king)
                        && !attacks::king(king_from).contains(self.king)
                        && self.unattacked(absent, occupied)
                })
            })
        })
    }
}
