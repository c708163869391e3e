//! `tabiya eval`: why the classical evaluation thinks what it thinks, and what the network does.

use crate::identity::COMMIT;
use crate::json::Signed;
use crate::position_arg::{self, Given};
use crate::{Outcome, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use tabiya_engine::eval::Terms;
use tabiya_engine::nnue::Network;
use tabiya_engine::{Assessment, Engine, Identity};

/// Show every term of the classical evaluation, for both sides, and the network's value.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position: a FEN, `startpos`, or `chess960:NUMBER`.
    #[arg(value_parser = position_arg::parse)]
    position: Given,
    /// The network: a file, instead of the one that comes with the program.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Count only these terms: names with commas between them, or what to leave out, as in
    /// `--terms=-mobility,-space`; `all`, `none` and `aalborg` are sets.
    #[arg(long, value_name = "TERMS", default_value = "all", allow_hyphen_values = true)]
    terms: Terms,
    /// List every rule under its term.
    #[arg(long)]
    rules: bool,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "rules")]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let network = match &args.net {
        Some(path) => Some(Arc::new(Network::load(path)?)),
        None => Engine::new()?.eval_in_use().network(),
    };
    let assessment = Assessment::new(args.position.position()?, args.terms, network.as_deref());
    if args.json {
        let program = Identity::with_network(COMMIT, network.as_deref());
        json::print(out, &Signed::by(program, &assessment))?;
    } else if args.rules {
        writeln!(out, "{assessment:#}")?;
    } else {
        writeln!(out, "{assessment}")?;
    }
    Ok(ExitCode::SUCCESS)
}
