//! Functions that must give the same bits on every machine, which a platform's library does not promise.

use tabiya_chess::rng::SplitMix64;

/// ln 2 in two parts, of which the first has so few digits that small multiples of it are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// Beyond this the exponential is taken to stand still.
const LARGEST: f64 = 700.0;

/// Reciprocals of the factorials of 0 to 13: beyond that nothing is left to add.
const TAYLOR: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut n = 1;
    while n < 14 {
        terms[n] = terms[n - 1] / n as f64;
        n += 1;
    }
    terms
};

/// e to the power of x.
pub(crate) fn exp(x: f64) -> f64 {
    let x = x.clamp(-LARGEST, LARGEST);
    // e^x = 2^k e^r, where r is small enough for a short series.
    let k = (x * core::f64::consts::LOG2_E).round();
    let r = x - k * LN_2_HIGH - k * LN_2_LOW;
    let series = TAYLOR.iter().rev().fold(0.0, |sum, term| sum * r + term);
    let power = f64::from_bits(((k as i64 + 1023) as u64) << 52);
    series * power
}

/// 1 / (1 + e^-x): from a value to a chance.
pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// The natural logarithm of a positive number that has all its digits.
pub(crate) fn ln(x: f64) -> f64 {
    // x = 2^k m with m near 1, and ln m is twice the area tangent of (m - 1) / (m + 1).
    let bits = x.to_bits() + (0x3ff0_0000_0000_0000 - core::f64::consts::FRAC_1_SQRT_2.to_bits());
    let k = (bits >> 52) as i64 - 1023;
    let m = x * f64::from_bits(((1023 - k) as u64) << 52);
    let s = (m - 1.0) / (m + 1.0);
    let series = (0..=10).rev().fold(0.0, |sum, n: u32| sum * s * s + 1.0 / f64::from(2 * n + 1));
    k as f64 * LN_2_HIGH + (2.0 * s * series + k as f64 * LN_2_LOW)
}

/// The cosine of a half turn's share: of 180 degrees times `share`, which is 0 to 1.
pub(crate) fn half_turn_cosine(share: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    if share > 0.5 {
        return -half_turn_cosine(1.0 - share);
    }
    let square = -(share * core::f64::consts::PI) * (share * core::f64::consts::PI);
    // The series of the exponential with every other term, so that ten of them are enough.
    (1..=10).rev().fold(1.0, |sum, n: u32| 1.0 + sum * square / f64::from(2 * n * (2 * n - 1)))
}

/// Puts things into another order for each epoch.
pub(crate) fn shuffle(order: &mut [u32], seed: u64, epoch: u64) {
    SplitMix64::stream(seed, epoch).shuffle(order);
}

/// Where a function with one valley is least, between two bounds, to a part in a million of their
/// distance.
pub(crate) fn lowest(from: f64, to: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    /// The golden section.
    const SHARE: f64 = 0.618_033_988_749_894_9;
    let (mut low, mut high) = (from, to);
    let split = |low: f64, high: f64| (high - SHARE * (high - low), low + SHARE * (high - low));
    let (mut left, mut right) = split(low, high);
    let (mut at_left, mut at_right) = (f(left), f(right));
    while high - low > 1e-6 * (to - from) {
        if at_left <= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = split(low, high).0;
            at_left = f(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = split(low, high).1;
            at_right = f(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_right() {
        for i in -60_000..60_000 {
            let x = f64::from(i) / 100.0;
            let (ours, exact) = (exp(x), x.exp());
            assert!((ours / exact - 1.0).abs() < 1e-15, "{x}: {ours} {exact}");
        }
        assert_eq!((exp(0.0), exp(-1e9) > 0.0, exp(1e9).is_finite()), (1.0, true, true));
        assert!(exp(f64::NAN).is_nan());
    }

    /// The very bits, since a difference in the last of them would be one in the fitted weights.
    #[test]
    fn the_exponential_is_the_same_everywhere() {
        let bits = [1.0, -0.37, 12.5, -300.25].map(|x| exp(x).to_bits());
        assert_eq!(
            bits,
            [
                4_613_303_445_314_885_482,
                4_604_396_801_293_417_215,
                4_688_353_611_944_933_990,
                2_656_127_082_304_645_838
            ]
        );
    }

    #[test]
    fn the_logarithm_is_right() {
        for i in -6_000..6_000 {
            let x = (f64::from(i) / 10.0).exp();
            let (ours, exact) = (ln(x), x.ln());
            assert!((ours - exact).abs() <= 1e-15 * exact.abs().max(1.0), "{x}: {ours} {exact}");
        }
        let bits = [3.0, 0.37, 1e-9].map(|x| ln(x).to_bits());
        assert_eq!(
            bits,
            [4_607_626_529_066_517_259, 13_830_502_684_735_539_640, 13_849_898_335_305_727_928]
        );
    }

    #[test]
    fn the_cosine_is_right() {
        for i in 0..=10_000 {
            let share = f64::from(i) / 10_000.0;
            let (ours, exact) = (half_turn_cosine(share), (share * core::f64::consts::PI).cos());
            assert!((ours - exact).abs() < 1e-14, "{share}: {ours} {exact}");
        }
        assert_eq!((half_turn_cosine(0.0), half_turn_cosine(1.0)), (1.0, -1.0));
    }

    #[test]
    fn a_shuffle_keeps_all_and_depends_on_its_seed_alone() {
        let shuffled = |seed, epoch| {
            let mut order: Vec<u32> = (0..1000).collect();
            shuffle(&mut order, seed, epoch);
            order
        };
        assert_eq!(shuffled(1, 1), shuffled(1, 1));
        assert_ne!(shuffled(1, 1), shuffled(1, 2));
        assert_ne!(shuffled(1, 1), shuffled(2, 1));
        let mut sorted = shuffled(3, 4);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..1000));
    }

    #[test]
    fn a_valley_is_found() {
        let found = lowest(10.0, 1000.0, |x| (x - 217.5) * (x - 217.5));
        assert!((found - 217.5).abs() < 0.01, "{found}");
    }
}
