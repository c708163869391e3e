//! The transposition table: half a million entries, looked for in a few neighbouring slots.

use super::board::Move;

/// How many entries the thesis's table has, and one more, which it overruns by.
pub const SLOTS: usize = 1 << 19;

/// How many neighbouring slots an entry can be in.
const NEIGHBOURS: usize = 6;

/// What a score says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The value is this or more. The thesis's table knows only this, and takes all else for it.
    Lower,
    /// The value is this or less.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    check: u32,
    /// For the side to move.
    pub score: i32,
    /// The move that cut off or was best.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// How many plies were searched; 0 for an empty slot.
    pub height: u8,
    /// In which iteration.
    pub iteration: u8,
    /// What the score says.
    pub bound: Bound,
}

const EMPTY: Entry =
    Entry { check: 0, score: 0, from: 0, to: 0, height: 0, iteration: 0, bound: Bound::Exact };

/// What happens when all slots of a position are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// The new entry is dropped, as in the thesis.
    Never,
    /// The oldest and then shallowest goes, if it is not worth more than the new one.
    Shallowest,
}

/// The table.
pub struct Table {
    slots: Vec<Entry>,
    replacement: Replacement,
}

impl Table {
    /// An empty table; with no slots at all it remembers nothing.
    pub fn new(slots: usize, replacement: Replacement) -> Table {
        Table { slots: vec![EMPTY; slots], replacement }
    }

    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let len = self.slots.len();
        let home = if len == 0 { 0 } else { key as usize % len };
        (0..NEIGHBOURS.min(len)).map(move |i| {
            let place = home + i;
            if place >= len { place - len } else { place }
        })
    }

    /// What is known of a position.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Entry> {
        let check = (key >> 32) as u32;
        let entries = self.places(key).map(|place| self.slots[place]);
        entries.into_iter().find(|entry| entry.height > 0 && entry.check == check)
    }

    /// Remembers a position. What is known of it from a greater height in the same iteration stays.
    pub fn store(
        &mut self,
        key: u64,
        height: usize,
        iteration: usize,
        score: i32,
        bound: Bound,
        best: Move,
    ) {
        let check = (key >> 32) as u32;
        let entry = Entry {
            check,
            score,
            from: best.from,
            to: best.to,
            height: height as u8,
            iteration: iteration as u8,
            bound,
        };
        let mut shallowest: Option<usize> = None;
        for place in self.places(key) {
            let old = &mut self.slots[place];
            if old.height == 0 {
                *old = entry;
                return;
            }
            if old.check == check {
                if old.height <= entry.height {
                    *old = entry;
                }
                return;
            }
            let rank = |entry: &Entry| (entry.iteration, entry.height);
            let old = rank(&self.slots[place]);
            if shallowest.is_none_or(|known| old < rank(&self.slots[known])) {
                shallowest = Some(place);
            }
        }
        if self.replacement == Replacement::Shallowest
            && let Some(place) = shallowest
        {
            let old = &mut self.slots[place];
            if old.iteration < entry.iteration || old.height <= entry.height {
                *old = entry;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_and_replaced_as_they_should_be() {
        let mv = Move { from: 26, to: 38, prey: 0 };
        for replacement in [Replacement::Never, Replacement::Shallowest] {
            let mut table = Table::new(64, replacement);
            let key = |i: u64| (i << 32) | 60;
            for i in 1..=7 {
                table.store(key(i), 2, 3, i as i32, Bound::Exact, mv);
            }
            let known = (1..=7).filter(|&i| table.find(key(i)).is_some()).count();
            assert_eq!(known, 6);
            let last = table.find(key(7)).is_some();
            assert_eq!(last, replacement == Replacement::Shallowest);
            table.store(key(2), 1, 3, 50, Bound::Lower, mv);
            assert_eq!(table.find(key(2)).map(|entry| entry.score), Some(2));
        }
        let mut none = Table::new(0, Replacement::Never);
        none.store(1, 1, 1, 1, Bound::Exact, mv);
        assert!(none.find(1).is_none());
    }
}
