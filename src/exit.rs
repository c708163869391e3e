//! How a run ends: its exit code, and bad usage that shows only after the arguments are parsed.

use crate::Cli;
use clap::error::ErrorKind;
use clap::{Command, CommandFactory};
use std::ffi::OsString;
use std::fmt::Display;

/// The exit code of an interrupted run.
pub(crate) const INTERRUPTED: u8 = 5;

/// Arguments that the parser accepted but that make no sense after all.
pub(crate) fn usage(message: impl Display) -> clap::Error {
    verb(std::env::args_os().skip(1)).error(ErrorKind::ValueValidation, message)
}

/// The verb that these words name, or the task of a verb, so that an error shows its usage.
fn verb(words: impl Iterator<Item = OsString>) -> Command {
    let mut command = Cli::command();
    command.build();
    for word in words {
        let named = word.to_str().and_then(|word| command.find_subcommand(word));
        let Some(named) = named.cloned() else { break };
        command = named;
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_the_usage_of_its_verb() {
        let usage = |words: &[&str]| {
            let words = words.iter().map(OsString::from);
            verb(words).error(ErrorKind::ValueValidation, "why").to_string()
        };
        assert!(usage(&["analyse", "startpos"]).contains("Usage: tabiya analyse [OPTIONS]"));
        assert!(usage(&["analyze"]).contains("Usage: tabiya analyse [OPTIONS]"));
        assert!(usage(&["train", "fit", "x"]).contains("Usage: tabiya train fit "));
        assert!(usage(&[]).contains("Usage: tabiya [COMMAND]"));
    }
}
