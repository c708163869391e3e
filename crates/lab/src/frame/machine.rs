//! What the measuring was done on.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};
use tabiya_arena::calendar::civil_date;
use tabiya_engine::Identity;

/// The machine and the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor, as it calls itself.
    pub processor: String,
    /// How many threads it runs at a time.
    pub threads: usize,
    /// The program's version.
    pub version: String,
    /// How the program was built.
    pub build: String,
    /// Which program it was; not known of old results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Identity>,
}

impl Machine {
    /// This one, with a program built from such a commit.
    pub fn here(commit: Option<&str>) -> Machine {
        let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        let program = Identity::of(commit);
        Machine {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            version: program.version.clone(),
            build: if cfg!(debug_assertions) { "with checks" } else { "release" }.to_owned(),
            program: Some(program),
        }
    }

    /// Do figures of both belong together? How many threads were at hand does not matter: a run may be bound
    /// to fewer than there are.
    pub fn is_like(&self, other: &Machine) -> bool {
        (&self.processor, &self.version, &self.build)
            == (&other.processor, &other.version, &other.build)
    }
}

/// Today, as in 2026-11-16.
pub fn today() -> String {
    let days = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() / 86_400);
    let (year, month, day) = civil_date(days);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_threads_are_no_other_machine() {
        let here = Machine::here(None);
        assert!(here.is_like(&Machine { threads: here.threads + 1, ..here.clone() }));
        assert!(!here.is_like(&Machine { version: "0".to_owned(), ..here.clone() }));
    }

    #[test]
    fn results_say_which_program_found_them_unless_they_are_old() {
        let here = Machine::here(Some("9c50120"));
        let text = serde_json::to_string(&here).unwrap();
        assert!(text.contains(r#""commit":"9c50120""#) && text.contains(r#""cpu":""#), "{text}");
        assert_eq!(serde_json::from_str::<Machine>(&text).unwrap(), here);
        let old =
            r#"{"processor": "abacus", "threads": 1, "version": "0.1.0", "build": "release"}"#;
        assert_eq!(serde_json::from_str::<Machine>(old).unwrap().program, None);
    }
}
