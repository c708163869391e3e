//! What pieces are worth, in thousandths of a pawn, and where.

use std::sync::LazyLock;
use tabiya_chess::{Color, Piece, PieceKind, Square};

/// Pawn, knight, bishop, rook, queen, king.
const WORTH: [i32; 6] = [1000, 3000, 3000, 5000, 9000, 0];

/// A pawn.
pub(super) const PAWN: i32 = WORTH[0];

/// In an exchange a king is worth more than all that can be won.
pub(super) const EXCHANGE: [i32; 6] = [1000, 3000, 3000, 5000, 9000, 150_000];

/// By a piece's number plus 1, as [`super::Word`] has it; nothing is worth nothing.
#[inline(always)]
pub(super) fn worth(code: usize) -> i32 {
    code.checked_sub(1).and_then(|index| WORTH.get(index)).copied().unwrap_or(0)
}

/// What a piece is worth for standing on a square, from White's side.
fn place_worth(kind: PieceKind, square: Square) -> i32 {
    let (file, rank) = (square.file().index(), square.rank().index());
    // From either edge of the board: 0 on the edge, 3 in the middle.
    let wing = file.min(7 - file);
    let ring = wing.min(rank.min(7 - rank));
    match kind {
        PieceKind::Pawn => match (rank, wing) {
            (3 | 4, 3) => 75,
            (3, 2) => 15,
            (2, 3) => 40,
            (1, 3) => -100,
            _ => 0,
        },
        PieceKind::Knight => [-120, 25, 50, 100][ring],
        PieceKind::Bishop => [-40, 20, 30, 45][ring],
        PieceKind::Rook => [0, 0, 10, 15][wing],
        PieceKind::Queen => [0, 0, 75, 100][ring],
        PieceKind::King => match rank {
            // The fifth is as printed; it may have lost a minus.
            0 => [200, 300, 100, -300, 300, 100, 300, 200][file],
            1 => [-200, -200, -500, -500][wing],
            2 => -700,
            _ => -900,
        },
    }
}

static PLACES: LazyLock<[[i32; 64]; 12]> = LazyLock::new(|| {
    Piece::ALL.map(|piece| {
        Square::ALL.map(|square| match piece.color() {
            Color::White => place_worth(piece.kind(), square),
            Color::Black => -place_worth(piece.kind(), square.flip_ranks()),
        })
    })
});

/// What all pieces are worth for where they stand, per piece and square; those of Black are negative.
pub(super) fn places() -> &'static [[i32; 64]; 12] {
    &PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_the_thesis_s() {
        let at = |kind, square| place_worth(kind, square);
        assert_eq!(at(PieceKind::Pawn, Square::E4), 75);
        assert_eq!(at(PieceKind::Pawn, Square::D2), -100);
        assert_eq!(at(PieceKind::Pawn, Square::C4), 15);
        assert_eq!(at(PieceKind::Pawn, Square::C5), 0);
        assert_eq!(at(PieceKind::Knight, Square::B3), 25);
        assert_eq!(at(PieceKind::Bishop, Square::H5), -40);
        assert_eq!(at(PieceKind::Rook, Square::E7), 15);
        assert_eq!(at(PieceKind::Queen, Square::D5), 100);
        assert_eq!(at(PieceKind::Queen, Square::F6), 75);
        assert_eq!(at(PieceKind::King, Square::D1), -300);
        assert_eq!(at(PieceKind::King, Square::G2), -200);
        assert_eq!(
            places()[Piece::new(Color::Black, PieceKind::King).index()][Square::G8.index()],
            -300
        );
    }
}
