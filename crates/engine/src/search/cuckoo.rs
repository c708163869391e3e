//! Cuckoo tables, for upcoming repetitions: which single reversible move lies between two positions, by the
//! difference of their keys.
//!
//! All such moves, 3,668 of them, lie in a cuckoo hash table: each in one of the two places that its
//! key names.

use std::sync::LazyLock;
use tabiya_chess::{Bitboard, Keys, Piece, PieceKind, Square, attacks};

/// A reversible move: from one of its two ends to the other.
#[derive(Clone, Copy)]
pub(crate) struct ReversibleMove {
    key: u64,
    /// Its two squares.
    pub(crate) ends: Bitboard,
    /// The squares that must be free.
    pub(crate) between: Bitboard,
}

const PLACES: usize = 8192;

static REVERSIBLE_MOVES: LazyLock<Box<[Option<ReversibleMove>]>> = LazyLock::new(fill);

fn places(key: u64) -> [usize; 2] {
    [key as usize % PLACES, (key >> 16) as usize % PLACES]
}

/// The move that has this difference of keys, if it is one.
#[inline]
pub(crate) fn move_between(difference: u64) -> Option<ReversibleMove> {
    let moves = &**REVERSIBLE_MOVES;
    places(difference)
        .into_iter()
        .find_map(|place| moves[place].filter(|entry| entry.key == difference))
}

fn fill() -> Box<[Option<ReversibleMove>]> {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for piece in Piece::ALL.into_iter().filter(|piece| piece.kind() != PieceKind::Pawn) {
        for from in Square::ALL {
            for to in attacks::of(piece, from, Bitboard::EMPTY) {
                if from < to {
                    let key = Keys::reversible_move(piece, from, to);
                    let ends = Bitboard::square(from).with(to);
                    insert(
                        &mut table,
                        ReversibleMove { key, ends, between: attacks::between(from, to) },
                    );
                }
            }
        }
    }
    table
}

/// Inserts a move. An entry that it displaces goes to the other of its two places.
fn insert(table: &mut [Option<ReversibleMove>], mut entry: ReversibleMove) {
    let mut place = places(entry.key)[0];
    while let Some(displaced) = table[place].replace(entry) {
        entry = displaced;
        let [first, second] = places(entry.key);
        place = if place == first { second } else { first };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_there() {
        assert_eq!(REVERSIBLE_MOVES.iter().flatten().count(), 3668);
        let key = Keys::reversible_move(Piece::ALL[Piece::COUNT - 1], Square::E8, Square::E7);
        assert!(move_between(key).is_some());
        assert!(move_between(key ^ 1).is_none());
    }
}
