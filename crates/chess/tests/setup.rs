//! Which positions are refused, which are put right, and what is said about it.

mod common;

use common::*;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{FenError, Position, PositionError};

fn refused(fen: &str) -> PositionError {
    match Position::from_fen(fen) {
        Err(FenError::Position(error)) => error,
        other => panic!("{fen} gave {other:?}"),
    }
}

fn noted(fen: &str) -> String {
    Position::from_fen_with_notes(fen).expect("a legal position").1.to_string()
}

#[test]
fn impossible_double_checks_are_refused() {
    for fen in [
        // Two knights, two pawns, a knight and a pawn.
        "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
        "8/8/4k3/3P1P2/8/8/8/4K3 b - - 0 1",
        "8/2N5/4k3/3P4/8/8/8/4K3 b - - 0 1",
        // Two sliders on one line, neither of which the other can have come from behind.
        "R3k2R/8/8/8/8/8/8/4K3 b - - 0 1",
        // An en-passant capture would explain these, had the taken pawn been able to come there.
        "8/3p4/3Pk3/8/8/8/B7/4R1K1 b - - 0 1",
        // Three at once.
        "4k3/8/3N4/8/B7/8/8/4RK2 b - - 0 1",
    ] {
        let error = refused(fen);
        assert!(matches!(error, PositionError::ImpossibleCheck(_)), "{fen} gave {error}");
    }
}

#[test]
fn possible_double_checks_are_not() {
    for fen in [
        // The knight uncovered the rook.
        "4k3/8/3N4/8/8/8/8/4RK2 b - - 0 1",
        // A pawn promoted with capture in front of its rook.
        "3Qk3/8/8/8/8/8/8/4RK2 b - - 0 1",
        // An en-passant capture opened a file and a diagonal.
        "8/8/3Pk3/8/8/8/B7/4R1K1 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect("a legal position");
        assert_eq!(position.checkers().len(), 2, "{fen}");
    }
}

#[test]
fn an_odd_single_check_is_kept_with_a_note() {
    let fen = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    assert_eq!(noted(fen), "no move can have given the check from b6: kept");
}

#[test]
fn what_can_be_put_right_is() {
    assert_eq!(
        noted("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"),
        "no pawn can capture en passant on e3: ignored"
    );
    assert_eq!(
        noted("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1"),
        "no king and rook to castle with on a1: ignored"
    );
    assert_eq!(
        noted("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1"),
        "White has too many promoted pieces by 1: kept"
    );
    assert_eq!(noted("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), "");
}

/// A pinned pawn cannot capture en passant, so the square is dropped and the key is the plain one.
#[test]
fn en_passant_counts_only_where_it_is_legal() {
    let pinned = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    let position = Position::from_fen(pinned).unwrap();
    assert_eq!(position.en_passant(), None);
    let plain = Position::from_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1").unwrap();
    assert_eq!(position.keys(), plain.keys());
    let free = Position::from_fen("8/8/8/8/3Pp3/8/8/3K1k2 b - d3 0 1").unwrap();
    assert_eq!(free.en_passant(), Some(tabiya_chess::Square::D3));
}

/// On d2 the pawn would have attacked the king, with White to move.
#[test]
fn en_passant_after_an_impossible_double_step_is_dropped() {
    let fen = "8/8/8/8/3Pp3/4k3/8/K7 b - d3 0 1";
    assert_eq!(noted(fen), "no pawn can capture en passant on d3: ignored");
}

/// Castling gives a check that neither the king's nor the rook's own moves explain.
#[test]
fn castling_explains_a_check() {
    assert_eq!(noted("5k2/6pp/8/8/8/8/4P1PP/5RK1 b - - 0 1"), "");
}

/// Whatever a game reaches can be set up again, and nothing has to be put right.
#[test]
fn every_position_of_a_game_is_accepted() {
    let visit = |position: &Position| {
        let (again, notes) = Position::from_fen_with_notes(&position.shredder_fen())
            .unwrap_or_else(|error| panic!("{}: {error}", position.fen()));
        assert_eq!(&again, position);
        assert!(notes.is_empty(), "{}: {notes}", position.fen());
    };
    random_games(&mut SplitMix64::new(31), 400, 200, standard, visit);
    random_games(&mut SplitMix64::new(32), 400, 200, chess960, visit);
}
