//! Slider attacks by one look-up, hashed by multiplication or by bit extraction.
//!
//! There is one table, filled when it is first asked for, for the method that suits the processor:
//! PEXT where it exists and is quick, magic multiplication elsewhere. Whoever looks up much takes a
//! [`Sliders`] once and is generic over it, so that the choice stays outside the loop.

use super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
use super::rays::Slider;
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

/// Where a square's part of the table lies and how to find the place in it.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

/// Entries of all squares: 102,400 for rooks and 5,248 for bishops.
const ENTRIES: usize = 102_400 + 5_248;

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

// Bishops first: their small part shares pages with the rooks' first squares.
static BISHOP: [Lookup; 64] = lookups(Slider::Bishop, &BISHOP_MAGICS, 0);
static ROOK: [Lookup; 64] = lookups(Slider::Rook, &ROOK_MAGICS, 5_248);

/// The attack sets of all sliders on all squares for every occupation that matters.
pub struct SliderTable {
    method: Method,
    entries: Box<[u64; ENTRIES]>,
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
        self.method
    }

    /// A table of its own, for comparing methods. Falls back to magic where the processor lacks the
    /// other.
    pub fn fill(method: Method) -> SliderTable {
        let method =
            if method == Method::Pext && !pext::available() { Method::Magic } else { method };
        let entries: Box<[u64; ENTRIES]> =
            vec![0; ENTRIES].into_boxed_slice().try_into().expect("the length is the array's");
        let mut table = SliderTable { method, entries };
        for (slider, lookups) in [(Slider::Bishop, &BISHOP), (Slider::Rook, &ROOK)] {
            for (square, lookup) in Square::ALL.into_iter().zip(lookups) {
                // Subsets come in the order in which PEXT numbers them.
                for (number, occupied) in Bitboard(lookup.mask).subsets().enumerate() {
                    let index = match method {
                        Method::Magic => magic_index(lookup, occupied.0),
                        Method::Pext => lookup.offset as usize + number,
                    };
                    table.entries[index] = slider.attacks(square, occupied).0;
                }
            }
        }
        table
    }

    /// This table read by the method it was filled for.
    #[inline(always)]
    pub fn reader(&self) -> Reader<'_> {
        match self.method {
            Method::Magic => Reader::Magic(Magic(&self.entries)),
            Method::Pext => Reader::Pext(Pext(&self.entries)),
        }
    }
}

impl Method {
    /// The quickest on this processor.
    pub fn best() -> Method {
        if pext::available() && pext::quick() { Method::Pext } else { Method::Magic }
    }
}

impl Sliders for &SliderTable {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self.method {
            Method::Magic => Magic(&self.entries).rook(square, occupied),
            Method::Pext => Pext(&self.entries).rook(square, occupied),
        }
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        match self.method {
            Method::Magic => Magic(&self.entries).bishop(square, occupied),
            Method::Pext => Pext(&self.entries).bishop(square, occupied),
        }
    }
}

/// A table together with the way to read it.
#[derive(Clone, Copy)]
pub enum Reader<'a> {
    /// Filled for multiplication.
    Magic(Magic<'a>),
    /// Filled for bit extraction.
    Pext(Pext<'a>),
}

#[inline(always)]
fn magic_index(lookup: &Lookup, occupied: u64) -> usize {
    let hash = (occupied & lookup.mask).wrapping_mul(lookup.magic) >> lookup.shift;
    lookup.offset as usize + hash as usize
}

/// Look-up by magic multiplication.
#[derive(Clone, Copy)]
pub struct Magic<'a>(&'a [u64; ENTRIES]);

impl Sliders for Magic<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = magic_index(&ROOK[square.index()], occupied.0);
        // SAFETY: the hash has `64 - shift` bits, so the index stays in the square's own part.
        Bitboard(unsafe { *self.0.get_unchecked(index) })
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let index = magic_index(&BISHOP[square.index()], occupied.0);
        // SAFETY: the hash has `64 - shift` bits, so the index stays in the square's own part.
        Bitboard(unsafe { *self.0.get_unchecked(index) })
    }
}

/// Look-up by parallel bit extraction. One exists only where the processor has the instruction.
#[derive(Clone, Copy)]
pub struct Pext<'a>(&'a [u64; ENTRIES]);

impl Pext<'_> {
    #[inline(always)]
    fn look_up(self, lookup: &Lookup, occupied: u64) -> Bitboard {
        // SAFETY: a `Pext` exists only where `pext::available`, and an extraction through a mask of n
        // bits is below 2^n, so the index stays in the square's own part.
        unsafe {
            let index = lookup.offset as usize + pext::extract(occupied, lookup.mask) as usize;
            Bitboard(*self.0.get_unchecked(index))
        }
    }
}

impl Sliders for Pext<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&ROOK[square.index()], occupied.0)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(&BISHOP[square.index()], occupied.0)
    }
}

#[cfg(target_arch = "x86_64")]
mod pext {
    use core::arch::asm;
    use core::arch::x86_64::__cpuid;

    pub(super) fn available() -> bool {
        // The others too: whoever has this table may use all that came to processors along with
        // BMI2, so that one question answers for a whole way of generating moves.
        is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }

    /// AMD before Zen 3 runs PEXT in microcode, tens of times slower than a multiplication.
    pub(super) fn quick() -> bool {
        let vendor = __cpuid(0);
        let is_amd = (vendor.ebx, vendor.edx, vendor.ecx)
            == (
                u32::from_le_bytes(*b"Auth"),
                u32::from_le_bytes(*b"enti"),
                u32::from_le_bytes(*b"cAMD"),
            );
        let version = __cpuid(1).eax;
        let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
        const ZEN_3: u32 = 0x19;
        !is_amd || family >= ZEN_3
    }

    /// Inline assembly, since a call to the intrinsic is not inlined into code compiled without the
    /// feature, and that call would cost more than the instruction saves.
    ///
    /// # Safety
    /// The processor must have BMI2.
    #[inline(always)]
    pub(super) unsafe fn extract(bits: u64, mask: u64) -> u64 {
        let extracted;
        // SAFETY: the caller has made sure of BMI2; the instruction touches registers alone.
        unsafe {
            asm!(
                "pext {extracted}, {bits}, {mask}",
                extracted = lateout(reg) extracted,
                bits = in(reg) bits,
                mask = in(reg) mask,
                options(pure, nomem, nostack, preserves_flags)
            );
        }
        extracted
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod pext {
    pub(super) fn available() -> bool {
        false
    }

    pub(super) fn quick() -> bool {
        false
    }

    /// # Safety
    /// Sound everywhere; never called, as `available` says no.
    pub(super) unsafe fn extract(_: u64, _: u64) -> u64 {
        0
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
            assert!(table.method() == method || !pext::available());
            for slider in Slider::ALL {
                for square in Square::ALL {
                    let mask = slider.mask(square);
                    for occupied in mask.subsets() {
                        let walked = slider.attacks(square, occupied);
                        // Men where they do not matter must not matter.
                        for occupied in [occupied, occupied | !mask] {
                            let by_table = look_up(&table, slider, square, occupied);
                            assert_eq!(by_table, walked, "{method:?} {slider:?} on {square}");
                            let by_reader = match table.reader() {
                                Reader::Magic(magic) => look_up(magic, slider, square, occupied),
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
