//! Lines through squares: rays on the empty board, and what lies between two squares.

use super::rays::{Slider, UP, walk};
use crate::{Bitboard, Square};

/// Per square the four rays towards higher squares, in the order of the axes: file, rank, rising
/// diagonal, falling diagonal.
pub(crate) static RAYS_UP: [[u64; 4]; 64] = rays(1);

/// Per square the four rays towards lower squares, in the same order of axes.
pub(crate) static RAYS_DOWN: [[u64; 4]; 64] = rays(-1);

const fn rays(sign: i8) -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            let step = (UP[axis].0 * sign, UP[axis].1 * sign);
            table[square][axis] = walk(Square::ALL[square], step, Bitboard::EMPTY).0;
            axis += 1;
        }
        square += 1;
    }
    table
}

/// A slider's attack set by cutting each ray behind its first piece. Much quicker than walking, which
/// matters where a whole table is filled before the program can answer.
pub(super) fn scan(slider: Slider, square: Square, occupied: Bitboard) -> Bitboard {
    let axes = match slider {
        Slider::Rook => 0..2,
        Slider::Bishop => 2..4,
    };
    axes.fold(Bitboard::EMPTY, |reached, axis| {
        let mut up = RAYS_UP[square.index()][axis];
        if let Some(first) = (Bitboard(up) & occupied).first() {
            up ^= RAYS_UP[first.index()][axis];
        }
        let mut down = RAYS_DOWN[square.index()][axis];
        if let Some(first) = (Bitboard(down) & occupied).last() {
            down ^= RAYS_DOWN[first.index()][axis];
        }
        reached | Bitboard(up | down)
    })
}

const fn empty_board(slider: Slider) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = slider.attacks(Square::ALL[square], Bitboard::EMPTY);
        square += 1;
    }
    table
}

static ROOK_RAYS: [Bitboard; 64] = empty_board(Slider::Rook);
static BISHOP_RAYS: [Bitboard; 64] = empty_board(Slider::Bishop);

static BETWEEN: [[Bitboard; 64]; 64] = {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (files, ranks) = if direction < 4 {
                UP[direction]
            } else {
                (-UP[direction - 4].0, -UP[direction - 4].1)
            };
            let mut gap = Bitboard::EMPTY;
            let mut here = Square::ALL[a];
            while let Some(b) = here.offset(files, ranks) {
                table[a][b.index()] = gap;
                gap = gap.with(b);
                here = b;
            }
            direction += 1;
        }
        a += 1;
    }
    table
};

/// The squares a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// The squares a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// The squares strictly between two squares of one rank, file or diagonal; of others, none.
///
/// ```
/// use tabiya_chess::{attacks, Bitboard, Square};
/// let gap = attacks::between(Square::B2, Square::E5);
/// assert_eq!(gap, [Square::C3, Square::D4].into_iter().collect::<Bitboard>());
/// assert!(attacks::between(Square::A1, Square::B3).is_empty());
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two squares, both of them included; nothing if there is
/// none, or if the squares are the same.
///
/// ```
/// use tabiya_chess::{attacks, Bitboard, File, Square};
/// assert_eq!(attacks::line(Square::C2, Square::C7), Bitboard::file(File::C));
/// ```
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    let (up, down) = (&RAYS_UP[a.index()], &RAYS_DOWN[a.index()]);
    (0..4)
        .map(|axis| Bitboard(up[axis] | down[axis]))
        .find(|axis| axis.contains(b))
        .map_or(Bitboard::EMPTY, |axis| axis.with(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_agree_with_walking() {
        for a in Square::ALL {
            for b in Square::ALL {
                let gap = between(a, b);
                assert_eq!(gap, between(b, a));
                assert!(gap.is_subset(line(a, b)));
                assert_eq!(line(a, b), line(b, a));
                let aligned = a != b && (rook_rays(a) | bishop_rays(a)).contains(b);
                assert_eq!(aligned, !line(a, b).is_empty());
                if aligned {
                    assert_eq!(gap.len() + 1, u32::from(a.distance(b)));
                    assert!(line(a, b).contains(a) && line(a, b).contains(b));
                }
            }
        }
    }
}
