//! Rotated bitboards: for each of the four kinds of lines an occupancy in which the squares of a line are
//! neighbours, so that a shift and a mask read a line's occupation off.

use super::Finder;
use std::sync::LazyLock;
use tabiya_chess::attacks::rays::walk;
use tabiya_chess::{Bitboard, Square};

/// Along the rank, the file, the rising and the falling diagonal.
const AXES: [(i8, i8); 4] = [(1, 0), (0, 1), (1, 1), (-1, 1)];

/// The inner squares of a line: six at most.
const OCCUPATIONS: usize = 64;

/// The four occupancies.
#[derive(Clone, Copy, Default, Debug)]
pub struct Boards([u64; 4]);

impl Boards {
    /// A piece comes to a square, or leaves it.
    #[inline(always)]
    pub fn flip(&mut self, tables: &Tables, square: Square) {
        let places = &tables.places[square.index()];
        for (board, place) in self.0.iter_mut().zip(places) {
            *board ^= place;
        }
    }

    /// The occupancy as everybody else sees it: that of the ranks.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.0[0])
    }
}

/// Where a square's line lies in a turned board.
#[derive(Clone, Copy, Default)]
struct Window {
    shift: u8,
    mask: u8,
}

/// The tables.
pub struct Tables {
    /// Per square its bit in each board.
    places: [[u64; 4]; 64],
    windows: [[Window; 4]; 64],
    attacks: Box<[[[Bitboard; OCCUPATIONS]; 64]; 4]>,
}

impl Tables {
    /// The process's one set.
    pub fn get() -> &'static Tables {
        static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);
        &TABLES
    }

    fn new() -> Tables {
        let mut places = [[0; 4]; 64];
        let mut windows = [[Window::default(); 4]; 64];
        let mut attacks = vec![[[Bitboard::EMPTY; OCCUPATIONS]; 64]; 4];
        for (axis, (files, ranks)) in AXES.into_iter().enumerate() {
            let mut next = 0;
            let begins = Square::ALL.into_iter().filter(|s| s.offset(-files, -ranks).is_none());
            for begin in begins {
                let line: Vec<Square> =
                    std::iter::successors(Some(begin), |s| s.offset(files, ranks)).collect();
                let inner = line.len().saturating_sub(2);
                for (i, square) in line.iter().enumerate() {
                    places[square.index()][axis] = 1 << (next + i);
                    // A line without inner squares is always read as empty, wherever the window lies.
                    let shift = if inner == 0 { 0 } else { next + 1 };
                    let mask = (1 << inner) - 1;
                    windows[square.index()][axis] = Window { shift: shift as u8, mask };
                    let sets = attacks[axis][square.index()].iter_mut().take(1 << inner);
                    for (occupation, set) in sets.enumerate() {
                        let blockers = line.iter().enumerate().filter(|(j, _)| {
                            (1..=inner).contains(j) && occupation >> (j - 1) & 1 == 1
                        });
                        let occupied: Bitboard = blockers.map(|(_, square)| *square).collect();
                        *set = walk(*square, (files, ranks), occupied)
                            | walk(*square, (-files, -ranks), occupied);
                    }
                }
                next += line.len();
            }
        }
        let attacks = match attacks.into_boxed_slice().try_into() {
            Ok(attacks) => attacks,
            Err(_) => unreachable!("there are four axes"),
        };
        Tables { places, windows, attacks }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.places) + size_of_val(&self.windows) + size_of_val(&*self.attacks)
    }

    #[inline(always)]
    fn line(&self, axis: usize, square: Square, boards: &Boards) -> Bitboard {
        let window = self.windows[square.index()][axis];
        let occupation = boards.0[axis] >> (window.shift & 63) & u64::from(window.mask);
        self.attacks[axis][square.index()][occupation as usize & (OCCUPATIONS - 1)]
    }

    /// What a rook attacks.
    #[inline(always)]
    pub fn rook(&self, square: Square, boards: &Boards) -> Bitboard {
        self.line(0, square, boards) | self.line(1, square, boards)
    }

    /// What a bishop attacks.
    #[inline(always)]
    pub fn bishop(&self, square: Square, boards: &Boards) -> Bitboard {
        self.line(2, square, boards) | self.line(3, square, boards)
    }
}

impl Finder for &Tables {
    type Board = Boards;

    fn board(self, occupied: Bitboard) -> Boards {
        let mut boards = Boards::default();
        for square in occupied {
            boards.flip(self, square);
        }
        boards
    }

    #[inline(always)]
    fn rook(self, square: Square, boards: &Boards) -> Bitboard {
        Tables::rook(self, square, boards)
    }

    #[inline(always)]
    fn bishop(self, square: Square, boards: &Boards) -> Bitboard {
        Tables::bishop(self, square, boards)
    }
}
