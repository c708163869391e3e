//! Eight numbers at a time.
//!
//! Left to itself the compiler takes the sums over features apart into single numbers, which makes them
//! eight times slower; so the registers are named here. Nothing but the speed depends on which are used.

/// Eight numbers side by side.
pub(super) trait Lanes: Copy {
    /// The same number eight times.
    fn all(number: f32) -> Self;
    fn load(numbers: &[f32; WIDTH]) -> Self;
    fn store(self, numbers: &mut [f32; WIDTH]);
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// Each at least 0 and at most 1.
    fn clipped(self) -> Self;
    /// Each that is below 1, and 0 for the others.
    fn below_one(self) -> Self;
}

/// How many numbers that is.
pub(super) const WIDTH: usize = 8;

/// For any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable([f32; WIDTH]);

impl Portable {
    #[inline(always)]
    fn map(self, other: Portable, f: impl Fn(f32, f32) -> f32) -> Portable {
        Portable(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn all(number: f32) -> Portable {
        Portable([number; WIDTH])
    }

    #[inline(always)]
    fn load(numbers: &[f32; WIDTH]) -> Portable {
        Portable(*numbers)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f32; WIDTH]) {
        *numbers = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Portable) -> Portable {
        self.map(other, |a, b| a + b)
    }

    #[inline(always)]
    fn times(self, other: Portable) -> Portable {
        self.map(other, |a, b| a * b)
    }

    #[inline(always)]
    fn clipped(self) -> Portable {
        Portable(self.0.map(|x| {
            let x = if x > 0.0 { x } else { 0.0 };
            if x < 1.0 { x } else { 1.0 }
        }))
    }

    #[inline(always)]
    fn below_one(self) -> Portable {
        Portable(self.0.map(|x| if x < 1.0 { x } else { 0.0 }))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use wide::Avx;

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Lanes, WIDTH};
    use core::arch::x86_64::*;

    /// A register of 256 bits. Only code that is compiled for AVX2 and runs where there is AVX2 may use
    /// it.
    #[derive(Clone, Copy)]
    pub(in crate::net) struct Avx(__m256);

    // SAFETY of all below: the caller that made a value of this type has made sure that the processor has AVX2; references
    // to arrays of eight floats are good for unaligned loads and stores of as many.
    impl Lanes for Avx {
        #[inline(always)]
        fn all(number: f32) -> Avx {
            // SAFETY: as above.
            Avx(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(numbers: &[f32; WIDTH]) -> Avx {
            // SAFETY: as above.
            Avx(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, numbers: &mut [f32; WIDTH]) {
            // SAFETY: as above.
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Avx) -> Avx {
            // SAFETY: as above.
            Avx(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Avx) -> Avx {
            // SAFETY: as above.
            Avx(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn clipped(self) -> Avx {
            // The second operand is taken where neither is larger, as in the portable version.
            // SAFETY: as above.
            Avx(unsafe {
                let positive = _mm256_max_ps(self.0, _mm256_setzero_ps());
                _mm256_min_ps(positive, _mm256_set1_ps(1.0))
            })
        }

        #[inline(always)]
        fn below_one(self) -> Avx {
            // SAFETY: as above.
            Avx(unsafe {
                _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, _mm256_set1_ps(1.0)))
            })
        }
    }
}
