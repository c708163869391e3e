//! Reproducible chance.

/// The SplitMix64 generator: the same numbers from the same seed, on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The `index`-th stream of the family that `seed` names.
    pub fn stream(seed: u64, index: u64) -> SplitMix64 {
        SplitMix64(SplitMix64(seed).next() ^ SplitMix64(!index).next())
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "the stream has no end to tell of")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, each as likely as the others but for one part in 2^64 of them all.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}
