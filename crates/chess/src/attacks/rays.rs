//! Slider attacks by walking, square by square.
//!
//! Slow and plainly right: the tables are filled by it and tested against it.

use crate::{Bitboard, Square};

/// One of the two families of lines that sliders move on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Slider {
    /// Diagonals.
    Bishop,
    /// Ranks and files.
    Rook,
}

/// Steps (files, ranks) towards higher squares, one per axis: file, rank, rising and falling diagonal.
pub(crate) const UP: [(i8, i8); 4] = [(0, 1), (1, 0), (1, 1), (-1, 1)];

impl Slider {
    /// Both families.
    pub const ALL: [Slider; 2] = [Slider::Bishop, Slider::Rook];

    /// The four directions as (files, ranks).
    pub const fn directions(self) -> [(i8, i8); 4] {
        match self {
            Slider::Bishop => [(1, 1), (-1, 1), (-1, -1), (1, -1)],
            Slider::Rook => [(0, 1), (1, 0), (0, -1), (-1, 0)],
        }
    }

    /// The attack set of this slider, found by walking until something is in the way.
    pub const fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        let directions = self.directions();
        let mut reached = Bitboard::EMPTY;
        let mut i = 0;
        while i < 4 {
            reached.0 |= walk(square, directions[i], occupied).0;
            i += 1;
        }
        reached
    }

    /// The squares whose occupation matters: the attack set on an empty board, less each line's last
    /// square, behind which there is nothing to hide.
    pub const fn mask(self, square: Square) -> Bitboard {
        let directions = self.directions();
        let mut mask = Bitboard::EMPTY;
        let mut i = 0;
        while i < 4 {
            let (files, ranks) = directions[i];
            let mut here = square;
            while let Some(next) = here.offset(files, ranks) {
                if next.offset(files, ranks).is_some() {
                    mask = mask.with(next);
                }
                here = next;
            }
            i += 1;
        }
        mask
    }
}

/// The squares in one direction, up to and with the first occupied one.
pub const fn walk(square: Square, direction: (i8, i8), occupied: Bitboard) -> Bitboard {
    let mut reached = Bitboard::EMPTY;
    let mut here = square;
    while let Some(next) = here.offset(direction.0, direction.1) {
        reached = reached.with(next);
        if occupied.contains(next) {
            break;
        }
        here = next;
    }
    reached
}
