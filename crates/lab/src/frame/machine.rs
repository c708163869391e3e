//! What the measuring was done on.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

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
    date(days)
}

/// The date so many days after the first of January 1970.
fn date(days: u64) -> String {
    // Years that begin in March have their odd day at the end.
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
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

    #[test]
    fn dates_are_right() {
        let expected = ["1970-01-01", "2000-02-29", "2000-03-01", "2009-06-17", "2026-11-16"];
        assert_eq!([0, 11_016, 11_017, 14_412, 20_773].map(date), expected);
    }
}
