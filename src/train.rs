//! `tabiya train`: games against itself, and what is learnt from them.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use serde::Serialize;
use tabiya_engine::eval::DEFAULT;
use tabiya_trainer::fit::{Errors, Filter, FitRecipe, Samples, fit};
use tabiya_trainer::manifest::{Census, MANIFEST, Manifest, Origin};
use tabiya_trainer::recipe::Recipe;
use tabiya_trainer::selfplay;
use tabiya_trainer::verify::{Sample, verify};

use crate::Outcome;
use crate::arena_args::{INTERRUPTED, progress_bar, usage};
use crate::json;
use crate::players::interrupt_on_ctrl_c;

/// Let the engine play against itself and learn from it.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Selfplay(SelfPlayArgs),
    Verify(VerifyArgs),
    Classical(ClassicalArgs),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::Selfplay(args) => play(args, out),
        Task::Verify(args) => check(args, out),
        Task::Classical(args) => fit_classical(args, out),
    }
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  that was not possible, or something is not as it should be
  2  bad usage
  5  interrupted; what was done is kept";

/// Play games of the engine against itself into a directory.
///
/// Games are numbered, and each depends on the recipe, its number and the engine alone: threads and
/// interruptions make no difference. Where the directory holds games already, it goes on after them;
/// Ctrl-C keeps what has been played.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
struct SelfPlayArgs {
    /// Where the games are kept.
    directory: PathBuf,
    /// How many games there are to be in the end, rounded up to whole files.
    #[arg(long, value_name = "N", default_value = "10000")]
    games: NonZeroU64,
    /// How many threads play.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// The recipe: JSON as it stands in a manifest.
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// Where chance begins.
    #[arg(long)]
    seed: Option<u64>,
    /// No iteration of a search is begun after so many nodes; the mean is 1.6 times as many.
    #[arg(long, value_name = "N")]
    soft_nodes: Option<u64>,
    /// No search takes more nodes. [default: ten times the soft nodes]
    #[arg(long, value_name = "N")]
    hard_nodes: Option<u64>,
    /// The commit that this program was built from, for the manifest.
    #[arg(long)]
    commit: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl SelfPlayArgs {
    /// The recipe: from a file, or of the games that are there, or the usual one, with what else is
    /// asked for.
    fn recipe(&self) -> Result<Recipe, Box<dyn Error>> {
        let mut recipe = match &self.recipe {
            Some(path) => read_recipe(path)?,
            None if self.directory.join(MANIFEST).exists() => {
                Manifest::load(&self.directory)?.recipe
            }
            None => Recipe::default(),
        };
        recipe.seed = self.seed.unwrap_or(recipe.seed);
        if let Some(soft) = self.soft_nodes {
            (recipe.soft_nodes, recipe.hard_nodes) = (soft, soft.saturating_mul(10));
        }
        recipe.hard_nodes = self.hard_nodes.unwrap_or(recipe.hard_nodes);
        recipe.check().map_err(usage)?;
        Ok(recipe)
    }
}

fn read_recipe(path: &Path) -> Result<Recipe, clap::Error> {
    let fail = |error: &dyn Error| usage(format!("--recipe {}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| fail(&error))?;
    serde_json::from_str(&text).map_err(|error| fail(&error))
}

#[derive(Serialize)]
struct PlayReport<'a> {
    #[serde(flatten)]
    census: Census,
    bytes: u64,
    games_put_aside: u64,
    origin: &'a Origin,
    recipe: &'a Recipe,
}

fn play(args: &SelfPlayArgs, out: &mut dyn Write) -> Outcome {
    let recipe = args.recipe()?;
    let origin = Origin::of_this_engine(args.commit.clone())?;
    let interrupt = interrupt_on_ctrl_c()?;
    let games = args.games.get();
    let bar = progress_bar(games, "games");
    let mut played = 0;
    let mut progress = |census: &Census| {
        played = census.games;
        bar.set_position(census.games);
        bar.set_message(format!("{} positions", census.positions));
    };
    let manifest = selfplay::run(
        &args.directory,
        &recipe,
        &origin,
        games,
        args.threads.get(),
        &|| interrupt.is_raised(),
        &mut progress,
    )?;
    bar.finish_and_clear();
    let census = manifest.census();
    let bytes: u64 = manifest.shards.iter().map(|shard| shard.bytes).sum();
    let games_put_aside = played.saturating_sub(census.games);
    if args.json {
        let (origin, recipe) = (&manifest.origin, &manifest.recipe);
        json::print(out, &PlayReport { census, bytes, games_put_aside, origin, recipe })?;
    } else {
        let Census { games, positions, white_wins, draws, black_wins } = census;
        writeln!(
            out,
            "{games} games: {white_wins} won by White, {draws} drawn, {black_wins} lost"
        )?;
        let each = bytes as f64 / positions.max(1) as f64;
        writeln!(out, "{positions} positions in {bytes} bytes, {each:.2} each")?;
        if games_put_aside > 0 {
            writeln!(out, "{games_put_aside} more games wait for the rest of their file")?;
        }
    }
    let finished = census.games >= games;
    Ok(ExitCode::from(if finished { 0 } else { INTERRUPTED }))
}

/// Check that a directory's games are what its manifest says.
///
/// All files are read and compared with the manifest; then some of the games are played again, and must
/// come out the same to the byte. An engine with another bench is refused.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
struct VerifyArgs {
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
    /// How many threads play.
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
}

fn check(args: &VerifyArgs, out: &mut dyn Write) -> Outcome {
    let origin = Origin::of_this_engine(None)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let sample =
        if args.all { Sample::All } else { Sample::Some { games: args.games, seed: args.seed } };
    let bar = progress_bar(0, "games");
    let mut progress = |played, wanted| {
        bar.set_length(wanted);
        bar.set_position(played);
    };
    let stop = || interrupt.is_raised();
    let verified =
        verify(&args.directory, &origin, sample, args.threads.get(), &stop, &mut progress)?;
    bar.finish_and_clear();
    let Census { games, positions, .. } = verified.census;
    writeln!(out, "{games} games with {positions} positions are as the manifest says")?;
    writeln!(out, "{} of them were played again and came out the same", verified.replayed)?;
    Ok(ExitCode::from(if stop() { INTERRUPTED } else { 0 }))
}

/// Fit the weights of the classical evaluation to games (Texel's method).
///
/// Prints the mean squared error of the expected points before, after each epoch and after, and writes
/// the weights as the source that the engine is built from (crates/engine/src/eval/weights.rs). The
/// result is the same to the bit for any number of threads.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
struct ClassicalArgs {
    /// Where games are kept; all of these are learnt from.
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Where the fitted weights go.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// How much a game's result counts against the search's score, 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = FitRecipe::default().result_share)]
    result_share: f64,
    /// How strongly weights are held where they are.
    #[arg(long, value_name = "COST", default_value_t = FitRecipe::default().hold)]
    hold: f64,
    /// The greatest step of a weight at first.
    #[arg(long, default_value_t = FitRecipe::default().rate)]
    rate: f64,
    /// Positions to a step.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().batch)]
    batch: u32,
    /// How often all positions are gone through at most.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().epochs)]
    epochs: u32,
    /// It ends after so many epochs without getting better on what was held out.
    #[arg(long, value_name = "N", default_value_t = FitRecipe::default().patience)]
    patience: u32,
    /// Leave out positions with a larger score.
    #[arg(long, value_name = "SCORE", default_value_t = Filter::default().largest_score)]
    largest_score: i16,
    /// Leave out the first so many plies of each game.
    #[arg(long, value_name = "PLIES", default_value_t = Filter::default().first_ply)]
    first_ply: u32,
    /// One game of so many is held out to judge by.
    #[arg(long, value_name = "N", default_value_t = Filter::default().hold_out_every,
        value_parser = clap::value_parser!(u32).range(2..))]
    hold_out_every: u32,
    /// Where the chance begins that shuffles the positions.
    #[arg(long, default_value_t = FitRecipe::default().seed)]
    seed: u64,
    /// How many threads work.
    #[arg(long, value_name = "N", default_value = "1")]
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

fn fit_classical(args: &ClassicalArgs, out: &mut dyn Write) -> Outcome {
    let recipe = FitRecipe {
        seed: args.seed,
        result_share: args.result_share,
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
        bar.set_message(format!("held out: {:.6}", errors.validation));
    };
    let fitted = fit(&samples, &DEFAULT, &recipe, threads, &stop, &mut progress)?;
    bar.finish_and_clear();
    fs::write(&args.out, fitted.weights.source())?;

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
            "{games} games, {positions} positions: {training} to learn from, {validation} held out"
        )?;
        writeln!(out, "scale {:.2}", fitted.scale)?;
        writeln!(out, "{:>8} {:>10} {:>10} {:>10}", "epoch", "learnt", "held out", "results")?;
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
