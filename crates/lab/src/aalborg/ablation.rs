//! Figures 9.2 and 9.3: what the six terms of the evaluation are worth in games.

use super::WORK;
use super::evaluation::{Evaluation, Settings, Term, Values};
use super::play::{Player, Tally, play_pairs};
use super::search::Judge;
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::PrintedTable;
use tabiya_arena::openings::Openings;
use tabiya_engine::eval::{self, Evaluator, Terms};

pub(super) struct Ablation;

/// The report's configurations, in its order, each with the row of its tables. The labels of two rows leave
/// mobility out although the text adds terms one by one: here it stays in.
fn configurations() -> [(&'static str, Settings); 8] {
    use Term::{Center, KingSafety, Mobility, PassedPawns, PawnStructure};
    let material = Settings::MATERIAL;
    let centre = material.with(&[(Center, 1)]);
    let mobility = centre.with(&[(Mobility, 8)]);
    let pawns = mobility.with(&[(KingSafety, 5), (PawnStructure, 10)]);
    let passed = pawns.with(&[(PassedPawns, 5)]);
    let kaufman = passed.valuing(Values::KAUFMAN);
    let higher = kaufman.with(&[(KingSafety, 10), (PawnStructure, 20)]);
    [
        ("MV only", material),
        ("MV and CC", centre),
        ("MV, CC and Mo", mobility),
        ("MV, CC, KS and PS", pawns),
        ("MV, CC, KS, PS and PP", passed),
        ("New MV values", kaufman),
        ("Higher PS/KS weight", higher),
        ("Higher PP weight", higher.with(&[(PassedPawns, 10)])),
    ]
}

const DEPTHS: [u32; 2] = [2, 4];

/// Openings come in this order.
const SEED: u64 = 2012;

/// Pairs of games in a step.
const CHUNK: u64 = 50;

/// The terms of the opponent whom all meet: strong enough to win more often than not, not so strong that all
/// lose alike.
const OPPONENT: Terms = Terms::NONE.with(eval::Term::Material).with(eval::Term::PieceSquares);

/// Pairs of games at a depth; none if there is no time for it.
fn pairs(effort: Effort, depth: u32, (shallow, deep): (u64, u64)) -> u64 {
    match (effort, depth) {
        (Effort::Quick, 2) => shallow / 12,
        (Effort::Quick, _) => 0,
        (Effort::Full, 2) => shallow,
        (Effort::Full, _) => deep,
    }
}

/// Why figures of four plies are missing.
const TOO_SLOW: &str = "four plies are played in the full form only";

fn report(settings: Settings) -> impl Fn() -> Judge + Sync {
    move || Judge::Report(Evaluation::new(settings))
}

/// Today's classical evaluation with some terms.
fn today(terms: Terms) -> impl Fn() -> Judge + Sync {
    move || Judge::Today(Box::new(Evaluator::with_terms(&eval::DEFAULT, terms)))
}

/// A match, in steps.
fn contest(
    lab: &mut Lab<'_>,
    openings: &Openings,
    name: &str,
    players: [&Player<'_>; 2],
    depth: u32,
    pairs: u64,
) -> Result<Tally, Halt> {
    let mut all = Tally::default();
    let mut begin = 0;
    while begin < pairs {
        let end = pairs.min(begin + CHUNK);
        let step = format!("{name}, depth {depth}, openings {begin} to {end}");
        all.add(&lab.step(&step, |stop| play_pairs(players, depth, openings, begin..end, stop))?);
        begin = end;
    }
    Ok(all)
}

/// Games and score of a match, with its margin.
fn cells(tally: &Tally) -> [Cell; 2] {
    match tally.percent() {
        Some((middle, by)) => {
            let score =
                Cell::Range { median: middle, low: middle - by, high: middle + by, places: 1 };
            [tally.games().into(), score]
        }
        None => [Cell::none(), Cell::none()],
    }
}

fn measured(findings: &mut Findings, name: &str, (middle, margin): (f64, f64)) {
    findings.measured(name, middle, middle - margin, middle + margin);
}

impl Experiment for Ablation {
    fn card(&self) -> Card {
        Card {
            id: "ablation",
            work: WORK,
            title: "Six terms, one by one",
            question: "The report adds its six terms one by one and plays a hundred games with each configuration \
                       against two programs of 2012, at two and at four plies. Those programs are lost. Here the \
                       same configurations meet one opponent that will not be: the same search with two terms of \
                       today's classical evaluation, material and piece squares. Then each meets the one before it, which is the sharper question, and \
                       the last one meets itself without each of its terms. Every opening is played with both \
                       colours, as the report wishes it had done; ranges are 95 %.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let openings = Openings::builtin(SEED);
        let mut findings = Findings::default();
        let opponent = today(OPPONENT);
        against_one(lab, &openings, &opponent, &mut findings)?;
        step_by_step(lab, &openings, &mut findings)?;
        one_less(lab, &openings, &mut findings)?;
        inside_today(lab, &openings, &opponent, &mut findings)?;
        Ok(findings)
    }
}

/// A cell of the report: games and percentage, marked if they do not agree.
fn printed_cell(table: &PrintedTable, row: &str, opponent: &str, depth: u32) -> Cell {
    let column = format!("{opponent} {depth}");
    let percent = table.number(row, &format!("{column} %")).unwrap_or(0.0);
    let games = table.cell(row, &column).text();
    let mark = if super::ratings::is_faulty(&games, percent) { " ⚠" } else { "" };
    format!("{games} {percent:.0} %{mark}").into()
}

/// Each configuration against the same opponent, beside the report's cells.
fn against_one(
    lab: &mut Lab<'_>,
    openings: &Openings,
    opponent: &Player<'_>,
    findings: &mut Findings,
) -> Result<(), Halt> {
    let mut columns = vec![("configuration", Origin::Label)];
    columns.extend(
        ["Predateur 2", "Trex 2", "Predateur 4", "Trex 4"].map(|name| (name, Origin::Printed)),
    );
    columns.extend(
        ["games, 2", "score %, 2", "games, 4", "score %, 4"].map(|name| (name, Origin::Counted)),
    );
    let title = "Figures 9.2 and 9.3: won-lost-drawn and score, at two and four plies";
    let mut table = Table::new("figure-9-2", title, &columns);
    table.note = "Printed: 100 games in a cell against programs that are lost; ⚠ marks the three cells whose games \
                  do not give their percentage. Counted: against material and piece squares of today's evaluation \
                  with the 95 % range."
        .to_owned();
    let mut scores: [Vec<Tally>; 2] = Default::default();
    for (name, settings) in configurations() {
        let mut row: Vec<Cell> = vec![name.into()];
        for depth in DEPTHS {
            for program in ["Predateur", "Trex"] {
                row.push(printed_cell(lab.printed("9.2"), name, program, depth));
            }
        }
        for (i, depth) in DEPTHS.into_iter().enumerate() {
            let pairs = pairs(lab.effort, depth, (500, 50));
            let step = format!("{name} against the opponent of all");
            let players: [&Player<'_>; 2] = [&report(settings), opponent];
            let tally = contest(lab, openings, &step, players, depth, pairs)?;
            row.extend(cells(&tally));
            scores[i].push(tally);
        }
        table.row(row);
    }
    findings.tables.push(table);
    let printed = |opponent: &str, depth: u32| {
        let column = format!("{opponent} {depth} %");
        let values = lab.printed("9.2").column(&column);
        Series::printed(&format!("{opponent}, printed"), values.into_iter().map(Some).collect())
    };
    for (i, depth) in DEPTHS.into_iter().enumerate() {
        let ours: Vec<(f64, f64)> = scores[i].iter().filter_map(Tally::percent).collect();
        let figures = [
            format!("last less first, depth {depth}"),
            format!("MV only: moves taken back, depth {depth}, %"),
            format!("last: moves taken back, depth {depth}, %"),
        ];
        let (&[(low, a), .., (high, b)], [first, .., last]) = (&ours[..], &scores[i][..]) else {
            figures.iter().for_each(|figure| findings.lacks(figure, TOO_SLOW));
            continue;
        };
        measured(findings, &figures[0], (high - low, a.hypot(b)));
        findings.number(&figures[1], first.reversed());
        findings.number(&figures[2], last.reversed());
        let ours = Series {
            name: "the opponent of all, here".to_owned(),
            printed: false,
            values: ours.iter().map(|&(middle, _)| Some(middle)).collect(),
            ranges: ours.iter().map(|&(middle, by)| Some((middle - by, middle + by))).collect(),
        };
        findings.plots.push(Plot::bars(
            &format!("depth-{depth}"),
            &format!("Scores of the configurations at depth {depth}"),
            "Points of a hundred, against three opponents.",
            configurations().map(|(name, _)| name.to_owned()).into(),
            vec![printed("Predateur", depth), printed("Trex", depth), ours],
            None,
        ));
    }
    Ok(())
}

/// Each configuration against the one before it.
fn step_by_step(
    lab: &mut Lab<'_>,
    openings: &Openings,
    findings: &mut Findings,
) -> Result<(), Halt> {
    let mut table = Table::new(
        "steps",
        "Each configuration against the one before it",
        &[
            ("configuration", Origin::Label),
            ("games, 2", Origin::Counted),
            ("score %, 2", Origin::Counted),
            ("games, 4", Origin::Counted),
            ("score %, 4", Origin::Counted),
        ],
    );
    table.note = "50 % would be no gain at all.".to_owned();
    for pair in configurations().windows(2) {
        let [(_, before), (name, after)] = [pair[0], pair[1]];
        let mut row: Vec<Cell> = vec![name.into()];
        for depth in DEPTHS {
            let pairs = pairs(lab.effort, depth, (250, 50));
            let step = format!("{name} against the one before");
            let players: [&Player<'_>; 2] = [&report(after), &report(before)];
            let tally = contest(lab, openings, &step, players, depth, pairs)?;
            row.extend(cells(&tally));
            let figure = format!("{name}: score, depth {depth}");
            match tally.percent() {
                Some(percent) => measured(findings, &figure, percent),
                None => findings.lacks(&figure, TOO_SLOW),
            }
        }
        table.row(row);
    }
    findings.tables.push(table);
    Ok(())
}

/// The last configuration against itself without a term.
fn one_less(lab: &mut Lab<'_>, openings: &Openings, findings: &mut Findings) -> Result<(), Halt> {
    let mut table = Table::new(
        "one-less",
        "The last configuration against itself without one term",
        &[
            ("without", Origin::Label),
            ("games, 2", Origin::Counted),
            ("score %, 2", Origin::Counted),
        ],
    );
    table.note = "More than 50 %: the term is worth having.".to_owned();
    let (mut names, mut values, mut ranges) = (Vec::new(), Vec::new(), Vec::new());
    for term in Term::ALL {
        let pairs = pairs(lab.effort, 2, (250, 0));
        let step = format!("all against all but {}", term.name());
        let players: [&Player<'_>; 2] =
            [&report(Settings::LAST), &report(Settings::LAST.without(term))];
        let tally = contest(lab, openings, &step, players, 2, pairs)?;
        let mut row = vec![term.name().into()];
        row.extend(cells(&tally));
        table.row(row);
        let Some((middle, margin)) = tally.percent() else { continue };
        measured(findings, &format!("without {}", term.name()), (middle, margin));
        names.push(term.name().to_owned());
        values.push(Some(middle));
        ranges.push(Some((middle - margin, middle + margin)));
    }
    let series = Series { name: "score".to_owned(), printed: false, values, ranges };
    findings.plots.push(Plot::bars(
        "one-less",
        "What each term is worth to the last configuration",
        "Points of a hundred against itself without the term, at depth 2.",
        names,
        vec![series],
        Some(50.0),
    ));
    findings.tables.push(table);
    Ok(())
}

/// The same six terms as today's classical evaluation has them.
fn inside_today(
    lab: &mut Lab<'_>,
    openings: &Openings,
    opponent: &Player<'_>,
    findings: &mut Findings,
) -> Result<(), Halt> {
    use eval::Term::{Center, KingSafety, Material, Mobility, PassedPawns, PawnStructure};
    let mut table = Table::new(
        "today",
        "The six terms of today's classical evaluation, one by one, against the opponent of all",
        &[("terms", Origin::Label), ("games, 2", Origin::Counted), ("score %, 2", Origin::Counted)],
    );
    table.note = "Their weights were fitted together with other terms, and centre control is a small one among \
                  them."
        .to_owned();
    let mut terms = Terms::NONE;
    for (name, added) in [
        ("material", &[Material][..]),
        ("+ centre", &[Center]),
        ("+ mobility", &[Mobility]),
        ("+ king safety, pawn structure", &[KingSafety, PawnStructure]),
        ("+ passed pawns: the six", &[PassedPawns]),
    ] {
        terms = added.iter().fold(terms, |terms, &term| terms.with(term));
        let pairs = pairs(lab.effort, 2, (240, 0));
        let step = format!("today's {name}");
        let players: [&Player<'_>; 2] = [&today(terms), opponent];
        let tally = contest(lab, openings, &step, players, 2, pairs)?;
        let mut row = vec![name.into()];
        row.extend(cells(&tally));
        table.row(row);
    }
    findings.tables.push(table);
    Ok(())
}
