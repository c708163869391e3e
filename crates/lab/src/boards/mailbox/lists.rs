//! Piece lists: for each side six of them, bishops split by the color of their squares.

/// The most pieces of one kind: two knights, bishops of a color or rooks, and eight promoted pawns.
pub const CAPACITY: usize = 10;

/// Room for them, rounded up so that a slot's bits can be masked rather than checked.
const ROOM: usize = CAPACITY.next_power_of_two();

/// Which list a piece is in.
pub(crate) mod kind {
    pub(crate) const PAWNS: usize = 0;
    pub(crate) const KNIGHTS: usize = 1;
    pub(crate) const LIGHT_BISHOPS: usize = 2;
    pub(crate) const DARK_BISHOPS: usize = 3;
    pub(crate) const ROOKS: usize = 4;
    pub(crate) const QUEENS: usize = 5;
}

/// The cells of some pieces of one kind, in an order that depends on the moves that were made.
#[derive(Clone, Copy, Default, Debug)]
pub struct List {
    cells: [u8; ROOM],
    len: u8,
}

impl List {
    /// The cells.
    #[inline(always)]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.len)]
    }

    /// Adds a piece, and returns its slot.
    #[inline(always)]
    pub(super) fn push(&mut self, cell: u8) -> u8 {
        let slot = self.len;
        self.cells[usize::from(slot) & (ROOM - 1)] = cell;
        self.len += 1;
        slot
    }

    /// A piece goes elsewhere.
    #[inline(always)]
    pub(super) fn replace(&mut self, slot: u8, cell: u8) {
        self.cells[usize::from(slot) & (ROOM - 1)] = cell;
    }

    /// Takes a piece out: the last one gets its slot. Returns that one's cell.
    #[inline(always)]
    pub(super) fn swap_remove(&mut self, slot: u8) -> u8 {
        self.len -= 1;
        let last = self.cells[usize::from(self.len) & (ROOM - 1)];
        self.cells[usize::from(slot) & (ROOM - 1)] = last;
        last
    }

    /// The pieces in the opposite order.
    pub(super) fn reverse(&mut self) {
        self.cells[..usize::from(self.len)].reverse();
    }
}
