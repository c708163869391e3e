//! The board, for people.

use core::fmt;
use tabiya_chess::{CastlingStyle, Position};

/// A position as a diagram, with what cannot be seen in one.
pub(super) struct Diagram<'a> {
    pub(super) position: &'a Position,
    pub(super) style: CastlingStyle,
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.position.diagram();
        for (rank, line) in (1..=8).rev().zip(board.lines()) {
            writeln!(f, "  {rank}  {line}")?;
        }
        writeln!(f, "\n     a b c d e f g h\n")?;
        let fen = match self.style {
            CastlingStyle::KingToTarget => self.position.fen(),
            CastlingStyle::KingTakesRook => self.position.shredder_fen(),
        };
        writeln!(f, "Fen: {fen}")?;
        writeln!(f, "Key: {:016X}", self.position.keys().position)?;
        write!(f, "Checkers:")?;
        self.position.checkers().into_iter().try_for_each(|square| write!(f, " {square}"))
    }
}
