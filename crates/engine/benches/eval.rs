//! Nanoseconds per evaluation, with what is remembered of pawns and without.
//!
//! `cargo bench -p tabiya-engine --bench eval`. Time is the thread's own processor time where the
//! system tells it, and the median of several rounds counts.

#![allow(clippy::print_stdout, reason = "a benchmark reports on stdout")]

mod common;

use common::now;
use std::hint::black_box;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{ExchangeValues, Move, PieceKind, Position};
use tabiya_engine::eval::Evaluator;

const ROUNDS: usize = 7;

/// In each round: long enough for clocks that tick every few milliseconds.
const EVALUATIONS: usize = 500_000;

/// Every position of games of random moves.
fn random_games(games: usize) -> Vec<Position> {
    let mut random = SplitMix64::stream(1, 0);
    let mut list = Vec::new();
    for _ in 0..games {
        let mut position = Position::start();
        for _ in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.index(moves.len())]).expect("a move of the list");
            list.push(position.clone());
        }
    }
    list
}

fn is_quiet(position: &Position) -> bool {
    let values = ExchangeValues::default();
    let wins = |&mv: &Move| position.kind_at(mv.to()).is_some() && position.see_ge(mv, 1, &values);
    !position.in_check() && !position.legal_moves().iter().any(wins)
}

/// Quiet middlegames of games in which each side takes one of the moves that evaluate best.
fn middlegames(wanted: usize) -> Vec<Position> {
    let mut random = SplitMix64::stream(2, 0);
    let mut evaluator = Evaluator::default();
    let mut list = Vec::new();
    while list.len() < wanted {
        let mut position = Position::start();
        for ply in 0..60 {
            let mut moves: Vec<_> = position
                .legal_moves()
                .iter()
                .filter(|&&mv| position.see_ge(mv, 0, &ExchangeValues::default()))
                .map(|&mv| {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    (evaluator.evaluate(&next), mv)
                })
                .collect();
            if moves.is_empty() {
                break;
            }
            moves.sort_by_key(|&(value, _)| value);
            let choice = random.index(moves.len().min(if ply < 8 { 8 } else { 2 }));
            position.play_unchecked(moves[choice].1);
            let pawns = position.pieces(PieceKind::Pawn).len();
            if ply >= 16 && pawns >= 8 && position.occupied().len() >= 20 && is_quiet(&position) {
                list.push(position.clone());
            }
        }
    }
    list.truncate(wanted);
    list
}

/// All positions one move away: what a search evaluates one after the other.
fn children(positions: &[Position]) -> Vec<Position> {
    let after = |position: &Position| {
        let next = |&mv: &Move| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next
        };
        position.legal_moves().iter().map(next).collect::<Vec<_>>()
    };
    positions.iter().flat_map(after).collect()
}

/// Median nanoseconds per evaluation.
fn measure(positions: &[Position], mut evaluate: impl FnMut(&Position) -> i32) -> f64 {
    let mut rounds: Vec<_> = (0..ROUNDS)
        .map(|_| {
            let start = now();
            for position in positions.iter().cycle().take(EVALUATIONS) {
                black_box(evaluate(black_box(position)));
            }
            (now() - start).as_nanos() as f64 / EVALUATIONS as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

fn main() {
    let random = random_games(100);
    let quiet = middlegames(400);
    let siblings = children(&quiet);
    println!("{:<34}{:>10}{:>12}{:>12}{:>8}", "", "positions", "remembered", "worked out", "ratio");
    for (name, positions) in [
        ("random games", &random),
        ("quiet middlegames", &quiet),
        ("all moves from quiet middlegames", &siblings),
    ] {
        let mut evaluator = Evaluator::default();
        let remembered = measure(positions, |position| evaluator.evaluate(position));
        let worked_out = measure(positions, |position| evaluator.evaluate_afresh(position));
        println!(
            "{name:<34}{:>10}{remembered:>9.0} ns{worked_out:>9.0} ns{:>8.2}",
            positions.len(),
            worked_out / remembered
        );
    }
}
