//! `tabiya analyse`: the best lines of a position.

mod lines;
mod report;

use crate::exit::{INTERRUPTED, usage};
use crate::identity::COMMIT;
use crate::position_arg::{self, Given};
use crate::progress::spinner;
use crate::{Outcome, json};
use indicatif::ProgressBar;
use lines::AnalysisLines;
use report::{Report, line_text};
use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Engine, Event, Limits, RunOn, lock};

/// Show the best lines of a position, with their scores and their chances.
///
/// Scores are for White: `+0.50` means that White is better, `#3` that White mates in three moves, `-#3`
/// that Black does. Without a limit it thinks for five seconds. Ctrl-C ends the search and shows what was
/// found until then.
#[derive(clap::Args)]
#[command(visible_alias = "analyze", after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: a FEN, `startpos`, or `chess960:NUMBER`.
    #[arg(value_parser = position_arg::parse, default_value = "startpos")]
    position: Given,
    /// Moves from there, in SAN or UCI notation, as in "e4 e5 Nf3".
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,
    /// How many lines to show, the best first.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=256))]
    lines: u32,
    /// Think for this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Think to this depth, in plies.
    #[arg(long, value_name = "PLIES", value_parser = crate::numbers::positive::<NonZeroU32>)]
    depth: Option<NonZeroU32>,
    /// Think for this many nodes.
    #[arg(long, value_name = "N", value_parser = crate::numbers::count)]
    nodes: Option<u64>,
    /// Think until Ctrl-C.
    #[arg(long, conflicts_with_all = ["time", "depth", "nodes"])]
    infinite: bool,
    /// Threads that search. With one thread, the same depth or nodes give the same lines. [default: all
    /// cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Megabytes of the transposition table (TT).
    #[arg(long, value_name = "MB", default_value_t = 128, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    hash: u32,
    /// Set an option of the engine first; `tabiya` and then `uci` lists them.
    #[arg(long, value_name = "NAME=VALUE", value_parser = crate::bench::name_and_value)]
    option: Vec<(String, String)>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  tabiya analyse
  tabiya analyse '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --time 2
  tabiya analyse startpos --moves 'e4 e5 Nf3 Nc6' --lines 5 --depth 20
  tabiya analyse 'r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22' --json";

/// How long to think where nothing says so.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

fn seconds(text: &str) -> Result<Duration, String> {
    let wanted = || format!("{text:?} should be a number of seconds above 0, such as 5 or 0.5");
    let seconds: f64 = text.parse().map_err(|_| wanted())?;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| wanted())?;
    if time.is_zero() { Err(wanted()) } else { Ok(time) }
}

impl Args {
    fn game(&self) -> Result<Game, Box<dyn std::error::Error>> {
        let mut game = Game::new(self.position.position()?.clone());
        for word in self.moves.split_whitespace() {
            let position = game.position();
            let read = position.parse_uci(word).or_else(|_| position.parse_san(word));
            let mv = read.map_err(|error| {
                let number = game.moves().len() + 1;
                usage(format!("--moves: move {number}: {error} (in {})", position.fen()))
            })?;
            game.play(mv)?;
        }
        Ok(game)
    }

    fn limits(&self) -> Limits {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.infinite;
        Limits {
            move_time: self.time.or((!limited).then_some(DEFAULT_TIME)),
            depth: self.depth.map(NonZeroU32::get),
            nodes: self.nodes,
            infinite: self.infinite,
            ..Limits::default()
        }
    }

    fn engine(&self) -> Result<Engine, Box<dyn std::error::Error>> {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = self.threads.map_or_else(cores, usize::from).min(1024);
        let mut engine = Engine::new()?.built_from(COMMIT);
        engine.set_option("Hash", &self.hash.to_string())?;
        engine.set_option("Threads", &threads.to_string())?;
        engine.set_option("MultiPV", &self.lines.to_string())?;
        for (name, value) in &self.option {
            engine.set_option(name, value).map_err(|error| usage(format!("--option: {error}")))?;
        }
        Ok(engine)
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let game = args.game()?;
    let mut engine = args.engine()?;
    let lines = Arc::new(Mutex::new(AnalysisLines::default()));
    let spinner = spinner();
    let sink = {
        let (lines, spinner, root) = (Arc::clone(&lines), spinner.clone(), game.position().clone());
        Box::new(move |event: &Event| {
            if let Event::Info(info) = event {
                let mut lines = lock(&lines);
                lines.take(info);
                show_progress(&spinner, &root, &lines);
            }
        })
    };
    let search = engine.search(&game, &args.limits(), RunOn::OwnThread, Some(sink))?;
    let interrupted = Arc::new(AtomicBool::new(false));
    {
        let (search, interrupted) = (Arc::clone(&search), Arc::clone(&interrupted));
        ctrlc::set_handler(move || {
            interrupted.store(true, Ordering::Relaxed);
            search.stop();
        })?;
    }
    let result = search.wait()?;
    spinner.finish_and_clear();
    let interrupted = interrupted.load(Ordering::Relaxed) && !args.infinite;
    let lines = std::mem::take(&mut *lock(&lines)).best(args.lines as usize, &result);
    let report = Report::new(engine.program(), &game, &lines, interrupted);
    if args.json {
        json::print(out, &report)?;
    } else {
        write!(out, "{report}")?;
    }
    Ok(ExitCode::from(if interrupted { INTERRUPTED } else { 0 }))
}

fn show_progress(spinner: &ProgressBar, root: &Position, lines: &AnalysisLines) {
    if let Some(info) = lines.first() {
        let (depth, nodes) = (info.depth, report::count(info.nodes));
        spinner.set_message(format!("depth {depth}  {nodes} nodes  {}", line_text(root, info)));
    }
}
