//! `option`: what an engine lets one set.

use crate::words::Words;
use core::fmt;
use tabiya_engine::{OptionKind, OptionSpec};

/// How UCI writes a text of no length.
pub(crate) const EMPTY: &str = "<empty>";

/// Reads what follows `option`; none if it does not describe an option.
///
/// ```
/// use tabiya_engine::OptionKind;
/// use tabiya_protocol::uci::option;
///
/// let spec = option::parse("name Move Overhead type spin default 10 min 0 max 5000").unwrap();
/// assert_eq!(spec.name, "Move Overhead");
/// assert_eq!(spec.kind, OptionKind::Spin { default: 10, min: 0, max: 5000 });
/// ```
pub fn parse(text: &str) -> Option<OptionSpec> {
    let mut words = Words::of(text);
    words.find(|word| *word == "name")?;
    let name: Vec<&str> = words.by_ref().take_while(|word| *word != "type").collect();
    let name = name.join(" ");
    let kind = parse_kind(words.next()?, words)?;
    (!name.is_empty()).then_some(OptionSpec { name, kind, help: String::new() })
}

fn parse_kind(kind: &str, mut words: Words<'_>) -> Option<OptionKind> {
    if kind == "string" {
        words.find(|word| *word == "default");
        let default = match words.rest() {
            EMPTY => String::new(),
            text => text.to_owned(),
        };
        return Some(OptionKind::Text { default });
    }
    let fields = Fields::of(words);
    match kind {
        "button" => Some(OptionKind::Button),
        "check" => Some(OptionKind::Check { default: fields.default.eq_ignore_ascii_case("true") }),
        "spin" => {
            let min = fields.min.parse().unwrap_or(i64::MIN);
            let max = fields.max.parse().unwrap_or(i64::MAX);
            let default = fields.default.parse().unwrap_or(0);
            (min <= max).then_some(OptionKind::Spin { default, min, max })
        }
        "combo" => Some(OptionKind::Combo { default: fields.default, choices: fields.choices }),
        _ => None,
    }
}

/// What is said about an option. Values may be of several words.
#[derive(Default)]
struct Fields {
    default: String,
    min: String,
    max: String,
    choices: Vec<String>,
}

impl Fields {
    fn of(words: Words<'_>) -> Fields {
        let mut fields = Fields::default();
        let mut unasked = String::new();
        let mut field = &mut unasked;
        for word in words {
            field = match word {
                "default" => &mut fields.default,
                "min" => &mut fields.min,
                "max" => &mut fields.max,
                "var" => fields.choices.push_mut(String::new()),
                _ => {
                    let separator = if field.is_empty() { "" } else { " " };
                    field.push_str(separator);
                    field.push_str(word);
                    field
                }
            };
        }
        fields
    }
}

/// An `option` line, without its end.
///
/// ```
/// use tabiya_engine::{OptionKind, OptionSpec};
/// use tabiya_protocol::uci::option::OptionLine;
///
/// let spec = OptionSpec { name: "Book".into(), kind: OptionKind::Text { default: "".into() }, help: String::new() };
/// assert_eq!(OptionLine(&spec).to_string(), "option name Book type string default <empty>");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OptionLine<'a>(
    /// What it describes.
    pub &'a OptionSpec,
);

impl fmt::Display for OptionLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.0.name)?;
        match &self.0.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } if default.is_empty() => {
                write!(f, "string default {EMPTY}")
            }
            OptionKind::Text { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_kinds_as_engines_write_them() {
        let read = |text: &str| parse(text).unwrap().kind;
        let text = |default: &str| OptionKind::Text { default: default.into() };
        assert_eq!(
            read("name Ponder type check default true"),
            OptionKind::Check { default: true }
        );
        assert_eq!(read("name Clear Hash type button"), OptionKind::Button);
        assert_eq!(read("name Log type string default"), text(""));
        assert_eq!(read("name Log type string default <empty>"), text(""));
        assert_eq!(read("name Log type string default my file.txt"), text("my file.txt"));
        let choices = ["Off", "Very Risky"].map(str::to_owned).to_vec();
        assert_eq!(
            read("name Style type combo default Very Risky var Off var Very Risky"),
            OptionKind::Combo { default: "Very Risky".into(), choices }
        );
        assert_eq!(
            read("name Contempt type spin default -5"),
            OptionKind::Spin { default: -5, min: i64::MIN, max: i64::MAX }
        );
    }

    #[test]
    fn what_describes_no_option_is_none() {
        for text in [
            "",
            "name",
            "name Hash",
            "name type check",
            "name Hash type",
            "name Hash type slider",
            "name Hash type spin default 1 min 9 max 3",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    fn any_kind() -> impl Strategy<Value = OptionKind> {
        let words = || "[A-Z][a-z]{0,8}( [A-Z][a-z]{0,8}){0,2}";
        prop_oneof![
            any::<bool>().prop_map(|default| OptionKind::Check { default }),
            Just(OptionKind::Button),
            words().prop_map(|default| OptionKind::Text { default }),
            Just(OptionKind::Text { default: String::new() }),
            (any::<i64>(), any::<i64>(), any::<i64>()).prop_map(|(default, one, other)| {
                OptionKind::Spin { default, min: one.min(other), max: one.max(other) }
            }),
            (words(), proptest::collection::vec(words(), 0..4))
                .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        ]
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(
            name in "[A-Z][a-zA-Z_]{1,8}( [A-Z][a-z]{1,8}){0,2}",
            kind in any_kind(),
        ) {
            let spec = OptionSpec { name, kind, help: String::new() };
            let line = OptionLine(&spec).to_string();
            prop_assert_eq!(parse(line.strip_prefix("option").unwrap()), Some(spec));
        }

        #[test]
        fn no_text_is_too_strange(
            text in any::<String>(),
            words in crate::testing::word_soup(&[
                "name", "type", "default", "min", "max", "var", "spin", "combo", "string", "check",
            ]),
        ) {
            let _ = parse(&text);
            let _ = parse(&words);
        }
    }
}
