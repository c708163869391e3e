//! Section 5.5: repetitions by FEN text and by Zobrist keys.

use super::WORK;
use super::evaluation::{Evaluation, Settings};
use crate::boards::suite::{CLOSED, OPEN, QUICK};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, Stop, go_on, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Race;
use std::collections::HashSet;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Piece, Position, Square};

pub(super) struct Repetition;

const CASES: [(&str, &str); 3] = [("start", QUICK[0].fen), ("closed", CLOSED), ("open", OPEN)];

/// How a program remembers where it has been.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Memory {
    Nothing,
    Keys,
    Texts,
}

/// The fields of a FEN by which positions are the same: pieces, turn, castling, en passant.
fn text(position: &Position) -> String {
    let fen = position.fen();
    let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(end, _)| end);
    fen[..end].to_owned()
}

/// Visits a tree as a search would: each node is played, remembered and compared with those before it on
/// the way; leaves are evaluated, if asked for. Returns the evaluations' sum and the repetitions.
struct Walk<'a> {
    memory: Memory,
    evaluation: Option<&'a Evaluation>,
    keys: Vec<u64>,
    texts: Vec<String>,
    sum: u64,
    repetitions: u64,
}

impl<'a> Walk<'a> {
    fn new(memory: Memory, evaluation: Option<&'a Evaluation>) -> Walk<'a> {
        Walk { memory, evaluation, keys: Vec::new(), texts: Vec::new(), sum: 0, repetitions: 0 }
    }

    fn visit(&mut self, position: &Position, depth: u32) {
        match self.memory {
            Memory::Nothing => {}
            Memory::Keys => {
                let key = position.keys().position;
                self.repetitions += u64::from(self.keys.contains(&key));
                self.keys.push(key);
            }
            Memory::Texts => {
                let text = text(position);
                self.repetitions += u64::from(self.texts.contains(&text));
                self.texts.push(text);
            }
        }
        if depth == 0 {
            if let Some(evaluation) = self.evaluation {
                self.sum = self.sum.wrapping_add(evaluation.value(position) as u64);
            }
        } else {
            for &mv in &position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                self.visit(&next, depth - 1);
            }
        }
        self.keys.pop();
        self.texts.pop();
    }
}

/// The report's keys, as it describes them: 16 codes of pieces on 64 squares, and nothing else.
struct PlacementKeys(Vec<u64>);

impl PlacementKeys {
    fn new() -> PlacementKeys {
        let mut random = SplitMix64::stream(2012, 0);
        PlacementKeys((0..1024).map(|_| random.next()).collect())
    }

    fn key(&self, position: &Position) -> u64 {
        position.occupied().into_iter().fold(0, |key, square| {
            let piece = position.piece_at(square).map_or(0, Piece::index);
            key ^ self.0[piece * 64 + square.index()]
        })
    }
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Distinct {
    visited: u64,
    texts: u64,
    keys: u64,
    placements: u64,
}

/// How many positions of a tree are told apart.
fn distinct(position: &Position, depth: u32, stop: &Stop<'_>) -> Result<Distinct, Halt> {
    let numbers = PlacementKeys::new();
    let (mut texts, mut keys, mut placements) = (HashSet::new(), HashSet::new(), HashSet::new());
    let mut visited = 0;
    let mut level = vec![position.clone()];
    for remaining in (0..=depth).rev() {
        go_on(stop)?;
        let mut below = Vec::new();
        for position in &level {
            visited += 1;
            let fresh = keys.insert(position.keys().position);
            texts.insert(text(position));
            placements.insert(numbers.key(position));
            // A position that is known has known successors.
            if remaining > 0 && fresh {
                for &mv in &position.legal_moves() {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    below.push(next);
                }
            }
        }
        level = below;
    }
    Ok(Distinct {
        visited,
        texts: texts.len() as u64,
        keys: keys.len() as u64,
        placements: placements.len() as u64,
    })
}

impl Experiment for Repetition {
    fn card(&self) -> Card {
        Card {
            id: "repetition",
            work: WORK,
            title: "Repetitions by text and by keys",
            question: "To see a position for the third time it must be remembered. A FEN for every move, the report \
                       says, takes up to 35 % of the time; a Zobrist key does not. It describes keys of men on squares \
                       only: are they enough? Trees are visited without memory, with keys and with texts, once with \
                       the report's evaluation at every leaf and once bare.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        times(lab, &mut findings)?;
        counts(lab, &mut findings)?;
        small_truths(&mut findings)?;
        Ok(findings)
    }
}

fn times(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let (depth, rounds) = lab.effort.pick((3, 3), (4, 7));
    let evaluation = Evaluation::new(Settings::LAST);
    let mut table = Table::new(
        "times",
        "Share of the time that remembering takes, %",
        &[
            ("position", Origin::Label),
            ("work at leaves", Origin::Label),
            ("keys", Origin::Timed),
            ("texts", Origin::Timed),
        ],
    );
    table.note = format!("Depth {depth}, {rounds} rounds; of the time of the walk that remembers.");
    let (mut by_keys, mut by_texts) = (Vec::new(), Vec::new());
    for (name, fen) in CASES {
        let position = known_position(fen)?;
        for (work, judged) in [("evaluated", true), ("none", false)] {
            let race: Race = lab.step(&format!("{name}, leaves {work}"), |stop| {
                let evaluation = judged.then_some(&evaluation);
                let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
                for memory in [Memory::Nothing, Memory::Keys, Memory::Texts] {
                    let position = &position;
                    contenders.push(Box::new(move || {
                        let mut walk = Walk::new(memory, evaluation);
                        walk.visit(position, depth);
                        walk.sum
                    }));
                }
                Race::run(rounds, &mut contenders, stop)
            })?;
            // What the bare walk takes of the one that remembers; the rest is remembering.
            let share = |contender: usize| 100.0 * (1.0 - race.ratio(0, contender).median);
            let (keys, texts) = (share(1), share(2));
            by_keys.push(keys);
            by_texts.push(texts);
            let one = |value| Cell::Number { value, decimals: 1 };
            table.row(vec![name.into(), work.into(), one(keys), one(texts)]);
        }
    }
    findings.tables.push(table);
    let groups = CASES
        .into_iter()
        .flat_map(|(name, _)| [format!("{name}, evaluated"), format!("{name}, bare")]);
    let values = |shares: &[f64]| shares.iter().map(|&share| Some(share)).collect();
    findings.plots.push(Plot::bars(
        "shares",
        "What remembering positions costs",
        "Per cent of the time of the walk that remembers; the mark is the report's 35.",
        groups.collect(),
        vec![
            Series::counted("keys", values(&by_keys)),
            Series::counted("texts", values(&by_texts)),
        ],
        Some(35.0),
    ));
    let most = |shares: &[f64]| shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let evaluated: Vec<f64> = by_texts.iter().step_by(2).copied().collect();
    let mean = evaluated.iter().sum::<f64>() / evaluated.len() as f64;
    findings.measured(
        "texts, leaves evaluated, %",
        mean,
        evaluated.iter().copied().fold(f64::INFINITY, f64::min),
        most(&evaluated),
    );
    findings.number("texts at most, %", most(&by_texts));
    findings.number("keys at most, %", most(&by_keys));
    Ok(())
}

fn counts(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let depth = lab.effort.pick(3, 4);
    let mut table = Table::new(
        "told-apart",
        "Positions of a tree, told apart",
        &[
            ("position", Origin::Label),
            ("reached", Origin::Counted),
            ("by text", Origin::Counted),
            ("by key", Origin::Counted),
            ("by men and squares only", Origin::Counted),
            ("taken for another", Origin::Counted),
        ],
    );
    table.note = format!(
        "Depth {depth}. Keys of men and squares forget whose turn it is, castling and en passant."
    );
    let (mut text_errors, mut placement_errors) = (0, 0);
    for (name, fen) in CASES {
        let position = known_position(fen)?;
        let found: Distinct =
            lab.step(&format!("told apart from {name}"), |stop| distinct(&position, depth, stop))?;
        text_errors += found.texts.abs_diff(found.keys);
        placement_errors += found.keys - found.placements;
        table.row(vec![
            name.into(),
            found.visited.into(),
            found.texts.into(),
            found.keys.into(),
            found.placements.into(),
            (found.keys - found.placements).into(),
        ]);
    }
    findings.tables.push(table);
    findings.number("positions that texts and keys tell apart differently", text_errors as f64);
    findings.number("positions that men and squares confuse", placement_errors as f64);
    let ways: [u64; 2] = lab.step("repetitions on the way", |_| {
        let position = known_position(OPEN)?;
        Ok([Memory::Keys, Memory::Texts].map(|memory| {
            let mut walk = Walk::new(memory, None);
            walk.visit(&position, depth);
            walk.repetitions
        }))
    })?;
    findings.number("repetitions by keys less by texts", ways[0] as f64 - ways[1] as f64);
    // Four plies back and forth are the shortest.
    findings.note(format!(
        "On the ways to depth {depth} of the open position, {} positions repeat one before.",
        ways[0]
    ));
    Ok(())
}

fn small_truths(findings: &mut Findings) -> Result<(), Halt> {
    findings.number("numbers in the table", PlacementKeys::new().0.len() as f64);
    let once = 0b1100u8 ^ 0b1010;
    findings.numbers("the worked example", [f64::from(once), f64::from(once ^ 0b1100 ^ 0b1010)]);
    let after = |moves: [&str; 3]| -> Result<Position, Halt> {
        let mut position = Position::start();
        for text in moves {
            let mv = position.parse_uci(text).map_err(|error| Halt::Wrong(error.to_string()))?;
            position.play_unchecked(mv);
        }
        Ok(position)
    };
    let (one, other) = (after(["d2d4", "d7d5", "c2c4"])?, after(["c2c4", "d7d5", "d2d4"])?);
    findings.truth("the transposition has one key", one.keys().position == other.keys().position);
    // The square behind a pawn that has just made two steps, as FEN first wanted it written.
    let written = |position: &Position| position.double_step().map(Square::index);
    findings.truth("the transposition has one FEN", written(&one) == written(&other));
    Ok(())
}
