//! The command line of Tabiya: one small file per verb.
//!
//! Every verb keeps to the same manners:
//!
//! - results go to standard output, progress to standard error and only when that is a terminal;
//! - what the user typed is judged while the arguments are parsed, so bad usage ends with code 2
//!   before any work is done; a check that fails, or work that cannot be finished, ends with code 1;
//! - a reader that goes away (`tabiya ... | head`) ends the program quietly.

#![forbid(unsafe_code)]

mod analyse;
mod arena_args;
mod attacks;
mod bench;
mod bench_parallel;
mod bench_simulated;
mod completions;
mod eval;
mod exit;
mod identity;
mod json;
mod lab;
mod magic;
mod match_cmd;
mod numbers;
mod openings;
mod perft;
mod players;
mod position_arg;
mod progress;
mod see;
mod solve;
mod tournament;
mod train;
mod tune;
mod uci;

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

/// A chess engine and its workbench.
///
/// Without a verb it is an engine that speaks UCI on standard input and output, for chess programs to
/// start; from a terminal you can talk to it yourself.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    Analyse(Box<analyse::Args>),
    Perft(perft::Args),
    Attacks(attacks::Args),
    Magic(magic::Args),
    Bench(bench::Args),
    Eval(eval::Args),
    See(see::Args),
    Match(Box<match_cmd::Args>),
    Tournament(Box<tournament::Args>),
    Solve(solve::Args),
    Tune(Box<tune::Args>),
    Train(Box<train::Args>),
    Lab(lab::Args),
    Openings(openings::Args),
    Completions(completions::Args),
}

/// What every verb returns: the verdict of a check, or why the work could not be done.
type Outcome = Result<ExitCode, Box<dyn Error>>;

fn main() -> ExitCode {
    // Not locked: the engine's threads speak too.
    match answer(&mut io::stdout()) {
        Ok(verdict) => verdict,
        Err(error) => explain(&*error),
    }
}

fn answer(out: &mut dyn Write) -> Outcome {
    let cli = match Cli::try_parse_from(position_arg::joined(std::env::args_os())) {
        Ok(cli) => cli,
        // The network is hashed only for those who ask.
        Err(asked) if asked.kind() == ErrorKind::DisplayVersion => {
            writeln!(out, "{}", identity::identity())?;
            return Ok(ExitCode::SUCCESS);
        }
        Err(usage) => return Err(usage.into()),
    };
    let verdict = match cli.verb {
        None => uci::run(out),
        Some(Verb::Analyse(args)) => analyse::run(&args, out),
        Some(Verb::Perft(args)) => perft::run(&args, out),
        Some(Verb::Attacks(args)) => attacks::run(&args, out),
        Some(Verb::Magic(args)) => magic::run(&args, out),
        Some(Verb::Bench(args)) => bench::run(&args, out),
        Some(Verb::Eval(args)) => eval::run(&args, out),
        Some(Verb::See(args)) => see::run(&args, out),
        Some(Verb::Match(args)) => match_cmd::run(&args, out),
        Some(Verb::Tournament(args)) => tournament::run(&args, out),
        Some(Verb::Solve(args)) => solve::run(&args, out),
        Some(Verb::Tune(args)) => tune::run(&args, out),
        Some(Verb::Train(args)) => train::run(&args, out),
        Some(Verb::Lab(args)) => lab::run(&args, out),
        Some(Verb::Openings(args)) => openings::run(&args, out),
        Some(Verb::Completions(args)) => completions::run(&args, out),
    }?;
    out.flush()?;
    Ok(verdict)
}

/// Tells the user what went wrong, each cause on a line of its own, and picks the exit code.
fn explain(error: &(dyn Error + 'static)) -> ExitCode {
    if let Some(usage) = error.downcast_ref::<clap::Error>() {
        // If the terminal cannot be written to, the message is lost.
        let _ = usage.print();
        return if usage.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
    }
    if causes(error).any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "error: {error}");
    for cause in causes(error).skip(1) {
        let _ = writeln!(err, "  because: {cause}");
    }
    ExitCode::FAILURE
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
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
