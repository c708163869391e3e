//! Engines choose their own names; these are made fit to be shown.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const ELLIPSIS: char = '…';

/// How many columns of a terminal a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// The name without anything that could move the cursor, change colors, turn the direction of
/// writing or break a picture, and cut to `limit` as `width` measures it.
pub(crate) fn fit(name: &str, limit: f64, width: impl Fn(char) -> f64) -> String {
    let clean: Vec<char> =
        name.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect();
    if clean.iter().map(|&c| width(c)).sum::<f64>() <= limit {
        return clean.into_iter().collect();
    }
    let mut room = limit - width(ELLIPSIS);
    let kept = clean.into_iter().take_while(|&c| {
        room -= width(c);
        room >= 0.0
    });
    kept.chain([ELLIPSIS]).collect()
}

/// The name in at most `limit` columns of a terminal.
pub(crate) fn fit_columns(name: &str, limit: usize) -> String {
    fit(name, limit as f64, |c| c.width().unwrap_or(0) as f64)
}

fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fffe}' | '\u{ffff}')
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
