//! What is no regular file, for tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::FileKind;

/// Something in a folder that is no regular file.
pub(crate) struct Special {
    pub(crate) path: PathBuf,
    pub(crate) kind: FileKind,
}

/// One of each kind, and a link to one.
pub(crate) fn specials(folder: &Path) -> Vec<Special> {
    let at = |name: &str| folder.join(name);
    let special = |path: PathBuf, kind| Special { path, kind };
    fs::create_dir(at("folder")).unwrap();
    #[cfg(not(unix))]
    return vec![special(at("folder"), FileKind::Folder)];
    #[cfg(unix)]
    {
        fifo(&at("fifo"));
        let _ = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        std::os::unix::fs::symlink("fifo", at("link")).unwrap();
        let mut specials = vec![
            special(at("folder"), FileKind::Folder),
            special(at("fifo"), FileKind::Fifo),
            special(at("link"), FileKind::Fifo),
            special(at("socket"), FileKind::Socket),
        ];
        // No fault of this crate can replace a device of this file system, not even as root.
        let device = PathBuf::from("/dev/pts/ptmx");
        if device.exists() {
            specials.push(special(device, FileKind::Device));
        }
        specials
    }
}

/// Makes a named pipe.
#[cfg(unix)]
pub(crate) fn fifo(path: &Path) {
    let made = std::process::Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
