//! The appendix: pawn endings, scored by whether the win is kept.
//!
//! The report scored by a program that it took for its oracle, and that was wrong. Here an ending with a
//! blocked pair of pawns or a single one is solved exactly; of the others, today's engine says which
//! positions are won.

use super::evaluation::{Evaluation, Settings};
use super::search::{Judge, Methods, Quiescence, Searcher};
use super::solver::Solved;
use super::{WORK, known_position};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use crate::thinking::think;
use serde::{Deserialize, Serialize};
use tabiya_chess::{Colour, Game, Piece, Position};
use tabiya_engine::{Limits, Score};

pub(super) struct Endings;

pub(super) const ZERO: &str = "8/6pp/3k4/8/3K1PPP/8/8/8 w - - 0 1";
pub(super) const SIXTH: &str = "8/6p1/3k4/8/3K1PP1/8/8/8 w - - 0 1";
const FIRST: &str = "8/6p1/4p2p/4P2P/5PP1/k7/8/K7 w - - 0 1";
const THIRD: &str = "8/8/7p/2k3p1/6P1/1PK5/8/8 w - - 0 1";

/// Where Rybka's line in the sixth test ends; the report calls it a draw.
const SIXTH_END: &str = "8/5k2/6p1/4K1P1/8/8/8/8 w - - 0 1";

/// White is taken to win from here on, in hundredths of a pawn.
const WON: i32 = 300;

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

/// What White's moves of a line did, one by one: `None` where there was no win left to keep.
type Kept = Vec<Option<bool>>;

/// Does White win? Exactly, if the position is simple; else by the engine.
fn is_won(position: &Position, nodes: u64, stop: &dyn Fn() -> bool) -> Result<bool, Halt> {
    if let Ok(solved) = Solved::new(position, stop)
        && let Some(won) = solved.is_won(position)
    {
        return Ok(won);
    }
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let Some(score) = think(position, &limits, stop)?.1 else {
        return Ok(position.is_checkmate() && position.turn() == Colour::Black);
    };
    let white = if position.turn() == Colour::White { score } else { score.negated() };
    Ok(match white {
        Score::Mate(moves) => moves > 0,
        Score::Centipawns(value) => value >= WON,
    })
}

/// Replays a line and judges it after each of White's moves.
fn judge_line(
    fen: &str,
    moves: &[String],
    nodes: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Kept, Halt> {
    let mut position = known_position(fen)?;
    let mut had = true;
    let mut kept = Vec::new();
    for text in moves {
        let mv = position
            .parse_uci(text)
            .map_err(|error| Halt::Wrong(format!("{text} in {}: {error}", position.fen())))?;
        let white = position.turn() == Colour::White;
        if white && !had {
            // Black may have given the win back.
            had = is_won(&position, nodes, stop)?;
        }
        position.play_unchecked(mv);
        if white {
            let keeps = had && is_won(&position, nodes, stop)?;
            kept.push(had.then_some(keeps));
            had = keeps;
        }
    }
    Ok(kept)
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
    stop: &dyn Fn() -> bool,
) -> Result<(End, Vec<String>), Halt> {
    const LONGEST: usize = 120;
    let mut game = Game::new(known_position(fen)?);
    let mut searcher = Searcher::new(methods, Judge::Report(Evaluation::new(Settings::LAST)));
    let mut moves = Vec::new();
    while game.moves().len() < LONGEST {
        let position = game.position();
        let queen = !position.men(Colour::White, Piece::Queen).is_empty();
        if queen && position.turn() == Colour::White {
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
        let nodes = lab.effort.pick(40_000, 2_000_000);
        findings.note(format!(
            "A position with one pawn, or with a pair that block each other, is solved exactly: every position that \
             can arise is listed, and the won ones are found backwards. Of all others today's engine says after \
             {nodes} nodes whether White is ahead by {WON} hundredths of a pawn or mates. No tablebase is used."
        ));
        first_moves(lab, nodes, &mut findings)?;
        printed_lines(lab, nodes, &mut findings)?;
        sixth_end(lab, &mut findings)?;
        own_games(lab, nodes, &mut findings)?;
        Ok(findings)
    }
}

fn first_moves(lab: &mut Lab<'_>, nodes: u64, findings: &mut Findings) -> Result<(), Halt> {
    let mut table = Table::new(
        "first-moves",
        "First moves that keep the win",
        &[
            ("test", Origin::Label),
            ("moves", Origin::Counted),
            ("win", Origin::Counted),
            ("which", Origin::Counted),
        ],
    );
    for (test, fen) in [("Zero", ZERO), ("First", FIRST), ("Third", THIRD), ("Sixth", SIXTH)] {
        let position = known_position(fen)?;
        let winners: Vec<String> = lab.step(&format!("first moves of {test}"), |stop| {
            let mut winners = Vec::new();
            for &mv in &position.legal_moves() {
                let mut after = position.clone();
                after.play_unchecked(mv);
                if is_won(&after, nodes, stop)? {
                    winners.push(position.san(mv).to_string());
                }
            }
            Ok(winners)
        })?;
        let all = position.legal_moves().len() as u64;
        findings.number(&format!("{test}: first moves that win"), winners.len() as f64);
        let mut wins = |san: &str| {
            let name = format!("{test}: {san} wins");
            findings.truth(&name, winners.iter().any(|winner| winner == san));
        };
        match test {
            "Zero" => ["f5", "g5"].into_iter().for_each(&mut wins),
            "First" => wins("f5"),
            "Third" => wins("b4"),
            _ => ["f5", "Ke4"].into_iter().for_each(&mut wins),
        }
        table.row(vec![
            test.into(),
            all.into(),
            (winners.len() as u64).into(),
            winners.join(" ").into(),
        ]);
    }
    findings.tables.push(table);
    Ok(())
}

fn printed_lines(lab: &mut Lab<'_>, nodes: u64, findings: &mut Findings) -> Result<(), Halt> {
    let mut table = Table::new(
        "lines",
        "The printed lines: White's moves that keep the win",
        &[
            ("test", Origin::Label),
            ("who", Origin::Label),
            ("White's moves", Origin::Printed),
            ("keep the win", Origin::Counted),
            ("throw it away", Origin::Counted),
            ("had no win to keep", Origin::Counted),
            ("first to throw it away", Origin::Counted),
        ],
    );
    let mut failed = 0;
    for Line { test, fen, who, moves } in LINES {
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let kept: Kept =
            lab.step(&format!("{test}, {who}"), |stop| judge_line(fen, &moves, nodes, stop))?;
        let count = |what: Option<bool>| kept.iter().filter(|&&kept| kept == what).count() as u64;
        let thrown = kept.iter().position(|&kept| kept == Some(false));
        findings.number(
            &format!("{test}, {who}: moves that throw the win away"),
            count(Some(false)) as f64,
        );
        failed += u32::from(thrown.is_some() && who != "Rybka");
        table.row(vec![
            test.into(),
            who.into(),
            (kept.len() as u64).into(),
            count(Some(true)).into(),
            count(Some(false)).into(),
            count(None).into(),
            thrown.map_or_else(Cell::none, |i| moves[2 * i].as_str().into()),
        ]);
    }
    table.note = "Misprints are put right where only one reading is legal. \"Second\" and \"Fifth\" cannot be had \
                  back: pawns that never move leave no trace."
        .to_owned();
    findings.number("the engine's lines that throw the win away", f64::from(failed));
    findings.tables.push(table);
    Ok(())
}

/// The position that the report calls a draw.
fn sixth_end(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let position = known_position(SIXTH_END)?;
    let (won, winners, size): (bool, Vec<String>, usize) =
        lab.step("the end of the sixth test", |stop| {
            let solved = Solved::new(&position, stop)?;
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

fn own_games(lab: &mut Lab<'_>, nodes: u64, findings: &mut Findings) -> Result<(), Halt> {
    let mut table = Table::new(
        "games",
        "The small program against itself",
        &[
            ("test", Origin::Label),
            ("set to", Origin::Label),
            ("ends with", Origin::Counted),
            ("White's moves", Origin::Counted),
            ("throw the win away", Origin::Counted),
            ("line", Origin::Counted),
        ],
    );
    for (test, fen) in [("Zero", ZERO), ("First", FIRST), ("Third", THIRD), ("Sixth", SIXTH)] {
        for (name, depth, quiescence) in SETTINGS {
            // Eight plies of quiet moves take a minute in the larger endings.
            if depth == 8 && lab.effort.pick(test != "Sixth", test == "First") {
                continue;
            }
            let methods = Methods { quiescence, table: true, deepening: true, ..Methods::PLAYER };
            let (end, moves, kept): (End, Vec<String>, Kept) =
                lab.step(&format!("{test} played out, {name}"), |stop| {
                    let (end, moves) = play_out(fen, methods, depth, stop)?;
                    let kept = judge_line(fen, &moves, nodes / 2, stop)?;
                    Ok((end, moves, kept))
                })?;
            let thrown = kept.iter().filter(|&&kept| kept == Some(false)).count();
            findings.truth(&format!("{test}, {name}: a queen"), end == End::Queen);
            findings.truth(&format!("{test}, {name}: a loop"), end == End::Loop);
            let shown = if moves.len() > 12 { " …" } else { "" };
            table.row(vec![
                test.into(),
                name.into(),
                end.name().into(),
                (kept.len() as u64).into(),
                (thrown as u64).into(),
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
