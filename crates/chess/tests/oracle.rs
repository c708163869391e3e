//! Equality with shakmaty, move by move, and of every question with the answer found another way.

mod common;

use common::*;
use shakmaty::Position as _;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{
    Bitboard, CheckInfo, Color, Move, MoveKind, MoveList, PieceKind, Position, Square, attacks,
};

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

fn listed(add: impl Fn(&mut MoveList)) -> Vec<Move> {
    let mut list = MoveList::new();
    add(&mut list);
    sorted(list.to_vec())
}

/// How often the cases occurred that generators get wrong.
#[derive(Default)]
struct Rarities {
    promotions: usize,
    en_passant: usize,
    pinned_en_passant: usize,
    double_checks: usize,
    castlings: usize,
}

impl Rarities {
    fn note(&mut self, position: &Position) {
        let moves = position.legal_moves();
        let kinds = |kind: MoveKind| moves.iter().filter(|mv| mv.kind() == kind).count();
        self.promotions += kinds(MoveKind::Promotion);
        self.en_passant += kinds(MoveKind::EnPassant);
        self.castlings += kinds(MoveKind::Castling);
        self.double_checks += usize::from(position.checkers().has_several());
        // A pawn stands ready to take, and yet may not.
        if let (Some(passed), None) = (position.double_step(), position.en_passant()) {
            let takers = attacks::pawn(!position.side_to_move(), passed)
                & position.colored_pieces(position.side_to_move(), PieceKind::Pawn);
            self.pinned_en_passant += usize::from(!takers.is_empty());
        }
    }
}

/// Everything that can be asked of a position, against shakmaty and against itself.
fn examine(position: &Position) {
    let oracle = to_shakmaty(position);
    assert_eq!(position.is_checkmate(), oracle.is_checkmate(), "{}", position.fen());
    assert_eq!(position.is_stalemate(), oracle.is_stalemate(), "{}", position.fen());
    assert_eq!(
        position.is_insufficient_material(),
        oracle.is_insufficient_material(),
        "{}",
        position.fen()
    );
    assert_eq!(our_moves(position), shakmaty_moves(&oracle), "moves of {}", position.fen());

    let all = sorted(position.legal_moves().to_vec());
    assert_eq!(position.count_legal_moves(), all.len(), "count of {}", position.fen());
    assert_eq!(position.keys(), &position.recomputed_keys(), "keys of {}", position.fen());

    let captures = listed(|list| position.add_captures(list));
    let quiets = listed(|list| position.add_quiets(list));
    for &mv in &captures {
        let takes = position.piece_at(mv.to()).is_some() && !mv.is_castling();
        assert!(takes || matches!(mv.kind(), MoveKind::Promotion | MoveKind::EnPassant));
    }
    let stages = sorted(captures.into_iter().chain(quiets.iter().copied()).collect());
    assert_eq!(stages, all, "stages of {}", position.fen());

    let quiet_checks = listed(|list| position.add_quiet_checks(list));
    let checking: Vec<_> = quiets.into_iter().filter(|&mv| position.gives_check(mv)).collect();
    assert_eq!(quiet_checks, checking, "quiet checks of {}", position.fen());

    for color in Color::ALL {
        let each = position.colors(color).into_iter().map(|square| {
            let piece = position.piece_at(square).expect("occupied");
            attacks::of(piece, square, position.occupied())
        });
        let union = each.fold(Bitboard::EMPTY, |union, attacked| union | attacked);
        assert_eq!(position.attacked_by(color), union, "attacks in {}", position.fen());
    }
    let checks = CheckInfo::of(position);
    for &mv in &all {
        let mut next = position.clone();
        next.play_unchecked(mv);
        assert_eq!(next.in_check(), position.gives_check(mv), "{mv:?} in {}", position.fen());
        assert_eq!(
            next.in_check(),
            checks.gives_check(position, mv),
            "{mv:?} in {}",
            position.fen()
        );
        assert_eq!(next.keys(), &next.recomputed_keys(), "{mv:?} in {}", position.fen());
        let unusual = mv.kind() != MoveKind::Normal
            || next.castling_rooks() != position.castling_rooks()
            || next.en_passant().is_some();
        let expected = position.key_after(mv) == next.keys().position;
        assert!(expected || unusual, "the key after {mv:?} in {}", position.fen());
    }
    check_symmetry(position);
}

/// Where the pieces go from, to, and what they become, as another board shows it.
fn seen(
    position: &Position,
    turn: fn(Square) -> Square,
) -> Vec<(Square, Square, Option<PieceKind>)> {
    let moves = position.legal_moves();
    let mut seen: Vec<_> =
        moves.iter().map(|mv| (turn(mv.from()), turn(mv.to()), mv.promoted())).collect();
    seen.sort();
    seen
}

fn check_symmetry(position: &Position) {
    let plain: fn(Square) -> Square = |square| square;
    let flipped = position.flip_colors();
    assert_eq!(seen(&flipped, plain), seen(position, Square::flip_ranks), "{}", position.fen());
    assert_eq!(flipped.checkers(), position.checkers().flip_ranks());
    if let Some(mirrored) = position.mirror() {
        assert_eq!(
            seen(&mirrored, plain),
            seen(position, Square::flip_files),
            "{}",
            position.fen()
        );
        assert_eq!(mirrored.checkers(), position.checkers().flip_files());
    }
}

#[test]
fn standard_games() {
    let mut rarities = Rarities::default();
    random_games(&mut SplitMix64::new(1), 250, 160, standard, |position| {
        rarities.note(position);
        examine(position);
    });
    assert!(rarities.promotions > 500 && rarities.en_passant > 50 && rarities.castlings > 500);
}

#[test]
fn chess960_games() {
    let mut rarities = Rarities::default();
    random_games(&mut SplitMix64::new(2), 250, 160, chess960, |position| {
        rarities.note(position);
        examine(position);
    });
    assert!(rarities.promotions > 500 && rarities.en_passant > 50 && rarities.castlings > 500);
}

#[test]
fn scattered_pieces() {
    let mut rarities = Rarities::default();
    random_games(&mut SplitMix64::new(3), 8_000, 6, scattered, |position| {
        rarities.note(position);
        examine(position);
    });
    assert!(rarities.promotions > 5_000 && rarities.double_checks > 20);
}

/// Pawns on their way to each other with kings and sliders on their ranks and diagonals.
#[test]
fn crowded_with_en_passant() {
    let mut rarities = Rarities::default();
    random_games(&mut SplitMix64::new(6), 6_000, 4, about_to_pass, |position| {
        rarities.note(position);
        examine(position);
    });
    assert!(rarities.en_passant > 2_000, "{}", rarities.en_passant);
    assert!(rarities.pinned_en_passant > 50, "{}", rarities.pinned_en_passant);
}

/// The table's moves are random bits half of the time: exactly the legal ones must pass.
#[test]
fn is_legal_accepts_exactly_the_legal_moves() {
    let mut random = SplitMix64::new(4);
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
    random_games(&mut SplitMix64::new(5), 50, 60, chess960, |position| {
        let mut passed = position.clone();
        if passed.null_move() {
            assert_eq!(passed.keys(), &passed.recomputed_keys());
            assert_eq!(passed.side_to_move(), !position.side_to_move());
        } else {
            assert!(position.in_check());
            assert_eq!(&passed, position);
        }
    });
}
