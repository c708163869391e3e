//! The rules that need a past: repetitions, the counts of moves without progress, and who wins.

use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Claim, Color, Game, GameResult, Outcome, Position};

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = game.position().parse_uci(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        game.play(mv).expect("a legal move");
    }
}

fn from(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).expect("a legal position"))
}

const SHUFFLE: &str = "g1f3 g8f6 f3g1 f6g8";

#[test]
fn the_third_time_may_be_claimed_and_the_fifth_ends_the_game() {
    let mut game = Game::new(Position::start());
    for times in 1..=4 {
        assert_eq!(game.repetitions(), times);
        assert_eq!(game.outcome(), None);
        assert_eq!(game.claim(), (times >= 3).then_some(Claim::ThreefoldRepetition));
        play(&mut game, SHUFFLE);
    }
    assert_eq!(game.outcome(), Some(Outcome::FivefoldRepetition));
}

/// The first time a pawn could be taken en passant; after that the position is another.
#[test]
fn a_right_that_has_gone_makes_a_different_position() {
    let mut game = from("4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1");
    play(&mut game, "e2e4");
    assert!(game.position().en_passant().is_some());
    play(&mut game, "g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.repetitions(), 1);
    play(&mut game, "g8f6 g1f3 f6g8 f3g1");
    assert_eq!(game.repetitions(), 2);
}

/// Castling rights count too.
#[test]
fn a_king_that_has_moved_makes_a_different_position() {
    let mut game = from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut game, "e1e2 e8e7 e2e1 e7e8");
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn fifty_moves_may_be_claimed_and_seventy_five_end_the_game() {
    for (clock, claim, outcome) in [
        (98, None, None),
        (99, Some(Claim::FiftyMoves), None),
        (148, Some(Claim::FiftyMoves), None),
        (149, Some(Claim::FiftyMoves), Some(Outcome::SeventyFiveMoves)),
    ] {
        let mut game = from(&format!("4k3/8/8/8/8/8/8/4K2R w - - {clock} 120"));
        play(&mut game, "h1h2");
        assert_eq!((game.claim(), game.outcome()), (claim, outcome), "after {clock} plies");
    }
}

#[test]
fn mate_goes_before_every_draw() {
    let mut game = from("7k/8/6K1/8/8/8/8/R7 w - - 149 120");
    play(&mut game, "a1a8");
    assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::White }));
    assert_eq!(game.claim(), None);
}

#[test]
fn a_capture_or_a_pawn_move_starts_the_counts_again() {
    let mut game = from("4k3/8/8/8/8/8/4P3/4K2R w - - 99 120");
    play(&mut game, "e2e3");
    assert_eq!((game.position().halfmove_clock(), game.claim()), (0, None));
}

#[test]
fn stalemate_and_dead_material() {
    assert_eq!(from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Stalemate));
    let dead = from("7k/8/6K1/8/8/8/8/5B2 b - - 0 1");
    assert_eq!(dead.outcome(), Some(Outcome::InsufficientMaterial));
    assert_eq!(from("7k/8/6K1/8/8/8/P7/8 b - - 0 1").outcome(), None);
}

#[test]
fn a_claim_ends_a_game_only_where_claims_count() {
    let mut game = Game::new(Position::start());
    (0..2).for_each(|_| play(&mut game, SHUFFLE));
    assert_eq!(game.outcome(), None);
    let claimed = Outcome::Claimed(Claim::ThreefoldRepetition);
    assert_eq!(game.outcome_with_claims(), Some(claimed));
    assert_eq!(claimed.result(), GameResult::Draw);

    let mut mate = from("7k/8/6K1/8/8/8/8/R7 w - - 99 120");
    play(&mut mate, "a1a8");
    let outcome = mate.outcome_with_claims().expect("the game is over");
    assert_eq!(outcome.result(), GameResult::White, "mate goes before a claim");
}

#[test]
fn a_result_belongs_to_its_winner() {
    for color in Color::ALL {
        assert_eq!(GameResult::win(color).winner(), Some(color));
    }
    let texts = GameResult::ALL.map(|result| result.to_string());
    assert_eq!(texts, ["1-0", "1/2-1/2", "0-1"]);
    assert_eq!(GameResult::ALL.map(GameResult::white_points), [1.0, 0.5, 0.0]);
}

#[test]
fn a_random_opening_has_its_length_and_is_not_over() {
    let opening = |seed| Game::random(Position::start(), 9, &mut SplitMix64::new(seed));
    let made: Vec<Game> = (0..200).filter_map(opening).collect();
    assert!(made.len() > 190, "few games end within nine plies");
    for game in &made {
        assert_eq!(game.moves().len(), 9);
        assert_eq!(game.outcome_with_claims(), None);
    }
    // A king that must take the last pawn leaves nothing to play for.
    let takes = Position::from_fen("7k/8/8/8/8/8/1p6/K7 w - - 0 1").expect("a legal position");
    let over = (0..50)
        .filter(|&seed| Game::random(takes.clone(), 1, &mut SplitMix64::new(seed)).is_none());
    assert!((1..50).contains(&over.count()), "sometimes the pawn is taken, sometimes not");
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::new(Position::start());
    let foreign = tabiya_chess::Move::normal(tabiya_chess::Square::E2, tabiya_chess::Square::E5);
    assert!(game.play(foreign).is_err());
    assert_eq!(game.position(), &Position::start());
    assert!(game.moves().is_empty() && game.keys().is_empty());
}
