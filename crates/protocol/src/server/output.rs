//! What a server says: line by line, each one whole, and written at once unless more will follow.

use super::dialect::{CurrentMove, Dialect};
use crate::BestMove;
use core::fmt::{self, Display, Write as _};
use std::io::Write;
use std::sync::{Arc, Mutex};
use tabiya_chess::{Position, shortened};
use tabiya_engine::{Info, lock};

/// Longer remarks are cut.
const LONGEST_NOTE: usize = 1000;

/// Where lines go, from any thread, and in which words.
#[derive(Clone)]
pub(super) struct Output {
    sink: Arc<Mutex<Sink>>,
    dialect: Arc<dyn Dialect>,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    /// What is to be written.
    lines: String,
    broken: bool,
}

impl Output {
    pub(super) fn new(
        writer: impl Write + Send + 'static,
        dialect: impl Dialect + 'static,
    ) -> Output {
        let sink = Sink { writer: Box::new(writer), lines: String::new(), broken: false };
        Output { sink: Arc::new(Mutex::new(sink)), dialect: Arc::new(dialect) }
    }

    /// Uses other words from now on. Clones keep theirs.
    pub(super) fn set_dialect(&mut self, dialect: impl Dialect + 'static) {
        self.dialect = Arc::new(dialect);
    }

    /// The command that ends a search, as remarks quote it.
    pub(super) fn stop_command(&self) -> &'static str {
        self.dialect.stop_command()
    }

    /// Says a line as it is, after all that are held back.
    pub(super) fn say(&self, line: impl Display) {
        self.write(|_, lines| writeln!(lines, "{line}"));
    }

    /// Says something to the user.
    pub(super) fn note(&self, note: impl Display) {
        let plain = |sign: char| if sign.is_control() { ' ' } else { sign };
        let note = note.to_string();
        let note: String = shortened(&note, LONGEST_NOTE).chars().map(plain).collect();
        self.write(|dialect, lines| dialect.note(&note, lines));
    }

    /// Says how a search stands.
    pub(super) fn info(&self, info: &Info, root: &Position) {
        self.write(|dialect, lines| dialect.info(info, root, lines));
    }

    /// Holds such a line back until the next is said, which must be soon: the GUI's process is woken once
    /// for both.
    pub(super) fn hold_info(&self, info: &Info, root: &Position) {
        let sink = &mut *lock(&self.sink);
        self.dialect.info(info, root, &mut sink.lines).expect("a string takes any text");
    }

    /// Says which root move is being searched.
    pub(super) fn current_move(&self, current: CurrentMove<'_>) {
        self.write(|dialect, lines| dialect.current_move(current, lines));
    }

    /// Says what was decided.
    pub(super) fn best_move(&self, decision: BestMove, root: &Position) {
        self.write(|dialect, lines| dialect.best_move(decision, root, lines));
    }

    /// Has the lines ceased to reach the GUI?
    pub(super) fn is_broken(&self) -> bool {
        lock(&self.sink).broken
    }

    fn write(&self, add: impl FnOnce(&dyn Dialect, &mut String) -> fmt::Result) {
        let sink = &mut *lock(&self.sink);
        add(&*self.dialect, &mut sink.lines).expect("a string takes any text");
        if !sink.broken {
            let written = sink.writer.write_all(sink.lines.as_bytes());
            sink.broken = written.and_then(|()| sink.writer.flush()).is_err();
        }
        sink.lines.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::time::Duration;
    use tabiya_engine::{Bound, Score};

    /// A dialect with few words, and none for moves.
    struct Marks;

    impl Dialect for Marks {
        fn stop_command(&self) -> &'static str {
            "?"
        }

        fn note(&self, note: &str, lines: &mut String) -> fmt::Result {
            writeln!(lines, "# {note}")
        }

        fn info(&self, _: &Info, _: &Position, lines: &mut String) -> fmt::Result {
            writeln!(lines, "info")
        }

        fn current_move(&self, _: CurrentMove<'_>, _: &mut String) -> fmt::Result {
            Ok(())
        }

        fn best_move(&self, _: BestMove, _: &Position, _: &mut String) -> fmt::Result {
            Ok(())
        }
    }

    fn info() -> Info {
        Info {
            depth: 1,
            selective_depth: 1,
            line: 1,
            score: Score::Centipawns(0),
            bound: Bound::Exact,
            wdl: None,
            nodes: 1,
            time: Duration::ZERO,
            hash_full: None,
            tablebase_hits: 0,
            pv: Vec::new(),
        }
    }

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
        let output = Output::new(pieces.clone(), Marks);
        let (info, root) = (info(), Position::start());
        output.say("one");
        output.hold_info(&info, &root);
        output.hold_info(&info, &root);
        assert_eq!(*lock(&pieces.0), ["one\n"]);
        output.say("four");
        output.note("five\nsix");
        assert_eq!(*lock(&pieces.0), ["one\n", "info\ninfo\nfour\n", "# five six\n"]);
        // Where the dialect has no word, what was held back is written all the same.
        output.hold_info(&info, &root);
        output.best_move(BestMove::default(), &root);
        assert_eq!(lock(&pieces.0).last().map(String::as_str), Some("info\n"));
    }
}
