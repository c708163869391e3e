//! Files that are kept: read with a bound, replaced as a whole, or grown piece by piece.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! let path = folder.path().join("weights");
//! tabiya_files::write(&path, b"1 2 3").unwrap();
//! assert_eq!(tabiya_files::read(&path, 100).unwrap(), b"1 2 3");
//! let error = tabiya_files::read(&path, 4).unwrap_err();
//! assert!(error.to_string().ends_with("weights: it is larger than 4 bytes, the limit here"));
//! let error = tabiya_files::write(folder.path(), b"").unwrap_err();
//! assert!(error.to_string().ends_with("it is a folder; a regular file is needed"));
//! ```
//!
//! | what | how |
//! | --- | --- |
//! | read a file | [`read`] or [`read_if_there`] up to a limit, [`open_regular`] to stream |
//! | write a file as a whole | [`write()`], or [`NewFile`] to stream |
//! | read, change and write a file | under a [`LockFile`] beside it |
//! | let a file grow | [`AppendFile`], with one writer or with several |
//! | keep records, one to a line | `RecordFile`, with the feature `records` |
//! | remove a file, make a folder | [`remove`], [`make_folder`] |
//! | refuse one file in two roles | [`distinct`] |
//!
//! Three promises hold for all of them. No call blocks on what is not a regular file: it is refused,
//! and the error says what it is. What was written survives the end of the program, however it ends:
//! a whole file is synced before it takes the place of the old one, and a growing file by its
//! [`SyncPolicy`]. And nothing is shortened in silence: a file beyond a limit is an error.

#![forbid(unsafe_code)]

mod append;
mod error;
mod lock;
mod open;
#[cfg(feature = "records")]
mod record;
mod role;
mod sync;
#[cfg(test)]
mod testing;
mod whole;

pub use append::{AppendFile, LockedFile};
pub use error::{FileError, FileKind, FileProblem};
pub use lock::LockFile;
pub use open::{open_regular, read, read_if_there};
#[cfg(feature = "records")]
pub use record::RecordFile;
pub use role::distinct;
pub use sync::SyncPolicy;
pub use whole::{NewFile, make_folder, remove, write};
