//! The thesis's own tables, added up again.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::statistics::{geometric_mean, mean, moments};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::works::PrintedTable;

pub(super) struct Arithmetic;

/// How many rounds were played at Leiden.
const ROUNDS: f64 = 9.0;

impl Experiment for Arithmetic {
    fn card(&self) -> Card {
        Card {
            id: "arithmetic",
            work: WORK,
            title: "The printed tables, added up again",
            question: "Sums, means and percentages that the thesis prints beside its measurements: do they \
                       follow from them? This needs no machine, only care.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let columns = [
            ("what", Origin::Label),
            ("printed", Origin::Printed),
            ("computed from the table", Origin::Counted),
        ];
        let mut table =
            Table::new("sums", "What the thesis prints, and what its tables add up to", &columns);
        let mut line =
            |findings: &mut Findings, what: &str, printed: f64, computed: f64, decimals| {
                let cell = |value| Cell::Number { value, decimals };
                table.row(vec![what.into(), cell(printed), cell(computed)]);
                findings.number(what, computed);
            };
        let t = |id: &str| -> &PrintedTable { lab.printed(id) };

        let share = t("2.1").number("cca", "gross %").unwrap_or(0.0)
            - t("2.1").number("cca", "net %").unwrap_or(0.0);
        line(&mut findings, "2.1: share of the architecture, %", 47.1, share, 1);

        let gains: Vec<f64> = t("2.2")
            .column("New Arch")
            .into_iter()
            .zip(t("2.2").column("Rotated"))
            .map(|(new, rotated)| 100.0 * (rotated / new - 1.0))
            .collect();
        line(&mut findings, "2.2: gain in the mean, %", 17.0, mean(&gains), 1);
        let printed = t("2.2").column("gain %");
        let off = gains.iter().zip(printed).map(|(computed, printed)| computed - printed);
        findings.numbers("2.2: gains, computed less printed", off);

        let middlegames = |column: &str| t("2.2").column(column)[..4].iter().sum::<f64>();
        let moves = middlegames("captures") + middlegames("others");
        let rates = [("New Arch", "the mailbox", 29.6), ("Rotated", "rotated bitboards", 25.2)];
        let rates = rates.map(|(column, name, printed)| {
            // Ten million rounds, in seconds.
            let rate = 10.0 * moves / middlegames(column);
            let what = format!("2.2: million moves a second, {name}, middlegames");
            line(&mut findings, &what, printed, rate, 1);
            (10.0 * rate).round() / 10.0
        });
        findings.numbers("2.2: million moves a second", rates);

        for (id, stage, what, mu, sigma, sum) in [
            ("2.3", "mid", "2.3: pieces per list, middlegame", 1.45, 1.00, 119_660.0),
            ("2.3", "end", "2.3: pieces per list, ending", 0.60, 0.63, 306_500.0),
            ("2.4", "mid", "2.4: loop iterations, middlegame", 1.20, 1.00, 77_200.0),
            ("2.4", "end", "2.4: loop iterations, ending", 1.80, 1.30, 93_800.0),
        ] {
            let counts = t(id).column(stage);
            let (mean, deviation) = moments(&counts);
            line(&mut findings, &format!("{what}, mean"), mu, mean, 2);
            line(&mut findings, &format!("{what}, deviation"), sigma, deviation, 2);
            let total = counts.iter().sum::<f64>();
            line(&mut findings, &format!("{what}, sum"), sum, total, 0);
            let shares = counts.iter().map(|count| (100.0 * count / total).round());
            findings.numbers(&format!("{what}, shares"), shares);
        }

        let five = t("2.5");
        let gain = |row: &str, kind: &str| {
            let new = five.number(row, &format!("NA {kind}")).unwrap_or(1.0);
            100.0 * (five.number(row, &format!("RB {kind}")).unwrap_or(0.0) / new - 1.0)
        };
        let gains = |bits: &str| {
            [
                gain(&format!("closed {bits}"), "basic"),
                gain(&format!("closed {bits}"), "advanced"),
                gain(&format!("open {bits}"), "basic"),
                gain(&format!("open {bits}"), "advanced"),
            ]
        };
        let both = [("32-bit", 87.0), ("64-bit", 5.0)];
        for (bits, printed) in both {
            let most = gains(bits).into_iter().fold(f64::NEG_INFINITY, f64::max);
            let what = format!("2.5: greatest lead over rotated bitboards, {bits}, %");
            line(&mut findings, &what, printed, most, 1);
            findings.numbers(&format!("2.5: leads, {bits}"), gains(bits));
            let [_, closed, _, open] = gains(bits);
            findings.numbers(&format!("2.5: leads, {bits}, advanced"), [closed, open]);
        }
        let by_width = ["closed", "open"].into_iter().flat_map(|position| {
            ["NA basic", "NA advanced", "RB basic", "RB advanced"].map(|column| {
                let of = |bits| five.number(&format!("{position} {bits}"), column).unwrap_or(1.0);
                (100.0 * (of("32-bit") / of("64-bit") - 1.0)).floor()
            })
        });
        findings.numbers("2.5: gains of 64 bits, cut off", by_width);

        for (slider, printed) in [("Bishop", 9.0), ("Rook", 9.0)] {
            let times = t("3.1");
            let best = times.rows.iter().filter_map(|row| {
                let ones = row[0].number().or_else(|| text(row).parse().ok())?;
                Some((ones, row[times.place(slider)].number()?))
            });
            let best = best.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0.0, |(ones, _)| ones);
            line(
                &mut findings,
                &format!("3.1: quickest number of ones, {slider}s"),
                printed,
                best,
                0,
            );
        }

        for slider in ["Bishop", "Rook"] {
            let times = t("3.1").column(slider);
            let relative = times.iter().map(|time| (100.0 * time / times[0]).round());
            findings.numbers(&format!("3.1: relative times, {slider}s"), relative);
        }

        let callers = t("4.2").column("calls");
        line(
            &mut findings,
            "4.2: calls of the exchange evaluation",
            10_759_604.0,
            callers.iter().sum(),
            0,
        );
        let ordering = 100.0 * callers[0] / callers.iter().sum::<f64>();
        line(&mut findings, "4.2: share of move ordering, %", 63.0, ordering, 0);
        let shares =
            callers.iter().map(|calls| (100.0 * calls / callers.iter().sum::<f64>()).round());
        findings.numbers("4.2: shares", shares);

        let weigh = |counts: &[f64]| (1..).zip(counts).map(|(n, c)| f64::from(n) * c).sum::<f64>();
        let (with, without) = (t("4.3").column("all"), t("4.3").column("without QLβ"));
        line(&mut findings, "4.3: prunings with QLβ", 5_078_017.0, with.iter().sum(), 0);
        line(&mut findings, "4.3: iterations with QLβ", 10_752_377.0, weigh(&with), 0);
        line(&mut findings, "4.3: prunings without QLβ", 5_078_017.0, without.iter().sum(), 0);
        line(&mut findings, "4.3: iterations without QLβ", 11_321_581.0, weigh(&without), 0);
        let saved = 100.0 * (1.0 - weigh(&with) / weigh(&without));
        let printed = 100.0 * (1.0 - 10_752_377.0 / 11_321_581.0);
        line(&mut findings, "4.3: iterations that QLβ saves, %", printed, saved, 1);

        for (column, counts) in [("with", &with), ("without", &without)] {
            let sum = counts.iter().sum::<f64>();
            let shares = counts.iter().map(|count| (100.0 * count / sum).round());
            findings.numbers(&format!("4.3: shares {column} QLβ"), shares);
        }

        let times = ["Kα QNα QLβ", "Kα QLβ", "Kα QNα", "Kα"]
            .map(|set| t("4.4").number("t2 - t1", set).unwrap_or(0.0));
        let relative = times.map(|time| (100.0 * time / times[3]).round());
        line(&mut findings, "4.4: time with all conditions, %", 81.0, relative[0], 0);
        findings.numbers("4.4: relative times", relative);

        let exchange = ["see_b", "see_w"].map(|f| t("4.5").number(f, "gross %").unwrap_or(0.0));
        line(
            &mut findings,
            "4.5: share of the exchange evaluation, %",
            13.5,
            exchange.iter().sum(),
            1,
        );

        let captures = ["gen_captures_b", "gen_captures_w"];
        let captures = captures.map(|f| t("4.5").number(f, "gross %").unwrap_or(0.0));
        let what = "4.5: share of generating captures, %";
        line(&mut findings, what, 1.8, captures.iter().sum(), 1);

        let (mut geometric, mut arithmetic, mut printed) = (Vec::new(), Vec::new(), Vec::new());
        for id in ["5.1", "5.2"] {
            let factors = t(id);
            let average = factors.place("average");
            for row in &factors.rows {
                let numbers: Vec<f64> =
                    row[1..average].iter().filter_map(|entry| entry.number()).collect();
                // Printed to two decimals, cut off.
                geometric
                    .push((100.0 * geometric_mean(numbers.iter().copied()) + 1e-6).floor() / 100.0);
                arithmetic.push(mean(&numbers));
                printed.extend(row[average].number());
            }
        }
        let off = |ours: &[f64]| {
            let wrong = ours.iter().zip(&printed).filter(|(a, b)| (*a - *b).abs() > 0.0101);
            wrong.count() as f64
        };
        line(
            &mut findings,
            "5.1, 5.2: averages that are not geometric means",
            0.0,
            off(&geometric),
            0,
        );
        line(
            &mut findings,
            "5.1, 5.2: averages that are not arithmetic means",
            0.0,
            off(&arithmetic),
            0,
        );

        for (id, name, printed) in [("C.1", "Leiden", 7.0), ("C.3", "Amsterdam", 7.5)] {
            let points: f64 = t(id).column("points").iter().sum();
            line(&mut findings, &format!("C: Loop's points at {name}"), printed, points, 1);
        }
        let total: f64 = t("C.4").column("score").iter().sum();
        line(&mut findings, "C.4: points of a round robin of twelve", 66.0, total, 1);
        let points: f64 = t("C.2").column("score").iter().sum();
        // In each round one of fifteen programs has nobody to play against, and a point for it.
        let due = ROUNDS * (t("C.2").rows.len() as f64 / 2.0).ceil();
        line(&mut findings, "C.2: points of nine rounds", due, points, 1);
        let missed: f64 = t("C.2").column("games").iter().map(|games| ROUNDS - games).sum();
        line(&mut findings, "C.2: rounds without an opponent", ROUNDS, missed, 0);
        let places = [("C.2", "Leiden", 2.0), ("C.4", "Amsterdam", 3.0)];
        for (id, name, printed) in places {
            let scores = t(id).column("score");
            let own = t(id).number("Loop", "score").unwrap_or(0.0);
            let better = scores.iter().filter(|score| **score > own).count() as f64;
            line(&mut findings, &format!("C: Loop's place at {name}"), printed, better + 1.0, 0);
        }
        findings.tables.push(table);
        findings.tables.extend(["C.1", "C.2", "C.3", "C.4"].map(|id| lab.printed(id).whole()));
        Ok(findings)
    }
}

fn text(row: &[crate::frame::works::Entry]) -> &str {
    match &row[0] {
        crate::frame::works::Entry::Text(text) => text,
        crate::frame::works::Entry::Number(_) => "",
    }
}
