//! What the engine says: line by line, each one written at once and whole.

use crate::sync::lock;
use core::fmt::{Display, Write as _};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// Longer remarks are cut.
const LONGEST_NOTE: usize = 1000;

/// Where lines go, from whichever thread.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    line: String,
    broken: bool,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        let sink = Sink { writer: Box::new(writer), line: String::new(), broken: false };
        Output(Arc::new(Mutex::new(sink)))
    }

    /// Says a line.
    pub(super) fn say(&self, line: impl Display) {
        let sink = &mut *lock(&self.0);
        if sink.broken {
            return;
        }
        sink.line.clear();
        writeln!(sink.line, "{line}").expect("a string takes any text");
        let written = sink.writer.write_all(sink.line.as_bytes());
        sink.broken = written.and_then(|()| sink.writer.flush()).is_err();
    }

    /// Says something to the user.
    pub(super) fn note(&self, note: impl Display) {
        let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
        let note = note.to_string();
        let note: String = note.chars().take(LONGEST_NOTE).map(plain).collect();
        self.say(format_args!("info string {note}"));
    }

    /// Does nobody listen any more?
    pub(super) fn is_broken(&self) -> bool {
        lock(&self.0).broken
    }
}
