//! The Elo scale, and figures that know how sure they are.

use std::f64::consts::LN_10;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Elo per natural unit of the logistic curve.
pub(crate) const ELO_PER_NAT: f64 = 400.0 / LN_10;

/// Normalised Elo per standard deviation of a game's score.
///
/// Chosen by its inventor so that, for small differences and without draws (when that deviation is
/// one half), normalised Elo is Elo.
pub(crate) const NORMALIZED_ELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The score, from 0 to 1, that a lead of `elo` promises.
///
/// ```
/// use tabiya_arena::stats::elo::expected_score;
///
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / ELO_PER_NAT).exp())
}

/// The lead in Elo that a score speaks for: infinite at 0 and 1.
///
/// ```
/// use tabiya_arena::stats::elo::from_score;
///
/// assert!((from_score(0.75) - 190.85).abs() < 0.01);
/// ```
#[must_use]
pub fn from_score(score: f64) -> f64 {
    ELO_PER_NAT * (score / (1.0 - score)).ln()
}

/// A figure and the interval that holds the truth in 95 of 100 cases.
///
/// An end that the data do not bound (the upper one, after nothing but wins) is absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The best single figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// Half the width of the interval, if it is bounded on both sides.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// As people write it: `+12.3 ± 4.5`, or with the one bound that is known, or with none.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1}", self.value)?;
        match (self.low, self.high) {
            (Some(low), Some(high)) => write!(f, " ± {:.1}", (high - low) / 2.0),
            (Some(low), None) => write!(f, " (over {low:+.1})"),
            (None, Some(high)) => write!(f, " (under {high:+.1})"),
            (None, None) => write!(f, " (no bounds)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn score_and_elo_are_inverse() {
        for elo in [-700.0, -33.3, 0.0, 1.5, 250.0, 1200.0] {
            assert!((from_score(expected_score(elo)) - elo).abs() < 1e-6, "{elo}");
        }
        assert_eq!(from_score(1.0), f64::INFINITY);
        assert_eq!(from_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn estimates_read_well() {
        let both = Estimate { value: 12.34, low: Some(8.0), high: Some(17.0) };
        assert_eq!(both.to_string(), "+12.3 ± 4.5");
        assert_eq!(both.error(), Some(4.5));
        let open = Estimate { value: 600.0, low: Some(210.0), high: None };
        assert_eq!(open.to_string(), "+600.0 (over +210.0)");
        assert_eq!(open.error(), None);
    }
}
