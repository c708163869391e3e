//! What the verbs that play games have in common.

use std::error::Error;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use indicatif::ProgressBar;
use tabiya_arena::adjudication::{Adjudication, Tables};
use tabiya_arena::clock::{PlayerLimits, TimeControl};
use tabiya_arena::game::{DEFAULT_MARGIN, DEFAULT_PATIENCE, GameRules};
use tabiya_arena::openings::{Openings, OpeningsError};
use tabiya_arena::series::GameRecord;
use tabiya_files::distinct;

use crate::exit::usage;
use crate::identity::identity;

/// The word for the openings that this program has made.
pub(crate) const BUILT_IN_OPENINGS: &str = "builtin";

/// How long to think.
#[derive(clap::Args)]
#[command(next_help_heading = "How long to think")]
pub(crate) struct LimitArgs {
    /// A clock: seconds+increment or moves/seconds+increment, as in 8+0.08 or 40/60+0.6.
    #[arg(long)]
    tc: Option<TimeControl>,
    /// Milliseconds for each move.
    #[arg(long, value_name = "MS", value_parser = crate::numbers::positive::<NonZeroU32>)]
    movetime: Option<NonZeroU32>,
    /// Nodes for each move.
    #[arg(long, value_name = "N", value_parser = crate::numbers::count)]
    nodes: Option<u64>,
    /// Plies for each move.
    #[arg(long, value_name = "D", value_parser = crate::numbers::positive::<NonZeroU32>)]
    depth: Option<NonZeroU32>,
}

impl LimitArgs {
    /// All limits that are given; nothing if there are none.
    pub(crate) fn given(&self) -> Option<PlayerLimits> {
        let limits = PlayerLimits {
            control: self.tc,
            move_time: self.movetime.map(|time| Duration::from_millis(time.get().into())),
            nodes: self.nodes,
            depth: self.depth.map(NonZeroU32::get),
        };
        (!limits.is_unlimited()).then_some(limits)
    }
}

/// How games are played.
#[derive(clap::Args)]
#[command(next_help_heading = "How games are played")]
pub(crate) struct GameArgs {
    /// Where games begin: a file of EPD, PGN or lines of UCI moves, or `builtin` for openings that this
    /// program has made.
    #[arg(long, value_name = "FILE|builtin", default_value = BUILT_IN_OPENINGS)]
    openings: PathBuf,
    /// Of games in a PGN file, use the first N plies.
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Take openings in the order of the file, not in one drawn by chance.
    #[arg(long)]
    in_order: bool,
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games at a time.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// How far a clock may be overdrawn; what is overdrawn is owed.
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_MARGIN.as_millis() as u32)]
    margin: u32,
    /// How long a move may take where no clock is set.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_PATIENCE.as_secs() as u32)]
    patience: u32,
    /// Call a game drawn when both say so, as in `--draw score=10 moves=8 after=40`.
    #[arg(long, value_name = "RULE", num_args = 1..=3)]
    draw: Vec<String>,
    /// Give a game up when both say so, as in `--resign score=600 moves=4`.
    #[arg(long, value_name = "RULE", num_args = 1..=2)]
    resign: Vec<String>,
    /// End a game as soon as the Syzygy tables in this directory know the result.
    #[arg(long, value_name = "DIR")]
    tablebases: Option<PathBuf>,
}

impl GameArgs {
    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.into()
    }

    pub(crate) fn rules(&self) -> Result<GameRules, Box<dyn Error>> {
        Ok(GameRules {
            margin: Duration::from_millis(self.margin.into()),
            patience: Duration::from_secs(self.patience.into()),
            adjudication: Adjudication {
                draw: joined("--draw", &self.draw)?,
                resign: joined("--resign", &self.resign)?,
                tables: self.tablebases.as_deref().map(Tables::open).transpose()?,
            },
        })
    }

    /// The file that the openings come from; nothing if this program has made them.
    pub(crate) fn openings_file(&self) -> Option<&Path> {
        (self.openings != Path::new(BUILT_IN_OPENINGS)).then_some(&*self.openings)
    }

    /// The openings, in the order in which they are played.
    pub(crate) fn openings(&self) -> Result<Openings, OpeningsError> {
        let Some(path) = self.openings_file() else { return Ok(Openings::builtin(self.seed)) };
        let openings = Openings::read(path, self.plies)?;
        Ok(if self.in_order { openings } else { openings.shuffled(self.seed) })
    }
}

/// Where games are kept.
#[derive(clap::Args)]
#[command(next_help_heading = "Where games are kept")]
pub(crate) struct KeepArgs {
    /// Append the games to this file; it is complete after every game.
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Remember the results here, so that the same command goes on where it stopped. [default: next to
    /// the games, with .journal added to the name]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

impl KeepArgs {
    pub(crate) fn journal(&self) -> Option<PathBuf> {
        let beside = |pgn: &PathBuf| {
            let mut name = pgn.clone().into_os_string();
            name.push(".journal");
            name.into()
        };
        self.journal.clone().or_else(|| self.pgn.as_ref().map(beside))
    }

    /// Makes sure that no file is named for two purposes.
    pub(crate) fn check_roles(
        &self,
        games: &GameArgs,
        picture: Option<&Path>,
    ) -> Result<(), clap::Error> {
        check_roles(&[
            ("--openings", games.openings_file()),
            ("--pgn", self.pgn.as_deref()),
            ("--journal", self.journal().as_deref()),
            ("--svg", picture),
        ])
    }
}

/// Makes sure that no file is named for two purposes.
pub(crate) fn check_roles(files: &[(&str, Option<&Path>)]) -> Result<(), clap::Error> {
    let named: Vec<_> =
        files.iter().filter_map(|&(role, path)| path.map(|path| (role, path))).collect();
    distinct(&named).map_err(usage)
}

/// Reads what was given as several words; nothing if none were.
pub(crate) fn joined<T>(option: &str, words: &[String]) -> Result<Option<T>, clap::Error>
where
    T: FromStr,
    T::Err: Display,
{
    if words.is_empty() {
        return Ok(None);
    }
    let read = words.join(" ").parse();
    read.map(Some).map_err(|error| usage(format!("{option}: {error}")))
}

/// What a report begins with: which program made it, and which builds the engines are where their names do not
/// say it. `engines` are names and identities.
pub(crate) fn heading<'a>(engines: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let program = identity().to_string();
    let mut heading = format!("{program}\n");
    for (name, engine) in engines {
        if engine != name && engine != program {
            heading.push_str(&format!("{name}: {engine}\n"));
        }
    }
    heading
}

/// Games that somebody lost by failing, rather than by being beaten: the first of them, in words.
#[derive(Default)]
pub(crate) struct Failures(Vec<String>);

impl Failures {
    /// Enough to see what is wrong with an engine.
    const KEPT: usize = 10;

    /// Takes note of a game, and tells at once who sits at a terminal.
    pub(crate) fn note(&mut self, record: &GameRecord, bar: &ProgressBar) {
        let Some(fault) = &record.ending.fault else { return };
        let note = format!("game {}: {fault}", record.game.index + 1);
        bar.println(&note);
        if self.0.len() < Self::KEPT {
            self.0.push(note);
        }
    }

    pub(crate) fn list(&self) -> &[String] {
        &self.0
    }

    /// A line for each.
    pub(crate) fn lines(&self) -> String {
        self.0.iter().map(|note| format!("  {note}\n")).collect()
    }
}
