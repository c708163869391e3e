//! One file has one role.

use std::path::{Path, PathBuf};

use crate::error::{FileError, FileProblem};
use crate::open::{folder_of, name_of, resolve};
#[cfg(unix)]
use crate::open::{inode, look};

/// Makes sure that no two of these paths, each with its role, lead to the same file. A role is named as the
/// user knows it, as in `--journal`.
///
/// # Errors
/// [`FileProblem::TwoRoles`] if two of them do.
pub fn distinct(files: &[(&str, &Path)]) -> Result<(), FileError> {
    let identities: Vec<Identity> = files.iter().map(|(_, path)| Identity::of(path)).collect();
    for (number, identity) in identities.iter().enumerate() {
        if let Some(first) = identities[..number].iter().position(|other| other == identity) {
            let (role, path) = files[number];
            let roles = [files[first].0, role].map(str::to_owned);
            return Err(FileError::new(path, FileProblem::TwoRoles { roles }));
        }
    }
    Ok(())
}

/// What tells a file from others.
#[derive(PartialEq, Eq)]
enum Identity {
    /// A file that exists, under whatever name.
    #[cfg(unix)]
    Inode((u64, u64)),
    /// The place where it is, or would be made.
    Path(PathBuf),
}

impl Identity {
    fn of(path: &Path) -> Identity {
        #[cfg(unix)]
        if let Ok(Some(found)) = look(path) {
            return Identity::Inode(inode(&found));
        }
        let target = resolve(path).unwrap_or_else(|_| path.to_owned());
        let folder = folder_of(&target).canonicalize();
        let place = match (folder, name_of(&target)) {
            (Ok(folder), Ok(name)) => folder.join(name),
            // Nothing can be made there; to open it says why.
            _ => target,
        };
        Identity::Path(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_role() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let check = |first: &Path, second: &Path| {
            distinct(&[("--svg", &at("other")), ("--pgn", first), ("--journal", second)])
        };
        let same = |first: &str, second: &str| {
            let (first, second) = (at(first), at(second));
            let error = check(&first, &second).unwrap_err();
            assert!(error.to_string().contains("it is named twice, for --pgn and --journal"));
            assert_eq!(error.path, second);
        };
        check(&at("a"), &at("b")).unwrap();
        check(&at("no/a"), &at("no/b")).unwrap();
        same("a", "a");
        same("a", "./a");
        std::fs::create_dir(at("folder")).unwrap();
        same("folder/../a", "a");
        std::fs::write(at("a"), "").unwrap();
        same("folder/../a", "a");
        check(&at("a"), &at("b")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("link")).unwrap();
            std::os::unix::fs::symlink("new", at("dangling")).unwrap();
            std::fs::hard_link(at("a"), at("hard")).unwrap();
            same("a", "link");
            same("hard", "link");
            same("dangling", "new");
        }
    }
}
