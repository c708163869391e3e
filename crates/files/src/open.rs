//! Opening regular files, and nothing else.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::error::{FileError, FileKind, FileProblem};

/// No chain of symbolic links is longer. Linux has the same limit.
const MAX_LINKS: usize = 40;

/// A file's bytes, if there are no more than the limit.
///
/// # Errors
/// If there is no such regular file, it is larger, or it cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let file = open_regular(path)?;
    let fail = FileError::io(path, "read");
    let length = file.metadata().map_err(&fail)?.len();
    let too_large = || FileError::new(path, FileProblem::TooLarge { limit });
    if length > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(length as usize);
    // It may be longer than the system says, or grow meanwhile.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(&fail)?;
    if bytes.len() as u64 > limit { Err(too_large()) } else { Ok(bytes) }
}

/// As [`read`]; nothing if there is no file.
///
/// # Errors
/// As [`read`].
pub fn read_if_there(path: &Path, limit: u64) -> Result<Option<Vec<u8>>, FileError> {
    match read(path, limit) {
        Err(error) if error.is_missing() => Ok(None),
        bytes => bytes.map(Some),
    }
}

/// Opens a regular file to read from it.
///
/// # Errors
/// If there is none, or it cannot be opened.
pub fn open_regular(path: &Path) -> Result<File, FileError> {
    open(path, OpenOptions::new().read(true), "read")
}

/// Opens a regular file. A FIFO or device is neither opened nor waited for.
pub(crate) fn open(
    path: &Path,
    options: &mut OpenOptions,
    action: &'static str,
) -> Result<File, FileError> {
    // To open a device can have effects, so a look comes first.
    if let Ok(found) = fs::metadata(path) {
        refuse_special(path, &found)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // What has taken its place since then does not block either.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let fail = FileError::io(path, action);
    let file = options.open(path).map_err(&fail)?;
    refuse_special(path, &file.metadata().map_err(&fail)?)?;
    Ok(file)
}

pub(crate) fn refuse_special(path: &Path, found: &Metadata) -> Result<(), FileError> {
    match FileKind::of(found.file_type()) {
        None => Ok(()),
        Some(kind) => Err(FileError::new(path, FileProblem::NotRegular(kind))),
    }
}

/// What is at a path, behind all links; nothing if nothing is there.
pub(crate) fn look(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Is an open file still the one at a path?
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let Some(found) = look(path)? else { return Ok(false) };
    #[cfg(unix)]
    {
        let open = file.metadata()?;
        Ok(inode(&open) == inode(&found))
    }
    #[cfg(not(unix))]
    {
        let _ = (file, found);
        Ok(true)
    }
}

/// What tells files apart.
#[cfg(unix)]
pub(crate) fn inode(file: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Where a path leads when its last part is a symbolic link, or a link to a link. The file itself need not
/// exist.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(found) if found.is_symlink() => {
                let link = fs::read_link(&target)?;
                target = folder_of(&target).join(link);
            }
            Ok(_) => return Ok(target),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The folder that a file is in, or is to be in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// The name of a file in its folder.
pub(crate) fn name_of(path: &Path) -> io::Result<&OsStr> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "the path ends without a name");
    path.file_name().ok_or_else(no_name)
}

/// Sees to it that a power cut leaves a folder's entries as they are now.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    match File::open(folder)?.sync_all() {
        // Some file systems have nothing to sync there.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) =>
        {
            Ok(())
        }
        synced => synced,
    }
    #[cfg(not(unix))]
    {
        // Elsewhere a folder cannot be opened.
        let _ = folder;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Special, specials};

    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        for Special { path, kind, .. } in specials(folder.path()) {
            for error in [read(&path, 10).unwrap_err(), open_regular(&path).unwrap_err()] {
                let FileProblem::NotRegular(found) = error.problem else { panic!("{error}") };
                assert_eq!((found, error.path), (kind, path.clone()));
            }
        }
    }

    #[test]
    fn a_read_says_that_it_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let error = read(&path, 4).unwrap_err();
        assert!(matches!(error.problem, FileProblem::TooLarge { limit: 4 }), "{error}");
        let error = read(&folder.path().join("none"), 4).unwrap_err();
        assert!(error.is_missing());
        assert_eq!(read_if_there(&folder.path().join("none"), 4).unwrap(), None);
        assert!(read_if_there(folder.path(), 4).is_err());
        assert!(error.to_string().contains("none: cannot be read: "), "{error}");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_file_without_a_length_is_read_up_to_the_limit() {
        let path = Path::new("/proc/self/status");
        let length = read(path, 1 << 20).unwrap().len() as u64;
        assert!(length > 10);
        assert!(matches!(read(path, 5).unwrap_err().problem, FileProblem::TooLarge { limit: 5 }));
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_to_what_need_not_be_there() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("b", at("a")).unwrap();
        symlink(at("c"), at("b")).unwrap();
        assert_eq!(resolve(&at("a")).unwrap(), at("c"));
        symlink("c", at("c")).unwrap();
        assert!(resolve(&at("a")).is_err());
    }
}
