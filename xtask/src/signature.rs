//! The bench as the signature of play: no change of play lands unnoticed.

use std::fs;
use std::process::Command;

use crate::error::Error;
use crate::workspace;

/// The file that holds the number of nodes, relative to the root of the workspace.
const FILE: &str = "data/bench.txt";

/// Compares `tabiya bench` with the file, and with the last `Bench:` line in the history.
pub(crate) fn check() -> Result<(), Error> {
    let mut bench = workspace::cargo(["run", "--quiet", "--profile", "checked", "--", "bench"]);
    let output = workspace::output(&mut bench)?;
    let counted = nodes(&output).ok_or_else(|| Error::Signature {
        what: "tabiya bench printed no number of nodes".to_owned(),
    })?;
    let path = workspace::root().join(FILE);
    let kept = fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let kept = kept.trim();
    if counted != kept {
        return Err(Error::Signature {
            what: format!(
                "tabiya bench counts {counted} nodes, {FILE} says {kept}: if play changes on \
                 purpose, write {counted} into the file and end the commit with `Bench: {counted}`"
            ),
        });
    }
    match last_line() {
        Some(last) if last != counted && !is_edited() => Err(Error::Signature {
            what: format!(
                "the last commit with a `Bench:` line says {last}, and {FILE} says {counted}: the \
                 commit that changes play ends with `Bench: {counted}`"
            ),
        }),
        Some(last) => {
            eprintln!("{counted} nodes; the history says {last}");
            Ok(())
        }
        None => {
            let why = without_line(git(&["rev-parse", "--is-shallow-repository"]).as_deref());
            eprintln!("{counted} nodes, as {FILE} says; NOT compared with the history: {why}");
            Ok(())
        }
    }
}

/// The number before `nodes` in the last line of what bench prints.
fn nodes(output: &str) -> Option<&str> {
    let (nodes, _) = output.trim_end().lines().last()?.split_once(" nodes ")?;
    Some(nodes.trim())
}

/// What the last `Bench:` line in the history says, if there is a history with one.
fn last_line() -> Option<String> {
    let log = git(&["log", "-1", "--grep=^Bench: [0-9]", "--format=%B"])?;
    bench_line(&log).map(str::to_owned)
}

/// Why the history has no `Bench:` line, by what git says when asked whether it is shallow.
fn without_line(is_shallow: Option<&str>) -> &'static str {
    match is_shallow.map(str::trim) {
        None => "there is none here, as in a tarball",
        Some("true") => "this clone is shallow and has no commit with a `Bench:` line",
        Some(_) => "no commit in it has a `Bench:` line",
    }
}

fn bench_line(message: &str) -> Option<&str> {
    message.lines().rev().find_map(|line| line.strip_prefix("Bench: ")).map(str::trim)
}

/// Is a new number waiting to be committed?
fn is_edited() -> bool {
    git(&["status", "--porcelain", "--", FILE]).is_some_and(|status| !status.trim().is_empty())
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).current_dir(workspace::root()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_the_bench_counts() {
        let output = "position 1: 20 nodes\n\ncut off: 85.2 %\n306333 nodes 2013854 nps\n";
        assert_eq!(nodes(output), Some("306333"));
        assert_eq!(nodes("nothing"), None);
    }

    #[test]
    fn what_keeps_the_history_from_being_compared_is_said() {
        assert!(without_line(None).contains("tarball"));
        assert!(without_line(Some("true\n")).contains("shallow"));
        assert!(without_line(Some("false\n")).contains("no commit"));
    }

    #[test]
    fn the_last_bench_line_of_a_message_counts() {
        assert_eq!(bench_line("Search: x\n\nBench: 1\n\nBench: 2\n"), Some("2"));
        assert_eq!(bench_line("Bench of the board\n"), None);
    }
}
