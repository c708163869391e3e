//! `tabiya train selfplay`: games of the engine against itself.

use std::error::Error;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;
use tabiya_trainer::manifest::{Census, MANIFEST, Manifest, Origin};
use tabiya_trainer::net::file_sha256;
use tabiya_trainer::recipe::{Evaluation, Recipe};
use tabiya_trainer::selfplay;

use super::{EXIT_CODES, read_recipe};
use crate::Outcome;
use crate::exit::{INTERRUPTED, usage};
use crate::identity::COMMIT;
use crate::json;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Play games of the engine against itself into a directory.
///
/// Games are numbered, and each depends on the recipe, its number and the engine alone: threads and
/// interruptions make no difference. Where the directory holds games already, it goes on after them;
/// Ctrl-C keeps what has been played.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// Where the games are kept.
    directory: PathBuf,
    /// How many games there are to be in the end, rounded up to whole files.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = crate::numbers::positive::<NonZeroU64>)]
    games: NonZeroU64,
    /// How many threads play.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroUsize>)]
    threads: NonZeroUsize,
    /// The recipe: JSON as it stands in a manifest.
    #[arg(long, value_name = "FILE")]
    recipe: Option<PathBuf>,
    /// Where chance begins.
    #[arg(long)]
    seed: Option<u64>,
    /// No iteration of a search is begun after this many nodes; the mean is 1.6 times as many.
    #[arg(long, value_name = "N")]
    soft_nodes: Option<u64>,
    /// No search takes more nodes. [default: ten times the soft nodes]
    #[arg(long, value_name = "N")]
    hard_nodes: Option<u64>,
    /// What it evaluates by: `built-in`, `classical`, `material`, or a network's file. [default: the
    /// network that comes with the program]
    #[arg(long, value_name = "EVALUATION")]
    evaluation: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Args {
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
        if let Some(evaluation) = &self.evaluation {
            recipe.evaluation = evaluation_named(evaluation)?;
        }
        recipe.check().map_err(usage)?;
        Ok(recipe)
    }
}

fn evaluation_named(name: &Path) -> Result<Evaluation, Box<dyn Error>> {
    Ok(match name.to_str() {
        Some("built-in") => Evaluation::BuiltIn,
        Some("classical") => Evaluation::Classical,
        Some("material") => Evaluation::Material,
        _ => {
            let sha256 = file_sha256(name).map_err(usage)?;
            Evaluation::Network { file: std::path::absolute(name)?, sha256 }
        }
    })
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

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let recipe = args.recipe()?;
    let origin = Origin::of_this_engine(&recipe.evaluation, COMMIT)?;
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
