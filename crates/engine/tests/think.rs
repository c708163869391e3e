//! Thinking on the caller's own thread.

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Engine, Limits, NodeBudget};

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

#[test]
fn the_budget_is_kept() {
    let mut engine = Engine::new().unwrap();
    for hard in [1, 7, 100, 1000, 3000] {
        let thought = engine.think(&game(MIDDLE), NodeBudget { soft: u64::MAX, hard });
        assert!(thought.nodes <= hard, "{} of {hard}", thought.nodes);
        assert!(thought.best.is_some_and(|mv| game(MIDDLE).position().is_legal(mv)));
        assert!(thought.value.abs() < 2000, "{}", thought.value);
    }
    for soft in [1, 100, 1000, 3000] {
        engine.new_game().unwrap();
        let thought = engine.think(&game(MIDDLE), NodeBudget { soft, hard: u64::MAX });
        // A whole iteration: one less would not have been enough.
        assert!(thought.nodes >= soft);
        engine.new_game().unwrap();
        let limits = Limits { depth: Some(thought.depth), ..Limits::default() };
        let search = engine.start(&game(MIDDLE), &limits, Box::new(|_| ())).unwrap();
        let verdict = search.wait().unwrap();
        assert_eq!(verdict.info.unwrap().nodes, thought.nodes);
        assert_eq!(verdict.best, thought.best);
    }
}

#[test]
fn the_end_of_a_game_is_known() {
    let mut engine = Engine::new().unwrap();
    let budget = NodeBudget { soft: 500, hard: 5000 };
    let mated = engine.think(&game("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), budget);
    assert_eq!((mated.best, mated.value), (None, -32_000));
    let stalemate = engine.think(&game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), budget);
    assert_eq!((stalemate.best, stalemate.value), (None, 0));
    let mate_in_one = engine.think(&game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), budget);
    assert_eq!(mate_in_one.value, 31_999);
}
