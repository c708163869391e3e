//! What a CECP engine says while it thinks.

use super::parse_move;
use crate::words::Words;
use core::time::Duration;
use tabiya_chess::{Move, Position};
use tabiya_engine::{Bound, Info, Score};

/// Beyond this a score is a mate: 100,000 and the number of moves to it.
const MATE: i32 = 100_000;

/// Reads a line of thinking: ply, score, hundredths of a second, nodes, and a line of play in either
/// notation. Newer engines put selective depth, speed and tablebase hits before a tab and the line of
/// play after it.
pub(super) fn parse(text: &str, root: &Position) -> Option<Info> {
    let (figures, pv) = text.split_once('\t').unwrap_or((text, ""));
    let mut words = Words::of(figures);
    // Some engines mark what kind of line it is, as in "9." and "9&".
    let depth = words.next()?.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    let depth = depth.parse().ok()?;
    let score = words.next()?.parse().ok()?;
    let centiseconds: u64 = words.next()?.parse().ok()?;
    let nodes = words.next()?.parse().ok()?;
    let (extras, pv) = if pv.is_empty() { ("", words.rest()) } else { (words.rest(), pv) };
    let mut extras = Words::of(extras);
    let selective_depth = extras.next().and_then(|word| word.parse().ok()).unwrap_or(depth);
    let tablebase_hits = extras.nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    Some(Info {
        depth,
        selective_depth,
        line: 1,
        score: score_of(score),
        bound: Bound::Exact,
        wdl: None,
        nodes,
        time: Duration::from_millis(centiseconds.saturating_mul(10)),
        hash_full: None,
        tablebase_hits,
        pv: parse_pv(pv, root),
    })
}

fn score_of(score: i32) -> Score {
    match score.saturating_abs() - MATE {
        moves @ 0.. => Score::Mate(moves * score.signum()),
        _ => Score::Centipawns(score),
    }
}

/// Reads moves as far as they are legal. Numbers of moves and brackets around them do not matter.
fn parse_pv(text: &str, root: &Position) -> Vec<Move> {
    let mut position = root.clone();
    let mut pv = Vec::new();
    for word in Words::of(text) {
        let word = word.trim_matches(['<', '>', '(', ')', '{', '}', ',', ';']);
        let word = word.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == '.');
        if word.is_empty() {
            continue;
        }
        let Ok(mv) = parse_move(word, &position) else { break };
        position.play_unchecked(mv);
        pv.push(mv);
    }
    pv
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn start(text: &str) -> Option<Info> {
        parse(text, &Position::start())
    }

    fn moves(info: &Info) -> Vec<String> {
        info.pv.iter().map(|mv| format!("{mv:?}")).collect()
    }

    #[test]
    fn as_engines_write_it() {
        // Fairy-Max, Sjeng, GNU Chess, Crafty, and one with all that the protocol has since got.
        let info = start(" 4     -1       20       1787 e2e4 d7d5 e4d5 d8d5").unwrap();
        assert_eq!((info.depth, info.score), (4, Score::Centipawns(-1)));
        assert_eq!((info.time, info.nodes), (Duration::from_millis(200), 1787));
        assert_eq!(moves(&info), ["e2e4", "d7d5", "e4d5", "d8d5"]);
        let info = start(" 3       0     3      441  Nf3 <Nc6> <e4> ").unwrap();
        assert_eq!(moves(&info), ["g1f3", "b8c6", "e2e4"]);
        assert_eq!(start("9& 12 5 100 e4").unwrap().depth, 9);
        assert_eq!(moves(&start("9 12 5 100 1. e4 e5 2.Nf3 Nc6").unwrap()).len(), 4);
        let info = start("12 100003 51 9000 20 17000 6\te2e4 e7e5").unwrap();
        assert_eq!((info.selective_depth, info.tablebase_hits), (20, 6));
        assert_eq!((info.score, info.pv.len()), (Score::Mate(3), 2));
        assert_eq!(start("1 -100002 0 1").unwrap().score, Score::Mate(-2));
    }

    #[test]
    fn the_line_ends_where_it_makes_no_sense() {
        assert_eq!(moves(&start("3 0 3 417 Nf3 !").unwrap()), ["g1f3"]);
        assert_eq!(moves(&start("0 0 0 0 (e2-e4  c7-c5  c2-c4 book)").unwrap()).len(), 3);
    }

    #[test]
    fn other_lines_are_none() {
        for text in ["", "move e2e4", "1", "1 2 3", "1 x 3 4 e4", "-1 2 3 4", "1 2 -3 4"] {
            assert_eq!(start(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(
            text in any::<String>(),
            words in crate::testing::word_soup(&["e4", "Nf3", "1.", "<d5>", "\t", "O-O"]),
        ) {
            start(&text);
            start(&words);
        }
    }
}
