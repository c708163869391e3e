//! Openings from files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use tabiya_chess::{Epd, EpdError, Excerpt, Game, Position, UciMoveError};
use tabiya_files::FileError;
use tabiya_pgn::{Fault, PgnReader};
use thiserror::Error;

use super::{Opening, Openings};
use crate::files::{lines, read_text};
use crate::game::Reason;

/// The largest files that are read; the largest that are published have about half of it.
const MOST_BYTES: u64 = 1 << 28;

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningPlace {
    /// A line, counted from 1.
    Line(usize),
    /// A game, counted from 1.
    Game(u64),
}

impl fmt::Display for OpeningPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Game(game) => write!(f, "game {game}"),
        }
    }
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The file cannot be read, or is too large.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file makes no sense.
    #[error("the openings in {path} cannot be used")]
    In {
        /// Which file.
        path: PathBuf,
        /// Why not.
        source: Box<OpeningsError>,
    },
    /// Nothing is in it.
    #[error(
        "there are no openings in it; it should have positions (EPD), games (PGN) or lines of moves"
    )]
    Empty,
    /// A line that is not text.
    #[error("line {0} is not text; openings are EPD, PGN or lines of moves")]
    NotText(usize),
    /// A position that makes no sense.
    #[error("line {line}: {error}")]
    Epd {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: EpdError,
    },
    /// A move that makes no sense.
    #[error("line {line}: {error}")]
    Move {
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        error: UciMoveError,
    },
    /// A game whose moves make no sense, or its start.
    #[error(transparent)]
    Pgn(Box<Fault>),
    /// A null move, which no game can begin with.
    #[error("game {game}, move {number}: a null move (--) cannot be played in a game")]
    NullMove {
        /// Which game, counted from 1.
        game: u64,
        /// Which move, as a score sheet counts.
        number: u32,
    },
    /// Bytes that were there cannot be read.
    #[error("the games cannot be read")]
    Stream(#[source] io::Error),
    /// Nothing is left to play.
    #[error("{place} leaves nothing to play: it ends in {reason}")]
    Over {
        /// Where.
        place: OpeningPlace,
        /// How it ends.
        reason: Reason,
    },
}

pub(super) fn file(path: &Path, plies: Option<usize>) -> Result<Openings, OpeningsError> {
    let bytes = read_text(path, MOST_BYTES)?;
    parse(&bytes, plies)
        .map_err(|source| OpeningsError::In { path: path.to_owned(), source: Box::new(source) })
}

pub(super) fn parse(bytes: &[u8], plies: Option<usize>) -> Result<Openings, OpeningsError> {
    let openings = if is_pgn(bytes) { games(bytes, plies)? } else { positions(bytes)? };
    Openings::new(openings).ok_or(OpeningsError::Empty)
}

/// PGN begins with a tag, a move's number or a comment. No FEN begins with a digit and a point.
fn is_pgn(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start();
    let digits = first.iter().take_while(|byte| byte.is_ascii_digit()).count();
    matches!(first.first(), Some(b'[' | b'{' | b'%'))
        || digits > 0 && first.get(digits) == Some(&b'.')
}

/// EPD, or lines of moves; each line tells for itself.
fn positions(bytes: &[u8]) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for (line, text) in lines(bytes) {
        let text = text.map_err(|_| OpeningsError::NotText(line))?;
        let game = if text.contains('/') {
            let epd: Epd = text.parse().map_err(|error| OpeningsError::Epd { line, error })?;
            Game::new(epd.position().clone())
        } else {
            line_of_moves(text).map_err(|error| OpeningsError::Move { line, error })?
        };
        openings.push(playable(game, OpeningPlace::Line(line))?);
    }
    Ok(openings)
}

fn line_of_moves(text: &str) -> Result<Game, UciMoveError> {
    let mut game = Game::new(Position::start());
    for word in text.split_ascii_whitespace() {
        let mv = game.position().parse_uci(word)?;
        game.play(mv).map_err(|_| UciMoveError::Malformed(Excerpt::of(word)))?;
    }
    Ok(game)
}

fn playable(game: Game, place: OpeningPlace) -> Result<Opening, OpeningsError> {
    match game.outcome_with_claims() {
        None => Ok(game.into()),
        Some(outcome) => Err(OpeningsError::Over { place, reason: outcome.into() }),
    }
}

fn games(bytes: &[u8], plies: Option<usize>) -> Result<Vec<Opening>, OpeningsError> {
    let mut openings = Vec::new();
    for read in PgnReader::new(bytes) {
        let read = read.map_err(OpeningsError::Stream)?;
        let number = read.number;
        let mut game = Game::new(read.game.start().clone());
        for node in read.game.main_line().take(plies.unwrap_or(usize::MAX)) {
            let null =
                || OpeningsError::NullMove { game: number, number: game.position().move_number() };
            let mv = read.game.mv(node).ok_or_else(null)?;
            // The move is legal: it was read in this position.
            let _ = game.play(mv);
        }
        // Only what is missing from the opening matters.
        let complete = plies.is_some_and(|plies| game.moves().len() >= plies);
        if let Some(fault) = read.faults.iter().find(|fault| fault.ends_main_line() && !complete) {
            return Err(OpeningsError::Pgn(Box::new(fault.clone())));
        }
        openings.push(playable(game, OpeningPlace::Game(number))?);
    }
    Ok(openings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fens(text: &str) -> Vec<String> {
        let openings = parse(text.as_bytes(), None).unwrap();
        let all = (0..).map(|number| openings.get(number).position().fen());
        let first = openings.get(0).position().fen();
        // After the last the first comes again.
        std::iter::once(first.clone()).chain(all.skip(1).take_while(|fen| *fen != first)).collect()
    }

    fn error(bytes: &[u8]) -> String {
        parse(bytes, None).unwrap_err().to_string()
    }

    const ITALIAN: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

    #[test]
    fn all_kinds_of_files_are_understood() {
        let epd = "# remark\n\nr1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - hmvc 3; fmvn 3;\r\n";
        assert_eq!(fens(epd), [ITALIAN]);
        assert_eq!(fens(ITALIAN), [ITALIAN]);
        assert_eq!(fens("e2e4 e7e5 g1f3 b8c6 f1c4\n"), [ITALIAN]);
        assert_eq!(fens("1. e4 e5 2. Nf3 Nc6 3. Bc4 *"), [ITALIAN]);
        let games = "[Event \"a\"]\n\n1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Nf3 $1 Nc6 3. Bc4 1-0\n\n\
            [Event \"b\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 1/2-1/2\n";
        assert_eq!(fens(games), [ITALIAN, "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"]);
    }

    #[test]
    fn games_can_be_cut_to_a_number_of_plies() {
        let openings = parse(b"1. f3 e5 2. g4 Qh4# 0-1", Some(3)).unwrap();
        assert_eq!(openings.get(0).moves().len(), 3);
        assert!(error(b"1. f3 e5 2. g4 Qh4# 0-1").contains("game 1 leaves nothing to play"));
        assert!(parse(b"1. f3 e5 2. Nonsense", Some(2)).is_ok());
    }

    #[test]
    fn moves_before_the_position_are_kept() {
        let openings = parse(b"1. e4 e5 2. Nf3 *", None).unwrap();
        assert_eq!(openings.get(0).moves().len(), 3);
        assert_eq!(openings.get(0).start(), &Position::start());
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        for (text, message) in [
            ("", "there are no openings"),
            ("# nothing\n", "there are no openings"),
            ("e2e4\ne2e5\n", "line 2: e2e5 is illegal here"),
            ("\nhello\n", "line 2: \"hello\" is not a move"),
            ("8/8/8/8/8/8/8/8 w - -", "line 1: "),
            ("4k3/8/8/8/8/8/8/4K3 w - -", "line 1 leaves nothing to play: it ends in insufficient"),
            ("[FEN \"8/8 w\"]\n\n1. e4 *", "game 1: its FEN tag: "),
            ("1. e4 e5 2. Ke3 *", "game 1, move 2: "),
            ("1. e4 *\n\n1. d4 Nf9 2. c4 *", "game 2, move 1...: \"Nf9\" is not a move"),
            ("1. e4 -- 2. d4 *", "game 1, move 1: a null move (--) cannot"),
        ] {
            let error = error(text.as_bytes());
            assert!(error.contains(message), "{text:?}: {error}");
        }
        assert!(error(b"e2e4\n\xff\xfe\n").contains("line 2 is not text"));
        let missing = Openings::read(Path::new("/no/such/file"), None).unwrap_err();
        assert!(missing.to_string().contains("/no/such/file: cannot be read: "), "{missing}");
    }

    #[test]
    fn any_bytes_are_taken_apart_without_harm() {
        let mut random = tabiya_chess::rng::SplitMix64::new(4);
        let seeds: [&[u8]; 3] =
            [ITALIAN.as_bytes(), b"e2e4 e7e5", b"[FEN \"x\"]\n\n1. e4 {c} (1. d4) *"];
        for round in 0..3000 {
            let mut bytes = seeds[round % 3].to_vec();
            for _ in 0..=random.index(4) {
                let place = random.index(bytes.len());
                bytes[place] = random.next() as u8;
            }
            // Whatever comes out, it comes.
            let _ = parse(&bytes, Some(random.index(5)));
        }
    }
}
