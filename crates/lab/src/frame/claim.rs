//! Claims, and how they are judged.

use super::findings::Figure;
use super::table::{natural, number};
use serde::Deserialize;

/// Something a work says that a figure can bear out or not.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A word for it.
    pub id: String,
    /// The numbered items of the work that it covers.
    #[serde(default)]
    pub items: Vec<String>,
    /// Where the work says it.
    pub source: String,
    /// What it says.
    pub says: String,
    /// The experiment whose figure decides.
    #[serde(default)]
    pub experiment: String,
    /// The figure.
    #[serde(default)]
    pub figure: String,
    /// What the figure is, in a word or two.
    #[serde(default)]
    pub unit: String,
    /// The figure must be exactly this: each of its numbers, or all of them in order.
    #[serde(default)]
    pub equals: Option<Expected>,
    /// It must be true, or false: a figure of 1 or 0.
    #[serde(default)]
    pub is: Option<bool>,
    /// It must be about this...
    #[serde(default)]
    pub about: Option<f64>,
    /// ...give or take so much.
    #[serde(default)]
    pub within: Option<f64>,
    /// It must be this or more.
    #[serde(default)]
    pub at_least: Option<f64>,
    /// It must be this or less.
    #[serde(default)]
    pub at_most: Option<f64>,
    /// Why nobody can tell.
    #[serde(default)]
    pub untestable: Option<String>,
}

/// One number for all, or one for each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Expected {
    /// The same for all.
    One(f64),
    /// In this order.
    Each(Vec<f64>),
}

/// Why a claim makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// It cannot be judged.
    #[error(
        "claim {0} needs an experiment, a figure and one of `equals`, `is`, `about` with `within`, \
         `at_least` and `at_most`; or it has `untestable` alone"
    )]
    Test(String),
}

impl Claim {
    pub(super) fn check(&self) -> Result<(), ClaimError> {
        let bounds = self.at_least.is_some() || self.at_most.is_some();
        let tests = [self.equals.is_some(), self.is.is_some(), self.about.is_some(), bounds];
        let count = tests.into_iter().filter(|given| *given).count();
        let named = !self.experiment.is_empty() && !self.figure.is_empty();
        let sound = match self.untestable {
            Some(_) => count == 0 && !named && self.within.is_none(),
            None => count == 1 && named && self.about.is_some() == self.within.is_some(),
        };
        if sound { Ok(()) } else { Err(ClaimError::Test(self.id.clone())) }
    }

    /// Does this figure bear the claim out?
    pub fn accepts(&self, figure: &Figure) -> bool {
        let values = &figure.values;
        if values.is_empty() {
            return false;
        }
        if let Some(Expected::Each(each)) = &self.equals {
            return each == values;
        }
        values.iter().all(|&value| {
            let equal = match &self.equals {
                Some(Expected::One(one)) => value == *one,
                _ => true,
            };
            let near = match (self.about, self.within) {
                (Some(about), Some(within)) => (value - about).abs() <= within,
                _ => true,
            };
            equal
                && near
                && self.is.is_none_or(|truth| value == f64::from(u8::from(truth)))
                && self.at_least.is_none_or(|least| value >= least)
                && self.at_most.is_none_or(|most| value <= most)
        })
    }

    /// What is asked of the figure, in words.
    pub fn expectation(&self) -> String {
        let unit = &self.unit;
        let numbers = |values: &[f64]| match values.len() {
            0..=8 => values.iter().map(|&value| natural(value)).collect::<Vec<_>>().join(" "),
            many => format!("{many} figures"),
        };
        if let Some(truth) = self.is {
            return yes_or_no(truth).to_owned();
        }
        let text = match (&self.equals, self.about, self.at_least, self.at_most) {
            (Some(Expected::One(one)), ..) => natural(*one),
            (Some(Expected::Each(each)), ..) => numbers(each),
            (_, Some(about), ..) => {
                format!("{} ± {}", natural(about), natural(self.within.unwrap_or(0.0)))
            }
            (_, _, Some(least), Some(most)) => format!("{} to {}", natural(least), natural(most)),
            (_, _, Some(least), None) => format!("at least {}", natural(least)),
            (_, _, None, Some(most)) => format!("at most {}", natural(most)),
            _ => String::new(),
        };
        with_unit(text, unit)
    }

    /// A figure in words.
    pub fn found(&self, figure: &Figure) -> String {
        let word = |value: f64| match self.is {
            Some(_) => yes_or_no(value != 0.0).to_owned(),
            None => rounded(value),
        };
        let values: Vec<String> = figure.values.iter().map(|&value| word(value)).collect();
        let text = match (&self.equals, values.len()) {
            (Some(Expected::Each(each)), many) if many > 8 => {
                let same = each.iter().zip(&figure.values).filter(|(a, b)| a == b).count();
                if same == many && each.len() == many {
                    format!("all {many} the same")
                } else {
                    format!("{same} of {} the same", each.len().max(many))
                }
            }
            (_, many) if many > 8 => {
                let least = figure.values.iter().copied().fold(f64::INFINITY, f64::min);
                let most = figure.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                if least == most {
                    format!("{many} times {}", rounded(least))
                } else {
                    format!("{many} figures from {} to {}", rounded(least), rounded(most))
                }
            }
            _ => values.join(" "),
        };
        let range = figure.range.map_or_else(String::new, |(low, high)| {
            format!(" ({}–{})", rounded(low), rounded(high))
        });
        with_unit(text, &self.unit) + &range
    }
}

/// To three digits, if it is not a whole number: what is not nothing must not look like it.
fn rounded(value: f64) -> String {
    if value == value.round() {
        return natural(value);
    }
    let digits = 2 - value.abs().log10().floor() as i32;
    let text = number(value, digits.clamp(0, 9) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn yes_or_no(truth: bool) -> &'static str {
    if truth { "yes" } else { "no" }
}

fn with_unit(text: String, unit: &str) -> String {
    if unit.is_empty() { text } else { format!("{text} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(toml: &str) -> Claim {
        let head = "id = \"x\"\nsource = \"s\"\nsays = \"it\"\n";
        toml::from_str(&format!("{head}{toml}")).unwrap()
    }

    fn figure(values: &[f64]) -> Figure {
        Figure { values: values.to_vec(), range: None }
    }

    #[test]
    fn claims_are_judged() {
        let test = "experiment = \"e\"\nfigure = \"f\"\n";
        let about = claim(&format!("{test}about = 1.17\nwithin = 0.05"));
        assert!(about.check().is_ok());
        assert!(about.accepts(&figure(&[1.2, 1.13])) && !about.accepts(&figure(&[1.2, 1.3])));
        assert!(!about.accepts(&figure(&[])));
        let exact = claim(&format!("{test}equals = [4, 32, 4096]"));
        assert!(exact.accepts(&figure(&[4.0, 32.0, 4096.0])));
        assert!(!exact.accepts(&figure(&[4.0, 32.0])));
        let between = claim(&format!("{test}at_least = 1\nat_most = 2\nunit = \"times\""));
        assert!(between.accepts(&figure(&[1.0, 2.0])) && !between.accepts(&figure(&[0.9])));
        assert_eq!(between.expectation(), "1 to 2 times");
        assert_eq!(between.found(&figure(&[1.23456])), "1.23 times");
        let least = claim(&format!("{test}at_least = 50\nunit = \"%\""));
        assert_eq!(least.expectation(), "at least 50 %");
        let truth = claim(&format!("{test}is = true"));
        assert!(truth.check().is_ok() && truth.accepts(&figure(&[1.0])));
        assert!(!truth.accepts(&figure(&[0.0])) && !truth.accepts(&figure(&[2.0])));
        assert_eq!(
            (truth.expectation().as_str(), truth.found(&figure(&[0.0])).as_str()),
            ("yes", "no")
        );
        let found = [0.000_312, 0.25, 12.04, 99.96, 1234.6, -0.5].map(|value| figure(&[value]));
        let words = found.map(|figure| between.found(&figure));
        let expected = ["0.000312", "0.25", "12", "100", "1,235", "−0.5"];
        assert_eq!(words, expected.map(|number| format!("{number} times")));
        let zeros = claim(&format!("{test}equals = 0"));
        assert_eq!(zeros.found(&figure(&[0.0; 10])), "10 times 0");
    }

    #[test]
    fn claims_that_make_no_sense_are_refused() {
        for toml in [
            "",
            "experiment = \"e\"\nfigure = \"f\"",
            "experiment = \"e\"\nfigure = \"f\"\nabout = 1",
            "experiment = \"e\"\nfigure = \"f\"\nequals = 1\nat_least = 1",
            "experiment = \"e\"\nfigure = \"f\"\nequals = 1\nis = true",
            "untestable = \"lost\"\nequals = 1",
            "equals = 1",
        ] {
            assert!(claim(toml).check().is_err(), "{toml}");
        }
        assert!(claim("untestable = \"lost\"").check().is_ok());
    }
}
