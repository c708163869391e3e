//! Known holes in what is linked in, and crates that are no longer maintained.

use crate::error::Error;
use crate::workspace;

/// Checks all dependencies against the advisory database. Where that cannot be reached there is nothing to
/// check by: the step says so and passes.
pub(crate) fn check() -> Result<(), Error> {
    let mut fetch = workspace::cargo(["deny", "fetch", "db"]);
    // A network that is there but mute must not hold the checks up.
    fetch.envs([("GIT_HTTP_LOW_SPEED_LIMIT", "1000"), ("GIT_HTTP_LOW_SPEED_TIME", "20")]);
    let answer = fetch
        .output()
        .map_err(|source| Error::Start { command: workspace::spelled(&fetch), source })?;
    if !answer.status.success() {
        eprintln!("skipped: {}", reason(&String::from_utf8_lossy(&answer.stderr)));
        return Ok(());
    }
    workspace::run(&mut workspace::cargo(["deny", "check", "advisories"]))
}

/// Why the database was not fetched, in one line: git's last word, if it has one.
fn reason(stderr: &str) -> String {
    let fatal = stderr.lines().rev().find_map(|line| line.strip_prefix("fatal: "));
    let last = || stderr.lines().rev().find(|line| !line.trim().is_empty());
    let why = fatal.or_else(last).unwrap_or("cargo deny gives no reason");
    format!("the advisory database cannot be reached ({})", why.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_one_line() {
        let stderr = "[ERROR] failed to fetch database: failed to clone\n\
                      Cloning into 'advisory-db'...\n\
                      fatal: unable to access 'https://github.com/': Could not resolve host\n\n";
        assert_eq!(
            reason(stderr),
            "the advisory database cannot be reached \
             (unable to access 'https://github.com/': Could not resolve host)"
        );
        assert_eq!(reason("[ERROR] no\n"), "the advisory database cannot be reached ([ERROR] no)");
        assert!(!reason("").contains('\n'));
    }
}
