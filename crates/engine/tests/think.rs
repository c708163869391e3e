//! Thinking on the caller's own thread.

use std::time::Duration;

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Clock, Engine, Info, Limits, NodeBudget, SearchResult};

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

/// A verdict without what no two runs have in common.
fn timeless(verdict: SearchResult) -> SearchResult {
    let info = verdict.info.map(|info| Info { time: Duration::ZERO, ..info });
    SearchResult { info, ..verdict }
}

#[test]
fn deciding_is_starting_and_waiting() {
    let [mut one, mut other] = [(); 2].map(|()| Engine::new().unwrap());
    let mut game = game(MIDDLE);
    let limits = Limits { nodes: Some(1500), ..Limits::default() };
    // From move to move, for what is kept in between must be the same too.
    for _ in 0..6 {
        let search = one.start(&game, &limits, Box::new(|_| ())).unwrap();
        let mut handle = None;
        let decided = other.decide(&game, &limits, &mut |search| handle = Some(search.clone()));
        let decided = decided.unwrap();
        assert_eq!(timeless(search.wait().unwrap()), timeless(decided.clone()));
        assert_eq!(handle.unwrap().wait().unwrap(), decided);
        game.play(decided.best.unwrap()).unwrap();
    }
}

#[test]
fn deciding_keeps_to_the_moves_asked_for_and_can_be_stopped() {
    let mut engine = Engine::new().unwrap();
    let game = game(MIDDLE);
    let wanted = game.position().parse_uci("a2a4").unwrap();
    let limits = Limits { nodes: Some(500), search_moves: vec![wanted], ..Limits::default() };
    assert_eq!(engine.decide(&game, &limits, &mut |_| ()).unwrap().best, Some(wanted));

    let endless = Limits { infinite: true, ..Limits::default() };
    let verdict = engine.decide(&game, &endless, &mut |search| {
        let search = search.clone();
        std::thread::spawn(move || search.stop());
    });
    assert!(verdict.unwrap().best.is_some_and(|mv| game.position().is_legal(mv)));
}

#[test]
fn a_clock_that_counts_nodes_runs_whichever_way_it_is_asked() {
    let [mut one, mut other] = [(); 2].map(|()| Engine::new().unwrap());
    for engine in [&mut one, &mut other] {
        engine.set_option("nodestime", "100").unwrap();
    }
    let clock = Clock { remaining: Duration::from_millis(200), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let mut game = game(MIDDLE);
    for _ in 0..4 {
        let started = one.start(&game, &limits, Box::new(|_| ())).unwrap().wait().unwrap();
        let decided = other.decide(&game, &limits, &mut |_| ()).unwrap();
        assert_eq!(timeless(started), timeless(decided.clone()));
        game.play(decided.best.unwrap()).unwrap();
    }
}

/// Pruning must not hide a stalemate: this is drawn because the lone king cannot be driven from his
/// corner.
#[test]
fn the_wrong_bishop_does_not_win() {
    let mut engine = Engine::new().unwrap();
    let game = Game::new(Position::from_fen("k7/8/8/P7/8/8/5B2/K7 w - - 0 1").unwrap());
    let thought = engine.think(&game, NodeBudget { soft: 30_000, hard: 30_000 });
    assert!(thought.value.abs() <= 1, "{thought:?}");
}
