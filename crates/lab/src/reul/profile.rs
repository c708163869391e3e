//! Tables 2.1, 4.2 and 4.5: where a chess program spends its instructions, and who asks for exchanges.

use super::WORK;
use crate::frame::callgrind::{self, Call, Request};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct Profile;

/// Parts of the program, and how the paths of their files begin; the first that fits counts.
const PARTS: [(&str, &str); 9] = [
    ("exchange evaluation", "crates/chess/src/see.rs"),
    ("attack tables", "crates/chess/src/attacks/"),
    ("move generation", "crates/chess/src/movegen/"),
    ("board and moves", "crates/chess/src/"),
    ("evaluation: network", "crates/engine/src/nnue/"),
    ("evaluation: other", "crates/engine/src/eval"),
    ("picking and ordering", "crates/engine/src/movepick.rs"),
    ("hash table", "crates/engine/src/tt/"),
    ("search", "crates/engine/src/"),
];

/// The function that searches, by a part of its name: what comes before and after is not counted.
const SEARCH: &str = "ThreadData>::iterative_deepening";

/// The function that evaluates exchanges, by a part of its name.
const SEE: &str = "see_ge";

/// Who asks for exchanges in the thesis, and where today's engine would do so; its extensions ask for none.
const CALLERS: [(&str, Option<&str>); 4] = [
    ("move ordering", Some("crates/engine/src/movepick.rs")),
    ("interactive pawn evaluation", Some("crates/engine/src/eval")),
    ("selective pruning", Some("crates/engine/src/search/")),
    ("extensions", None),
];

/// Figures that need a counter.
const FIGURES: [&str; 6] = [
    "architecture share",
    "exchange share",
    "exchange over generation",
    "exchange over evaluation",
    "calls for ordering",
    "calls for pruning",
];

/// The parts that the thesis counts as the architecture: the room that knows the rules.
const ARCHITECTURE: usize = 4;

impl Experiment for Profile {
    fn card(&self) -> Card {
        Card {
            id: "profile",
            work: WORK,
            title: "Where a program spends its time",
            question: "The thesis profiles its engine: almost half of the time goes into the board, its moves \
                       and its exchanges. The same question to today's engine, in instructions of its \
                       bench, which are the same every time; and who asks for exchange evaluations?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let depth = lab.effort.pick("7", "10");
        let mut findings = Findings::default();
        let request = Request {
            args: &["bench", depth, "--hash", "1"],
            region: Some(SEARCH),
            calls: Some(SEE),
        };
        let counted = lab.count(&[("instructions of the bench", request)])?;
        let counted =
            counted.and_then(|profiles| match profiles.into_iter().next() {
                Some(profile) if profile.total > 0 => Ok(profile),
                _ => Err("this build has no function left in which to count: all were inlined"
                    .to_owned()),
            });
        let profile = match counted {
            Ok(profile) => profile,
            Err(why) => {
                for figure in FIGURES {
                    findings.lacks(figure, &why);
                }
                findings.note(format!("No instructions were counted: {why}."));
                return Ok(findings);
            }
        };
        shares(&mut findings, &profile, depth);
        findings.tables.push(lab.printed("2.1").whole());
        callers(lab, &mut findings, &profile.calls);
        findings.tables.push(lab.printed("4.5").whole());
        Ok(findings)
    }
}

fn part_of(file: &str) -> Option<usize> {
    PARTS.iter().position(|(_, path)| file.contains(path))
}

fn shares(findings: &mut Findings, profile: &callgrind::Profile, depth: &str) {
    let mut sums = [0; PARTS.len()];
    for (file, instructions) in &profile.files {
        if let Some(part) = part_of(file) {
            sums[part] += instructions;
        }
    }
    let known: u64 = sums.iter().sum();
    let share = |count: u64| 100.0 * count as f64 / known.max(1) as f64;
    let columns = [("part", Origin::Label), ("% of instructions", Origin::Counted)];
    let title = format!("Where the instructions of the bench to depth {depth} are written");
    let mut table = Table::new("shares", &title, &columns);
    for ((name, _), sum) in PARTS.iter().zip(sums) {
        table.row(vec![(*name).into(), share(sum).into()]);
    }
    table.note = format!(
        "By the file that an instruction comes from; what the compiler has inlined from the standard \
         library counts for the file around it. {:.1} % of all instructions belong to none of these files.",
        100.0 * (profile.total - known) as f64 / profile.total.max(1) as f64
    );
    findings.tables.push(table);
    findings.plots.push(Plot::bars(
        "parts",
        "Where the instructions go",
        "Per cent of the instructions of the engine's bench.",
        PARTS.iter().map(|(name, _)| (*name).to_owned()).collect(),
        vec![Series::counted("", sums.map(|sum| Some(share(sum))).into())],
        None,
    ));
    let architecture: u64 = sums[..ARCHITECTURE].iter().sum();
    findings.number("architecture share", share(architecture));
    let exchanges: u64 = profile.calls.iter().map(|call| call.instructions).sum();
    let exchange_share = share(exchanges.max(sums[0]));
    findings.number("exchange share", exchange_share);
    findings.number("exchange over generation", exchange_share / share(sums[2]).max(1e-9));
    let evaluation = share(sums[4] + sums[5]);
    findings.number("exchange over evaluation", exchange_share / evaluation.max(1e-9));
}

/// Who calls for exchanges, by the file that the call is written in.
fn callers(lab: &Lab<'_>, findings: &mut Findings, calls: &[Call]) {
    let all: u64 = calls.iter().map(|call| call.count).sum();
    let share = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
    let rows = CALLERS.map(|(name, path)| {
        let from = |call: &&Call| path.is_some_and(|path| call.file.contains(path));
        (name, calls.iter().filter(from).map(|call| call.count).sum::<u64>())
    });
    let columns = [
        ("caller", Origin::Label),
        ("%", Origin::Printed),
        ("calls", Origin::Counted),
        ("%", Origin::Counted),
    ];
    let mut table = Table::new("table-4-2", "Table 4.2: who asks for exchanges", &columns);
    for (name, count) in rows {
        let printed = lab.printed("4.2").cell(name, "%");
        table.row(vec![name.into(), printed, count.into(), Cell::from(share(count))]);
    }
    let elsewhere = all - rows.iter().map(|(_, count)| count).sum::<u64>();
    table.row(vec![
        "elsewhere".into(),
        Cell::none(),
        elsewhere.into(),
        Cell::from(share(elsewhere)),
    ]);
    findings.tables.push(table);
    if all == 0 {
        for figure in ["calls for ordering", "calls for pruning"] {
            findings.lacks(figure, "this build has no calls left to count: all were inlined");
        }
        return;
    }
    findings.number("calls for ordering", share(rows[0].1));
    findings.number("calls for pruning", share(rows[2].1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// All Rust files of the rooms that are profiled, relative to the root of the workspace.
    fn sources() -> Vec<(PathBuf, String)> {
        fn collect(folder: &Path, root: &Path, files: &mut Vec<(PathBuf, String)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, root, files);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    files.push((path.strip_prefix(root).unwrap().to_owned(), text));
                }
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let mut files = Vec::new();
        collect(&root.join("crates/chess/src"), root, &mut files);
        collect(&root.join("crates/engine/src"), root, &mut files);
        files
    }

    #[test]
    fn every_file_and_function_that_is_counted_exists() {
        let sources = sources();
        let paths = PARTS.iter().map(|(_, path)| *path);
        let callers = CALLERS.iter().filter_map(|(_, path)| *path);
        for path in paths.chain(callers) {
            let found = sources.iter().any(|(file, _)| file.to_string_lossy().contains(path));
            assert!(found, "no file is in {path}");
        }
        let (of, function) = SEARCH.split_once(">::").unwrap();
        for function in [function, SEE] {
            let declared = format!("fn {function}(");
            assert!(sources.iter().any(|(_, text)| text.contains(&declared)), "no {declared}");
        }
        assert!(sources.iter().any(|(_, text)| text.contains(&format!("impl {of} {{"))));
    }
}
