//! Section 5.6: what the character of a position does to the worth of an order.

use super::ordering::find;
use super::trial::{Entry, Trial};
use crate::fixafan::order::THESIS;
use crate::frame::experiment::Halt;
use crate::frame::findings::Findings;
use crate::frame::plot::{Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};

/// Positions by what the thesis calls them.
const CLASSES: [(&str, &[usize]); 4] = [
    ("quiet", &[11, 23, 24]),
    ("stable", &[9, 10]),
    ("middling", &[20]),
    ("volatile", &[1, 6, 12, 15]),
];

/// Orders in the table.
const SOLOS: [&str; 8] = ["B", "C", "2", "D", "1", "A", "K", "H"];

/// Shares of all tests on all positions.
pub(super) fn by_position(findings: &mut Findings, entries: &[Entry]) -> Result<(), Halt> {
    let null = find(entries, "0")?;
    let tests: Vec<&Entry> = entries[1..THESIS.len()].iter().collect();
    let share = |entry: &Entry, board: usize| entry.on(null, board).unwrap_or(f64::NAN);
    let best = |board: usize| {
        let all = tests.iter().map(|entry| (share(entry, board), entry.name()));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default()
    };
    let better = |board: usize| tests.iter().filter(|entry| share(entry, board) < 1.0).count();

    let mut columns = vec![("board", Origin::Label), ("character", Origin::Label)];
    columns.push(("nodes of 0", Origin::Counted));
    columns.extend(SOLOS.map(|name| (name, Origin::Counted)));
    columns.extend([
        ("CH", Origin::Counted),
        ("best", Origin::Counted),
        ("which", Origin::Counted),
        ("tests of 21 that help", Origin::Counted),
    ]);
    let title =
        "Section 5.6: shares of the nodes without ordering, position by position (mended program)";
    let mut table = Table::new("positions", title, &columns);
    let mut values = Vec::new();
    let mut hurt_though_captures_help = Vec::new();
    for trial in &null.trials {
        let board = trial.board;
        let class = CLASSES.iter().find(|(_, boards)| boards.contains(&board));
        let mut row: Vec<Cell> = vec![
            board.to_string().into(),
            class.map_or("", |class| class.0).into(),
            Cell::Number { value: trial.nodes(), decimals: 0 },
        ];
        for name in SOLOS {
            row.push(share(find(entries, name)?, board).into());
        }
        row.push(share(find(entries, "CH")?, board).into());
        let (least, which) = best(board);
        row.extend([least.into(), which.into(), (better(board) as u64).into()]);
        table.row(row);
        values.push(tests.iter().map(|entry| share(entry, board)).collect());
        // Does something with captures in it hurt, though they alone help?
        let captures = share(find(entries, "C")?, board);
        let hurts = |entry: &&&Entry| entry.order.captures.is_some() && share(entry, board) > 1.0;
        if captures < 1.0 && tests.iter().filter(hurts).count() > 0 {
            hurt_though_captures_help.push(board.to_string());
        }
    }
    findings.tables.push(table);
    findings.plots.push(Plot::new(
        "positions",
        "Shares of nodes, position by position",
        "Each row a Bratko-Kopec position, each column a test; the darker, the less it helps (mended program).",
        Drawing::Heat {
            rows: null.trials.iter().map(|trial| trial.board.to_string()).collect(),
            columns: tests.iter().map(|entry| entry.name()).collect(),
            values,
            decimals: 1,
        },
    ));

    let on = |name: &str, boards: &[usize]| {
        let entry = find(entries, name)?;
        Ok::<_, Halt>(boards.iter().map(|&board| share(entry, board)).collect::<Vec<_>>())
    };
    let [(_, quiet), (_, stable), (_, middling), (_, volatile)] = CLASSES;
    findings.numbers("C on quiet positions", on("C", quiet)?);
    findings.numbers("CH on quiet positions", on("CH", quiet)?);
    findings.numbers("CH on 11", on("CH", &[11])?);
    findings.numbers("B on 23 and 24", on("B", &[23, 24])?);
    for (name, boards) in [("stable", stable), ("middling", middling), ("volatile", volatile)] {
        let shares = boards.iter().map(|&board| best(board).0);
        findings.numbers(&format!("best on {name} positions"), shares);
    }
    findings.numbers("best on 1 and 15", [1, 15].map(|board| best(board).0));
    findings.number("tests that help on 24", better(24) as f64);
    findings.number("tests that help on 23", better(23) as f64);
    findings.truth("B is the best solo on 23 and 24", {
        let mut is_best = true;
        for board in [23, 24] {
            let of = |name: &str| Ok::<f64, Halt>(share(find(entries, name)?, board));
            for name in SOLOS {
                is_best &= of("B")? <= of(name)?;
            }
        }
        is_best
    });
    findings.number(
        "positions where captures help alone and hurt in company",
        hurt_though_captures_help.len() as f64,
    );
    let worst = find(entries, "B")?.ratios(null, Trial::nodes).into_iter().fold(0.0, f64::max);
    findings.note(format!(
        "The table's move helps on every position: at worst it leaves {:.0} % of the nodes.",
        100.0 * worst
    ));
    Ok(())
}
