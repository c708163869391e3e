//! Tables 4.3 and 4.4: what the conditions of the exchange evaluation save.

use super::WORK;
use crate::boards::exchange::{Conditions, iterative, recursive, windowed};
use crate::boards::{Bitboards, Board, BoardMove, Kind, Magic, Mailbox, Moves, leaves_king_safe};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, Stop, go_on};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Race;
use crate::games::{self, Stage};
use std::hint::black_box;
use tabiya_chess::{ExchangeValues, Move, PieceKind, Position, Square};

pub(super) struct SeePruning;

/// The sets of conditions that the thesis times, and their names.
const SETS: [(&str, Conditions); 4] = [
    ("Kα QNα QLβ", Conditions::ALL),
    ("Kα QLβ", Conditions { quantitative: false, ..Conditions::ALL }),
    ("Kα QNα", Conditions::EXACT),
    ("Kα", Conditions { king: true, quantitative: false, qualitative: false }),
];

/// The longest exchange that has a row of its own.
const LONGEST: usize = 8;

/// An exchange that somebody asks for, on a board.
struct Question {
    board: Bitboards<Magic>,
    mv: BoardMove,
}

/// Of the quiet moves, every so many is asked for: about as many as make 16 to 63 against the captures, which
/// is what the thesis's table of callers says.
const QUIETS_EVERY: u64 = 41;

/// Of all questions, every so many is timed: enough, and their boards fit into a cache.
const TIMED_EVERY: usize = 4;

/// What a search asks, one ply beyond the middlegames of Loop's games: captures that take something of less
/// worth than the taker, for ordering (S9), and some quiet moves of pieces, for pruning (S10).
fn questions(stop: &Stop<'_>) -> Result<Vec<Question>, Halt> {
    let mut questions = Vec::new();
    let mut quiets = 0;
    for position in &games::stage(Stage::Middlegame) {
        go_on(stop)?;
        for mv in &position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            ask(&next, &mut questions, &mut quiets);
        }
    }
    Ok(questions)
}

fn ask(position: &Position, questions: &mut Vec<Question>, quiets: &mut u64) {
    let mut board = Bitboards::<Magic>::new(position);
    let values = ExchangeValues::default();
    let mut moves = Moves::new();
    board.captures(&mut moves);
    let captures = moves.len();
    if !position.in_check() {
        board.quiets(&mut moves);
    }
    for (i, mv) in moves.into_iter().enumerate() {
        let worth = |cell| board.kind_at(cell).map_or(0, |kind| values.0[kind.index()]);
        let pawn = worth(mv.from) == values.0[0];
        let asked = if i < captures {
            worth(mv.to) < worth(mv.from)
        } else if !pawn {
            *quiets += 1;
            quiets.is_multiple_of(QUIETS_EVERY)
        } else {
            false
        };
        if mv.kind == Kind::Normal && asked && leaves_king_safe(&mut board, mv) {
            questions.push(Question { board: board.clone(), mv });
        }
    }
}

#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Counts {
    calls: u64,
    ordering: u64,
    /// Per set of conditions, how many exchanges end with which iteration.
    ends: Vec<Vec<u64>>,
    /// All iterations without any condition.
    plain: u64,
    /// Exchanges on whose worth the ways do not agree.
    unequal: u64,
    /// Exchanges whose sign the qualitative condition gets wrong.
    wrong_sign: u64,
    /// Those for which it returns only a bound.
    bounds: u64,
    /// Those that would be judged otherwise if the value that ends an exchange were returned as it is, rather
    /// than the bound of the window that it oversteps.
    soft: u64,
    /// Captures that lose nothing, yet are bad to the listing of Fig. 4.9, whose `else` asks for the exchange
    /// only if nothing is taken.
    unlisted: u64,
    /// Attackers that stand behind another one, and those of them that are worth less than it.
    behind: u64,
    lesser_behind: u64,
}

fn count(stop: &Stop<'_>) -> Result<Counts, Halt> {
    let values = ExchangeValues::default();
    let mut counts = Counts { ends: vec![vec![0; 16]; SETS.len()], ..Counts::default() };
    for Question { board, mv } in &mut questions(stop)? {
        counts.calls += 1;
        counts.ordering += u64::from(board.kind_at(mv.to).is_some());
        let mut results = [0; SETS.len()];
        for (i, (_, conditions)) in SETS.into_iter().enumerate() {
            let (mut iterations, mut last) = (0usize, 0);
            results[i] = windowed(board, *mv, &values, conditions, |step| {
                iterations += 1;
                last = step.value;
            });
            if conditions == Conditions::ALL {
                counts.soft += u64::from((last >= 0) != (results[i] >= 0));
            }
            counts.ends[i][iterations.min(15)] += 1;
        }
        windowed(board, *mv, &values, Conditions::NONE, |_| counts.plain += 1);
        let exact = recursive(board, *mv, &values);
        let equal = [results[2], results[3], iterative(board, *mv, &values)] == [exact; 3];
        counts.unequal += u64::from(!equal);
        let same_sign = [results[0], results[1]].map(i32::signum) == [exact.signum(); 2];
        counts.wrong_sign += u64::from(!same_sign);
        counts.bounds += u64::from(results[0] != exact);
        let takes = board.kind_at(mv.to).is_some();
        counts.unlisted += u64::from(takes && exact >= 0);
    }
    for position in &games::stage(Stage::Middlegame) {
        go_on(stop)?;
        look_behind(position, &mut counts);
    }
    Ok(counts)
}

/// Looks at the attackers of all pieces, and at those that stand behind them on the same line.
fn look_behind(position: &Position, counts: &mut Counts) {
    let values = ExchangeValues::default();
    let worth =
        |square| position.piece_at(square).map_or(0, |piece| values.0[piece.kind().index()]);
    let occupied = position.occupied();
    for target in occupied {
        let direct = position.attackers(target, occupied);
        // A king takes last: whoever stands behind him has no business with that rule.
        for front in direct - position.pieces(PieceKind::King) {
            let without = occupied - front.into();
            for behind in position.attackers(target, without) - direct {
                counts.behind += 1;
                counts.lesser_behind += u64::from(worth(behind) < worth(front));
            }
        }
    }
}

/// How often other boards, and the engine's own evaluation, come to another worth.
fn compare_boards(stop: &Stop<'_>) -> Result<[u64; 3], Halt> {
    let values = ExchangeValues::default();
    let [mut compared, mut own, mut threshold] = [0; 3];
    for position in &games::stage(Stage::Middlegame) {
        go_on(stop)?;
        let mut mailbox: Mailbox = Mailbox::new(position);
        for mv in &position.legal_moves() {
            if position.captured(*mv).is_none() || mv.promoted().is_some() {
                continue;
            }
            if mv.kind() != tabiya_chess::MoveKind::Normal {
                continue;
            }
            compared += 1;
            let cell = |square: Square| <Mailbox as Board>::cell(square);
            let on_mailbox =
                BoardMove { from: cell(mv.from()), to: cell(mv.to()), kind: Kind::Normal };
            let sign = windowed(&mut mailbox, on_mailbox, &values, Conditions::ALL, |_| ());
            threshold += u64::from((sign >= 0) != position.see_ge(*mv, 0, &values));
            own += u64::from(exact_differs(position, *mv, &values));
        }
    }
    Ok([compared, own, threshold])
}

fn exact_differs(position: &Position, mv: Move, values: &ExchangeValues) -> bool {
    let mut board = Bitboards::<Magic>::new(position);
    let own = BoardMove { from: mv.from() as u8, to: mv.to() as u8, kind: Kind::Normal };
    windowed(&mut board, own, values, Conditions::EXACT, |_| ()) != position.see(mv, values)
}

impl Experiment for SeePruning {
    fn card(&self) -> Card {
        Card {
            id: "see-pruning",
            work: WORK,
            title: "Cutting exchanges short",
            question: "Three conditions end an exchange early: a king that may not take (Kα), a capture that \
                       gains nothing (QNα), a sign that is certain (QLβ). How many captures do they save, \
                       and how much time? And do the recursive, the iterative and the windowed form agree?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let rounds = lab.effort.pick(21, 61);
        let counts: Counts = lab.step("counting", |stop| count(stop))?;
        let [compared, own, threshold]: [u64; 3] =
            lab.step("comparing", |stop| compare_boards(stop))?;
        let race: Race = lab.step("timing", |stop| {
            let questions: Vec<Question> =
                questions(stop)?.into_iter().step_by(TIMED_EVERY).collect();
            let values = ExchangeValues::default();
            let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
            for (_, conditions) in SETS {
                let mut questions: Vec<(Bitboards<Magic>, BoardMove)> =
                    questions.iter().map(|q| (q.board.clone(), q.mv)).collect();
                contenders.push(Box::new(move || {
                    for (board, mv) in &mut questions {
                        black_box(windowed(board, *mv, &values, conditions, |_| ()));
                    }
                    questions.len() as u64
                }));
            }
            Race::run(rounds, &mut contenders, stop)
        })?;
        let mut findings = Findings::default();
        iterations(lab, &mut findings, &counts);
        times(lab, &mut findings, &race, counts.calls.div_ceil(TIMED_EVERY as u64), rounds);
        findings.number("exchanges", counts.calls as f64);
        findings.number("unequal", (counts.unequal + own) as f64);
        findings.number("wrong signs", (counts.wrong_sign + threshold) as f64);
        findings.number("judged otherwise by fail-soft", counts.soft as f64);
        findings.number("judged otherwise by the listing", counts.unlisted as f64);
        let lesser = 100.0 * counts.lesser_behind as f64 / counts.behind.max(1) as f64;
        findings.number("worth less than what stands before", lesser);
        let bounds = 100.0 * counts.bounds as f64 / counts.calls.max(1) as f64;
        findings.number("only a bound", bounds);
        findings.note(format!(
            "{} exchanges, {} of them captures. All forms agree on {} and on the sign of all but {}; for \
             {bounds:.1} % the qualitative condition returns a bound, not the worth. The engine's own \
             evaluation was compared on {compared} captures of the games: {own} differ.",
            counts.calls,
            counts.ordering,
            counts.calls - counts.unequal,
            counts.wrong_sign,
        ));
        Ok(findings)
    }
}

fn iterations(lab: &Lab<'_>, findings: &mut Findings, counts: &Counts) {
    let columns = [
        ("iteration", Origin::Label),
        ("with QLβ, %", Origin::Printed),
        ("with QLβ, %", Origin::Counted),
        ("without, %", Origin::Printed),
        ("without, %", Origin::Counted),
    ];
    let mut table =
        Table::new("table-4-3", "Table 4.3: the iteration that ends an exchange", &columns);
    let theirs = ["all", "without QLβ"].map(|column| {
        let counts = lab.printed("4.3").column(column);
        let sum: f64 = counts.iter().sum();
        counts.into_iter().map(|count| 100.0 * count / sum).collect::<Vec<f64>>()
    });
    let ours = [0, 2].map(|set: usize| {
        let ends = &counts.ends[set];
        ends[1..]
            .iter()
            .map(|&n| 100.0 * n as f64 / counts.calls.max(1) as f64)
            .collect::<Vec<f64>>()
    });
    let share = |shares: &[f64], i: usize| shares.get(i).map_or_else(Cell::none, |s| (*s).into());
    for i in 0..LONGEST {
        table.row(vec![
            (i + 1).to_string().into(),
            share(&theirs[0], i),
            share(&ours[0], i),
            share(&theirs[1], i),
            share(&ours[1], i),
        ]);
    }
    findings.tables.push(table);
    let total = |set: usize| {
        (0..).zip(&counts.ends[set]).map(|(n, count)| n as f64 * *count as f64).sum::<f64>()
    };
    findings.number("iterations saved", 100.0 * (1.0 - total(0) / total(2).max(1.0)));
    let all_three = 100.0 * (1.0 - total(0) / (counts.plain as f64).max(1.0));
    findings.number("iterations saved by all three", all_three);
    findings.number("ended within two", ours[0][0] + ours[0][1]);
    findings.number("ended with the third, all", ours[0][2]);
    findings.number("ended with the third, without QLβ", ours[1][2]);
    let bars = |shares: &[f64]| (0..LONGEST).map(|i| shares.get(i).copied()).collect::<Vec<_>>();
    findings.plots.push(Plot::bars(
        "iterations",
        "Where exchanges end",
        "Share of all exchanges that end with this iteration, in per cent, all conditions on.",
        (1..=LONGEST).map(|i| i.to_string()).collect(),
        vec![Series::printed("printed", bars(&theirs[0])), Series::counted("here", bars(&ours[0]))],
        None,
    ));
}

fn times(lab: &Lab<'_>, findings: &mut Findings, race: &Race, calls: u64, rounds: usize) {
    let columns = [
        ("conditions", Origin::Label),
        ("time, % of Kα alone", Origin::Printed),
        ("time, % of Kα alone", Origin::Timed),
        ("ns per exchange", Origin::Timed),
    ];
    let mut table =
        Table::new("table-4-4", "Table 4.4: run time of the exchange evaluation", &columns);
    const ALONE: usize = 3;
    let mut ratios = Vec::new();
    for (i, (name, _)) in SETS.iter().enumerate() {
        let ratio = race.ratio(i, ALONE).times(100.0);
        ratios.push(ratio);
        table.row(vec![
            (*name).into(),
            lab.printed("4.4").cell("rel %", name),
            ratio.cell(0),
            race.of(i).times(1e9 / calls.max(1) as f64).cell(1),
        ]);
    }
    table.note =
        format!("Medians of {rounds} rounds in which the four took turns, and their ranges.");
    findings.tables.push(table);
    findings.measured("time with all", ratios[0].median, ratios[0].low, ratios[0].high);
    findings.measured("time with QLβ", ratios[1].median, ratios[1].low, ratios[1].high);
    findings.measured("time with QNα", ratios[2].median, ratios[2].low, ratios[2].high);
}
