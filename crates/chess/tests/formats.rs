//! Every notation against shakmaty's, and back again, on positions from random play.

mod common;

use common::*;
use shakmaty::{CastlingMode, EnPassantMode, Position as _, san::SanPlus, zobrist::Zobrist64};
use std::collections::BTreeMap;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{CastlingStyle, Epd, MoveKind, Position};

/// How often the rarer things have come by, to be sure that they were tested.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    castlings: usize,
    en_passants: usize,
    promotions: usize,
    mates: usize,
    two_letter_origins: usize,
    castlings_like_steps: usize,
}

impl Seen {
    fn examine(&mut self, position: &Position) {
        self.positions += 1;
        let fen = position.fen();
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position));
        assert_eq!(Position::from_fen(&position.shredder_fen()).as_ref(), Ok(position));
        let epd: Epd = fen.parse().expect("a FEN is an EPD without operations");
        assert_eq!(epd.position(), position);
        assert_eq!(epd.to_string().parse(), Ok(epd));

        let oracle = to_shakmaty(position);
        assert_eq!(fen, shakmaty_fen(&oracle));
        let by_name: BTreeMap<_, _> = oracle
            .legal_moves()
            .into_iter()
            .map(|mv| (mv.to_uci(CastlingMode::Chess960).to_string(), mv))
            .collect();
        for mv in position.legal_moves() {
            let theirs = by_name[&name(position, mv)];
            let san = position.san(mv);
            let context = || format!("{san} in {fen}");
            assert_eq!(
                san.as_str(),
                SanPlus::from_move(oracle.clone(), theirs).to_string(),
                "{}",
                context()
            );
            assert_eq!(position.parse_san(san.as_str()), Ok(mv), "{}", context());

            let standard = mv.uci(position, CastlingStyle::KingToTarget).to_string();
            let chess960 = mv.uci(position, CastlingStyle::KingTakesRook).to_string();
            assert_eq!(position.parse_uci(&standard), Ok(mv), "{}", context());
            assert_eq!(position.parse_uci(&chess960), Ok(mv), "{}", context());
            let their_standard = theirs.to_uci(CastlingMode::Standard).to_string();
            if by_name.contains_key(&their_standard) && mv.is_castling() {
                // Castling that would read as a step of the king is written the other way.
                assert_eq!(standard, chess960, "{}", context());
                self.castlings_like_steps += 1;
            } else {
                assert_eq!(standard, their_standard, "{}", context());
            }

            let mut next = position.clone();
            next.play(mv).expect("a legal move");
            let their_next = oracle.clone().play(theirs).expect("a legal move");
            let Zobrist64(key) = their_next.zobrist_hash(EnPassantMode::PseudoLegal);
            assert_eq!(next.polyglot_key(), key, "{}", context());

            self.castlings += usize::from(mv.is_castling());
            self.en_passants += usize::from(mv.kind() == MoveKind::EnPassant);
            self.promotions += usize::from(mv.kind() == MoveKind::Promotion);
            self.mates += usize::from(san.as_str().ends_with('#'));
            let origin = mv.from().to_string();
            self.two_letter_origins += usize::from(san.as_str().get(1..3) == Some(&origin));
        }
    }
}

#[test]
fn standard_games() {
    let mut seen = Seen::default();
    random_games(&mut SplitMix64::new(1), 100, 120, standard, |position| seen.examine(position));
    assert!(seen.positions > 2_000, "{seen:?}");
    assert!(seen.castlings > 100 && seen.en_passants > 30, "{seen:?}");
    assert!(seen.mates > 100, "{seen:?}");
}

#[test]
fn chess960_games() {
    let mut seen = Seen::default();
    random_games(&mut SplitMix64::new(2), 60, 80, chess960, |position| seen.examine(position));
    assert!(seen.positions > 2_000, "{seen:?}");
    assert!(seen.castlings > 100 && seen.castlings_like_steps > 10, "{seen:?}");
}

#[test]
fn scattered_pieces() {
    let mut seen = Seen::default();
    random_games(&mut SplitMix64::new(3), 3_000, 2, scattered, |position| seen.examine(position));
    assert!(seen.positions > 2_000, "{seen:?}");
    assert!(seen.promotions > 500 && seen.mates > 300, "{seen:?}");
    assert!(seen.two_letter_origins > 10, "{seen:?}");
}
