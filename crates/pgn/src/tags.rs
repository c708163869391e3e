//! Tags: what stands before the moves.

use thiserror::Error;

use crate::limits;
use crate::text::without_controls;

/// The tags of the Seven Tag Roster that are not the result, and what stands for an unknown value.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Tags that follow from the game itself. Their case does not matter: a `Fen` would be overlooked.
pub(crate) const OWN: [&str; 4] = ["Result", "SetUp", "FEN", "Variant"];

/// The tags of a game, except those that follow from the game itself: `Result`, `SetUp`, `FEN` and
/// `Variant`.
///
/// The Seven Tag Roster is always there: a tag of it that is not known has the value `?`. The others
/// keep their order.
///
/// ```
/// use tabiya_pgn::Tags;
/// let mut tags = Tags::default();
/// tags.set("White", "Smith")?;
/// tags.set("ECO", "C50")?;
/// assert_eq!(tags.get("White"), Some("Smith"));
/// assert_eq!(tags.get("Date"), Some("????.??.??"));
/// assert_eq!(tags.get("Annotator"), None);
/// assert!(tags.set("Result", "1-0").is_err());
/// # Ok::<(), tabiya_pgn::TagError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tags {
    roster: [Box<str>; ROSTER.len()],
    others: Vec<(Box<str>, Box<str>)>,
}

/// Why a tag cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum TagError {
    /// Not a name.
    #[error(
        "a tag's name has 1 to {} letters, digits and underscores, and begins with a letter (White, \
         TimeControl)",
        limits::TAG_NAME_BYTES
    )]
    Name,
    /// The game writes this tag from what it knows.
    #[error("the tag {0} follows from the game: set its start or its result instead")]
    Own(&'static str),
    /// More than fits.
    #[error("a tag's value has {} bytes at most", limits::TAG_BYTES)]
    TooLong,
    /// More tags than fit.
    #[error("a game has {} tags at most", limits::TAGS)]
    TooMany,
}

impl Default for Tags {
    fn default() -> Self {
        Self { roster: ROSTER.map(|(_, unknown)| unknown.into()), others: Vec::new() }
    }
}

impl Tags {
    /// The value of a tag, if it is there.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Sets a tag, and adds it after the others if it is not there. Control characters in the value
    /// become spaces.
    ///
    /// # Errors
    /// If the name is not one, the tag follows from the game itself, or a bound is passed.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        if !is_name(name) {
            return Err(TagError::Name);
        }
        if let Some(own) = OWN.into_iter().find(|own| own.eq_ignore_ascii_case(name)) {
            return Err(TagError::Own(own));
        }
        let value = without_controls(value);
        if value.len() > limits::TAG_BYTES {
            return Err(TagError::TooLong);
        }
        if let Some(index) = ROSTER.iter().position(|(known, _)| *known == name) {
            self.roster[index] = value;
        } else if let Some((_, old)) = self.others.iter_mut().find(|(known, _)| **known == *name) {
            *old = value;
        } else if self.others.len() + ROSTER.len() + OWN.len() >= limits::TAGS {
            return Err(TagError::TooMany);
        } else {
            self.others.push((name.into(), value));
        }
        Ok(())
    }

    /// All tags: the Seven Tag Roster without the result, then the others.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.roster().chain(self.others())
    }

    /// The value of a tag, if it says something: `?` in the roster does not.
    pub(crate) fn known(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|&value| !ROSTER.contains(&(name, value)))
    }

    pub(crate) fn roster(&self) -> impl Iterator<Item = (&str, &str)> {
        ROSTER.iter().zip(&self.roster).map(|(&(name, _), value)| (name, &**value))
    }

    pub(crate) fn others(&self) -> impl Iterator<Item = (&str, &str)> {
        self.others.iter().map(|(name, value)| (&**name, &**value))
    }
}

/// Is this a tag's name? The standard would let it begin with a digit; but a line that begins with `[1`
/// is no tag in the files that there are.
pub(crate) fn is_name(name: &str) -> bool {
    (1..=limits::TAG_NAME_BYTES).contains(&name.len())
        && name.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_bounded() {
        let mut tags = Tags::default();
        for (name, value, error) in [
            ("", "x", TagError::Name),
            ("a b", "x", TagError::Name),
            ("a\"", "x", TagError::Name),
            ("5White", "x", TagError::Name),
            ("_White", "x", TagError::Name),
            ("FEN", "x", TagError::Own("FEN")),
            ("Setup", "x", TagError::Own("SetUp")),
            ("ECO", &*"x".repeat(limits::TAG_BYTES + 1), TagError::TooLong),
        ] {
            assert_eq!(tags.set(name, value), Err(error));
        }
        for number in 0..limits::TAGS - 10 {
            tags.set(&format!("Tag{number}"), "x\ny").unwrap();
        }
        assert_eq!(tags.set("OneMore", "x"), Err(TagError::TooMany));
        assert_eq!(tags.set("Tag7", "z"), Ok(()));
        assert_eq!(tags.get("Tag7"), Some("z"));
        assert_eq!(tags.get("Tag8"), Some("x y"));
    }
}
