//! One line of a slider at a time: from tables of its own, by multiplication, or cut out of the whole set.

use tabiya_chess::attacks::rays::walk;
use tabiya_chess::attacks::sliders::Sliders;
use tabiya_chess::{Bitboard, Square};

/// A line through a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Up and down.
    File,
    /// Left and right.
    Rank,
    /// From lower left to upper right.
    Rising,
    /// From upper left to lower right.
    Falling,
}

impl Axis {
    /// All four.
    pub const ALL: [Axis; 4] = [Axis::File, Axis::Rank, Axis::Rising, Axis::Falling];

    const fn step(self) -> (i8, i8) {
        match self {
            Axis::File => (0, 1),
            Axis::Rank => (1, 0),
            Axis::Rising => (1, 1),
            Axis::Falling => (1, -1),
        }
    }

    /// What a slider sees along the line, by walking.
    pub fn attacks(self, square: Square, occupied: Bitboard) -> Bitboard {
        let (files, ranks) = self.step();
        walk(square, (files, ranks), occupied) | walk(square, (-files, -ranks), occupied)
    }

    /// The squares of the line whose pieces matter: the last one on each side does not.
    fn mask(self, square: Square) -> Bitboard {
        let line = self.attacks(square, Bitboard::EMPTY);
        let matters = |&s: &Square| self.attacks(square, s.into()) != line;
        line.into_iter().filter(matters).collect()
    }

    /// Moves the pieces of a line into the six highest bits of the product.
    fn multiplier(self, square: Square) -> u64 {
        match self {
            Axis::File => 0x0080_4020_1008_0400 >> square.file().index(),
            Axis::Rank => 1 << (57 - 8 * square.rank().index()),
            Axis::Rising | Axis::Falling => 0x0202_0202_0202_0202,
        }
    }
}

const SHIFT: u32 = 58;

#[derive(Clone, Copy)]
struct Line {
    mask: u64,
    multiplier: u64,
}

/// A table for each line through each square.
pub struct LineTables {
    lines: [[Line; 64]; 4],
    sets: Vec<[[Bitboard; 64]; 64]>,
    whole: [[Bitboard; 64]; 4],
}

impl Default for LineTables {
    fn default() -> LineTables {
        let lines = Axis::ALL.map(|axis| {
            let line =
                |square| Line { mask: axis.mask(square).0, multiplier: axis.multiplier(square) };
            Square::ALL.map(line)
        });
        let whole = Axis::ALL.map(|axis| Square::ALL.map(|s| axis.attacks(s, Bitboard::EMPTY)));
        let mut tables = LineTables { lines, sets: vec![[[Bitboard::EMPTY; 64]; 64]; 4], whole };
        for axis in Axis::ALL {
            for square in Square::ALL {
                for occupied in axis.mask(square).subsets() {
                    let place = tables.place(axis, square, occupied);
                    tables.sets[axis as usize][square.index()][place] =
                        axis.attacks(square, occupied);
                }
            }
        }
        tables
    }
}

impl LineTables {
    #[inline(always)]
    fn place(&self, axis: Axis, square: Square, occupied: Bitboard) -> usize {
        let Line { mask, multiplier } = self.lines[axis as usize][square as usize];
        ((occupied.0 & mask).wrapping_mul(multiplier) >> SHIFT) as usize
    }

    /// From the line's own table.
    #[inline(always)]
    pub fn look_up(&self, axis: Axis, square: Square, occupied: Bitboard) -> Bitboard {
        let place = self.place(axis, square, occupied);
        self.sets[axis as usize][square as usize][place]
    }

    /// From the table of all lines, with the others taken away.
    #[inline(always)]
    pub fn cut_out(
        &self,
        sliders: impl Sliders,
        axis: Axis,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let all = match axis {
            Axis::File | Axis::Rank => sliders.rook(square, occupied),
            Axis::Rising | Axis::Falling => sliders.bishop(square, occupied),
        };
        all & self.whole[axis as usize][square as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::attacks::sliders::SliderTable;

    #[test]
    fn both_ways_find_every_line() {
        let tables = LineTables::default();
        for axis in Axis::ALL {
            for square in Square::ALL {
                for occupied in axis.attacks(square, Bitboard::EMPTY).subsets() {
                    let expected = axis.attacks(square, occupied);
                    assert_eq!(tables.look_up(axis, square, occupied), expected);
                    let cut = tables.cut_out(SliderTable::get(), axis, square, occupied);
                    assert_eq!(cut, expected);
                }
            }
        }
    }
}
