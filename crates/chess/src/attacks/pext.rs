//! PEXT bitboards: slider attacks by parallel bit extraction and deposit.
//!
//! The squares of an empty board's attack set are at most fourteen, so a set is sixteen bits, spread
//! over the lines by PDEP. A quarter of the memory pays more than the second instruction costs.

use super::lines::scan;
use super::rays::Slider;
use super::sliders::{BISHOP_ENTRIES, ENTRIES, Sliders, empty_entries};
use crate::{Bitboard, Square};
use core::arch::asm;
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

static BISHOP: [Lookup; 64] = lookups(Slider::Bishop, 0);
static ROOK: [Lookup; 64] = lookups(Slider::Rook, BISHOP_ENTRIES);

/// # Safety
/// [`is_available`] must have said yes.
pub(super) unsafe fn fill() -> Box<[u16; ENTRIES]> {
    let mut entries = empty_entries();
    for (slider, lookups) in [(Slider::Bishop, &BISHOP), (Slider::Rook, &ROOK)] {
        for (square, lookup) in Square::ALL.into_iter().zip(lookups) {
            // Subsets come in the order in which PEXT numbers them.
            for (number, occupied) in Bitboard(lookup.mask).subsets().enumerate() {
                let attacked = scan(slider, square, occupied);
                // SAFETY: the caller has made sure of the instruction.
                entries[lookup.offset + number] =
                    unsafe { extract(attacked.0, lookup.reach) } as u16;
            }
        }
    }
    entries
}

/// Look-up by parallel bit extraction. One exists only where the processor has BMI1, BMI2, AVX2, LZCNT
/// and POPCNT.
#[derive(Clone, Copy)]
pub struct Pext<'a>(&'a [u16; ENTRIES]);

impl<'a> Pext<'a> {
    /// # Safety
    /// [`is_available`] must have said yes.
    #[inline(always)]
    pub(super) unsafe fn new(entries: &'a [u16; ENTRIES]) -> Pext<'a> {
        Pext(entries)
    }

    #[inline(always)]
    fn look_up(self, lookup: &Lookup, occupied: u64) -> Bitboard {
        // SAFETY: a `Pext` exists only where the instructions do, and an extraction through a mask of
        // n bits is below 2^n, so the index stays in the square's own part.
        unsafe {
            let index = lookup.offset + extract(occupied, lookup.mask) as usize;
            Bitboard(deposit((*self.0.get_unchecked(index)).into(), lookup.reach))
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

/// Has the processor BMI2, and what came to processors along with it? One question answers for a whole
/// way of generating moves.
pub(super) fn is_available() -> bool {
    is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
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

/// Inline assembly, here and below, since a call to the intrinsic is not inlined into code compiled
/// without the feature, and that call would cost more than the instruction saves.
///
/// # Safety
/// The processor must have BMI2.
#[inline(always)]
unsafe fn extract(bits: u64, mask: u64) -> u64 {
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

/// # Safety
/// The processor must have BMI2.
#[inline(always)]
unsafe fn deposit(bits: u64, mask: u64) -> u64 {
    let deposited;
    // SAFETY: the caller has made sure of BMI2; the instruction touches registers alone.
    unsafe {
        asm!(
            "pdep {deposited}, {bits}, {mask}",
            deposited = lateout(reg) deposited,
            bits = in(reg) bits,
            mask = in(reg) mask,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    deposited
}
