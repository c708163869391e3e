//! Scales: where a value lies in the picture, and which values are written beside it.

use crate::number::grouped;

/// About as many ticks as a scale should have.
const TICKS: f64 = 6.0;

/// Nothing below this is shown on a logarithmic scale.
const LEAST: f64 = 1e-9;

/// From values to places in the picture.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    /// The distance of the ticks; a factor of ten on a logarithmic scale.
    step: f64,
    logarithmic: bool,
    ends: (f64, f64),
}

impl Scale {
    /// A scale as close as it can be around the values from `low` to `high`, between two places in the
    /// picture.
    pub(crate) fn close((low, high): (f64, f64), ends: (f64, f64)) -> Scale {
        let room = if high > low { 0.04 * (high - low) } else { 0.5 * high.abs().max(1.0) };
        let (low, high) = (low - room, high + room);
        Scale { low, high, step: round_step((high - low) / TICKS), logarithmic: false, ends }
    }

    /// The same for whole numbers: so are the ticks.
    pub(crate) fn whole(values: (f64, f64), ends: (f64, f64)) -> Scale {
        let scale = Scale::close(values, ends);
        let span = scale.high - scale.low;
        Scale { step: round_step(span / (2.0 * TICKS)).max(1.0), ..scale }
    }

    /// A scale that has 0 and begins and ends at a tick.
    pub(crate) fn from_zero((low, high): (f64, f64), ends: (f64, f64)) -> Scale {
        let (low, high) = (low.min(0.0), high.max(0.0));
        let step = round_step((high - low).max(LEAST) / TICKS);
        let low = (low / step).floor() * step;
        let high = ((high / step).ceil() * step).max(low + step);
        Scale { low, high, step, logarithmic: false, ends }
    }

    /// A scale on which equal steps are equal factors.
    pub(crate) fn logarithmic((low, high): (f64, f64), ends: (f64, f64)) -> Scale {
        let low = low.max(LEAST).log10().floor();
        let high = high.max(LEAST).log10().ceil().max(low + 1.0);
        Scale { low, high, step: 1.0, logarithmic: true, ends }
    }

    /// Where a value lies; what is beyond an end lies at the end.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.max(LEAST).log10() } else { value };
        let (from, to) = self.ends;
        from + (to - from) * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The values that are written beside the scale, with their texts.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        let first = (self.low / self.step - 1e-6).ceil();
        let last = (self.high / self.step + 1e-6).floor();
        let count = (last - first).clamp(0.0, 60.0) as u32;
        let places = (0..=count).map(|tick| (first + f64::from(tick)) * self.step);
        let text = |value: f64| match self.logarithmic {
            true => (10f64.powf(value), grouped(10f64.powf(value), decimals(10f64.powf(value)))),
            false => (value, grouped(value, decimals(self.step))),
        };
        places.map(text).collect()
    }
}

/// Decimals that a multiple of a round step needs.
fn decimals(step: f64) -> usize {
    (-(step * 1.000_001).log10().floor()).clamp(0.0, 9.0) as usize
}

/// The next of ... 0.1, 0.2, 0.5, 1, 2, 5, 10 ... that is not less than `least`.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    steps.into_iter().find(|&step| step >= 0.999 * least).unwrap_or(10.0 * power)
}

/// The least and the greatest of some values; 0 and 1 if there are none.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .map(|value| (value, value))
        .reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
        .unwrap_or((0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale) -> Vec<String> {
        scale.ticks().into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn steps_are_round() {
        for (least, step) in [(0.3, 0.5), (1.0, 1.0), (1.1, 2.0), (17.0, 20.0), (51.0, 100.0)] {
            assert!((round_step(least) - step).abs() < 1e-9 * step, "{least}");
        }
    }

    #[test]
    fn ticks_have_the_decimals_of_their_step() {
        let ends = (0.0, 100.0);
        assert_eq!(texts(&Scale::from_zero((2.0, 9.0), ends)), ["0", "2", "4", "6", "8", "10"]);
        let close = texts(&Scale::close((0.0067, 0.0069), ends));
        assert!(close.contains(&"0.00670".to_owned()), "{close:?}");
        assert_eq!(
            texts(&Scale::logarithmic((0.02, 30.0), ends)),
            ["0.01", "0.1", "1", "10", "100"]
        );
        assert_eq!(
            texts(&Scale::whole((100_001.0, 100_003.0), ends)),
            ["100,001", "100,002", "100,003"]
        );
    }

    #[test]
    fn values_lie_in_order_and_never_outside() {
        for scale in [
            Scale::close((-5.0, 5.0), (10.0, 90.0)),
            Scale::from_zero((-5.0, 5.0), (10.0, 90.0)),
            Scale::logarithmic((0.1, 5.0), (10.0, 90.0)),
        ] {
            let places = [-1e9, -5.0, 0.1, 1.0, 5.0, 1e9].map(|value| scale.at(value));
            assert!(places.is_sorted(), "{places:?}");
            assert!(places.iter().all(|place| (10.0..=90.0).contains(place)), "{places:?}");
        }
    }

    #[test]
    fn a_single_value_has_a_scale_too() {
        for value in [0.0, -7.0, 1e14, 1e-9] {
            let scale = Scale::close((value, value), (0.0, 100.0));
            assert!((scale.at(value) - 50.0).abs() < 1.0);
            assert!((2..20).contains(&scale.ticks().len()), "{value}");
        }
    }
}
