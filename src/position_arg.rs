//! Positions on the command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

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
    match Position::from_fen_with_notes(text) {
        Ok((position, notes)) => Ok(Given { position, notes }),
        Err(_) if is_path(text) => Err(PositionArgError::Path(shortened(text, 60))),
        Err(error) => Err(error.into()),
    }
}

/// Is it rather a file's name than a damaged FEN?
fn is_path(text: &str) -> bool {
    let path = Path::new(text);
    !text.contains(char::is_whitespace) && (path.extension().is_some() || path.exists())
}

/// The arguments with the fields of a FEN that was given without quotes as one argument. The clocks belong to it
/// if there are two numbers.
pub(crate) fn joined(args: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut args = args.into_iter().peekable();
    while let Some(arg) = args.next() {
        let is_side = |next: &OsString| next == "w" || next == "b";
        let mut fen = arg;
        if is_board(&fen) && args.peek().is_some_and(is_side) {
            let is_field = |next: &OsString| !next.as_encoded_bytes().starts_with(b"--");
            let mut fields = 0;
            while fields < 3
                && let Some(field) = args.next_if(is_field)
            {
                fen.push(" ");
                fen.push(field);
                fields += 1;
            }
            if let Some(first) = args.next_if(is_number) {
                match args.next_if(is_number) {
                    Some(second) => {
                        for clock in [first, second] {
                            fen.push(" ");
                            fen.push(clock);
                        }
                    }
                    None => {
                        joined.push(fen);
                        fen = first;
                    }
                }
            }
        }
        joined.push(fen);
    }
    joined
}

/// Could it be the first field of a FEN, alone? No other argument has as many slashes before `w` or `b`.
fn is_board(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.iter().filter(|&&byte| byte == b'/').count() >= 5 && !bytes.contains(&b' ')
}

fn is_number(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

/// Why a word is not a position.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PositionArgError {
    /// Not a starting position's number.
    #[error("{0:?} is not the number of a Chess960 start; they go from 0 to 959")]
    Number(String),
    /// A file.
    #[error("{0} looks like a file; a FEN is expected here, or `startpos` or `chess960:NUMBER`")]
    Path(String),
    /// Not a FEN.
    #[error("{0} (`startpos` and `chess960:NUMBER` are understood too)")]
    Fen(#[from] FenError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        let args = line.split_whitespace().map(OsString::from);
        joined(args).into_iter().map(|arg| arg.into_string().unwrap()).collect()
    }

    #[test]
    fn a_fen_needs_no_quotes() {
        let fen = "8/8/8/4k3/8/8/4P3/4K3 w - -";
        let clocks = format!("{fen} 0 1");
        let cases: [(&str, &[&str]); 5] = [
            ("", &[&clocks]),
            ("--depth 3", &[&clocks, "--depth", "3"]),
            ("5", &[&clocks, "5"]),
            ("Kd2", &[&clocks, "Kd2"]),
            ("w b", &[&clocks, "w", "b"]),
        ];
        for (rest, expected) in cases {
            assert_eq!(words(&format!("{clocks} {rest}")), expected, "{rest}");
        }
        // One number is the next argument, such as a depth.
        assert_eq!(words(&format!("perft {fen} 5")), ["perft", fen, "5"]);
        assert_eq!(words(&format!("{fen} --json")), [fen, "--json"]);
        // What is not a FEN's stays as it is.
        assert_eq!(words("a/b/c w - - 0 1"), ["a/b/c", "w", "-", "-", "0", "1"]);
        assert_eq!(words("8/8/8/4k3/8/8/4P3/4K3 --json"), ["8/8/8/4k3/8/8/4P3/4K3", "--json"]);
        let quoted = [OsString::from(&clocks), OsString::from("w")];
        assert_eq!(joined(quoted.clone()), quoted);
    }

    #[test]
    fn a_file_is_not_taken_for_a_damaged_fen() {
        let error = |text: &str| parse(text).err().unwrap().to_string();
        assert!(error("game.pgn").starts_with("game.pgn looks like a file; a FEN is expected"));
        assert!(error("8/8/8 w - -").contains("3 ranks"));
        assert!(error("rubbish").contains("(field 1)"));
    }
}
