//! A move in 21 bits, as the table and the history know it.

use serde::{Deserialize, Serialize};
use std::fmt;
use tabiya_chess::{PieceKind, Square};

/// From and to in 6 bits each, then who moves, what is taken and what a pawn becomes in 3 bits each, 0 for
/// nothing. All of it 0 is no move, which is also what doing nothing is called.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Word(u32);

fn code(piece: Option<PieceKind>) -> u32 {
    piece.map_or(0, |piece| piece.index() as u32 + 1)
}

impl Word {
    /// No move.
    pub const NONE: Word = Word(0);

    /// A move.
    #[inline(always)]
    pub fn new(
        from: Square,
        to: Square,
        piece: Option<PieceKind>,
        taken: Option<PieceKind>,
        promoted: Option<PieceKind>,
    ) -> Word {
        let squares = from.index() as u32 | (to.index() as u32) << 6;
        Word(squares | code(piece) << 12 | code(taken) << 15 | code(promoted) << 18)
    }

    /// The move of these bits.
    pub(super) fn from_bits(bits: u32) -> Word {
        Word(bits & 0x1F_FFFF)
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// Where from.
    #[inline(always)]
    pub(super) fn from(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Where to.
    #[inline(always)]
    pub(super) fn to(self) -> usize {
        (self.0 >> 6 & 63) as usize
    }

    /// The piece's number plus 1.
    #[inline(always)]
    pub(super) fn piece(self) -> usize {
        (self.0 >> 12 & 7) as usize
    }

    /// The taken piece's number plus 1.
    #[inline(always)]
    pub(super) fn taken(self) -> usize {
        (self.0 >> 15 & 7) as usize
    }

    /// The number plus 1 of what a pawn becomes.
    #[inline(always)]
    pub(super) fn promoted(self) -> usize {
        (self.0 >> 18 & 7) as usize
    }

    /// Does it neither take nor promote?
    #[inline(always)]
    pub(super) fn is_quiet(self) -> bool {
        self.0 >> 15 == 0
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Word::NONE {
            return Ok(());
        }
        let square = |index: usize| Square::wrapping(index as u32);
        write!(f, "{}{}", square(self.from()), square(self.to()))?;
        match self.promoted().checked_sub(1).and_then(|index| PieceKind::ALL.get(index)) {
            Some(piece) => write!(f, "{}", piece.letter()),
            None => Ok(()),
        }
    }
}
