//! Table 5.10: where the thesis's program spends its time.

use super::WORK;
use crate::frame::callgrind::{self, Request};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use crate::specimen::SEARCH_REGION;

pub(super) struct Profile;

/// The thesis's four runs, and one with DYNAMIC: position, order, depths of a quick and a full run.
const RUNS: [(&str, &str, [&str; 2]); 5] = [
    ("6 C", "fixafan:6:c", ["6", "8"]),
    ("8 CB2", "fixafan:8:cb2", ["6", "8"]),
    ("1 C1", "fixafan:1:c1", ["5", "6"]),
    ("24 CH", "fixafan:24:ch", ["5", "6"]),
    ("24 CD", "fixafan:24:cd", ["5", "6"]),
];

/// Parts of the program: as the table calls them, and files that they are written in.
const PARTS: [(&str, &[&str]); 5] = [
    ("generating and ordering", &["fixafan/generate.rs", "fixafan/list.rs", "fixafan/exchange.rs"]),
    ("alpha-beta", &["fixafan/search.rs", "fixafan/record.rs"]),
    ("making and taking back", &["fixafan/board.rs", "fixafan/worth.rs"]),
    ("table", &["fixafan/table.rs"]),
    ("learning", &["fixafan/memory.rs"]),
];

const FIGURES: [&str; 4] = [
    "generation in midgames",
    "generation in endgames",
    "learning",
    "generation: midgames over endgames",
];

impl Experiment for Profile {
    fn card(&self) -> Card {
        Card {
            id: "ordering-profile",
            work: WORK,
            title: "Where FIXAFAN spends its time",
            question: "The thesis profiles four runs: generating moves, which includes ordering them, takes half \
                       of the time in endgames and more than two thirds in midgames, and the heuristics' own \
                       bookkeeping next to nothing. The same in instructions of the program written anew.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let specimens = RUNS.map(|(_, specimen, depths)| {
            format!("{specimen}:{}", lab.effort.pick(depths[0], depths[1]))
        });
        let args = specimens.each_ref().map(|specimen| ["lab", "specimen", specimen.as_str()]);
        let requests: Vec<(&str, Request<'_>)> = RUNS
            .iter()
            .zip(&args)
            .map(|(run, args)| (run.0, Request { args, region: Some(SEARCH_REGION), calls: None }))
            .collect();
        let counted = lab.count(&requests)?;
        let counted =
            counted.and_then(|profiles| match profiles.iter().all(|profile| profile.total > 0) {
                true => Ok(profiles),
                false => Err("this build has no function left in which to count".to_owned()),
            });
        let profiles = match counted {
            Ok(profiles) => profiles,
            Err(why) => {
                for figure in FIGURES {
                    findings.lacks(figure, &why);
                }
                findings.note(format!("No instructions were counted: {why}."));
                return Ok(findings);
            }
        };
        let mut columns = vec![("part", Origin::Label)];
        columns.extend(RUNS[..4].iter().map(|run| (run.0, Origin::Printed)));
        columns.extend(RUNS.iter().map(|run| (run.0, Origin::Counted)));
        let title = "Table 5.10: per cent of time as printed, and of instructions here";
        let mut table = Table::new("shares", title, &columns);
        for (part, &(name, _)) in PARTS.iter().enumerate() {
            let mut row: Vec<Cell> = vec![name.into()];
            for run in &RUNS[..4] {
                let number = |part: &str| lab.printed("5.10").number(part, run.0).unwrap_or(0.0);
                let value = match name {
                    "making and taking back" => number("making moves") + number("taking back"),
                    "alpha-beta" => number("alpha-beta") + number("principal variation"),
                    name => number(name),
                };
                row.push(Cell::Number { value, decimals: 1 });
            }
            for profile in &profiles {
                row.push(Cell::Number { value: share(profile, part), decimals: 1 });
            }
            table.row(row);
        }
        table.note = "By the file that an instruction was written in, inlined or not. DYNAMIC's reordering is part \
                      of alpha-beta here; its cost is what 24 CD has more there than 24 CH. The thesis's parts do \
                      not add up to 100 %: the rest is not said."
            .to_owned();
        findings.tables.push(table);
        let generation = |run: usize| share(&profiles[run], 0);
        findings.numbers("generation in endgames", [generation(0), generation(1)]);
        findings.numbers("generation in midgames", [generation(2), generation(3)]);
        findings.numbers("learning", profiles.iter().take(4).map(|profile| share(profile, 4)));
        findings.number(
            "generation: midgames over endgames",
            (generation(2) + generation(3)) / (generation(0) + generation(1)).max(1e-9),
        );
        Ok(findings)
    }
}

/// A part's share of the program's own instructions.
fn share(profile: &callgrind::Profile, part: usize) -> f64 {
    let of = |files: &[&str]| -> u64 {
        let named = |file: &&String| files.iter().any(|name| file.ends_with(name));
        profile.files.iter().filter(|(file, _)| named(file)).map(|(_, count)| count).sum()
    };
    let all: u64 = PARTS.iter().map(|(_, files)| of(files)).sum();
    100.0 * of(PARTS[part].1) as f64 / all.max(1) as f64
}
