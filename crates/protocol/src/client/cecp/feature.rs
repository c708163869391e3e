//! What a CECP engine says it can do, and its options.

use tabiya_chess::shortened;
use tabiya_engine::{OptionKind, OptionSpec};

/// More options than any engine has; those beyond are not heard.
const MOST_OPTIONS: usize = 1000;

/// Names beyond this are cut.
const LONGEST_NAME: usize = 200;

/// What an engine can do. What it does not mention is as the protocol has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Features {
    pub(super) name: Option<String>,
    /// Answers `ping`.
    pub(super) ping: bool,
    /// Takes a position as FEN.
    pub(super) setboard: bool,
    /// Wants `usermove` before a move.
    pub(super) usermove: bool,
    /// Wants to know the clocks.
    pub(super) time: bool,
    /// Plays more than one game.
    pub(super) reuse: bool,
    /// Plays Chess960.
    pub(super) chess960: bool,
    /// Its own options, `Hash` and `Threads` among them if it has `memory` and `smp`.
    pub(super) options: Vec<OptionSpec>,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            name: None,
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            reuse: true,
            chess960: false,
            options: Vec::new(),
        }
    }
}

/// The option behind the feature `memory`.
pub(super) const HASH: &str = "Hash";

/// The option behind the feature `smp`.
pub(super) const THREADS: &str = "Threads";

impl Features {
    /// Notes a feature; false if we cannot have it.
    pub(super) fn take(&mut self, feature: &str, value: &str) -> bool {
        let on = value != "0";
        match feature {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "reuse" => self.reuse = on,
            "myname" => self.name = Some(shortened(value, LONGEST_NAME)),
            "variants" => {
                self.chess960 = value.split(',').any(|variant| variant.trim() == "fischerandom");
            }
            "memory" if on => self.add_number(HASH, 16, 1 << 20),
            "smp" if on => self.add_number(THREADS, 1, 1 << 10),
            "option" => match parse_option(value) {
                Some(spec) if self.options.len() < MOST_OPTIONS => self.options.push(spec),
                _ => return false,
            },
            // Moves as we write them, and no signals: we know nothing of processes.
            "san" | "sigint" | "sigterm" => return !on,
            // What we make no use of may be as it likes.
            "analyze" | "colors" | "debug" | "done" | "draw" | "egt" | "exclude" | "ics"
            | "memory" | "name" | "nps" | "pause" | "playother" | "setscore" | "smp" => {}
            _ => return false,
        }
        true
    }

    fn add_number(&mut self, name: &str, default: i64, max: i64) {
        self.options.retain(|spec| spec.name != name);
        let kind = OptionKind::Spin { default, min: 1, max };
        self.options.push(OptionSpec { name: name.to_owned(), kind, help: String::new() });
    }
}

/// The features of a line: names and values, without quotation marks.
///
/// `ping=1 myname="Fairy-Max 5.0b"` has two.
pub(super) fn features(mut text: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, rest) = text.trim_ascii_start().split_once('=')?;
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        text = rest;
        Some((name, value))
    })
}

/// Reads an option such as `Resign Threshold -spin 800 200 1200`.
fn parse_option(text: &str) -> Option<OptionSpec> {
    let (name, rest) = text.split_once(" -")?;
    let (kind, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let value = value.trim_ascii();
    let kind = match kind {
        "button" | "save" | "reset" => OptionKind::Button,
        "check" => OptionKind::Check { default: value == "1" },
        "spin" | "slider" => {
            let mut numbers = value.split_ascii_whitespace().map(|number| number.parse().ok());
            let mut number = || numbers.next()?;
            let (default, min, max) = (number()?, number()?, number()?);
            (min <= max).then_some(OptionKind::Spin { default, min, max })?
        }
        "combo" => parse_combo(value)?,
        "string" | "file" | "path" => OptionKind::Text { default: value.to_owned() },
        _ => return None,
    };
    let name = name.trim_ascii().to_owned();
    (!name.is_empty()).then_some(OptionSpec { name, kind, help: String::new() })
}

/// Reads choices such as `Off /// *Normal /// Risky`; the star is at the present one.
fn parse_combo(text: &str) -> Option<OptionKind> {
    let mut default = None;
    let mut choices = Vec::new();
    for choice in text.split("///") {
        let choice = choice.trim_ascii();
        let plain = choice.strip_prefix('*').unwrap_or(choice);
        if plain.len() < choice.len() {
            default = Some(plain.to_owned());
        }
        choices.push(plain.to_owned());
    }
    let default = default.or_else(|| choices.first().cloned())?;
    Some(OptionKind::Combo { default, choices })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quoted_and_plain_values() {
        let line = r#" ping=1 myname="Fairy-Max 5.0b" setboard=0  done=1"#;
        let expected =
            [("ping", "1"), ("myname", "Fairy-Max 5.0b"), ("setboard", "0"), ("done", "1")];
        assert!(features(line).eq(expected));
        assert!(features(r#"myname="never ends"#).eq([("myname", "never ends")]));
        assert_eq!(features("nonsense").count(), 0);
    }

    #[test]
    fn options_as_engines_write_them() {
        let kind = |text| parse_option(text).map(|spec| spec.kind);
        assert_eq!(kind("Resign -check 0"), Some(OptionKind::Check { default: false }));
        let spin = OptionKind::Spin { default: 0, min: 0, max: 50 };
        let slider = parse_option("Randomizer (0-50) -slider 0 0 50").unwrap();
        assert_eq!((slider.name.as_str(), slider.kind), ("Randomizer (0-50)", spin));
        assert_eq!(kind("Clear Hash -button"), Some(OptionKind::Button));
        let default = "happy birthday!".to_owned();
        assert_eq!(kind("Wish -string happy birthday!"), Some(OptionKind::Text { default }));
        let combo = kind("Rules -combo makruk /// *Cambodian /// Ai-wok").unwrap();
        let choices = ["makruk", "Cambodian", "Ai-wok"].map(str::to_owned).to_vec();
        assert_eq!(combo, OptionKind::Combo { default: "Cambodian".to_owned(), choices });
        for nonsense in ["", "Hash", "Hash -spin 1", "Hash -spin 1 9 3", " -check 1", "X -dial 1"] {
            assert_eq!(kind(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn memory_and_smp_are_options_like_others() {
        let mut all = Features::default();
        for (feature, value) in features("memory=1 smp=1 memory=1 usermove=1") {
            assert!(all.take(feature, value));
        }
        let names: Vec<&str> = all.options.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, [THREADS, HASH]);
        assert!(all.usermove && all.time && all.reuse && !all.setboard);
    }

    #[test]
    fn what_we_cannot_have_is_refused() {
        let mut all = Features::default();
        let taken = |(feature, value)| all.take(feature, value);
        let answers: Vec<bool> =
            features("san=1 sigint=0 sigint=1 teleport=1").map(taken).collect();
        assert_eq!(answers, [false, true, false, false]);
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in any::<String>(), more in "[-a-z =\"/*0-9]{0,80}") {
            let mut all = Features::default();
            for (feature, value) in features(&text).chain(features(&more)) {
                all.take(feature, value);
            }
            let _ = (parse_option(&text), parse_option(&more));
        }
    }
}
