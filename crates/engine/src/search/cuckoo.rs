//! Cuckoo tables, for upcoming repetitions: which single reversible move lies between two positions, by the
//! difference of their keys.
//!
//! All such moves, 3,668 of them, lie in a cuckoo hash table: each in one of the two places that its
//! key names.

use std::sync::LazyLock;
use tabiya_chess::{Bitboard, Keys, Piece, PieceKind, Square, attacks};

/// A way from one square to another.
#[derive(Clone, Copy)]
pub(crate) struct Way {
    key: u64,
    /// Where it leads from and to, either way.
    pub(crate) ends: Bitboard,
    /// The squares that must be free.
    pub(crate) between: Bitboard,
}

const PLACES: usize = 8192;

static WAYS: LazyLock<Box<[Option<Way>]>> = LazyLock::new(fill);

fn places(key: u64) -> [usize; 2] {
    [key as usize % PLACES, (key >> 16) as usize % PLACES]
}

/// The move that changes a position's key by so much, if it is one.
#[inline]
pub(crate) fn move_between(difference: u64) -> Option<Way> {
    let ways = &**WAYS;
    places(difference).into_iter().find_map(|place| ways[place].filter(|way| way.key == difference))
}

fn fill() -> Box<[Option<Way>]> {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for man in Piece::ALL.into_iter().filter(|man| man.kind() != PieceKind::Pawn) {
        for from in Square::ALL {
            for to in attacks::of(man, from, Bitboard::EMPTY) {
                if from < to {
                    let key = Keys::reversible_move(man, from, to);
                    let ends = Bitboard::square(from).with(to);
                    insert(&mut table, Way { key, ends, between: attacks::between(from, to) });
                }
            }
        }
    }
    table
}

/// Inserts a move. An entry that it displaces goes to the other of its two places.
fn insert(table: &mut [Option<Way>], mut way: Way) {
    let mut place = places(way.key)[0];
    while let Some(thrown_out) = table[place].replace(way) {
        way = thrown_out;
        let [first, second] = places(way.key);
        place = if place == first { second } else { first };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_there() {
        assert_eq!(WAYS.iter().flatten().count(), 3668);
        let key = Keys::reversible_move(Piece::ALL[Piece::COUNT - 1], Square::E8, Square::E7);
        assert!(move_between(key).is_some());
        assert!(move_between(key ^ 1).is_none());
    }
}
