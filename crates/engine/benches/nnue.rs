//! What the network costs at each node: sums kept from move to move, and the value.
//!
//! `cargo bench -p tabiya-engine --bench nnue`. The two ways take turns, round by round, so that what
//! else the machine does falls on both; the ratio is what counts. Time is the thread's own processor
//! time where the system tells it.
//!
//! `TABIYA_BENCH_ONCE=wide` or `=portable` goes through the games once in that way alone, for a tool
//! that counts instructions; `=neither` does everything but that.

#![allow(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod common;

use common::now;
use std::hint::black_box;
use std::sync::Arc;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Move, Position};
use tabiya_engine::nnue::{Accumulators, BUCKETS, FEATURES, Network, NetworkWeights};

const HIDDEN: usize = 256;
const ROUNDS: usize = 15;
/// How often a round goes through the games.
const TIMES: usize = 400;
/// Values in a round of nothing else.
const VALUES: usize = 500_000;

fn random_network() -> Arc<Network> {
    let mut random = SplitMix64::stream(1, 0);
    let mut list = |count: usize, size: usize| {
        (0..count).map(|_| random.index(2 * size + 1) as i16 - size as i16).collect()
    };
    let weights = NetworkWeights {
        features: list(FEATURES * HIDDEN, 100),
        biases: list(HIDDEN, 200),
        output: list(BUCKETS * 2 * HIDDEN, 127),
        output_biases: vec![0; BUCKETS],
    };
    Arc::new(Network::new(HIDDEN, BUCKETS, &weights).expect("a fit network"))
}

/// Positions of a game of random moves: the move that led there, the position, and all moves from it
/// with where they lead.
type Line = Vec<(Option<Move>, Position, Vec<(Move, Position)>)>;

fn random_games(games: usize) -> Vec<Line> {
    let mut random = SplitMix64::stream(2, 0);
    let after = |position: &Position| {
        let next = |&mv: &Move| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            (mv, next)
        };
        position.legal_moves().iter().map(next).collect::<Vec<_>>()
    };
    (0..games)
        .map(|_| {
            let (mut arrival, mut position) = (None, Position::start());
            let mut line = Vec::new();
            while line.len() < 40 {
                let children = after(&position);
                if children.is_empty() {
                    break;
                }
                let (mv, next) = children[random.index(children.len())].clone();
                line.push((arrival, position, children));
                (arrival, position) = (Some(mv), next);
            }
            line
        })
        .collect()
}

/// Evaluates every position and every child, as a search would; how many that were.
fn go_through(accumulators: &mut Accumulators, games: &[Line]) -> usize {
    let mut evaluations = 0;
    for line in games {
        accumulators.reset(&line[0].1);
        for (ply, (arrival, position, children)) in line.iter().enumerate() {
            if ply > 0 {
                accumulators.push(&line[ply - 1].1, black_box(*arrival));
            }
            black_box(accumulators.evaluate(black_box(position)));
            for (mv, child) in children {
                accumulators.push(position, Some(black_box(*mv)));
                black_box(accumulators.evaluate(child));
                accumulators.pop();
            }
            evaluations += 1 + children.len();
        }
    }
    evaluations
}

fn main() {
    let network = random_network();
    // Few, to stay in the cache as a search's own positions do.
    let games = random_games(1);
    let start = Position::start();
    let mut wide = Accumulators::new(Arc::clone(&network), &start);
    let mut portable = Accumulators::portable(Arc::clone(&network), &start);
    match std::env::var("TABIYA_BENCH_ONCE").as_deref() {
        Ok("wide") => return println!("{} evaluations", go_through(&mut wide, &games)),
        Ok("portable") => return println!("{} evaluations", go_through(&mut portable, &games)),
        Ok(_) => return,
        Err(_) => {}
    }

    println!("{HIDDEN} neurons a side, median of {ROUNDS} rounds");
    println!("{:<18}{:>16}{:>12}{:>8}", "", "best for here", "portable", "ratio");
    compare("update and value", &mut wide, &mut portable, |accumulators| {
        (0..TIMES).map(|_| go_through(accumulators, &games)).sum()
    });
    wide.reset(&start);
    portable.reset(&start);
    compare("value alone", &mut wide, &mut portable, |accumulators| {
        for _ in 0..VALUES {
            black_box(accumulators.evaluate(black_box(&start)));
        }
        VALUES
    });
}

/// Prints how long the two ways take for each of the evaluations that `run` does and counts.
fn compare(
    name: &str,
    wide: &mut Accumulators,
    portable: &mut Accumulators,
    run: impl Fn(&mut Accumulators) -> usize,
) {
    let measure = |accumulators: &mut Accumulators| {
        let start = now();
        let evaluations = run(accumulators);
        (now() - start).as_nanos() as f64 / evaluations as f64
    };
    let rounds: Vec<[f64; 2]> = (0..ROUNDS).map(|_| [measure(wide), measure(portable)]).collect();
    let median = |of_round: fn(&[f64; 2]) -> f64| {
        let mut list: Vec<f64> = rounds.iter().map(of_round).collect();
        list.sort_by(f64::total_cmp);
        list[ROUNDS / 2]
    };
    let (best, plain) = (median(|round| round[0]), median(|round| round[1]));
    let ratio = median(|round| round[1] / round[0]);
    println!("{name:<18}{best:>13.1} ns{plain:>9.1} ns{ratio:>8.2}");
}
