//! Golden node counts: play must not change unnoticed. A commit that changes play on purpose changes them too,
//! and says so by a `Bench:` line in the commit.

use tabiya_chess::{CastlingStyle, Game, Position};
use tabiya_engine::simulate::Simulator;
use tabiya_engine::{Analyst, Engine, Limits, RunOn, SearchResult};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDGAME: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

fn search(engine: &mut Engine, fen: &str, depth: u32) -> SearchResult {
    engine.new_game().unwrap();
    let game = Game::new(Position::from_fen(fen).unwrap());
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    engine.search(&game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap()
}

/// Checks the best move and the node count of each position and depth.
fn check(options: &[(&str, &str)], golden: &[(&str, u32, u64, &str)]) {
    let mut engine = Engine::new().unwrap();
    for (name, value) in options {
        engine.set_option(name, value).unwrap();
    }
    for &(fen, depth, nodes, best) in golden {
        let result = search(&mut engine, fen, depth);
        let position = Position::from_fen(fen).unwrap();
        let mv = result.best.unwrap().uci(&position, CastlingStyle::KingToTarget).to_string();
        let found = (result.info.unwrap().nodes, mv.as_str());
        assert_eq!(found, (nodes, best), "{fen} to depth {depth} with {options:?}");
    }
}

#[test]
fn quiescence_search() {
    // At depth 1 nearly all nodes are in quiescence search.
    check(
        &[],
        &[
            (START, 1, 20, "c2c4"),
            (KIWIPETE, 1, 390, "e2a6"),
            (ENDGAME, 1, 19, "b4f4"),
            (MIDDLEGAME, 1, 42, "d4c5"),
        ],
    );
}

/// The serial search.
const SERIAL: [(&str, u32, u64, &str); 6] = [
    (START, 2, 57, "e2e4"),
    (START, 11, 6_307, "e2e4"),
    (KIWIPETE, 7, 5_682, "e2a6"),
    (KIWIPETE, 11, 30_407, "d5e6"),
    (ENDGAME, 11, 7_567, "b4f4"),
    (MIDDLEGAME, 11, 9_843, "d4c5"),
];

#[test]
fn alpha_beta() {
    check(&[], &SERIAL);
}

#[test]
fn lazy_and_ybwc_with_one_thread_are_the_serial_search() {
    for mode in ["lazy", "ybwc"] {
        check(&[("Threads", "1"), ("Parallel Mode", mode)], &SERIAL);
        // After other threads have gone, too.
        check(&[("Parallel Mode", mode), ("Threads", "3"), ("Threads", "1")], &SERIAL);
    }
}

#[test]
fn deterministic_mode_with_any_number_of_threads() {
    for threads in ["1", "2", "3", "4"] {
        check(
            &[("Threads", threads), ("Parallel Mode", "deterministic")],
            &[
                (START, 9, 10_900, "d2d4"),
                (KIWIPETE, 9, 21_859, "d5e6"),
                (ENDGAME, 9, 8_927, "b4f4"),
                (MIDDLEGAME, 9, 11_021, "d4c5"),
            ],
        );
    }
}

#[test]
fn ybwc_on_virtual_processors() {
    let engine = Engine::new().unwrap();
    let position = Position::from_fen(MIDDLEGAME).unwrap();
    let mut simulator = Simulator::of(&engine, 16);
    let mut nodes = |processors| simulator.run(&position, 11, processors).unwrap().nodes;
    assert_eq!([1, 2, 4].map(&mut nodes), [9_843, 15_226, 15_415]);
}
