//! The Gregorian calendar.

/// Year, month and day so many days after 1 January 1970.
///
/// ```
/// use tabiya_arena::calendar::civil_date;
/// assert_eq!(civil_date(20_773), (2026, 11, 16));
/// ```
#[must_use]
pub fn civil_date(days: u64) -> (u64, u64, u64) {
    // Counted from 1 March of a year divisible by 400, leap days come last in every cycle.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // From March on, five months have 153 days, over and over.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (400 * era + year + next_year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_right() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (59, (1970, 3, 1)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (14_412, (2009, 6, 17)),
            (19_782, (2024, 2, 29)),
            (20_088, (2024, 12, 31)),
            (47_540, (2100, 2, 28)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(civil_date(days), date);
        }
    }
}
