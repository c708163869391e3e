//! What the fuzz targets share.

#![forbid(unsafe_code)]

use tabiya_chess::Position;

/// A position and a text about it: a FEN in the first line, the text in the rest. Without a FEN that
/// can be read the start of a game stands in, so that no input is wasted.
pub fn position_and_text(input: &str) -> (Position, &str) {
    let (fen, text) = input.split_once('\n').unwrap_or(("", input));
    (Position::from_fen(fen).unwrap_or_else(|_| Position::start()), text)
}

/// Errors quote their input; they must not grow with it.
pub fn assert_short(error: &impl ToString) {
    let message = error.to_string();
    assert!(message.len() < 1_000, "a very long message: {message}");
}
