//! Colours as types, so that the compiler makes one generator for each.

use crate::{Bitboard, Colour, Rank};

/// The side to move, known when the code is compiled.
pub(crate) trait Side: Copy {
    /// The same as a value.
    const COLOUR: Colour;
    /// The opponent.
    type Other: Side<Other = Self>;

    /// A single pawn step, as a difference of square numbers.
    const FORWARD: i32 = match Self::COLOUR {
        Colour::White => 8,
        Colour::Black => -8,
    };
    /// Where the king lives.
    const HOME: Bitboard = Bitboard::rank(Rank::First.relative_to(Self::COLOUR));
    /// Where a pawn that has gone one step may go another.
    const THIRD: Bitboard = Bitboard::rank(Rank::Third.relative_to(Self::COLOUR));
    /// Where pawns are about to promote.
    const SEVENTH: Bitboard = Bitboard::rank(Rank::Seventh.relative_to(Self::COLOUR));
    /// Where pawns promote.
    const LAST: Bitboard = Bitboard::rank(Rank::Eighth.relative_to(Self::COLOUR));
}

#[derive(Clone, Copy)]
pub(crate) struct White;

#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    const COLOUR: Colour = Colour::White;
    type Other = Black;
}

impl Side for Black {
    const COLOUR: Colour = Colour::Black;
    type Other = White;
}

/// Calls a function that is generic over the [`Side`] for a colour known at run time.
macro_rules! for_side {
    ($colour:expr, $side:ident => $call:expr) => {
        match $colour {
            $crate::Colour::White => {
                type $side = $crate::side::White;
                $call
            }
            $crate::Colour::Black => {
                type $side = $crate::side::Black;
                $call
            }
        }
    };
}

pub(crate) use for_side;
