//! What the thesis wished for or dismissed: sorting by history in full, more killers, better captures.

use super::WORK;
use super::ordering::{cutoff_plot, find};
use super::trial::{Entry, Trial, order, resampled, time_all};
use crate::fixafan::{Profile, Settings, positions};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Variants;

/// Orders, and what each is compared with.
const ORDERS: [(&str, &str); 22] = [
    ("H", "0"),
    ("H,history=full", "H"),
    ("C", "0"),
    ("CH", "C"),
    ("CH,history=full", "CH"),
    ("CBA", "0"),
    ("CBD", "0"),
    ("CB1", "0"),
    ("CB2", "CB1"),
    ("CBH", "CB1"),
    ("CBH,history=full", "CBH"),
    ("1", "0"),
    ("2", "1"),
    ("3", "2"),
    ("4", "2"),
    ("D", "2"),
    ("D,dynamic=pure", "D"),
    ("C,captures=mvv-lva", "C"),
    ("C,captures=see", "C"),
    ("CB1,captures=mvv-lva", "CB1"),
    ("CB1,captures=see", "CB1"),
    ("CBH2,captures=see,history=full", "CB1"),
];

/// Four heuristics at once, compared with the best three.
const FOURS: [&str; 3] = ["CBAD", "CBAH", "CBH2"];

impl Experiment for Variants {
    fn card(&self) -> Card {
        Card {
            id: "ordering-variants",
            work: WORK,
            title: "Variants of the heuristics",
            question: "The thesis puts only the two best moves by history in front, keeps no more than two \
                       killers, orders captures by the victim alone, and its DYNAMIC is LAST_2 as well. What if \
                       not? All in the mended program.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let less = lab.effort.pick(2, 0);
        let mut entries: Vec<Entry> = Vec::new();
        let names = ORDERS.iter().map(|(name, _)| name).chain(&FOURS);
        for letters in ["0"].iter().chain(names) {
            let order = order(letters)?;
            let trials = lab.step(letters, |stop| {
                let settings = |depth| Settings::new(Profile::Sound, order, depth);
                time_all(positions::all(), |test| settings(test.usual_depth - less), stop)
            })?;
            entries.push(Entry { order, trials });
        }
        let mut findings = Findings::default();
        table(&mut findings, &entries)?;
        plots(&mut findings, &entries)?;
        judged(&mut findings, &entries)?;
        Ok(findings)
    }
}

fn over(entries: &[Entry], name: &str, base: &str) -> Result<f64, Halt> {
    Ok(find(entries, name)?.ratio(find(entries, base)?, Trial::nodes))
}

fn table(findings: &mut Findings, entries: &[Entry]) -> Result<(), Halt> {
    let columns = [
        ("order", Origin::Label),
        ("nodes", Origin::Counted),
        ("share", Origin::Counted),
        ("geometric mean (9 of 10)", Origin::Counted),
        ("compared with", Origin::Label),
        ("its nodes", Origin::Counted),
        ("its time", Origin::Timed),
    ];
    let mut table = Table::new("variants", "Variants, in the mended program", &columns);
    let null = find(entries, "0")?;
    let fours = FOURS.map(|name| (name, "CB1"));
    for (name, base) in ORDERS.iter().chain(&fours) {
        let (entry, other) = (find(entries, name)?, find(entries, base)?);
        let (mean, low, high) = resampled(&entry.ratios(null, Trial::nodes));
        let three = |value: f64| Cell::Number { value, decimals: 3 };
        table.row(vec![
            (*name).into(),
            Cell::Number { value: entry.mean(Trial::nodes), decimals: 1 },
            three(entry.ratio(null, Trial::nodes)),
            Cell::Range { median: mean, low, high, places: 3 },
            (*base).into(),
            three(entry.ratio(other, Trial::nodes)),
            entry.ratio(other, |trial| trial.seconds).into(),
        ]);
    }
    table.note = "The last two columns are shares of the nodes and of the time of the order it is compared with. \
                  Sorting and exchanges are written for clearness here, not for speed."
        .to_owned();
    findings.tables.push(table);
    Ok(())
}

fn plots(findings: &mut Findings, entries: &[Entry]) -> Result<(), Halt> {
    let shown = ["0", "H", "H,history=full", "C", "C,captures=see", "CBH,history=full"];
    let title = "Why two moves by history are not enough";
    findings.plots.push(cutoff_plot(title, entries, &shown)?);
    let null = find(entries, "0")?;
    let mut curves = Vec::new();
    for name in ["H", "H,history=full", "2", "C"] {
        let entry = find(entries, name)?;
        let points =
            (0..4).rev().map(|back| (-(f64::from(back)), entry.ratio(null, before(back as usize))));
        curves.push(Curve { name: name.to_owned(), printed: false, points: points.collect() });
    }
    findings.plots.push(Plot::new(
        "last-plies",
        "With history in full, depth helps",
        "Share of the nodes without ordering, up to the depth of each position and some plies before it.",
        Drawing::Lines {
            x: "plies from the full depth".to_owned(),
            y: "share".to_owned(),
            logarithmic: false,
            curves,
        },
    ));
    Ok(())
}

/// Nodes up to so many plies before the last one.
fn before(back: usize) -> impl Fn(&Trial) -> f64 {
    move |trial| {
        let place = trial.after.len().checked_sub(1 + back);
        place.and_then(|place| trial.after.get(place)).map_or(0.0, |&nodes| nodes as f64)
    }
}

fn judged(findings: &mut Findings, entries: &[Entry]) -> Result<(), Halt> {
    let null = find(entries, "0")?;
    let full = find(entries, "H,history=full")?;
    findings.number("share of H in full", full.ratio(null, Trial::nodes));
    findings.number("share of CH in full", over(entries, "CH,history=full", "0")?);
    findings.number("H in full over H", over(entries, "H,history=full", "H")?);
    findings.number("CH in full over CH", over(entries, "CH,history=full", "CH")?);
    findings.number("CBH in full over CBH", over(entries, "CBH,history=full", "CBH")?);
    let time = full.ratio(find(entries, "H")?, |trial| trial.seconds);
    findings.number("time of H in full over H", time);
    findings.number(
        "H in full: change over the last two plies",
        full.ratio(null, before(0)) - full.ratio(null, before(2)),
    );
    findings.numbers(
        "more killers over two",
        ["3", "4"].iter().map(|name| over(entries, name, "2")).collect::<Result<Vec<_>, _>>()?,
    );
    findings.number("two killers over one", over(entries, "2", "1")?);
    findings.number("pure dynamic over D", over(entries, "D,dynamic=pure", "D")?);
    findings.number("pure dynamic over 2", over(entries, "D,dynamic=pure", "2")?);
    findings.number("mvv-lva over C", over(entries, "C,captures=mvv-lva", "C")?);
    findings.number("see over C", over(entries, "C,captures=see", "C")?);
    findings.number("see over CB1", over(entries, "CB1,captures=see", "CB1")?);
    let best_of = |names: &[&str]| {
        let nodes = names.iter().map(|name| Ok(find(entries, name)?.mean(Trial::nodes)));
        let nodes = nodes.collect::<Result<Vec<f64>, Halt>>()?;
        Ok::<f64, Halt>(nodes.into_iter().fold(f64::INFINITY, f64::min))
    };
    let three = best_of(&["CBA", "CBD", "CB1", "CB2", "CBH"])?;
    findings.number("four over three", best_of(&FOURS)? / three);
    findings.number(
        "the best of all over three",
        best_of(&["CBH,history=full", "CB1,captures=see", "CBH2,captures=see,history=full"])?
            / three,
    );
    Ok(())
}
