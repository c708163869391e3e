//! Reproducible chance.

/// The SplitMix64 generator: every seed gives an independent stream, on every machine the same.
pub(crate) struct SplitMix64(u64);

impl SplitMix64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The `index`-th stream of the family that `seed` names.
    pub(crate) fn stream(seed: u64, index: u64) -> Self {
        Self(Self::new(seed).next() ^ Self::new(!index).next())
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(Self::STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A whole number below `limit`, which must not be 0; as even as 64 bits can be.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Puts things in a random order.
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }

    /// A number from 0 up to, but not including, 1.
    pub(crate) fn unit(&mut self) -> f64 {
        // The 53 bits that a double's fraction holds exactly.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_reproducible_and_differ() {
        let draw = |index| {
            let mut stream = SplitMix64::stream(7, index);
            [stream.next(), stream.next(), stream.next()]
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_ne!(draw(1)[1..], draw(2)[..2]);
    }

    #[test]
    fn unit_numbers_fill_the_unit_interval_evenly() {
        let mut random = SplitMix64::new(1);
        let mut tenths = [0u32; 10];
        for _ in 0..100_000 {
            tenths[(random.unit() * 10.0) as usize] += 1;
        }
        // Five standard deviations of a binomial count.
        assert!(tenths.iter().all(|&n| n.abs_diff(10_000) < 475), "{tenths:?}");
    }
}
