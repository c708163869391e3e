//! Counters for what the mailbox does; the usual board has none, and pays nothing for them.

use core::cell::RefCell;

/// Where the incremental legality test ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LegalityStep {
    /// The piece does not stand on a line with its king.
    NotAligned,
    /// He stays on that line.
    StaysOnLine,
    /// Something else stands between him and the king.
    Covered,
    /// What stands behind him had to be looked at.
    LookedBehind,
}

/// Somebody who counts.
pub trait Tally: Default {
    /// A piece list with that many pieces was gone through.
    fn list(&self, _pieces: usize) {}

    /// A line was walked, over so many empty cells.
    fn walk(&self, _cells: usize) {}

    /// A line was walked from the attacked cell towards a slider, over so many empty cells.
    fn walk_back(&self, _cells: usize) {}

    /// The legality test has ended.
    fn legality(&self, _step: LegalityStep) {}
}

/// Counts nothing.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silent;

impl Tally for Silent {}

/// What has been counted.
#[derive(Clone, Default, Debug)]
pub struct Counts {
    /// How often a list with that many pieces was gone through.
    pub lists: [u64; 11],
    /// How often a line was walked over so many empty cells, from a slider.
    pub walks: [u64; 8],
    /// The same, from the attacked cell.
    pub walks_back: [u64; 8],
    /// Ends of the legality test, by [`LegalityStep`].
    pub legality: [u64; 4],
}

/// Counts everything.
#[derive(Default, Debug)]
pub struct Census(RefCell<Counts>);

impl Census {
    /// What has been counted so far.
    pub fn counts(&self) -> Counts {
        self.0.borrow().clone()
    }
}

impl Tally for Census {
    fn list(&self, pieces: usize) {
        self.0.borrow_mut().lists[pieces] += 1;
    }

    fn walk(&self, cells: usize) {
        self.0.borrow_mut().walks[cells] += 1;
    }

    fn walk_back(&self, cells: usize) {
        self.0.borrow_mut().walks_back[cells] += 1;
    }

    fn legality(&self, step: LegalityStep) {
        self.0.borrow_mut().legality[step as usize] += 1;
    }
}
