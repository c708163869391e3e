//! Scores as users see them: centipawns, mate distance, WDL.

use crate::value::{MATE, MATE_BOUND, Value};
use core::fmt;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Score {
    /// In hundredths of a pawn, normalised: 100 is an even chance to win.
    Centipawns(i32),
    /// Mate in this many moves of the side that gives it: positive if the side to move does.
    Mate(i32),
}

impl Score {
    /// The score of a value of the search. `normalize` turns what is no mate into centipawns.
    pub(crate) fn from_value(value: Value, normalize: impl Fn(Value) -> i32) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE + value) / 2)
        } else {
            Score::Centipawns(normalize(value))
        }
    }

    /// The same for the other side.
    #[must_use]
    pub fn negated(self) -> Score {
        match self {
            Score::Centipawns(value) => Score::Centipawns(value.saturating_neg()),
            Score::Mate(moves) => Score::Mate(moves.saturating_neg()),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Score::Mate(moves) => {
                write!(f, "{}#{}", if moves < 0 { "-" } else { "" }, moves.unsigned_abs())
            }
        }
    }
}

/// Is a score exact, or only a bound?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The true value is this or more.
    Lower,
    /// The true value is this or less.
    Upper,
}

/// Win, draw and loss (WDL): their probabilities in thousandths, which sum to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wdl {
    /// Win for the side to move.
    pub win: u16,
    /// Draw.
    pub draw: u16,
    /// Loss for the side to move.
    pub loss: u16,
}
