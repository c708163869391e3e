//! The question that the thesis leaves open: does all this depend on judging by material alone?

use super::WORK;
use super::ordering::find;
use super::trial::{Entry, Trial, order, try_all};
use crate::fixafan::order::THESIS;
use crate::fixafan::{Evaluation, Profile, Settings, positions};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Drawing, Plot, Series};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct OtherEvaluation;

/// A way to judge, and a word for it.
const WAYS: [(&str, Evaluation, bool); 3] = [
    ("material", Evaluation::Material, false),
    ("squares", Evaluation::Positional, false),
    ("squares and quiescence", Evaluation::Positional, true),
];

/// The heuristics that the thesis means by killers: those that remember.
const KILLERS: [&str; 6] = ["1", "2", "A", "D", "K", "H"];
const QUIET: [usize; 3] = [11, 23, 24];

impl Experiment for OtherEvaluation {
    fn card(&self) -> Card {
        Card {
            id: "ordering-evaluation",
            work: WORK,
            title: "Move ordering under a richer evaluation",
            question: "The thesis ends with a conjecture: with a scoring function that knows more than material, \
                       killer heuristics would help on a wider range of positions, and captures matter less. \
                       All 22 tests again, judging by the squares that men stand on as well, without and with \
                       a quiescence search. Its nodes count too; it takes the greatest victim first in every \
                       test, so that only the order above it is compared.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let less = lab.effort.pick(3, 1);
        let mut ways: Vec<Vec<Entry>> = Vec::new();
        for (name, evaluation, quiescence) in WAYS {
            let mut entries = Vec::new();
            for letters in THESIS {
                let order = order(letters)?;
                let trials = lab.step(&format!("{name}: {order}"), |stop| {
                    let settings = |depth| Settings {
                        evaluation,
                        quiescence,
                        ..Settings::new(Profile::Sound, order, depth)
                    };
                    try_all(positions::all(), |test| settings(test.usual_depth - less), stop)
                })?;
                entries.push(Entry { order, trials });
            }
            ways.push(entries);
        }
        let mut findings = Findings::default();
        report(&mut findings, &ways, less)?;
        Ok(findings)
    }
}

/// How many tests of positions with killers, of all six times the positions, need fewer nodes than none.
fn helped(entries: &[Entry], boards: impl Fn(usize) -> bool, names: &[&str]) -> Result<f64, Halt> {
    let null = find(entries, "0")?;
    let (mut helped, mut all) = (0.0, 0.0);
    for name in names {
        for (trial, reference) in find(entries, name)?.trials.iter().zip(&null.trials) {
            if boards(trial.board) {
                all += 1.0;
                helped += f64::from(u8::from(trial.work() < reference.work()));
            }
        }
    }
    Ok(100.0 * helped / f64::max(all, 1.0))
}

/// On how many of the 24 positions an order needs fewer nodes than none.
fn positions_helped(entries: &[Entry], name: &str) -> Result<u64, Halt> {
    let ratios = find(entries, name)?.ratios(find(entries, "0")?, Trial::work);
    Ok(ratios.iter().filter(|ratio| **ratio < 1.0).count() as u64)
}

fn report(findings: &mut Findings, ways: &[Vec<Entry>], less: usize) -> Result<(), Halt> {
    let mut columns = vec![("test".to_owned(), Origin::Label)];
    for (name, ..) in WAYS {
        columns.push((format!("share, {name}"), Origin::Counted));
    }
    for (name, ..) in WAYS {
        columns.push((format!("helps on, {name}"), Origin::Counted));
    }
    let columns: Vec<(&str, Origin)> =
        columns.iter().map(|(name, origin)| (name.as_str(), *origin)).collect();
    let title =
        "Shares of the nodes without ordering, and on how many of 24 positions there are fewer";
    let mut table = Table::new("evaluations", title, &columns);
    let mut series: Vec<Vec<Option<f64>>> = vec![Vec::new(); WAYS.len()];
    for letters in THESIS {
        let name = order(letters)?.to_string();
        let mut row: Vec<Cell> = vec![name.as_str().into()];
        let mut helps: Vec<Cell> = Vec::new();
        for (entries, series) in ways.iter().zip(&mut series) {
            let share = find(entries, &name)?.ratio(find(entries, "0")?, Trial::work);
            row.push(Cell::Number { value: share, decimals: 3 });
            helps.push(positions_helped(entries, &name)?.into());
            series.push(Some(share));
        }
        row.extend(helps);
        table.row(row);
    }
    table.note = format!(
        "Depths are those of the thesis less {less}; the mended program, 24 positions. Quiescence nodes count."
    );
    findings.tables.push(table);
    findings.plots.push(Plot::bars(
        "evaluations",
        "What each order leaves under three ways to judge",
        "Nodes as a share of those without ordering; sums over 24 positions.",
        ways[0].iter().map(Entry::name).collect(),
        WAYS.iter().zip(series).map(|(way, values)| Series::counted(way.0, values)).collect(),
        Some(1.0),
    ));
    let tests: Vec<&str> = vec!["B", "C", "1", "2", "A", "D", "K", "H", "CB", "CH", "CBA"];
    let richest = &ways[WAYS.len() - 1];
    let null = find(richest, "0")?;
    let mut values = Vec::new();
    for i in 0..null.trials.len() {
        let mut row = Vec::new();
        for name in &tests {
            row.push(find(richest, name)?.trials[i].work() / null.trials[i].work().max(1.0));
        }
        values.push(row);
    }
    findings.plots.push(Plot::new(
        "positions",
        "Shares of nodes with squares and quiescence",
        "Each row a position, each column a test; the darker, the less it helps.",
        Drawing::Heat {
            rows: null.trials.iter().map(|trial| trial.board.to_string()).collect(),
            columns: tests.iter().map(|&name| name.to_owned()).collect(),
            values,
            decimals: 1,
        },
    ));

    let mut spread = Vec::new();
    let mut quiet = Vec::new();
    let mut captures = Vec::new();
    let mut captures_quiet = Vec::new();
    let mut killers = Vec::new();
    for entries in ways {
        let null = find(entries, "0")?;
        spread.push(helped(entries, |_| true, &KILLERS)?);
        quiet.push(helped(entries, |board| QUIET.contains(&board), &KILLERS)?);
        captures.push(find(entries, "C")?.ratio(null, Trial::work));
        let on_quiet = QUIET.iter().map(|&board| {
            find(entries, "C")?
                .on(null, board)
                .ok_or_else(|| Halt::Wrong("no such board".to_owned()))
        });
        captures_quiet.push(on_quiet.collect::<Result<Vec<_>, _>>()?.iter().sum::<f64>() / 3.0);
        killers.push(find(entries, "2")?.ratio(null, Trial::work));
    }
    let columns = [
        ("", Origin::Label),
        (WAYS[0].0, Origin::Counted),
        (WAYS[1].0, Origin::Counted),
        (WAYS[2].0, Origin::Counted),
    ];
    let mut table = Table::new("answer", "The conjecture, in five lines", &columns);
    for (name, values, decimals) in [
        ("% of runs with killers alone that beat no ordering", &spread, 1),
        ("the same on the quiet positions 11, 23 and 24", &quiet, 1),
        ("share of nodes with LAST_2", &killers, 3),
        ("share of nodes with CAPTURES", &captures, 3),
        ("share with CAPTURES on the quiet positions", &captures_quiet, 3),
    ] {
        let mut row: Vec<Cell> = vec![name.into()];
        row.extend(values.iter().map(|&value| Cell::Number { value, decimals }));
        table.row(row);
    }
    findings.tables.push(table);
    let verb = |from: f64, to: f64| {
        if to > from + 0.5 {
            "more"
        } else if to < from - 0.5 {
            "fewer"
        } else {
            "as many"
        }
    };
    findings.note(format!(
        "The answer: with squares, killers alone beat no ordering in {:.0} % of all runs, against {:.0} % with \
         material alone ({}); with squares and quiescence in {:.0} % ({}). On the three quiet positions it is \
         {:.0} %, then {:.0} % and {:.0} %. Captures leave {:.0} % of the nodes with material, {:.0} % with squares, \
         {:.0} % with squares and quiescence.",
        spread[1],
        spread[0],
        verb(spread[0], spread[1]),
        spread[2],
        verb(spread[0], spread[2]),
        quiet[0],
        quiet[1],
        quiet[2],
        100.0 * captures[0],
        100.0 * captures[1],
        100.0 * captures[2],
    ));
    for (i, name) in [(1, "squares"), (2, "squares and quiescence")] {
        findings.number(&format!("more runs that killers help, {name}"), spread[i] - spread[0]);
        findings.number(&format!("more on quiet positions, {name}"), quiet[i] - quiet[0]);
        findings.number(
            &format!("share of captures over that with material, {name}"),
            captures[i] / captures[0],
        );
        let null = find(&ways[i], "0")?;
        let mut best = f64::INFINITY;
        for entry in &ways[i] {
            best = best.min(entry.ratio(null, Trial::work));
        }
        findings.number(&format!("best share, {name}"), best);
    }
    let mut differing = 0;
    for entries in ways {
        let null = find(entries, "0")?;
        for entry in entries {
            let pairs = entry.trials.iter().zip(&null.trials);
            differing += pairs.filter(|(a, b)| a.score != b.score).count();
        }
    }
    findings.number("scores that depend on the order", differing as f64);
    Ok(())
}
