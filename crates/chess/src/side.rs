//! Colors as types, so that the compiler makes one generator for each.

use crate::{Bitboard, Color, Rank};

/// The side to move, known when the code is compiled.
pub(crate) trait Side: Copy {
    /// The same as a value.
    const COLOR: Color;
    /// The opponent.
    type Other: Side<Other = Self>;

    /// A single pawn step, as a difference of square numbers.
    const FORWARD: i32 = match Self::COLOR {
        Color::White => 8,
        Color::Black => -8,
    };
    /// Where the king lives.
    const HOME: Bitboard = Bitboard::rank(Rank::First.relative_to(Self::COLOR));
    /// Where a pawn that has gone one step may go another.
    const THIRD: Bitboard = Bitboard::rank(Rank::Third.relative_to(Self::COLOR));
    /// Where pawns are about to promote.
    const SEVENTH: Bitboard = Bitboard::rank(Rank::Seventh.relative_to(Self::COLOR));
    /// Where pawns promote.
    const LAST: Bitboard = Bitboard::rank(Rank::Eighth.relative_to(Self::COLOR));
}

#[derive(Clone, Copy)]
pub(crate) struct White;

#[derive(Clone, Copy)]
pub(crate) struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
    type Other = Black;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
    type Other = White;
}

/// Calls a function that is generic over the [`Side`] for a color known at run time.
macro_rules! for_side {
    ($color:expr, $side:ident => $call:expr) => {
        match $color {
            $crate::Color::White => {
                type $side = $crate::side::White;
                $call
            }
            $crate::Color::Black => {
                type $side = $crate::side::Black;
                $call
            }
        }
    };
}

pub(crate) use for_side;
