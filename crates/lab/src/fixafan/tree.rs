//! The search tree of an iteration, printed while it is searched.

use super::table::Bound;
use super::watch::Event;
use std::io::{self, Write};
use std::ops::ControlFlow;

/// Prints the tree of one iteration.
pub struct TreePrinter<'a> {
    out: &'a mut dyn Write,
    /// Which iteration.
    iteration: usize,
    /// How many plies of it.
    plies: usize,
    /// How many lines are left.
    lines: u64,
    current: usize,
    /// Is a line begun?
    open: bool,
    /// How deep the search is.
    ply: usize,
    /// Why nothing more is printed.
    pub failed: Option<io::Error>,
    /// Was it cut off for its length?
    pub full: bool,
}

impl<'a> TreePrinter<'a> {
    /// Prints `plies` plies of an iteration, and no more than so many lines.
    pub fn new(
        out: &'a mut dyn Write,
        iteration: usize,
        plies: usize,
        lines: u64,
    ) -> TreePrinter<'a> {
        TreePrinter {
            out,
            iteration,
            plies,
            lines,
            current: 0,
            open: false,
            ply: 0,
            failed: None,
            full: false,
        }
    }

    /// Takes note of an event.
    pub fn see(&mut self, event: Event<'_>) -> ControlFlow<()> {
        if let Event::Iteration { depth } = event {
            self.current = depth;
            if depth > self.iteration {
                return ControlFlow::Break(());
            }
        }
        if self.current != self.iteration {
            return ControlFlow::Continue(());
        }
        match self.print(event) {
            Ok(()) if !self.full => ControlFlow::Continue(()),
            Ok(()) => ControlFlow::Break(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn print(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Iteration { depth } => writeln!(self.out, "iteration {depth}"),
            Event::Again { low, high } => {
                self.end_line()?;
                writeln!(self.out, "again, between {low} and {high}")
            }
            Event::Down { ply, mv } => {
                self.ply = ply + 1;
                if ply >= self.plies {
                    return Ok(());
                }
                self.end_line()?;
                write!(self.out, "{:indent$}{mv}", "", indent = 2 * ply)?;
                self.open = true;
                Ok(())
            }
            Event::Up { ply } => {
                self.ply = ply;
                Ok(())
            }
            Event::TableHit { score, bound } => {
                let word = if bound == Bound::Exact { "EXACT" } else { "BOUND" };
                self.mark(&format!(" [{score},{word}]"))
            }
            Event::KingTaken { score } => self.mark(&format!(" mate {score}")),
            Event::Leaf { score } => self.mark(&format!(" => {score}")),
            Event::Better { ply, mv, score } if ply < self.plies => {
                self.end_line()?;
                writeln!(self.out, "{:indent$}* {mv} {score}", "", indent = 2 * ply)
            }
            Event::Cutoff { ply } if ply <= self.plies => {
                self.open = true;
                self.mark(" AB")
            }
            Event::Completed(iteration) => {
                self.end_line()?;
                writeln!(self.out, "score {}, {}", iteration.score, iteration.line.join(" "))
            }
            Event::Better { .. } | Event::Cutoff { .. } | Event::RootMove { .. } => Ok(()),
        }
    }

    /// Adds to the line of the move that was made last.
    fn mark(&mut self, text: &str) -> io::Result<()> {
        if self.open && self.ply <= self.plies { write!(self.out, "{text}") } else { Ok(()) }
    }

    fn end_line(&mut self) -> io::Result<()> {
        if self.open {
            self.open = false;
            writeln!(self.out)?;
        }
        self.lines = self.lines.saturating_sub(1);
        self.full = self.lines == 0;
        Ok(())
    }
}
