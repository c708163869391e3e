//! `tabiya train fit`: a network from games.

use std::error::Error;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use tabiya_engine::nnue::Network;
use tabiya_files::{NewFile, remove, write};
use tabiya_trainer::lineage::{Lineage, Run};
use tabiya_trainer::net::{
    DataSource, NetRecipe, NetReport, NetSamples, Progress, StartNet, train,
};

use super::gate::net_name;
use super::{EXIT_CODES, read_recipe};
use crate::Outcome;
use crate::arena_args::check_roles;
use crate::exit::{INTERRUPTED, usage};
use crate::json;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Train a network on games.
///
/// Beside the network NAME.net it leaves NAME.json, its report with the recipe that
/// makes it again, and NAME.svg, the curves of training and validation loss. The result is the same to the bit for any
/// number of threads, and however often it was interrupted: Ctrl-C keeps what was learnt in
/// NAME.checkpoint, and the same command goes on from there.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Directories of training games.
    #[arg(required_unless_present = "recipe")]
    directories: Vec<PathBuf>,
    /// Where the network goes.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The recipe: JSON, or the file beside a network that is to be made again; other options change it.
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// Neurons of the hidden layer for each side, a multiple of 32. [default: 256]
    #[arg(long, value_name = "N")]
    hidden: Option<u32>,
    /// Outputs by number of pieces: 1 or 8. [default: 1]
    #[arg(long, value_name = "N")]
    buckets: Option<u32>,
    /// The value at which 73 % of the points are expected. [default: 200]
    #[arg(long, value_name = "SCORE")]
    scale: Option<f64>,
    /// The WDL weight: how much the game's result counts against the search's score, 0 to 1. [default: 0.05]
    #[arg(long = "wdl", value_name = "WEIGHT")]
    wdl_weight: Option<f64>,
    /// TD(lambda): how much of a position's score comes from the next position, 0 to 0.99. [default: 0]
    #[arg(long, value_name = "SHARE")]
    lambda: Option<f64>,
    /// The learning rate at first. [default: 0.001]
    #[arg(long = "learning-rate", value_name = "RATE")]
    rate: Option<f64>,
    /// The learning rate at last; in between it follows a cosine. [default: 0.0000025]
    #[arg(long = "final-learning-rate", value_name = "RATE")]
    final_rate: Option<f64>,
    /// Weight decay: the share of each weight that is taken off at a step, times the learning rate. [default: 0.01]
    #[arg(long, value_name = "SHARE")]
    weight_decay: Option<f64>,
    /// Batch size, in positions. [default: 4096, from twenty million positions 16384]
    #[arg(long, value_name = "N")]
    batch: Option<u32>,
    /// Epochs: how often all positions are gone through. [default: 12]
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Where the chance begins that makes the first weights and shuffles the positions. [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// A network to begin with, of as many neurons; if it has one output, all buckets begin with that.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Leave out positions with this score or a larger one. [default: 3000]
    #[arg(long, value_name = "SCORE")]
    score_limit: Option<i16>,
    /// Leave out this many plies at the start of each game. [default: 0]
    #[arg(long, value_name = "PLIES")]
    first_ply: Option<u32>,
    /// One game of N is held out for validation. [default: 50]
    #[arg(long, value_name = "N")]
    hold_out_every: Option<u32>,
    /// Enter the network into this lineage, as not yet accepted.
    #[arg(long, value_name = "FILE")]
    lineage: Option<PathBuf>,
    /// How many threads work.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The recipe: from a file or the usual one, with what else is asked for.
    fn recipe(&self) -> Result<NetRecipe, clap::Error> {
        let mut recipe = self.recipe.as_deref().map(from_file).transpose()?.unwrap_or_default();
        if !self.directories.is_empty() {
            let source = |directory: &PathBuf| DataSource {
                directory: directory.clone(),
                manifest_sha256: None,
            };
            recipe.data = self.directories.iter().map(source).collect();
        }
        if let Some(file) = &self.start {
            recipe.start = Some(StartNet { file: file.clone(), sha256: None });
        }
        let set = |field: &mut u32, value: Option<u32>| *field = value.unwrap_or(*field);
        set(&mut recipe.hidden, self.hidden);
        set(&mut recipe.buckets, self.buckets);
        set(&mut recipe.epochs, self.epochs);
        set(&mut recipe.filter.first_ply, self.first_ply);
        set(&mut recipe.filter.hold_out_every, self.hold_out_every);
        let set = |field: &mut f64, value: Option<f64>| *field = value.unwrap_or(*field);
        set(&mut recipe.scale, self.scale);
        set(&mut recipe.wdl_weight, self.wdl_weight);
        set(&mut recipe.lambda, self.lambda);
        set(&mut recipe.rate, self.rate);
        set(&mut recipe.final_rate, self.final_rate);
        set(&mut recipe.weight_decay, self.weight_decay);
        recipe.batch = self.batch.or(recipe.batch);
        recipe.seed = self.seed.unwrap_or(recipe.seed);
        recipe.filter.score_limit = self.score_limit.unwrap_or(recipe.filter.score_limit);
        recipe.check().map_err(usage)?;
        Ok(recipe)
    }
}

/// A recipe in a file: by itself, or in the report of a network.
fn from_file(path: &Path) -> Result<NetRecipe, clap::Error> {
    let mut value: serde_json::Value = read_recipe(path)?;
    let recipe = value.get_mut("recipe").map(serde_json::Value::take).unwrap_or(value);
    serde_json::from_value(recipe)
        .map_err(|error| usage(format!("--recipe {}: {error}", path.display())))
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if args.out.extension().is_none_or(|extension| extension != "net") {
        return Err(usage("--out: the name of a network's file ends with .net").into());
    }
    let directory = args.out.parent().filter(|directory| *directory != Path::new(""));
    if directory.is_some_and(|directory| !directory.is_dir()) {
        return Err(usage("--out: there is no such directory").into());
    }
    let mut recipe = args.recipe()?;
    let outputs = Outputs::of(&args.out);
    outputs.check(args.lineage.as_deref())?;
    let start = recipe.start.as_mut().map(StartNet::load).transpose()?;
    let interrupt = interrupt_on_ctrl_c()?;
    let stop = || interrupt.is_raised();
    let threads = args.threads.get();

    let began = Instant::now();
    let bar = progress_bar(0, "games");
    let mut progress = |read, all| {
        bar.set_length(all);
        bar.set_position(read);
    };
    let td_lambda = recipe.td_lambda();
    let NetRecipe { data, filter, .. } = &mut recipe;
    let samples = NetSamples::load(data, filter, td_lambda, threads, &stop, &mut progress)?;
    bar.finish_and_clear();
    if stop() {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let reading = samples.games as f64 / began.elapsed().as_secs_f64();
    if !args.json {
        writeln!(
            out,
            "{} games, {} positions: {} for training, {} for validation; {reading:.0} games a second",
            samples.games,
            samples.positions,
            samples.training.len(),
            samples.validation.len(),
        )?;
    }

    let each = samples.training.len() as u64;
    let bar = progress_bar(each * u64::from(recipe.epochs), "positions");
    let began = Instant::now();
    let mut first = None;
    let mut learnt = 0;
    let mut progress = |progress: &Progress| {
        let Progress { epoch, positions, training, validation } = *progress;
        let all = each * u64::from(epoch - 1) + positions;
        learnt = all - *first.get_or_insert(all);
        bar.set_position(all);
        let held_out =
            validation.map_or_else(String::new, |error| format!(" validation loss {error:.6}"));
        bar.set_message(format!("epoch {epoch} training loss {training:.6}{held_out}"));
    };
    let trained = train(
        &samples,
        &recipe,
        start.as_ref(),
        threads,
        Some(&outputs.checkpoint),
        &stop,
        &mut progress,
    )?;
    bar.finish_and_clear();
    let speed = learnt as f64 / began.elapsed().as_secs_f64();
    let Some(trained) = trained else {
        if !args.json {
            writeln!(out, "interrupted; {} holds what was learnt", outputs.checkpoint.display())?;
        }
        return Ok(ExitCode::from(INTERRUPTED));
    };
    outputs.write(&trained.network, &trained.report)?;
    if let Some(path) = &args.lineage {
        Lineage::update(path, |lineage| {
            lineage.enter(Run::new(net_name(&args.out), &trained.report));
        })?;
    }
    remove(&outputs.checkpoint)?;
    if args.json {
        json::print(out, &trained.report)?;
    } else {
        describe(&trained.report, speed, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The files that a training leaves.
struct Outputs<'a> {
    network: &'a Path,
    report: PathBuf,
    picture: PathBuf,
    checkpoint: PathBuf,
}

impl Outputs<'_> {
    fn of(network: &Path) -> Outputs<'_> {
        let beside = |extension| network.with_extension(extension);
        let [report, picture, checkpoint] = ["json", "svg", "checkpoint"].map(beside);
        Outputs { network, report, picture, checkpoint }
    }

    /// Finds out before the training whether they can be written after it.
    fn check(&self, lineage: Option<&Path>) -> Result<(), Box<dyn Error>> {
        let Outputs { network, report, picture, checkpoint } = self;
        check_roles(&[
            ("the network", Some(network)),
            ("its report", Some(report)),
            ("its picture", Some(picture)),
            ("the checkpoint", Some(checkpoint)),
            ("--lineage", lineage),
        ])?;
        for path in [*network, report, picture, checkpoint] {
            NewFile::create(path)?;
        }
        Ok(())
    }

    fn write(&self, network: &Network, report: &NetReport) -> Result<(), Box<dyn Error>> {
        // The network last: where it is, its report is of this training.
        write(&self.report, (serde_json::to_string_pretty(report)? + "\n").as_bytes())?;
        write(&self.picture, report.svg(&net_name(self.network)).as_bytes())?;
        write(self.network, &network.to_bytes())?;
        Ok(())
    }
}

fn describe(report: &NetReport, speed: f64, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{:>8} {:>13} {:>15}", "epoch", "training loss", "validation loss")?;
    for (number, errors) in (1..).zip(&report.epochs) {
        writeln!(out, "{number:>8} {:>13.6} {:>15.6}", errors.training, errors.validation)?;
    }
    let rounding = &report.quantization;
    writeln!(
        out,
        "rounding: values differ by {:.2} in the mean and {:.1} at most; error {:.6}, was {:.6}",
        rounding.mean_difference,
        rounding.largest_difference,
        rounding.whole_error,
        rounding.real_error,
    )?;
    writeln!(out, "{speed:.0} positions a second")?;
    writeln!(out, "SHA-256 {}", report.sha256)
}
