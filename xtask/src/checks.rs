//! `cargo xtask test`: every check, in the order in which they are cheapest to fail.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::{advisories, fuzz, sanitize, setup, signature, workspace};

/// One check, by the name that its banner and its line in the table of times bear.
struct Step {
    name: &'static str,
    tasks: Vec<Task>,
}

#[derive(Debug, PartialEq, Eq)]
enum Task {
    Setup,
    Cargo(Vec<&'static str>),
    /// The dependencies against the advisory database, if it can be reached.
    Advisories,
    /// The bench against its file and the history.
    Signature,
    /// The split protocol under the model checker.
    Model,
    /// The tests under sanitizers.
    Sanitize,
    /// The fuzz targets are a workspace of their own, which `cargo fmt --all` does not see.
    FormatFuzzTargets,
    Fuzz {
        seconds: u32,
    },
}

struct Timing {
    step: &'static str,
    took: Duration,
}

pub(crate) fn run(long: bool, fuzz_seconds: u32) -> Result<(), Error> {
    let has_nextest = workspace::find_program("cargo-nextest").is_some();
    let (timings, outcome) = run_in_order(&plan(has_nextest, long, fuzz_seconds), |step| {
        eprintln!("\n=== {} ===", step.name);
        step.tasks.iter().try_for_each(Task::run)
    });
    print!("\n{}", table(&timings));
    outcome
}

/// All that compiles does so with one profile, so that what the steps share is compiled once.
fn plan(has_nextest: bool, long: bool, fuzz_seconds: u32) -> Vec<Step> {
    let tests = match (has_nextest, long) {
        (true, false) => "nextest run --workspace --cargo-profile checked",
        (true, true) => "nextest run --workspace --cargo-profile checked --run-ignored all",
        (false, false) => "test --workspace --tests --profile checked",
        (false, true) => "test --workspace --tests --profile checked -- --include-ignored",
    };
    let step = |name, tasks| Step { name, tasks };
    let mut steps = vec![
        step("setup", vec![Task::Setup]),
        step("format", vec![cargo("fmt --all --check"), Task::FormatFuzzTargets]),
        step("licences", vec![cargo("deny check licenses bans sources")]),
        step("advisories", vec![Task::Advisories]),
        step(
            "lints",
            vec![cargo("clippy --workspace --all-targets --profile checked -- -D warnings")],
        ),
        step("documentation", vec![cargo("doc --workspace --no-deps --profile checked")]),
        step("tests", vec![cargo(tests)]),
        step("bench", vec![Task::Signature]),
        // Neither form of the step before runs these.
        step("documentation tests", vec![cargo("test --workspace --doc --profile checked")]),
        step("model", vec![Task::Model]),
    ];
    if long {
        steps.push(step("sanitizers", vec![Task::Sanitize]));
    }
    steps.push(step("fuzzing", vec![Task::Fuzz { seconds: fuzz_seconds }]));
    steps
}

fn cargo(words: &'static str) -> Task {
    Task::Cargo(words.split(' ').collect())
}

impl Task {
    fn run(&self) -> Result<(), Error> {
        match self {
            Self::Setup => setup::run(),
            Self::Cargo(args) => {
                workspace::run(workspace::cargo(args).env("RUSTDOCFLAGS", "-D warnings"))
            }
            Self::Advisories => advisories::check(),
            Self::Sanitize => sanitize::run(None),
            Self::Signature => signature::check(),
            Self::Model => workspace::run(
                workspace::cargo([
                    "test",
                    "--package",
                    "tabiya-engine",
                    "--lib",
                    "--profile",
                    "checked",
                    "model::",
                ])
                .env("RUSTFLAGS", "--cfg loom")
                // Other flags rebuild everything: a folder of its own leaves the usual build alone.
                .env("CARGO_TARGET_DIR", workspace::target().join("model")),
            ),
            // A manifest without targets is none to cargo.
            Self::FormatFuzzTargets if fuzz::targets()?.is_empty() => Ok(()),
            Self::FormatFuzzTargets => workspace::run(&mut workspace::cargo([
                "fmt",
                "--manifest-path",
                "fuzz/Cargo.toml",
                "--check",
            ])),
            Self::Fuzz { seconds } => fuzz::targets()?.iter().try_for_each(|target| {
                eprintln!("--- {target}");
                fuzz::short(target, *seconds)
            }),
        }
    }
}

/// Stops at the first step that fails; tells how long each step took, that one included.
fn run_in_order(
    steps: &[Step],
    mut run: impl FnMut(&Step) -> Result<(), Error>,
) -> (Vec<Timing>, Result<(), Error>) {
    let mut timings = Vec::new();
    for step in steps {
        let start = Instant::now();
        let outcome = run(step);
        timings.push(Timing { step: step.name, took: start.elapsed() });
        if let Err(source) = outcome {
            return (timings, Err(Error::Step { step: step.name, source: source.into() }));
        }
    }
    (timings, Ok(()))
}

fn table(timings: &[Timing]) -> String {
    let total = Timing { step: "total", took: timings.iter().map(|timing| timing.took).sum() };
    timings.iter().chain([&total]).fold(String::new(), |mut table, Timing { step, took }| {
        writeln!(table, "{step:<20} {:>8.1} s", took.as_secs_f64()).expect("a string takes all");
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(steps: &[Step]) -> Vec<&str> {
        steps.iter().map(|step| step.name).collect()
    }

    fn spelled(steps: &[Step]) -> String {
        let args = steps.iter().flat_map(|step| &step.tasks).filter_map(|task| match task {
            Task::Cargo(args) => Some(args.join(" ")),
            _ => None,
        });
        args.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn setup_comes_first_and_the_slowest_last() {
        let steps = plan(true, false, 20);
        assert_eq!(steps[0].tasks, [Task::Setup]);
        assert_eq!(steps[steps.len() - 1].tasks, [Task::Fuzz { seconds: 20 }]);
    }

    #[test]
    fn documentation_tests_run_once_whichever_runner_is_there() {
        for has_nextest in [false, true] {
            let spelled = spelled(&plan(has_nextest, false, 20));
            assert_eq!(spelled.matches("--doc ").count(), 1);
            assert_eq!(spelled.contains("nextest"), has_nextest);
            assert_eq!(spelled.contains("test --workspace --tests "), !has_nextest);
        }
    }

    #[test]
    fn ignored_tests_run_only_when_asked_for() {
        for has_nextest in [false, true] {
            assert!(!spelled(&plan(has_nextest, false, 20)).contains("ignored"));
            assert!(spelled(&plan(has_nextest, true, 20)).contains("ignored"));
        }
    }

    #[test]
    fn sanitizers_run_only_when_asked_for() {
        for long in [false, true] {
            let steps = plan(true, long, 20);
            assert_eq!(names(&steps).contains(&"sanitizers"), long);
            assert!(names(&steps).contains(&"advisories"));
        }
    }

    #[test]
    fn the_first_failure_ends_the_run() {
        let steps = plan(true, false, 20);
        let mut ran = Vec::new();
        let (timings, outcome) = run_in_order(&steps, |step| {
            ran.push(step.name);
            if step.name == "lints" { Err(Error::BackgroundInQuiet) } else { Ok(()) }
        });
        assert_eq!(ran, ["setup", "format", "licences", "advisories", "lints"]);
        assert_eq!(timings.iter().map(|timing| timing.step).collect::<Vec<_>>(), ran);
        assert_eq!(outcome.expect_err("a step failed").to_string(), "the step `lints` failed");
    }

    #[test]
    fn every_step_runs_when_none_fails() {
        let steps = plan(true, false, 20);
        let (timings, outcome) = run_in_order(&steps, |_| Ok(()));
        assert!(outcome.is_ok());
        assert_eq!(timings.iter().map(|timing| timing.step).collect::<Vec<_>>(), names(&steps));
    }

    #[test]
    fn the_table_ends_with_the_sum() {
        let second = |step| Timing { step, took: Duration::from_millis(1500) };
        assert_eq!(
            table(&[second("format"), second("lints")]),
            "format                    1.5 s\nlints                     1.5 s\n\
             total                     3.0 s\n"
        );
    }
}
