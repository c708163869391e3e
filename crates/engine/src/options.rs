//! Options: what can be set, to what, and why a wish was refused.

use tabiya_chess::shortened;

/// An error quotes this many characters of a name or a value at most.
pub(crate) const LONGEST_QUOTE: usize = 80;

/// The kind of an option, with its default and what it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// At the start.
        default: bool,
    },
    /// A number within limits.
    Spin {
        /// At the start.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// At the start.
        default: String,
        /// All of them.
        choices: Vec<String>,
    },
    /// Something to do now.
    Button,
    /// Any text.
    Text {
        /// At the start.
        default: String,
    },
}

/// An option that an analyst offers.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OptionSpec {
    /// Its name as GUIs show it.
    pub name: String,
    /// What it takes.
    pub kind: OptionKind,
    /// What it does, in one sentence; empty where that is not known.
    pub help: String,
}

/// A value that fits its option's kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// For [`OptionKind::Check`].
    Check(bool),
    /// For [`OptionKind::Spin`].
    Spin(i64),
    /// For [`OptionKind::Combo`] and [`OptionKind::Text`].
    Text(String),
    /// For [`OptionKind::Button`].
    Pressed,
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("there is no option {0:?}")]
    Unknown(String),
    /// The value does not fit.
    #[error("option {name}: {value:?} does not fit; {wanted}")]
    Unfit {
        /// The option.
        name: String,
        /// What was asked for.
        value: String,
        /// What would be right.
        wanted: String,
    },
    /// The value fits, but carrying it out failed.
    #[error("option {name}: {reason}")]
    Failed {
        /// The option.
        name: String,
        /// Why.
        reason: String,
    },
}

impl OptionSpec {
    /// The value behind a text, if it fits. Numbers and yes/no must be exact; words are taken in any
    /// case.
    ///
    /// ```
    /// use tabiya_engine::{OptionKind, OptionSpec, OptionValue};
    /// let hash = OptionSpec {
    ///     name: "Hash".into(),
    ///     kind: OptionKind::Spin { default: 16, min: 1, max: 1024 },
    ///     help: "Megabytes of the transposition table.".into(),
    /// };
    /// assert_eq!(hash.parse("64"), Ok(OptionValue::Spin(64)));
    /// assert_eq!(
    ///     hash.parse("0").unwrap_err().to_string(),
    ///     "option Hash: \"0\" does not fit; it takes a whole number from 1 to 1024"
    /// );
    /// ```
    pub fn parse(&self, text: &str) -> Result<OptionValue, OptionError> {
        let unfit = |wanted: String| {
            let value = shortened(text, LONGEST_QUOTE);
            OptionError::Unfit { name: self.name.clone(), value, wanted }
        };
        match &self.kind {
            OptionKind::Button => Ok(OptionValue::Pressed),
            OptionKind::Text { .. } => {
                // GUIs write an empty text this way.
                let text = if text == "<empty>" { "" } else { text };
                Ok(OptionValue::Text(text.to_owned()))
            }
            OptionKind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" => Ok(OptionValue::Check(true)),
                "false" => Ok(OptionValue::Check(false)),
                _ => Err(unfit("it takes true or false".into())),
            },
            OptionKind::Spin { min, max, .. } => match text.parse() {
                Ok(value) if (*min..=*max).contains(&value) => Ok(OptionValue::Spin(value)),
                _ => Err(unfit(format!("it takes a whole number from {min} to {max}"))),
            },
            OptionKind::Combo { choices, .. } => {
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(text)) {
                    Some(choice) => Ok(OptionValue::Text(choice.clone())),
                    None => Err(unfit(format!("it takes one of: {}", choices.join(", ")))),
                }
            }
        }
    }
}
