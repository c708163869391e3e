//! `position`: where the game stands.

use crate::words::Words;
use std::fmt::Write;
use tabiya_chess::{
    CastlingStyle, Excerpt, FenError, Game, Move, Notes, Position, UciMoveError, shortened,
};

/// No FEN of a position is longer, so that what is quoted in full need not be longer either.
const LONGEST_FEN: usize = 120;

/// Why a `position` was not taken. The position stays what it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionCommandError {
    /// Neither a start nor a FEN.
    #[error("position: startpos or fen should follow, not {0}")]
    Neither(Excerpt),
    /// A FEN that is none.
    #[error("position: illegal FEN {fen:?}: {reason}")]
    Fen {
        /// The FEN, in full if it is not absurdly long.
        fen: String,
        /// What is wrong with it.
        reason: FenError,
    },
    /// A move that is none.
    #[error("position: {reason} (move {number} of the list, in {fen})")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// Where it should have been played.
        fen: String,
        /// What is wrong with it.
        reason: UciMoveError,
    },
}

/// Reads what follows `position`, and notes what had to be put right in the FEN.
///
/// ```
/// use tabiya_protocol::uci::position;
///
/// let (game, _) = position::parse("startpos moves e2e4 e7e5").unwrap();
/// assert_eq!(game.moves().len(), 2);
///
/// let error = position::parse("startpos moves e2e4 e7e4").err().unwrap();
/// assert_eq!(
///     error.to_string(),
///     "position: e7e4 is illegal here: the pawn on e7 cannot go to e4 (move 2 of the list, in \
///      rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1)"
/// );
/// ```
pub fn parse(text: &str) -> Result<(Game, Notes), PositionCommandError> {
    let mut words = Words::of(text);
    let (start, notes) = match words.find(|word| matches!(*word, "startpos" | "fen")) {
        Some("fen") => parse_fen(&mut words)?,
        Some(_) => (Position::start(), Notes::default()),
        None => return Err(PositionCommandError::Neither(Excerpt::of(text))),
    };
    let mut game = Game::new(start);
    words.find(|word| *word == "moves");
    for (i, word) in words.enumerate() {
        let failed = |reason| PositionCommandError::Move {
            number: i + 1,
            fen: game.position().fen(),
            reason,
        };
        let mv = game.position().parse_uci(word).map_err(failed)?;
        game.play(mv).expect("what was read here is legal here");
    }
    Ok((game, notes))
}

/// Reads a FEN and leaves the words from `moves` on.
fn parse_fen(words: &mut Words<'_>) -> Result<(Position, Notes), PositionCommandError> {
    let text = words.rest();
    let mut end = 0;
    while let Some(word) = words.peek()
        && word != "moves"
    {
        words.next();
        end = text.len() - words.rest().len();
    }
    let fen = text[..end].trim_ascii_end();
    Position::from_fen_with_notes(fen)
        .map_err(|reason| PositionCommandError::Fen { fen: shortened(fen, LONGEST_FEN), reason })
}

/// Writes a `position` for where a game stands, without the end of the line.
///
/// ```
/// use tabiya_chess::{CastlingStyle, Game, Position};
/// use tabiya_protocol::uci::position;
///
/// let mut game = Game::new(Position::start());
/// game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
/// let line = position::write(&game, CastlingStyle::KingToTarget);
/// assert_eq!(line, "position startpos moves e2e4");
/// ```
pub fn write(game: &Game, style: CastlingStyle) -> String {
    PositionLine::new(game.start(), style).up_to(game, style).to_owned()
}

/// A `position` that grows with its game, so that the hundredth move costs no more than the first.
#[derive(Clone, Debug)]
pub(crate) struct PositionLine {
    style: CastlingStyle,
    start: Position,
    moves: Vec<Move>,
    reached: Position,
    text: String,
}

impl PositionLine {
    pub(crate) fn new(start: &Position, style: CastlingStyle) -> PositionLine {
        let text = if *start == Position::start() {
            "position startpos".to_owned()
        } else {
            let fen = match style {
                CastlingStyle::KingToTarget => start.fen(),
                CastlingStyle::KingTakesRook => start.shredder_fen(),
            };
            format!("position fen {fen}")
        };
        PositionLine {
            style,
            start: start.clone(),
            moves: Vec::new(),
            reached: start.clone(),
            text,
        }
    }

    /// The line for where a game stands, without its end.
    pub(crate) fn up_to(&mut self, game: &Game, style: CastlingStyle) -> &str {
        let goes_on = self.style == style
            && game.moves().starts_with(&self.moves)
            && self.start == *game.start();
        if !goes_on {
            *self = PositionLine::new(game.start(), style);
        }
        for &mv in &game.moves()[self.moves.len()..] {
            let separator = if self.moves.is_empty() { " moves " } else { " " };
            write!(self.text, "{separator}{}", mv.uci(&self.reached, style))
                .expect("a string takes any text");
            self.reached.play_unchecked(mv);
            self.moves.push(mv);
        }
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn fen_after(text: &str) -> String {
        parse(text).unwrap().0.position().fen()
    }

    #[test]
    fn starts_and_fens_with_and_without_moves() {
        assert_eq!(fen_after("startpos"), Position::start().fen());
        assert_eq!(fen_after("startpos moves"), Position::start().fen());
        assert_eq!(fen_after(&format!("fen {KIWIPETE}")), KIWIPETE);
        assert_eq!(
            fen_after(&format!("fen {KIWIPETE} moves e1g1")),
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R4RK1 b kq - 1 1"
        );
        // The clocks may be missing.
        assert_eq!(fen_after("fen 8/8/4k3/8/8/4K3/4P3/8 w - - moves e3d4").split(' ').count(), 6);
    }

    #[test]
    fn unknown_words_are_skipped() {
        assert_eq!(
            fen_after("please startpos quickly moves e2e4"),
            fen_after("startpos moves e2e4")
        );
    }

    #[test]
    fn what_is_wrong_is_named_in_full() {
        let error = |text: &str| parse(text).err().unwrap().to_string();
        assert_eq!(error("here"), r#"position: startpos or fen should follow, not "here""#);
        assert_eq!(error(""), r#"position: startpos or fen should follow, not """#);
        assert_eq!(
            error("fen 8/8/8/8/8/8/8/8 w - - 0 1 moves e2e4"),
            "position: illegal FEN \"8/8/8/8/8/8/8/8 w - - 0 1\": White has 0 kings; each side has \
             exactly one"
        );
        assert!(error("startpos moves 0000").contains("null move"));
        assert!(error("startpos moves E2E4").contains("\"E2E4\" is not a move"));
        assert!(error(&format!("fen {}", "x".repeat(1_000_000))).len() < 500);
    }

    #[test]
    fn chess960_is_written_with_files_and_king_takes_rook() {
        let start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
        let mut game = Game::new(Position::from_fen(start).unwrap());
        game.play(game.position().parse_uci("e1c1").unwrap()).unwrap();
        assert_eq!(
            write(&game, CastlingStyle::KingTakesRook),
            format!("position fen {start} moves e1b1")
        );
    }

    #[test]
    fn a_line_grows_with_its_game_and_knows_another() {
        let after = |text: &str| parse(text).unwrap().0;
        let mut line = PositionLine::new(&Position::start(), CastlingStyle::KingToTarget);
        for (text, style) in [
            ("startpos", CastlingStyle::KingToTarget),
            ("startpos moves e2e4", CastlingStyle::KingToTarget),
            ("startpos moves e2e4 e7e5 g1f3", CastlingStyle::KingToTarget),
            // Taken back, another move, another start, another style.
            ("startpos moves e2e4", CastlingStyle::KingToTarget),
            ("startpos moves d2d4 d7d5", CastlingStyle::KingToTarget),
            (&format!("fen {KIWIPETE} moves e1g1"), CastlingStyle::KingToTarget),
            (&format!("fen {KIWIPETE} moves e1g1 a6e2"), CastlingStyle::KingTakesRook),
        ] {
            let game = after(text);
            assert_eq!(line.up_to(&game, style), write(&game, style));
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            choices in proptest::collection::vec(any::<proptest::sample::Index>(), 0..120),
            chess960 in proptest::option::of(0_u16..960),
        ) {
            let start = chess960.and_then(Position::chess960).unwrap_or_else(Position::start);
            let style = crate::uci::castling_style(chess960.is_some());
            let mut game = Game::new(start);
            for choice in choices {
                let moves = game.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                game.play(moves[choice.index(moves.len())]).unwrap();
            }
            let line = write(&game, style);
            let (read, _) = parse(line.strip_prefix("position").unwrap()).unwrap();
            prop_assert_eq!(read.start(), game.start());
            prop_assert_eq!(read.moves(), game.moves());
        }

        #[test]
        fn no_text_is_too_strange(
            text in any::<String>(),
            words in crate::testing::word_soup(&["startpos", "fen", "moves", "e2e4", KIWIPETE]),
        ) {
            let _ = parse(&text);
            let _ = parse(&words);
        }
    }
}
