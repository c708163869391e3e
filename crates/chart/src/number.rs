//! Numbers as texts.

/// A number with a fixed number of decimals, with a true minus sign, and without one before 0.
///
/// ```
/// assert_eq!([-12.4, -0.2, 12.6].map(|value| tabiya_chart::plain(value, 0)), ["−12", "0", "13"]);
/// ```
pub fn plain(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let is_zero = digits.chars().all(|c| matches!(c, '0' | '.'));
    if value < 0.0 && !is_zero { format!("−{digits}") } else { digits }
}

/// The same with commas between the thousands.
///
/// ```
/// assert_eq!(tabiya_chart::grouped(-1234.5, 1), "−1,234.5");
/// ```
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = plain(value, decimals);
    let (whole, fraction) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let digits = whole.chars().filter(char::is_ascii_digit).count();
    let mut text = String::new();
    let mut left = digits;
    for c in whole.chars() {
        if c.is_ascii_digit() {
            if left < digits && left.is_multiple_of(3) {
                text.push(',');
            }
            left -= 1;
        }
        text.push(c);
    }
    text + fraction
}

/// A number with commas and as many decimals as it needs, three at most.
///
/// ```
/// assert_eq!([2.0, 2.5, 1.0 / 3.0].map(tabiya_chart::natural), ["2", "2.5", "0.333"]);
/// ```
pub fn natural(value: f64) -> String {
    let decimals = (0..3).find(|&decimals| {
        let scaled = value * 10f64.powi(decimals);
        (scaled - scaled.round()).abs() < 1e-9 * scaled.abs().max(1.0)
    });
    grouped(value, decimals.unwrap_or(3) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped(1_253_110_529.0, 0), "1,253,110,529");
        assert_eq!(grouped(-0.001, 2), "0.00");
        assert_eq!([999.0, -999.0, 1000.0].map(|n| grouped(n, 0)), ["999", "−999", "1,000"]);
        assert_eq!(natural(-75.0), "−75");
    }
}
