//! Fuzzing: briefly as one of the checks, for long on demand.
//!
//! libFuzzer writes what it finds into the first folder it is given. That is a scratch folder, so
//! that a check leaves `fuzz/corpus` as it was; a long run then merges into the corpus the few
//! inputs that reach code which no kept input reaches.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::workspace;

/// Seconds after which a single input counts as a hang.
const HANG_SECONDS: u32 = 10;

/// The targets that `fuzz/Cargo.toml` names.
pub(crate) fn targets() -> Result<Vec<String>, Error> {
    let list = workspace::output(&mut workspace::cargo(["fuzz", "list"]))?;
    Ok(list.split_ascii_whitespace().map(str::to_owned).collect())
}

/// The folders of one run.
struct Folders {
    scratch: PathBuf,
    corpus: PathBuf,
}

impl Folders {
    fn new(purpose: &str, target: &str) -> Result<Self, Error> {
        let folders = Self {
            scratch: workspace::target().join("fuzz").join(purpose).join(target),
            corpus: workspace::root().join("fuzz/corpus").join(target),
        };
        for dir in [&folders.scratch, &folders.corpus] {
            fs::create_dir_all(dir).map_err(Error::file("create", dir))?;
        }
        Ok(folders)
    }

    fn remove_scratch(&self) -> Result<(), Error> {
        fs::remove_dir_all(&self.scratch).map_err(Error::file("remove", &self.scratch))
    }
}

/// One of the checks: the kept corpus, and a few seconds of looking further.
pub(crate) fn short(target: &str, seconds: u32) -> Result<(), Error> {
    let folders = Folders::new("short", target)?;
    search(target, seconds, &folders)?;
    folders.remove_scratch()
}

pub(crate) fn long(target: &str, seconds: u32) -> Result<(), Error> {
    let known = targets()?;
    if !known.iter().any(|name| name == target) {
        let known = if known.is_empty() { "none at all".into() } else { known.join(", ") };
        return Err(Error::NoSuchTarget { name: target.into(), known });
    }
    let folders = Folders::new("long", target)?;
    let before = count(&folders.corpus)?;
    let found = search(target, seconds, &folders);
    // Also after a crash: what was found on the way to it is worth keeping.
    let into_corpus = [folders.corpus.as_path(), &folders.scratch];
    fuzz(target, &into_corpus, &["-merge=1".into()])?;
    println!("{target}: {} inputs added to the corpus", count(&folders.corpus)? - before);
    folders.remove_scratch()?;
    found
}

fn search(target: &str, seconds: u32, folders: &Folders) -> Result<(), Error> {
    let limits = [format!("-max_total_time={seconds}"), format!("-timeout={HANG_SECONDS}")];
    fuzz(target, &[&folders.scratch, &folders.corpus], &limits)
}

/// Under AddressSanitizer, beside the assertions and overflow checks of the fuzzed crates. Stable Rust
/// has it, behind a flag that the variable opens.
fn fuzz(target: &str, dirs: &[&Path], options: &[String]) -> Result<(), Error> {
    let mut command = workspace::cargo(["fuzz", "run", "--sanitizer", "address", target]);
    command.env("RUSTC_BOOTSTRAP", "1");
    workspace::run(command.args(dirs).arg("--").args(options))
}

fn count(dir: &Path) -> Result<usize, Error> {
    Ok(fs::read_dir(dir).map_err(Error::file("read", dir))?.count())
}
