//! Instruction sets, as tokens: who has a token may use the instructions.
//!
//! A token exists only where the processor at hand has the instructions. So code that needs them takes a
//! token, or keeps one beside its registers, and its proof of safety is that it has one.

use core::arch::asm;

/// AVX2, and what came to processors along with it: BMI1, BMI2, LZCNT and POPCNT.
///
/// One question answers for a whole way of doing things, since no processor has AVX2 alone.
///
/// ```
/// use tabiya_chess::cpu::Avx2;
/// if let Some(avx2) = Avx2::detect() {
///     assert_eq!(avx2.extract(0b1010_0110, 0b1111_0000), 0b1010);
/// }
/// ```
///
/// A token cannot be forged:
///
/// ```compile_fail,E0423
/// let forged = tabiya_chess::cpu::Avx2(());
/// ```
///
/// ```compile_fail,E0277
/// let forged: tabiya_chess::cpu::Avx2 = ().into();
/// ```
///
/// ```compile_fail,E0599
/// let forged = tabiya_chess::cpu::Avx2::default();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The token, if the processor has all of these instructions.
    pub fn detect() -> Option<Avx2> {
        let has_all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_all.then_some(Avx2(()))
    }

    /// PEXT: the bits under the mask, moved together. What comes out is below 2^n for a mask of n bits.
    ///
    /// Inline assembly, here and below, since a call to the intrinsic is not inlined into code compiled
    /// without the feature, and that call would cost more than the instruction saves.
    #[inline(always)]
    pub fn extract(self, bits: u64, mask: u64) -> u64 {
        let extracted;
        // SAFETY: a token exists only where there is BMI2; the instruction touches registers alone.
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

    /// PDEP: the lowest bits, moved apart to where the mask has ones.
    #[inline(always)]
    pub fn deposit(self, bits: u64, mask: u64) -> u64 {
        let deposited;
        // SAFETY: a token exists only where there is BMI2; the instruction touches registers alone.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_says_what_the_processor_has() {
        let has_bmi2 = is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("avx2");
        assert!(has_bmi2 || Avx2::detect().is_none());
        assert_eq!(Avx2::detect(), Avx2::detect());
    }

    #[test]
    fn extraction_and_deposit_undo_each_other() {
        let Some(avx2) = Avx2::detect() else { return };
        let mask = 0x8000_0F0F_0000_0001;
        for bits in [0, 1, mask, !0, 0x0123_4567_89AB_CDEF] {
            let together = avx2.extract(bits, mask);
            assert!(together < 1 << mask.count_ones());
            assert_eq!(avx2.deposit(together, mask), bits & mask);
        }
    }
}
