//! Slider attacks from lines, with small tables or none per occupancy.

use tabiya_chess::attacks::rays::walk;
use tabiya_chess::attacks::sliders::Sliders;
use tabiya_chess::{Bitboard, Rank, Square};

/// Towards higher squares, then the same axes towards lower ones; even axes are a rook's.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (-1, 1), (0, -1), (-1, -1), (-1, 0), (1, -1)];

/// Rays on the empty board, cut off behind the first piece, which a bit scan finds: the lowest bit on
/// a ray towards higher squares, the highest on the others.
pub struct RayScan {
    rays: Box<[[u64; 64]; 8]>,
}

impl Default for RayScan {
    fn default() -> Self {
        Self::new()
    }
}

impl RayScan {
    /// The rays of all squares.
    pub fn new() -> RayScan {
        let rays = DIRECTIONS
            .map(|direction| Square::ALL.map(|square| walk(square, direction, Bitboard::EMPTY).0));
        RayScan { rays: Box::new(rays) }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.rays)
    }

    /// Asks for each ray whether anything is on it.
    pub fn with_branches(&self) -> Branching<'_> {
        Branching(self)
    }

    /// Puts a piece on the last square of the board, behind which no ray goes on.
    pub fn without_branches(&self) -> Branchless<'_> {
        Branchless(self)
    }
}

/// A ray scan that asks for each ray whether anything is on it.
#[derive(Clone, Copy)]
pub struct Branching<'a>(&'a RayScan);

impl Branching<'_> {
    #[inline(always)]
    fn axis(self, axis: usize, square: Square, occupied: Bitboard) -> u64 {
        let (up, down) = (&self.0.rays[axis], &self.0.rays[axis + 4]);
        let mut attacks = up[square.index()] | down[square.index()];
        let blockers = up[square.index()] & occupied.0;
        if blockers != 0 {
            attacks &= !up[blockers.trailing_zeros() as usize];
        }
        let blockers = down[square.index()] & occupied.0;
        if blockers != 0 {
            attacks &= !down[63 - blockers.leading_zeros() as usize];
        }
        attacks
    }
}

impl Sliders for Branching<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.axis(0, square, occupied) | self.axis(2, square, occupied))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.axis(1, square, occupied) | self.axis(3, square, occupied))
    }
}

/// A ray scan without a question.
#[derive(Clone, Copy)]
pub struct Branchless<'a>(&'a RayScan);

impl Branchless<'_> {
    #[inline(always)]
    fn axis(self, axis: usize, square: Square, occupied: Bitboard) -> u64 {
        let (up, down) = (&self.0.rays[axis], &self.0.rays[axis + 4]);
        let first_up = (up[square.index()] & occupied.0 | 1 << 63).trailing_zeros();
        let first_down = 63 - (down[square.index()] & occupied.0 | 1).leading_zeros();
        up[square.index()] ^ up[first_up as usize]
            | down[square.index()] ^ down[first_down as usize]
    }
}

impl Sliders for Branchless<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.axis(0, square, occupied) | self.axis(2, square, occupied))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        Bitboard(self.axis(1, square, occupied) | self.axis(3, square, occupied))
    }
}

/// Subtraction finds the first piece in one direction, subtraction on the reversed board in the
/// other. The board is reversed by bytes, which serves all lines but ranks; these have a table.
pub struct Quintessence {
    lines: Box<[Lines; 64]>,
    /// Attacks along the first rank, per file and occupation of the files b to g.
    first_rank: Box<[[u8; 64]; 8]>,
}

#[derive(Clone, Copy)]
struct Lines {
    file: u64,
    rising: u64,
    falling: u64,
}

impl Default for Quintessence {
    fn default() -> Self {
        Self::new()
    }
}

impl Quintessence {
    /// The lines of all squares.
    pub fn new() -> Quintessence {
        let both = |square, axis: usize| {
            let [up, down] = [DIRECTIONS[axis], DIRECTIONS[axis + 4]];
            (walk(square, up, Bitboard::EMPTY) | walk(square, down, Bitboard::EMPTY)).0
        };
        let lines = Square::ALL.map(|square| Lines {
            file: both(square, 0),
            rising: both(square, 1),
            falling: both(square, 3),
        });
        let first = |file: usize, occupied: usize| {
            let (square, occupied) = (Square::ALL[file], Bitboard((occupied << 1) as u64));
            (walk(square, (1, 0), occupied) | walk(square, (-1, 0), occupied)).0 as u8
        };
        let first_rank: [[u8; 64]; 8] =
            std::array::from_fn(|file| std::array::from_fn(|occupied| first(file, occupied)));
        Quintessence { lines: Box::new(lines), first_rank: Box::new(first_rank) }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.lines) + size_of_val(&*self.first_rank)
    }

    #[inline(always)]
    fn rank(&self, square: Square, occupied: u64) -> u64 {
        const RANK_BELOW: u32 = 8;
        let shift = RANK_BELOW * (square.rank() as u32 - Rank::First as u32);
        let inner = occupied >> (shift + 1) & 63;
        u64::from(self.first_rank[square.file().index()][inner as usize]) << shift
    }
}

#[inline(always)]
fn line(line: u64, square: Square, occupied: u64) -> u64 {
    let slider = 1u64 << square as u32;
    let up = (occupied & line).wrapping_sub(slider);
    let down = (occupied & line).swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

impl Sliders for &Quintessence {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &self.lines[square.index()];
        Bitboard(line(lines.file, square, occupied.0) | self.rank(square, occupied.0))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let lines = &self.lines[square.index()];
        Bitboard(line(lines.rising, square, occupied.0) | line(lines.falling, square, occupied.0))
    }
}
