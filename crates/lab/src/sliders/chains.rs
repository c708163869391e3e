//! Attack sets by chains of squares: for each pair of squares a table tells where to look next if the second
//! is empty, and where if it is not. That needs no border, and is what GNU Chess did.

use super::Finder;
use std::sync::LazyLock;
use tabiya_chess::attacks::rays::{Slider, walk};
use tabiya_chess::{Bitboard, Square};

/// Where to look after a square: on along its line, and at the next line's beginning. A chain ends where it
/// began.
#[derive(Clone, Copy)]
struct Next {
    line: Square,
    turn: Square,
}

/// Per slider, per square that it stands on, per square that is looked at.
pub struct Chains([[[Next; 64]; 64]; 2]);

static CHAINS: LazyLock<Box<Chains>> = LazyLock::new(|| Box::new(Chains::fill()));

impl Chains {
    /// The tables.
    pub fn get() -> &'static Chains {
        &CHAINS
    }

    /// How large they are.
    pub fn bytes(&self) -> usize {
        size_of::<Chains>()
    }

    fn fill() -> Chains {
        Chains(Slider::ALL.map(|slider| Square::ALL.map(|from| chain(slider, from))))
    }

    #[inline(always)]
    fn reach(&self, slider: Slider, from: Square, board: &[bool; 64]) -> Bitboard {
        let chain = &self.0[slider as usize][from as usize];
        let mut reached = Bitboard::EMPTY;
        let mut here = chain[from as usize].line;
        while here != from {
            reached |= here.into();
            let next = chain[here as usize];
            here = if board[here as usize] { next.turn } else { next.line };
        }
        reached
    }
}

/// All lines of a slider on one square, one after the other.
fn chain(slider: Slider, from: Square) -> [Next; 64] {
    let mut chain = [Next { line: from, turn: from }; 64];
    let mut next_line = from;
    for direction in slider.directions().into_iter().rev() {
        let mut line: Vec<Square> = walk(from, direction, Bitboard::EMPTY).into_iter().collect();
        // Square by square away from the slider.
        line.sort_by_key(|square| {
            let (a, b) = (from.file().index(), square.file().index());
            let (c, d) = (from.rank().index(), square.rank().index());
            a.abs_diff(b).max(c.abs_diff(d))
        });
        for (i, &square) in line.iter().enumerate() {
            let further = line.get(i + 1).copied().unwrap_or(next_line);
            chain[square.index()] = Next { line: further, turn: next_line };
        }
        next_line = line.first().copied().unwrap_or(next_line);
    }
    chain[from.index()] = Next { line: next_line, turn: next_line };
    chain
}

impl Finder for &Chains {
    type Board = [bool; 64];

    fn board(self, occupied: Bitboard) -> [bool; 64] {
        Square::ALL.map(|square| occupied.contains(square))
    }

    #[inline(always)]
    fn rook(self, square: Square, board: &[bool; 64]) -> Bitboard {
        self.reach(Slider::Rook, square, board)
    }

    #[inline(always)]
    fn bishop(self, square: Square, board: &[bool; 64]) -> Bitboard {
        self.reach(Slider::Bishop, square, board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sliders::{OCCUPANCIES, count_right};

    #[test]
    fn chains_find_every_attack_set() {
        assert_eq!(count_right(Chains::get()), OCCUPANCIES);
    }
}
