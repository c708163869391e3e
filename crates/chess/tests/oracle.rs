//! Equality with shakmaty, move by move, and of every question with the answer found another way.

mod common;

use common::*;
use tabiya_chess::{Bitboard, Colour, Move, MoveKind, MoveList, Position, attacks};

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

fn listed(add: impl Fn(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    add(&mut list);
    sorted(list.to_vec())
}

/// Everything that can be asked of a position, against shakmaty and against itself.
fn examine(position: &Position) {
    let oracle = to_shakmaty(position);
    assert_eq!(our_moves(position), shakmaty_moves(&oracle), "moves of {}", position.fen());

    let all = sorted(position.legal_moves().to_vec());
    assert_eq!(position.count_legal_moves(), all.len(), "count of {}", position.fen());
    assert_eq!(position.keys(), &position.recomputed_keys(), "keys of {}", position.fen());

    let captures = listed(|list| position.add_captures(list));
    let quiets = listed(|list| position.add_quiets(list));
    for &mv in &captures {
        let takes = position.man_at(mv.to()).is_some() && !mv.is_castling();
        assert!(takes || matches!(mv.kind(), MoveKind::Promotion | MoveKind::EnPassant));
    }
    let stages = sorted(captures.into_iter().chain(quiets.iter().copied()).collect());
    assert_eq!(stages, all, "stages of {}", position.fen());

    let quiet_checks = listed(|list| position.add_quiet_checks(list));
    let checking: Vec<_> = quiets.into_iter().filter(|&mv| position.gives_check(mv)).collect();
    assert_eq!(quiet_checks, checking, "quiet checks of {}", position.fen());

    for colour in Colour::ALL {
        let each = position.colour(colour).into_iter().map(|square| {
            let man = position.man_at(square).expect("occupied");
            attacks::of(man, square, position.occupied())
        });
        let union = each.fold(Bitboard::EMPTY, |union, attacked| union | attacked);
        assert_eq!(position.attacked_by(colour), union, "attacks in {}", position.fen());
    }
    for &mv in &all {
        let mut next = position.clone();
        next.play_unchecked(mv);
        assert_eq!(next.in_check(), position.gives_check(mv), "{mv:?} in {}", position.fen());
        assert_eq!(next.keys(), &next.recomputed_keys(), "{mv:?} in {}", position.fen());
    }
    check_symmetry(position);
}

fn check_symmetry(position: &Position) {
    let flipped = position.flip_colours();
    assert_eq!(flipped.count_legal_moves(), position.count_legal_moves());
    assert_eq!(flipped.checkers(), position.checkers().flip_ranks());
    if let Some(mirrored) = position.mirror() {
        assert_eq!(mirrored.count_legal_moves(), position.count_legal_moves());
        assert_eq!(mirrored.checkers(), position.checkers().flip_files());
    }
}

#[test]
fn standard_games() {
    random_games(&mut Random(1), 250, 160, standard, examine);
}

#[test]
fn chess960_games() {
    random_games(&mut Random(2), 250, 160, chess960, examine);
}

#[test]
fn scattered_men() {
    random_games(&mut Random(3), 8_000, 6, scattered, examine);
}

/// The table's moves are random bits half of the time: exactly the legal ones must pass.
#[test]
fn is_legal_accepts_exactly_the_legal_moves() {
    let mut random = Random(4);
    let mut visit = |position: &Position| {
        let legal = position.legal_moves();
        for bits in 1..=u16::MAX {
            let mv = Move::from_bits(bits).expect("not zero");
            assert_eq!(position.is_legal(mv), legal.contains(&mv), "{mv:?} in {}", position.fen());
        }
    };
    for start in [standard, chess960, scattered] {
        random_games(&mut random, 12, 12, start, &mut visit);
    }
}

#[test]
fn passing_keeps_the_keys_true() {
    random_games(&mut Random(5), 50, 60, chess960, |position| {
        let mut passed = position.clone();
        if passed.pass() {
            assert_eq!(passed.keys(), &passed.recomputed_keys());
            assert_eq!(passed.turn(), !position.turn());
        } else {
            assert!(position.in_check());
            assert_eq!(&passed, position);
        }
    });
}
