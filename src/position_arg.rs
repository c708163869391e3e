//! Positions on the command line.

use tabiya_chess::{FenError, Position};

/// Reads `startpos`, `chess960:NUMBER` or a FEN.
pub(crate) fn parse(text: &str) -> Result<Position, PositionArgError> {
    if text.eq_ignore_ascii_case("startpos") {
        return Ok(Position::start());
    }
    if let Some(number) = text.strip_prefix("chess960:") {
        let position = number.parse().ok().and_then(Position::chess960);
        return position.ok_or_else(|| PositionArgError::Number(number.chars().take(20).collect()));
    }
    Ok(Position::from_fen(text)?)
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
