//! The padded board's geometry, and what is known of two cells by their difference alone.
//!
//! ```text
//! 15 cells wide, 12 high; a1 = 33, h1 = 40, a8 = 138, h8 = 145
//!
//!   # # # # # # # # # # # # # # #     two rows, so that a knight collides with the border
//!   # # # # # # # # # # # # # # #
//!   # # # a8 . . . . . . h8 # # # #
//!         .              .            three cells to the left and four to the right: seven in all,
//!   # # # a1 . . . . . . h1 # # # #    so that no two pairs of cells with different relations
//!   # # # # # # # # # # # # # # #     have the same difference
//!   # # # # # # # # # # # # # # #
//! ```

use tabiya_chess::Square;

/// How far it is from a cell to the one above it.
pub const WIDTH: i32 = 15;

/// What arrays of cells and of differences are padded to: no byte is out of their bounds, so that no look-up
/// is checked, as none was in the programs of the time.
pub const BYTES: usize = 256;

/// The cell of a1.
pub const FIRST: i32 = 33;

/// The largest difference of two cells, and so the middle of a table by difference.
pub const OFFSET: i32 = 112;

/// The size of a table by difference.
pub const DIFFERENCES: usize = 225;

/// The cell of a square.
#[inline(always)]
pub const fn cell(square: Square) -> u8 {
    (FIRST + WIDTH * (square as i32 / 8) + square as i32 % 8) as u8
}

/// The square of a cell on the board.
pub const fn square(cell: u8) -> Square {
    let inner = cell as i32 - FIRST;
    Square::wrapping((inner / WIDTH * 8 + inner % WIDTH) as u32)
}

/// The place of a pair of cells in a table by difference.
#[inline(always)]
pub const fn difference(from: u8, to: u8) -> u8 {
    (OFFSET as u8).wrapping_add(from).wrapping_sub(to)
}

/// What pieces are, as bits: kinds in the order of their worth, a queen both bishop and rook.
pub mod flag {
    /// An empty cell.
    pub const NONE: u8 = 0x00;
    /// A pawn.
    pub const PAWN: u8 = 0x01;
    /// A knight.
    pub const KNIGHT: u8 = 0x02;
    /// A bishop.
    pub const BISHOP: u8 = 0x04;
    /// A rook.
    pub const ROOK: u8 = 0x08;
    /// A queen moves as bishop and rook do.
    pub const QUEEN: u8 = BISHOP | ROOK;
    /// A king.
    pub const KING: u8 = 0x10;
    /// White, and black; by color.
    pub const COLORS: [u8; 2] = [0x20, 0x40];
    /// What stands on the border: nobody's piece.
    pub const BORDER: u8 = 0x80;
    /// The kind without the color.
    pub const KIND: u8 = 0x1F;
}

/// Steps of sliders and kings: along ranks and files, then along diagonals.
pub const STEPS: [i8; 8] = [1, 15, -1, -15, 14, 16, -14, -16];

/// Leaps of knights.
pub const LEAPS: [i8; 8] = [13, 17, 29, 31, -13, -17, -29, -31];

/// Relations of two cells, told by their difference.
pub struct Relations {
    /// The step from the first cell towards the second if a queen could go there; otherwise 0.
    pub queen: [i8; BYTES],
    /// Which kinds on the first cell could attack the second on an empty board, as [`flag`]s; pawns by
    /// the flag of their color.
    pub attackers: [u8; BYTES],
}

/// The tables.
pub static RELATIONS: Relations = relations();

const fn relations() -> Relations {
    let mut queen = [0; BYTES];
    let mut attackers = [0; BYTES];
    let mut direction = 0;
    while direction < 8 {
        let step = STEPS[direction] as i32;
        let kind = if direction < 4 { flag::ROOK } else { flag::BISHOP };
        let mut distance = 1;
        while distance < 8 {
            let place = (OFFSET - distance * step) as usize;
            queen[place] = STEPS[direction];
            attackers[place] |= kind;
            if distance == 1 {
                attackers[place] |= flag::KING;
            }
            distance += 1;
        }
        let leap = (OFFSET - LEAPS[direction] as i32) as usize;
        attackers[leap] |= flag::KNIGHT;
        direction += 1;
    }
    let mut color = 0;
    while color < 2 {
        let forward = if color == 0 { WIDTH } else { -WIDTH };
        attackers[(OFFSET - forward - 1) as usize] |= flag::COLORS[color];
        attackers[(OFFSET - forward + 1) as usize] |= flag::COLORS[color];
        color += 1;
    }
    Relations { queen, attackers }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::{Bitboard, attacks};

    #[test]
    fn cells_are_those_of_the_thesis() {
        for (square, expected) in [
            (Square::A1, 33),
            (Square::H1, 40),
            (Square::A8, 138),
            (Square::H8, 145),
            (Square::F5, 98),
            (Square::H6, 115),
        ] {
            assert_eq!(cell(square), expected);
            assert_eq!(super::square(expected), square);
        }
    }

    #[test]
    fn relations_agree_with_attack_sets() {
        for from in Square::ALL {
            for to in Square::ALL {
                let place = usize::from(difference(cell(from), cell(to)));
                assert!(place < DIFFERENCES);
                let known = RELATIONS.attackers[place];
                let reaches = |set: Bitboard| set.contains(to);
                assert_eq!(known & flag::KNIGHT != 0, reaches(attacks::knight(from)));
                assert_eq!(known & flag::KING != 0, reaches(attacks::king(from)));
                assert_eq!(known & flag::BISHOP != 0, reaches(attacks::bishop_rays(from)));
                assert_eq!(known & flag::ROOK != 0, reaches(attacks::rook_rays(from)));
                for color in tabiya_chess::Color::ALL {
                    let pawn = reaches(attacks::pawn(color, from));
                    assert_eq!(known & flag::COLORS[color.index()] != 0, pawn);
                }
                let step = RELATIONS.queen[place];
                assert_eq!(step != 0, known & flag::QUEEN != 0);
            }
        }
    }
}
