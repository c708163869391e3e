//! `tabiya match`: is one engine stronger than another?

use std::io::Write;
use std::num::NonZeroU32;
use std::process::ExitCode;

use serde::Serialize;
use tabiya_arena::clock::{PlayerLimits, TimeControl};
use tabiya_arena::game::Reason;
use tabiya_arena::match_run::{MatchPlan, MatchReport, MatchStatus, MatchVerdict, play_match};
use tabiya_arena::player::PlayerSpec;
use tabiya_arena::series::{GameRecord, SeriesPlan};
use tabiya_arena::stats::sprt::Sprt;

use crate::Outcome;
use crate::arena_args::{Failures, GameArgs, KeepArgs, LimitArgs, heading, joined};
use crate::exit::INTERRUPTED;
use crate::json::{self, Signed};
use crate::players::{HOW_TO_NAME_AN_ENGINE, interrupt_on_ctrl_c, own_engine};
use crate::progress::progress_bar;

/// Games played by default.
const DEFAULT_GAMES: u32 = 100;

/// Games after which a test is given up by default.
const DEFAULT_TEST_GAMES: u32 = 100_000;

const EXIT_CODES: &str = "\
Exit codes:
  0  all games were played; with --sprt: H1 was accepted, the first engine passes
  1  the match could not be played
  2  bad usage
  3  H0 was accepted, the first engine fails
  4  all games were played, and the test is undecided
  5  interrupted; the same command goes on where it stopped, if there is a journal";

/// Play a match between two engines, and say what it proves.
///
/// Each opening is played twice, with colors swapped. An engine that crashes, hangs, is late or plays an
/// illegal move loses that game and is started again. The rules of chess end games, never the engines.
#[derive(clap::Args)]
#[command(after_help = format!("{HOW_TO_NAME_AN_ENGINE}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    /// The engine whose result is reported.
    first: PlayerSpec,
    /// Its opponent.
    second: PlayerSpec,
    /// Stop as soon as it is clear whether the lead is elo0 or elo1, as in `--sprt elo0=0 elo1=5`;
    /// alpha, beta and model=normalised may follow.
    #[arg(long, value_name = "TEST", num_args = 1..=5)]
    sprt: Vec<String>,
    /// Play N games; an odd number is made even by one more. [default: 100, with --sprt at most 100000]
    #[arg(long, value_name = "N", value_parser = crate::numbers::positive::<NonZeroU32>)]
    games: Option<NonZeroU32>,
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

#[derive(Serialize)]
struct Results<'a> {
    #[serde(flatten)]
    report: &'a MatchReport,
    failures: &'a [String],
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let sprt: Option<Sprt> = joined("--sprt", &args.sprt)?;
    let default = if sprt.is_some() { DEFAULT_TEST_GAMES } else { DEFAULT_GAMES };
    let pairs = args.games.map_or(default, NonZeroU32::get).div_ceil(2);
    let plan = MatchPlan {
        players: [args.first.clone(), args.second.clone()],
        pairs,
        sprt,
        series: SeriesPlan {
            event: "Tabiya match".into(),
            limits: Some(args.limits.given().unwrap_or_else(default_limits)),
            rules: args.play.rules()?,
            openings: args.play.openings()?,
            concurrency: args.play.concurrency(),
            pgn: args.keep.pgn.clone(),
            journal: args.keep.journal(),
        },
    };
    args.keep.check_roles(&args.play, None)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let bar = progress_bar(2 * u64::from(pairs), "games");
    let mut failures = Failures::default();
    let mut progress = |status: &MatchStatus, record: &GameRecord| {
        bar.set_position(status.pairs.wdl().games());
        bar.set_message(summary(status));
        failures.note(record, &bar);
    };
    let report = play_match(&plan, &own_engine, &interrupt, &mut progress)?;
    bar.finish_and_clear();
    if args.json {
        let results = Results { report: &report, failures: failures.list() };
        json::print(out, &Signed::new(&results))?;
    } else {
        let names = report.status.names.iter().map(|name| &**name);
        write!(out, "{}", heading(names.zip(report.engines.iter().map(|engine| &**engine))))?;
        write!(out, "{}", described(&report, sprt.as_ref(), &failures))?;
    }
    Ok(ExitCode::from(match report.verdict {
        MatchVerdict::Finished | MatchVerdict::AcceptH1 => 0,
        MatchVerdict::AcceptH0 => 3,
        MatchVerdict::Undecided => 4,
        MatchVerdict::Interrupted => INTERRUPTED,
    }))
}

/// How long to think where nothing is said.
pub(crate) fn default_limits() -> PlayerLimits {
    PlayerLimits { control: Some(TimeControl::default()), ..PlayerLimits::default() }
}

fn summary(status: &MatchStatus) -> String {
    let elo = status.statistics.map_or_else(String::new, |statistics| {
        let games = statistics.games;
        let [wins, draws, losses] = [games.wins, games.draws, games.losses];
        format!("+{wins} ={draws} -{losses}  Elo {}", statistics.elo)
    });
    match status.llr {
        Some(llr) => format!("{elo}  LLR {llr:.2}"),
        None => elo,
    }
}

fn described(report: &MatchReport, sprt: Option<&Sprt>, failures: &Failures) -> String {
    let status = &report.status;
    let [first, second] = &status.names;
    let Some(statistics) = status.statistics else {
        return format!("{first} against {second}: no pair of games was finished\n");
    };
    let games = statistics.games;
    let counts = statistics.pentanomial.counts().map(|count| count.to_string()).join(" ");
    let mut text = format!(
        "{first} against {second}: +{} ={} -{} in {} games, {:.1} %\n\
         Elo {}, normalised {}, likelihood of superiority {:.1} %\n\
         Pairs with 0, ½, 1, 1½ and 2 points: {counts}; drawn games: {:.1} %\n",
        games.wins,
        games.draws,
        games.losses,
        games.games(),
        100.0 * statistics.score,
        statistics.elo,
        statistics.normalized_elo,
        100.0 * statistics.superiority,
        100.0 * statistics.draw_rate,
    );
    if let (Some(sprt), Some(llr)) = (sprt, status.llr) {
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!("LLR {llr:.2} ({lower:.2} to {upper:.2}) with {sprt}\n"));
    }
    let count_of = |reason: &Reason, count: u64| format!("{reason} {count}");
    let reasons = status.reasons.iter().map(|(reason, games)| count_of(reason, games.games()));
    text.push_str(&format!("Endings: {}\n", reasons.collect::<Vec<_>>().join(", ")));
    let faults = status.reasons.iter().filter(|(reason, _)| reason.is_fault());
    for (reason, games) in faults {
        for (name, count) in [(first, games.losses), (second, games.wins)] {
            if count > 0 {
                text.push_str(&format!("{name} lost {count} by {reason}\n"));
            }
        }
    }
    text.push_str(&failures.lines());
    text.push_str(match report.verdict {
        MatchVerdict::Finished => "All games were played.\n",
        MatchVerdict::AcceptH0 => "H0 is accepted: the first engine fails.\n",
        MatchVerdict::AcceptH1 => "H1 is accepted: the first engine passes.\n",
        MatchVerdict::Undecided => "All games were played, and the test is undecided.\n",
        MatchVerdict::Interrupted => "Interrupted.\n",
    });
    text
}
