//! PEXT bitboards: slider attacks by parallel bit extraction and deposit.
//!
//! The squares of an empty board's attack set are at most fourteen, so a set is sixteen bits, spread
//! over the lines by PDEP. A quarter of the memory pays more than the second instruction costs.

use super::lines::scan;
use super::rays::Slider;
use super::sliders::{BISHOP_ENTRIES, ENTRIES, Sliders, empty_entries};
use crate::cpu::Avx2;
use crate::{Bitboard, Square};
use core::arch::x86_64::__cpuid;

/// Where a square's part of the table lies, and what is extracted and deposited.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    reach: u64,
    offset: usize,
}

const fn lookups(slider: Slider, mut offset: usize) -> [Lookup; 64] {
    let mut table = [Lookup { mask: 0, reach: 0, offset: 0 }; 64];
    let mut i = 0;
    while i < 64 {
        let square = Square::ALL[i];
        let mask = slider.mask(square).0;
        let reach = slider.attacks(square, Bitboard::EMPTY).0;
        table[i] = Lookup { mask, reach, offset };
        offset += 1 << mask.count_ones();
        i += 1;
    }
    table
}

const BISHOP_LOOKUPS: [Lookup; 64] = lookups(Slider::Bishop, 0);
const ROOK_LOOKUPS: [Lookup; 64] = lookups(Slider::Rook, BISHOP_ENTRIES);

static BISHOP: [Lookup; 64] = BISHOP_LOOKUPS;
static ROOK: [Lookup; 64] = ROOK_LOOKUPS;

/// Is there an entry for everything that can be extracted?
const fn fit(lookups: &[Lookup; 64]) -> bool {
    let mut i = 0;
    while i < 64 {
        if lookups[i].offset + (1 << lookups[i].mask.count_ones()) > ENTRIES {
            return false;
        }
        i += 1;
    }
    true
}

/// The look-up is not checked again.
const _: () = assert!(fit(&BISHOP_LOOKUPS) && fit(&ROOK_LOOKUPS));

pub(super) fn fill(avx2: Avx2) -> Box<[u16; ENTRIES]> {
    let mut entries = empty_entries();
    for (slider, lookups) in [(Slider::Bishop, &BISHOP), (Slider::Rook, &ROOK)] {
        for (square, lookup) in Square::ALL.into_iter().zip(lookups) {
            // Subsets come in the order in which PEXT numbers them.
            for (number, occupied) in Bitboard(lookup.mask).subsets().enumerate() {
                let attacked = scan(slider, square, occupied);
                entries[lookup.offset + number] = avx2.extract(attacked.0, lookup.reach) as u16;
            }
        }
    }
    entries
}

/// Look-up by parallel bit extraction. One exists only where the processor has what [`Avx2`] stands for.
///
/// It comes from a table alone:
///
/// ```compile_fail,E0423
/// let entries = [0_u16; 107_648];
/// let avx2 = tabiya_chess::cpu::Avx2::detect().unwrap();
/// let forged = tabiya_chess::attacks::sliders::Pext(&entries, avx2);
/// ```
#[derive(Clone, Copy)]
pub struct Pext<'a>(&'a [u16; ENTRIES], Avx2);

impl<'a> Pext<'a> {
    #[inline(always)]
    pub(super) fn new(entries: &'a [u16; ENTRIES], avx2: Avx2) -> Pext<'a> {
        Pext(entries, avx2)
    }

    #[inline(always)]
    fn look_up(self, lookup: &Lookup, occupied: u64) -> Bitboard {
        let index = lookup.offset + self.1.extract(occupied, lookup.mask) as usize;
        // SAFETY: an extraction through a mask of n bits is below 2^n, so the index stays in the
        // square's own part, which all entries have room for, as is asserted above.
        let entry = unsafe { *self.0.get_unchecked(index) };
        Bitboard(self.1.deposit(entry.into(), lookup.reach))
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

/// AMD before Zen 3, and Hygon, which is Zen 1, run the instructions in microcode: tens of times
/// slower than a multiplication.
pub(super) fn is_quick() -> bool {
    const ZEN_3: u32 = 0x19;
    let vendor = __cpuid(0);
    let mut name = [0; 12];
    for (part, register) in name.chunks_exact_mut(4).zip([vendor.ebx, vendor.edx, vendor.ecx]) {
        part.copy_from_slice(&register.to_le_bytes());
    }
    let version = __cpuid(1).eax;
    let family = (version >> 8 & 0xF) + (version >> 20 & 0xFF);
    !matches!(&name, b"AuthenticAMD" | b"HygonGenuine") || family >= ZEN_3
}
