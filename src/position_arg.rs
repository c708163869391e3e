//! Positions on the command line.

use std::io::{self, Write};

use tabiya_chess::{FenError, Notes, Position, shortened};

/// A position as the user gave it.
#[derive(Clone)]
pub(crate) struct Given {
    position: Position,
    notes: Notes,
}

impl Given {
    /// The position. What had to be put right is printed to standard error.
    pub(crate) fn position(&self) -> io::Result<&Position> {
        if !self.notes.is_empty() {
            writeln!(io::stderr(), "note: {}", self.notes)?;
        }
        Ok(&self.position)
    }
}

/// Reads `startpos`, `chess960:NUMBER` or a FEN.
pub(crate) fn parse(text: &str) -> Result<Given, PositionArgError> {
    let sound = |position| Given { position, notes: Notes::default() };
    if text.eq_ignore_ascii_case("startpos") {
        return Ok(sound(Position::start()));
    }
    if let Some(number) = text.strip_prefix("chess960:") {
        let position = number.parse().ok().and_then(Position::chess960);
        let unknown = || PositionArgError::Number(shortened(number, 20));
        return position.map(sound).ok_or_else(unknown);
    }
    let (position, notes) = Position::from_fen_with_notes(text)?;
    Ok(Given { position, notes })
}

/// Why a word is not a position.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PositionArgError {
    /// Not a starting position's number.
    #[error("{0:?} is not the number of a Chess960 start; they go from 0 to 959")]
    Number(String),
    /// Not a FEN.
    #[error("{0} (`startpos` and `chess960:NUMBER` are understood too)")]
    Fen(#[from] FenError),
}
