//! `bestmove`: what an engine decided on.

use crate::BestMove;
use crate::words::Words;
use core::fmt;
use tabiya_chess::{CastlingStyle, Excerpt, Move, Position, UciMoveError};

/// Why a `bestmove` is not a move that can be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BestMoveError {
    /// Nothing follows.
    #[error("bestmove without a move")]
    Missing,
    /// It declines to move.
    #[error("bestmove {0}, though there are legal moves")]
    Declined(Excerpt),
    /// Upper-case letters, which are not UCI.
    #[error("bestmove {found} is in upper case; UCI writes it {meant}")]
    UpperCase {
        /// As it was written.
        found: Excerpt,
        /// As it should be.
        meant: String,
    },
    /// Not a legal move.
    #[error("bestmove: {0}")]
    Illegal(#[from] UciMoveError),
}

/// Reads what follows `bestmove`. A reply that is illegal is dropped: it need not be played.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_protocol::uci::bestmove;
///
/// let start = Position::start();
/// let decision = bestmove::parse("e2e4 ponder e7e5", &start).unwrap();
/// assert_eq!(decision.best, start.parse_uci("e2e4").ok());
///
/// let error = bestmove::parse("E2E4", &start).unwrap_err();
/// assert_eq!(error.to_string(), r#"bestmove "E2E4" is in upper case; UCI writes it e2e4"#);
/// ```
pub fn parse(text: &str, root: &Position) -> Result<BestMove, BestMoveError> {
    let mut words = Words::of(text);
    let word = words.next().ok_or(BestMoveError::Missing)?;
    if matches!(word, "(none)" | "none" | "0000" | "NULL" | "null") {
        return if root.has_legal_move() {
            Err(BestMoveError::Declined(Excerpt::of(word)))
        } else {
            Ok(BestMove::default())
        };
    }
    let best = parse_move(word, root)?;
    let ponder = match (words.next(), words.next()) {
        (Some("ponder"), Some(reply)) => {
            let mut next = root.clone();
            next.play_unchecked(best);
            next.parse_uci(reply).ok()
        }
        _ => None,
    };
    Ok(BestMove { best: Some(best), ponder })
}

fn parse_move(word: &str, root: &Position) -> Result<Move, BestMoveError> {
    let meant = word.to_ascii_lowercase();
    if meant != word && root.parse_uci(&meant).is_ok() {
        let found = Excerpt::of(word);
        return Err(BestMoveError::UpperCase { found, meant });
    }
    Ok(root.parse_uci(word)?)
}

/// A `bestmove` line, without its end.
#[derive(Clone, Copy, Debug)]
pub struct BestMoveLine<'a> {
    /// What it says.
    pub decision: BestMove,
    /// Where the search began.
    pub root: &'a Position,
    /// How castling is written.
    pub style: CastlingStyle,
}

impl fmt::Display for BestMoveLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(best) = self.decision.best else {
            return f.write_str("bestmove (none)");
        };
        write!(f, "bestmove {}", best.uci(self.root, self.style))?;
        let mut next = self.root.clone();
        match self.decision.ponder {
            Some(reply) if next.play(best).is_ok() && next.is_legal(reply) => {
                write!(f, " ponder {}", reply.uci(&next, self.style))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";

    #[test]
    fn moves_and_replies() {
        let start = Position::start();
        let e4 = start.parse_uci("e2e4").unwrap();
        let read = |text| parse(text, &start);
        let alone = BestMove { best: Some(e4), ponder: None };
        assert_eq!(read("e2e4"), Ok(alone));
        for bad_reply in ["e2e4 ponder", "e2e4 ponder (none)", "e2e4 ponder e2e4", "e2e4 e7e5"] {
            assert_eq!(read(bad_reply), Ok(alone), "{bad_reply}");
        }
        assert!(read("e2e4 ponder e7e5").unwrap().ponder.is_some());
    }

    #[test]
    fn no_move_is_an_answer_only_where_there_is_none() {
        let mated = Position::from_fen(MATED).unwrap();
        for none in ["(none)", "0000"] {
            assert_eq!(parse(none, &mated), Ok(BestMove::default()));
            let declined = BestMoveError::Declined(Excerpt::of(none));
            assert_eq!(parse(none, &Position::start()), Err(declined));
        }
        assert_eq!(parse("", &mated), Err(BestMoveError::Missing));
    }

    #[test]
    fn wrong_moves_are_named() {
        let error = |fen: &str, text: &str| {
            parse(text, &Position::from_fen(fen).unwrap()).unwrap_err().to_string()
        };
        let promotion = "8/4P3/8/8/8/2k5/8/2K5 w - - 0 1";
        assert_eq!(
            error(promotion, "e7e8Q"),
            r#"bestmove "e7e8Q" is in upper case; UCI writes it e7e8q"#
        );
        assert_eq!(
            error(promotion, "e7e8"),
            "bestmove: e7e8 is illegal here: the pawn promotes: add q, r, b or n for what it becomes"
        );
        assert!(error(promotion, "\u{fffd}\0").contains("is not a move"));
    }

    #[test]
    fn written_in_the_style_that_is_asked_for() {
        let root = Position::from_fen("r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1").unwrap();
        let decision = parse("e1h1 ponder e8c8", &root).unwrap();
        let line = |style| BestMoveLine { decision, root: &root, style }.to_string();
        assert_eq!(line(CastlingStyle::KingToTarget), "bestmove e1g1 ponder e8c8");
        assert_eq!(line(CastlingStyle::KingTakesRook), "bestmove e1h1 ponder e8a8");
        let decision = BestMove::default();
        let line = BestMoveLine { decision, root: &root, style: CastlingStyle::KingToTarget };
        assert_eq!(line.to_string(), "bestmove (none)");
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in any::<String>()) {
            let _ = parse(&text, &Position::start());
        }
    }
}
