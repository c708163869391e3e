//! Static exchange evaluation against an exchange searched the plain way.

mod common;

use common::*;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{
    Bitboard, Color, ExchangeEnd, ExchangeValues, Move, MoveKind, PieceKind, Position, Square,
    attacks,
};

const VALUES: ExchangeValues = ExchangeValues([100, 325, 325, 500, 1000, 20_000]);

/// What the side to capture gains on a square, where a piece worth `at_stake` stands: it takes with its
/// least piece or stops.
fn exchange(
    position: &Position,
    square: Square,
    side: Color,
    occupied: Bitboard,
    at_stake: i32,
) -> i32 {
    let attackers = |color: Color, occupied: Bitboard| {
        (position.colors(color) & occupied).into_iter().filter(move |&from| {
            let piece = position.piece_at(from).expect("occupied");
            attacks::of(piece, from, occupied).contains(square)
        })
    };
    let least = attackers(side, occupied).min_by_key(|&from| (position.kind_at(from), from));
    let Some(from) = least else { return 0 };
    let kind = position.kind_at(from).expect("occupied");
    let rest = occupied.without(from);
    if kind == PieceKind::King && attackers(!side, rest.with(square)).next().is_some() {
        return 0;
    }
    let answer = exchange(position, square, !side, rest, VALUES.0[kind.index()]);
    (at_stake - answer).max(0)
}

fn plainly(position: &Position, mv: Move) -> i32 {
    let value = |kind: PieceKind| VALUES.0[kind.index()];
    let taken = position.kind_at(mv.to()).map_or(0, value);
    let mover = position.kind_at(mv.from()).expect("a legal move");
    let mut occupied = position.occupied().without(mv.from()).with(mv.to());
    let (gain, at_stake) = match mv.kind() {
        MoveKind::Castling => return 0,
        MoveKind::Normal => (taken, value(mover)),
        MoveKind::Promotion => {
            let promoted = value(mv.promoted().expect("a promotion"));
            (taken + promoted - value(PieceKind::Pawn), promoted)
        }
        MoveKind::EnPassant => {
            occupied = occupied.without(Square::from_coords(mv.to().file(), mv.from().rank()));
            (value(PieceKind::Pawn), value(PieceKind::Pawn))
        }
    };
    gain - exchange(position, mv.to(), !position.side_to_move(), occupied, at_stake)
}

fn compare(position: &Position) {
    for &mv in &position.legal_moves() {
        let expected = plainly(position, mv);
        assert_eq!(position.see(mv, &VALUES), expected, "{mv:?} in {}", position.fen());
        assert_eq!(position.see_trace(mv, &VALUES, None).value, expected);
        for threshold in [expected - 1, expected, expected + 1, -100, 0, 1, 100] {
            assert_eq!(
                position.see_ge(mv, threshold, &VALUES),
                expected >= threshold,
                "{mv:?} in {} against {threshold}",
                position.fen()
            );
            let trace = position.see_trace(mv, &VALUES, Some(threshold));
            assert_eq!(trace.value >= threshold, expected >= threshold, "{mv:?} {trace:?}");
        }
    }
}

#[test]
fn agrees_with_a_plain_exchange() {
    random_games(&mut SplitMix64::new(21), 60, 120, standard, compare);
    random_games(&mut SplitMix64::new(22), 30, 120, chess960, compare);
    random_games(&mut SplitMix64::new(23), 3_000, 3, scattered, compare);
}

/// Table 4.1 of Reul's thesis: Rxb6 Nxb6 Qxb6 Qxb6 in LOOP against DIEP, 22nd move.
#[test]
fn the_trace_of_the_thesis() {
    let fen = "r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22";
    let position = Position::from_fen(fen).unwrap();
    let capture = position.parse_san("Rxb6").unwrap();
    let trace = |threshold| position.see_trace(capture, &VALUES, threshold);
    let whole = trace(None);
    let window = |i: usize| {
        let step = whole.steps[i];
        (step.alpha, step.balance, step.beta)
    };
    assert_eq!(window(0), (None, 100, 100));
    assert_eq!(window(1), (Some(-400), -400, 100));
    assert_eq!(window(2), (Some(-400), -75, -75));
    assert_eq!(window(3), (Some(-400), -1075, -75));
    assert_eq!((whole.steps.len(), whole.value), (4, -400));
    assert_eq!(whole.end, ExchangeEnd::NoAttacker);
    let pieces: Vec<(PieceKind, Square)> =
        whole.steps.iter().map(|step| (step.piece, step.from)).collect();
    let expected = [
        (PieceKind::Rook, Square::B3),
        (PieceKind::Knight, Square::D7),
        (PieceKind::Queen, Square::B2),
        (PieceKind::Queen, Square::C6),
    ];
    assert_eq!(pieces, expected);

    // His qualitative pruning: the sign is known after the third capture, the value is not.
    let sign = trace(Some(0));
    assert_eq!(sign.steps, whole.steps[..3]);
    assert_eq!((sign.value, sign.end), (-75, ExchangeEnd::Settled));
    // Other thresholds are settled elsewhere, or not before the end.
    assert_eq!(trace(Some(101)).steps.len(), 1);
    assert_eq!(trace(Some(-400)).steps.len(), 2);
    assert_eq!(trace(Some(-200)).steps.len(), 4);
}

#[test]
fn a_capture_that_is_no_better_than_stopping_ends_it() {
    let position = Position::from_fen("7k/4r3/2n5/3Kp3/8/8/4R3/4Q3 w - - 0 1").unwrap();
    let capture = position.parse_san("Rxe5").unwrap();
    let trace = position.see_trace(capture, &VALUES, None);
    let balances: Vec<i32> = trace.steps.iter().map(|step| step.balance).collect();
    // That the king takes the rook in the end does not make up for the queen.
    assert_eq!(balances, [100, -400, -75, -1075, -575]);
    assert_eq!((trace.value, trace.end), (-400, ExchangeEnd::Pointless));
}
