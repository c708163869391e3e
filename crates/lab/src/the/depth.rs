//! Section 5.5: does depth change what an order is worth?

use super::WORK;
use super::ordering::find;
use super::trial::{Entry, Trial, boards, order, try_all};
use crate::fixafan::{Profile, Settings};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Depth;

/// The positions of this experiment, and those of them that are searched a ply deeper.
const BOARDS: [usize; 8] = [2, 3, 6, 8, 11, 14, 17, 24];
const DEEPER: [usize; 2] = [6, 8];
const DEPTHS: [usize; 3] = [6, 7, 8];

const SOLOS: [&str; 8] = ["B", "A", "C", "2", "D", "1", "H", "K"];
/// Combinations, of which the thesis says only that they are inconclusive.
const COMBINED: [&str; 4] = ["CB", "CBA", "CB1", "CH"];

/// Nodes up to a depth of the experiment.
fn up_to(depth: usize) -> impl Fn(&Trial) -> f64 {
    move |trial| {
        let depth = depth + usize::from(DEEPER.contains(&trial.board));
        trial.after.get(depth - 1).map_or(f64::NAN, |&nodes| nodes as f64)
    }
}

impl Experiment for Depth {
    fn card(&self) -> Card {
        Card {
            id: "ordering-depth",
            work: WORK,
            title: "Move ordering and depth",
            question: "Eight positions, each heuristic alone, to depths 6, 7 and 8 (a ply more in two endgames): \
                       which gain with depth, and which lose? The thesis compares them with their average; here \
                       they are also compared with no ordering, which it left out.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let depths = &DEPTHS[..lab.effort.pick(2, 3)];
        let deepest = depths[depths.len() - 1];
        let mut findings = Findings::default();
        for (profile, name) in [(Profile::Fixafan, "as it was"), (Profile::Sound, "mended")] {
            let mut entries = Vec::new();
            let combined: &[&str] = if profile == Profile::Sound { &COMBINED } else { &[] };
            for letters in ["0"].iter().chain(&SOLOS).chain(combined) {
                let order = order(letters)?;
                let trials = lab.step(&format!("{name}: {letters}"), |stop| {
                    let settings = |test: &crate::fixafan::positions::Test| {
                        let depth = deepest + usize::from(DEEPER.contains(&test.number));
                        Settings::new(profile, order, depth)
                    };
                    try_all(boards(&BOARDS), settings, stop)
                })?;
                entries.push(Entry { order, trials });
            }
            tables(lab, &mut findings, &entries, depths, profile)?;
            judged(lab, &mut findings, &entries, depths, name)?;
        }
        Ok(findings)
    }
}

fn average(entries: &[Entry], depth: usize) -> Result<f64, Halt> {
    let mut sum = 0.0;
    for name in SOLOS {
        sum += find(entries, name)?.mean(up_to(depth));
    }
    Ok(sum / SOLOS.len() as f64)
}

fn tables(
    lab: &Lab<'_>,
    findings: &mut Findings,
    entries: &[Entry],
    depths: &[usize],
    profile: Profile,
) -> Result<(), Halt> {
    let null = find(entries, "0")?;
    let words: Vec<String> = depths.iter().map(ToString::to_string).collect();
    if profile == Profile::Fixafan {
        let mut columns = vec![("test".to_owned(), Origin::Label)];
        for word in &words {
            columns.push((format!("nodes, {word}"), Origin::Printed));
            columns.push((format!("nodes, {word}"), Origin::Counted));
            columns.push((format!("of average, {word}"), Origin::Printed));
            columns.push((format!("of average, {word}"), Origin::Counted));
        }
        let columns: Vec<(&str, Origin)> =
            columns.iter().map(|(name, origin)| (name.as_str(), *origin)).collect();
        let title = "Tables 5.8 and 5.9: nodes to a depth, and their share of the average (program as it was)";
        let mut table = Table::new("depths", title, &columns);
        for name in SOLOS {
            let mut row: Vec<Cell> = vec![name.into()];
            for (&depth, word) in depths.iter().zip(&words) {
                let nodes = find(entries, name)?.mean(up_to(depth));
                row.push(lab.printed("5.8").cell(name, word));
                row.push(Cell::Number { value: nodes, decimals: 1 });
                row.push(lab.printed("5.9").cell(name, word));
                row.push(Cell::Number { value: nodes / average(entries, depth)?, decimals: 3 });
            }
            table.row(row);
        }
        table.note = "Averages are of the eight heuristics. For B at depth 6 the thesis prints 0.782, but its own \
                      nodes make 0.703."
            .to_owned();
        findings.tables.push(table);
    }
    let (id, title) = match profile {
        Profile::Fixafan => ("null", "Shares of the nodes without ordering (program as it was)"),
        Profile::Sound => ("null-sound", "Shares of the nodes without ordering (mended program)"),
    };
    let mut columns = vec![("test", Origin::Label)];
    columns.extend(words.iter().map(|word| (word.as_str(), Origin::Counted)));
    let mut table = Table::new(id, title, &columns);
    let mut curves = Vec::new();
    for entry in &entries[1..] {
        let mut row: Vec<Cell> = vec![entry.name().into()];
        let mut points = Vec::new();
        for &depth in depths {
            let share = entry.ratio(null, up_to(depth));
            row.push(Cell::Number { value: share, decimals: 3 });
            points.push((depth as f64, share));
        }
        table.row(row);
        // From shallower depths on, since iterations are cumulative.
        let shallow = (4..depths[0]).map(|depth| (depth as f64, entry.ratio(null, up_to(depth))));
        let points = shallow.chain(points).collect();
        curves.push(Curve { name: entry.name(), printed: false, points });
    }
    findings.tables.push(table);
    if profile == Profile::Sound {
        findings.plots.push(Plot::new(
            "depths",
            "What each order leaves, by depth",
            "Nodes as a share of those without ordering; eight positions, two of them a ply deeper; mended.",
            Drawing::Lines {
                x: "depth".to_owned(),
                y: "share".to_owned(),
                logarithmic: false,
                curves,
            },
        ));
    }
    Ok(())
}

fn judged(
    lab: &Lab<'_>,
    findings: &mut Findings,
    entries: &[Entry],
    depths: &[usize],
    profile: &str,
) -> Result<(), Halt> {
    let null = find(entries, "0")?;
    let needs = "needs depth 8: run it without --quick";
    let mut of_average = Vec::new();
    let mut of_print = Vec::new();
    for (i, &depth) in DEPTHS.iter().enumerate() {
        let ranked = format!("tests at their printed rank at depth {depth}, {profile}");
        let shares = format!("off the printed shares at depth {depth}, {profile}");
        if i >= depths.len() {
            findings.lacks(&ranked, needs);
            findings.lacks(&shares, needs);
            continue;
        }
        let word = depth.to_string();
        let printed = |name: &str| lab.printed("5.8").number(name, &word).unwrap_or(f64::NAN);
        let average = average(entries, depth)?;
        let printed_average = printed("average");
        let mut off = Vec::new();
        let (mut ours, mut theirs) = (SOLOS.to_vec(), SOLOS.to_vec());
        let mut nodes = Vec::new();
        for name in SOLOS {
            let mean = find(entries, name)?.mean(up_to(depth));
            off.push((mean / average - printed(name) / printed_average).abs());
            of_print.push(mean / printed(name));
            nodes.push((name, mean));
        }
        let mean =
            |name: &str| nodes.iter().find(|entry| entry.0 == name).map_or(0.0, |entry| entry.1);
        ours.sort_by(|a, b| mean(a).total_cmp(&mean(b)));
        theirs.sort_by(|a, b| printed(a).total_cmp(&printed(b)));
        let same = ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
        findings.number(&ranked, same as f64);
        findings.numbers(&shares, off);
        of_average.push(mean("H") / average);
    }
    findings.numbers(&format!("nodes over printed, {profile}"), of_print);
    for name in ["B", "C", "D", "1", "2", "A", "K", "H"] {
        let entry = find(entries, name)?;
        let change = |against: &dyn Fn(usize) -> Result<f64, Halt>| {
            let values =
                depths.iter().map(|&depth| against(depth)).collect::<Result<Vec<_>, _>>()?;
            Ok::<f64, Halt>(values[values.len() - 1] - values[0])
        };
        let to_null = change(&|depth| Ok(entry.ratio(null, up_to(depth))))?;
        let to_average = change(&|depth| Ok(entry.mean(up_to(depth)) / average(entries, depth)?))?;
        findings.number(&format!("{name}: change of share, {profile}"), to_null);
        findings.number(&format!("{name}: change against average, {profile}"), to_average);
    }
    let steps: Vec<f64> = depths
        .windows(2)
        .map(|pair| {
            let table = |depth| Ok::<f64, Halt>(find(entries, "B")?.ratio(null, up_to(depth)));
            Ok(table(pair[1])? - table(pair[0])?)
        })
        .collect::<Result<_, Halt>>()?;
    findings.numbers(&format!("B: steps of share, {profile}"), steps);
    let last = format!("H at depth 8, {profile}");
    if depths.len() == DEPTHS.len() {
        findings.number(&last, find(entries, "H")?.ratio(null, up_to(DEPTHS[2])));
    } else {
        findings.lacks(&last, needs);
    }
    if entries.iter().any(|entry| entry.name() == COMBINED[0]) {
        let mut changes = Vec::new();
        for name in COMBINED.iter().take(3) {
            let entry = find(entries, name)?;
            let share = |depth: usize| entry.ratio(null, up_to(depth));
            changes.push(share(depths[depths.len() - 1]) - share(depths[0]));
        }
        findings.numbers(&format!("combinations: change of share, {profile}"), changes);
    }
    Ok(())
}
