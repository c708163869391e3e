//! Static exchange evaluation against an exchange searched the plain way.

mod common;

use common::*;
use tabiya_chess::{
    Bitboard, Colour, ExchangeValues, Move, MoveKind, Piece, Position, Square, attacks,
};

const VALUES: ExchangeValues = ExchangeValues([100, 325, 325, 500, 1000, 20_000]);

/// What the side to capture gains on a square, where a man worth `at_stake` stands: it takes with its
/// least man or stops.
fn exchange(
    position: &Position,
    square: Square,
    side: Colour,
    occupied: Bitboard,
    at_stake: i32,
) -> i32 {
    let attackers = |colour: Colour, occupied: Bitboard| {
        (position.colour(colour) & occupied).into_iter().filter(move |&from| {
            let man = position.man_at(from).expect("occupied");
            attacks::of(man, from, occupied).contains(square)
        })
    };
    let least = attackers(side, occupied).min_by_key(|&from| (position.piece_at(from), from));
    let Some(from) = least else { return 0 };
    let piece = position.piece_at(from).expect("occupied");
    let rest = occupied.without(from);
    if piece == Piece::King && attackers(!side, rest.with(square)).next().is_some() {
        return 0;
    }
    let answer = exchange(position, square, !side, rest, VALUES.0[piece.index()]);
    (at_stake - answer).max(0)
}

fn plainly(position: &Position, mv: Move) -> i32 {
    let value = |piece: Piece| VALUES.0[piece.index()];
    let taken = position.piece_at(mv.to()).map_or(0, value);
    let mover = position.piece_at(mv.from()).expect("a legal move");
    let mut occupied = position.occupied().without(mv.from()).with(mv.to());
    let (gain, at_stake) = match mv.kind() {
        MoveKind::Castling => return 0,
        MoveKind::Ordinary => (taken, value(mover)),
        MoveKind::Promotion => {
            let promoted = value(mv.promoted().expect("a promotion"));
            (taken + promoted - value(Piece::Pawn), promoted)
        }
        MoveKind::EnPassant => {
            occupied = occupied.without(Square::from_coords(mv.to().file(), mv.from().rank()));
            (value(Piece::Pawn), value(Piece::Pawn))
        }
    };
    gain - exchange(position, mv.to(), !position.turn(), occupied, at_stake)
}

fn compare(position: &Position) {
    for &mv in &position.legal_moves() {
        let expected = plainly(position, mv);
        assert_eq!(position.see(mv, &VALUES), expected, "{mv:?} in {}", position.fen());
        for threshold in [expected - 1, expected, expected + 1, -100, 0, 1, 100] {
            assert_eq!(
                position.see_reaches(mv, threshold, &VALUES),
                expected >= threshold,
                "{mv:?} in {} against {threshold}",
                position.fen()
            );
        }
    }
}

#[test]
fn agrees_with_a_plain_exchange() {
    random_games(&mut Random(21), 60, 120, standard, compare);
    random_games(&mut Random(22), 30, 120, chess960, compare);
    random_games(&mut Random(23), 3_000, 3, scattered, compare);
}
