//! The transposition table: a third of it keeps the deepest, the rest the newest, one for each side to move.

use super::words::Word;
use super::{Settings, Torn};
use core::sync::atomic::{AtomicU64, Ordering};
use serde::{Deserialize, Serialize};
use std::sync::{Mutex, MutexGuard};
use tabiya_engine::lock;

/// How entries of two words are kept whole while several threads write them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The key is stored with the data's bits turned in it, so that halves that do not belong together do not
    /// fit any position.
    Xor,
    /// Whoever reads or writes holds a lock.
    Mutex,
    /// Nothing is done about it.
    Unchecked,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 3] = [Mode::Xor, Mode::Mutex, Mode::Unchecked];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Xor => "xor",
            Mode::Mutex => "mutex",
            Mode::Unchecked => "unchecked",
        }
    }
}

/// The value of a mate at the root.
pub(super) const MATE: i32 = 130_000;

/// A mate in more plies than this is not known as one.
const MATE_PLIES: i32 = 300;

/// What is added to a value so that it is not negative.
const OFFSET: i32 = 1 << 17;

/// What an entry's value means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact = 1,
    Upper = 2,
    Lower = 3,
}

/// What is stored, and how it lies in 64 bits: value 18, depth 14, move 21, age 3, bound 2; the last six are a
/// mark of the key, by which torn entries are counted, whatever the mode.
#[derive(Clone, Copy)]
struct Data(u64);

const DEPTH: u32 = 18;
const MOVE: u32 = 32;
const AGE: u32 = 53;
const BOUND: u32 = 56;
const MARK: u32 = 58;

impl Data {
    fn new(value: i32, depth: i32, word: Word, bound: Bound, key: u64) -> Data {
        Data(
            (value + OFFSET) as u64 & 0x3_FFFF
                | (depth as u64 & 0x3FFF) << DEPTH
                | u64::from(word.bits()) << MOVE
                | AGE_OF_ALL << AGE
                | (bound as u64) << BOUND
                | mark(key) << MARK,
        )
    }

    fn value(self) -> i32 {
        (self.0 & 0x3_FFFF) as i32 - OFFSET
    }

    fn depth(self) -> i32 {
        (self.0 >> DEPTH & 0x3FFF) as i32
    }

    fn word(self) -> Word {
        Word::from_bits((self.0 >> MOVE) as u32)
    }

    fn bound(self) -> Option<Bound> {
        match self.0 >> BOUND & 3 {
            1 => Some(Bound::Exact),
            2 => Some(Bound::Upper),
            3 => Some(Bound::Lower),
            _ => None,
        }
    }

    fn fits(self, key: u64) -> bool {
        self.0 >> MARK == mark(key)
    }
}

/// Every search begins with an empty table, so there is one age. The thesis's program begins with the second.
const AGE_OF_ALL: u64 = 2;

fn mark(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> MARK
}

/// The fields in the order in which the thesis's program writes them: age, move, bound, depth, value.
const FIELDS: [u64; 5] =
    [0b111 << AGE, 0x1F_FFFF << MOVE, 0b11 << BOUND, 0x3FFF << DEPTH, 0x3_FFFF | 0x3F << MARK];

#[derive(Default)]
struct Slot {
    key: AtomicU64,
    data: AtomicU64,
}

/// What a probe found.
pub(super) struct Found {
    /// The move to try first.
    pub(super) word: Word,
    /// The value that ends the search here.
    pub(super) value: Option<i32>,
    /// Entries of enough depth: none, one or two.
    pub(super) hits: u64,
}

struct Side {
    slots: Box<[Slot]>,
    lock: Mutex<()>,
}

pub(super) struct Table {
    sides: [Side; 2],
    /// How many slots keep the deepest.
    split: usize,
    mode: Mode,
    lost_demotions: bool,
    split_reads: bool,
    torn_seen: AtomicU64,
    torn_used: AtomicU64,
    changed: AtomicU64,
}

fn add_one(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Table {
    pub(super) fn new(settings: &Settings) -> Table {
        let slots = (settings.table_bytes / size_of::<Slot>() / 2).max(4);
        let side =
            || Side { slots: (0..slots).map(|_| Slot::default()).collect(), lock: Mutex::new(()) };
        Table {
            sides: [side(), side()],
            split: slots * 33 / 100,
            mode: settings.mode,
            lost_demotions: settings.defects.lost_demotions,
            split_reads: settings.defects.split_reads,
            torn_seen: AtomicU64::new(0),
            torn_used: AtomicU64::new(0),
            changed: AtomicU64::new(0),
        }
    }

    /// What was wrong with entries so far.
    pub(super) fn torn(&self) -> Torn {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Torn { seen: get(&self.torn_seen), used: get(&self.torn_used), changed: get(&self.changed) }
    }

    /// How many slots are in use.
    pub(super) fn entries(&self) -> u64 {
        let slots = self.sides.iter().flat_map(|side| side.slots.iter());
        slots.filter(|slot| slot.data.load(Ordering::Relaxed) != 0).count() as u64
    }

    fn guard<'a>(&self, side: &'a Side) -> Option<MutexGuard<'a, ()>> {
        let locks = self.mode == Mode::Mutex;
        locks.then(|| lock(&side.lock))
    }

    /// The slot for the deepest, and the one for the newest.
    fn places(&self, side: &Side, key: u64) -> [usize; 2] {
        let newest = side.slots.len() - self.split;
        [(key % self.split as u64) as usize, (key % newest as u64) as usize + self.split]
    }

    pub(super) fn probe(
        &self,
        turn: usize,
        key: u64,
        depth: i32,
        ply: i32,
        (alpha, beta): (i32, i32),
    ) -> Found {
        let side = &self.sides[turn];
        let _guard = self.guard(side);
        let mut found = Found { word: Word::NONE, value: None, hits: 0 };
        for place in self.places(side, key) {
            let slot = &side.slots[place];
            let Some(data) = self.read(slot, key) else { continue };
            found.word = self.again(slot, data).word();
            if self.again(slot, data).depth() < depth {
                continue;
            }
            found.hits += 1;
            let value = self.again(slot, data).value();
            let ends = match self.again(slot, data).bound() {
                Some(Bound::Exact) => Some(from_root(value, ply)),
                Some(Bound::Lower) if value >= beta => Some(value),
                Some(Bound::Upper) if value <= alpha => Some(value),
                _ => None,
            };
            if ends.is_some() {
                found.value = ends;
                break;
            }
        }
        found
    }

    /// The data of a slot, if it is of this position.
    #[inline]
    fn read(&self, slot: &Slot, key: u64) -> Option<Data> {
        let (lock, bits) = (slot.key.load(Ordering::Relaxed), slot.data.load(Ordering::Relaxed));
        let data = Data(bits);
        let stored = if self.mode == Mode::Xor { lock ^ bits } else { lock };
        let is_torn = bits != 0 && !data.fits(stored);
        if is_torn {
            add_one(&self.torn_seen);
        }
        if stored != key {
            return None;
        }
        if is_torn {
            add_one(&self.torn_used);
        }
        Some(data)
    }

    /// What a field is taken from: what was found sound, or what is there by now.
    #[inline(always)]
    fn again(&self, slot: &Slot, data: Data) -> Data {
        if !self.split_reads {
            return data;
        }
        let now = slot.data.load(Ordering::Relaxed);
        if now != data.0 {
            add_one(&self.changed);
        }
        Data(now)
    }

    pub(super) fn store(
        &self,
        turn: usize,
        key: u64,
        (depth, ply): (i32, i32),
        bound: Bound,
        value: i32,
        word: Word,
    ) {
        let side = &self.sides[turn];
        let _guard = self.guard(side);
        let [deepest, newest] = self.places(side, key);
        let slot = &side.slots[deepest];
        let old = Data(slot.data.load(Ordering::Relaxed));
        let place = if depth > old.depth() {
            self.demote(side, slot, old);
            deepest
        } else {
            newest
        };
        let value = match bound {
            Bound::Exact => to_root(value, ply),
            Bound::Upper => value.max(MATE_PLIES - MATE),
            Bound::Lower => value.min(MATE - MATE_PLIES),
        };
        self.write(&side.slots[place], key, Data::new(value, depth, word, bound, key));
    }

    /// Moves an entry that has to give way to among the newest.
    fn demote(&self, side: &Side, slot: &Slot, old: Data) {
        let lock = slot.key.load(Ordering::Relaxed);
        let is_key = self.mode != Mode::Xor || self.lost_demotions;
        let [_, place] = self.places(side, if is_key { lock } else { lock ^ old.0 });
        side.slots[place].key.store(lock, Ordering::Relaxed);
        side.slots[place].data.store(old.0, Ordering::Relaxed);
    }

    fn write(&self, slot: &Slot, key: u64, data: Data) {
        if self.split_reads {
            for field in FIELDS {
                let others = slot.data.load(Ordering::Relaxed) & !field;
                slot.data.store(others | data.0 & field, Ordering::Relaxed);
            }
        } else {
            slot.data.store(data.0, Ordering::Relaxed);
        }
        let lock =
            if self.mode == Mode::Xor { key ^ slot.data.load(Ordering::Relaxed) } else { key };
        slot.key.store(lock, Ordering::Relaxed);
    }
}

/// A mate is stored as so many plies from here, not from the root.
fn to_root(value: i32, ply: i32) -> i32 {
    if value > MATE - MATE_PLIES {
        value + ply
    } else if value < MATE_PLIES - MATE {
        value - ply
    } else {
        value
    }
}

fn from_root(value: i32, ply: i32) -> i32 {
    to_root(value, -ply)
}

#[cfg(test)]
mod tests {
    use super::super::Defects;
    use super::*;

    fn table(mode: Mode, defects: Defects) -> Table {
        Table::new(&Settings { table_bytes: 1 << 16, mode, defects, ..Settings::default() })
    }

    #[test]
    fn what_is_stored_is_found() {
        for mode in Mode::ALL {
            for defects in [Defects::ALL, Defects::NONE] {
                let table = table(mode, defects);
                let word = Word::from_bits(0x1F_1234);
                let key = 0x0123_4567_89AB_CDEF;
                table.store(0, key, (700, 3), Bound::Lower, -250, word);
                let found = table.probe(0, key, 700, 3, (-400, -300));
                assert_eq!((found.value, found.word, found.hits), (Some(-250), word, 1));
                assert_eq!(table.probe(0, key, 700, 3, (-400, -200)).value, None);
                assert_eq!(table.probe(0, key, 701, 3, (-400, -300)).hits, 0);
                assert_eq!(table.probe(0, key, 701, 3, (-400, -300)).word, word);
                assert_eq!(table.probe(1, key, 700, 3, (-400, -300)).word, Word::NONE);
                assert_eq!((table.torn(), table.entries()), (Torn::default(), 1));
            }
        }
    }

    #[test]
    fn mates_are_counted_from_where_they_are() {
        let table = table(Mode::Xor, Defects::ALL);
        table.store(0, 77, (500, 4), Bound::Exact, MATE - 10, Word::NONE);
        assert_eq!(table.probe(0, 77, 500, 6, (-1, 1)).value, Some(MATE - 12));
    }

    #[test]
    fn the_second_defect_loses_what_has_to_give_way() {
        for (lost_demotions, word) in [(true, Word::NONE), (false, Word::from_bits(99))] {
            let table = table(Mode::Xor, Defects { lost_demotions, ..Defects::NONE });
            let first = 12_345_678_901;
            // The same place among the deepest, another key.
            let second = first + table.split as u64;
            table.store(0, first, (300, 0), Bound::Exact, 5, Word::from_bits(99));
            table.store(0, second, (400, 0), Bound::Exact, 6, Word::from_bits(98));
            assert_eq!(table.probe(0, first, 300, 0, (0, 1)).word, word);
            assert_eq!(table.probe(0, second, 300, 0, (0, 1)).value, Some(6));
        }
    }

    #[test]
    fn torn_entries_are_counted_and_only_some_modes_use_them() {
        for (mode, used) in [(Mode::Xor, 0), (Mode::Unchecked, 1)] {
            let table = table(mode, Defects::NONE);
            let (key, other) = (1u64 << 40, 3u64 << 41);
            assert_ne!(mark(key), mark(other));
            table.store(0, key, (300, 0), Bound::Exact, 5, Word::NONE);
            let [place, _] = table.places(&table.sides[0], key);
            let data = Data::new(9, 300, Word::NONE, Bound::Exact, other);
            table.sides[0].slots[place].data.store(data.0, Ordering::Relaxed);
            assert_eq!(table.probe(0, key, 300, 0, (0, 1)).value.is_some(), used == 1);
            assert_eq!(table.torn(), Torn { seen: 1, used, changed: 0 });
        }
    }
}
