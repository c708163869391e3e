//! `setoption`: sets an option.

use crate::words::Words;

/// What a `setoption` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption<'a> {
    /// The option's name, its words parted by single spaces.
    pub name: String,
    /// The value as it was written; none for a button.
    pub value: Option<&'a str>,
}

/// Why a `setoption` was not understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetOptionError {
    /// No name at all.
    #[error("setoption: the option is missing: setoption name <option> [value <value>]")]
    NoName,
}

/// Reads what follows `setoption`. The name ends at the word `value`; the value goes to the end.
///
/// ```
/// use tabiya_protocol::uci::setoption;
///
/// let set = setoption::parse("name Hash File value /tmp/my  table.bin").unwrap();
/// assert_eq!(set.name, "Hash File");
/// assert_eq!(set.value, Some("/tmp/my  table.bin"));
/// ```
pub fn parse(text: &str) -> Result<SetOption<'_>, SetOptionError> {
    let mut words = Words::of(text);
    words.find(|word| *word == "name");
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.rest());
            break;
        }
        name.push(word);
    }
    match name.join(" ") {
        name if name.is_empty() => Err(SetOptionError::NoName),
        name => Ok(SetOption { name, value }),
    }
}

/// Writes a `setoption`, without the end of the line.
///
/// ```
/// use tabiya_protocol::uci::setoption;
/// assert_eq!(setoption::write("Clear Hash", None), "setoption name Clear Hash");
/// assert_eq!(setoption::write("Hash", Some("64")), "setoption name Hash value 64");
/// ```
pub fn write(name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("setoption name {name} value {value}"),
        None => format!("setoption name {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_and_values() {
        let read = |text| parse(text).map(|set| (set.name, set.value));
        assert_eq!(read("name Hash value 64"), Ok(("Hash".into(), Some("64"))));
        assert_eq!(read("name  Clear   Hash "), Ok(("Clear Hash".into(), None)));
        assert_eq!(read("name Book File value"), Ok(("Book File".into(), Some(""))));
        assert_eq!(read("name Devalue"), Ok(("Devalue".into(), None)));
        assert_eq!(
            read("name Style value value for money"),
            Ok(("Style".into(), Some("value for money")))
        );
        assert_eq!(read("quickly name Ponder value true"), Ok(("Ponder".into(), Some("true"))));
        for text in ["", "name", "name value 3", "Hash value 64"] {
            assert_eq!(read(text), Err(SetOptionError::NoName), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            name in "[A-Z][a-zA-Z_]{1,8}( [A-Z][a-z]{1,8}){0,2}",
            value in proptest::option::of("[!-~]([ -~]{0,20}[!-~])?"),
        ) {
            let line = write(&name, value.as_deref());
            let set = parse(line.strip_prefix("setoption").unwrap()).unwrap();
            prop_assert_eq!((set.name, set.value), (name, value.as_deref()));
        }

        #[test]
        fn no_text_is_too_strange(
            text in any::<String>(),
            words in crate::testing::word_soup(&["name", "value", "Hash"]),
        ) {
            let _ = parse(&text);
            let _ = parse(&words);
        }
    }
}
