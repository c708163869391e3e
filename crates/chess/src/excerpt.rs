//! Short quotations of bad input.

use core::fmt;

/// The beginning of a text, short enough for an error to quote whatever was read.
///
/// ```
/// use tabiya_chess::Excerpt;
/// assert_eq!(Excerpt::of("Qh9").to_string(), r#""Qh9""#);
/// assert_eq!(Excerpt::of(&"x".repeat(1_000_000)).to_string(), r#""xxxxxxxxxxxxxxxxxxxxxxxx…""#);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(Box<str>);

impl Excerpt {
    /// Characters beyond this many are left out.
    pub const LONGEST: usize = 24;

    /// Quotes a text.
    pub fn of(text: &str) -> Excerpt {
        Excerpt(match text.char_indices().nth(Excerpt::LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]).into(),
            None => text.into(),
        })
    }
}

/// In quotation marks, with control characters escaped.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
