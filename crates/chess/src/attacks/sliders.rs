//! Slider attacks by one look-up, hashed by multiplication or by bit extraction.
//!
//! There is one table, filled when it is first asked for, for the method that suits the processor:
//! PEXT where it exists and is quick, magic multiplication (magic bitboards) elsewhere. Code with many look-ups
//! takes a [`Sliders`] once and is generic over it, so that the choice stays outside the loop.

use super::lines::scan;
use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
#[cfg(target_arch = "x86_64")]
pub use super::pext::Pext;
use super::rays::Slider;
#[cfg(target_arch = "x86_64")]
use crate::cpu::Avx2;
use crate::{Bitboard, Square};
use std::sync::LazyLock;

/// A way to get at slider attacks.
pub trait Sliders: Copy {
    /// The squares a rook attacks.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a bishop attacks.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;

    /// All the squares that sets of diagonal and orthogonal sliders attack; queens are in both.
    #[inline(always)]
    fn union(self, diagonal: Bitboard, orthogonal: Bitboard, occupied: Bitboard) -> Bitboard {
        let mut attacked = Bitboard::EMPTY;
        for slider in diagonal {
            attacked |= self.bishop(slider, occupied);
        }
        for slider in orthogonal {
            attacked |= self.rook(slider, occupied);
        }
        attacked
    }
}

/// How an occupancy becomes an index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Multiplication by a magic number; works everywhere.
    Magic,
    /// The processor's parallel bit extraction.
    Pext,
}

/// Entries of all squares: 102,400 for rooks and 5,248 for bishops.
pub(super) const ENTRIES: usize = 102_400 + BISHOP_ENTRIES;

/// Bishops come first: their small part shares pages with the rooks' first squares.
pub(super) const BISHOP_ENTRIES: usize = 5_248;

/// An array too large for the stack.
pub(super) fn empty_entries<T: Clone + Default>() -> Box<[T; ENTRIES]> {
    match vec![T::default(); ENTRIES].into_boxed_slice().try_into() {
        Ok(entries) => entries,
        Err(_) => unreachable!("the length is the array's"),
    }
}

enum Entries {
    Magic(Box<[u64; ENTRIES]>),
    #[cfg(target_arch = "x86_64")]
    Pext(Box<[u16; ENTRIES]>, Avx2),
}

/// The attack sets of all sliders on all squares for every occupation that matters.
pub struct SliderTable(Entries);

/// A table together with the way to read it.
#[derive(Clone, Copy)]
pub enum Reader<'a> {
    /// Filled for multiplication.
    Magic(Magic<'a>),
    /// Filled for bit extraction.
    #[cfg(target_arch = "x86_64")]
    Pext(Pext<'a>),
}

/// The name of the look-up of slider attacks on this CPU: `pext`, or `magic` for magic bitboards.
pub fn cpu_path() -> &'static str {
    match SliderTable::get().reader() {
        Reader::Magic(_) => "magic",
        #[cfg(target_arch = "x86_64")]
        Reader::Pext(_) => "pext",
    }
}

impl SliderTable {
    /// The process's one table, filled on the first call.
    #[inline(always)]
    pub fn get() -> &'static SliderTable {
        static TABLE: LazyLock<SliderTable> = LazyLock::new(|| SliderTable::fill(Method::best()));
        &TABLE
    }

    /// How this table is indexed.
    #[inline(always)]
    pub fn method(&self) -> Method {
        match self.0 {
            Entries::Magic(_) => Method::Magic,
            #[cfg(target_arch = "x86_64")]
            Entries::Pext(..) => Method::Pext,
        }
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        match &self.0 {
            Entries::Magic(entries) => size_of_val(&**entries),
            #[cfg(target_arch = "x86_64")]
            Entries::Pext(entries, _) => size_of_val(&**entries),
        }
    }

    /// A table of its own, for comparing methods. Falls back to magic where the processor lacks the
    /// other.
    pub fn fill(method: Method) -> SliderTable {
        #[cfg(target_arch = "x86_64")]
        if method == Method::Pext
            && let Some(avx2) = Avx2::detect()
        {
            return SliderTable(Entries::Pext(super::pext::fill(avx2), avx2));
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = method;
        SliderTable(Entries::Magic(fill_magic()))
    }

    /// This table read by the method it was filled for.
    #[inline(always)]
    pub fn reader(&self) -> Reader<'_> {
        match &self.0 {
            Entries::Magic(entries) => Reader::Magic(Magic(entries)),
            #[cfg(target_arch = "x86_64")]
            Entries::Pext(entries, avx2) => Reader::Pext(Pext::new(entries, *avx2)),
        }
    }
}

impl Method {
    /// The quickest on this processor.
    pub fn best() -> Method {
        #[cfg(target_arch = "x86_64")]
        if Avx2::detect().is_some() && super::pext::is_quick() {
            return Method::Pext;
        }
        Method::Magic
    }
}

impl Sliders for &SliderTable {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self.reader() {
            Reader::Magic(magic) => magic.rook(square, occupied),
            #[cfg(target_arch = "x86_64")]
            Reader::Pext(pext) => pext.rook(square, occupied),
        }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self.reader() {
            Reader::Magic(magic) => magic.bishop(square, occupied),
            #[cfg(target_arch = "x86_64")]
            Reader::Pext(pext) => pext.bishop(square, occupied),
        }
    }
}

/// Where a square's part of the table lies and how to find the place in it.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

const fn lookups(slider: Slider, magics: &[u64; 64], mut offset: u32) -> [Lookup; 64] {
    let mut table = [Lookup { mask: 0, magic: 0, offset: 0, shift: 0 }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = slider.mask(Square::ALL[square]).0;
        let bits = mask.count_ones();
        table[square] = Lookup { mask, magic: magics[square], offset, shift: 64 - bits };
        offset += 1 << bits;
        square += 1;
    }
    table
}

const BISHOP_LOOKUPS: [Lookup; 64] = lookups(Slider::Bishop, &BISHOP_MAGICS, 0);
const ROOK_LOOKUPS: [Lookup; 64] = lookups(Slider::Rook, &ROOK_MAGICS, BISHOP_ENTRIES as u32);

static BISHOP: [Lookup; 64] = BISHOP_LOOKUPS;
static ROOK: [Lookup; 64] = ROOK_LOOKUPS;

/// Is there an entry for every hash?
const fn fit(lookups: &[Lookup; 64]) -> bool {
    let mut i = 0;
    while i < 64 {
        let Lookup { offset, shift, .. } = lookups[i];
        if shift >= 64 || offset as usize + (1 << (64 - shift)) > ENTRIES {
            return false;
        }
        i += 1;
    }
    true
}

/// The look-up is not checked again.
const _: () = assert!(fit(&BISHOP_LOOKUPS) && fit(&ROOK_LOOKUPS));

fn fill_magic() -> Box<[u64; ENTRIES]> {
    let mut entries = empty_entries();
    for (slider, lookups) in [(Slider::Bishop, &BISHOP), (Slider::Rook, &ROOK)] {
        for (square, lookup) in Square::ALL.into_iter().zip(lookups) {
            for occupied in Bitboard(lookup.mask).subsets() {
                entries[lookup.index(occupied.0)] = scan(slider, square, occupied).0;
            }
        }
    }
    entries
}

impl Lookup {
    #[inline(always)]
    fn index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }
}

/// Look-up by magic multiplication.
#[derive(Clone, Copy)]
pub struct Magic<'a>(&'a [u64; ENTRIES]);

impl Magic<'_> {
    #[inline(always)]
    fn look_up(self, lookup: &Lookup, occupied: u64) -> Bitboard {
        // SAFETY: the hash has `64 - shift` bits, so the index stays in the square's own part, which all
        // entries have room for, as is asserted above.
        Bitboard(unsafe { *self.0.get_unchecked(lookup.index(occupied)) })
    }
}

impl Sliders for Magic<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&ROOK[square.index()], occupied.0)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&BISHOP[square.index()], occupied.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(
        sliders: impl Sliders,
        slider: Slider,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        match slider {
            Slider::Bishop => sliders.bishop(square, occupied),
            Slider::Rook => sliders.rook(square, occupied),
        }
    }

    #[test]
    fn every_method_agrees_with_walking_on_every_occupancy() {
        for method in [Method::Magic, Method::Pext] {
            let table = SliderTable::fill(method);
            assert!(table.method() == method || Method::best() == Method::Magic);
            assert!(table.size() < 1 << 20);
            for slider in Slider::ALL {
                for square in Square::ALL {
                    let mask = slider.mask(square);
                    for occupied in mask.subsets() {
                        let walked = slider.attacks(square, occupied);
                        // Pieces outside the mask must not matter.
                        for occupied in [occupied, occupied | !mask] {
                            let by_table = look_up(&table, slider, square, occupied);
                            assert_eq!(by_table, walked, "{method:?} {slider:?} on {square}");
                            let by_reader = match table.reader() {
                                Reader::Magic(magic) => look_up(magic, slider, square, occupied),
                                #[cfg(target_arch = "x86_64")]
                                Reader::Pext(pext) => look_up(pext, slider, square, occupied),
                            };
                            assert_eq!(by_reader, walked, "{method:?} {slider:?} on {square}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn unions_are_of_all_sliders() {
        let table = SliderTable::get();
        let occupied = Bitboard(0x0042_1800_2400_8100);
        let (diagonal, orthogonal) =
            (Bitboard(0x0042_0000_2000_0000), Bitboard(0x0000_0800_2000_0100));
        let each = diagonal.into_iter().map(|square| Slider::Bishop.attacks(square, occupied));
        let each =
            each.chain(orthogonal.into_iter().map(|square| Slider::Rook.attacks(square, occupied)));
        let all = each.fold(Bitboard::EMPTY, |all, set| all | set);
        assert_eq!(table.union(diagonal, orthogonal, occupied), all);
    }
}
