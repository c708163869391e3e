//! Comments, and the commands in them: `[%clk]`, `[%emt]` and `[%eval]`.

use std::fmt;
use std::time::Duration;

use tabiya_chess::shortened;

use crate::limits;
use crate::text::{collapsed, without_controls};

/// The largest number of hours that a clock shows.
const MOST_HOURS: u64 = 9_999;

/// The largest number of moves to mate, or of plies of depth, that an evaluation has.
const MOST_MOVES: u32 = 9_999;

/// A comment: a text, and what commands in it say.
///
/// ```
/// use std::time::Duration;
/// use tabiya_pgn::{Comment, Eval, PgnScore};
/// let comment = Comment::new("[%eval 0.17,20] {best} [%clk 0:02:58.5]");
/// assert_eq!(comment.text(), "(best)");
/// assert_eq!(comment.clock(), Some(Duration::from_millis(178_500)));
/// assert_eq!(comment.eval(), Some(Eval { score: PgnScore::Centipawns(17), depth: Some(20) }));
/// assert_eq!(comment.to_string(), "[%eval 0.17,20] [%clk 0:02:58.5] (best)");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Comment {
    text: Box<str>,
    clock: Option<Duration>,
    elapsed: Option<Duration>,
    eval: Option<Eval>,
}

/// What a position is worth to White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Eval {
    /// The score.
    pub score: PgnScore,
    /// The depth of the search, in plies.
    pub depth: Option<u32>,
}

/// A score from White's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnScore {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves, negative if White is mated.
    Mate(i32),
}

impl Comment {
    /// A comment of this text. Commands in it are understood and taken out. Braces become parentheses,
    /// for a brace would end the comment; line breaks and runs of spaces become one space, for lines
    /// are broken anew when the comment is written. Text beyond [`limits::COMMENT_CHARS`] ends in an
    /// ellipsis.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let comment = Self::unbounded(text);
        if comment.is_within_bounds() {
            return comment;
        }
        Self { text: shortened(&comment.text, limits::COMMENT_CHARS - 1).into(), ..comment }
    }

    /// The same for what is read, where nothing is to be shortened.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Some(Self::unbounded(text)).filter(Self::is_within_bounds)
    }

    fn is_within_bounds(&self) -> bool {
        self.text.chars().nth(limits::COMMENT_CHARS).is_none()
    }

    fn unbounded(text: &str) -> Self {
        let safe: String = without_controls(text)
            .chars()
            .map(|sign| match sign {
                '{' => '(',
                '}' => ')',
                _ => sign,
            })
            .collect();
        let mut text = collapsed(&safe);
        let mut comment = Self::default();
        // What is left may come together to another command. Every round fills one of three fields.
        while let Some(rest) = comment.take_command(&text) {
            text = collapsed(&rest);
        }
        comment.text = text.into();
        comment
    }

    /// The text without commands that are understood.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the player's clock shows after the move (`[%clk]`).
    #[must_use]
    pub fn clock(&self) -> Option<Duration> {
        self.clock
    }

    /// The time that the move took (`[%emt]`).
    #[must_use]
    pub fn elapsed(&self) -> Option<Duration> {
        self.elapsed
    }

    /// The evaluation after the move (`[%eval]`).
    #[must_use]
    pub fn eval(&self) -> Option<Eval> {
        self.eval
    }

    /// The same with a clock, in milliseconds and of 9,999 hours at most.
    #[must_use]
    pub fn with_clock(self, clock: Duration) -> Self {
        Self { clock: Some(presentable(clock)), ..self }
    }

    /// The same with the time that the move took, in milliseconds and of 9,999 hours at most.
    #[must_use]
    pub fn with_elapsed(self, elapsed: Duration) -> Self {
        Self { elapsed: Some(presentable(elapsed)), ..self }
    }

    /// The same with an evaluation. Numbers are kept within four digits before the point.
    #[must_use]
    pub fn with_eval(self, eval: Eval) -> Self {
        let most = MOST_MOVES.cast_signed();
        let score = match eval.score {
            PgnScore::Centipawns(score) => PgnScore::Centipawns(score.clamp(-999_999, 999_999)),
            PgnScore::Mate(moves) => PgnScore::Mate(moves.clamp(-most, most)),
        };
        let depth = eval.depth.map(|depth| depth.min(MOST_MOVES));
        Self { eval: Some(Eval { score, depth }), ..self }
    }

    /// Is there neither a text nor a command?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes the first command that is understood and not known yet, and gives the rest of the text.
    fn take_command(&mut self, text: &str) -> Option<String> {
        for (start, _) in text.match_indices("[%") {
            let after = &text[start + 2..];
            // No command that is understood is longer. The bound keeps the search linear.
            let end = after.bytes().take(48).position(|byte| byte == b']');
            let Some((command, end)) = end.map(|end| (&after[..end], start + 2 + end + 1)) else {
                continue;
            };
            let Some((name, value)) = command.split_once(' ') else { continue };
            let taken = match name {
                "clk" => take(&mut self.clock, clock(value.trim())),
                "emt" => take(&mut self.elapsed, clock(value.trim())),
                "eval" => take(&mut self.eval, eval(value.trim())),
                _ => false,
            };
            if taken {
                return Some(format!("{} {}", &text[..start], &text[end..]));
            }
        }
        None
    }
}

fn take<T>(field: &mut Option<T>, value: Option<T>) -> bool {
    let taken = field.is_none() && value.is_some();
    if taken {
        *field = value;
    }
    taken
}

/// The commands first, then the text.
impl fmt::Display for Comment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        let mut next = || std::mem::replace(&mut gap, " ");
        if let Some(eval) = self.eval {
            write!(f, "{}[%eval {eval}]", next())?;
        }
        if let Some(time) = self.clock {
            write!(f, "{}[%clk {}]", next(), ClockFace(time))?;
        }
        if let Some(time) = self.elapsed {
            write!(f, "{}[%emt {}]", next(), ClockFace(time))?;
        }
        if !self.text.is_empty() {
            write!(f, "{}{}", next(), self.text)?;
        }
        Ok(())
    }
}

/// As in `[%eval]`: pawns with two digits after the point, or `#` and moves.
impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            PgnScore::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                let score = score.unsigned_abs();
                write!(f, "{sign}{}.{:02}", score / 100, score % 100)?;
            }
            PgnScore::Mate(moves) => write!(f, "#{moves}")?,
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

fn presentable(time: Duration) -> Duration {
    let time = time.min(Duration::from_secs(3600 * MOST_HOURS));
    Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

/// Hours, minutes and seconds, with a fraction where there is one.
struct ClockFace(Duration);

impl fmt::Display for ClockFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis => write!(f, ".{}", format!("{millis:03}").trim_end_matches('0')),
        }
    }
}

/// Digits, and nothing else.
fn number(text: &str, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let plain = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// `h:mm:ss`, with up to three digits after a point.
fn clock(text: &str) -> Option<Duration> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':')?;
    let (seconds, millis) = match seconds.split_once('.') {
        Some((seconds, fraction)) => {
            let scale = [100, 10, 1].get(fraction.len().checked_sub(1)?)?;
            (seconds, number(fraction, 1..=3)? * scale)
        }
        None => (seconds, 0),
    };
    let [hours, minutes, seconds] =
        [number(hours, 1..=4)?, number(minutes, 1..=2)?, number(seconds, 1..=2)?];
    if minutes >= 60 || seconds >= 60 {
        return None;
    }
    let seconds = u64::from(3600 * hours + 60 * minutes + seconds);
    let time = Duration::from_secs(seconds) + Duration::from_millis(millis.into());
    (presentable(time) == time).then_some(time)
}

/// Pawns with up to two digits after the point, or `#` and moves; a depth may follow a comma.
fn eval(text: &str) -> Option<Eval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score, Some(number(depth, 1..=4)?)),
        None => (text, None),
    };
    let (mate, score) = match score.strip_prefix('#') {
        Some(moves) => (true, moves),
        None => (false, score),
    };
    let (sign, plain) = match score.strip_prefix('-') {
        Some(plain) => (-1, plain),
        None => (1, score.strip_prefix('+').unwrap_or(score)),
    };
    let score = if mate {
        PgnScore::Mate(sign * number(plain, 1..=4)?.cast_signed())
    } else {
        let (pawns, fraction) = plain.split_once('.').unwrap_or((plain, "0"));
        let scale = if fraction.len() == 1 { 10 } else { 1 };
        let score = 100 * number(pawns, 1..=4)? + scale * number(fraction, 1..=2)?;
        PgnScore::Centipawns(sign * score.cast_signed())
    };
    Some(Eval { score, depth })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_understood_or_stay_in_the_text() {
        for (text, written) in [
            ("[%clk 1:02:03]", "[%clk 1:02:03]"),
            ("[%clk 1:02:3.450] x", "[%clk 1:02:03.45] x"),
            ("x [%emt 0:00:00] y", "[%emt 0:00:00] x y"),
            ("[%eval -1.5] [%clk 0:00:01]", "[%eval -1.50] [%clk 0:00:01]"),
            ("[%eval #-3,22]", "[%eval #-3,22]"),
            ("[%eval 0.175]", "[%eval 0.175]"),
            ("[%clk 0:61:00]", "[%clk 0:61:00]"),
            ("[%clk]", "[%clk]"),
            ("[%csl Ge4] a\n\t b", "[%csl Ge4] a b"),
            ("[%clk 0:00:01] [%clk 0:00:02]", "[%clk 0:00:01] [%clk 0:00:02]"),
            ("[%clk [%emt 0:00:01]0:00:02]", "[%clk 0:00:02] [%emt 0:00:01]"),
            ("  { } ", "( )"),
        ] {
            let comment = Comment::new(text);
            assert_eq!(comment.to_string(), written, "{text}");
            assert_eq!(Comment::new(written), comment, "{text}");
        }
        assert_eq!(Comment::new("[%eval #-3]").eval().unwrap().score, PgnScore::Mate(-3));
        assert_eq!(Comment::new("[%clk 0:61:00]").clock(), None);
    }

    #[test]
    fn what_is_set_is_within_what_can_be_read() {
        let extreme = Comment::new("x")
            .with_clock(Duration::MAX)
            .with_elapsed(Duration::from_nanos(1_234_567))
            .with_eval(Eval { score: PgnScore::Centipawns(i32::MIN), depth: Some(u32::MAX) });
        assert_eq!(
            extreme.to_string(),
            "[%eval -9999.99,9999] [%clk 9999:00:00] [%emt 0:00:00.001] x"
        );
        assert_eq!(Comment::new(&extreme.to_string()), extreme);
        assert!(Comment::new(" \n").is_empty());
    }

    #[test]
    fn a_long_text_ends_in_an_ellipsis() {
        let long = Comment::new(&"x".repeat(limits::COMMENT_CHARS + 1));
        assert_eq!(long.text().chars().count(), limits::COMMENT_CHARS);
        assert!(long.text().ends_with('…'));
        assert_eq!(Comment::new(long.text()), long);
    }
}
