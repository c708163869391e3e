//! Files that are there as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{FileError, FileProblem};
use crate::lock::{PATIENCE, lock_within};
use crate::open::{folder_of, is_at, look, name_of, open, refuse_special, resolve, sync_folder};

/// Bytes of a file's name that its temporary file takes over; 255 are the limit of most systems.
const MAX_STEM: usize = 180;

/// Writes a file so that after any fault the old one is there, or the new one.
///
/// # Errors
/// If something else than a regular file is there, or it cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = NewFile::create(path)?;
    file.write_all(bytes).map_err(FileError::io(path, "written"))?;
    file.commit()
}

/// Removes a file, if it is there.
///
/// # Errors
/// If it stays.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(FileError::io(path, "removed")(error))
        }
        _ => Ok(()),
    }
}

/// Makes a folder and those that it is in, if they are not there.
///
/// # Errors
/// If that fails.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    if path.is_dir() {
        return Ok(());
    }
    let fail = FileError::io(path, "made");
    if let Some(parent) = path.parent().filter(|parent| *parent != Path::new("")) {
        make_folder(parent)?;
    }
    match fs::create_dir(path) {
        // Another process may have been faster.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists || !path.is_dir() => {
            Err(fail(error))
        }
        _ => sync_folder(folder_of(path)).map_err(fail),
    }
}

/// A file in the making.
///
/// Until [`commit`](Self::commit) everything is in a temporary file of the same folder. It is removed if
/// this is dropped before. If the process is killed, the next `NewFile` of the same name removes it.
///
/// Where the path is a symbolic link, the file that it leads to is replaced or made, and the link stays.
/// The permissions of a file that is replaced are kept.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// The path behind all links.
    target: PathBuf,
    temporary: PathBuf,
    /// Locked, so that others see that it is in use.
    file: BufWriter<File>,
    written: u64,
    is_committed: bool,
}

impl NewFile {
    /// Begins a file.
    ///
    /// # Errors
    /// If something else than a regular file is at the path, or nothing can be written beside it.
    pub fn create(path: &Path) -> Result<NewFile, FileError> {
        let fail = FileError::io(path, "written");
        let old = look(path).map_err(&fail)?;
        if let Some(old) = &old {
            refuse_special(path, old)?;
            if old.permissions().readonly() {
                return Err(FileError::new(path, FileProblem::Protected));
            }
        }
        let target = resolve(path).map_err(&fail)?;
        let stem = stem(&target).map_err(&fail)?;
        let folder = folder_of(&target);
        sweep(folder, &stem);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if let Some(old) = &old {
            use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
            // Not even at first may others read what they could not read before.
            options.mode(old.mode() & 0o777);
        }
        let (file, temporary) = create_temporary(folder, &stem, &options).map_err(&fail)?;
        let new = NewFile {
            path: path.to_owned(),
            target,
            temporary,
            file: BufWriter::with_capacity(1 << 16, file),
            written: 0,
            is_committed: false,
        };
        if let Some(old) = old {
            let file = new.file.get_ref();
            let permissions = file.metadata().map_err(&fail)?.permissions();
            if permissions != old.permissions() {
                file.set_permissions(old.permissions()).map_err(&fail)?;
            }
        }
        Ok(new)
    }

    /// Puts the file in its place. After this it survives a power cut.
    ///
    /// # Errors
    /// If that fails; then the old file is still there, unless the folder alone could not be synced.
    pub fn commit(mut self) -> Result<(), FileError> {
        let fail = FileError::io(&self.path, "written");
        self.file.flush().map_err(&fail)?;
        let file = self.file.get_ref();
        let written = file.metadata().map_err(&fail)?.len();
        if written != self.written {
            let problem = FileProblem::Short { written, length: self.written };
            return Err(FileError::new(&self.path, problem));
        }
        file.sync_all().map_err(&fail)?;
        fs::rename(&self.temporary, &self.target).map_err(&fail)?;
        self.is_committed = true;
        sync_folder(folder_of(&self.target)).map_err(FileError::io(&self.path, "synced"))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.file.write(bytes)?;
        self.written += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if !self.is_committed {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// What the names of a file's temporary files have in common, and the file's own name.
fn stem(target: &Path) -> io::Result<String> {
    let mut stem = name_of(target)?.to_string_lossy().into_owned();
    stem.truncate(stem.floor_char_boundary(MAX_STEM));
    Ok(stem)
}

/// Makes a temporary file and locks it.
fn create_temporary(
    folder: &Path,
    stem: &str,
    options: &OpenOptions,
) -> io::Result<(File, PathBuf)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".{stem}.{}-{number}.tmp", process::id()));
        let file = match options.open(&path) {
            // Another machine or container may have a process of the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            opened => opened?,
        };
        let is_locked = match lock_within(&file, PATIENCE) {
            // Without locks nothing is swept away.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok((file, path)),
            locked => locked?,
        };
        // Before it was locked, another process may have taken it for a leftover and removed it.
        if is_locked && is_at(&file, &path)? {
            return Ok((file, path));
        }
    }
}

/// Removes what killed processes have left of a file. A writer that lives holds the lock of its own.
fn sweep(folder: &Path, stem: &str) {
    // It may not be allowed to, or be late; then the leftovers stay, and do no harm.
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_file || !entry.file_name().to_str().is_some_and(|name| is_temporary(name, stem)) {
            continue;
        }
        let path = entry.path();
        let Ok(file) = open(&path, OpenOptions::new().read(true).write(true), "opened") else {
            continue;
        };
        // While it is locked here, the name stays with the file: its writer renames it under the lock.
        if file.try_lock().is_ok() && is_at(&file, &path).is_ok_and(|is_same| is_same) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Does a name have the form `.STEM.PID-N.tmp`?
fn is_temporary(name: &str, stem: &str) -> bool {
    let numbers = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(stem))
        .and_then(|rest| rest.strip_prefix('.'))
        .and_then(|rest| rest.strip_suffix(".tmp"))
        .and_then(|rest| rest.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Special, names, specials};

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, b"one").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.write_all(b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        new.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        let mut given_up = NewFile::create(&path).unwrap();
        given_up.write_all(b"three").unwrap();
        drop(given_up);
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn what_is_no_regular_file_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let specials = specials(folder.path());
        let before = names(folder.path());
        for Special { path, kind } in specials {
            let error = write(&path, b"x").unwrap_err();
            let FileProblem::NotRegular(found) = error.problem else { panic!("{error}") };
            assert_eq!(found, kind);
        }
        assert_eq!(names(folder.path()), before);
    }

    #[test]
    fn a_path_without_a_name_or_a_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("no/such"), b"x").unwrap_err();
        assert!(error.is_missing() && error.to_string().contains("no/such: cannot be written: "));
        assert!(write(Path::new(""), b"x").is_err());
        assert!(write(&folder.path().join("none/.."), b"x").is_err());
    }

    #[test]
    fn a_name_of_any_length_has_a_temporary_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["n".repeat(255), "é".repeat(127), "ẞ".repeat(85)] {
            let path = folder.path().join(&name);
            write(&path, b"x").unwrap();
            write(&path, b"y").unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"y");
        }
        assert_eq!(names(folder.path()).len(), 3);
    }

    #[test]
    fn folders_are_made_as_deep_as_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c");
        make_folder(&path).unwrap();
        make_folder(&path).unwrap();
        assert!(path.is_dir());
        write(&path.join("file"), b"").unwrap();
        let error = make_folder(&path.join("file/d")).unwrap_err();
        assert!(error.to_string().contains("file: cannot be made: "), "{error}");
        remove(&path.join("file")).unwrap();
        remove(&path.join("file")).unwrap();
        assert!(remove(&path).is_err());
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::os::unix::fs::{PermissionsExt, symlink};

        #[test]
        fn a_link_stays_and_its_target_is_replaced() {
            let folder = tempfile::tempdir().unwrap();
            let at = |name: &str| folder.path().join(name);
            fs::create_dir(at("far")).unwrap();
            fs::write(at("far/file"), "old").unwrap();
            symlink("far/file", at("link")).unwrap();
            symlink("link", at("link of a link")).unwrap();
            symlink(at("far/new"), at("dangling")).unwrap();
            write(&at("link of a link"), b"new").unwrap();
            write(&at("dangling"), b"made").unwrap();
            assert_eq!(fs::read(at("far/file")).unwrap(), b"new");
            assert_eq!(fs::read(at("far/new")).unwrap(), b"made");
            for link in ["link", "link of a link", "dangling"] {
                assert!(fs::symlink_metadata(at(link)).unwrap().is_symlink());
            }
            assert_eq!(names(&at("far")), ["file", "new"]);
            assert_eq!(names(folder.path()).len(), 4);
            symlink("ring", at("ring")).unwrap();
            assert!(write(&at("ring"), b"x").is_err());
        }

        #[test]
        fn permissions_are_kept() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("file");
            let set = |mode| fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o7777;
            fs::write(&path, "old").unwrap();
            for wanted in [0o600, 0o666, 0o755] {
                set(wanted);
                write(&path, b"new").unwrap();
                assert_eq!(mode(), wanted);
            }
            set(0o444);
            let error = write(&path, b"newer").unwrap_err();
            assert!(matches!(error.problem, FileProblem::Protected), "{error}");
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
    }

    #[test]
    fn leftovers_of_killed_processes_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let kept = [
            ".file.1-x.tmp",
            ".file.1.tmp",
            ".other.1-2.tmp",
            ".file.more.1-2.tmp",
            "file.1-2.tmp",
        ];
        for name in kept.into_iter().chain([".file.1-2.tmp", ".file.99999-0.tmp"]) {
            fs::write(at(name), "half").unwrap();
        }
        let living = NewFile::create(&at("file")).unwrap();
        write(&at("file"), b"whole").unwrap();
        let mut expected: Vec<_> = kept.map(str::to_owned).to_vec();
        let own = living.temporary.file_name().unwrap().to_str().unwrap();
        expected.extend(["file".to_owned(), own.to_owned()]);
        expected.sort();
        assert_eq!(names(folder.path()), expected);
        living.commit().unwrap();
        assert_eq!(fs::read(at("file")).unwrap(), b"");
    }

    /// Each sweeps away what the others may have made but not locked yet.
    #[test]
    fn many_writers_at_once_leave_one_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for writer in 0..8u8 {
                let path = &path;
                scope.spawn(move || (0..40).for_each(|_| write(path, &[writer; 5000]).unwrap()));
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert_eq!(bytes, [bytes[0]; 5000]);
        assert_eq!(names(folder.path()), ["file"]);
    }
}
