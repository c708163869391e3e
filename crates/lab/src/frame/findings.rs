//! What an experiment returns.

use super::plot::Plot;
use super::table::{Table, can_be_shown};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Numbers by which claims are judged: one, or several of a kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The numbers.
    pub values: Vec<f64>,
    /// For a number that was measured several times, the lowest and the highest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<(f64, f64)>,
}

/// All that was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Findings {
    /// What to say about it, a paragraph each.
    pub notes: Vec<String>,
    /// Tables.
    pub tables: Vec<Table>,
    /// Plots.
    pub plots: Vec<Plot>,
    /// Figures by name.
    pub figures: BTreeMap<String, Figure>,
    /// Why a figure is missing, by name.
    #[serde(default)]
    pub missing: BTreeMap<String, String>,
}

impl Findings {
    /// Can all of it be shown? What is read from a file may make no sense.
    pub(super) fn is_sound(&self) -> bool {
        let numbers = self.figures.values().flat_map(|figure| {
            let (low, high) = figure.range.unzip();
            figure.values.iter().copied().chain(low).chain(high)
        });
        numbers.into_iter().all(can_be_shown)
            && self.tables.iter().all(Table::is_sound)
            && self.plots.iter().all(Plot::is_sound)
    }

    /// Adds a number.
    pub fn number(&mut self, name: &str, value: f64) {
        self.figures.insert(name.to_owned(), Figure { values: vec![value], range: None });
    }

    /// Adds a number that was measured several times.
    pub fn measured(&mut self, name: &str, value: f64, low: f64, high: f64) {
        let figure = Figure { values: vec![value], range: Some((low, high)) };
        self.figures.insert(name.to_owned(), figure);
    }

    /// Adds several numbers.
    pub fn numbers(&mut self, name: &str, values: impl IntoIterator<Item = f64>) {
        let figure = Figure { values: values.into_iter().collect(), range: None };
        self.figures.insert(name.to_owned(), figure);
    }

    /// Adds whether something is so: 1 or 0.
    pub fn truth(&mut self, name: &str, value: bool) {
        self.number(name, f64::from(u8::from(value)));
    }

    /// Says why there is no such figure.
    pub fn lacks(&mut self, name: &str, why: &str) {
        self.missing.insert(name.to_owned(), why.to_owned());
    }

    /// Adds a paragraph.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }
}
