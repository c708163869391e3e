//! Bulk perft of this crate beside the other Rust generators, in one process and one run.
//!
//! `cargo bench -p tabiya-chess --bench perft`; `cargo xtask bench` runs it with default flags
//! and again for this machine's processor. Each generator counts through the quickest way that its
//! documentation shows. Rounds are interleaved, so that a slow moment of the machine meets all alike,
//! and the median round counts.

#![allow(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use std::hint::black_box;
use std::time::Instant;

/// Name, FEN, depth: of different character, some five million leaves or more each.
const POSITIONS: [(&str, &str, u8); 8] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5),
    ("middlegame", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
    ("closed", "r1bqkb1r/3n1ppp/pp2pn2/2pp4/2PP4/1P1BPN2/PBQN1PPP/R3K2R b KQkq - 1 9", 4),
    ("queen ending", "3q1k2/p2r1p2/1p5p/2P1P2P/2R2P2/P7/4Q2K/8 w - - 1 47", 5),
    ("many checks", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
];

const ROUNDS: usize = 9;

type Count = Box<dyn Fn() -> u64>;

fn tabiya(fen: &str, depth: u8) -> Count {
    let position = tabiya_chess::Position::from_fen(fen).expect("a legal position");
    Box::new(move || tabiya_chess::perft(&position, depth))
}

fn cozy(fen: &str, depth: u8) -> Count {
    fn walk(board: &cozy_chess::Board, depth: u8) -> u64 {
        let mut leaves = 0;
        if depth == 1 {
            board.generate_moves(|moves| {
                leaves += moves.len() as u64;
                false
            });
        } else {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut next = board.clone();
                    next.play_unchecked(mv);
                    leaves += walk(&next, depth - 1);
                }
                false
            });
        }
        leaves
    }
    let board = cozy_chess::Board::from_fen(fen, false).expect("a legal position");
    Box::new(move || walk(&board, depth))
}

fn shakmaty(fen: &str, depth: u8) -> Count {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
    let position: shakmaty::Chess =
        fen.into_position(shakmaty::CastlingMode::Standard).expect("a legal position");
    Box::new(move || shakmaty::perft(&position, depth.into()))
}

fn main() {
    let generators: [fn(&str, u8) -> Count; 3] = [tabiya, cozy, shakmaty];

    println!("Bulk perft, millions of leaves per second: median of {ROUNDS} interleaved rounds");
    println!("{:<14}{:>12}{:>12}{:>12}{:>12}", "", "tabiya", "cozy-chess", "shakmaty", "ratio");
    let mut log_ratios = 0.0;
    for (name, fen, depth) in POSITIONS {
        let counters = generators.map(|make| make(fen, depth));
        let expected = counters[0]();
        let mut seconds: [Vec<f64>; 3] = Default::default();
        for _ in 0..ROUNDS {
            for (counter, seconds) in counters.iter().zip(&mut seconds) {
                let begin = Instant::now();
                let leaves = black_box(counter());
                seconds.push(begin.elapsed().as_secs_f64());
                assert_eq!(leaves, expected, "the generators disagree on {fen}");
            }
        }
        let rates = seconds.map(|mut rounds| {
            rounds.sort_by(f64::total_cmp);
            expected as f64 / rounds[ROUNDS / 2] / 1e6
        });
        let best_other = rates[1..].iter().copied().fold(0.0, f64::max);
        let ratio = rates[0] / best_other;
        log_ratios += ratio.ln();
        print!("{name:<14}");
        for rate in rates {
            print!("{rate:>12.1}");
        }
        println!("{ratio:>12.2}");
    }
    let mean = (log_ratios / POSITIONS.len() as f64).exp();
    println!("geometric mean against the fastest other: {mean:.2} x (bar: 1.15 x)");
}
