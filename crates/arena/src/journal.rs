//! What has been played so far, kept so that nothing is lost.
//!
//! A journal is a file of lines of JSON. The first says what is being done, the *recipe*; each other line
//! is a result, written as soon as it is known. Whoever does the same again finds the results there and
//! goes on; whoever does something else under the same name is refused.
//!
//! A line is written at once and ends with a line break, so that all a crash can leave behind is a last
//! line without one. It is dropped; what it would have told is done again.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// A million results fit four times over.
const MOST_BYTES: u64 = 1 << 30;

/// Differences between recipes that are spelt out in a message.
const DIFFERENCES_SHOWN: usize = 3;

/// Why a journal cannot be kept.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("the journal {path} cannot be kept")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Somebody else is at it.
    #[error(
        "the journal {path} is being written by another program; let it finish, or use another file"
    )]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path} is not a journal of a {kind}; delete it, or use another file")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What was expected.
        kind: &'static str,
    },
    /// Results of something else.
    #[error("the journal {path} has the results of something else: {}; do the same as then, or use another file", .differences.join(", "))]
    OtherRecipe {
        /// The file.
        path: PathBuf,
        /// What differs, each as "`name` was ..., is now ...".
        differences: Vec<String>,
    },
    /// A result that cannot be read.
    #[error("line {line} of the journal {path} cannot be read: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

/// A journal that is open for writing.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
}

/// What a journal says already.
pub(crate) struct Past<H, R> {
    pub(crate) header: H,
    pub(crate) results: Vec<R>,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct FirstLine<H> {
    journal: String,
    version: u32,
    recipe: Value,
    #[serde(flatten)]
    header: H,
}

/// Changes with the meaning of what is written.
const VERSION: u32 = 1;

impl Journal {
    /// Opens the journal of a recipe: an old one with its past, or a new one that begins with a header.
    pub(crate) fn open<H, R>(
        path: &Path,
        kind: &'static str,
        recipe: &impl Serialize,
        header: H,
    ) -> Result<(Self, Past<H, R>), JournalError>
    where
        H: Serialize + DeserializeOwned,
        R: DeserializeOwned,
    {
        let fail = |source| JournalError::Io { path: path.to_owned(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let path = path.to_owned();
                return Err(JournalError::InUse { path });
            }
            Err(TryLockError::Error(source)) => return Err(fail(source)),
        }
        let recipe = serde_json::to_value(recipe).map_err(|error| fail(error.into()))?;
        let mut text = Vec::new();
        (&file).take(MOST_BYTES).read_to_end(&mut text).map_err(fail)?;
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let past = match &text[..whole] {
            [] if b"{\"journal\":".starts_with(&text[..text.len().min(11)]) => None,
            lines => Some(read(path, kind, &recipe, lines.trim_ascii_end())?),
        };

        // Now that it is known to be a journal, what a crash may have left at its end can go.
        file.set_len(whole as u64).map_err(fail)?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(fail)?;
        let mut journal = Self { path: path.to_owned(), file };
        let Some(past) = past else {
            let first = FirstLine { journal: kind.to_owned(), version: VERSION, recipe, header };
            journal.write(&first)?;
            let header = first.header;
            let results = Vec::new();
            return Ok((journal, Past { header, results }));
        };
        Ok((journal, past))
    }

    /// Adds a line.
    pub(crate) fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let written = serde_json::to_string(line)
            .map_err(io::Error::from)
            .and_then(|text| self.file.write_all(format!("{text}\n").as_bytes()));
        written.map_err(|source| JournalError::Io { path: self.path.clone(), source })
    }
}

fn read<H: DeserializeOwned, R: DeserializeOwned>(
    path: &Path,
    kind: &'static str,
    recipe: &Value,
    text: &[u8],
) -> Result<Past<H, R>, JournalError> {
    let foreign = || JournalError::Foreign { path: path.to_owned(), kind };
    let mut lines = text.split(|&byte| byte == b'\n');
    let first = lines.next().unwrap_or_default();
    let first: FirstLine<H> = serde_json::from_slice(first).map_err(|_| foreign())?;
    if first.journal != kind || first.version != VERSION {
        return Err(foreign());
    }
    if first.recipe != *recipe {
        let mut differences = Vec::new();
        compare("", &first.recipe, recipe, &mut differences);
        differences.truncate(DIFFERENCES_SHOWN);
        return Err(JournalError::OtherRecipe { path: path.to_owned(), differences });
    }
    let results = (2..).zip(lines).map(|(line, text)| {
        serde_json::from_slice(text).map_err(|error| JournalError::Damaged {
            path: path.to_owned(),
            line,
            reason: error.to_string(),
        })
    });
    Ok(Past { header: first.header, results: results.collect::<Result<_, _>>()? })
}

/// Names what differs, as deep within the recipe as it can be told.
fn compare(name: &str, old: &Value, new: &Value, differences: &mut Vec<String>) {
    let inner = |key: &str| match name {
        "" => key.to_owned(),
        _ => format!("{name}.{key}"),
    };
    match (old, new) {
        _ if old == new => {}
        (Value::Object(old), Value::Object(new)) => {
            let added = new.keys().filter(|key| !old.contains_key(*key));
            for key in old.keys().chain(added) {
                let value = |map: &serde_json::Map<String, Value>| {
                    map.get(key).cloned().unwrap_or(Value::Null)
                };
                compare(&inner(key), &value(old), &value(new), differences);
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                compare(&inner(&(index + 1).to_string()), old, new, differences);
            }
        }
        _ => differences.push(format!("{name} was {old}, is now {new}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    type Opened = (Journal, Past<Head, u32>);

    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Head {
        start: u64,
    }

    fn open(path: &Path, recipe: Value) -> Result<Opened, JournalError> {
        Journal::open(path, "match", &recipe, Head { start: 7 })
    }

    fn message(path: &Path, recipe: Value) -> String {
        match open(path, recipe) {
            Ok(_) => panic!("it was opened"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_was_written_is_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let (mut journal, past) = open(&path, json!({"seed": 1})).unwrap();
        assert_eq!((past.header, past.results), (Head { start: 7 }, vec![]));
        journal.write(&10).unwrap();
        journal.write(&11).unwrap();
        drop(journal);
        let (mut journal, past) = open(&path, json!({"seed": 1})).unwrap();
        assert_eq!(past.results, [10, 11]);
        journal.write(&12).unwrap();
        drop(journal);
        assert_eq!(open(&path, json!({"seed": 1})).unwrap().1.results, [10, 11, 12]);
    }

    #[test]
    fn a_torn_line_is_dropped_and_written_over() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let (mut journal, _) = open(&path, json!(1)).unwrap();
        journal.write(&10).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"1"].concat()).unwrap();
        let (mut journal, past) = open(&path, json!(1)).unwrap();
        assert_eq!(past.results, [10]);
        journal.write(&20).unwrap();
        drop(journal);
        assert_eq!(open(&path, json!(1)).unwrap().1.results, [10, 20]);
    }

    #[test]
    fn another_recipe_is_refused_and_the_difference_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let old = json!({"seed": 1, "players": [{"name": "a"}, {"name": "b"}], "old": true});
        drop(open(&path, old).unwrap());
        let new = json!({"seed": 2, "players": [{"name": "a"}, {"name": "c"}], "new": 5});
        let message = message(&path, new);
        for part in [
            "players.2.name was \"b\", is now \"c\"",
            "seed was 1, is now 2",
            "old was true, is now null",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn other_files_are_not_touched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        for text in ["1. e4 e5\n", "1. e4 e5", "1. e4 e5\n2. Nf3", "{}\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(message(&path, json!(1)).contains("is not a journal of a match"));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::write(&path, "{\"journal\":\"mat").unwrap();
        assert!(open(&path, json!(1)).is_ok(), "a first line may be torn too");
    }

    #[test]
    fn a_damaged_result_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let (mut journal, _) = open(&path, json!(1)).unwrap();
        journal.write(&"ten").unwrap();
        drop(journal);
        assert!(message(&path, json!(1)).contains("line 2 of the journal"));
    }

    #[test]
    fn two_do_not_write_at_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        let _open = open(&path, json!(1)).unwrap();
        assert!(message(&path, json!(1)).contains("another program"));
    }
}
