//! Features: which input of the network a piece on a square is.

use tabiya_chess::{Color, File, Piece, Square};

/// How many features there are: pieces of the own side and of the other, of six kinds, on 64 squares.
pub const FEATURES: usize = 2 * 6 * 64;

/// The number of the feature that a piece on a square is for a side whose king stands on `king`.
///
/// ```
/// use tabiya_chess::{Color, Piece, Square};
/// use tabiya_engine::nnue::feature;
///
/// // A white knight on f3, for White, with his king on the queen's side and on the king's side.
/// assert_eq!(feature(Color::White, Square::C1, Piece::WhiteKnight, Square::F3), 64 + 21);
/// assert_eq!(feature(Color::White, Square::G1, Piece::WhiteKnight, Square::F3), 64 + 18);
/// // For Black it is the opponent's, and the board is seen from the other end.
/// assert_eq!(feature(Color::Black, Square::C8, Piece::WhiteKnight, Square::F3), 384 + 64 + 45);
/// ```
#[inline(always)]
pub const fn feature(perspective: Color, king: Square, piece: Piece, square: Square) -> usize {
    Perspective::new(perspective, king).feature(PieceSquare::new(piece, square))
}

/// A piece on a square: bits 0 to 5 are the square, 6 to 8 the kind, and bit 9 is set for Black's.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSquare(u16);

impl PieceSquare {
    #[inline(always)]
    pub(super) const fn new(piece: Piece, square: Square) -> PieceSquare {
        let index = piece.index() as u16;
        // Black's kinds follow White's six, and begin at eight here.
        let kind = index + 2 * (index >= 6) as u16;
        PieceSquare(kind << 6 | square.index() as u16)
    }
}

/// The perspective of a side, turned and mirrored: what changes in the bits of every [`PieceSquare`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Perspective(u16);

impl Perspective {
    /// That of a side whose king stands there.
    #[inline(always)]
    pub(super) const fn new(perspective: Color, king: Square) -> Perspective {
        let (turned, mirrored) = (perspective as u16, (king.file() as u8 >= File::E as u8) as u16);
        Perspective((turned * 0b1_000_111_000) | (mirrored * 0b111))
    }

    /// Does it have the files flipped?
    #[inline(always)]
    pub(super) const fn is_mirrored(self) -> bool {
        self.0 & 1 == 1
    }

    /// The number of the feature that a piece on a square is.
    #[inline(always)]
    pub(super) const fn feature(self, place: PieceSquare) -> usize {
        let seen = (place.0 ^ self.0) as usize;
        // The opponent's come after six kinds of own pieces, not eight.
        seen - (seen >> 9) * 128
    }
}
