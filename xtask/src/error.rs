//! What can go wrong, in words for the person at the terminal.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot start `{command}`")]
    Start { command: String, source: io::Error },

    #[error("cannot tell how `{command}` ended")]
    Wait { command: String, source: io::Error },

    #[error("`{command}` failed ({status})")]
    Failed { command: String, status: ExitStatus },

    #[error("cannot {verb} {}", path.display())]
    File { verb: &'static str, path: PathBuf, source: io::Error },

    #[error("{missing} not found; as root, run `{remedy}`, then try again")]
    NeedsRoot { missing: String, remedy: String },

    #[error(
        "{missing} not found, and this is no Debian system; install {packages}, then try again"
    )]
    NoApt { missing: String, packages: String },

    #[error("the step `{step}` failed")]
    Step { step: &'static str, source: Box<Error> },

    #[error("there is no fuzz target `{name}`; there is {known}")]
    NoSuchTarget { name: String, known: String },

    #[error("there is no technique with `{word}` in its name or margin; there is {known}")]
    NoSuchTechnique { word: String, known: String },

    #[error("`tabiya match --json` printed something else than its report")]
    Report { source: serde_json::Error },

    #[error("`{command}` did not answer")]
    Talk { command: String, source: io::Error },

    #[error("{what}")]
    Signature { what: String },

    #[error("`{name}` is already running, as process {pid}")]
    AlreadyRunning { name: String, pid: String },

    #[error("background work cannot be started by a command that `cargo xtask quiet` runs")]
    BackgroundInQuiet,

    #[error("cannot pause `{name}`")]
    Pause { name: String, source: io::Error },

    #[error("cannot catch signals")]
    Signals(#[source] io::Error),

    #[error("cannot lower the priority")]
    Priority(#[source] io::Error),
}

impl Error {
    /// For `map_err` on what is done to a file: `read`, `write`, `create`, ...
    pub(crate) fn file(
        verb: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { verb, path, source }
    }
}
