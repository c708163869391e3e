//! Kinds of pieces, and men: a piece with a colour.

use crate::Colour;
use core::fmt;

/// The kind of a chessman.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Piece {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Piece {
    /// All kinds, from pawn to king.
    pub const ALL: [Piece; 6] =
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

    /// What a pawn may become, the strongest first.
    pub const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

    /// A number for tables: pawn 0 to king 5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter that FEN and UCI use.
    #[inline]
    pub const fn letter(self) -> char {
        match self {
            Piece::Pawn => 'p',
            Piece::Knight => 'n',
            Piece::Bishop => 'b',
            Piece::Rook => 'r',
            Piece::Queen => 'q',
            Piece::King => 'k',
        }
    }

    /// The piece for a letter in either case.
    ///
    /// ```
    /// use tabiya_chess::Piece;
    /// assert_eq!(Piece::from_letter('N'), Some(Piece::Knight));
    /// assert_eq!(Piece::from_letter('x'), None);
    /// ```
    #[inline]
    pub const fn from_letter(letter: char) -> Option<Piece> {
        Some(match letter.to_ascii_lowercase() {
            'p' => Piece::Pawn,
            'n' => Piece::Knight,
            'b' => Piece::Bishop,
            'r' => Piece::Rook,
            'q' => Piece::Queen,
            'k' => Piece::King,
            _ => return None,
        })
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Piece::Pawn => "pawn",
            Piece::Knight => "knight",
            Piece::Bishop => "bishop",
            Piece::Rook => "rook",
            Piece::Queen => "queen",
            Piece::King => "king",
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A piece of a colour: what can stand on a square.
///
/// One byte, and so is `Option<Man>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Man {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Man {
    /// How many different men there are.
    pub const COUNT: usize = 12;

    /// All men, White's first, each side from pawn to king.
    pub const ALL: [Man; Man::COUNT] = [
        Man::WhitePawn,
        Man::WhiteKnight,
        Man::WhiteBishop,
        Man::WhiteRook,
        Man::WhiteQueen,
        Man::WhiteKing,
        Man::BlackPawn,
        Man::BlackKnight,
        Man::BlackBishop,
        Man::BlackRook,
        Man::BlackQueen,
        Man::BlackKing,
    ];

    /// The man of this colour and kind.
    #[inline(always)]
    pub const fn new(colour: Colour, piece: Piece) -> Man {
        Man::ALL[colour as usize * 6 + piece as usize]
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn colour(self) -> Colour {
        if (self as u8) < 6 { Colour::White } else { Colour::Black }
    }

    /// What it is.
    #[inline(always)]
    pub const fn piece(self) -> Piece {
        Piece::ALL[self as usize % 6]
    }

    /// A number for tables: White's pawn 0 to Black's king 11.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The FEN letter: upper case for White.
    #[inline]
    pub const fn letter(self) -> char {
        match self.colour() {
            Colour::White => self.piece().letter().to_ascii_uppercase(),
            Colour::Black => self.piece().letter(),
        }
    }

    /// The man for a FEN letter.
    #[inline]
    pub const fn from_letter(letter: char) -> Option<Man> {
        let colour = if letter.is_ascii_uppercase() { Colour::White } else { Colour::Black };
        match Piece::from_letter(letter) {
            Some(piece) => Some(Man::new(colour, piece)),
            None => None,
        }
    }
}

impl fmt::Display for Man {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.colour(), self.piece())
    }
}

const _: () = assert!(size_of::<Option<Man>>() == 1);
