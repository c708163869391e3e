//! `cargo xtask`: set-up and checks for contributors. It needs Linux: it reads `/proc`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool that talks to its user")]

mod advisories;
mod background;
mod bench;
mod checks;
mod clock_test;
mod error;
mod fuzz;
mod games;
mod ledger;
mod process;
mod quiet;
mod sanitize;
mod scaling;
mod setup;
mod signature;
mod workspace;

use std::error::Error as _;
use std::ffi::OsString;
use std::iter::successors;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use error::Error;

/// Set-up and checks for contributors to Tabiya.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Install what the checks need and this machine lacks; says nothing when there is nothing to do.
    Setup,

    /// Run every check: set-up, format, licences, advisories, lints, documentation, tests, the bench, short
    /// fuzzing.
    Test {
        /// Also run the tests marked `#[ignore]`, and the tests under sanitizers.
        #[arg(long)]
        long: bool,

        /// How long each fuzz target runs.
        #[arg(long, value_name = "N", default_value_t = 20)]
        fuzz_seconds: u32,
    },

    /// Fuzz one target for long, and add to its corpus the inputs that reach new code.
    Fuzz {
        /// A target from `fuzz/fuzz_targets/`.
        target: String,

        /// How long to look.
        #[arg(long, value_name = "N", default_value_t = 3600)]
        seconds: u32,
    },

    /// Run the tests of chess, engine and protocol under AddressSanitizer and ThreadSanitizer.
    ///
    /// ThreadSanitizer needs the sources of the standard library: `rustup component add rust-src`.
    Sanitize {
        /// Only this one.
        sanitizer: Option<sanitize::Sanitizer>,
    },

    /// Run the move generator's benchmarks beside the other Rust generators.
    Bench,

    /// Play the engine against itself without each technique of the search: the rows of docs/search.md.
    ///
    /// What was played is kept in `target/ledger`: the same command goes on where it stopped, and for
    /// another engine that folder has to go.
    Ledger {
        /// Only techniques whose name or margin holds one of these.
        words: Vec<String>,

        /// The most games for each.
        #[arg(long, value_name = "N", default_value_t = 400)]
        games: u32,

        /// Nodes for each move.
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        nodes: u32,

        /// Games at a time.
        #[arg(long, value_name = "K", default_value_t = 2)]
        concurrency: u32,
    },

    /// Play Stockfish by its rules at 10,000, 40,000 and 160,000 nodes a move: Elo at each, and the slope.
    ///
    /// What was played is kept in `target/scaling`, by the engine's version: the same command goes on where
    /// it stopped.
    Scaling {
        /// Options of ours for this run, as in `nmp_base=5`.
        options: Vec<String>,

        /// Percent of the full number of games (1,000, 1,000 and 600).
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
        share: u32,

        /// Games at a time.
        #[arg(long, value_name = "K", default_value_t = 2)]
        concurrency: u32,
    },

    /// Play short games beside a program that burns a core now and then, without a margin: no game may be
    /// lost on time. Then measure how exactly `go movetime` is kept.
    ClockTest {
        /// Percent of the full number of games (2,000 at 1+0.01 and 500 at 0.3+0.003).
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100))]
        share: u32,

        /// The opponent, as `tabiya match` takes it.
        #[arg(long, value_name = "ENGINE", default_value = "stockfish")]
        opponent: String,
    },

    /// Start a command in the background, at the lowest priority.
    ///
    /// What it prints goes to `target/background/NAME.log`. To end it, send a signal to its process
    /// group: `kill -- -PID`.
    Background {
        /// List what was started, and whether it is running, paused or ended.
        #[arg(long, exclusive = true)]
        list: bool,

        /// What to call it.
        #[arg(required_unless_present = "list")]
        name: Option<background::Name>,

        /// The command and its arguments.
        #[arg(last = true, value_name = "CMD", required_unless_present = "list")]
        command: Vec<OsString>,
    },

    /// Pause all background work, run a command, and resume the work whatever happens.
    ///
    /// Ends with the exit code of the command. Only one such run is under way at a time; another
    /// waits for its turn. The folder of the background work is `target/background`, or the one that
    /// the variable TABIYA_BACKGROUND names.
    Quiet {
        /// The command and its arguments.
        #[arg(last = true, value_name = "CMD", required = true)]
        command: Vec<OsString>,
    },
}

fn main() -> ExitCode {
    run(Cli::parse().verb).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        for cause in successors(error.source(), |&cause| cause.source()) {
            eprintln!("  because: {cause}");
        }
        ExitCode::FAILURE
    })
}

fn run(verb: Verb) -> Result<ExitCode, Error> {
    match verb {
        Verb::Setup => setup::run()?,
        Verb::Test { long, fuzz_seconds } => checks::run(long, fuzz_seconds)?,
        Verb::Fuzz { target, seconds } => {
            setup::run()?;
            fuzz::long(&target, seconds)?;
        }
        Verb::Sanitize { sanitizer } => sanitize::run(sanitizer)?,
        Verb::Bench => bench::chess()?,
        Verb::Ledger { words, games, nodes, concurrency } => {
            ledger::run(games, nodes, concurrency, &words)?;
        }
        Verb::Scaling { options, share, concurrency } => {
            setup::run()?;
            scaling::run(share, concurrency, &options)?;
        }
        Verb::ClockTest { share, opponent } => {
            setup::run()?;
            clock_test::run(share, &opponent)?;
        }
        Verb::Background { list: true, .. } => print!("{}", background::list(&background::dir())?),
        Verb::Background { name, command, .. } => {
            let name = name.expect("required unless --list is given");
            background::start(&background::dir(), &name, &command)?;
        }
        Verb::Quiet { command } => return quiet::run(&background::dir(), &command),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
