//! Lanes (SIMD): numbers side by side, in steps that fit a processor's wide registers.

/// As many numbers as are handled together; every layer's width is a multiple.
pub(super) const WIDTH: usize = 32;

/// Numbers on a cache line of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Lanes(pub(super) [i16; WIDTH]);

impl Lanes {
    pub(super) const ZERO: Lanes = Lanes([0; WIDTH]);

    /// Whole lanes of numbers; what does not fill one at the end is left out.
    pub(super) fn gather(numbers: &[i16]) -> Vec<Lanes> {
        numbers.as_chunks().0.iter().map(|&chunk| Lanes(chunk)).collect()
    }
}
