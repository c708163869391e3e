//! `tabiya lab`: published experiments in computer chess, measured again.

mod check;
mod list;
mod ordering;
mod report;
mod run;
mod specimen;

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Subcommand;
use tabiya_lab::experiments;
use tabiya_lab::frame::experiment::{Effort, Experiment, Halt, Progress};
use tabiya_lab::frame::machine::Machine;
use tabiya_lab::frame::store::{Outcome as Found, Store};
use tabiya_lab::frame::works::{Library, Work};

use crate::Outcome;
use crate::exit::usage;
use crate::identity::COMMIT;
use crate::players::interrupt_on_ctrl_c;
use crate::progress::progress_bar;

/// Measure published experiments in computer chess again.
///
/// Works and their claims are known to the program; what is measured is kept in a directory, so that every
/// verb can build on it. Ctrl-C keeps what has been measured, and the same command goes on from there.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    List(list::Args),
    Run(run::Args),
    Check(check::Args),
    Report(report::Args),
    Ordering(ordering::Args),
    #[command(hide = true)]
    Specimen(specimen::Args),
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::List(args) => list::run(args, out),
        Task::Run(args) => run::run(args, out),
        Task::Check(args) => check::run(args, out),
        Task::Report(args) => report::run(args, out),
        Task::Ordering(args) => ordering::run(args, out),
        Task::Specimen(args) => specimen::run(args, out),
    }
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done, whatever the verdicts are
  1  that was not possible
  2  bad usage
  5  interrupted; what was measured is kept";

/// Where results are.
#[derive(clap::Args)]
struct Place {
    /// Where results are kept.
    #[arg(long, value_name = "DIR", default_value = "lab-results")]
    dir: PathBuf,
}

impl Place {
    fn store(&self) -> Store {
        Store::new(&self.dir, Machine::here(COMMIT))
    }
}

/// How to measure.
#[derive(clap::Args)]
struct Manner {
    #[command(flatten)]
    place: Place,
    /// Spend minutes rather than hours: fewer rounds, smaller depths.
    #[arg(long)]
    quick: bool,
    /// Measure again what has been measured before.
    #[arg(long)]
    again: bool,
}

impl Manner {
    fn effort(&self) -> Effort {
        if self.quick { Effort::Quick } else { Effort::Full }
    }
}

/// How often the clock beside the progress moves: seldom, since it runs beside what is timed.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Runs experiments, or takes what they found before, unless that was another version of them. Nothing if the
/// user has had enough.
fn measure(
    wanted: &[&'static dyn Experiment],
    manner: &Manner,
    library: &Library,
) -> Result<Option<BTreeMap<String, Found>>, Box<dyn Error>> {
    let (store, effort) = (manner.place.store(), manner.effort());
    let interrupt = interrupt_on_ctrl_c()?;
    let stop = || interrupt.is_raised();
    let program = std::env::current_exe().ok();
    let bar = progress_bar(wanted.len() as u64, "experiments");
    bar.enable_steady_tick(HEARTBEAT);
    let mut found = BTreeMap::new();
    let mut foreign = 0;
    if manner.again {
        // All at once: what an interruption leaves undone must not pass for measured again.
        for experiment in wanted {
            store.forget(experiment.card().id, effort)?;
        }
    }
    for (i, experiment) in wanted.iter().enumerate() {
        let id = experiment.card().id;
        bar.set_position(i as u64);
        let outcome = match store.outcome(id, effort)?.filter(|known| known.is_whole(library)) {
            Some(outcome) => {
                foreign += usize::from(!outcome.machine.is_like(store.machine()));
                outcome
            }
            None => {
                let mut tell = |progress: Progress<'_>| {
                    bar.set_message(format!("{id}: {}", progress.step));
                };
                match store.run(*experiment, effort, library, program.as_deref(), &stop, &mut tell)
                {
                    Ok(outcome) => outcome,
                    Err(Halt::Interrupted) => {
                        bar.finish_and_clear();
                        let same = if manner.again { " without --again" } else { "" };
                        remark(&format!("interrupted; the same command{same} goes on from here"));
                        return Ok(None);
                    }
                    Err(other) => return Err(other.into()),
                }
            }
        };
        found.insert(id.to_owned(), outcome);
    }
    bar.finish_and_clear();
    if foreign > 0 {
        remark(&format!(
            "{foreign} of {} experiments were measured on another machine or by another build; --again \
             measures them here",
            wanted.len()
        ));
    }
    Ok(Some(found))
}

/// Prints a remark, which is not a result, to standard error. A failure to write is ignored.
fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The works of these words, or all.
fn works_named<'a>(library: &'a Library, words: &[String]) -> Result<Vec<&'a Work>, clap::Error> {
    if let Some(word) = words.iter().find(|word| library.work(word).is_none()) {
        let known: Vec<&str> = library.works.iter().map(|work| work.id.as_str()).collect();
        return Err(usage(format!("there is no work {word:?}; there are {}", known.join(", "))));
    }
    let is_wanted = |work: &&Work| words.is_empty() || words.contains(&work.id);
    Ok(library.works.iter().filter(is_wanted).collect())
}

/// The experiments that works describe, or that their claims hang on.
fn experiments_of(works: &[&Work]) -> Vec<&'static dyn Experiment> {
    let mut all = experiments();
    all.retain(|experiment| {
        let card = experiment.card();
        works.iter().any(|work| {
            work.id == card.work || work.claims.iter().any(|claim| claim.experiment == card.id)
        })
    });
    all
}

/// Experiments by their words, each once, in the order in which they were asked for.
fn named(words: &[String]) -> Result<Vec<&'static dyn Experiment>, clap::Error> {
    let all = experiments();
    let mut named: Vec<&'static dyn Experiment> = Vec::new();
    for word in words {
        let mut found: Vec<_> = all.clone();
        found.retain(|experiment| word == "all" || experiment.card().id == word);
        if found.is_empty() {
            let known: Vec<&str> = all.iter().map(|experiment| experiment.card().id).collect();
            return Err(usage(format!(
                "there is no experiment {word:?}; there are all, {}",
                known.join(", ")
            )));
        }
        found
            .retain(|experiment| named.iter().all(|known| known.card().id != experiment.card().id));
        named.extend(found);
    }
    Ok(named)
}
