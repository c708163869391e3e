//! Eight numbers at a time.
//!
//! Left to itself the compiler takes the sums over features apart into single numbers, which makes them
//! eight times slower; so the registers are named here. Nothing but the speed depends on which are used.

/// An instruction set, as a token: the numbers that it loads are used only where the processor has it.
pub(super) trait Simd: Copy {
    type Lanes: Lanes;
    /// The same number eight times.
    fn all(self, number: f32) -> Self::Lanes;
    fn load(self, numbers: &[f32; WIDTH]) -> Self::Lanes;
}

/// Eight numbers side by side.
pub(super) trait Lanes: Copy {
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

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

/// Numbers for any processor.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; WIDTH]);

impl Simd for Portable {
    type Lanes = Plain;

    #[inline(always)]
    fn all(self, number: f32) -> Plain {
        Plain([number; WIDTH])
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; WIDTH]) -> Plain {
        Plain(*numbers)
    }
}

impl Plain {
    #[inline(always)]
    fn map(self, other: Plain, f: impl Fn(f32, f32) -> f32) -> Plain {
        Plain(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn store(self, numbers: &mut [f32; WIDTH]) {
        *numbers = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Plain) -> Plain {
        self.map(other, |a, b| a + b)
    }

    #[inline(always)]
    fn times(self, other: Plain) -> Plain {
        self.map(other, |a, b| a * b)
    }

    #[inline(always)]
    fn clipped(self) -> Plain {
        Plain(self.0.map(|x| {
            let x = if x > 0.0 { x } else { 0.0 };
            if x < 1.0 { x } else { 1.0 }
        }))
    }

    #[inline(always)]
    fn below_one(self) -> Plain {
        Plain(self.0.map(|x| if x < 1.0 { x } else { 0.0 }))
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Lanes, Simd, WIDTH};
    use core::arch::x86_64::*;
    use tabiya_chess::cpu::Avx2;

    /// A register of 256 bits. Only a token makes one, so that where there is one there is AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::net) struct Wide(__m256);

    const _: () = assert!(size_of::<[f32; WIDTH]>() == size_of::<__m256>());

    impl Simd for Avx2 {
        type Lanes = Wide;

        #[inline(always)]
        fn all(self, number: f32) -> Wide {
            // SAFETY: there is a token.
            Wide(unsafe { _mm256_set1_ps(number) })
        }

        #[inline(always)]
        fn load(self, numbers: &[f32; WIDTH]) -> Wide {
            // SAFETY: there is a token; the numbers fill a register, and the load asks for no alignment.
            Wide(unsafe { _mm256_loadu_ps(numbers.as_ptr()) })
        }
    }

    impl Lanes for Wide {
        #[inline(always)]
        fn store(self, numbers: &mut [f32; WIDTH]) {
            // SAFETY: as for `load`.
            unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Wide) -> Wide {
            // SAFETY: a token made this.
            Wide(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Wide) -> Wide {
            // SAFETY: a token made this.
            Wide(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn clipped(self) -> Wide {
            // The second operand is taken where neither is larger, as in the portable version.
            // SAFETY: a token made this.
            Wide(unsafe {
                let positive = _mm256_max_ps(self.0, _mm256_setzero_ps());
                _mm256_min_ps(positive, _mm256_set1_ps(1.0))
            })
        }

        #[inline(always)]
        fn below_one(self) -> Wide {
            // SAFETY: a token made this.
            Wide(unsafe {
                _mm256_and_ps(self.0, _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, _mm256_set1_ps(1.0)))
            })
        }
    }
}
