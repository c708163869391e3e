//! No move is played unsearched: every root move has a value of depth 1 before one is chosen, whatever the limit.

use std::time::Duration;

use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Game, Move, Position};
use tabiya_engine::{Analyst, Clock, Engine, Limits, RunOn, SearchResult};

const MODES: [(&str, &str); 4] =
    [("1", "lazy"), ("2", "lazy"), ("2", "ybwc"), ("2", "deterministic")];

fn engine((threads, mode): (&str, &str), lines: &str) -> Engine {
    let mut engine = Engine::new().unwrap();
    let options =
        [("Hash", "1"), ("Threads", threads), ("Parallel Mode", mode), ("MultiPV", lines)];
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    engine
}

fn search(engine: &mut Engine, game: &Game, limits: &Limits, stop: bool) -> SearchResult {
    engine.new_game().unwrap();
    // The first thread begins when it is waited for: after the stop.
    let search = engine.search(game, limits, RunOn::Waiter, None).unwrap();
    if stop {
        search.stop();
    }
    search.wait().unwrap()
}

/// Every root move has been searched.
fn has_a_move_of_value(game: &Game, limits: &Limits, result: &SearchResult) -> Move {
    let info = result.info.as_ref().unwrap();
    let count = match limits.search_moves.len() {
        0 => game.position().legal_moves().len(),
        some => some,
    };
    assert!(info.nodes >= count as u64, "{} nodes for {count} moves", info.nodes);
    assert!(result.value.is_some());
    result.best.expect("a legal move")
}

/// The move and its value are those of a search to depth 1, unless there was
/// time to search deeper, or helpers have a vote.
fn is_searched(mode: (&str, &str), game: &Game, limits: &Limits, result: &SearchResult) {
    let best = has_a_move_of_value(game, limits, result);
    let has_votes = [("2", "lazy"), ("2", "deterministic")].contains(&mode);
    if result.info.as_ref().is_some_and(|info| info.depth > 1) || has_votes {
        return;
    }
    let search_moves = limits.search_moves.clone();
    let first = Limits { depth: Some(1), search_moves, ..Limits::default() };
    let first = search(&mut engine(mode, "1"), game, &first, false);
    assert_eq!((best, result.value), (first.best.unwrap(), first.value), "{}", game.position());
}

/// Positions from random games.
fn positions(count: usize, seed: u64) -> Vec<Game> {
    let mut random = SplitMix64::new(seed);
    let mut games = Vec::new();
    while games.len() < count {
        let mut game = Game::new(Position::start());
        for _ in 0..8 + random.below(60) {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len() as u64) as usize];
            game.play(mv).unwrap();
        }
        if game.position().legal_moves().len() > 1 {
            games.push(Game::new(game.position().clone()));
        }
    }
    games
}

fn after_an_immediate_stop(count: usize) {
    for mode in MODES {
        let mut engine = engine(mode, "1");
        let limits = Limits { infinite: true, ..Limits::default() };
        for game in positions(count, 7) {
            let result = search(&mut engine, &game, &limits, true);
            is_searched(mode, &game, &limits, &result);
        }
    }
}

#[test]
fn an_immediate_stop_gets_the_best_move_of_depth_1() {
    after_an_immediate_stop(60);
}

#[test]
#[ignore = "takes a minute"]
fn so_it_does_in_a_thousand_positions() {
    after_an_immediate_stop(1000);
}

#[test]
fn the_queen_is_not_given_away() {
    for fen in ["4k3/8/8/3q4/8/8/8/3QK3 w - - 0 1", "3qk3/8/8/8/3Q4/8/8/4K3 b - - 0 1"] {
        let game = Game::new(Position::from_fen(fen).unwrap());
        for mode in MODES {
            let mut engine = engine(mode, "1");
            for _ in 0..30 {
                let limits = Limits { infinite: true, ..Limits::default() };
                engine.new_game().unwrap();
                let search = engine.search(&game, &limits, RunOn::OwnThread, None).unwrap();
                search.stop();
                let best = search.wait().unwrap().best.unwrap();
                assert!(game.position().piece_at(best.to()).is_some(), "{best:?} in {fen}");
            }
        }
    }
}

#[test]
fn no_limit_is_too_small() {
    let clock =
        Clock { remaining: Duration::from_millis(1), increment: Duration::ZERO, moves_to_go: None };
    let limits = [
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { soft_nodes: Some(1), ..Limits::default() },
        Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() },
        Limits { move_time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: Some(clock), ..Limits::default() },
    ];
    for mode in MODES {
        for lines in ["1", "3"] {
            let mut engine = engine(mode, lines);
            for game in positions(4, 11) {
                for limits in &limits {
                    let result = search(&mut engine, &game, limits, false);
                    has_a_move_of_value(&game, limits, &result);
                    let some = game.position().legal_moves().iter().copied().step_by(3).collect();
                    let limits = Limits { search_moves: some, ..limits.clone() };
                    let result = search(&mut engine, &game, &limits, false);
                    has_a_move_of_value(&game, &limits, &result);
                }
            }
        }
    }
}
