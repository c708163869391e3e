//! What the measuring was done on.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};
use tabiya_arena::calendar::civil_date;

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
}

impl Machine {
    /// This one.
    pub fn here() -> Machine {
        let model = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
            let line = text.lines().find(|line| line.starts_with("model name"))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        });
        Machine {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: if cfg!(debug_assertions) { "with checks" } else { "release" }.to_owned(),
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
        let here = Machine::here();
        assert!(here.is_like(&Machine { threads: here.threads + 1, ..here.clone() }));
        assert!(!here.is_like(&Machine { version: "0".to_owned(), ..here.clone() }));
    }
}
