//! Perft: the usual positions to a hundred million leaves and more, and some hundreds of random ones
//! that shakmaty counts too.

mod common;

use common::*;
use std::num::NonZeroUsize;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Perft, Position, divide, perft};

const KNOWN: [(&str, u8, u64); 9] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 6, 706_045_033),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 6, 706_045_033),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 6, 3_048_196_529),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 5, 164_075_551),
    ("r1bqkb1r/3n1ppp/pp2pn2/2pp4/2PP4/1P1BPN2/PBQN1PPP/R3K2R b KQkq - 1 9", 6, 1_253_110_529),
    ("3q1k2/p2r1p2/1p5p/2P1P2P/2R2P2/P7/4Q2K/8 w - - 1 47", 6, 647_140_548),
];

#[test]
fn known_counts() {
    for (fen, depth, leaves) in KNOWN {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(perft(&position, depth), leaves, "{fen} to depth {depth}");
    }
}

/// Random positions, and with each the depth to which both count it.
fn suite(seed: u64, size: usize, start: fn(&mut SplitMix64) -> Position) {
    let mut random = SplitMix64::new(seed);
    let mut counted = 0;
    while counted < size {
        let mut position = start(&mut random);
        for _ in 0..random.index(60) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.index(moves.len())) else { break };
            position.play(mv).unwrap();
        }
        let depth = if position.count_legal_moves() > 30 { 3 } else { 4 };
        let leaves = shakmaty::perft(&to_shakmaty(&position), depth.into());
        assert_eq!(perft(&position, depth), leaves, "{} to depth {depth}", position.fen());
        counted += 1;
    }
}

#[test]
fn standard_suite() {
    suite(11, 150, standard);
}

#[test]
fn chess960_suite() {
    suite(12, 250, chess960);
}

#[test]
fn scattered_suite() {
    suite(13, 400, scattered);
}

#[test]
fn threads_and_table_change_nothing() {
    let position = Position::from_fen(KNOWN[1].0).unwrap();
    let plain = divide(&position, 4);
    assert_eq!(plain.iter().map(|(_, count)| count).sum::<u64>(), 4_085_603);
    for threads in [1, 3] {
        for megabytes in [0, 1, 16] {
            let run = Perft::new().threads(NonZeroUsize::new(threads).unwrap());
            let run = run.hash(megabytes).unwrap();
            assert_eq!(run.divide(&position, 4, |_, _| true), Ok(plain.clone()));
        }
    }
}

#[test]
fn can_be_stopped() {
    let position = Position::start();
    let stopped = Perft::new().divide(&position, 7, |done, _| done < 2);
    assert_eq!(stopped, Err(tabiya_chess::PerftError::Stopped));
}

/// Both sides have one move at a time, for ever: the deepest count is soon done.
const ONE_MOVE: &str = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1";

#[test]
fn the_deepest_count_fits_into_a_small_stack() {
    let count = || {
        let position = Position::from_fen(ONE_MOVE).unwrap();
        assert_eq!(perft(&position, u8::MAX), 1);
        assert_eq!(divide(&position, u8::MAX).len(), 1);
        for megabytes in [0, 1] {
            let run = Perft::new().hash(megabytes).unwrap();
            assert_eq!(run.divide(&position, u8::MAX, |_, _| true).unwrap()[0].1, 1);
        }
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(count);
    thread.unwrap().join().unwrap();
}

/// One thread for each first move with each reply is all that can work.
#[test]
fn no_more_threads_are_started_than_there_are_parts() {
    let most = |position: &Position, depth: u8| {
        let seen = std::sync::Mutex::new(std::collections::HashSet::new());
        let run = Perft::new().threads(NonZeroUsize::MAX);
        let note = |_, _| {
            seen.lock().unwrap().insert(std::thread::current().id());
            true
        };
        run.divide(position, depth, note).unwrap();
        seen.into_inner().unwrap().len()
    };
    assert_eq!(most(&Position::from_fen(ONE_MOVE).unwrap(), 3), 1);
    assert!(most(&Position::start(), 1) <= 20);
    assert!(most(&Position::start(), 3) <= 400);
}

#[test]
fn small_depths() {
    let position = Position::start();
    assert_eq!(perft(&position, 0), 1);
    assert_eq!(perft(&position, 1), 20);
    assert_eq!(divide(&position, 0), []);
    assert_eq!(divide(&position, 1).len(), 20);
    assert_eq!(Perft::new().divide(&position, 1, |_, _| true).unwrap().len(), 20);
    assert_eq!(Perft::new().divide(&position, 0, |_, _| true), Ok(vec![]));
}
