//! Tables: on a terminal, as CSV, and in the report.

use serde::{Deserialize, Serialize};
use std::fmt::Write;
pub use tabiya_chart::{grouped as number, natural};

/// More decimals than this no number is shown with.
pub(super) const MOST_DECIMALS: usize = 15;

/// Can a number be written, and a scale be drawn for it? What is far beyond anything that is measured cannot.
pub(super) fn can_be_shown(number: f64) -> bool {
    number.abs() < 1e15
}

/// Where the numbers of a column come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// It names the row.
    Label,
    /// Printed in the work.
    Printed,
    /// Counted here: the same on every machine.
    Counted,
    /// Timed here: this machine, this run.
    Timed,
}

impl Origin {
    /// A word for it; none for what names a row.
    pub fn word(self) -> &'static str {
        match self {
            Origin::Label => "",
            Origin::Printed => "printed",
            Origin::Counted => "counted",
            Origin::Timed => "timed",
        }
    }
}

/// A column.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Where its numbers come from.
    pub origin: Origin,
}

/// What stands in a row under a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number with so many decimals.
    Number {
        /// The number.
        value: f64,
        /// How many decimals are meant.
        decimals: usize,
    },
    /// The middle of several measurements, and their range.
    Range {
        /// The median.
        median: f64,
        /// The lowest.
        low: f64,
        /// The highest.
        high: f64,
        /// How many decimals are meant.
        places: usize,
    },
    /// Words, or nothing.
    Text(String),
}

impl Cell {
    /// Nothing.
    pub fn none() -> Cell {
        Cell::Text(String::new())
    }

    /// As it is written.
    pub fn text(&self) -> String {
        match self {
            Cell::Number { value, decimals } => number(*value, *decimals),
            Cell::Range { median, low, high, places } => format!(
                "{} ({}–{})",
                number(*median, *places),
                number(*low, *places),
                number(*high, *places)
            ),
            Cell::Text(text) => text.clone(),
        }
    }

    /// As a machine reads it.
    fn csv(&self) -> String {
        match self {
            Cell::Number { value, decimals } => format!("{value:.decimals$}"),
            Cell::Range { median, low, high, places } => {
                format!("{median:.places$} [{low:.places$} {high:.places$}]")
            }
            Cell::Text(text) if text.contains([',', '"', '\n', '\r']) => {
                format!("\"{}\"", text.replace('"', "\"\""))
            }
            Cell::Text(text) => text.clone(),
        }
    }

    /// Is it a number?
    pub fn is_numeric(&self) -> bool {
        !matches!(self, Cell::Text(_))
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Cell {
        Cell::Number { value: value as f64, decimals: 0 }
    }
}

impl From<f64> for Cell {
    /// With two decimals.
    fn from(value: f64) -> Cell {
        Cell::Number { value, decimals: 2 }
    }
}

/// A table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// A word for its file.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// What has to be said about it.
    #[serde(default)]
    pub note: String,
}

impl Table {
    /// A table without rows.
    pub fn new(id: &str, title: &str, columns: &[(&str, Origin)]) -> Table {
        let columns = columns
            .iter()
            .map(|&(name, origin)| Column { name: name.to_owned(), origin })
            .collect();
        Table {
            id: id.to_owned(),
            title: title.to_owned(),
            columns,
            rows: Vec::new(),
            note: String::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<Cell>) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{}", self.title);
        self.rows.push(cells);
    }

    /// Has each row as many cells as there are columns, and can every number be shown? What is read from a
    /// file may make no sense.
    pub(super) fn is_sound(&self) -> bool {
        let fits = |cell: &Cell| match cell {
            Cell::Number { value, decimals } => can_be_shown(*value) && *decimals <= MOST_DECIMALS,
            Cell::Range { median, low, high, places } => {
                [*median, *low, *high].into_iter().all(can_be_shown) && *places <= MOST_DECIMALS
            }
            Cell::Text(_) => true,
        };
        self.rows.iter().all(|row| row.len() == self.columns.len() && row.iter().all(fits))
    }

    /// For a terminal.
    pub fn terminal(&self) -> String {
        let cells: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(Cell::text).collect()).collect();
        let widths: Vec<usize> = self
            .columns
            .iter()
            .enumerate()
            .map(|(i, column)| {
                let widest = cells.iter().map(|row| row[i].chars().count()).max().unwrap_or(0);
                widest.max(column.name.chars().count()).max(column.origin.word().len())
            })
            .collect();
        let mut text = format!("{}\n", self.title);
        let mut line = |words: Vec<&str>| {
            let mut out = String::new();
            for (i, word) in words.iter().enumerate() {
                let width = widths[i];
                let gap = if i == 0 { "" } else { "  " };
                let _ = match self.columns[i].origin {
                    Origin::Label => write!(out, "{gap}{word:<width$}"),
                    _ => write!(out, "{gap}{word:>width$}"),
                };
            }
            text.push_str(out.trim_end());
            text.push('\n');
        };
        line(self.columns.iter().map(|column| column.origin.word()).collect());
        line(self.columns.iter().map(|column| column.name.as_str()).collect());
        for row in &cells {
            line(row.iter().map(String::as_str).collect());
        }
        if !self.note.is_empty() {
            let _ = writeln!(text, "{}", self.note);
        }
        text
    }

    /// As comma-separated values.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        let heads = self.columns.iter().map(|column| {
            Cell::Text(match column.origin {
                Origin::Label => column.name.clone(),
                origin => format!("{} ({})", column.name, origin.word()),
            })
            .csv()
        });
        let _ = writeln!(text, "{}", heads.collect::<Vec<_>>().join(","));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::csv).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_aligned_and_quoted() {
        let mut table =
            Table::new("t", "T", &[("name", Origin::Label), ("count", Origin::Counted)]);
        table.row(vec!["a, \"b\"".into(), 1_000u64.into()]);
        table.row(vec!["c".into(), Cell::none()]);
        assert_eq!(table.terminal(), "T\n        counted\nname      count\na, \"b\"    1,000\nc\n");
        assert_eq!(table.csv(), "name,count (counted)\n\"a, \"\"b\"\"\",1000\nc,\n");
    }
}
