//! Questions c and d of chapter 8.2: bytes that are copied at a split, and boards that are built anew.

use super::simulated::splits_of;
use super::{His, Means, WORK, positions, search_in_turn};
use crate::boards::Mailbox;
use crate::classic::{Settings, Thought, bytes_of_copy, copy_for_helpers, think};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::labor::threads_here;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Race, Spread};
use tabiya_chess::Position;

pub(super) struct Copies;

/// Bytes that are copied for nothing. 136 is what the thesis counts for the bitboards themselves.
const EXTRA: [usize; 5] = [0, 50, 136, 512, 2048];

fn variants() -> Vec<(String, Settings)> {
    let base = Settings::default();
    let mut variants: Vec<(String, Settings)> = EXTRA
        .into_iter()
        .map(|extra_bytes| (format!("{extra_bytes} more bytes"), Settings { extra_bytes, ..base }))
        .collect();
    variants.push(("built anew".to_owned(), Settings { rebuilds_board: true, ..base }));
    variants
}

impl Experiment for Copies {
    fn card(&self) -> Card {
        Card {
            id: "split-bytes",
            work: WORK,
            title: "Bytes copied at a split",
            question: "Do bitboards hold a parallel search back because there is more to copy at a split? The thesis \
                       would have added bytes to the copy, and built bitboards anew from a plain array instead of \
                       copying them. What a copy takes is timed by itself; then the search runs with it.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds, times) = lab.effort.pick((6, 3, 2_000), (9, 5, 20_000));
        let mut findings = Findings::default();
        let variants = variants();
        let (_, position) = positions().remove(0);
        let race: Race = lab.step("copying", |stop| {
            let mut contenders: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
            for (_, settings) in &variants {
                let position = &position;
                contenders
                    .push(Box::new(move || copy_for_helpers::<His>(position, *settings, times)));
            }
            contenders.push(Box::new(|| {
                copy_for_helpers::<Mailbox>(&position, Settings::default(), times)
            }));
            Race::run(4 * rounds, &mut contenders, stop)
        })?;
        let threads = threads_here();
        let mut rows: Vec<Vec<Vec<Thought>>> = vec![Vec::new(); variants.len()];
        if threads > 1 {
            let ways: Vec<_> = variants
                .iter()
                .map(|&(_, settings)| {
                    move |position: &Position| think::<His>(position, depth, threads, settings)
                })
                .collect();
            for round in 1..=rounds {
                let step = format!("searches, round {round}");
                let lists: Vec<Vec<Thought>> =
                    lab.step(&step, |stop| search_in_turn(&ways, stop))?;
                rows.iter_mut().zip(lists).for_each(|(row, list)| row.push(list));
            }
        }
        let columns = [
            ("copy", Origin::Label),
            ("ns to copy", Origin::Timed),
            ("ns per split", Origin::Timed),
            ("node rate ×", Origin::Timed),
            ("splits per million nodes", Origin::Counted),
        ];
        let title = format!("Copies, and {threads} threads to depth {depth} with them");
        let mut table = Table::new("copies", &title, &columns);
        let each = 1e9 / times as f64;
        for (i, (name, _)) in variants.iter().enumerate() {
            let copying = race.of(i).times(each);
            let mut cells = vec![name.as_str().into(), copying.cell(0)];
            if threads > 1 {
                let split_time = |thoughts: &Vec<Thought>| {
                    let splits = splits_of(thoughts);
                    splits.split_time as f64 / splits.splits.max(1) as f64
                };
                let per_split = Spread::of(rows[i].iter().map(split_time));
                let pairs = rows[i].iter().zip(&rows[0]);
                let rate =
                    Spread::of(pairs.map(|(a, b)| Means::of(a).rate / Means::of(b).rate.max(1e-9)));
                let frequency = Spread::of(rows[i].iter().map(|thoughts| {
                    let nodes = super::simulated::nodes_of(thoughts) as f64;
                    1e6 * splits_of(thoughts).splits as f64 / nodes.max(1.0)
                }));
                cells.extend([per_split.cell(0), rate.cell(3), frequency.cell(0)]);
                findings.measured(&format!("rate: {name}"), rate.median, rate.low, rate.high);
                if i == 0 {
                    // What the copies take of all processors' time.
                    let nodes: f64 =
                        rows[0].iter().map(|t| super::simulated::nodes_of(t) as f64).sum();
                    let splits: u64 = rows[0].iter().map(|t| splits_of(t).splits).sum();
                    let seconds: f64 =
                        rows[0].iter().flatten().map(|thought| thought.seconds).sum::<f64>();
                    let share = 100.0 * splits as f64 * copying.median
                        / 1e9
                        / (threads as f64 * seconds).max(1e-9);
                    findings.number("copies of all time, %", share);
                    findings
                        .number("splits per million nodes", 1e6 * splits as f64 / nodes.max(1.0));
                }
            } else {
                cells.extend([Cell::none(), Cell::none(), Cell::none()]);
                let why = "this machine runs one thread at a time";
                for figure in [format!("rate: {name}"), "copies of all time, %".to_owned()] {
                    findings.lacks(&figure, why);
                }
            }
            table.row(cells);
            let ratio = race.ratio(i, 0);
            findings.measured(&format!("copying: {name}"), ratio.median, ratio.low, ratio.high);
        }
        table.row(vec![
            "a mailbox's, instead".into(),
            race.of(variants.len()).times(each).cell(0),
            Cell::none(),
            Cell::none(),
            Cell::none(),
        ]);
        table.note = format!(
            "Copying is packing by the owner and unpacking by a helper. A copy has {} bytes with rotated bitboards \
             and {} with a mailbox, and 24 more for each ply from the root.",
            bytes_of_copy::<His>(),
            bytes_of_copy::<Mailbox>(),
        );
        findings.tables.push(table);
        findings.number("bytes of a copy", bytes_of_copy::<His>() as f64);
        let bitboards = 100.0 * 136.0 / bytes_of_copy::<His>() as f64;
        findings.number("bitboards of a copy, %", bitboards);
        Ok(findings)
    }
}
