//! Attack sets by walking over a padded mailbox, cell by cell.

use super::Finder;
use crate::boards::mailbox::cells::{BYTES, STEPS, cell, flag, square};
use tabiya_chess::{Bitboard, Square};

/// A walk that ends with the first piece, or with the border.
#[derive(Clone, Copy, Debug)]
pub struct Walk;

/// Per cell the bit of its square; none on the border.
static BITS: [u64; BYTES] = {
    let mut bits = [0; BYTES];
    let mut i = 0;
    while i < 64 {
        bits[cell(Square::ALL[i]) as usize] = 1 << i;
        i += 1;
    }
    bits
};

impl Walk {
    #[inline(always)]
    fn reach(self, from: Square, steps: &[i8], board: &[u8; BYTES]) -> Bitboard {
        let mut reached = 0;
        for &step in steps {
            let mut here = cell(from).wrapping_add_signed(step);
            while board[usize::from(here)] == flag::NONE {
                reached |= BITS[usize::from(here)];
                here = here.wrapping_add_signed(step);
            }
            reached |= BITS[usize::from(here)];
        }
        Bitboard(reached)
    }
}

impl Finder for Walk {
    type Board = [u8; BYTES];

    fn board(self, occupied: Bitboard) -> [u8; BYTES] {
        let mut board = [flag::BORDER; BYTES];
        for at in Square::ALL {
            board[usize::from(cell(at))] =
                if occupied.contains(at) { flag::PAWN } else { flag::NONE };
            debug_assert_eq!(square(cell(at)), at);
        }
        board
    }

    #[inline(always)]
    fn rook(self, square: Square, board: &[u8; BYTES]) -> Bitboard {
        self.reach(square, &STEPS[..4], board)
    }

    #[inline(always)]
    fn bishop(self, square: Square, board: &[u8; BYTES]) -> Bitboard {
        self.reach(square, &STEPS[4..], board)
    }
}
