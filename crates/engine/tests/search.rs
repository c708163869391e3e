//! Searches on the thread that waits for them.

use std::sync::Arc;
use std::time::Duration;

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Clock, Engine, Info, Limits, RunOn, SearchHandle, SearchResult};

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

fn begin(engine: &mut Engine, game: &Game, limits: &Limits, run: RunOn) -> Arc<dyn SearchHandle> {
    engine.search(game, limits, run, None).unwrap()
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits) -> SearchResult {
    begin(engine, game, limits, RunOn::Waiter).wait().unwrap()
}

#[test]
fn limits_in_nodes_are_kept() {
    let mut engine = Engine::new().unwrap();
    // Every root move gets a value, whatever the limit.
    let first = Limits { depth: Some(1), ..Limits::default() };
    let first = search(&mut engine, &game(MIDDLE), &first).info.unwrap().nodes;
    assert!(first < 300, "{first}");
    for nodes in [1, 7, 100, 1000, 3000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let result = search(&mut engine, &game(MIDDLE), &limits);
        let searched = result.info.unwrap().nodes;
        assert!(searched <= nodes.max(first), "{searched} of {nodes}");
        assert!(result.best.is_some_and(|mv| game(MIDDLE).position().is_legal(mv)));
        assert!(result.value.unwrap().abs() < 2000, "{:?}", result.value);
    }
    for soft in [1, 100, 1000, 3000] {
        engine.new_game().unwrap();
        let limits = Limits { soft_nodes: Some(soft), ..Limits::default() };
        let result = search(&mut engine, &game(MIDDLE), &limits);
        let info = result.info.unwrap();
        // A whole iteration: one less would not have been enough.
        assert!(info.nodes >= soft);
        engine.new_game().unwrap();
        let limits = Limits { depth: Some(info.depth), ..Limits::default() };
        let to_depth = search(&mut engine, &game(MIDDLE), &limits);
        assert_eq!(to_depth.info.unwrap().nodes, info.nodes);
        assert_eq!((to_depth.best, to_depth.value), (result.best, result.value));
    }
}

#[test]
fn the_end_of_a_game_is_known() {
    let mut engine = Engine::new().unwrap();
    let limits = Limits { soft_nodes: Some(500), nodes: Some(5000), ..Limits::default() };
    let mated = search(&mut engine, &game("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), &limits);
    assert_eq!((mated.best, mated.value), (None, Some(-32_000)));
    let stalemate = search(&mut engine, &game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), &limits);
    assert_eq!((stalemate.best, stalemate.value), (None, Some(0)));
    let mate_in_one = search(&mut engine, &game("7k/8/5KQ1/8/8/8/8/8 w - - 0 1"), &limits);
    assert_eq!(mate_in_one.value, Some(31_999));
}

/// A result without what no two runs have in common.
fn timeless(result: SearchResult) -> SearchResult {
    let info = result.info.map(|info| Info { time: Duration::ZERO, ..info });
    SearchResult { info, ..result }
}

#[test]
fn both_threads_find_the_same() {
    let [mut one, mut other] = [(); 2].map(|()| Engine::new().unwrap());
    let mut game = game(MIDDLE);
    let limits = Limits { nodes: Some(1500), ..Limits::default() };
    // From move to move, for what is kept in between must be the same too.
    for _ in 0..6 {
        let own = begin(&mut one, &game, &limits, RunOn::OwnThread);
        let waiter = begin(&mut other, &game, &limits, RunOn::Waiter);
        let result = waiter.wait().unwrap();
        assert_eq!(timeless(own.wait().unwrap()), timeless(result.clone()));
        assert_eq!(waiter.wait().unwrap(), result, "the same however often it is asked for");
        game.play(result.best.unwrap()).unwrap();
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::new().unwrap();
    let game = game(MIDDLE);
    let wanted = game.position().parse_uci("a2a4").unwrap();
    let limits = Limits { nodes: Some(500), search_moves: vec![wanted], ..Limits::default() };
    assert_eq!(search(&mut engine, &game, &limits).best, Some(wanted));
}

#[test]
fn a_waiter_s_search_can_be_stopped_before_it_begins_and_while_it_runs() {
    let mut engine = Engine::new().unwrap();
    let game = game(MIDDLE);
    let is_legal =
        |result: SearchResult| result.best.is_some_and(|mv| game.position().is_legal(mv));
    let endless = Limits { infinite: true, ..Limits::default() };
    let handle = begin(&mut engine, &game, &endless, RunOn::Waiter);
    handle.stop();
    assert!(is_legal(handle.wait().unwrap()));

    let handle = begin(&mut engine, &game, &endless, RunOn::Waiter);
    let stopper = Arc::clone(&handle);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(20));
        stopper.stop();
    });
    assert!(is_legal(handle.wait().unwrap()));
}

#[test]
fn another_search_ends_the_one_that_nobody_waited_for() {
    let mut engine = Engine::new().unwrap();
    let game = game(MIDDLE);
    let endless = Limits { infinite: true, ..Limits::default() };
    for threads in ["1", "3"] {
        engine.set_option("Threads", threads).unwrap();
        let forgotten = begin(&mut engine, &game, &endless, RunOn::Waiter);
        let limits = Limits { depth: Some(3), ..Limits::default() };
        assert!(search(&mut engine, &game, &limits).best.is_some());
        assert!(forgotten.wait().unwrap().best.is_some_and(|mv| game.position().is_legal(mv)));
        let forgotten = begin(&mut engine, &game, &endless, RunOn::Waiter);
        engine.new_game().unwrap();
        assert!(forgotten.wait().unwrap().best.is_some());
    }
}

#[test]
fn a_clock_that_counts_nodes_runs_on_either_thread() {
    let [mut one, mut other] = [(); 2].map(|()| Engine::new().unwrap());
    for engine in [&mut one, &mut other] {
        engine.set_option("nodestime", "100").unwrap();
    }
    let clock = Clock { remaining: Duration::from_millis(200), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let mut game = game(MIDDLE);
    for _ in 0..4 {
        let own = begin(&mut one, &game, &limits, RunOn::OwnThread).wait().unwrap();
        let result = search(&mut other, &game, &limits);
        assert_eq!(timeless(own), timeless(result.clone()));
        game.play(result.best.unwrap()).unwrap();
    }
}

/// Pruning must not hide a stalemate: this is drawn because the lone king cannot be driven from his
/// corner.
#[test]
fn the_wrong_bishop_does_not_win() {
    let mut engine = Engine::new().unwrap();
    let game = Game::new(Position::from_fen("k7/8/8/P7/8/8/5B2/K7 w - - 0 1").unwrap());
    let nodes = Some(30_000);
    let limits = Limits { soft_nodes: nodes, nodes, ..Limits::default() };
    let result = search(&mut engine, &game, &limits);
    assert!(result.value.unwrap().abs() <= 1, "{result:?}");
}
