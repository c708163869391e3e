//! Laying the tables of many spots into one array.

use super::{Puzzle, Spot, slot};
use crate::Bitboard;

/// When two tables may use the same entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MagicSharing {
    /// When both hold the same attack set in it. Tables differ nearly everywhere, so what remains
    /// is to fill the slots that a multiplier leaves unused.
    Exact,
    /// When their sets agree on the squares that both spots see at all: a look-up then keeps of an
    /// entry what is on its own lines, at the price of one more operation. A bishop and a rook of
    /// the same square see nothing in common, and two rooks a bishop's step apart only squares that
    /// both always attack.
    Masked,
}

/// A spot and its multiplier.
#[derive(Clone, Copy)]
pub struct MagicPart<'a> {
    /// The spot.
    pub puzzle: &'a Puzzle,
    /// Its multiplier.
    pub magic: u64,
    /// The index bits of that.
    pub bits: u32,
}

/// Where a spot's table has come to lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MagicPlace {
    /// The spot.
    pub spot: Spot,
    /// The squares whose occupation matters.
    pub mask: Bitboard,
    /// The multiplier.
    pub magic: u64,
    /// Its index bits.
    pub bits: u32,
    /// The entry of slot 0.
    pub offset: u32,
    /// What the look-up keeps of an entry: the spot's lines, or everything.
    pub lines: Bitboard,
}

/// Tables of many spots in one array.
pub struct Packing {
    /// One place for each part, in the order of the parts.
    pub places: Vec<MagicPlace>,
    /// The array.
    pub entries: Vec<Bitboard>,
}

impl Packing {
    /// The size of the array.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    /// The attack set as a look-up finds it.
    pub fn attacks(&self, place: &MagicPlace, occupied: Bitboard) -> Bitboard {
        let slot = slot((occupied & place.mask).0, place.magic, place.bits);
        self.entries[place.offset as usize + slot] & place.lines
    }
}

/// Lays all parts into one array, the largest first, each where it first fits.
///
/// # Panics
/// If a multiplier mixes up attack sets.
pub fn pack(parts: &[MagicPart<'_>], sharing: MagicSharing) -> Packing {
    let tables: Vec<Table> = parts.iter().map(|part| Table::new(part, sharing)).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| core::cmp::Reverse(tables[i].reach()));
    let mut shelf = Shelf::default();
    let mut offsets = vec![0; parts.len()];
    for i in order {
        offsets[i] = shelf.first_fit(&tables[i]);
        shelf.put(&tables[i], offsets[i]);
    }
    let places = parts.iter().zip(&tables).zip(offsets).map(|((part, table), offset)| MagicPlace {
        spot: part.puzzle.spot(),
        mask: part.puzzle.mask(),
        magic: part.magic,
        bits: part.bits,
        offset: offset as u32,
        lines: Bitboard(table.lines),
    });
    Packing {
        places: places.collect(),
        entries: shelf.entries.into_iter().map(|entry| Bitboard(entry.value)).collect(),
    }
}

/// The used slots of a spot with their attack sets.
struct Table {
    slots: Vec<(usize, u64)>,
    lines: u64,
}

impl Table {
    fn new(part: &MagicPart<'_>, sharing: MagicSharing) -> Table {
        let &MagicPart { puzzle, magic, bits } = part;
        let lines = match sharing {
            MagicSharing::Exact => Bitboard::FULL,
            MagicSharing::Masked => {
                let Spot { slider, square } = puzzle.spot();
                slider.attacks(square, Bitboard::EMPTY)
            }
        };
        let mut slots: Vec<(usize, u64)> = puzzle
            .cases
            .iter()
            .map(|case| (slot(case.occupied, magic, bits), puzzle.sets[case.set as usize].0))
            .collect();
        slots.sort_unstable();
        slots.dedup();
        let unique = slots.windows(2).all(|pair| pair[0].0 != pair[1].0);
        assert!(unique, "{magic:#x} mixes up attack sets of a {}", puzzle.spot());
        Table { slots, lines: lines.0 }
    }

    fn reach(&self) -> usize {
        self.slots.last().map_or(0, |&(slot, _)| slot + 1)
    }
}

/// An entry's squares as far as a table that uses it sees them.
#[derive(Clone, Copy, Default)]
struct Entry {
    value: u64,
    seen: u64,
}

#[derive(Default)]
struct Shelf {
    entries: Vec<Entry>,
}

impl Shelf {
    fn first_fit(&self, table: &Table) -> usize {
        let fits = |offset: &usize| {
            table.slots.iter().all(|&(slot, set)| match self.entries.get(offset + slot) {
                Some(entry) => (entry.value ^ set) & entry.seen & table.lines == 0,
                None => true,
            })
        };
        (0..self.entries.len()).find(fits).unwrap_or(self.entries.len())
    }

    fn put(&mut self, table: &Table, offset: usize) {
        let end = offset + table.reach();
        if self.entries.len() < end {
            self.entries.resize(end, Entry::default());
        }
        for &(slot, set) in &table.slots {
            let entry = &mut self.entries[offset + slot];
            entry.value |= set;
            entry.seen |= table.lines;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::magic::{MagicSearch, find_all};
    use core::ops::ControlFlow;

    #[test]
    fn packed_tables_answer_as_walking_does() {
        let search = MagicSearch::default();
        let all = find_all(&search, &mut |_| ControlFlow::Continue(())).unwrap();
        let puzzles: Vec<Puzzle> = Puzzle::all().collect();
        let parts: Vec<MagicPart<'_>> = puzzles
            .iter()
            .map(|puzzle| {
                let Spot { slider, square } = puzzle.spot();
                MagicPart { puzzle, magic: all.of(slider)[square.index()], bits: puzzle.bits() }
            })
            .collect();
        for sharing in [MagicSharing::Exact, MagicSharing::Masked] {
            let packing = pack(&parts, sharing);
            assert_eq!(packing.bytes(), 8 * packing.entries.len());
            for place in &packing.places {
                let Spot { slider, square } = place.spot;
                for occupied in place.mask.subsets() {
                    let walked = slider.attacks(square, occupied);
                    assert_eq!(packing.attacks(place, occupied | !place.mask), walked);
                }
            }
        }
    }
}
