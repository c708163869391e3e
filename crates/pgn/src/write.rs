//! Writes games in PGN's export format.

use std::fmt::{self, Write};

use tabiya_chess::{Color, Position};

use crate::frame::escaped;
use crate::game::play;
use crate::{NodeId, PgnGame};

/// Lines of moves are broken before this column.
const COLUMNS: usize = 80;

/// A comment that is not longer stays on one line, braces included: score, depth and clock are read
/// together.
const SHORT_COMMENT: usize = 32;

/// The game in PGN's export format: tags, an empty line, and the moves within 80 columns, with a line
/// break at the end. In a file an empty line goes between two games.
impl fmt::Display for PgnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_tags(f)?;
        f.write_char('\n')?;
        let mut moves = Wrapped { out: f, column: 0, word: String::new(), prefix: "" };
        for comment in self.comments(NodeId::ROOT) {
            moves.comment(comment)?;
        }
        if let Some(first) = self.children(NodeId::ROOT).next() {
            self.write_line(&mut moves, first, self.start().clone())?;
        }
        moves.word(format_args!("{}", self.result()))?;
        moves.flush()?;
        f.write_char('\n')
    }
}

impl PgnGame {
    fn write_tags(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags().roster() {
            write_tag(f, name, value)?;
        }
        write_tag(f, "Result", &self.result().to_string())?;
        if self.is_chess960() {
            write_tag(f, "Variant", "Chess960")?;
        }
        if *self.start() != Position::start() {
            write_tag(f, "SetUp", "1")?;
            write_tag(f, "FEN", &self.start().fen())?;
        }
        self.tags().others().try_for_each(|(name, value)| write_tag(f, name, value))
    }

    /// A line from this move on, with the variations from it. The move's own siblings are written
    /// by the line that they are variations of.
    fn write_line(
        &self,
        out: &mut Wrapped<'_, '_>,
        first: NodeId,
        mut position: Position,
    ) -> fmt::Result {
        // A number stands before each of White's moves, and before Black's after anything else.
        let mut interrupted = true;
        let mut next = Some(first);
        while let Some(node) = next {
            interrupted |= !self.comments_before(node).is_empty();
            for comment in self.comments_before(node) {
                out.comment(comment)?;
            }
            let number = position.move_number();
            match position.side_to_move() {
                Color::White => out.word(format_args!("{number}."))?,
                Color::Black if interrupted => out.word(format_args!("{number}..."))?,
                Color::Black => {}
            }
            match self.mv(node) {
                Some(mv) => out.word(format_args!("{}", position.san(mv)))?,
                None => out.word(format_args!("--"))?,
            }
            for nag in self.nags(node) {
                out.word(format_args!("${nag}"))?;
            }
            for comment in self.comments(node) {
                out.comment(comment)?;
            }
            interrupted = !self.comments(node).is_empty();
            let main = self.children(self.parent(node)).next() == Some(node);
            for variation in self.children(self.parent(node)).skip(1).filter(|_| main) {
                interrupted = true;
                out.prefix = "(";
                self.write_line(out, variation, position.clone())?;
                out.word.push(')');
            }
            play(&mut position, self.mv(node));
            next = self.children(node).next();
        }
        Ok(())
    }
}

fn write_tag(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    // Escapes are ASCII, and the value is text.
    writeln!(f, "[{name} \"{}\"]", String::from_utf8_lossy(&escaped(value)))
}

/// Words, broken into lines.
struct Wrapped<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    column: usize,
    /// The last word: a parenthesis may close right after it.
    word: String,
    /// What goes right before the next word.
    prefix: &'static str,
}

impl Wrapped<'_, '_> {
    fn word(&mut self, word: fmt::Arguments<'_>) -> fmt::Result {
        self.flush()?;
        self.word.push_str(std::mem::take(&mut self.prefix));
        self.word.write_fmt(word)
    }

    fn comment(&mut self, comment: &crate::Comment) -> fmt::Result {
        let text = format!("{{{comment}}}");
        if text.len() <= SHORT_COMMENT {
            return self.word(format_args!("{text}"));
        }
        text.split(' ').try_for_each(|word| self.word(format_args!("{word}")))
    }

    fn flush(&mut self) -> fmt::Result {
        if self.word.is_empty() {
            return Ok(());
        }
        let width = self.word.len();
        // Some readers take a line for an escape if it begins with a percent sign.
        let breaks = self.column + 1 + width > COLUMNS && !self.word.starts_with('%');
        if self.column == 0 {
            self.column = width;
        } else if breaks {
            self.out.write_char('\n')?;
            self.column = width;
        } else {
            self.out.write_char(' ')?;
            self.column += 1 + width;
        }
        self.out.write_str(&self.word)?;
        self.word.clear();
        Ok(())
    }
}
