//! Means and their kin.

/// The mean.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
}

/// The geometric mean.
pub(crate) fn geometric_mean(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for number in numbers {
        sum += number.ln();
        count += 1.0;
    }
    f64::exp(sum / f64::max(count, 1.0))
}

/// Mean and standard deviation of a histogram.
pub(crate) fn moments(histogram: &[f64]) -> (f64, f64) {
    let sum: f64 = histogram.iter().sum::<f64>().max(1e-12);
    let each = || (0..).zip(histogram).map(|(n, count)| (f64::from(n), count / sum));
    let mean: f64 = each().map(|(n, share)| n * share).sum();
    let variance: f64 = each().map(|(n, share)| (n - mean).powi(2) * share).sum();
    (mean, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_right_and_there_is_one_of_nothing() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), 3.0);
        assert!((geometric_mean([2.0, 8.0]) - 4.0).abs() < 1e-12);
        let (mean_length, deviation) = moments(&[1.0, 0.0, 1.0]);
        assert_eq!((mean_length, deviation), (1.0, 1.0));
        assert_eq!((mean(&[]), geometric_mean([]), moments(&[])), (0.0, 1.0, (0.0, 0.0)));
    }
}
