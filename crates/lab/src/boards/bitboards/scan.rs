//! How a set of squares is gone through: by instructions of the processor, or by a table, as programs had to
//! before there were such instructions.

use core::marker::PhantomData;
use std::sync::LazyLock;
use tabiya_chess::{Bitboard, Square};

/// A way to find the squares of a set.
pub trait Scan: Copy + Send + Sync + 'static {
    /// What people call it.
    const NAME: &'static str;

    /// The number of the lowest bit; the set is not empty.
    fn first(bits: u64) -> u32;

    /// How many bits there are.
    fn count(bits: u64) -> u32;

    /// The squares of a set, the lowest first.
    #[inline(always)]
    fn squares(set: Bitboard) -> Squares<Self> {
        Squares { bits: set.0, scan: PhantomData }
    }

    /// The lowest square of a set.
    #[inline(always)]
    fn lowest(set: Bitboard) -> Option<Square> {
        Self::squares(set).next()
    }
}

/// The squares of a set, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Squares<S> {
    bits: u64,
    scan: PhantomData<S>,
}

impl<S: Scan> Iterator for Squares<S> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.bits == 0 {
            return None;
        }
        let first = S::first(self.bits);
        self.bits &= self.bits - 1;
        Some(Square::wrapping(first))
    }
}

/// The processor's own instructions.
#[derive(Clone, Copy, Debug)]
pub struct Native;

impl Scan for Native {
    const NAME: &'static str = "instructions";

    #[inline(always)]
    fn first(bits: u64) -> u32 {
        bits.trailing_zeros()
    }

    #[inline(always)]
    fn count(bits: u64) -> u32 {
        bits.count_ones()
    }
}

/// A table of all sets of sixteen squares, asked up to four times; bits are counted by taking them away.
#[derive(Clone, Copy, Debug)]
pub struct ByTable;

static LOWEST: LazyLock<Box<[u32; 1 << 16]>> = LazyLock::new(|| {
    let table: Box<[u32]> = (0..1u32 << 16).map(|bits| bits.trailing_zeros()).collect();
    match table.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("there are 65,536 sets"),
    }
});

impl Scan for ByTable {
    const NAME: &'static str = "table";

    #[inline(always)]
    fn first(bits: u64) -> u32 {
        let table = &**LOWEST;
        for shift in [0, 16, 32] {
            let part = (bits >> shift) as u16;
            if part != 0 {
                return table[usize::from(part)] + shift;
            }
        }
        table[usize::from((bits >> 48) as u16)] + 48
    }

    #[inline(always)]
    fn count(bits: u64) -> u32 {
        let (mut rest, mut count) = (bits, 0);
        while rest != 0 {
            rest &= rest - 1;
            count += 1;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        let mut bits = 0x9E37_79B9_7F4A_7C15u64;
        for i in 0..200 {
            bits = bits.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            let set = Bitboard(bits << (i % 64));
            let ours: Vec<Square> = set.into_iter().collect();
            assert!(Native::squares(set).eq(ours.iter().copied()));
            assert!(ByTable::squares(set).eq(ours.iter().copied()));
            assert_eq!(ByTable::count(set.0), Native::count(set.0));
        }
        assert_eq!(ByTable::lowest(Bitboard::EMPTY), None);
    }
}
