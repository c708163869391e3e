//! Instructions, counted by Valgrind's callgrind where it is installed: unlike times they are the same
//! whenever and wherever the same program runs.

use super::experiment::Stop;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

/// Why instructions were not counted.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// There is no Valgrind.
    #[error("valgrind is not installed here")]
    Missing,
    /// The user had enough.
    #[error("interrupted")]
    Stopped,
    /// It did not work.
    #[error("valgrind ended with {0}")]
    Failed(String),
    /// Something could not be read or written.
    #[error("while counting instructions")]
    Io(#[from] io::Error),
}

/// Calls from one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The file that calls, even where the caller was inlined.
    pub file: String,
    /// The line in it.
    pub line: u64,
    /// The function that is called.
    pub callee: String,
    /// How often.
    pub count: u64,
    /// The instructions of all these calls.
    pub instructions: u64,
}

/// Where instructions went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// All of them.
    pub total: u64,
    /// By the file that they were written in, inlined or not.
    pub files: BTreeMap<String, u64>,
    /// By the function, called functions not included.
    pub functions: BTreeMap<String, u64>,
    /// Calls of the functions that were asked for.
    pub calls: Vec<Call>,
}

/// What to count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// Arguments for the program.
    pub args: &'a [&'a str],
    /// Only what happens inside functions whose names contain this.
    pub region: Option<&'a str>,
    /// Functions whose calls are wanted, by a part of their names.
    pub calls: Option<&'a str>,
}

/// Runs the program, and counts its instructions.
///
/// # Errors
/// When there is no Valgrind, the program fails under it, or `stop` says so.
pub fn count(
    program: &Path,
    request: &Request<'_>,
    stop: &Stop<'_>,
) -> Result<Profile, CountError> {
    let out = scratch();
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--compress-strings=no", "--compress-pos=no", "--dump-line=yes"])
        .arg(format!("--callgrind-out-file={}", out.display()));
    if let Some(region) = request.region {
        command.arg(format!("--toggle-collect=*{region}*"));
    }
    command.arg(program).args(request.args);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CountError::Missing),
        Err(error) => return Err(error.into()),
    };
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop() {
            // Whether it had ended by itself does not matter.
            let _ = child.kill();
            child.wait()?;
            let _ = fs::remove_file(&out);
            return Err(CountError::Stopped);
        }
        thread::sleep(Duration::from_millis(20));
    };
    let text = fs::read_to_string(&out);
    let _ = fs::remove_file(&out);
    if !status.success() {
        // Ctrl-C ends the child as well, perhaps before it is seen here.
        let error =
            if stop() { CountError::Stopped } else { CountError::Failed(status.to_string()) };
        return Err(error);
    }
    Ok(parse(&text?, request.calls))
}

/// Is this a file of the project, rather than of a library?
fn is_ours(file: &str) -> bool {
    file.contains("crates/") && !file.contains("/registry/")
}

fn scratch() -> PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("tabiya-lab-{}-{number}.callgrind", std::process::id()))
}

/// Reads a profile without compressed names and positions.
fn parse(text: &str, calls: Option<&str>) -> Profile {
    let mut profile = Profile::default();
    let (mut file, mut function, mut callee) = (String::new(), String::new(), String::new());
    // What is inlined from the standard library counts for the project's file around it.
    let mut owner = String::new();
    let mut call: Option<u64> = None;
    for line in text.lines() {
        if let Some((key, value)) = line.split_once('=') {
            match key {
                "fl" | "fi" | "fe" => {
                    value.clone_into(&mut file);
                    if key == "fl" || is_ours(value) {
                        value.clone_into(&mut owner);
                    }
                }
                "fn" => value.clone_into(&mut function),
                "cfn" => value.clone_into(&mut callee),
                "calls" => call = value.split(' ').next().and_then(|count| count.parse().ok()),
                _ => {}
            }
            continue;
        }
        let mut words = line.split(' ');
        let (Some(position), Some(cost)) = (words.next(), words.next()) else { continue };
        let (Ok(position), Ok(cost)) = (position.parse(), cost.parse::<u64>()) else { continue };
        match call.take() {
            Some(count) if calls.is_some_and(|name| callee.contains(name)) => {
                profile.calls.push(Call {
                    file: file.clone(),
                    line: position,
                    callee: callee.clone(),
                    count,
                    instructions: cost,
                })
            }
            // What a call costs counts for the function that is called.
            Some(_) => {}
            None => {
                profile.total += cost;
                *profile.files.entry(owner.clone()).or_default() += cost;
                *profile.functions.entry(function.clone()).or_default() += cost;
            }
        }
    }
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_read() {
        let profile = parse(
            "# callgrind format\nversion: 1\nevents: Ir\n\nfl=crates/a.rs\nfn=outer\n10 5\nfi=crates/b.rs\n20 7\n\
             fi=/rustc/core.rs\n1 2\nfe=crates/b.rs\ncfn=x::see_ge\ncalls=3 1\n21 90\n\
             fe=crates/a.rs\n11 1\n\nfl=crates/c.rs\nfn=x::see_ge\n1 90\n\ntotals: 105\n",
            Some("see_ge"),
        );
        assert_eq!(profile.total, 105);
        assert_eq!(profile.files["crates/a.rs"], 6);
        assert_eq!(profile.files["crates/b.rs"], 9);
        assert_eq!(profile.functions["outer"], 15);
        let call = &profile.calls[0];
        assert_eq!((call.file.as_str(), call.line), ("crates/b.rs", 21));
        assert_eq!((call.count, call.instructions), (3, 90));
    }
}
