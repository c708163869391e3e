//! Names that others chose, made fit to be shown: cleaned, measured and cut.

const ELLIPSIS: char = '…';

/// A text without anything that could move a cursor, change colors, turn the direction of writing or break
/// a document, and cut to `limit` as `width` measures its letters.
///
/// ```
/// use tabiya_chart::text::fit;
/// assert_eq!(fit("a\x1b[31mb", 40.0, |_| 1.0), "a\u{fffd}[31mb");
/// assert_eq!(fit("abcdefghi", 8.0, |_| 1.0), "abcdefg…");
/// ```
pub fn fit(text: &str, limit: f64, width: impl Fn(char) -> f64) -> String {
    let clean: Vec<char> =
        text.chars().map(|c| if is_harmful(c) { '\u{fffd}' } else { c }).collect();
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

pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// About how wide a text is in a font of some size.
pub(crate) fn width(text: &str, font: f64) -> f64 {
    text.chars().map(|c| letter(c, font)).sum()
}

/// How wide a letter is at most in the usual sans-serif typefaces. The viewer chooses the typeface, so this
/// errs on the wide side.
pub(crate) fn letter(c: char, font: f64) -> f64 {
    font * match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 1.0,
        'A'..='Z' | '&' | '+' | '−' | '=' | '<' | '>' | '~' | '±' | '_' | '#' | '^' => 0.84,
        c if c.is_ascii() => 0.64,
        // Neither how wide other scripts run nor which font stands in for them is known.
        _ => 1.0,
    }
}
