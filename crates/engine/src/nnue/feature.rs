//! Which feature a man on a square is.

use tabiya_chess::{Colour, File, Man, Square};

/// How many features there are: men of the own side and of the other, of six kinds, on 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// The number of the feature that a man on a square is for a side whose king stands on `king`.
///
/// ```
/// use tabiya_chess::{Colour, Man, Square};
/// use tabiya_engine::nnue::feature;
///
/// // A white knight on f3, for White, with his king on the queen's side and on the king's side.
/// assert_eq!(feature(Colour::White, Square::C1, Man::WhiteKnight, Square::F3), 64 + 21);
/// assert_eq!(feature(Colour::White, Square::G1, Man::WhiteKnight, Square::F3), 64 + 18);
/// // For Black it is the opponent's, and the board is seen from the other end.
/// assert_eq!(feature(Colour::Black, Square::C8, Man::WhiteKnight, Square::F3), 384 + 64 + 45);
/// ```
#[inline(always)]
pub const fn feature(perspective: Colour, king: Square, man: Man, square: Square) -> usize {
    seen(perspective, is_mirrored(king), man, square)
}

/// Does a king on this square have the files flipped?
#[inline(always)]
pub(super) const fn is_mirrored(king: Square) -> bool {
    king.file() as u8 >= File::E as u8
}

/// The feature for a side whose board is mirrored or not.
#[inline(always)]
pub(super) const fn seen(perspective: Colour, mirrored: bool, man: Man, square: Square) -> usize {
    // White's men come first in the numbering of men, and the own ones in that of features.
    let row = match perspective {
        Colour::White => man.index(),
        Colour::Black if man.index() < 6 => man.index() + 6,
        Colour::Black => man.index() - 6,
    };
    let turn = perspective as usize * 0b111_000 + mirrored as usize * 0b111;
    row * 64 + (square.index() ^ turn)
}
