//! The report's arithmetic: ratings, tournaments, the cells of its game tables, its two evaluated positions.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::{Entry, PrintedTable};
use std::collections::{BTreeMap, BTreeSet};
use tabiya_arena::stats::elo::expected_score;

pub(super) struct Ratings;

/// How much one game may change a new player's rating.
const K: f64 = 30.0;

/// A rating after a game.
fn updated(rating: f64, opponent: f64, score: f64) -> f64 {
    rating + K * (score - expected_score(rating - opponent))
}

/// The normal distribution up to a point, by integration.
fn normal(point: f64) -> f64 {
    const STEPS: i32 = 2000;
    let step = point / f64::from(STEPS);
    let density = |x: f64| (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt();
    let middle = |i: i32| density((f64::from(i) + 0.5) * step);
    0.5 + step * (0..STEPS).map(middle).sum::<f64>()
}

/// What FIDE adds to the average rating of the opponents for a score: the point of a normal distribution with
/// a deviation of 2000/7, the score taken in whole per cents.
fn fide_difference(score: f64) -> f64 {
    let percent = (100.0 * score).round() / 100.0;
    let (mut low, mut high) = (-4.0, 4.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if normal(middle) < percent { low = middle } else { high = middle }
    }
    (low * 2000.0 / 7.0).round()
}

/// Won, lost and drawn, as the report writes them.
fn parse_games(text: &str) -> Option<[f64; 3]> {
    let mut numbers = text.split('-').map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// Does a cell of the game tables contradict itself: not a hundred games, or another percentage?
pub(super) fn is_faulty(games: &str, percent: f64) -> bool {
    let Some([won, lost, drawn]) = parse_games(games) else { return true };
    // Halves are rounded up.
    won + lost + drawn != 100.0 || (won + 0.5 * drawn + 0.5).floor() != percent
}

/// What the cell must have been, if one number of it is wrong: its percentage stands.
fn mended(games: &str, percent: f64) -> Vec<String> {
    let Some([won, lost, drawn]) = parse_games(games) else { return Vec::new() };
    let candidates = [
        [100.0 - lost - drawn, lost, drawn],
        [won, 100.0 - won - drawn, drawn],
        [won, lost, 100.0 - won - lost],
        [lost, won, drawn],
    ];
    let text = |numbers: [f64; 3]| numbers.map(|n| format!("{n:.0}")).join("-");
    let candidates: BTreeSet<String> = candidates.into_iter().map(text).collect();
    candidates.into_iter().filter(|cell| !is_faulty(cell, percent)).collect()
}

/// The text at the beginning of a row.
fn name(row: &[Entry]) -> &str {
    match &row[0] {
        Entry::Text(text) => text,
        Entry::Number(_) => "",
    }
}

impl Experiment for Ratings {
    fn card(&self) -> Card {
        Card {
            id: "ratings",
            work: WORK,
            title: "Ratings, tournaments and tables, added up",
            question: "Do the report's ratings follow from its games, its percentages from its cells, its totals from \
                       their terms? And how much can twelve games tell?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        elo(&mut findings);
        tournaments(lab, &mut findings);
        crosstable(lab.printed("crosstable"), lab.printed("T3"), &mut findings);
        cells(lab.printed("9.2"), &mut findings);
        snapshots(lab.printed("snapshots"), &mut findings);
        Ok(findings)
    }
}

/// The example of two players.
fn elo(findings: &mut Findings) {
    let mut table = Table::new(
        "elo",
        "Section 2.6: 1400 plays 1500",
        &[("what", Origin::Label), ("printed", Origin::Printed), ("computed", Origin::Counted)],
    );
    for (what, printed, computed, decimals) in [
        ("expected of the weaker", 0.36, expected_score(-100.0), 2),
        ("expected of the stronger", 0.64, expected_score(100.0), 2),
        ("1400 after a win", 1419.0, updated(1400.0, 1500.0, 1.0), 0),
        ("1400 after a loss", 1389.0, updated(1400.0, 1500.0, 0.0), 0),
        ("1500 after a win", 1511.0, updated(1500.0, 1400.0, 1.0), 0),
        ("1500 after a loss", 1481.0, updated(1500.0, 1400.0, 0.0), 0),
    ] {
        let scale = 10f64.powi(decimals as i32);
        let rounded = (computed * scale).round() / scale;
        let number = |value| Cell::Number { value, decimals };
        table.row(vec![what.into(), number(printed), number(rounded)]);
        findings.number(&format!("elo: {what}"), rounded);
    }
    findings.tables.push(table);
    // The loss as the formula is printed, with a one where a nought belongs.
    let misprint = 1400.0 + K * (1.0 - expected_score(-100.0));
    findings.number("elo: 1400 after a loss, as the formula is printed", misprint.round());
    findings.number(
        "elo: 400 points of advantage, odds",
        expected_score(400.0) / expected_score(-400.0),
    );
}

/// Three tournaments of twelve games.
fn tournaments(lab: &Lab<'_>, findings: &mut Findings) {
    let ratings = lab.printed("9.1");
    let mut table = Table::new(
        "tournaments",
        "Three tournaments",
        &[
            ("tournament", Origin::Label),
            ("opponents' average", Origin::Counted),
            ("points", Origin::Counted),
            ("rating", Origin::Printed),
            ("rating", Origin::Counted),
            ("95 % range", Origin::Counted),
        ],
    );
    let mut results: Vec<BTreeMap<String, [f64; 3]>> = Vec::new();
    let mut found = Vec::new();
    for (i, (id, printed)) in
        [("T1", 1298.0), ("T2", 1298.0), ("T3", 1227.0)].into_iter().enumerate()
    {
        let games: BTreeMap<String, [f64; 3]> = lab
            .printed(id)
            .rows
            .iter()
            .map(|row| {
                let number = |column: usize| row[column].number().unwrap_or(0.0);
                (name(row).to_owned(), [number(1), number(2), number(3)])
            })
            .collect();
        let opponents = games.keys().filter_map(|name| ratings.number(name, "rating"));
        let average = (opponents.clone().sum::<f64>() / opponents.count().max(1) as f64).round();
        let count: f64 = games.values().flatten().sum();
        let points: f64 = games.values().map(|[won, _, drawn]| won + 0.5 * drawn).sum();
        let score: f64 = points / count;
        let rating = average + fide_difference(score);
        let squares = games.values().map(|[won, lost, drawn]| {
            let off = |result: f64| (result - score).powi(2);
            won * off(1.0) + lost * off(0.0) + drawn * off(0.5)
        });
        let error = (squares.sum::<f64>() / (count - 1.0) / count).sqrt();
        let at = |score: f64| average + 400.0 * (score / (1.0 - score)).log10();
        let (low, high) =
            (at((score - 1.96 * error).max(0.01)), at((score + 1.96 * error).min(0.99)));
        table.row(vec![
            format!("{}", i + 1).into(),
            Cell::Number { value: average, decimals: 0 },
            Cell::Number { value: points, decimals: 1 },
            Cell::Number { value: printed, decimals: 0 },
            Cell::Number { value: rating, decimals: 0 },
            format!("{low:.0} to {high:.0}").into(),
        ]);
        findings.number(&format!("{id}: opponents' average"), average);
        findings.number(&format!("{id}: games"), count);
        findings.number(&format!("{id}: points"), points);
        findings.number(&format!("{id}: rating"), rating);
        findings.number(&format!("{id}: width of the 95 % range"), high - low);
        found.push(rating);
        results.push(games);
    }
    let changed = results[0].iter().filter(|(name, games)| results[1].get(*name) != Some(games));
    let changed: Vec<&str> = changed.map(|(name, _)| name.as_str()).collect();
    findings.number("opponents with another result in T2", changed.len() as f64);
    findings.note(format!(
        "Between the first tournament and the second, the results against {} changed; the report names Eden and \
         Trex only.",
        changed.join(", ")
    ));
    let different: BTreeSet<i64> = found.iter().map(|&rating| rating as i64).collect();
    findings.number("different ratings", different.len() as f64);
    findings.tables.push(table);
}

/// All games of the third tournament.
fn crosstable(games: &PrintedTable, third: &PrintedTable, findings: &mut Findings) {
    let mut points: BTreeMap<&str, f64> = BTreeMap::new();
    let mut ours: BTreeMap<&str, f64> = BTreeMap::new();
    for row in &games.rows {
        let Some((one, other)) = name(row).split_once(" - ") else { continue };
        let scored: f64 = row[1..3].iter().filter_map(Entry::number).sum();
        *points.entry(one).or_default() += scored;
        *points.entry(other).or_default() += 2.0 - scored;
        match (one, other) {
            ("ChessEngine", opponent) => *ours.entry(opponent).or_default() += scored,
            (opponent, "ChessEngine") => *ours.entry(opponent).or_default() += 2.0 - scored,
            _ => {}
        }
    }
    let mut ranking: Vec<(&str, f64)> = points.into_iter().collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut table = Table::new(
        "crosstable",
        "The third tournament, all games",
        &[("engine", Origin::Label), ("points", Origin::Counted)],
    );
    for &(name, points) in &ranking {
        table.row(vec![name.into(), Cell::Number { value: points, decimals: 1 }]);
    }
    findings.tables.push(table);
    findings.number("crosstable: points in all", ranking.iter().map(|(_, points)| points).sum());
    let place = ranking.iter().position(|(name, _)| *name == "ChessEngine");
    findings.number("crosstable: place", place.map_or(0.0, |place| place as f64 + 1.0));
    let contradicted = third.rows.iter().filter(|row| {
        let number = |column: usize| row[column].number().unwrap_or(0.0);
        ours.get(name(row)) != Some(&(number(1) + 0.5 * number(3)))
    });
    findings.number("crosstable: rows of T3 that it contradicts", contradicted.count() as f64);
}

/// The 32 cells of figures 9.2 and 9.3.
fn cells(table: &PrintedTable, findings: &mut Findings) {
    let mut faults = Table::new(
        "cells",
        "Cells of figures 9.2 and 9.3 that contradict themselves",
        &[
            ("configuration", Origin::Label),
            ("opponent and depth", Origin::Label),
            ("games", Origin::Printed),
            ("score %", Origin::Printed),
            ("score % of these games", Origin::Counted),
            ("games that give the printed score", Origin::Counted),
        ],
    );
    let (mut count, mut wrong, mut played) = (0, 0, 0.0);
    for row in &table.rows {
        for column in (1..table.columns.len()).step_by(2) {
            let (Entry::Text(games), Some(percent)) = (&row[column], row[column + 1].number())
            else {
                continue;
            };
            count += 1;
            played += 100.0;
            if is_faulty(games, percent) {
                wrong += 1;
                let [won, lost, drawn] = parse_games(games).unwrap_or_default();
                let score = 100.0 * (won + 0.5 * drawn) / (won + lost + drawn).max(1.0);
                faults.row(vec![
                    name(row).into(),
                    table.columns[column].as_str().into(),
                    games.as_str().into(),
                    Cell::Number { value: percent, decimals: 0 },
                    Cell::Number { value: score, decimals: 0 },
                    mended(games, percent).join(" or ").into(),
                ]);
            }
        }
    }
    findings.tables.push(faults);
    findings.number("cells", f64::from(count));
    findings.number("faulty cells", f64::from(wrong));
    findings.number("games in the tables", played);
    let percent = |row: &str, column: &str| table.number(row, column).unwrap_or(0.0);
    let gains = |from: &str, to: &str| {
        ["Predateur 2 %", "Predateur 4 %", "Trex 2 %", "Trex 4 %"]
            .map(|column| percent(to, column) - percent(from, column))
    };
    findings.numbers("printed: centre control gains", gains("MV only", "MV and CC"));
    findings.numbers("printed: mobility gains", gains("MV and CC", "MV, CC and Mo"));
    findings.numbers("printed: last less first", gains("MV only", "Higher PP weight"));
    let steps = table.rows.windows(2).flat_map(|rows| gains(name(&rows[0]), name(&rows[1])));
    // Two independent cells of a hundred games each.
    let noise = steps.clone().filter(|gain| gain.abs() <= 10.4).count();
    findings.number(
        "printed: single steps within their noise, %",
        100.0 * noise as f64 / steps.count() as f64,
    );
}

/// The two positions that the report evaluates.
fn snapshots(table: &PrintedTable, findings: &mut Findings) {
    let mut off = Vec::new();
    for column in ["a White", "a Black", "c White", "c Black"] {
        let values = table.column(column);
        if let Some((total, terms)) = values.split_last() {
            off.push(terms.iter().sum::<f64>() - total);
        }
    }
    findings.numbers("snapshots: terms less totals", off);
    let total = |column: &str| table.number("Total", column).unwrap_or(0.0);
    findings.number("snapshots: a, for the player to move", total("a Black") - total("a White"));
    // Rook and two pawns; queen, rook and three pawns: with Kaufman's values, a pawn being 1000 points.
    let material = [10_000.0 + 5_250.0 + 3_000.0, 5_250.0 + 2_000.0];
    let printed =
        ["c White", "c Black"].map(|column| table.number("Material", column).unwrap_or(0.0));
    findings.numbers(
        "snapshots: c, material less the guess",
        [printed[0] - material[0], printed[1] - material[1]],
    );
    let positional = |column: &str| {
        let material = table.number("Material", column).unwrap_or(0.0);
        (total(column) - material) / 1000.0
    };
    findings.numbers(
        "snapshots: all but material, in pawns",
        ["a White", "a Black", "c White", "c Black"].map(positional),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_two_players() {
        let rounded = |rating, opponent, score| updated(rating, opponent, score).round() as i32;
        assert_eq!(rounded(1400.0, 1500.0, 1.0), 1419);
        assert_eq!(rounded(1400.0, 1500.0, 0.0), 1389);
        assert_eq!(rounded(1500.0, 1400.0, 1.0), 1511);
        assert_eq!(rounded(1500.0, 1400.0, 0.0), 1481);
    }

    #[test]
    fn initial_ratings_are_fide_s() {
        assert_eq!(1385.0 + fide_difference(4.5 / 12.0), 1298.0);
        assert_eq!(1385.0 + fide_difference(3.5 / 12.0), 1227.0);
        assert_eq!([0.5, 0.6, 0.75, 0.2].map(fide_difference), [0.0, 72.0, 193.0, -240.0]);
    }

    #[test]
    fn faulty_cells_are_found_and_mended() {
        assert!(!is_faulty("0-62-38", 19.0) && !is_faulty("13-55-32", 29.0));
        for (games, percent, right) in [
            ("3-49-11", 27.0, "3-49-48"),
            ("23-46-37", 42.0, "23-40-37"),
            ("32-18-50", 43.0, "18-32-50"),
        ] {
            assert!(is_faulty(games, percent));
            assert_eq!(mended(games, percent), [right]);
        }
    }
}
