//! What `tabiya analyse` prints.

use serde::Serialize;
use std::fmt;
use tabiya_chess::{CastlingStyle, Claim, Color, Game, Outcome, Position};
use tabiya_engine::{Identity, Info, Score, Wdl};

/// The lines of a position. Scores and chances are White's and Black's, not the side to move's.
#[derive(Serialize)]
pub(crate) struct Report {
    program: Identity,
    fen: String,
    side_to_move: Color,
    /// How the game has ended, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    game_over: Option<&'static str>,
    depth: u32,
    selective_depth: u32,
    nodes: u64,
    time_ms: u64,
    interrupted: bool,
    lines: Vec<Line>,
    #[serde(skip)]
    diagram: String,
}

/// A line of play.
#[derive(Serialize)]
struct Line {
    depth: u32,
    #[serde(flatten)]
    score: WhiteScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<WhiteWdl>,
    /// In SAN, with move numbers.
    san: String,
    /// In UCI notation.
    uci: Vec<String>,
}

/// A score for White.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum WhiteScore {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// White mates in this many moves; Black, if it is negative.
    Mate(i32),
}

/// The probabilities that White wins, that the game is drawn, and that Black wins, in thousandths.
#[derive(Serialize)]
struct WhiteWdl {
    white: u16,
    draw: u16,
    black: u16,
}

impl WhiteWdl {
    fn of(wdl: Wdl, side_to_move: Color) -> WhiteWdl {
        let Wdl { win, draw, loss } = wdl;
        let (white, black) = if side_to_move == Color::White { (win, loss) } else { (loss, win) };
        WhiteWdl { white, draw, black }
    }
}

/// From the side to move's score to White's.
fn for_white(score: Score, side_to_move: Color) -> Score {
    if side_to_move == Color::White { score } else { score.negated() }
}

impl Report {
    pub(crate) fn new(program: Identity, game: &Game, lines: &[Info], interrupted: bool) -> Report {
        let position = game.position();
        let side_to_move = position.side_to_move();
        let style = if position.is_chess960() {
            CastlingStyle::KingTakesRook
        } else {
            CastlingStyle::KingToTarget
        };
        let line = |info: &Info| Line {
            depth: info.depth,
            score: match for_white(info.score, side_to_move) {
                Score::Centipawns(value) => WhiteScore::Centipawns(value),
                Score::Mate(moves) => WhiteScore::Mate(moves),
            },
            wdl: info.wdl.map(|wdl| WhiteWdl::of(wdl, side_to_move)),
            san: position.movetext(&info.pv),
            uci: uci_line(position, info, style),
        };
        let first = lines.first();
        Report {
            program,
            fen: position.fen(),
            side_to_move,
            game_over: game.outcome().map(in_words),
            depth: first.map_or(0, |info| info.depth),
            selective_depth: lines.iter().map(|info| info.selective_depth).max().unwrap_or(0),
            nodes: lines.iter().map(|info| info.nodes).max().unwrap_or(0),
            time_ms: lines.iter().map(|info| info.time.as_millis() as u64).max().unwrap_or(0),
            interrupted,
            lines: lines.iter().map(line).collect(),
            diagram: position.diagram(),
        }
    }
}

fn uci_line(position: &Position, info: &Info, style: CastlingStyle) -> Vec<String> {
    let mut position = position.clone();
    let text = |&mv: &tabiya_chess::Move| {
        let text = mv.uci(&position, style).to_string();
        position.play(mv).ok().map(|()| text)
    };
    info.pv.iter().map_while(text).collect()
}

fn in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Checkmate { winner: Color::White } => "checkmate: White has won",
        Outcome::Checkmate { winner: Color::Black } => "checkmate: Black has won",
        Outcome::Stalemate => "stalemate: a draw",
        Outcome::InsufficientMaterial => "a draw: neither side can mate",
        Outcome::FivefoldRepetition => "a draw by fivefold repetition",
        Outcome::SeventyFiveMoves => "a draw by the seventy-five-move rule",
        Outcome::Claimed(Claim::ThreefoldRepetition) => "a draw by threefold repetition, claimed",
        Outcome::Claimed(Claim::FiftyMoves) => "a draw by the fifty-move rule, claimed",
    }
}

/// The score and the moves of a line, for the line that shows progress.
pub(crate) fn line_text(root: &Position, info: &Info) -> String {
    let score = for_white(info.score, root.side_to_move());
    format!("{score}  {}", root.movetext(&info.pv))
}

/// A count that a person reads at a glance.
pub(crate) fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{:.0} k", number as f64 / 1e3),
        10_000_000..10_000_000_000 => format!("{:.1} M", number as f64 / 1e6),
        _ => format!("{:.1} G", number as f64 / 1e9),
    }
}

/// A line of a terminal.
const WIDTH: usize = 100;
/// Where the moves of a line begin.
const INDENT: usize = 36;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (rank, row) in (1..=8).rev().zip(self.diagram.lines()) {
            writeln!(f, "  {rank}  {row}")?;
        }
        writeln!(f, "\n     a b c d e f g h\n")?;
        writeln!(f, "{}", self.fen)?;
        writeln!(f, "{}", self.program)?;
        if let Some(ending) = self.game_over {
            return writeln!(f, "The game is over: {ending}.");
        }
        let seconds = self.time_ms as f64 / 1e3;
        writeln!(
            f,
            "{} to move. Depth {}/{}, {} nodes in {seconds:.1} s.\n",
            self.side_to_move,
            self.depth,
            self.selective_depth,
            count(self.nodes)
        )?;
        if self.lines.is_empty() {
            return writeln!(f, "Stopped before a line was found.");
        }
        writeln!(f, "     score   White  draw  Black   line")?;
        for (rank, line) in (1..).zip(&self.lines) {
            let score = match line.score {
                WhiteScore::Centipawns(value) => Score::Centipawns(value),
                WhiteScore::Mate(moves) => Score::Mate(moves),
            };
            write!(f, "{rank:>2}. {:>7}", score.to_string())?;
            match &line.wdl {
                Some(WhiteWdl { white, draw, black }) => {
                    let percent = |share: u16| format!("{} %", (share + 5) / 10);
                    write!(
                        f,
                        "  {:>5} {:>5}  {:>5}",
                        percent(*white),
                        percent(*draw),
                        percent(*black)
                    )?;
                }
                None => write!(f, "  {:20}", "")?,
            }
            write_wrapped(f, &line.san)?;
            if line.depth != self.depth {
                write!(f, " (depth {})", line.depth)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Moves, from the column [`INDENT`] on; what is too long goes on in the next line. A move's number stays
/// with it.
fn write_wrapped(f: &mut fmt::Formatter<'_>, moves: &str) -> fmt::Result {
    write!(f, "   ")?;
    let mut column = INDENT;
    for (index, word) in moves.replace(". ", ".\u{a0}").split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 {
            if column + 1 + length > WIDTH {
                write!(f, "\n{:INDENT$}", "")?;
                column = INDENT;
            } else {
                write!(f, " ")?;
                column += 1;
            }
        }
        write!(f, "{}", word.replace('\u{a0}', " "))?;
        column += length;
    }
    Ok(())
}
