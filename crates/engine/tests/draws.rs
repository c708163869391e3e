//! Draws by the rules, as the search sees them.

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Engine, Limits, RunOn, Score, SearchResult};

fn searched(game: &Game, depth: u32) -> SearchResult {
    let mut engine = Engine::new().unwrap();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search(game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap()
}

fn score(fen: &str, depth: u32) -> Score {
    let game = Game::new(Position::from_fen(fen).unwrap());
    searched(&game, depth).info.unwrap().score
}

/// Is it a draw, but for a trifle by which draws differ to keep the search from shuffling?
fn is_level(score: Score) -> bool {
    matches!(score, Score::Centipawns(value) if value.abs() <= 3)
}

#[test]
fn perpetual_check_saves_a_lost_game() {
    // Without checks on e8 and h5 there is mate on a1.
    let score = score("6k1/6p1/8/7Q/8/8/rr6/7K w - - 0 1", 12);
    assert!(is_level(score), "{score:?}");
}

#[test]
fn the_fifty_move_rule_leaves_time_for_a_mate_or_does_not() {
    assert_eq!(score("7k/8/5K2/8/8/8/8/1Q6 w - - 0 80", 8), Score::Mate(2));
    assert_eq!(score("7k/8/5K2/8/8/8/8/1Q6 w - - 97 80", 8), Score::Mate(2));
    for clock in [98, 99] {
        let score = score(&format!("7k/8/5K2/8/8/8/8/1Q6 w - - {clock} 80"), 8);
        assert!(is_level(score), "{clock}: {score:?}");
    }
    // A mate on the hundredth ply counts.
    assert_eq!(score("7k/8/5KQ1/8/8/8/8/8 w - - 99 80", 4), Score::Mate(1));
    // A pawn's move begins anew.
    assert_ne!(score("7k/8/5K2/8/8/8/4P3/8 w - - 99 80", 8), Score::Centipawns(0));
}

#[test]
fn shuffling_does_not_make_a_won_game_a_draw() {
    // One more repetition would.
    let mut game = Game::new(Position::from_fen("7k/8/8/8/8/8/R7/K7 w - - 0 1").unwrap());
    for uci in ["a1b1", "h8g8", "b1a1", "g8h8", "a1b1", "h8g8"] {
        let mv = game.position().parse_uci(uci).unwrap();
        game.play(mv).unwrap();
    }
    let result = searched(&game, 10);
    assert!(!is_level(result.info.unwrap().score));
    // Black can have it at once if White goes back.
    game.play(game.position().parse_uci("b1a1").unwrap()).unwrap();
    let result = searched(&game, 10);
    assert_eq!(result.best, game.position().parse_uci("g8h8").ok());
    assert!(is_level(result.info.unwrap().score));
}

#[test]
fn nobody_mates_later_than_the_mate_that_is_known() {
    // A mate in one: no depth makes it longer.
    assert_eq!(score("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", 14), Score::Mate(1));
    assert_eq!(score("k7/8/1K6/8/8/8/8/7R w - - 0 1", 14), Score::Mate(1));
}
