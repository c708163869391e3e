//! What a value is made of, for people and for programs.

use super::endings::{Endgame, KnownEndgame};
use super::layout::{FIELDS, Role, Weights};
use super::material::FULL_PHASE;
use super::pair::Pair;
use super::scaling::FULL_SCALE;
use super::tally::Record;
use super::term::Term;
use super::{Judgment, for_side_to_move, king, limited, taper};
use core::fmt;
use tabiya_chess::{Color, Position};

/// A middlegame and an endgame value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Halves {
    /// Counts while the board is full.
    pub midgame: i32,
    /// Counts when the board is empty.
    pub endgame: i32,
}

impl From<Pair> for Halves {
    fn from(pair: Pair) -> Halves {
        Halves { midgame: pair.midgame(), endgame: pair.endgame() }
    }
}

/// One rule's share in a term.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Part {
    /// The rule.
    pub name: String,
    /// For White.
    pub white: Halves,
    /// For Black.
    pub black: Halves,
}

/// What a term says.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Row {
    /// Which term.
    pub term: Term,
    /// For White.
    pub white: Halves,
    /// For Black.
    pub black: Halves,
    /// What it contributes to the value for White, rounded so that all rows add up to it exactly.
    pub value: i32,
    /// The rules that count here, those with nothing for either side left out.
    pub parts: Vec<Part>,
}

/// Why a position is worth what it is worth.
///
/// Its [`Display`](fmt::Display) is a table; the alternate form `{:#}` lists the rules under each term.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Explanation {
    /// Who is to move.
    pub side_to_move: Color,
    /// How much of the middlegame there is, out of [`Explanation::FULL_PHASE`].
    pub phase: i32,
    /// How much of the endgame value counts, out of [`Explanation::FULL_SCALE`].
    pub scale: i32,
    /// The ending, if its value is known; the only row is then that of the known endings.
    pub known: Option<Endgame>,
    /// The terms.
    pub rows: Vec<Row>,
    /// The value for White: the sum of the rows.
    pub white_value: i32,
    /// The value for the side to move, as [`Evaluator::evaluate`](super::Evaluator::evaluate) gives it.
    pub value: i32,
}

/// How the cost of a king's danger is called among the parts of king safety.
const DANGER: &str = "danger";

impl Explanation {
    /// The phase of a full board.
    pub const FULL_PHASE: i32 = FULL_PHASE;
    /// The scale of an endgame that is as good as it looks.
    pub const FULL_SCALE: i32 = FULL_SCALE;

    pub(super) fn of_known(position: &Position, known: KnownEndgame) -> Explanation {
        let white_value = limited(known.value);
        let row = Row {
            term: Term::KnownEndings,
            white: Halves::default(),
            black: Halves::default(),
            value: white_value,
            parts: Vec::new(),
        };
        Explanation {
            side_to_move: position.side_to_move(),
            phase: 0,
            scale: FULL_SCALE,
            known: Some(known.ending),
            rows: vec![row],
            white_value,
            value: for_side_to_move(position, white_value),
        }
    }

    pub(super) fn of_record(
        position: &Position,
        weights: &Weights,
        judgment: Judgment,
        record: &Record,
    ) -> Explanation {
        let parts = parts(weights, record);
        let mut rows = Vec::new();
        // Rounding each row by itself would miss the sum: what counts is where the running total,
        // rounded, goes from and to.
        let mut running = Pair::ZERO;
        let at = |score: Pair, scale: i32| limited(taper(score, judgment.phase, scale));
        for term in Term::ALL {
            let of_term: Vec<_> = parts.iter().filter(|part| part.term == term).collect();
            let [white, black] =
                [0, 1].map(|i| of_term.iter().map(|part| part.pairs[i]).sum::<Pair>());
            let before = at(running, FULL_SCALE);
            running += white - black;
            let value = match term {
                Term::KnownEndings => continue,
                Term::Scaling => at(running, judgment.scale) - before,
                _ => at(running, FULL_SCALE) - before,
            };
            let parts = of_term
                .into_iter()
                .filter(|part| part.pairs != [Pair::ZERO; 2])
                .map(|part| Part {
                    name: part.name.replace('_', " "),
                    white: part.pairs[0].into(),
                    black: part.pairs[1].into(),
                })
                .collect();
            rows.push(Row { term, white: white.into(), black: black.into(), value, parts });
        }
        let white_value = rows.iter().map(|row| row.value).sum();
        Explanation {
            side_to_move: position.side_to_move(),
            phase: judgment.phase,
            scale: judgment.scale,
            known: None,
            rows,
            white_value,
            value: for_side_to_move(position, white_value),
        }
    }
}

struct PartSum {
    term: Term,
    name: &'static str,
    /// White's and Black's.
    pairs: [Pair; 2],
}

/// The sums of all fields, and what the danger to each king costs.
fn parts(weights: &Weights, record: &Record) -> Vec<PartSum> {
    let flat = weights.to_vec();
    let mut sums = vec![[Pair::ZERO; 2]; Weights::COUNT];
    for &(color, index, count) in &record.entries {
        sums[index][color.index()] += flat[index] * count;
    }
    let mut dangers = [Pair::ZERO; 2];
    let mut parts = Vec::new();
    for field in FIELDS {
        let of_field = &sums[field.offset..field.offset + field.len];
        let pairs = [0, 1].map(|i| of_field.iter().map(|sum| sum[i]).sum());
        match field.role {
            Role::Linear => parts.push(PartSum { term: field.term, name: field.name, pairs }),
            Role::Danger => {
                dangers[0] += pairs[0];
                dangers[1] += pairs[1];
            }
        }
    }
    let pairs = dangers.map(|danger| -king::cost(danger));
    parts.push(PartSum { term: Term::KingSafety, name: DANGER, pairs });
    parts
}

/// Hundredths as a person writes them.
pub(crate) struct Points(pub(crate) i32);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", size / 100, size % 100))
    }
}

const NAME_WIDTH: usize = 26;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ending) = self.known {
            writeln!(f, "KnownEndgame ending: {ending}")?;
        } else {
            let rule = format!("{:-<NAME_WIDTH$}-+{:-<17}+{:-<17}+{:-<10}", "", "", "", "");
            writeln!(f, "{:<NAME_WIDTH$} |      White      |      Black      |   Value", "")?;
            writeln!(f, "{:<NAME_WIDTH$} | midgame endgame | midgame endgame | for White", "Term")?;
            writeln!(f, "{rule}")?;
            let mut totals = [Pair::ZERO; 2];
            for row in &self.rows {
                write_row(f, row.term.name(), row.white, row.black, Some(row.value))?;
                if f.alternate() {
                    for part in &row.parts {
                        let name = format!("  {}", part.name);
                        write_row(f, &name, part.white, part.black, None)?;
                    }
                }
                for (total, halves) in totals.iter_mut().zip([row.white, row.black]) {
                    *total += Pair::new(halves.midgame, halves.endgame);
                }
            }
            writeln!(f, "{rule}")?;
            let [white, black] = totals.map(Halves::from);
            write_row(f, "total", white, black, Some(self.white_value))?;
            writeln!(
                f,
                "Midgame {} of {FULL_PHASE}; endgame counts {} of {FULL_SCALE}",
                self.phase, self.scale
            )?;
        }
        let mover = self.side_to_move;
        writeln!(
            f,
            "Value: {} for White, {} for the side to move ({mover})",
            Points(self.white_value),
            Points(self.value)
        )
    }
}

fn write_row(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    white: Halves,
    black: Halves,
    value: Option<i32>,
) -> fmt::Result {
    write!(
        f,
        "{name:<NAME_WIDTH$} | {:>7} {:>7} | {:>7} {:>7} |",
        Points(white.midgame),
        Points(white.endgame),
        Points(black.midgame),
        Points(black.endgame)
    )?;
    match value {
        Some(value) => writeln!(f, " {:>7}", Points(value)),
        None => writeln!(f),
    }
}
