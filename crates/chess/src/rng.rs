//! Random numbers (SplitMix64): the one generator of the workspace, reproducible from its seed.

/// The SplitMix64 generator: the same numbers from the same seed, on every machine and at compile
/// time.
///
/// ```
/// use tabiya_chess::rng::SplitMix64;
/// let mut random = SplitMix64::new(7);
/// let die = 1 + random.below(6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(SplitMix64::new(7).below(6) + 1, die);
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The `index`-th stream of the family that `seed` names.
    pub const fn stream(seed: u64, index: u64) -> SplitMix64 {
        SplitMix64(SplitMix64(seed).next() ^ SplitMix64(!index).next())
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, or 0 if `limit` is 0. Two numbers differ in probability by 2^-64 at
    /// most.
    pub const fn below(&mut self, limit: u64) -> u64 {
        ((self.next() as u128 * limit as u128) >> 64) as u64
    }

    /// An index of a list of `len` elements, or 0 if it is empty.
    pub const fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        // The 53 bits that a double's fraction holds exactly.
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a list in a random order (Fisher-Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.index(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_reference() {
        // The first outputs of Vigna's splitmix64.c for the seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| random.next()), expected);
    }

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
    fn limits_hold() {
        let mut random = SplitMix64::new(2);
        let mut seen = [false; 7];
        (0..1_000).for_each(|_| seen[random.index(seen.len())] = true);
        assert_eq!(seen, [true; 7]);
        assert_eq!((random.below(0), random.index(0), random.below(1)), (0, 0, 0));
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

    #[test]
    fn shuffling_keeps_every_element() {
        let mut list: Vec<u32> = (0..100).collect();
        SplitMix64::new(3).shuffle(&mut list);
        assert!(!list.is_sorted());
        list.sort_unstable();
        assert!(list.into_iter().eq(0..100));
    }
}
