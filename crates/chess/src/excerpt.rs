//! Texts cut short, so that an error can quote whatever was read.

use core::fmt;

/// The first `longest` characters of a text, and an ellipsis where there are more.
///
/// ```
/// use tabiya_chess::shortened;
/// assert_eq!(shortened("Qh9", 3), "Qh9");
/// assert_eq!(shortened("Qh9 Kb1", 3), "Qh9…");
/// ```
pub fn shortened(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The beginning of a text, quoted by an error.
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
        Excerpt(shortened(text, Excerpt::LONGEST).into())
    }
}

/// In quotation marks, with control characters escaped.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}
