//! The works whose experiments are measured again: what they print and what they claim, as data.

use super::claim::{Claim, ClaimError};
use super::table::{Cell, Origin, Table, natural};
use serde::Deserialize;

/// A work.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// A word for it.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// Its title.
    pub title: String,
    /// Where and when it appeared.
    pub published: String,
    /// What it is about, and what is not known of it.
    pub about: String,
    /// Its numbered items, by the numbers that claims refer to; each has a claim.
    pub items: Vec<String>,
    /// Tables as printed.
    #[serde(default, rename = "table")]
    pub tables: Vec<PrintedTable>,
    /// What it claims.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A table as printed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrintedTable {
    /// Its number.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Headings.
    pub columns: Vec<String>,
    /// Rows; the first entry names the row.
    pub rows: Vec<Vec<Entry>>,
}

/// What stands in a printed table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Entry {
    /// A number.
    Number(f64),
    /// Words, or nothing.
    Text(String),
}

impl Entry {
    /// The number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Entry::Number(number) => Some(*number),
            Entry::Text(_) => None,
        }
    }

    /// For a table of ours.
    pub fn cell(&self) -> Cell {
        match self {
            Entry::Number(value) => {
                // As many decimals as are printed.
                let text = natural(*value);
                let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
                Cell::Number { value: *value, decimals }
            }
            Entry::Text(text) => Cell::Text(text.clone()),
        }
    }
}

impl PrintedTable {
    /// Where a column is.
    ///
    /// # Panics
    /// If there is none: experiments and works belong together, and a test sees to it.
    pub fn place(&self, column: &str) -> usize {
        let place = self.columns.iter().position(|name| name == column);
        place.unwrap_or_else(|| panic!("table {} has no column {column:?}", self.id))
    }

    /// All numbers of a column, from the top; rows without one are passed over.
    pub fn column(&self, column: &str) -> Vec<f64> {
        let place = self.place(column);
        self.rows.iter().filter_map(|row| row.get(place)?.number()).collect()
    }

    /// What stands in a row under a column.
    pub fn entry(&self, row: &str, column: &str) -> Option<&Entry> {
        let place = self.place(column);
        let row = self.rows.iter().find(|entries| entries[0] == Entry::Text(row.to_owned()))?;
        row.get(place)
    }

    /// The number in a row under a column.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        self.entry(row, column)?.number()
    }

    /// All of it, as a table of ours.
    pub fn whole(&self) -> Table {
        let origin = |i| if i == 0 { Origin::Label } else { Origin::Printed };
        let columns: Vec<(&str, Origin)> =
            self.columns.iter().enumerate().map(|(i, name)| (name.as_str(), origin(i))).collect();
        let id = format!("printed-{}", self.id.replace('.', "-"));
        let title = format!("Table {}, as printed: {}", self.id, self.title);
        let mut table = Table::new(&id, &title, &columns);
        for row in &self.rows {
            table.row(row.iter().map(Entry::cell).collect());
        }
        table
    }

    /// What stands there, for a table of ours.
    pub fn cell(&self, row: &str, column: &str) -> Cell {
        self.entry(row, column).map_or_else(Cell::none, Entry::cell)
    }
}

/// Why a work cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// Not TOML, or not of the right form.
    #[error("{0}: {1}")]
    Form(&'static str, Box<toml::de::Error>),
    /// A claim that makes no sense.
    #[error("{0}: {1}")]
    Claim(&'static str, ClaimError),
    /// A table's row has more or fewer entries than there are columns.
    #[error("{0}: table {1}, row {2}: as many entries as there are columns are needed")]
    Row(&'static str, String, usize),
}

/// All works.
#[derive(Debug)]
pub struct Library {
    /// The works.
    pub works: Vec<Work>,
}

/// The works that the program knows, in the order in which they were written.
const WORKS: [(&str, &str); 5] = [
    ("the-1992.toml", include_str!("../../works/the-1992.toml")),
    ("rasmussen-2004.toml", include_str!("../../works/rasmussen-2004.toml")),
    ("reul-2009.toml", include_str!("../../works/reul-2009.toml")),
    ("aalborg-2012.toml", include_str!("../../works/aalborg-2012.toml")),
    ("algobrain-2019.toml", include_str!("../../works/algobrain-2019.toml")),
];

impl Library {
    /// Reads all works that the program knows.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn load() -> Result<Library, WorkError> {
        let read = |(name, text): (&'static str, &str)| {
            let form = |error| WorkError::Form(name, Box::new(error));
            let work: Work = toml::from_str(text).map_err(form)?;
            for claim in &work.claims {
                claim.check().map_err(|error| WorkError::Claim(name, error))?;
            }
            for table in &work.tables {
                let uneven = |row: &Vec<Entry>| row.len() != table.columns.len();
                if let Some(row) = table.rows.iter().position(uneven) {
                    return Err(WorkError::Row(name, table.id.clone(), row + 1));
                }
            }
            Ok(work)
        };
        Ok(Library { works: WORKS.into_iter().map(read).collect::<Result<_, _>>()? })
    }

    /// A work by its word.
    pub fn work(&self, id: &str) -> Option<&Work> {
        self.works.iter().find(|work| work.id == id)
    }
}
