//! What a move changes on the board.

use arrayvec::ArrayVec;
use tabiya_chess::{Bitboard, Man, Piece, Position, Square};

/// Men that came to squares and men that left them: at most two of each, in castling.
#[derive(Clone, Default, Debug)]
pub(super) struct Change {
    pub(super) added: ArrayVec<(Man, Square), 2>,
    pub(super) removed: ArrayVec<(Man, Square), 2>,
    /// Is the king of the side to move among them?
    pub(super) moves_king: bool,
}

impl Change {
    /// What one move, or a pass, has changed.
    #[inline(always)]
    pub(super) fn between(from: &Position, to: &Position) -> Change {
        let (us, them) = (from.turn(), !from.turn());
        let mut change = Change {
            moves_king: from.men(us, Piece::King) != to.men(us, Piece::King),
            ..Change::default()
        };
        if !change.moves_king {
            let (before, after) = (from.colour(us), to.colour(us));
            change.remove(from, before - after);
            change.add(to, after - before);
        } else {
            // In Chess960 a king may come to where his rook was, and the rook to where he was: each
            // is compared by itself.
            let king = Man::new(us, Piece::King);
            change.removed.push((king, from.king(us)));
            change.added.push((king, to.king(us)));
            let (before, after) = (from.men(us, Piece::Rook), to.men(us, Piece::Rook));
            change.remove(from, before - after);
            change.add(to, after - before);
        }
        change.remove(from, from.colour(them) - to.colour(them));
        change
    }

    /// The man on the square, if there is one, has left it.
    #[inline(always)]
    fn remove(&mut self, from: &Position, square: Bitboard) {
        if let Some(square) = square.first()
            && let Some(man) = from.man_at(square)
        {
            self.removed.push((man, square));
        }
    }

    /// The man on the square, if there is one, has come there.
    #[inline(always)]
    fn add(&mut self, to: &Position, square: Bitboard) {
        if let Some(square) = square.first()
            && let Some(man) = to.man_at(square)
        {
            self.added.push((man, square));
        }
    }
}
