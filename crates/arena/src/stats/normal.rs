//! The normal distribution.

use std::f64::consts::PI;

/// Half of a two-sided interval that holds 95 % of a standard normal variable.
pub(crate) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Beyond this many standard deviations the tail is below a double's resolution near 1.
const FAR: f64 = 8.5;

/// The chance that a standard normal variable is below `x`.
///
/// Summed from the density times the series x + x³/3 + x⁵/(3·5) + …, whose terms all have one sign,
/// so that nothing cancels; the absolute error is a few units in the last place of 1.
pub(crate) fn cumulative(x: f64) -> f64 {
    if x.is_nan() {
        return f64::NAN;
    }
    if x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    while term.abs() > f64::EPSILON * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_printed_tables() {
        for (x, p) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (TWO_SIDED_95, 0.975),
        ] {
            assert!((cumulative(x) - p).abs() < 1e-13, "{x}: {}", cumulative(x));
            assert!((cumulative(-x) - (1.0 - p)).abs() < 1e-13, "-{x}: {}", cumulative(-x));
        }
    }

    #[test]
    fn the_far_ends_are_certain() {
        assert_eq!(cumulative(f64::INFINITY), 1.0);
        assert_eq!(cumulative(f64::NEG_INFINITY), 0.0);
        assert!((cumulative(-FAR) - cumulative(-FAR - 0.1)).abs() < 1e-15);
        assert!(cumulative(f64::NAN).is_nan());
    }
}
