//! `tabiya solve`: how many positions of a test suite does an engine get right?

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_arena::clock::PlayerLimits;
use tabiya_arena::player::PlayerSpec;
use tabiya_arena::solve::{Attempt, SolveReport, read_suite, solve};

use crate::Outcome;
use crate::arena_args::{LimitArgs, heading};
use crate::exit::INTERRUPTED;
use crate::json::{self, Signed};
use crate::players::{HOW_TO_NAME_AN_ENGINE, interrupt_on_ctrl_c, own_engine};
use crate::progress::progress_bar;

const EXIT_CODES: &str = "\
Exit codes:
  0  every position was tried
  1  that was not possible, or fewer were solved than --require asks for
  2  bad usage
  5  interrupted";

/// Let an engine solve a test suite.
///
/// A suite is a file of EPD whose positions have best moves (bm), moves to avoid (am) or mates (dm); what
/// a position asks for must hold at the end of the search. The time to solution is when it began to.
#[derive(clap::Args)]
#[command(after_help = format!("{HOW_TO_NAME_AN_ENGINE}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    /// The file of positions.
    suite: PathBuf,
    /// The engine.
    #[arg(default_value = "tabiya")]
    engine: PlayerSpec,
    /// End with code 1 if fewer are solved.
    #[arg(long, value_name = "N")]
    require: Option<usize>,
    /// Positions at a time.
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let problems = read_suite(&args.suite)?;
    let interrupt = interrupt_on_ctrl_c()?;
    let bar = progress_bar(problems.len() as u64, "positions");
    let mut solved = 0;
    let mut progress = |attempt: &Attempt| {
        solved += u64::from(attempt.solved);
        bar.inc(1);
        bar.set_message(format!("{solved} solved"));
    };
    let report = solve(
        &args.engine,
        &problems,
        Some(args.limits.given().unwrap_or_else(a_second_each)),
        args.concurrency.into(),
        &own_engine,
        &interrupt,
        &mut progress,
    )?;
    bar.finish_and_clear();
    if args.json {
        json::print(out, &Signed::new(&report))?;
    } else {
        write!(out, "{}", heading([(&*report.name, &*report.engine)]))?;
        describe(&report, out)?;
    }
    let failed = args.require.is_some_and(|required| report.solved < required);
    Ok(match (report.is_complete(), failed) {
        (false, _) => ExitCode::from(INTERRUPTED),
        (true, true) => ExitCode::FAILURE,
        (true, false) => ExitCode::SUCCESS,
    })
}

fn a_second_each() -> PlayerLimits {
    PlayerLimits { move_time: Some(std::time::Duration::from_secs(1)), ..PlayerLimits::default() }
}

fn describe(report: &SolveReport, out: &mut dyn Write) -> io::Result<()> {
    let answer = |attempt: &Attempt| attempt.answer.clone().unwrap_or_else(|| "none".to_owned());
    let widest = |cell: &dyn Fn(&Attempt) -> usize| {
        report.attempts.iter().map(cell).max().unwrap_or(0).clamp(8, 40)
    };
    let (id, mv, asked) = (
        widest(&|attempt| attempt.id.chars().count()),
        widest(&|attempt| answer(attempt).chars().count()),
        widest(&|attempt| attempt.question.chars().count()),
    );
    writeln!(out, "{:id$}  {:mv$}  {:asked$}  Solved after", "Position", "Move", "Asked")?;
    for attempt in &report.attempts {
        let solved = match (attempt.milliseconds_to_solution, attempt.nodes_to_solution) {
            (Some(time), Some(nodes)) => format!("{:.3} s, {nodes} nodes", time / 1000.0),
            _ => "not solved".to_owned(),
        };
        let (name, question) = (&attempt.id, &attempt.question);
        writeln!(out, "{name:id$}  {:mv$}  {question:asked$}  {solved}", answer(attempt))?;
        if let Some(failure) = &attempt.failure {
            writeln!(out, "  {failure}")?;
        }
    }
    let seconds = report.milliseconds / 1000.0;
    writeln!(
        out,
        "{} solved {} of {}; to the solutions it took {seconds:.3} s and {} nodes, \
         with all that was spent where none was found",
        report.name, report.solved, report.problems, report.nodes
    )
}
