//! What the engine says: line by line, each one whole, and written at once unless more will follow.

use core::fmt::{Display, Write as _};
use std::io::Write;
use std::sync::{Arc, Mutex};
use tabiya_chess::shortened;
use tabiya_engine::lock;

/// Longer remarks are cut.
const LONGEST_NOTE: usize = 1000;

/// Where lines go, from whichever thread.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<Sink>>);

struct Sink {
    writer: Box<dyn Write + Send>,
    /// What is to be written.
    lines: String,
    broken: bool,
}

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Output {
        let sink = Sink { writer: Box::new(writer), lines: String::new(), broken: false };
        Output(Arc::new(Mutex::new(sink)))
    }

    /// Says a line, after all that are held back.
    pub(super) fn say(&self, line: impl Display) {
        let sink = &mut *lock(&self.0);
        sink.add(line);
        if !sink.broken {
            let written = sink.writer.write_all(sink.lines.as_bytes());
            sink.broken = written.and_then(|()| sink.writer.flush()).is_err();
        }
        sink.lines.clear();
    }

    /// Holds a line back until the next is said, which must be soon: whoever reads is woken once for both.
    pub(super) fn hold(&self, line: impl Display) {
        lock(&self.0).add(line);
    }

    /// Says something to the user.
    pub(super) fn note(&self, note: impl Display) {
        let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
        let note = note.to_string();
        let note: String = shortened(&note, LONGEST_NOTE).chars().map(plain).collect();
        self.say(format_args!("info string {note}"));
    }

    /// Does nobody listen any more?
    pub(super) fn is_broken(&self) -> bool {
        lock(&self.0).broken
    }
}

impl Sink {
    fn add(&mut self, line: impl Display) {
        writeln!(self.lines, "{line}").expect("a string takes any text");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Remembers each piece that is written.
    #[derive(Clone, Default)]
    struct Pieces(Arc<Mutex<Vec<String>>>);

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            lock(&self.0).push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_held_back_comes_in_one_piece_with_the_next() {
        let pieces = Pieces::default();
        let output = Output::new(pieces.clone());
        output.say("one");
        output.hold("two");
        output.hold("three");
        assert_eq!(*lock(&pieces.0), ["one\n"]);
        output.say("four");
        output.say("five");
        assert_eq!(*lock(&pieces.0), ["one\n", "two\nthree\nfour\n", "five\n"]);
    }
}
