//! Work that runs at the lowest priority until someone measures something.
//!
//! One folder holds, for each job, `NAME.pid` (who it is) and `NAME.log` (what it printed), and the
//! lock that `quiet` holds while it measures.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs::{self, File, TryLockError};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;

use rustix::process::{Pid, setpriority_process};

use crate::error::Error;
use crate::process::{Fate, Identity};
use crate::{quiet, workspace};

const LOWEST_PRIORITY: i32 = 19;

pub(crate) fn dir() -> PathBuf {
    env::var_os("TABIYA_BACKGROUND")
        .map_or_else(|| workspace::target().join("background"), PathBuf::from)
}

/// The name of a job, and so of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(String);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has letters, digits, `-` and `_` only, such as `selfplay-2`")]
pub(crate) struct BadName;

impl FromStr for Name {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_name = !text.is_empty() && !text.starts_with('-') && text.chars().all(fits);
        if is_name { Ok(Self(text.to_owned())) } else { Err(BadName) }
    }
}

/// A job as its file tells of it.
pub(crate) struct Job {
    pub(crate) name: String,
    pub(crate) identity: Identity,
}

/// The jobs on file, by name, those that have ended included.
pub(crate) fn jobs(dir: &Path) -> Result<Vec<Job>, Error> {
    let mut jobs = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::file("read", dir))? {
        let path = entry.map_err(Error::file("read", dir))?.path();
        if path.extension() != Some(OsStr::new("pid")) {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let identity = fs::read_to_string(&path)
            .and_then(|text| text.parse().map_err(std::io::Error::other))
            .map_err(Error::file("read", path))?;
        jobs.push(Job { name, identity });
    }
    jobs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(jobs)
}

/// Waits until no other process measures. The process that holds the returned file is the one that measures.
pub(crate) fn turn(dir: &Path) -> Result<File, Error> {
    fs::create_dir_all(dir).map_err(Error::file("create", dir))?;
    let path = dir.join("lock");
    let file = File::options().create(true).append(true).open(&path);
    let file = file.map_err(Error::file("open", &path))?;
    match file.try_lock() {
        Ok(()) => return Ok(file),
        Err(TryLockError::WouldBlock) => eprintln!("waiting for another quiet run to end"),
        Err(TryLockError::Error(source)) => return Err(Error::file("lock", path)(source)),
    }
    file.lock().map_err(Error::file("lock", path))?;
    Ok(file)
}

pub(crate) fn start(dir: &Path, name: &Name, command: &[OsString]) -> Result<(), Error> {
    if quiet::is_under_way() {
        return Err(Error::BackgroundInQuiet);
    }
    let _turn = turn(dir)?;
    let Name(name) = name;
    if let Some(job) = jobs(dir)?.into_iter().find(|job| job.name == *name)
        && is_alive(&job)?
    {
        let pid = job.identity.pid.as_raw_nonzero().to_string();
        return Err(Error::AlreadyRunning { name: job.name, pid });
    }

    let log_path = dir.join(name).with_extension("log");
    let log = File::create(&log_path).map_err(Error::file("create", &log_path))?;
    let log_too = log.try_clone().map_err(Error::file("open", &log_path))?;

    setpriority_process(None, LOWEST_PRIORITY).map_err(|errno| Error::Priority(errno.into()))?;
    let child = Command::new(&command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(log_too)
        .process_group(0)
        .spawn()
        .map_err(|source| Error::Start { command: workspace::spell(command), source })?;

    let pid_path = dir.join(name).with_extension("pid");
    let identity = Identity::of(Pid::from_child(&child)).map_err(Error::file("read", "/proc"))?;
    fs::write(&pid_path, format!("{identity}\n")).map_err(Error::file("write", &pid_path))?;
    println!("{name}: process {}, output in {}", child.id(), log_path.display());
    Ok(())
}

fn is_alive(job: &Job) -> Result<bool, Error> {
    Ok(fate(job)? != Fate::Ended)
}

fn fate(job: &Job) -> Result<Fate, Error> {
    job.identity.fate().map_err(Error::file("read", "/proc"))
}

pub(crate) fn list(dir: &Path) -> Result<String, Error> {
    if !dir.exists() {
        return Ok(String::new());
    }
    let mut table = String::new();
    for job in jobs(dir)? {
        let word = match fate(&job)? {
            Fate::Running => "running",
            Fate::Paused => "paused",
            Fate::Ended => "ended",
        };
        let pid = job.identity.pid.as_raw_nonzero();
        writeln!(table, "{:<24} {pid:>8} {word}", job.name).expect("a string can be written to");
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_inside_the_folder() {
        for text in ["selfplay", "a", "net-7_b"] {
            assert_eq!(text.parse(), Ok(Name(text.to_owned())));
        }
        for text in ["", "..", "a/b", ".hidden", "-x", "a b", "a.pid", "\u{e9}"] {
            assert_eq!(text.parse::<Name>(), Err(BadName), "{text:?}");
        }
    }
}
