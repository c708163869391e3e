//! Kings, knights and pawns: sets that do not depend on what stands around.

use crate::{Bitboard, Color, Square};

const fn leaps<const N: usize>(steps: [(i8, i8); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < N {
            let (files, ranks) = steps[i];
            if let Some(to) = Square::ALL[from].offset(files, ranks) {
                table[from] = table[from].with(to);
            }
            i += 1;
        }
        from += 1;
    }
    table
}

static KING: [Bitboard; 64] =
    leaps([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]);

static KNIGHT: [Bitboard; 64] =
    leaps([(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)]);

static PAWN: [[Bitboard; 64]; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];

/// The squares a king attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of this color attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares that a whole set of pawns attacks towards the h-file.
#[inline(always)]
pub(crate) const fn pawn_attacks_east(pawns: Bitboard, color: Color) -> Bitboard {
    pawns.east().forward(color)
}

/// The squares that a whole set of pawns attacks towards the a-file.
#[inline(always)]
pub(crate) const fn pawn_attacks_west(pawns: Bitboard, color: Color) -> Bitboard {
    pawns.west().forward(color)
}
