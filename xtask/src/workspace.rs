//! Where things are, and how programs are run.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// Where xtask keeps what it makes: one place, wherever `CARGO_TARGET_DIR` points.
pub(crate) fn target() -> PathBuf {
    root().join("target")
}

/// Where `setup` installs cargo's subcommands, so that pinned versions do not disturb the user's own.
pub(crate) fn tools() -> PathBuf {
    target().join("tools")
}

fn search_path() -> Vec<PathBuf> {
    let inherited = env::var_os("PATH").unwrap_or_default();
    let mut dirs = vec![tools().join("bin")];
    dirs.extend(env::split_paths(&inherited));
    dirs
}

/// The program of that name: from our own tools first, then from `PATH`, then from where Debian
/// puts chess engines.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let mut dirs = search_path();
    dirs.push("/usr/games".into());
    dirs.into_iter().map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// `cargo` at the root of the workspace, with our own tools in its reach.
pub(crate) fn cargo<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Command {
    let path = env::join_paths(search_path()).expect("the parts of a PATH can be joined again");
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(root()).env("PATH", path);
    command
}

/// Runs a command to its end; that it fails is an error.
pub(crate) fn run(command: &mut Command) -> Result<(), Error> {
    let status =
        command.status().map_err(|source| Error::Start { command: spelled(command), source })?;
    if !status.success() {
        return Err(Error::Failed { command: spelled(command), status });
    }
    Ok(())
}

/// What a command prints on standard output; that it fails is an error.
pub(crate) fn output(command: &mut Command) -> Result<String, Error> {
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .map_err(|source| Error::Start { command: spelled(command), source })?;
    if !output.status.success() {
        return Err(Error::Failed { command: spelled(command), status: output.status });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A command as one would type it.
pub(crate) fn spelled(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    spell(std::iter::once(program).chain(command.get_args()))
}

pub(crate) fn spell<A: AsRef<OsStr>>(words: impl IntoIterator<Item = A>) -> String {
    let words: Vec<OsString> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
    words.join(OsStr::new(" ")).to_string_lossy().into_owned()
}
