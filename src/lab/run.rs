//! `tabiya lab run`: measures experiments.

use std::io::Write;
use std::process::ExitCode;

use tabiya_lab::fixafan::{Evaluation, MAX_DEPTH, Order};
use tabiya_lab::frame::experiment::Halt;
use tabiya_lab::frame::findings::Findings;
use tabiya_lab::frame::works::Library;
use tabiya_lab::the::ordering::{Comparison, compare};

use super::ordering::{EvaluationName, ORDERS, ProfileName};
use super::{EXIT_CODES, Manner, measure, named};
use crate::exit::{INTERRUPTED, usage};
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;
use crate::{Outcome, json};

/// Measure experiments, and show their tables.
///
/// Beside each table stands what the work printed. Tables are also kept as CSV, plots as SVG, and everything
/// as JSON, in the directory of results. What has been measured is shown again, not measured again.
#[derive(clap::Args)]
#[command(after_help = format!("{ORDERS}\n\n{EXIT_CODES}"))]
pub(super) struct Args {
    /// Which: words as `tabiya lab list` shows them, or `all`.
    #[arg(required = true, value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    #[command(flatten)]
    manner: Manner,
    #[command(flatten)]
    orders: Orders,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// For `ordering` alone: other orders than the thesis's, which are compared with none and not kept.
#[derive(clap::Args)]
#[command(next_help_heading = "Options of `ordering`")]
struct Orders {
    /// An order of moves to compare with none, as in `cb1`; can be given several times.
    #[arg(long, value_name = "ORDER")]
    order: Vec<Order>,
    /// Search all positions so deep. [default: as deep as the thesis]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=MAX_DEPTH as i64))]
    depth: Option<u8>,
    /// Which program. [default: sound]
    #[arg(long)]
    profile: Option<ProfileName>,
    /// How positions are judged. [default: material]
    #[arg(long)]
    evaluation: Option<EvaluationName>,
    /// Follow captures at the horizon, in the sound program.
    #[arg(long)]
    quiescence: bool,
    /// Cut a search short after N interior nodes.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl Orders {
    fn are_given(&self) -> bool {
        !self.order.is_empty()
            || self.depth.is_some()
            || self.profile.is_some()
            || self.evaluation.is_some()
            || self.quiescence
            || self.nodes.is_some()
    }

    fn comparison(&self) -> Comparison {
        let thesis =
            || tabiya_lab::fixafan::order::THESIS.iter().filter_map(|order| order.parse().ok());
        Comparison {
            profile: self.profile.map_or_else(Default::default, Into::into),
            orders: if self.order.is_empty() { thesis().collect() } else { self.order.clone() },
            depth: self.depth.map(usize::from),
            evaluation: self.evaluation.map_or(Evaluation::Material, Into::into),
            quiescence: self.quiescence,
            nodes: self.nodes.unwrap_or(u64::MAX),
        }
    }
}

fn run_comparison(args: &Args, out: &mut dyn Write) -> Outcome {
    if args.experiments != ["ordering"] {
        return Err(usage(
            "--order, --depth, --profile, --evaluation, --quiescence and --nodes are for the experiment \
             `ordering` alone",
        )
        .into());
    }
    let interrupt = interrupt_on_ctrl_c()?;
    let comparison = args.orders.comparison();
    let bar = progress_bar(comparison.orders.len() as u64 + 1, "orders");
    let findings = compare(&comparison, &|| interrupt.is_raised(), &mut |order| {
        bar.set_message(order.to_owned());
        bar.inc(1);
    });
    bar.finish_and_clear();
    match findings {
        Ok(findings) if args.json => json::print(out, &findings)?,
        Ok(findings) => show(&findings, out)?,
        Err(Halt::Interrupted) => return Ok(ExitCode::from(INTERRUPTED)),
        Err(other) => return Err(other.into()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints tables and notes.
fn show(findings: &Findings, out: &mut dyn Write) -> std::io::Result<()> {
    for table in &findings.tables {
        writeln!(out, "{}", table.terminal())?;
    }
    for note in &findings.notes {
        writeln!(out, "{note}\n")?;
    }
    Ok(())
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    if args.orders.are_given() {
        return run_comparison(args, out);
    }
    let wanted = named(&args.experiments)?;
    let library = Library::load()?;
    let Some(found) = measure(&wanted, &args.manner, &library)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    if args.json {
        json::print(out, &found)?;
        return Ok(ExitCode::SUCCESS);
    }
    for experiment in wanted {
        let card = experiment.card();
        let Some(outcome) = found.get(card.id) else { continue };
        writeln!(out, "{}\n{}\n", card.title, "=".repeat(card.title.chars().count()))?;
        show(&outcome.findings, out)?;
    }
    Ok(ExitCode::SUCCESS)
}
