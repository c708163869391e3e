//! `tabiya train verify`: are games what their manifest says?

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_trainer::manifest::{Census, Manifest, Origin};
use tabiya_trainer::recipe::Evaluation;
use tabiya_trainer::verify::{VerifySample, verify};

use super::EXIT_CODES;
use crate::Outcome;
use crate::exit::{INTERRUPTED, usage};
use crate::identity::COMMIT;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Check that a directory's games are what its manifest says.
///
/// All files are read and compared with the manifest; then some of the games are played again, and must
/// come out the same to the byte. An engine with another bench is refused.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Where the games are.
    directory: PathBuf,
    /// How many games are played again.
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,
    /// Play all of them again.
    #[arg(long, conflicts_with_all = ["games", "seed"])]
    all: bool,
    /// Where the chance begins that picks them.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the network lies that played, if it is not where it was then.
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// How many threads play.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let mut evaluation = Manifest::load(&args.directory)?.recipe.evaluation;
    match (&mut evaluation, &args.network) {
        (_, None) => {}
        (Evaluation::Network { file, .. }, Some(moved)) => file.clone_from(moved),
        _ => return Err(usage("--network: these games are not by a network in a file").into()),
    }
    let origin = Origin::of_this_engine(&evaluation, COMMIT)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let sample = if args.all {
        VerifySample::All
    } else {
        VerifySample::Some { games: args.games, seed: args.seed }
    };
    let bar = progress_bar(0, "games");
    let mut progress = |played, wanted| {
        bar.set_length(wanted);
        bar.set_position(played);
    };
    let stop = || interrupt.is_raised();
    let threads = args.threads.get();
    let verified =
        verify(&args.directory, &evaluation, &origin, sample, threads, &stop, &mut progress)?;
    bar.finish_and_clear();
    let Census { games, positions, .. } = verified.census;
    writeln!(out, "{games} games with {positions} positions are as the manifest says")?;
    writeln!(out, "{} of them were played again and came out the same", verified.replayed)?;
    Ok(ExitCode::from(if stop() { INTERRUPTED } else { 0 }))
}
