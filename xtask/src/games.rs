//! Matches that tools play with `tabiya match`, and what they read of the report.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::error::Error;
use crate::workspace;

/// What `tabiya match --json` prints, as far as the tools need it.
#[derive(Debug, Deserialize)]
pub(crate) struct Report {
    /// None before the first pair of games is finished.
    pub(crate) statistics: Option<Statistics>,
    /// How many games ended for which reason, by what the first engine had of them.
    pub(crate) reasons: std::collections::BTreeMap<String, Wdl>,
    pub(crate) verdict: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Statistics {
    pub(crate) games: Wdl,
    pub(crate) elo: Interval,
}

/// An estimate with the ends of its interval of 95 %. An end that is infinite is null in JSON.
#[derive(Debug, Deserialize)]
pub(crate) struct Interval {
    pub(crate) value: Option<f64>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) struct Wdl {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
}

impl Wdl {
    pub(crate) fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

impl Interval {
    /// Half the interval's width; infinite if one end is.
    pub(crate) fn error(&self) -> f64 {
        match (self.low, self.high) {
            (Some(low), Some(high)) => (high - low) / 2.0,
            _ => f64::INFINITY,
        }
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Some(value) => write!(f, "{value:+.1} ± {:.1}", self.error()),
            None => f.write_str("no estimate"),
        }
    }
}

impl Report {
    /// Games that ended for a reason, by its name in the report.
    pub(crate) fn ended_by(&self, reason: &str) -> Wdl {
        self.reasons.get(reason).copied().unwrap_or_default()
    }

    /// Games counted, and the lead of the first engine.
    pub(crate) fn figures(&self) -> (u64, String) {
        match &self.statistics {
            Some(statistics) => (statistics.games.games(), statistics.elo.to_string()),
            None => (0, "no estimate".to_owned()),
        }
    }
}

/// Builds the program that users run, and returns its path.
pub(crate) fn build() -> Result<PathBuf, Error> {
    workspace::run(&mut workspace::cargo(["build", "--release", "--quiet"]))?;
    Ok(workspace::root().join("target/release/tabiya"))
}

/// The commit that a program was built from, for the names of its journals.
pub(crate) fn identity(program: &Path) -> Result<String, Error> {
    Ok(file_name(&workspace::output(Command::new(program).arg("--version"))?))
}

/// A version as a part of a file's name. A commit with changes on top ends with `+` and is no clean build.
fn file_name(version: &str) -> String {
    let is_plain = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
    version.replace("+,", "-dirty,").chars().filter(is_plain).collect()
}

/// Plays a match to its end and reads its report. Codes 3 and 4 are verdicts, too.
pub(crate) fn play(program: &Path, args: &[String]) -> Result<Report, Error> {
    let mut command = Command::new(program);
    command.arg("match").args(args).arg("--json").stderr(Stdio::inherit());
    let output = command
        .output()
        .map_err(|source| Error::Start { command: workspace::spelled(&command), source })?;
    if !matches!(output.status.code(), Some(0 | 3 | 4)) {
        let command = workspace::spelled(&command);
        return Err(Error::Failed { command, status: output.status });
    }
    serde_json::from_slice(&output.stdout).map_err(|source| Error::Report { source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_with_changes_on_top_have_journals_of_their_own() {
        let clean = "Tabiya 0.2.0 (commit 9c50120, network 6d0e612d, cpu avx2+pext)\n";
        assert_eq!(file_name(clean), "Tabiya020commit9c50120network6d0e612dcpuavx2pext");
        let dirty = clean.replace("9c50120", "9c50120+");
        assert_eq!(file_name(&dirty), "Tabiya020commit9c50120-dirtynetwork6d0e612dcpuavx2pext");
    }

    #[test]
    fn a_report_is_read() {
        let report: Report = serde_json::from_str(
            r#"{"verdict":"accept-h1","names":["a","b"],"statistics":{"pairs":2,
                "games":{"wins":3,"draws":1,"losses":0},"elo":{"value":338.0,"low":12.5,"high":null}},
                "reasons":{"time-forfeit":{"wins":2,"draws":0,"losses":1}}}"#,
        )
        .expect("a report");
        assert_eq!(report.figures(), (4, "+338.0 ± inf".to_owned()));
        assert_eq!(report.ended_by("time-forfeit").losses, 1);
        assert_eq!(report.ended_by("crash").games(), 0);
        let elo = Interval { value: Some(-3.25), low: Some(-10.0), high: Some(4.0) };
        assert_eq!(elo.to_string(), "-3.2 ± 7.0");
    }
}
