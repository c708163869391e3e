//! Numbers on the command line.

use std::num::NonZeroU64;

/// Reads a whole number above 0.
pub(crate) fn positive<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    let max = u64::MAX >> (u64::BITS as usize - 8 * size_of::<T>());
    let number = text.parse::<NonZeroU64>().ok().and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| format!("it should be a whole number from 1 to {max}"))
}

/// The same for 64 bits, without the mark that it is above 0.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    positive::<NonZeroU64>(text).map(NonZeroU64::get)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    #[test]
    fn what_is_no_number_above_0_is_named() {
        assert_eq!(positive::<NonZeroU32>("7").map(NonZeroU32::get), Ok(7));
        assert_eq!(count("18446744073709551615"), Ok(u64::MAX));
        for text in ["0", "-1", "1.5", "", "x", "4294967296"] {
            let error = positive::<NonZeroU32>(text).unwrap_err();
            assert_eq!(error, "it should be a whole number from 1 to 4294967295", "{text}");
        }
        assert!(count("0").unwrap_err().ends_with("from 1 to 18446744073709551615"));
    }
}
