//! Options: what can be set, to which values, and how. [`OptionRegistry`] is the one list of them.

use core::fmt;
use core::ops::RangeInclusive;
use std::sync::Arc;
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

/// As protocols write it; a button has nothing to write.
impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Check(on) => write!(f, "{on}"),
            OptionValue::Spin(number) => write!(f, "{number}"),
            OptionValue::Text(text) => f.write_str(text),
            OptionValue::Pressed => Ok(()),
        }
    }
}

/// An option and a value that fits it: what a user asked for, parsed once.
///
/// ```
/// use tabiya_engine::{OptionKind, OptionSetting, OptionSpec, OptionValue};
/// let kind = OptionKind::Check { default: false };
/// let specs = [OptionSpec { name: "Ponder".into(), kind, help: String::new() }];
/// let setting = OptionSetting::parse(&specs, "ponder", "TRUE")?;
/// assert_eq!((setting.name(), setting.value()), ("Ponder", &OptionValue::Check(true)));
/// # Ok::<(), tabiya_engine::OptionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSetting {
    name: String,
    value: OptionValue,
}

impl OptionSetting {
    /// Finds the option of this name, in any case, and parses a value for it.
    pub fn parse(
        specs: &[OptionSpec],
        name: &str,
        text: &str,
    ) -> Result<OptionSetting, OptionError> {
        let named = specs.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let spec = named.ok_or_else(|| unknown(name))?;
        Ok(OptionSetting { name: spec.name.clone(), value: spec.parse(text)? })
    }

    /// The option, as its list has it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value.
    pub fn value(&self) -> &OptionValue {
        &self.value
    }
}

fn unknown(name: &str) -> OptionError {
    OptionError::Unknown(shortened(name, LONGEST_QUOTE))
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

/// The values that an option takes, in words, as the table in `docs/engine.md` has them.
///
/// ```
/// use tabiya_engine::OptionKind;
/// let kind = OptionKind::Spin { default: 16, min: 1, max: 1024 };
/// assert_eq!(kind.to_string(), "1 to 1024, default 16");
/// ```
impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Check { default } => write!(f, "true or false, default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "{min} to {max}, default {default}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "{}; default {default}", choices.join(", "))
            }
            OptionKind::Button => write!(f, "button"),
            OptionKind::Text { default } if default.is_empty() => write!(f, "text, default empty"),
            OptionKind::Text { default } => write!(f, "text, default {default}"),
        }
    }
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

/// Why a value that was parsed for an option of another list does not fit.
const OTHER_KIND: &str = "it takes another kind of value";

/// What sets an option of a provider `P`: it is given the provider and a value that fits the kind.
type OptionSetter<P> = Arc<dyn Fn(&mut P, OptionValue) -> Result<(), String> + Send + Sync>;

/// The options of a provider `P`: of each its name, kind, default, range, help and setter.
///
/// This is the one list. What `uci` prints, what `setoption` sets, what the documentation lists and what
/// the tests go through all come from it. A part that comes later (a book, tablebases, a cluster) adds
/// its own entries.
///
/// ```
/// use tabiya_engine::OptionRegistry;
///
/// #[derive(Default)]
/// struct Lamp {
///     watts: i64,
/// }
///
/// let mut registry = OptionRegistry::<Lamp>::default();
/// registry.spin("Watts", 40, 1..=100, "How bright it is.", |lamp, watts| {
///     lamp.watts = watts;
///     Ok(())
/// });
/// let mut lamp = Lamp::default();
/// let set = registry.prepare(registry.parse("watts", "60")?)?;
/// set(&mut lamp)?;
/// assert_eq!(lamp.watts, 60);
/// assert!(registry.parse("watts", "101").is_err());
/// # Ok::<(), tabiya_engine::OptionError>(())
/// ```
pub struct OptionRegistry<P> {
    specs: Vec<OptionSpec>,
    /// In the same order.
    setters: Vec<OptionSetter<P>>,
}

impl<P> Default for OptionRegistry<P> {
    fn default() -> OptionRegistry<P> {
        OptionRegistry { specs: Vec::new(), setters: Vec::new() }
    }
}

impl<P> OptionRegistry<P> {
    /// Adds yes or no.
    pub fn check(
        &mut self,
        name: &str,
        default: bool,
        help: &str,
        set: impl Fn(&mut P, bool) -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.add(name, OptionKind::Check { default }, help, move |provider, value| match value {
            OptionValue::Check(on) => set(provider, on),
            _ => Err(OTHER_KIND.to_owned()),
        });
    }

    /// Adds a number within limits.
    pub fn spin(
        &mut self,
        name: &str,
        default: i64,
        range: RangeInclusive<i64>,
        help: &str,
        set: impl Fn(&mut P, i64) -> Result<(), String> + Send + Sync + 'static,
    ) {
        let (min, max) = range.into_inner();
        let kind = OptionKind::Spin { default, min, max };
        self.add(name, kind, help, move |provider, value| match value {
            OptionValue::Spin(number) => set(provider, number),
            _ => Err(OTHER_KIND.to_owned()),
        });
    }

    /// Adds one of several words, the first of which is the default.
    pub fn combo(
        &mut self,
        name: &str,
        choices: &[&str],
        help: &str,
        set: impl Fn(&mut P, &str) -> Result<(), String> + Send + Sync + 'static,
    ) {
        let choices: Vec<String> = choices.iter().map(|&choice| choice.to_owned()).collect();
        let default = choices.first().cloned().unwrap_or_default();
        self.words(name, OptionKind::Combo { default, choices }, help, set);
    }

    /// Adds any text.
    pub fn text(
        &mut self,
        name: &str,
        default: &str,
        help: &str,
        set: impl Fn(&mut P, &str) -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.words(name, OptionKind::Text { default: default.to_owned() }, help, set);
    }

    fn words(
        &mut self,
        name: &str,
        kind: OptionKind,
        help: &str,
        set: impl Fn(&mut P, &str) -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.add(name, kind, help, move |provider, value| match value {
            OptionValue::Text(text) => set(provider, &text),
            _ => Err(OTHER_KIND.to_owned()),
        });
    }

    /// Adds something to do at once.
    pub fn button(
        &mut self,
        name: &str,
        help: &str,
        press: impl Fn(&mut P) -> Result<(), String> + Send + Sync + 'static,
    ) {
        self.add(name, OptionKind::Button, help, move |provider, _| press(provider));
    }

    fn add(
        &mut self,
        name: &str,
        kind: OptionKind,
        help: &str,
        set: impl Fn(&mut P, OptionValue) -> Result<(), String> + Send + Sync + 'static,
    ) {
        let taken = self.specs.iter().any(|spec| spec.name.eq_ignore_ascii_case(name));
        assert!(!taken, "there are two options of the name {name}");
        self.specs.push(OptionSpec { name: name.to_owned(), kind, help: help.to_owned() });
        self.setters.push(Arc::new(set));
    }

    /// All options, in the order in which they were added.
    pub fn specs(&self) -> &[OptionSpec] {
        &self.specs
    }

    /// Parses a value for the option of this name, in any case.
    pub fn parse(&self, name: &str, text: &str) -> Result<OptionSetting, OptionError> {
        OptionSetting::parse(&self.specs, name, text)
    }

    /// What is returned sets the option; the provider may have this registry in itself.
    pub fn prepare(
        &self,
        setting: OptionSetting,
    ) -> Result<impl FnOnce(&mut P) -> Result<(), OptionError> + use<P>, OptionError> {
        let OptionSetting { name, value } = setting;
        let place = self.specs.iter().position(|spec| spec.name == name);
        let set = Arc::clone(&self.setters[place.ok_or_else(|| unknown(&name))?]);
        Ok(move |provider: &mut P| {
            set(provider, value).map_err(|reason| OptionError::Failed { name, reason })
        })
    }
}
