//! Files, ranks and squares.

use crate::Color;
use core::fmt;
use core::str::FromStr;

/// A column of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files from a to h.
    pub const ALL: [File; 8] =
        [File::A, File::B, File::C, File::D, File::E, File::F, File::G, File::H];

    /// The file with this number (a is 0), if there is one.
    #[inline]
    pub const fn new(index: usize) -> Option<File> {
        if index < 8 { Some(File::ALL[index]) } else { None }
    }

    /// A number for tables: a is 0.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter.
    #[inline]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file for a letter in either case.
    #[inline]
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            letter @ 'a'..='h' => Some(File::ALL[letter as usize - 'a' as usize]),
            _ => None,
        }
    }
}

impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A row of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks from 1 to 8.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// The rank with this number (the first is 0), if there is one.
    #[inline]
    pub const fn new(index: usize) -> Option<Rank> {
        if index < 8 { Some(Rank::ALL[index]) } else { None }
    }

    /// A number for tables: the first rank is 0.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit, `1` to `8`.
    #[inline]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// This rank as `color` counts them: Black's first rank is the eighth.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank::ALL[7 - self as usize],
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.digit())
    }
}

/// One of the 64 squares; a1 is 0, b1 is 1, h8 is 63.
///
/// ```
/// use tabiya_chess::{File, Rank, Square};
/// let e4 = Square::from_coords(File::E, Rank::Fourth);
/// assert_eq!(e4, Square::E4);
/// assert_eq!(e4.to_string(), "e4");
/// assert_eq!("e4".parse(), Ok(Square::E4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
#[allow(missing_docs, reason = "the names say it all")]
#[rustfmt::skip]
pub enum Square {
    A1, B1, C1, D1, E1, F1, G1, H1,
    A2, B2, C2, D2, E2, F2, G2, H2,
    A3, B3, C3, D3, E3, F3, G3, H3,
    A4, B4, C4, D4, E4, F4, G4, H4,
    A5, B5, C5, D5, E5, F5, G5, H5,
    A6, B6, C6, D6, E6, F6, G6, H6,
    A7, B7, C7, D7, E7, F7, G7, H7,
    A8, B8, C8, D8, E8, F8, G8, H8,
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// All squares from a1 to h8, rank by rank.
    pub const ALL: [Square; Square::COUNT] = {
        let mut all = [Square::A1; Square::COUNT];
        let mut i = 0;
        while i < Square::COUNT {
            all[i] = Square::wrapping(i as u32);
            i += 1;
        }
        all
    };

    /// The square with this number, if there is one.
    #[inline]
    pub const fn new(index: usize) -> Option<Square> {
        if index < Square::COUNT { Some(Square::wrapping(index as u32)) } else { None }
    }

    /// The square whose number is the low six bits of `index`.
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Square {
        // SAFETY: the enum has a variant for each of 0..=63, and the mask leaves no other value.
        unsafe { core::mem::transmute::<u8, Square>((index & 63) as u8) }
    }

    /// The square where a file and a rank cross.
    #[inline(always)]
    pub const fn from_coords(file: File, rank: Rank) -> Square {
        Square::wrapping(rank as u32 * 8 + file as u32)
    }

    /// A number for tables: a1 is 0, h8 is 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file it stands on.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::ALL[self as usize & 7]
    }

    /// The rank it stands on.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize >> 3]
    }

    /// The square `files` to the right and `ranks` up, unless that leaves the board.
    ///
    /// ```
    /// use tabiya_chess::Square;
    /// assert_eq!(Square::G1.offset(-1, 2), Some(Square::F3));
    /// assert_eq!(Square::A1.offset(-1, 0), None);
    /// ```
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self as i16 & 7) + files as i16;
        let rank = (self as i16 >> 3) + ranks as i16;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square::wrapping((rank * 8 + file) as u32))
    }

    /// The same file seen from the other side: a1 and a8 change places.
    #[inline(always)]
    pub const fn flip_ranks(self) -> Square {
        Square::wrapping(self as u32 ^ 56)
    }

    /// The mirror image: a1 and h1 change places.
    #[inline(always)]
    pub const fn flip_files(self) -> Square {
        Square::wrapping(self as u32 ^ 7)
    }

    /// This square as `color` sees it: for Black the board is turned upside down.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => self.flip_ranks(),
        }
    }

    /// King steps between two squares.
    ///
    /// ```
    /// use tabiya_chess::Square;
    /// assert_eq!(Square::A1.distance(Square::C7), 6);
    /// ```
    #[inline]
    pub const fn distance(self, other: Square) -> u8 {
        let files = (self as u8 & 7).abs_diff(other as u8 & 7);
        let ranks = (self as u8 >> 3).abs_diff(other as u8 >> 3);
        if files > ranks { files } else { ranks }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

/// Why a text does not name a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a square is a letter from a to h and a digit from 1 to 8, such as e4")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square::wrapping(u32::from(rank - b'1') * 8 + u32::from(file - b'a')))
            }
            _ => Err(ParseSquareError),
        }
    }
}
