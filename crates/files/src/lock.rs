//! Locks: who may write.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{FileError, FileProblem};
use crate::open::{folder_of, is_at, name_of, open, resolve};

/// Another writer has a lock for the time of one write. Longer than that takes anywhere.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Between two attempts to get a lock.
const PAUSE: Duration = Duration::from_millis(2);

/// Waits for the lock of a file, for so long at most. Did it get it?
pub(crate) fn lock_within(file: &File, patience: Duration) -> io::Result<bool> {
    let begin = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if begin.elapsed() >= patience => return Ok(false),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}

/// Opens a file and locks it. What was replaced or removed between the two is opened anew.
pub(crate) fn open_locked(
    path: &Path,
    options: &mut OpenOptions,
    patience: Duration,
) -> Result<File, FileError> {
    let fail = FileError::io(path, "locked");
    loop {
        let file = open(path, options, "opened for writing")?;
        if !lock_within(&file, patience).map_err(&fail)? {
            return Err(FileError::new(path, FileProblem::InUse));
        }
        if is_at(&file, path).map_err(&fail)? {
            return Ok(file);
        }
    }
}

/// A file whose lock keeps others away from something. It is removed when it is dropped; what a killed
/// process leaves of it locks nothing.
#[derive(Debug)]
pub struct LockFile {
    path: PathBuf,
    /// Holds the lock.
    _file: File,
}

impl LockFile {
    /// Claims what a path stands for, or fails at once if another process has claimed it.
    ///
    /// # Errors
    /// [`FileProblem::InUse`] in that case, or if the file cannot be made or locked.
    pub fn claim(path: &Path) -> Result<LockFile, FileError> {
        LockFile::new(path.to_owned(), Duration::ZERO)
    }

    /// Claims a file that is about to be read, changed and written. Waits for another that does so. The
    /// lock is beside the file, which itself is replaced.
    ///
    /// # Errors
    /// If the other one takes longer than ten seconds, or the lock cannot be made.
    pub fn beside(path: &Path) -> Result<LockFile, FileError> {
        let fail = FileError::io(path, "locked");
        let target = resolve(path).map_err(&fail)?;
        let name = name_of(&target).map_err(&fail)?.to_string_lossy();
        LockFile::new(folder_of(&target).join(format!(".{name}.lock")), PATIENCE)
    }

    fn new(path: PathBuf, patience: Duration) -> Result<LockFile, FileError> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = open_locked(&path, &mut options, patience)?;
        Ok(LockFile { path, _file: file })
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Those who wait for the lock find that the file is no longer there, and make it anew. Elsewhere a
        // file that is open may not be made anew.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Special, names, specials};

    #[test]
    fn two_do_not_claim_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(".lock");
        let first = LockFile::claim(&path).unwrap();
        assert!(LockFile::claim(&path).unwrap_err().is_in_use());
        drop(first);
        drop(LockFile::claim(&path).unwrap());
        // A killed process leaves its file behind.
        fs::write(&path, "").unwrap();
        drop(LockFile::claim(&path).unwrap());
        if cfg!(unix) {
            assert!(names(folder.path()).is_empty());
        }
    }

    #[test]
    fn a_lock_is_no_special_file() {
        let folder = tempfile::tempdir().unwrap();
        for Special { path, kind } in specials(folder.path()) {
            let error = LockFile::claim(&path).unwrap_err();
            assert!(matches!(error.problem, FileProblem::NotRegular(found) if found == kind));
        }
    }

    #[test]
    fn many_at_once_change_a_file_one_after_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("number");
        crate::write(&path, b"0").unwrap();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let _lock = LockFile::beside(&path).unwrap();
                        let text = String::from_utf8(crate::read(&path, 10).unwrap()).unwrap();
                        let next = text.parse::<u32>().unwrap() + 1;
                        crate::write(&path, next.to_string().as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(crate::read(&path, 10).unwrap(), b"160");
        if cfg!(unix) {
            assert_eq!(names(folder.path()), ["number"]);
        }
    }
}
