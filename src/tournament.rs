//! `tabiya tournament`: where do many engines stand?

use std::io::{self, Write};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::ValueEnum;
use serde::Serialize;
use tabiya_arena::crosstable::{cross_table, ratings_chart, ratings_table};
use tabiya_arena::pairing::Format;
use tabiya_arena::player::PlayerSpec;
use tabiya_arena::results::ResultTable;
use tabiya_arena::series::{GameRecord, SeriesPlan};
use tabiya_arena::stats::ratings::{Anchor, Ratings};
use tabiya_arena::tournament::{TournamentPlan, TournamentReport, play_tournament};
use tabiya_files::{NewFile, write};

use crate::Outcome;
use crate::arena_args::{Failures, GameArgs, KeepArgs, LimitArgs, heading};
use crate::exit::INTERRUPTED;
use crate::json::{self, Signed};
use crate::match_cmd::default_limits;
use crate::players::{HOW_TO_NAME_AN_ENGINE, interrupt_on_ctrl_c, own_engine};
use crate::progress::progress_bar;

const EXIT_CODES: &str = "\
Exit codes:
  0  all games were played
  1  the tournament could not be played
  2  bad usage
  5  interrupted; the same command goes on where it stopped, if there is a journal";

/// Play a tournament of many engines, and rate them.
///
/// Ratings are those under which the results are likeliest; their error bars cover 95 of 100 cases.
#[derive(clap::Args)]
#[command(after_help = format!("{HOW_TO_NAME_AN_ENGINE}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    /// The engines; those who run a gauntlet come first.
    #[arg(required = true, num_args = 2..)]
    players: Vec<PlayerSpec>,
    /// Who meets whom.
    #[arg(long, value_enum, default_value_t = Kind::RoundRobin)]
    format: Kind,
    /// How many of the first engines run the gauntlet.
    #[arg(long, value_name = "N", default_value = "1")]
    challengers: usize,
    /// Every two that meet play N games; an odd number is made even by one more.
    #[arg(long, value_name = "N", default_value = "2", value_parser = crate::numbers::positive::<NonZeroU32>)]
    games: NonZeroU32,
    /// An engine whose rating is known, as in `--anchor Stockfish=3500`. [default: the average is 0]
    #[arg(long, value_name = "NAME=RATING")]
    anchor: Option<NamedRating>,
    /// Write a picture of the ratings to this file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    play: GameArgs,
    #[command(flatten)]
    keep: KeepArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Everyone meets everyone.
    RoundRobin,
    /// The first engines meet all the others.
    Gauntlet,
}

/// A rating that is known.
#[derive(Clone)]
struct NamedRating {
    name: String,
    rating: f64,
}

impl FromStr for NamedRating {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once('=');
        let read = parts.and_then(|(name, rating)| {
            Some(NamedRating { name: name.to_owned(), rating: rating.parse().ok()? })
        });
        read.filter(|anchor| anchor.rating.is_finite())
            .ok_or_else(|| "it should be a name and a number, as in Stockfish=3500".to_owned())
    }
}

#[derive(Serialize)]
struct Results<'a> {
    finished: bool,
    #[serde(flatten)]
    report: &'a TournamentReport,
    ratings: Option<&'a Ratings>,
    failures: &'a [String],
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let cycles = args.games.get().div_ceil(2);
    let plan = TournamentPlan {
        players: args.players.clone(),
        format: match args.format {
            Kind::RoundRobin => Format::RoundRobin,
            Kind::Gauntlet => Format::Gauntlet { challengers: args.challengers },
        },
        cycles,
        anchor: args.anchor.as_ref().map(|anchor| anchor.name.clone()),
        series: SeriesPlan {
            event: "Tabiya tournament".into(),
            limits: Some(args.limits.given().unwrap_or_else(default_limits)),
            rules: args.play.rules()?,
            openings: args.play.openings()?,
            concurrency: args.play.concurrency(),
            pgn: args.keep.pgn.clone(),
            journal: args.keep.journal(),
        },
    };
    args.keep.check_roles(&args.play, args.svg.as_deref())?;
    if let Some(path) = &args.svg {
        // Whether it can be written is found out before the games.
        NewFile::create(path)?;
    }
    let interrupt = interrupt_on_ctrl_c()?;
    let bar = progress_bar(0, "games");
    let mut failures = Failures::default();
    let mut progress = |report: &TournamentReport, record: &GameRecord| {
        bar.set_length(report.scheduled);
        bar.set_position(report.played());
        failures.note(record, &bar);
    };
    let report = play_tournament(&plan, &own_engine, &interrupt, &mut progress)?;
    bar.finish_and_clear();

    let rated = Ratings::fit(&report.table, anchor(args.anchor.as_ref(), &report.table));
    if let (Some(path), Ok(ratings)) = (&args.svg, &rated) {
        write(path, ratings_chart("Tabiya tournament", ratings).svg().as_bytes())?;
    }
    if args.json {
        let ratings = rated.as_ref().ok();
        let (finished, failures) = (report.is_finished(), failures.list());
        let results = Results { finished, report: &report, ratings, failures };
        json::print(out, &Signed::new(&results))?;
    } else {
        let names = report.table.players().iter().map(|name| &**name);
        write!(out, "{}", heading(names.zip(report.engines.iter().map(|engine| &**engine))))?;
        describe(&report, &rated.map_err(|error| error.to_string()), &failures, out)?;
    }
    Ok(ExitCode::from(if report.is_finished() { 0 } else { INTERRUPTED }))
}

fn anchor(wish: Option<&NamedRating>, table: &ResultTable) -> Anchor {
    let known = wish.and_then(|wish| {
        let player = table.players().iter().position(|name| *name == wish.name)?;
        Some(Anchor::Player { player, rating: wish.rating })
    });
    known.unwrap_or(Anchor::Average(0.0))
}

fn describe(
    report: &TournamentReport,
    rated: &Result<Ratings, String>,
    failures: &Failures,
    out: &mut dyn Write,
) -> io::Result<()> {
    let table = &report.table;
    match rated {
        Ok(ratings) => {
            writeln!(out, "{}", ratings_table(table, ratings))?;
            write!(out, "{}", cross_table(table, &ratings.ranking()))?;
        }
        Err(reason) => {
            write!(out, "{}", cross_table(table, &table.ranking()))?;
            writeln!(out, "No ratings: {reason}")?;
        }
    }
    for (name, faults) in &report.faults {
        let faults = faults.iter().map(|(reason, count)| format!("{count} by {reason}"));
        writeln!(out, "{name} lost {}", faults.collect::<Vec<_>>().join(", "))?;
    }
    write!(out, "{}", failures.lines())?;
    if !report.is_finished() {
        writeln!(out, "Interrupted after {} of {} games.", report.played(), report.scheduled)?;
    }
    Ok(())
}
