//! The thesis's main tables, and the same without its program's errors.

use super::WORK;
use super::positions::by_position;
use super::trial::{Entry, Trial, order, resampled, time_all, try_all};
use crate::fixafan::order::{OTHERS, THESIS};
use crate::fixafan::positions::{self, Test};
use crate::fixafan::{Evaluation, Order, Profile, Settings};
use crate::frame::experiment::{Card, Effort, Experiment, Halt, Lab, Stop};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot, Series};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Ordering;

/// Orders whose plies and cutoffs are shown.
const SHOWN: [&str; 6] = ["0", "H", "A", "C", "B", "CBA"];

/// One of each.
#[derive(Clone, Copy)]
pub(super) struct Both<T> {
    pub(super) fixafan: T,
    pub(super) sound: T,
}

/// All orders of both profiles.
pub(super) type Entries = Both<Vec<Entry>>;

pub(super) fn find<'a>(entries: &'a [Entry], name: &str) -> Result<&'a Entry, Halt> {
    let found = entries.iter().find(|entry| entry.name() == name);
    found.ok_or_else(|| Halt::Wrong(format!("the order {name} was not measured")))
}

impl Experiment for Ordering {
    fn card(&self) -> Card {
        Card {
            id: "ordering",
            work: WORK,
            title: "Move ordering: 26 tests on 24 positions",
            question: "How many nodes does each way of ordering moves save, alone and combined? All tests of \
                       the thesis, as its program ran them and with the program's errors mended. The share \
                       is that of the nodes without any ordering; its geometric mean weighs all positions \
                       alike, while a few of them make up most of the mean of nodes.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let effort = lab.effort;
        let less = effort.pick(1, 0);
        let mut both: Entries = Both { fixafan: Vec::new(), sound: Vec::new() };
        for letters in THESIS.iter().chain(&OTHERS) {
            let order = order(letters)?;
            for profile in [Profile::Fixafan, Profile::Sound] {
                let (name, list) = match profile {
                    Profile::Fixafan => ("fixafan", &mut both.fixafan),
                    Profile::Sound => ("sound", &mut both.sound),
                };
                let trials = lab.step(&format!("{name} {order}"), |stop| {
                    let settings =
                        |test: &Test| Settings::new(profile, order, test.usual_depth - less);
                    // A quick run judges no times.
                    match effort {
                        Effort::Quick => try_all(positions::all(), settings, stop),
                        Effort::Full => time_all(positions::all(), settings, stop),
                    }
                })?;
                list.push(Entry { order, trials });
            }
        }
        let mut findings = Findings::default();
        if less > 0 {
            findings.note(format!(
                "A quick run: {less} ply less deep than the thesis, so nodes are fewer than those printed, and \
                 several positions at a time, so that its times mean little."
            ));
        }
        nodes(lab, &mut findings, &both)?;
        measures(lab, &mut findings, &both)?;
        by_position(&mut findings, &both.sound)?;
        plies(&mut findings, &both.sound)?;
        hits(lab, &mut findings, &both)?;
        judged(&mut findings, &both)?;
        absolute(lab, &mut findings, &both.fixafan)?;
        if less > 0 {
            only_trends(&mut findings);
        }
        Ok(findings)
    }
}

/// How the names of figures begin that mean something at the depths of the thesis only.
const NEEDS_DEPTH: [&str; 16] = [
    "share ",
    "time ",
    "rate ",
    "kills ",
    "branching ",
    "gaps ",
    "trios ",
    "best on ",
    "best trio",
    "B on ",
    "C on ",
    "CH on ",
    "CD: ",
    "D: ",
    "tests that ",
    "positions where ",
];

/// Leaves out the figures that need the thesis's depths.
fn only_trends(findings: &mut Findings) {
    let needs = |name: &String| NEEDS_DEPTH.iter().any(|start| name.starts_with(start));
    let names: Vec<String> = findings.figures.keys().filter(|name| needs(name)).cloned().collect();
    for name in names {
        findings.figures.remove(&name);
        findings.lacks(&name, DEEPER);
    }
}

/// Why a quick run has no such figure.
const DEEPER: &str = "needs the depths of the thesis: run it without --quick";

/// The main table, and its bars.
fn nodes(lab: &Lab<'_>, findings: &mut Findings, both: &Entries) -> Result<(), Halt> {
    let columns = [
        ("test", Origin::Label),
        ("nodes", Origin::Printed),
        ("nodes as it was", Origin::Counted),
        ("nodes mended", Origin::Counted),
        ("share", Origin::Printed),
        ("share as it was", Origin::Counted),
        ("share mended", Origin::Counted),
        ("geometric mean (9 of 10)", Origin::Counted),
    ];
    let title =
        "Tables 5.1, 5.3, 5.5 and 5.11: interior nodes, and their share of those without ordering";
    let mut table = Table::new("nodes", title, &columns);
    let printed = lab.printed("B");
    let null = Both { fixafan: find(&both.fixafan, "0")?, sound: find(&both.sound, "0")? };
    let printed_null = printed.number("0", "nodes").unwrap_or(f64::NAN);
    let mut series: [Vec<Option<f64>>; 3] = Default::default();
    for (fixafan, sound) in both.fixafan.iter().zip(&both.sound) {
        let name = sound.name();
        let ratios = sound.ratios(null.sound, Trial::nodes);
        let (mean, low, high) = resampled(&ratios);
        let shares = [
            printed.number(&name, "nodes").map(|nodes| nodes / printed_null),
            Some(fixafan.ratio(null.fixafan, Trial::nodes)),
            Some(sound.ratio(null.sound, Trial::nodes)),
        ];
        let share = |share: Option<f64>| {
            share.map_or_else(Cell::none, |value| Cell::Number { value, decimals: 3 })
        };
        table.row(vec![
            name.as_str().into(),
            printed.cell(&name, "nodes"),
            Cell::Number { value: fixafan.mean(Trial::nodes), decimals: 1 },
            Cell::Number { value: sound.mean(Trial::nodes), decimals: 1 },
            share(shares[0]),
            share(shares[1]),
            share(shares[2]),
            Cell::Range { median: mean, low, high, places: 3 },
        ]);
        for (series, share) in series.iter_mut().zip(shares) {
            series.push(share);
        }
    }
    let truncated: usize = both.fixafan.iter().chain(&both.sound).map(Entry::truncated).sum();
    table.note = format!(
        "Means over 24 positions. {truncated} runs were cut short; such runs are in no mean. The range is \
         that of nine out of ten draws of 24 positions."
    );
    findings.tables.push(table);
    let [print, fixafan, sound] = series;
    findings.plots.push(Plot::bars(
        "shares",
        "What each order leaves of the nodes",
        "Interior nodes as a share of those without ordering; sums over 24 positions.",
        both.sound.iter().map(Entry::name).collect(),
        vec![
            Series::printed("printed", print),
            Series::counted("as it was", fixafan),
            Series::counted("mended", sound),
        ],
        Some(1.0),
    ));
    Ok(())
}

/// Branching factors, killer averages and times.
fn measures(lab: &Lab<'_>, findings: &mut Findings, both: &Entries) -> Result<(), Halt> {
    let columns = [
        ("test", Origin::Label),
        ("ABF", Origin::Printed),
        ("ABF as it was", Origin::Counted),
        ("without horizons", Origin::Counted),
        ("KA %", Origin::Printed),
        ("KA % as it was", Origin::Counted),
        ("without horizons", Origin::Counted),
        ("first-move cutoffs %", Origin::Counted),
        ("seconds", Origin::Printed),
        ("share of time", Origin::Printed),
        ("seconds", Origin::Timed),
        ("share of time", Origin::Timed),
        ("nodes/s", Origin::Printed),
        ("nodes/s", Origin::Timed),
    ];
    let title = "Appendix B: the other measures, means over 24 positions";
    let mut table = Table::new("measures", title, &columns);
    let printed = lab.printed("B");
    let null = find(&both.fixafan, "0")?;
    let null_time = printed.number("0", "time").unwrap_or(f64::NAN);
    for (fixafan, sound) in both.fixafan.iter().zip(&both.sound) {
        let name = fixafan.name();
        let time = fixafan.mean(|trial| trial.seconds);
        let share = printed.number(&name, "time").map(|time| time / null_time);
        table.row(vec![
            name.as_str().into(),
            printed.cell(&name, "ABF"),
            fixafan.mean(|trial| trial.branching[0]).into(),
            sound.mean(|trial| trial.branching[1]).into(),
            printed.cell(&name, "KA"),
            fixafan.mean(|trial| trial.kills[0]).into(),
            sound.mean(|trial| trial.kills[1]).into(),
            first_moves(sound).into(),
            printed.cell(&name, "time"),
            share.map_or_else(Cell::none, Cell::from),
            Cell::Number { value: time, decimals: 3 },
            fixafan.ratio(null, |trial| trial.seconds).into(),
            printed.cell(&name, "nodes/s"),
            Cell::Number { value: fixafan.mean(Trial::nodes) / time.max(1e-9), decimals: 0 },
        ]);
    }
    table.note = "The thesis counts the horizons of all iterations but the last into its averages, where a \
                  kill is booked whenever something can be taken: so even without ordering its killer average \
                  is 44 %. The columns without horizons and the first-move cutoffs are of the mended program, \
                  all others of the program as it was."
        .to_owned();
    findings.tables.push(table);
    Ok(())
}

/// The share of cutoffs by the first move, over all positions.
fn first_moves(entry: &Entry) -> f64 {
    let sum = cutoffs(entry);
    100.0 * sum.first().copied().unwrap_or(0.0) / sum.iter().sum::<f64>().max(1.0)
}

/// Cutoffs by the number of the move, over all positions.
pub(super) fn cutoffs(entry: &Entry) -> Vec<f64> {
    let places = entry.trials.iter().map(|trial| trial.cutoffs.len()).max().unwrap_or(0);
    let at = |place: usize| {
        let counts = entry.trials.iter().filter_map(|trial| trial.cutoffs.get(place));
        counts.map(|&count| count as f64).sum()
    };
    (0..places).map(at).collect()
}

/// Which move cuts off, under several orders.
pub(super) fn cutoff_plot(title: &str, entries: &[Entry], names: &[&str]) -> Result<Plot, Halt> {
    let curves = names.iter().map(|name| Ok(cutoff_curve(find(entries, name)?, name)));
    Ok(Plot::new(
        "cutoffs",
        title,
        "Per cent of all cutoffs that come by the so many-th move of a node at the latest; mended program.",
        Drawing::Lines {
            x: "number of the move".to_owned(),
            y: "%".to_owned(),
            logarithmic: false,
            curves: curves.collect::<Result<_, Halt>>()?,
        },
    ))
}

/// Per cent of cutoffs that have come by the so many-th move.
fn cutoff_curve(entry: &Entry, name: &str) -> Curve {
    let counts = cutoffs(entry);
    let all = counts.iter().sum::<f64>().max(1.0);
    let mut sum = 0.0;
    let mut points = Vec::new();
    // The last place holds all later moves too.
    for (place, count) in counts.iter().take(counts.len().saturating_sub(1)).enumerate() {
        sum += count;
        points.push(((place + 1) as f64, 100.0 * sum / all));
    }
    Curve { name: name.to_owned(), printed: false, points }
}

/// Ply by ply, and move by move.
fn plies(findings: &mut Findings, sound: &[Entry]) -> Result<(), Halt> {
    let mut columns = vec![("ply", Origin::Label)];
    columns.extend(SHOWN.map(|name| (name, Origin::Counted)));
    columns.extend(SHOWN.map(|name| (name, Origin::Counted)));
    let title = "Ply by ply, horizons left out: branching factors, and killer averages in per cent";
    let mut table = Table::new("plies", title, &columns);
    let deepest = sound.iter().flat_map(|entry| &entry.trials).map(|trial| trial.plies.len()).max();
    for ply in 0..deepest.unwrap_or(0).saturating_sub(1) {
        let mut row: Vec<Cell> = vec![ply.to_string().into()];
        let mut kills: Vec<Cell> = Vec::new();
        for name in SHOWN {
            let entry = find(sound, name)?;
            let at = || entry.trials.iter().filter_map(|trial| trial.plies.get(ply));
            let nodes = at().map(|ply| ply.nodes).sum::<u64>().max(1) as f64;
            row.push((at().map(|ply| ply.branches).sum::<u64>() as f64 / nodes).into());
            kills.push((100.0 * at().map(|ply| ply.kills).sum::<u64>() as f64 / nodes).into());
        }
        row.extend(kills);
        table.row(row);
    }
    table.note = "Of the mended program; sums over all positions. Only every other ply can be cut off early: \
                  at the others, all moves have to be refuted."
        .to_owned();
    findings.tables.push(table);
    findings.plots.push(cutoff_plot("Which move cuts off", sound, &SHOWN)?);
    Ok(())
}

/// Table 5.4.
fn hits(lab: &Lab<'_>, findings: &mut Findings, both: &Entries) -> Result<(), Halt> {
    let columns = [
        ("test", Origin::Label),
        ("hits", Origin::Printed),
        ("hits", Origin::Counted),
        ("nodes per hit", Origin::Printed),
        ("nodes per hit", Origin::Counted),
        ("mended", Origin::Counted),
    ];
    let mut table = Table::new("hits", "Table 5.4: transposition table hits", &columns);
    let printed = lab.printed("5.4");
    let per_hit = |entry: &Entry| entry.mean(Trial::nodes) / entry.mean(|trial| trial.hits as f64);
    let mut figures = Vec::new();
    for name in ["0", "C", "D", "CD"] {
        let entry = find(&both.fixafan, name)?;
        let three = |value: f64| Cell::Number { value, decimals: 3 };
        figures.push(per_hit(entry));
        table.row(vec![
            name.into(),
            printed.cell(name, "hits"),
            Cell::Number { value: entry.mean(|trial| trial.hits as f64), decimals: 1 },
            printed.cell(name, "nodes per hit"),
            three(per_hit(entry)),
            three(per_hit(find(&both.sound, name)?)),
        ]);
    }
    findings.tables.push(table);
    let [null, captures, dynamic, both_of_them] = figures[..] else { return Ok(()) };
    findings.number("CD: nodes per hit above C", both_of_them - captures);
    findings.number("D: nodes per hit above 0", dynamic - null);
    Ok(())
}

/// Figures for claims, of both profiles.
fn judged(findings: &mut Findings, both: &Entries) -> Result<(), Halt> {
    for (profile, entries) in [("as it was", &both.fixafan), ("mended", &both.sound)] {
        let null = find(entries, "0")?;
        let share = |name: &str| Ok::<f64, Halt>(find(entries, name)?.ratio(null, Trial::nodes));
        let shares =
            |names: &[&str]| names.iter().map(|name| share(name)).collect::<Result<Vec<_>, _>>();
        let time =
            |name: &str| Ok::<f64, Halt>(find(entries, name)?.ratio(null, |trial| trial.seconds));
        let rate = |name: &str| Ok::<f64, Halt>(share(name)? / time(name)?);
        let branching =
            |name: &str| Ok::<f64, Halt>(find(entries, name)?.mean(|trial| trial.branching[0]));
        let kills = |name: &str| Ok::<f64, Halt>(find(entries, name)?.mean(|trial| trial.kills[0]));
        let mut number =
            |name: &str, value: f64| findings.number(&format!("{name}, {profile}"), value);
        for entry in entries.iter().skip(1) {
            let name = entry.name();
            number(&format!("share {name}"), share(&name)?);
            number(&format!("time {name}"), time(&name)?);
            number(&format!("rate {name}"), rate(&name)?);
        }
        for entry in entries {
            let name = entry.name();
            number(&format!("branching {name}"), branching(&name)?);
            number(&format!("kills {name}"), kills(&name)?);
        }
        let solos = ["B", "C", "2", "D", "1", "A", "K", "H"];
        let least = |values: Vec<f64>| values.into_iter().fold(f64::INFINITY, f64::min);
        let most = |values: Vec<f64>| values.into_iter().fold(f64::NEG_INFINITY, f64::max);
        // The groups of solos, each from its worst to the best of the next.
        let groups: [&[&str]; 6] = [&["B", "C"], &["2", "D", "1"], &["A"], &["K"], &["H"], &["0"]];
        let mut gaps = Vec::new();
        for pair in groups.windows(2) {
            gaps.push(least(shares(pair[1])?) - most(shares(pair[0])?));
        }
        findings.numbers(&format!("gaps between groups of solos, {profile}"), gaps);
        let mut numbers = |name: &str, values: Vec<f64>| {
            findings.numbers(&format!("{name}, {profile}"), values);
        };
        let pairs = ["CA", "CD", "CH", "CK", "C1", "C2"];
        let trios = ["CBA", "CBD", "CBH", "CBK", "CB1", "CB2"];
        numbers(
            "other pairs over CB",
            shares(&pairs)?.iter().map(|s| s / share("CB").unwrap_or(1.0)).collect(),
        );
        numbers("best trios", shares(&["CB1", "CB2", "CBA", "CBD"])?);
        numbers(
            "best trios over CB",
            shares(&["CB1", "CB2", "CBA", "CBD"])?
                .iter()
                .map(|s| s / share("CB").unwrap_or(1.0))
                .collect(),
        );
        numbers("best trio", vec![least(shares(&trios)?)]);
        numbers(
            "trios over CB",
            shares(&trios)?.iter().map(|s| s / share("CB").unwrap_or(1.0)).collect(),
        );
        let mut gained = Vec::new();
        for name in ["B", "2", "D", "1", "A", "K", "H"] {
            gained.push(share(&format!("C{name}"))? / share(name)?);
        }
        numbers("with C over without", gained);
        numbers(
            "other pairs under CH",
            ["CA", "CB", "CD", "CK", "C1", "C2"]
                .iter()
                .map(|name| Ok(share(name)? / share("CH")?))
                .collect::<Result<_, Halt>>()?,
        );
        numbers(
            "pairs that are worse than C",
            ["CH", "CK"]
                .iter()
                .map(|name| Ok(share(name)? / share("C")?))
                .collect::<Result<_, Halt>>()?,
        );
        numbers(
            "pairs that are better than C",
            ["CB", "CA", "C1", "C2"]
                .iter()
                .map(|name| Ok(share(name)? / share("C")?))
                .collect::<Result<_, Halt>>()?,
        );
        let others = |except: &str| {
            solos.into_iter().filter(move |name| *name != except).collect::<Vec<_>>()
        };
        numbers(
            "branching of other solos less C's",
            others("C")
                .iter()
                .map(|name| Ok(branching(name)? - branching("C")?))
                .collect::<Result<_, Halt>>()?,
        );
        numbers(
            "branching of H less other solos'",
            others("H")
                .iter()
                .map(|name| Ok(branching("H")? - branching(name)?))
                .collect::<Result<_, Halt>>()?,
        );
        numbers(
            "kills of C less other solos'",
            others("C")
                .iter()
                .map(|name| Ok(kills("C")? - kills(name)?))
                .collect::<Result<_, Halt>>()?,
        );
        let rank = 1 + others("H")
            .iter()
            .filter(|name| kills(name).unwrap_or(0.0) > kills("H").unwrap_or(0.0))
            .count();
        numbers("rank of H's kills among solos", vec![rank as f64]);
        numbers("2 over 1", vec![share("2")? / share("1")?]);
        numbers("D over 2", vec![share("D")? / share("2")?]);
        let same = |one: &str, other: &str| {
            let count = |name: &str| {
                let trials = &find(entries, name)?.trials;
                Ok::<_, Halt>(trials.iter().map(|trial| trial.after.clone()).collect::<Vec<_>>())
            };
            Ok::<bool, Halt>(count(one)? == count(other)?)
        };
        findings.truth(&format!("D2 is D, {profile}"), same("D", "D2")?);
        findings.truth(&format!("CD2 is CD, {profile}"), same("CD", "CD2")?);
        let table = find(entries, "B")?;
        findings.number(
            &format!("B on its worst position, {profile}"),
            most(table.ratios(null, Trial::nodes)),
        );
    }
    // Scores of all orders, in the mended program.
    let mut differing = 0;
    let null = find(&both.sound, "0")?;
    for entry in &both.sound {
        for (trial, reference) in entry.trials.iter().zip(&null.trials) {
            differing += usize::from(trial.score != reference.score);
        }
    }
    findings.number("scores that depend on the order, mended", differing as f64);
    Ok(())
}

/// What the thesis prints as means of nodes.
fn absolute(lab: &Lab<'_>, findings: &mut Findings, fixafan: &[Entry]) -> Result<(), Halt> {
    const FIGURES: [&str; 2] = ["nodes over printed", "nodes without ordering"];
    if lab.effort.pick(true, false) {
        for name in FIGURES {
            findings.lacks(name, DEEPER);
        }
        return Ok(());
    }
    let printed = lab.printed("B");
    let over =
        |entry: &Entry| Some(entry.mean(Trial::nodes) / printed.number(&entry.name(), "nodes")?);
    // The table's entry for CD2 is a slip: it is CD in every other column.
    let entries = fixafan.iter().filter(|entry| entry.name() != "CD2");
    findings.numbers(FIGURES[0], entries.filter_map(over));
    findings.number(FIGURES[1], find(fixafan, "0")?.mean(Trial::nodes));
    findings.note(
        "The thesis's means fit its program only if position 1 was searched to depth 6 for them, though its \
         appendix C shows it at depth 7: then the mean without ordering is that which is printed. So it is \
         searched to depth 6 here.",
    );
    Ok(())
}

/// A comparison that the user asks for.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Which program.
    pub profile: Profile,
    /// The orders, besides none.
    pub orders: Vec<Order>,
    /// The depth; that of the thesis for each position if not given.
    pub depth: Option<usize>,
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// Whether captures are followed at the horizon.
    pub quiescence: bool,
    /// The most nodes of a search.
    pub nodes: u64,
}

/// Compares orders with no ordering on all positions.
///
/// # Errors
/// When the user has had enough.
pub fn compare(
    comparison: &Comparison,
    stop: &Stop<'_>,
    progress: &mut dyn FnMut(&str),
) -> Result<Findings, Halt> {
    let mut entries = Vec::new();
    let mut orders = vec![Order::default()];
    orders.extend(comparison.orders.iter().filter(|order| **order != Order::default()));
    for order in orders {
        progress(&order.to_string());
        let trials = time_all(
            positions::all(),
            |test| Settings {
                evaluation: comparison.evaluation,
                quiescence: comparison.quiescence,
                nodes: comparison.nodes,
                ..Settings::new(
                    comparison.profile,
                    order,
                    comparison.depth.unwrap_or(test.usual_depth),
                )
            },
            stop,
        )?;
        entries.push(Entry { order, trials });
    }
    let null = find(&entries, "0")?;
    let mut columns =
        vec![("board".to_owned(), Origin::Label), ("depth".to_owned(), Origin::Label)];
    for entry in &entries {
        columns.push((format!("{} nodes", entry.name()), Origin::Counted));
        if entry.order != Order::default() {
            columns.push(("share".to_owned(), Origin::Counted));
        }
    }
    let columns: Vec<(&str, Origin)> =
        columns.iter().map(|(name, origin)| (name.as_str(), *origin)).collect();
    let mut table = Table::new(
        "compared",
        "Interior nodes, and their share of those without ordering",
        &columns,
    );
    let cut_short = |value: f64, truncated: bool| {
        let text = crate::frame::table::number(value, 0);
        if truncated {
            Cell::Text(format!("> {text}"))
        } else {
            Cell::Number { value, decimals: 0 }
        }
    };
    let share = |value: Option<f64>| {
        value
            .map_or_else(|| Cell::Text("?".to_owned()), |value| Cell::Number { value, decimals: 3 })
    };
    for (i, reference) in null.trials.iter().enumerate() {
        let depth = reference.after.len().to_string();
        let mut row: Vec<Cell> = vec![reference.board.to_string().into(), depth.into()];
        for entry in &entries {
            let trial = &entry.trials[i];
            row.push(cut_short(trial.nodes(), trial.truncated));
            if entry.order != Order::default() {
                row.push(share(entry.on(null, trial.board)));
            }
        }
        table.row(row);
    }
    let mut sums: Vec<Cell> = vec!["mean".into(), Cell::none()];
    let mut means: Vec<Cell> = vec!["geometric mean".into(), Cell::none()];
    for entry in &entries {
        let ratios = entry.ratios(null, Trial::nodes);
        let whole = |value: f64| (!ratios.is_empty()).then_some(value);
        let any = entry.truncated() < entry.trials.len();
        sums.push(if any {
            Cell::Number { value: entry.mean(Trial::nodes), decimals: 0 }
        } else {
            share(None)
        });
        means.push(Cell::none());
        if entry.order != Order::default() {
            sums.push(share(whole(entry.ratio(null, Trial::nodes))));
            means.push(share(whole(resampled(&ratios).0)));
        }
    }
    table.row(sums);
    table.row(means);
    let truncated: usize = entries.iter().map(Entry::truncated).sum();
    if truncated > 0 {
        table.note =
            format!("{truncated} runs were cut short (>); they are in no mean and no share.");
    }
    let mut findings = Findings::default();
    findings.tables.push(table);
    Ok(findings)
}
