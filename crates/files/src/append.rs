//! Files that grow at their end.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::error::{FileError, FileProblem};
use crate::lock::{PATIENCE, lock_within, open_locked};
use crate::open::{folder_of, is_at, look, open, resolve, sync_folder};
use crate::sync::{SyncPolicy, Syncer};

/// A file that grows by pieces, each of which is there as a whole or not at all.
///
/// With [`exclusive`](Self::exclusive) there is one writer. With [`shared`](Self::shared) several processes
/// append, one at a time, and a person may edit the file in between, also with an editor that replaces it.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    // Before the file, so that nothing is left to sync when its lock goes.
    syncer: Syncer,
    file: Arc<File>,
    is_shared: bool,
    /// Does it end with a piece that was not written as a whole?
    is_broken: bool,
}

impl AppendFile {
    /// Opens or makes a file for one writer, who keeps the lock.
    ///
    /// # Errors
    /// [`FileProblem::InUse`] if another writer has it, or if something else than a regular file is there,
    /// or it cannot be opened.
    pub fn exclusive(path: &Path, policy: SyncPolicy) -> Result<AppendFile, FileError> {
        let file = appendable(path, |options| open_locked(path, options, Duration::ZERO))?;
        Ok(AppendFile::new(path, policy, file, false))
    }

    /// Opens or makes a file for several writers, each of which locks it for each piece.
    ///
    /// # Errors
    /// If something else than a regular file is there, or it cannot be opened.
    pub fn shared(path: &Path, policy: SyncPolicy) -> Result<AppendFile, FileError> {
        let file = appendable(path, |options| open(path, options, "opened for writing"))?;
        Ok(AppendFile::new(path, policy, file, true))
    }

    fn new(path: &Path, policy: SyncPolicy, file: File, is_shared: bool) -> AppendFile {
        let (path, file) = (path.to_owned(), Arc::new(file));
        AppendFile { path, syncer: Syncer::new(policy), file, is_shared, is_broken: false }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a piece at the end.
    ///
    /// # Errors
    /// As [`lock`](Self::lock) and [`LockedFile::append`].
    pub fn append(&mut self, piece: &[u8]) -> Result<(), FileError> {
        self.lock()?.append(piece)
    }

    /// Keeps other writers away, to read and to write as one step.
    ///
    /// # Errors
    /// [`FileProblem::InUse`] if another writer keeps the lock for more than ten seconds, and
    /// [`FileProblem::Gone`] if a file with one writer is no longer there.
    pub fn lock(&mut self) -> Result<LockedFile<'_>, FileError> {
        if self.is_shared {
            let fail = FileError::io(&self.path, "locked");
            if !lock_within(&self.file, PATIENCE).map_err(fail)? {
                return Err(FileError::new(&self.path, FileProblem::InUse));
            }
        }
        let locked = LockedFile(self);
        let AppendFile { path, file, is_shared, is_broken, .. } = &mut *locked.0;
        if !is_at(file, path).map_err(FileError::io(path, "locked"))? {
            if !*is_shared {
                return Err(FileError::new(path, FileProblem::Gone));
            }
            // An editor has put another file in its place.
            let reopened = appendable(path, |options| open_locked(path, options, PATIENCE))?;
            (*file, *is_broken) = (Arc::new(reopened), false);
        }
        Ok(locked)
    }

    /// Syncs what was appended, and closes the file. Without this, failures of the last sync are lost.
    ///
    /// # Errors
    /// If something that was appended may not survive a power cut.
    pub fn close(mut self) -> Result<(), FileError> {
        self.syncer.end().map_err(FileError::io(&self.path, "synced"))
    }
}

/// Opens a file to read and to append, and makes it if there is none.
fn appendable(
    path: &Path,
    open: impl FnOnce(&mut OpenOptions) -> Result<File, FileError>,
) -> Result<File, FileError> {
    let fail = FileError::io(path, "opened for writing");
    let is_new = look(path).map_err(&fail)?.is_none();
    let mut options = OpenOptions::new();
    options.read(true).create(true);
    // Elsewhere, what may only be appended to cannot be cut.
    if cfg!(unix) {
        options.append(true);
    } else {
        options.write(true).truncate(false);
    }
    let file = open(&mut options)?;
    if is_new {
        let synced = resolve(path).and_then(|target| sync_folder(folder_of(&target)));
        synced.map_err(FileError::io(path, "synced"))?;
    }
    Ok(file)
}

/// A growing file that no one else changes now.
#[derive(Debug)]
pub struct LockedFile<'a>(&'a mut AppendFile);

impl LockedFile<'_> {
    /// How long it is.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn length(&self) -> Result<u64, FileError> {
        let found = self.0.file.metadata().map_err(self.fail("read"))?;
        Ok(found.len())
    }

    /// Reads it from the beginning.
    ///
    /// # Errors
    /// If the system does not let it.
    pub fn reader(&self) -> Result<impl BufRead + '_, FileError> {
        let mut file = &*self.0.file;
        file.rewind().map_err(self.fail("read"))?;
        Ok(BufReader::with_capacity(1 << 16, file))
    }

    /// The last bytes, no more than that.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn tail(&self, most: u64) -> Result<Vec<u8>, FileError> {
        let fail = self.fail("read");
        let length = self.length()?;
        let mut file = &*self.0.file;
        file.seek(SeekFrom::Start(length.saturating_sub(most))).map_err(&fail)?;
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(&fail)?;
        Ok(bytes)
    }

    /// Takes away what follows the first bytes.
    ///
    /// # Errors
    /// If that fails.
    pub fn cut(&mut self, length: u64) -> Result<(), FileError> {
        self.0.file.set_len(length).map_err(self.fail("cut"))?;
        self.changed()
    }

    /// Adds a piece at the end. If it cannot be written as a whole, what was written of it is taken back.
    ///
    /// # Errors
    /// If it was not written, or an earlier piece could not be synced.
    pub fn append(&mut self, piece: &[u8]) -> Result<(), FileError> {
        if self.0.is_broken {
            return Err(FileError::new(&self.0.path, FileProblem::Broken));
        }
        let fail = self.fail("written");
        let mut file = &*self.0.file;
        let before = file.seek(SeekFrom::End(0)).map_err(&fail)?;
        let accepted = loop {
            match file.write(piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                accepted => break accepted,
            }
        };
        let length = piece.len() as u64;
        // More than that may have come: a person need not know of locks.
        let grown = self.length()?.saturating_sub(before);
        let (own, problem) = match accepted {
            Ok(own) if own as u64 == length && grown >= length => return self.changed(),
            Ok(own) => (own as u64, FileProblem::Short { written: grown, length }),
            Err(error) => (0, FileProblem::Io { action: "written", error }),
        };
        // What somebody else has added meanwhile is not taken away.
        if own > 0 && (grown > own || file.set_len(before).is_err()) {
            self.0.is_broken = true;
        }
        Err(FileError::new(&self.0.path, problem))
    }

    fn changed(&mut self) -> Result<(), FileError> {
        let file = &mut *self.0;
        file.syncer.note(&file.file).map_err(FileError::io(&file.path, "synced"))
    }

    fn fail(&self, action: &'static str) -> impl Fn(io::Error) -> FileError + use<> {
        let path = self.0.path.clone();
        move |error| FileError::io(&path, action)(error)
    }
}

impl Drop for LockedFile<'_> {
    fn drop(&mut self) {
        if self.0.is_shared {
            // Closing the file unlocks it too.
            let _ = self.0.file.unlock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Special, names, specials};
    use std::fs;
    use std::time::Instant;

    fn exclusive(path: &Path) -> Result<AppendFile, FileError> {
        AppendFile::exclusive(path, SyncPolicy::default())
    }

    fn shared(path: &Path) -> Result<AppendFile, FileError> {
        AppendFile::shared(path, SyncPolicy::default())
    }

    #[test]
    fn a_file_goes_on_where_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for open in [exclusive, shared] {
            let mut file = open(&path).unwrap();
            file.append(b"one ").unwrap();
            file.append(b"two ").unwrap();
            file.close().unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), b"one two one two ");
    }

    #[test]
    fn one_writer_keeps_others_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let first = exclusive(&path).unwrap();
        let error = exclusive(&path).unwrap_err();
        assert!(error.is_in_use() && error.path == path, "{error}");
        drop(first);
        exclusive(&path).unwrap();
    }

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for Special { path, kind } in specials(folder.path()) {
            for open in [exclusive, shared] {
                let error = open(&path).unwrap_err();
                assert!(matches!(error.problem, FileProblem::NotRegular(found) if found == kind));
            }
        }
    }

    #[test]
    fn pieces_of_several_writers_stay_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::thread::scope(|scope| {
            for writer in *b"abcdefgh" {
                let path = &path;
                scope.spawn(move || {
                    let mut file = shared(path).unwrap();
                    for _ in 0..50 {
                        let mut file = file.lock().unwrap();
                        // Read and write as one step: the piece depends on what is there.
                        let separated = file.tail(1).unwrap().iter().all(|&byte| byte == b'\n');
                        assert!(separated);
                        file.append(&[writer; 999]).unwrap();
                        file.append(b"\n").unwrap();
                    }
                    file.close().unwrap();
                });
            }
        });
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 400);
        for line in text.lines() {
            assert!(line.len() == 999 && line.bytes().all(|byte| byte == line.as_bytes()[0]));
        }
    }

    #[test]
    fn a_lock_that_is_kept_is_not_waited_for_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (mut one, mut other) = (shared(&path).unwrap(), shared(&path).unwrap());
        let kept = one.lock().unwrap();
        let begin = Instant::now();
        assert!(other.append(b"x").unwrap_err().is_in_use());
        assert!(begin.elapsed() >= PATIENCE);
        drop(kept);
        other.append(b"y").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"y");
    }

    /// As editors do, which write another file and rename it.
    #[test]
    #[cfg(unix)]
    fn a_file_may_be_edited_replaced_or_deleted_in_between() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = shared(&path).unwrap();
        file.append(b"one ").unwrap();
        crate::write(&path, b"edited ").unwrap();
        file.append(b"two ").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"edited two ");
        fs::write(&path, "again ").unwrap();
        file.append(b"three ").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"again three ");
        fs::remove_file(&path).unwrap();
        file.append(b"four ").unwrap();
        file.close().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"four ");
    }

    #[test]
    #[cfg(unix)]
    fn a_writer_notices_that_its_file_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = exclusive(&path).unwrap();
        file.append(b"one").unwrap();
        fs::remove_file(&path).unwrap();
        let error = file.append(b"two").unwrap_err();
        assert!(matches!(error.problem, FileProblem::Gone), "{error}");
    }

    #[test]
    fn an_end_can_be_read_and_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut file = exclusive(&path).unwrap();
        file.append(b"one two three").unwrap();
        let mut locked = file.lock().unwrap();
        assert_eq!(locked.tail(5).unwrap(), b"three");
        assert_eq!(locked.tail(50).unwrap(), b"one two three");
        locked.cut(8).unwrap();
        locked.append(b"four").unwrap();
        let mut text = String::new();
        locked.reader().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), locked.length().unwrap()), ("one two four", 12));
    }

    /// A limit of the file's size is a full disk that needs no disk: first a short write, then an error.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_piece_that_does_not_fit_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let test = "append::tests::a_process_with_little_room";
        let program = std::env::current_exe().unwrap();
        // A signal would end the process where the shell did not have it ignored.
        let done = std::process::Command::new("sh")
            .args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" --exact \"$1\" --ignored"])
            .args([program.as_os_str(), test.as_ref()])
            .env("TABIYA_FILES_TEST", &path)
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
        assert_eq!(fs::read(&path).unwrap(), [&[1; 1500][..], &[3; 100]].concat());
    }

    #[test]
    #[ignore = "another test runs it in a process of its own"]
    fn a_process_with_little_room() {
        let Some(path) = std::env::var_os("TABIYA_FILES_TEST") else { return };
        let mut file = exclusive(Path::new(&path)).unwrap();
        file.append(&[1; 1500]).unwrap();
        let error = file.append(&[2; 1000]).unwrap_err();
        assert!(
            matches!(error.problem, FileProblem::Short { written: 548, length: 1000 }),
            "{error}"
        );
        file.append(&[3; 100]).unwrap();
        file.close().unwrap();
    }

    #[test]
    fn the_end_of_a_file_waits_for_no_interval() {
        let folder = tempfile::tempdir().unwrap();
        let policy = SyncPolicy { interval: Duration::from_secs(3600) };
        let begin = Instant::now();
        let mut file = AppendFile::exclusive(&folder.path().join("a"), policy).unwrap();
        (0..100).for_each(|_| file.append(b"x").unwrap());
        file.close().unwrap();
        assert!(begin.elapsed() < Duration::from_secs(60));
        assert_eq!(names(folder.path()), ["a"]);
    }
}
