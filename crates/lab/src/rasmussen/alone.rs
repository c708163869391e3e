//! The program with one thread.

use super::{His, Means, WORK, count_all, positions};
use crate::boards::{Bitboards, Grid, Grid0x88, Grid8x8, Magic, Mailbox, Rotated};
use crate::classic::{Defects, Settings, Thought};
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Alone;

/// The thesis's depth.
const DEPTH: u32 = 11;

/// Why a quick run does not tell.
const TOO_SHALLOW: &str = "the thesis searches to depth 11, which the quick form does not";

/// The rows with one processor, by the table that they stand in.
pub(super) const RUNS: [&str; 3] = ["A.1", "A.2", "A.3"];

/// What else one could have built from the thesis.
fn variants() -> Vec<(&'static str, Settings)> {
    let base = Settings::default();
    let with = |defects| Settings { defects, ..base };
    vec![
        ("as it was", base),
        ("other half of a key first", Settings { low_word_first: true, ..base }),
        ("without D1", with(Defects { dead_pawn_extension: false, ..Defects::ALL })),
        ("without D2", with(Defects { lost_demotions: false, ..Defects::ALL })),
        ("without D3", with(Defects { split_reads: false, ..Defects::ALL })),
        ("table of 64 MB", Settings { table_bytes: 64 << 20, ..base }),
    ]
}

impl Experiment for Alone {
    fn card(&self) -> Card {
        Card {
            id: "classic",
            work: WORK,
            title: "The program with one thread",
            question: "The program as the thesis describes it, written anew: does it search the trees that the \
                       thesis reports for one processor? Is its tree the same on every board? And what do the \
                       things change that the thesis leaves open, or gets wrong?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let depth = lab.effort.pick(8, DEPTH);
        let base = Settings::default();
        let thoughts: Vec<Thought> =
            lab.step("ten positions", |stop| count_all::<His>(depth, base, stop))?;
        by_position(&mut findings, &thoughts, depth);
        beside_the_thesis(lab, &mut findings, &thoughts, depth);

        let shallow = lab.effort.pick(5, 7);
        let unequal: u64 = lab.step("other boards", |stop| {
            let counts = |thoughts: Vec<Thought>| {
                thoughts.into_iter().map(|thought| thought.counters).collect::<Vec<_>>()
            };
            let his = counts(count_all::<His>(shallow, base, stop)?);
            let others = [
                counts(count_all::<His>(shallow, base, stop)?),
                counts(count_all::<Bitboards<Rotated>>(shallow, base, stop)?),
                counts(count_all::<Bitboards<Magic>>(shallow, base, stop)?),
                counts(count_all::<Mailbox>(shallow, base, stop)?),
                counts(count_all::<Grid<Grid0x88>>(shallow, base, stop)?),
                counts(count_all::<Grid<Grid8x8>>(shallow, base, stop)?),
            ];
            Ok(others.into_iter().filter(|other| *other != his).count() as u64)
        })?;
        findings.number("unequal trees", unequal as f64);
        findings.note(format!(
            "To depth {shallow} six more runs, on rotated and magic bitboards, the mailbox and two plain arrays, \
             counted the same in every column for all but {unequal} of them."
        ));
        variant_trees(lab, &mut findings)?;
        Ok(findings)
    }
}

fn by_position(findings: &mut Findings, thoughts: &[Thought], depth: u32) {
    let columns = [
        ("position", Origin::Label),
        ("nodes", Origin::Counted),
        ("hash %", Origin::Counted),
        ("order %", Origin::Counted),
        ("Qn %", Origin::Counted),
        ("move", Origin::Counted),
        ("pawns", Origin::Counted),
    ];
    let title = format!("One thread to depth {depth}");
    let mut table = Table::new("positions", &title, &columns);
    let percentage = |value| Cell::Number { value, decimals: 1 };
    for ((name, _), thought) in positions().into_iter().zip(thoughts) {
        table.row(vec![
            name.into(),
            thought.counters.nodes.into(),
            percentage(thought.counters.hash()),
            percentage(thought.counters.order()),
            percentage(thought.counters.quiescence()),
            thought.best.to_string().into(),
            Cell::Number { value: f64::from(thought.value) / 1000.0, decimals: 3 },
        ]);
    }
    findings.tables.push(table);
}

fn beside_the_thesis(lab: &Lab<'_>, findings: &mut Findings, thoughts: &[Thought], depth: u32) {
    let means = Means::of(thoughts);
    let columns = [
        ("run", Origin::Label),
        ("nodes", Origin::Counted),
        ("hash %", Origin::Counted),
        ("order %", Origin::Counted),
        ("Qn %", Origin::Counted),
    ];
    let mut table = Table::new("means", "Means over the ten positions", &columns);
    for run in RUNS {
        let printed = lab.printed(run);
        table.row(vec![
            format!("table {run}, 1 processor").into(),
            printed.cell("1", "Nodes"),
            printed.cell("1", "Hash"),
            printed.cell("1", "Order"),
            printed.cell("1", "Qn"),
        ]);
    }
    let percentage = |value| Cell::Number { value, decimals: 1 };
    table.row(vec![
        format!("here, depth {depth}").into(),
        Cell::Number { value: means.nodes, decimals: 1 },
        percentage(means.hash),
        percentage(means.order),
        percentage(means.quiescence),
    ]);
    table.note =
        "The first three rows are printed; a search with one processor has one tree, so their \
                  differences are the thesis's own."
            .to_owned();
    findings.tables.push(table);
    let figures = [
        ("nodes, millions", means.nodes / 1e6),
        ("hash", means.hash),
        ("order", means.order),
        ("quiescence", means.quiescence),
    ];
    for (name, value) in figures {
        if depth == DEPTH {
            findings.number(name, value);
        } else {
            findings.lacks(name, TOO_SHALLOW);
        }
    }
}

fn variant_trees(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    let depth = lab.effort.pick(7, 10);
    let columns = [
        ("program", Origin::Label),
        ("nodes", Origin::Counted),
        ("change, %", Origin::Counted),
        ("hash %", Origin::Counted),
    ];
    let title = format!("What else the thesis's program could have been, depth {depth}");
    let mut table = Table::new("variants", &title, &columns);
    let mut first = None;
    for (name, settings) in variants() {
        let thoughts: Vec<Thought> =
            lab.step(&format!("variant: {name}"), |stop| count_all::<His>(depth, settings, stop))?;
        let means = Means::of(&thoughts);
        let base = *first.get_or_insert(means.nodes);
        let change = 100.0 * (means.nodes / base - 1.0);
        let percentage = |value| Cell::Number { value, decimals: 1 };
        table.row(vec![
            name.into(),
            Cell::Number { value: means.nodes, decimals: 0 },
            percentage(change),
            percentage(means.hash),
        ]);
        findings.number(&format!("{name}: change"), change);
        match lab.effort {
            Effort::Quick => findings.lacks(&format!("{name}: hash"), TOO_SHALLOW),
            Effort::Full => findings.number(&format!("{name}: hash"), means.hash),
        }
    }
    table.note = match lab.effort {
        Effort::Quick => "A few per cent either way are chance at this depth.",
        Effort::Full => "What the order of a key's halves changes, which means nothing, is the measure of chance.",
    }
    .to_owned();
    findings.tables.push(table);
    Ok(())
}
