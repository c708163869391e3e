//! Bitboards: sets of squares.

use crate::{Color, File, Rank, Square};
use core::fmt;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};
use core::str::FromStr;

/// A set of squares in 64 bits; bit 0 is a1, bit 63 is h8.
///
/// Set operations are operators: `|` union, `&` intersection, `-` difference, `^` symmetric
/// difference, `!` complement. Printing draws the board, and the drawing parses back.
///
/// ```
/// use tabiya_chess::{attacks, Bitboard, Square};
///
/// let rim: Bitboard = "
///     X X X X X X X X
///     X . . . . . . X
///     X . . . . . . X
///     X . . . . . . X
///     X . . . . . . X
///     X . . . . . . X
///     X . . . . . . X
///     X X X X X X X X
/// ".parse().unwrap();
/// let jumps = attacks::knight(Square::B2);
/// assert_eq!((jumps | rim) - (jumps & rim), rim ^ jumps);
/// assert_eq!((jumps - rim).to_string(), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . X . . . . .
/// . . . X . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const FULL: Bitboard = Bitboard(!0);
    /// The dark squares, a1 among them.
    pub const DARK: Bitboard = Bitboard(0xAA55_AA55_AA55_AA55);
    /// The light squares, h1 among them.
    pub const LIGHT: Bitboard = Bitboard(!Bitboard::DARK.0);

    /// The squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u32)
    }

    /// The squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (8 * rank as u32))
    }

    /// A single square.
    #[inline(always)]
    pub const fn square(square: Square) -> Bitboard {
        Bitboard(1 << square as u32)
    }

    /// Is there no square in it?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares it holds.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Does it hold two squares or more? Quicker than counting them.
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Is this square in it?
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u32 & 1 != 0
    }

    /// Is every square of this set in the other?
    #[inline(always)]
    pub const fn is_subset(self, other: Bitboard) -> bool {
        self.0 & !other.0 == 0
    }

    /// Do the two sets share no square?
    #[inline(always)]
    pub const fn is_disjoint(self, other: Bitboard) -> bool {
        self.0 & other.0 == 0
    }

    /// Do the two sets share a square?
    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The first square in the order a1, b1, ... h8.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros())) }
    }

    /// The last square in the order a1, b1, ... h8.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(63 - self.0.leading_zeros())) }
    }

    /// Takes the first square out of the set.
    #[inline(always)]
    pub const fn pop(&mut self) -> Option<Square> {
        let first = self.first();
        self.0 &= self.0.wrapping_sub(1);
        first
    }

    /// This set with one more square.
    #[inline(always)]
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | 1 << square as u32)
    }

    /// This set without a square.
    #[inline(always)]
    pub const fn without(self, square: Square) -> Bitboard {
        Bitboard(self.0 & !(1 << square as u32))
    }

    /// The set upside down: the first and the eighth rank change places.
    #[inline(always)]
    pub const fn flip_ranks(self) -> Bitboard {
        Bitboard(self.0.swap_bytes())
    }

    /// The mirror image: the a-file and the h-file change places.
    #[inline]
    pub const fn flip_files(self) -> Bitboard {
        Bitboard(self.0.reverse_bits().swap_bytes())
    }

    /// Every square one step forward as `color` moves; what leaves the board is gone.
    ///
    /// ```
    /// use tabiya_chess::{Bitboard, Color, Rank};
    /// let second = Bitboard::rank(Rank::Second);
    /// assert_eq!(second.forward(Color::White), Bitboard::rank(Rank::Third));
    /// assert_eq!(second.forward(Color::Black), Bitboard::rank(Rank::First));
    /// ```
    #[inline(always)]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// Every square one step towards the h-file.
    #[inline(always)]
    pub const fn east(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::file(File::H).0) << 1)
    }

    /// Every square one step towards the a-file.
    #[inline(always)]
    pub const fn west(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::file(File::A).0) >> 1)
    }

    /// All subsets of this set, the empty one first.
    ///
    /// ```
    /// use tabiya_chess::{Bitboard, File};
    /// assert_eq!(Bitboard::file(File::A).subsets().count(), 256);
    /// ```
    pub fn subsets(self) -> impl Iterator<Item = Bitboard> {
        let mut next = Some(0u64);
        core::iter::from_fn(move || {
            let subset = next?;
            // Counting in the bits of the set alone: the borrow runs through the gaps.
            let following = subset.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(following);
            Some(Bitboard(subset))
        })
    }
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

macro_rules! set_operation {
    ($trait:ident $method:ident $assign_trait:ident $assign_method:ident |$a:ident, $b:ident| $expr:expr) => {
        impl $trait for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                let ($a, $b) = (self.0, other.0);
                Bitboard($expr)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = $trait::$method(*self, other);
            }
        }
    };
}

set_operation!(BitAnd bitand BitAndAssign bitand_assign |a, b| a & b);
set_operation!(BitOr bitor BitOrAssign bitor_assign |a, b| a | b);
set_operation!(BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b);
set_operation!(Sub sub SubAssign sub_assign |a, b| a & !b);

impl From<Square> for Bitboard {
    #[inline(always)]
    fn from(square: Square) -> Bitboard {
        Bitboard::square(square)
    }
}

impl From<File> for Bitboard {
    #[inline(always)]
    fn from(file: File) -> Bitboard {
        Bitboard::file(file)
    }
}

impl From<Rank> for Bitboard {
    #[inline(always)]
    fn from(rank: Rank) -> Bitboard {
        Bitboard::rank(rank)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

/// The squares of a set, in the order a1, b1, ... h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::from_coords(file, rank)) { 'X' } else { '.' };
                let gap = if file == File::H { '\n' } else { ' ' };
                write!(f, "{mark}{gap}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { write!(f, "\n{self}") } else { write!(f, "Bitboard({:#018x})", self.0) }
    }
}

/// Why a drawing is not a set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseBitboardError {
    /// A sign other than the two that a drawing is made of.
    #[error(
        "sign {0:?} at square {1} of the drawing: `X` is a square in the set, `.` one outside it"
    )]
    Sign(char, usize),
    /// Too few or too many squares.
    #[error("the drawing has {0} squares; a board has 64")]
    Size(usize),
}

impl FromStr for Bitboard {
    type Err = ParseBitboardError;

    fn from_str(drawing: &str) -> Result<Bitboard, ParseBitboardError> {
        let mut set = Bitboard::EMPTY;
        let mut seen = 0;
        for sign in drawing.chars().filter(|sign| !sign.is_whitespace()) {
            match sign {
                'X' | 'x' if seen < 64 => {
                    // The drawing begins at a8, as a board is looked at.
                    set = set.with(Square::wrapping(seen as u32).flip_ranks());
                }
                'X' | 'x' | '.' => {}
                other => return Err(ParseBitboardError::Sign(other, seen + 1)),
            }
            seen += 1;
        }
        if seen == 64 { Ok(set) } else { Err(ParseBitboardError::Size(seen)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawing_parses_back() {
        for set in [Bitboard::DARK, Bitboard(0x8123_4567_89AB_CDEF), Bitboard::EMPTY] {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        assert_eq!("X".parse::<Bitboard>(), Err(ParseBitboardError::Size(1)));
        assert_eq!("Xo".parse::<Bitboard>(), Err(ParseBitboardError::Sign('o', 2)));
        assert_eq!("X".repeat(65).parse::<Bitboard>(), Err(ParseBitboardError::Size(65)));
    }

    #[test]
    fn flips_follow_squares() {
        let set = Bitboard(0x8123_4567_89AB_CDEF);
        for square in Square::ALL {
            assert_eq!(set.contains(square), set.flip_ranks().contains(square.flip_ranks()));
            assert_eq!(set.contains(square), set.flip_files().contains(square.flip_files()));
        }
    }

    #[test]
    fn iterates_in_order() {
        let set = Bitboard(0x8000_0000_0010_0003);
        let squares: Vec<_> = set.into_iter().collect();
        assert_eq!(squares, [Square::A1, Square::B1, Square::E3, Square::H8]);
        assert_eq!(set.last(), Some(Square::H8));
        assert_eq!(squares.into_iter().collect::<Bitboard>(), set);
    }
}
