//! `tabiya tune`: better values for an engine's numbers, by playing.

use std::io::{self, Write};
use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;
use std::process::ExitCode;

use tabiya_arena::player::PlayerSpec;
use tabiya_arena::tune::{ParameterWish, TunePlan, TuneStatus, tune};
use tabiya_files::read;

use crate::Outcome;
use crate::arena_args::{GameArgs, LimitArgs, check_roles, heading};
use crate::exit::{INTERRUPTED, usage};
use crate::json::{self, Signed};
use crate::match_cmd::default_limits;
use crate::players::{HOW_TO_NAME_AN_ENGINE, interrupt_on_ctrl_c, own_engine};
use crate::progress::progress_bar;

/// A file of parameters is not longer.
const MOST_BYTES: u64 = 1 << 20;

const EXIT_CODES: &str = "\
Exit codes:
  0  all iterations were played
  1  that was not possible
  2  bad usage
  5  interrupted; the same command goes on where it stopped, if there is a journal";

/// Tune the numeric options of an engine by games against itself (SPSA).
///
/// In every iteration all parameters are shifted at random; the engine with these values plays the engine
/// with the opposite shifts, and all values move a little towards the side that won.
#[derive(clap::Args)]
#[command(after_help = format!("{HOW_TO_NAME_AN_ENGINE}\n\n{EXIT_CODES}"))]
pub(crate) struct Args {
    /// The engine.
    engine: PlayerSpec,
    /// An option to tune, as in `--param "razor_base, value=300, min=100, max=500, c=20, r=0.002"`; only
    /// the name is needed. c is the last shift, r the last learning rate.
    #[arg(long, value_name = "PARAMETER")]
    param: Vec<ParameterWish>,
    /// A file with such parameters, one to a line.
    #[arg(long, value_name = "FILE")]
    params: Option<PathBuf>,
    /// How many iterations.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = crate::numbers::positive::<NonZeroU64>)]
    iterations: NonZeroU64,
    /// Pairs of games in an iteration.
    #[arg(long, value_name = "N", default_value = "1", value_parser = crate::numbers::positive::<NonZeroU32>)]
    pairs: NonZeroU32,
    /// Remember the results here, so that the same command goes on where it stopped.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    play: GameArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    check_roles(&[
        ("--params", args.params.as_deref()),
        ("--openings", args.play.openings_file()),
        ("--journal", args.journal.as_deref()),
    ])?;
    let parameters = parameters(args)?;
    let (iterations, pairs) = (args.iterations.get(), args.pairs.get());
    let plan = TunePlan {
        player: args.engine.clone(),
        parameters,
        iterations,
        pairs,
        seed: args.play.seed,
        limits: Some(args.limits.given().unwrap_or_else(default_limits)),
        rules: args.play.rules()?,
        openings: args.play.openings()?,
        concurrency: args.play.concurrency(),
        journal: args.journal.clone(),
    };
    let interrupt = interrupt_on_ctrl_c()?;
    let bar = progress_bar(iterations, "iterations");
    let mut progress = |status: &TuneStatus| {
        bar.set_position(status.finished);
        if let [parameter] = &status.parameters[..] {
            bar.set_message(format!("{} {:.2}", parameter.name, parameter.value));
        }
    };
    let status = tune(&plan, &own_engine, &interrupt, &mut progress)?;
    bar.finish_and_clear();
    if args.json {
        json::print(out, &Signed::new(&status))?;
    } else {
        describe(&status, out)?;
    }
    let finished = status.finished == status.iterations;
    Ok(ExitCode::from(if finished { 0 } else { INTERRUPTED }))
}

fn parameters(args: &Args) -> Result<Vec<ParameterWish>, clap::Error> {
    let mut parameters = args.param.clone();
    if let Some(path) = &args.params {
        let fail = |error: String| usage(format!("--params {}: {error}", path.display()));
        let bytes = read(path, MOST_BYTES).map_err(|error| usage(format!("--params {error}")))?;
        let text = String::from_utf8(bytes).map_err(|error| fail(error.to_string()))?;
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if !line.is_empty() && !line.starts_with('#') {
                let read = line.parse().map_err(|error| fail(format!("line {number}: {error}")));
                parameters.push(read?);
            }
        }
    }
    if parameters.is_empty() {
        return Err(usage("nothing to tune is named; use --param or --params"));
    }
    Ok(parameters)
}

/// The values in the form in which `--params` reads them.
fn describe(status: &TuneStatus, out: &mut dyn Write) -> io::Result<()> {
    for line in heading([(&*status.name, &*status.engine)]).lines() {
        writeln!(out, "# {line}")?;
    }
    let (finished, iterations) = (status.finished, status.iterations);
    writeln!(out, "# {} after {finished} of {iterations} iterations", status.name)?;
    if status.faults > 0 {
        writeln!(
            out,
            "# {} of {} games were lost by failing",
            status.faults,
            status.games.games()
        )?;
    }
    for parameter in &status.parameters {
        writeln!(
            out,
            "{}, value={:.3}, min={}, max={}, c={}, r={}",
            parameter.name,
            parameter.value,
            parameter.min,
            parameter.max,
            parameter.c_end,
            parameter.r_end
        )?;
    }
    Ok(())
}
