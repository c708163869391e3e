//! Bytes as text, and text as PGN can hold it.

use std::borrow::Cow;

/// Windows-1252 from 0x80 to 0x9F, where Latin-1 has control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// UTF-8, or else Latin-1 with the quotation marks and dashes of Windows-1252.
pub(crate) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes
            .iter()
            .map(|&byte| match byte {
                0x80..0xA0 => WINDOWS_1252[usize::from(byte - 0x80)],
                _ => char::from(byte),
            })
            .collect(),
    }
}

/// Each control character becomes a space: line breaks end a tag.
pub(crate) fn without_controls(text: &str) -> Box<str> {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// Words with one space between.
pub(crate) fn collapsed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_utf_8_are_latin_1() {
        assert_eq!(decoded("Zürich".as_bytes()), "Zürich");
        assert_eq!(decoded(b"Z\xfcrich \x93a\x94 \x96"), "Zürich “a” –");
    }
}
