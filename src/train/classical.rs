//! `tabiya train classical`: weights of the classical evaluation.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use tabiya_engine::eval::DEFAULT;
use tabiya_files::{NewFile, write};
use tabiya_trainer::fit::{Errors, Filter, FitRecipe, Samples, fit};

use super::EXIT_CODES;
use crate::Outcome;
use crate::exit::{INTERRUPTED, usage};
use crate::json;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Fit the weights of the classical evaluation to games (Texel's method).
///
/// Prints the mean squared error of the expected points before, after each epoch and after, and writes
/// the weights as the source that the engine is built from (crates/engine/src/eval/weights.rs). The
/// result is the same to the bit for any number of threads.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Directories of training games.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Where the fitted weights go.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The WDL weight: how much the game's result counts against the search's score, 0 to 1.
    #[arg(long = "wdl", value_name = "WEIGHT", default_value_t = FitRecipe::default().wdl_weight)]
    wdl_weight: f64,
    /// How strongly weights are held where they are.
    #[arg(long, value_name = "COST", default_value_t = FitRecipe::default().hold)]
    hold: f64,
    /// The learning rate at first: the greatest step of a weight.
    #[arg(long = "learning-rate", value_name = "RATE", default_value_t = FitRecipe::default().rate)]
    rate: f64,
    /// Batch size, in positions.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().batch)]
    batch: u32,
    /// Epochs: how often all positions are gone through at most.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().epochs)]
    epochs: u32,
    /// It ends after this many epochs without a lower validation loss.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().patience)]
    patience: u32,
    /// Leave out positions with a larger score.
    #[arg(long, value_name = "SCORE", default_value_t = Filter::default().largest_score)]
    largest_score: i16,
    /// Leave out this many plies at the start of each game.
    #[arg(long, value_name = "PLIES", default_value_t = Filter::default().first_ply)]
    first_ply: u32,
    /// One game of N is held out for validation.
    #[arg(long, value_name = "N", default_value_t = Filter::default().hold_out_every,
        value_parser = clap::value_parser!(u32).range(2..))]
    hold_out_every: u32,
    /// Where the chance begins that shuffles the positions.
    #[arg(long, default_value_t = FitRecipe::default().seed)]
    seed: u64,
    /// How many threads work.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct FitReport<'a> {
    recipe: &'a FitRecipe,
    filter: &'a Filter,
    games: u64,
    positions: u64,
    training: usize,
    validation: usize,
    scale: f64,
    before: Errors,
    epochs: &'a [Errors],
    best_epoch: usize,
    after: Errors,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let recipe = FitRecipe {
        seed: args.seed,
        wdl_weight: args.wdl_weight,
        batch: args.batch,
        rate: args.rate,
        epochs: args.epochs,
        patience: args.patience,
        hold: args.hold,
    };
    recipe.check().map_err(usage)?;
    let filter = Filter {
        largest_score: args.largest_score,
        first_ply: args.first_ply,
        hold_out_every: args.hold_out_every,
    };
    // Whether it can be written is found out before the work.
    NewFile::create(&args.out)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let stop = || interrupt.is_raised();
    let threads = args.threads.get();

    let bar = progress_bar(0, "files");
    let mut progress = |read, all| {
        bar.set_length(all);
        bar.set_position(read);
    };
    let samples =
        Samples::load(&args.directories, &filter, &DEFAULT, threads, &stop, &mut progress)?;
    bar.finish_and_clear();
    if stop() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let (training, validation) = (samples.training.len(), samples.validation.len());
    let Samples { games, positions, .. } = samples;

    let bar = progress_bar(recipe.epochs.into(), "epochs");
    let mut progress = |epoch, errors: &Errors| {
        bar.set_position(epoch as u64);
        bar.set_message(format!("validation loss {:.6}", errors.validation));
    };
    let fitted = fit(&samples, &DEFAULT, &recipe, threads, &stop, &mut progress)?;
    bar.finish_and_clear();
    write(&args.out, fitted.weights.source().as_bytes())?;

    if args.json {
        let report = FitReport {
            recipe: &recipe,
            filter: &filter,
            games,
            positions,
            training,
            validation,
            scale: fitted.scale,
            before: fitted.before,
            epochs: &fitted.epochs,
            best_epoch: fitted.best_epoch,
            after: fitted.after,
        };
        json::print(out, &report)?;
    } else {
        writeln!(
            out,
            "{games} games, {positions} positions: {training} for training, {validation} for validation"
        )?;
        writeln!(out, "scale {:.2}", fitted.scale)?;
        writeln!(out, "{:>8} {:>10} {:>10} {:>10}", "epoch", "training", "validation", "results")?;
        let mut row = |name: &str, errors: &Errors| {
            let Errors { training, validation, validation_by_result } = errors;
            writeln!(
                out,
                "{name:>8} {training:>10.6} {validation:>10.6} {validation_by_result:>10.6}"
            )
        };
        row("before", &fitted.before)?;
        for (number, errors) in (1..).zip(&fitted.epochs) {
            let best = if number == fitted.best_epoch { "*" } else { "" };
            row(&format!("{best}{number}"), errors)?;
        }
        row("after", &fitted.after)?;
    }
    Ok(ExitCode::from(if stop() { INTERRUPTED } else { 0 }))
}
