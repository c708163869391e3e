//! Engines choose their own names; these are made fit to be shown.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many columns of a terminal a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The name in at most `limit` columns of a terminal, without anything that could harm one.
pub(crate) fn fit_columns(name: &str, limit: usize) -> String {
    tabiya_chart::text::fit(name, limit as f64, |c| c.width().unwrap_or(0) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_names_stay_as_they_are() {
        for name in ["Stockfish 17", "", "Weiß", "将棋", "é̱"] {
            assert_eq!(fit_columns(name, 20), name);
        }
    }

    #[test]
    fn escape_sequences_are_disarmed() {
        assert_eq!(fit_columns("a\x1b[31mb\nc\u{202e}d", 40), "a�[31mb�c�d");
    }

    #[test]
    fn long_names_are_cut_to_the_column() {
        assert_eq!(fit_columns("abcdefgh", 8), "abcdefgh");
        assert_eq!(fit_columns("abcdefghi", 8), "abcdefg…");
        assert_eq!(columns(&fit_columns("将棋将棋将棋", 8)), 7);
    }
}
