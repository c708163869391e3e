//! `tabiya completions`: what a shell needs to complete the verbs and options.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{Cli, Outcome};

/// Print a completion script for a shell.
///
/// For bash, for instance:
/// `tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya`
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to write for.
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    // The generator panics when a write fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tabiya", &mut script);
    out.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
