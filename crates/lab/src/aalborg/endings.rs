//! The appendix: pawn endings, scored by whether the win is kept.
//!
//! The report scored by a program that it took for its oracle, and that was wrong. Here small endings are
//! [solved](super::solver); of the others, today's engine says which positions are won, if it is sure.

use super::WORK;
use super::evaluation::{Evaluation, Settings};
use super::search::{Judge, Methods, Quiescence, Searcher};
use super::solver::Solved;
use crate::frame::experiment::{Card, Experiment, Halt, Lab, Stop, known_position};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use crate::thinking::{engine, think};
use serde::{Deserialize, Serialize};
use tabiya_chess::{Color, Game, PieceKind, Position};
use tabiya_engine::{Limits, Score};

pub(super) struct Endings;

pub(super) const ZERO: &str = "8/6pp/3k4/8/3K1PPP/8/8/8 w - - 0 1";
pub(super) const SIXTH: &str = "8/6p1/3k4/8/3K1PP1/8/8/8 w - - 0 1";
const FIRST: &str = "8/6p1/4p2p/4P2P/5PP1/k7/8/K7 w - - 0 1";
const THIRD: &str = "8/8/7p/2k3p1/6P1/1PK5/8/8 w - - 0 1";

/// Where Rybka's line in the sixth test ends; the report calls it a draw.
const SIXTH_END: &str = "8/5k2/6p1/4K1P1/8/8/8/8 w - - 0 1";

/// In hundredths of a pawn: White is taken to win from the one on, and not to win up to the other.
const WON: i32 = 300;
const DRAWN: i32 = 10;

/// A line that the report prints, misprints put right.
struct Line {
    test: &'static str,
    fen: &'static str,
    who: &'static str,
    moves: &'static str,
}

const fn line(
    test: &'static str,
    fen: &'static str,
    who: &'static str,
    moves: &'static str,
) -> Line {
    Line { test, fen, who, moves }
}

const LINES: [Line; 10] = [
    line("Zero", ZERO, "Rybka", "g4g5 g7g6 d4e4 d6e6 h4h5 e6d6 h5g6 h7g6 f4f5 d6e7"),
    line(
        "Zero",
        ZERO,
        "engine, depth 6",
        "f4f5 h7h6 g4g5 h6g5 h4g5 d6e7 d4d3 e7f7 g5g6 f7f6 d3e4 f6e7 e4e3 e7f6 e3e4 f6e7 e4e3",
    ),
    line(
        "Zero",
        ZERO,
        "engine, depth 8",
        "f4f5 h7h6 g4g5 h6g5 h4g5 d6e7 d4e4 e7f7 g5g6 f7f6 e4f4 f6e7 f4e5 e7e8 e5e6 e8d8 f5f6",
    ),
    line("First", FIRST, "Rybka", "f4f5 a3b3 f5f6 g7f6 e5f6 e6e5 g4g5 h6g5 h5h6 b3c4"),
    line(
        "First",
        FIRST,
        "engine, depth 6 and quiescence",
        "f4f5 a3b3 f5f6 g7f6 e5f6 e6e5 a1b1 e5e4 b1c1 b3c3 c1d1 c3d3 d1c1 d3e2 g4g5 h6g5",
    ),
    line("Third", THIRD, "Rybka", "b3b4 c5d5 c3d3 d5e5 d3c4 e5e4 b4b5 e4e5 b5b6 e5d6"),
    line(
        "Third",
        THIRD,
        "engine, depth 6",
        "b3b4 c5b5 c3b3 b5a6 b3c4 a6b6 b4b5 b6a7 c4c5 a7b7 b5b6 b7b8 c5c6 b8c8 b6b7 c8b8 c6b6 h6h5 g4h5 g5g4",
    ),
    line("Sixth", SIXTH, "Rybka", "f4f5 d6e7 d4e5 e7f7 g4g5 g7g6 f5f6 f7f8 f6f7 f8f7"),
    line(
        "Sixth",
        SIXTH,
        "engine, depth 6",
        "f4f5 d6d7 d4c5 d7e7 g4g5 e7e8 c5d5 e8e7 d5d4 e7f7 g5g6 f7f6 d4e4 f6g5 e4e5 g5h5 e5f4 h5h6 f4e4 h6g5",
    ),
    line(
        "Sixth",
        SIXTH,
        "engine, depth 8",
        "f4f5 d6d7 d4d5 d7e7 g4g5 e7f7 d5d6 f7g8 d6e7 g8h7 f5f6 h7g6 f6f7 g6g5 f7f8q",
    ),
];

/// What a move of White did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Deed {
    Keeps,
    ThrowsAway,
    /// There was no win to keep.
    Nothing,
    /// Nobody here knows.
    Open,
}

/// Knows which positions are won, and remembers what it has solved.
struct Oracle {
    solved: Vec<Solved>,
    /// How many pawns the solver may meet.
    pawns: u32,
    /// How long the engine may think.
    nodes: u64,
}

impl Oracle {
    /// Does White win? None if nobody is sure.
    fn is_won(&mut self, position: &Position, stop: &Stop<'_>) -> Result<Option<bool>, Halt> {
        if !self.solved.iter().any(|solved| solved.lists(position))
            && let Ok(solved) = Solved::new(position, self.pawns, stop)
        {
            self.solved.push(solved);
        }
        if let Some(won) = self.solved.iter().find_map(|solved| solved.is_won(position)) {
            return Ok(Some(won));
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let Some(score) = think(&mut engine()?, position, &limits, stop)?.1 else {
            return Ok(Some(position.is_checkmate() && position.side_to_move() == Color::Black));
        };
        let white = if position.side_to_move() == Color::White { score } else { score.negated() };
        Ok(match white {
            Score::Mate(moves) => Some(moves > 0),
            Score::Centipawns(value) if value >= WON => Some(true),
            Score::Centipawns(value) if value <= DRAWN => Some(false),
            Score::Centipawns(_) => None,
        })
    }

    /// Replays a line, and tells what each of White's moves did.
    fn judge(&mut self, fen: &str, moves: &[String], stop: &Stop<'_>) -> Result<Vec<Deed>, Halt> {
        let mut position = known_position(fen)?;
        let mut before = None;
        let mut deeds = Vec::new();
        for text in moves {
            let mv = position
                .parse_uci(text)
                .map_err(|error| Halt::Wrong(format!("{text} in {}: {error}", position.fen())))?;
            let white = position.side_to_move() == Color::White;
            // What was won stays so, whatever Black plays.
            if white && before != Some(true) {
                before = self.is_won(&position, stop)?;
            }
            position.play_unchecked(mv);
            if white {
                let after = self.is_won(&position, stop)?;
                deeds.push(match (before, after) {
                    (_, Some(true)) => Deed::Keeps,
                    (Some(true), Some(false)) => Deed::ThrowsAway,
                    (Some(false), _) => Deed::Nothing,
                    _ => Deed::Open,
                });
                before = after;
            }
        }
        Ok(deeds)
    }
}

/// How many moves of a line did this.
fn count(deeds: &[Deed], deed: Deed) -> u64 {
    deeds.iter().filter(|&&other| other == deed).count() as u64
}

/// How a game of the small program against itself ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum End {
    /// White has a queen that stays.
    Queen,
    /// The same position for the third time.
    Loop,
    /// Something else.
    Other,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            End::Queen => "a queen for White",
            End::Loop => "a loop",
            End::Other => "neither",
        }
    }
}

/// Lets the small program play both sides, until a queen has survived a move or a position has come three
/// times.
fn play_out(
    fen: &str,
    methods: Methods,
    depth: u32,
    stop: &Stop<'_>,
) -> Result<(End, Vec<String>), Halt> {
    const LONGEST: usize = 120;
    let mut game = Game::new(known_position(fen)?);
    let mut searcher = Searcher::new(methods, Judge::Report(Evaluation::new(Settings::LAST)));
    let mut moves = Vec::new();
    while game.moves().len() < LONGEST {
        let position = game.position();
        let queen = !position.colored_pieces(Color::White, PieceKind::Queen).is_empty();
        if queen && position.side_to_move() == Color::White {
            return Ok((End::Queen, moves));
        }
        if game.claim().is_some() {
            return Ok((End::Loop, moves));
        }
        // The report's program does not look for repetitions in its tree.
        let Some(mv) = searcher.search(position, depth, stop)?.best else { break };
        moves.push(mv.uci(position, tabiya_chess::CastlingStyle::KingToTarget).to_string());
        game.play(mv).map_err(|error| Halt::Wrong(error.to_string()))?;
    }
    Ok((End::Other, moves))
}

/// The small program as the report set its own, from its evaluation and search.
const SETTINGS: [(&str, u32, Quiescence); 4] = [
    ("depth 6", 6, Quiescence::Off),
    ("depth 6 and quiescence", 6, Quiescence::Plies(1)),
    ("depth 8", 8, Quiescence::Off),
    ("depth 8 and quiescence", 8, Quiescence::Plies(1)),
];

impl Experiment for Endings {
    fn card(&self) -> Card {
        Card {
            id: "pawn-endings",
            work: WORK,
            title: "Pawn endings, scored by the win",
            question: "The report tests its engine on pawn endings, and takes a program's moves for the truth. The \
                       positions are lost with the figures; four can be had back by replaying the printed moves. \
                       Do those moves keep the win? Which first moves win at all? And does the small program, with \
                       the report's evaluation and search, do as the report's did?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let nodes = lab.effort.pick(60_000, 3_000_000);
        let pawns = lab.effort.pick(1, 3);
        let mut oracle = Oracle { solved: Vec::new(), pawns, nodes };
        findings.note(format!(
            "Endings with so many pawns are solved: {pawns}, or one more if two block each other; all positions of kings and \
             pawns that can arise are listed, the won ones are found backwards, and theory judges what comes of a \
             promotion. Of others today's engine says after {nodes} nodes that White wins if he is ahead by {WON} \
             hundredths of a pawn, and that he does not if by {DRAWN} at most; in between nobody is sure. No tablebase \
             is used."
        ));
        first_moves(lab, &mut oracle, &mut findings)?;
        printed_lines(lab, &mut oracle, &mut findings)?;
        sixth_end(lab, &mut findings)?;
        own_games(lab, &mut oracle, &mut findings)?;
        Ok(findings)
    }
}

/// Why a figure is missing.
const UNSURE: &str = "the ending is too large for the solver, and today's engine is not sure of it";

fn first_moves(
    lab: &mut Lab<'_>,
    oracle: &mut Oracle,
    findings: &mut Findings,
) -> Result<(), Halt> {
    let mut table = Table::new(
        "first-moves",
        "First moves that keep the win",
        &[
            ("test", Origin::Label),
            ("moves", Origin::Counted),
            ("win", Origin::Counted),
            ("do not win", Origin::Counted),
            ("open", Origin::Counted),
        ],
    );
    for (test, fen) in [("Zero", ZERO), ("First", FIRST), ("Third", THIRD), ("Sixth", SIXTH)] {
        let position = known_position(fen)?;
        let judged: Vec<(String, Option<bool>)> =
            lab.step(&format!("first moves of {test}"), |stop| {
                let mut judged = Vec::new();
                for &mv in &position.legal_moves() {
                    let mut after = position.clone();
                    after.play_unchecked(mv);
                    judged.push((position.san(mv).to_string(), oracle.is_won(&after, stop)?));
                }
                Ok(judged)
            })?;
        for (san, won) in &judged {
            let name = format!("{test}: {san} wins");
            match won {
                Some(won) => findings.truth(&name, *won),
                None => findings.lacks(&name, UNSURE),
            }
        }
        let which = |wanted: Option<bool>| {
            let moves = judged.iter().filter(|(_, won)| *won == wanted);
            moves.map(|(san, _)| san.as_str()).collect::<Vec<_>>().join(" ")
        };
        table.row(vec![
            test.into(),
            (judged.len() as u64).into(),
            which(Some(true)).into(),
            which(Some(false)).into(),
            which(None).into(),
        ]);
    }
    findings.tables.push(table);
    Ok(())
}

fn printed_lines(
    lab: &mut Lab<'_>,
    oracle: &mut Oracle,
    findings: &mut Findings,
) -> Result<(), Halt> {
    let mut table = Table::new(
        "lines",
        "The printed lines: what White's moves did with the win",
        &[
            ("test", Origin::Label),
            ("who", Origin::Label),
            ("White's moves", Origin::Printed),
            ("keep it", Origin::Counted),
            ("throw it away", Origin::Counted),
            ("had none", Origin::Counted),
            ("open", Origin::Counted),
            ("first to throw it away", Origin::Counted),
        ],
    );
    let (mut failed, mut open) = (0, 0);
    for Line { test, fen, who, moves } in LINES {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let deeds: Vec<Deed> =
            lab.step(&format!("{test}, {who}"), |stop| oracle.judge(fen, &moves, stop))?;
        let thrown = deeds.iter().position(|&deed| deed == Deed::ThrowsAway);
        let name = format!("{test}, {who}: moves that throw the win away");
        match count(&deeds, Deed::Open) {
            0 => findings.number(&name, count(&deeds, Deed::ThrowsAway) as f64),
            _ => findings.lacks(&name, UNSURE),
        }
        failed += u32::from(thrown.is_some() && who != "Rybka");
        open += count(&deeds, Deed::Open);
        let mut row: Vec<Cell> = vec![test.into(), who.into(), (deeds.len() as u64).into()];
        let all = [Deed::Keeps, Deed::ThrowsAway, Deed::Nothing, Deed::Open];
        row.extend(all.map(|deed| Cell::from(count(&deeds, deed))));
        row.push(thrown.map_or_else(Cell::none, |i| moves[2 * i].as_str().into()));
        table.row(row);
    }
    table.note = "Misprints are put right where only one reading is legal. \"Second\" and \"Fifth\" cannot be had \
                  back: pawns that never move leave no trace."
        .to_owned();
    let figure = "the engine's lines that throw the win away";
    if failed > 0 || open == 0 {
        findings.number(figure, f64::from(failed));
    } else {
        findings.lacks(figure, UNSURE);
    }
    findings.tables.push(table);
    Ok(())
}

/// The position that the report calls a draw.
fn sixth_end(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let position = known_position(SIXTH_END)?;
    let (won, winners, size): (bool, Vec<String>, usize) =
        lab.step("the end of the sixth test", |stop| {
            let solved = Solved::new(&position, 1, stop)?;
            let winners = solved.winners(&position);
            let names = winners.iter().map(|&mv| position.san(mv).to_string()).collect();
            Ok((solved.is_won(&position) == Some(true), names, solved.size()))
        })?;
    findings.truth("the end of Rybka's line in Sixth is won", won);
    findings.number("moves that win there", winners.len() as f64);
    findings.note(format!(
        "The end of Rybka's line in the sixth test, {SIXTH_END}, is {} for White: of {size} positions that can \
         arise from it, solved exactly, it wins by {}.",
        if won { "won" } else { "not won" },
        winners.join(" and "),
    ));
    Ok(())
}

fn own_games(lab: &mut Lab<'_>, oracle: &mut Oracle, findings: &mut Findings) -> Result<(), Halt> {
    let mut table = Table::new(
        "games",
        "The small program against itself",
        &[
            ("test", Origin::Label),
            ("set to", Origin::Label),
            ("ends with", Origin::Counted),
            ("White's moves", Origin::Counted),
            ("throw the win away", Origin::Counted),
            ("open", Origin::Counted),
            ("line", Origin::Counted),
        ],
    );
    for (test, fen) in [("Zero", ZERO), ("First", FIRST), ("Third", THIRD), ("Sixth", SIXTH)] {
        for (name, depth, quiescence) in SETTINGS {
            // Eight plies take a minute in the larger endings.
            if depth == 8 && lab.effort.pick(test != "Sixth", test == "First") {
                continue;
            }
            let methods = Methods { quiescence, table: true, deepening: true, ..Methods::PLAYER };
            let (end, moves): (End, Vec<String>) = lab
                .step(&format!("{test} played out, {name}"), |stop| {
                    play_out(fen, methods, depth, stop)
                })?;
            let deeds: Vec<Deed> = lab
                .step(&format!("{test} judged, {name}"), |stop| oracle.judge(fen, &moves, stop))?;
            findings.truth(&format!("{test}, {name}: a queen"), end == End::Queen);
            findings.truth(&format!("{test}, {name}: a loop"), end == End::Loop);
            let shown = if moves.len() > 12 { " …" } else { "" };
            table.row(vec![
                test.into(),
                name.into(),
                end.name().into(),
                (deeds.len() as u64).into(),
                count(&deeds, Deed::ThrowsAway).into(),
                count(&deeds, Deed::Open).into(),
                format!("{}{shown}", moves[..moves.len().min(12)].join(" ")).into(),
            ]);
        }
    }
    for test in ["Zero", "First", "Third", "Sixth"] {
        for (name, _, _) in SETTINGS {
            for what in ["a queen", "a loop"] {
                let figure = format!("{test}, {name}: {what}");
                if !findings.figures.contains_key(&figure) {
                    findings.lacks(&figure, "only the full form plays this one");
                }
            }
        }
    }
    findings.tables.push(table);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printed_line_is_legal() {
        for Line { fen, moves, .. } in LINES {
            let mut position = known_position(fen).unwrap();
            for text in moves.split(' ') {
                let mv = position.parse_uci(text);
                position.play_unchecked(mv.unwrap_or_else(|error| panic!("{text}: {error}")));
            }
        }
    }
}
