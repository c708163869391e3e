//! The lines of UCI, each with its reader and its writer side by side.
//!
//! | line | from | module |
//! | --- | --- | --- |
//! | `position` | GUI | [`position`] |
//! | `go` | GUI | [`go`] |
//! | `setoption` | GUI | [`setoption`] |
//! | `option` | engine | [`option`] |
//! | `info` | engine | [`info`] |
//! | `bestmove` | engine | [`bestmove`] |
//!
//! Readers take what follows the line's first word. They never panic, and what they cannot
//! understand they skip, as the protocol asks, or name in an error.

pub mod bestmove;
pub mod go;
pub mod info;
pub mod option;
pub mod position;
pub mod setoption;

use crate::words::Words;
use std::num::IntErrorKind;
use tabiya_chess::{Bitboard, CastlingStyle, Color, File, Position, Rank, Square};

/// Can the rules of standard chess not describe who may castle here, so that both sides have to agree
/// on `UCI_Chess960`?
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_protocol::uci::needs_chess960;
/// assert!(!needs_chess960(&Position::start()));
/// assert!(needs_chess960(&Position::chess960(0).unwrap()));
/// ```
pub fn needs_chess960(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let home = Rank::First.relative_to(color);
        let square = |file| Square::from_coords(file, home);
        let rooks = position.castling_rooks() & Bitboard::rank(home);
        let corners = Bitboard::square(square(File::A)).with(square(File::H));
        let usual = position.king(color) == square(File::E) && rooks.is_subset(corners);
        !rooks.is_empty() && !usual
    })
}

/// How castling is written when `UCI_Chess960` is on or off.
pub(crate) fn castling_style(chess960: bool) -> CastlingStyle {
    if chess960 { CastlingStyle::KingTakesRook } else { CastlingStyle::KingToTarget }
}

/// A whole number, however large: beyond what fits, the largest that does.
fn number(text: &str) -> Option<i64> {
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
    }
}

/// Takes the next word if it is a whole number.
fn next_number(words: &mut Words<'_>) -> Option<i64> {
    let number = number(words.peek()?)?;
    words.next();
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_is_needed_only_for_rights_that_standard_chess_does_not_have() {
        let needs = |fen: &str| needs_chess960(&Position::from_fen(fen).unwrap());
        assert!(!needs("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
        assert!(!needs("4k3/8/8/8/8/8/8/3K4 w - - 0 1"));
        // The king is not at home, and then the rook.
        assert!(needs("4k3/8/8/8/8/8/8/R4K2 w Q - 0 1"));
        assert!(needs("1r2k3/8/8/8/8/8/8/4K3 w q - 0 1"));
        // Standard on one side only.
        assert!(needs("1r2k3/8/8/8/8/8/8/R3K3 w Qq - 0 1"));
    }

    #[test]
    fn numbers_saturate() {
        assert_eq!(number("-17"), Some(-17));
        assert_eq!(number("99999999999999999999"), Some(i64::MAX));
        assert_eq!(number("-99999999999999999999"), Some(i64::MIN));
        assert_eq!(number("12.5"), None);
        assert_eq!(number(""), None);
    }
}
