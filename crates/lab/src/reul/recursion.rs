//! Table 2.5: brute-force recursion, and the comparison that the thesis never made.

use super::WORK;
use crate::boards::backend::{HOMOGENEOUS, MAIN, own_recursion};
use crate::boards::suite::{CLOSED, OPEN};
use crate::frame::callgrind::Request;
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Race, Spread};
use crate::specimen::{self, OWN, REGION};

pub(super) struct Recursion;

const MAILBOX: usize = 0;
const ROTATED: usize = 1;
const MAGIC: usize = 2;
const HEX: usize = 3;

/// Rows of the thesis's table by name, in the order in which they are measured here.
const CASES: [(&str, &str, &str); 4] = [
    ("closed", "basic", CLOSED),
    ("closed", "advanced", CLOSED),
    ("open", "basic", OPEN),
    ("open", "advanced", OPEN),
];

impl Experiment for Recursion {
    fn card(&self) -> Card {
        Card {
            id: "recursion",
            work: WORK,
            title: "Mailbox against bitboards",
            question: "Counting positions by brute force, once by the bare generator, once by picking moves \
                       as a search does. The thesis compares its mailbox with rotated bitboards on two \
                       positions of its games. Here magic bitboards join in: the obvious comparison that \
                       it never reports.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds) = lab.effort.pick((4_u8, 3), (5, 7));
        let mut findings = Findings::default();
        let printed: Vec<Option<f64>> = CASES
            .iter()
            .map(|(position, kind, _)| {
                let table = lab.printed("2.5");
                let row = format!("{position} 64-bit");
                let mailbox = table.number(&row, &format!("NA {kind}"))?;
                Some(table.number(&row, &format!("RB {kind}"))? / mailbox)
            })
            .collect();
        let mut columns = vec![
            ("case", Origin::Label),
            ("leaves", Origin::Counted),
            ("rotated : mailbox", Origin::Printed),
            ("rotated : mailbox", Origin::Timed),
            ("magic : mailbox", Origin::Timed),
        ];
        columns.extend(MAIN.iter().map(|backend| (backend.name, Origin::Timed)));
        columns.push((OWN, Origin::Timed));
        let title = "Table 2.5: brute-force recursion, million leaves per second (64-bit)";
        let mut table = Table::new("table-2-5", title, &columns);
        table.note = format!(
            "Depth {depth}; medians of {rounds} rounds in which the boards took turns, and their ranges. \
             \"{OWN}\" is the project's own generator, which makes legal moves only and copies positions; \
             it has no such picker."
        );
        let (mut rotated, mut magic, mut hex) = (Vec::new(), Vec::new(), Vec::new());
        for ((position, kind, fen), printed) in CASES.into_iter().zip(&printed) {
            let name = format!("{position}, {kind}");
            let board = known_position(fen)?;
            let leaves = tabiya_chess::perft(&board, depth);
            let with_own = kind == "basic";
            let race: Race = lab.step(&name, |stop| {
                let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
                for backend in MAIN {
                    let work = if kind == "basic" { backend.basic } else { backend.advanced };
                    let board = &board;
                    contenders.push(Box::new(move || work(board, depth.into())));
                }
                if with_own {
                    contenders.push(Box::new(|| own_recursion(&board, depth.into())));
                }
                Race::run(rounds, &mut contenders, stop)
            })?;
            rotated.push(race.ratio(ROTATED, MAILBOX));
            magic.push(race.ratio(MAGIC, MAILBOX));
            hex.push(race.ratio(HEX, MAILBOX));
            let speed = |contender: usize| {
                let seconds = race.seconds[contender].iter();
                Spread::of(seconds.map(|s| leaves as f64 / s / 1e6)).cell(1)
            };
            let mut row: Vec<Cell> = vec![
                name.into(),
                leaves.into(),
                printed.map_or_else(Cell::none, Cell::from),
                rotated[rotated.len() - 1].cell(2),
                magic[magic.len() - 1].cell(2),
            ];
            row.extend((0..MAIN.len()).map(speed));
            row.push(if with_own { speed(MAIN.len()) } else { Cell::none() });
            table.row(row);
        }
        let names: Vec<String> =
            CASES.iter().map(|(position, kind, _)| format!("{position}, {kind}")).collect();
        findings.plots.push(Plot::bars(
            "ratios",
            "Mailbox against rotated and magic bitboards",
            "Time of each divided by the mailbox's; above 1 the mailbox is faster. Whiskers: all rounds.",
            names,
            vec![
                Series::printed("rotated, as printed", printed.clone()),
                Series::timed("rotated, here", rotated.clone()),
                Series::timed("magic, here", magic.clone()),
            ],
            Some(1.0),
        ));
        findings.tables.push(table);
        for (case, (rotated, magic)) in CASES.iter().zip(rotated.iter().zip(&magic)) {
            let (position, kind, _) = case;
            for (name, ratio) in [("rotated", rotated), ("magic", magic)] {
                let figure = format!("{name} over mailbox, {position} {kind}");
                findings.measured(&figure, ratio.median, ratio.low, ratio.high);
            }
        }
        for (figure, ratios, kind) in [
            ("rotated over mailbox, advanced", &rotated, "advanced"),
            ("magic over mailbox, basic", &magic, "basic"),
            ("0x88 over mailbox, basic", &hex, "basic"),
            ("magic over mailbox, advanced", &magic, "advanced"),
        ] {
            let of_kind = CASES.iter().zip(ratios).filter(|((_, k, _), _)| *k == kind);
            findings.numbers(figure, of_kind.map(|(_, ratio)| ratio.median));
        }
        layouts(lab, &mut findings)?;
        instructions(lab, &mut findings)?;
        Ok(findings)
    }
}

/// Both layouts of magic tables in a whole program: the thesis says that it cannot tell them apart there.
fn layouts(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const DEPTH: u32 = 3;
    const TIMES: u32 = 8;
    let rounds = lab.effort.pick(15, 61);
    let board = known_position(CLOSED)?;
    let race: Race = lab.step("both layouts", |stop| {
        let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
        for backend in [HOMOGENEOUS, MAIN[MAGIC]] {
            let board = &board;
            contenders
                .push(Box::new(move || (0..TIMES).map(|_| (backend.basic)(board, DEPTH)).sum()));
        }
        Race::run(rounds, &mut contenders, stop)
    })?;
    let ratio = race.ratio(0, 1).times(100.0);
    findings.measured("homogeneous against minimal", ratio.median, ratio.low, ratio.high);
    Ok(())
}

/// The same by instructions: the same whenever it is counted.
fn instructions(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const FIGURES: [&str; 2] =
        ["rotated over mailbox, instructions", "magic over mailbox, instructions"];
    let mut columns = vec![("case", Origin::Label)];
    columns.extend(MAIN.iter().map(|backend| (backend.name, Origin::Counted)));
    columns.push((OWN, Origin::Counted));
    let depth = specimen::DEPTH;
    let title = format!("Instructions per leaf, depth {depth}");
    let mut table = Table::new("instructions", &title, &columns);
    let boards = |kind: &str| {
        let own = (kind == "basic").then_some(OWN);
        MAIN.iter().map(|backend| backend.name).chain(own).collect::<Vec<_>>()
    };
    let specimens: Vec<String> = CASES
        .iter()
        .flat_map(|(position, kind, _)| {
            boards(kind).into_iter().map(move |name| format!("recursion:{name}:{kind}:{position}"))
        })
        .collect();
    let args: Vec<[&str; 3]> =
        specimens.iter().map(|specimen| ["lab", "specimen", specimen]).collect();
    let steps: Vec<String> =
        specimens.iter().map(|specimen| format!("instructions of {specimen}")).collect();
    let requests: Vec<(&str, Request<'_>)> = steps
        .iter()
        .zip(&args)
        .map(|(step, args)| (step.as_str(), Request { args, region: Some(REGION), calls: None }))
        .collect();
    let profiles = match lab.count(&requests)? {
        Ok(profiles) => profiles,
        Err(why) => {
            for figure in FIGURES {
                findings.lacks(figure, &why);
            }
            return Ok(());
        }
    };
    let mut totals = profiles.iter().map(|profile| profile.total as f64);
    let (mut rotated, mut magic) = (Vec::new(), Vec::new());
    for (position, kind, fen) in CASES {
        let leaves = tabiya_chess::perft(&known_position(fen)?, depth) as f64;
        let counts: Vec<f64> = totals.by_ref().take(boards(kind).len()).collect();
        rotated.push(counts[ROTATED] / counts[MAILBOX].max(1.0));
        magic.push(counts[MAGIC] / counts[MAILBOX].max(1.0));
        let mut row: Vec<Cell> = vec![format!("{position}, {kind}").into()];
        row.extend(counts.iter().map(|count| Cell::Number { value: count / leaves, decimals: 0 }));
        row.resize(columns.len(), Cell::none());
        table.row(row);
    }
    findings.tables.push(table);
    findings.numbers(FIGURES[0], rotated);
    findings.numbers(FIGURES[1], magic);
    Ok(())
}
