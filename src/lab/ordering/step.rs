//! `tabiya lab ordering step`: an iteration, one move of the root after the other.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::process::ExitCode;

use tabiya_lab::fixafan::search;
use tabiya_lab::fixafan::watch::Event;

use super::{Manner, ORDERS, Subject};
use crate::Outcome;

/// Go through an iteration, one move of the root at a time.
///
/// After each move it waits for the Enter key; `q` ends it.
#[derive(clap::Args)]
#[command(after_help = ORDERS)]
pub(super) struct Args {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    manner: Manner,
    /// Which iteration.
    #[arg(long, short, value_name = "N", default_value = "3")]
    iteration: usize,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let (position, depth) = args.subject.position()?;
    let settings = args.manner.settings(depth.max(args.iteration));
    write!(out, "{}", position.diagram())?;
    let mut stepper = Stepper { out, wanted: args.iteration, current: 0, nodes: 0, failed: None };
    search::search(&position, &settings, &mut |event| stepper.see(event));
    match stepper.failed {
        Some(error) => Err(error.into()),
        None => Ok(ExitCode::SUCCESS),
    }
}

struct Stepper<'a> {
    out: &'a mut dyn Write,
    wanted: usize,
    current: usize,
    /// Moves made below the move of the root.
    nodes: u64,
    failed: Option<io::Error>,
}

impl Stepper<'_> {
    fn see(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Iteration { depth } = event {
            self.current = depth;
            if depth > self.wanted {
                return ControlFlow::Break(());
            }
        }
        if self.current != self.wanted {
            return ControlFlow::Continue(());
        }
        self.show(event).unwrap_or_else(|error| {
            self.failed = Some(error);
            ControlFlow::Break(())
        })
    }

    fn show(&mut self, event: Event<'_>) -> io::Result<ControlFlow<()>> {
        match event {
            Event::Iteration { depth } => writeln!(self.out, "\niteration {depth}")?,
            Event::Again { low, high } => {
                writeln!(
                    self.out,
                    "the score was outside the window; again, between {low} and {high}"
                )?;
            }
            Event::Down { .. } => self.nodes += 1,
            Event::RootMove { mv, score, left } => {
                let moves = std::mem::take(&mut self.nodes);
                write!(
                    self.out,
                    "{mv:<7} {moves:>9} moves made, best score {score}, {left} left "
                )?;
                self.out.flush()?;
                match super::read_line()? {
                    Some(line) if line.trim().eq_ignore_ascii_case("q") => {
                        return Ok(ControlFlow::Break(()));
                    }
                    Some(_) => {}
                    None => writeln!(self.out)?,
                }
            }
            Event::Completed(iteration) => {
                writeln!(self.out, "score {}, {}", iteration.score, iteration.line.join(" "))?;
            }
            _ => {}
        }
        Ok(ControlFlow::Continue(()))
    }
}
