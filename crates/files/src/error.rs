//! What can be wrong with a file.

use std::fmt;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

/// A file that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: FileProblem,
}

/// What is wrong with a file. The words follow the file's name.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The system refuses.
    #[error("cannot be {action}: {error}")]
    Io {
        /// What was to be done with the file, as in "read".
        action: &'static str,
        /// Why that is not possible.
        error: io::Error,
    },
    /// It is no regular file.
    #[error("it is {0}; a regular file is needed")]
    NotRegular(FileKind),
    /// It is larger than what is read here.
    #[error("it is larger than {limit} bytes, the limit here")]
    TooLarge {
        /// How large it may be.
        limit: u64,
    },
    /// Its permissions forbid writing.
    #[error("it is write-protected; allow writing, or name another file")]
    Protected,
    /// Another writer has its lock.
    #[error("another program is writing it; let it finish, or name another file")]
    InUse,
    /// The system wrote less than it was given.
    #[error("only {written} of {length} bytes were written; is the disk full?")]
    Short {
        /// What arrived.
        written: u64,
        /// What should have.
        length: u64,
    },
    /// A piece was written in part and could not be taken back.
    #[error("an earlier write ended half-way and could not be taken back; open it anew")]
    Broken,
    /// It was deleted or replaced while a program wrote it.
    #[error("it was deleted or replaced while it was open; what is added now would be lost")]
    Gone,
    /// A line beyond the limit.
    #[error("line {line} is longer than {limit} bytes, the limit here")]
    LongLine {
        /// Which line, counted from 1.
        line: u64,
        /// How long it may be.
        limit: usize,
    },
    /// A record that could not be read again.
    #[error("a record of {length} bytes cannot be added; {limit} bytes are the limit")]
    LongRecord {
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// A last line that no torn write explains.
    #[error(
        "line {line}, the last, has no line break and is no record cut short; complete or delete it, \
         or name another file"
    )]
    ForeignEnd {
        /// Which line, counted from 1.
        line: u64,
    },
    /// It is wanted for two purposes.
    #[error("it is named twice, for {} and {}; name two files", roles[0], roles[1])]
    TwoRoles {
        /// For what.
        roles: [String; 2],
    },
}

/// What is at a path, if it is no regular file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A folder.
    Folder,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device.
    Device,
    /// Something that this system alone knows.
    Other,
}

impl FileKind {
    /// What a file is; nothing if it is regular.
    pub(crate) fn of(file: FileType) -> Option<FileKind> {
        if file.is_file() {
            return None;
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            if file.is_fifo() {
                return Some(FileKind::Fifo);
            }
            if file.is_socket() {
                return Some(FileKind::Socket);
            }
            if file.is_char_device() || file.is_block_device() {
                return Some(FileKind::Device);
            }
        }
        Some(if file.is_dir() { FileKind::Folder } else { FileKind::Other })
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileKind::Folder => "a folder",
            FileKind::Fifo => "a FIFO (named pipe)",
            FileKind::Socket => "a socket",
            FileKind::Device => "a device",
            FileKind::Other => "no regular file",
        })
    }
}

impl FileError {
    pub(crate) fn new(path: &Path, problem: FileProblem) -> FileError {
        FileError { path: path.to_owned(), problem }
    }

    /// Turns the system's refusal into an error with the name of the file. The action is what was to be
    /// done with it, as in "read".
    pub fn io(path: &Path, action: &'static str) -> impl Fn(io::Error) -> FileError {
        move |error| FileError::new(path, FileProblem::Io { action, error })
    }

    /// Is there no such file?
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(&self.problem, FileProblem::Io { error, .. } if error.kind() == io::ErrorKind::NotFound)
    }

    /// Does another writer have its lock?
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        matches!(self.problem, FileProblem::InUse)
    }
}
