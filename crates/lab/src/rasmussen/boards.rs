//! Questions a and e of chapter 8.2: the same search without bitboards, and native bit instructions.

use super::{His, Means, WORK, search_in_turn};
use crate::boards::bitboards::scan::{ByTable, Native, Scan};
use crate::boards::{Bitboards, Grid, Grid0x88, Grid8x8, Magic, Mailbox, Rotated};
use crate::classic::{Playable, Settings, Thought, bytes_of_copy, think};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::labor::threads_here;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::{Race, Spread};
use std::hint::black_box;
use tabiya_chess::Position;

pub(super) struct Boards;

/// A board that the search runs on.
struct Contender {
    name: &'static str,
    bytes: usize,
    search: fn(&Position, u32, usize) -> Thought,
}

const fn contender<B: Playable>(name: &'static str, bytes: usize) -> Contender {
    Contender {
        name,
        bytes,
        search: |position, depth, threads| {
            think::<B>(position, depth, threads, Settings::default())
        },
    }
}

fn contenders() -> [Contender; 6] {
    [
        contender::<His>("rotated, table", bytes_of_copy::<His>()),
        contender::<Bitboards<Rotated>>(
            "rotated, instructions",
            bytes_of_copy::<Bitboards<Rotated>>(),
        ),
        contender::<Bitboards<Magic>>("magic, instructions", bytes_of_copy::<Bitboards<Magic>>()),
        contender::<Mailbox>("mailbox", bytes_of_copy::<Mailbox>()),
        contender::<Grid<Grid0x88>>("0x88", bytes_of_copy::<Grid<Grid0x88>>()),
        contender::<Grid<Grid8x8>>("8 x 8", bytes_of_copy::<Grid<Grid8x8>>()),
    ]
}

/// Finds all bits of many words.
fn scan<S: Scan>(words: &[u64]) -> u64 {
    words
        .iter()
        .map(|&word| {
            let mut rest = black_box(word);
            let mut sum = u64::from(S::count(rest));
            while rest != 0 {
                sum += u64::from(S::first(rest));
                rest &= rest - 1;
            }
            sum
        })
        .sum()
}

impl Experiment for Boards {
    fn card(&self) -> Card {
        Card {
            id: "other-boards",
            work: WORK,
            title: "The program on other boards",
            question: "Do bitboards limit what a second processor is worth? The thesis could not tell, for want of \
                       the same program on another board. Here the same trees are searched on six boards, by one \
                       thread and by several; the first two differ only in how they find bits.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds) = lab.effort.pick((6, 3), (9, 3));
        let mut findings = Findings::default();
        let contenders = contenders();
        let threads = threads_here();
        let counts: &[usize] = if threads > 1 { &[1, threads] } else { &[1] };
        let mut alone: Vec<Vec<Vec<Thought>>> = contenders.iter().map(|_| Vec::new()).collect();
        let mut together: Vec<Vec<Vec<Thought>>> = contenders.iter().map(|_| Vec::new()).collect();
        let ways: Vec<_> = contenders
            .iter()
            .flat_map(|contender| counts.iter().map(|&threads| (contender.search, threads)))
            .map(|(search, threads)| move |position: &Position| search(position, depth, threads))
            .collect();
        for round in 1..=rounds {
            let step = format!("searches, round {round}");
            let lists: Vec<Vec<Thought>> = lab.step(&step, |stop| search_in_turn(&ways, stop))?;
            let mut lists = lists.into_iter();
            for (alone, together) in alone.iter_mut().zip(&mut together) {
                alone.extend(lists.next());
                if threads > 1 {
                    together.extend(lists.next());
                }
            }
        }
        let bits: Race = lab.step("finding bits", |stop| {
            let words: Vec<u64> = (1..20_000u64)
                .map(|i| {
                    let bits = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                    bits & bits.rotate_left(17) & bits.rotate_left(41)
                })
                .collect();
            let mut contenders: Vec<Box<dyn FnMut() -> u64>> =
                vec![Box::new(|| scan::<ByTable>(&words)), Box::new(|| scan::<Native>(&words))];
            Race::run(4 * rounds, &mut contenders, stop)
        })?;
        table(&mut findings, &contenders, &alone, &together, threads, depth);
        let ratio = bits.ratio(0, 1);
        findings.measured(
            "finding bits: table over instructions",
            ratio.median,
            ratio.low,
            ratio.high,
        );
        findings.note(format!(
            "Finding and counting bits alone takes the thesis's table and loop {:.1} times as long as the \
             processor's instructions.",
            ratio.median
        ));
        Ok(findings)
    }
}

fn table(
    findings: &mut Findings,
    contenders: &[Contender],
    alone: &[Vec<Vec<Thought>>],
    together: &[Vec<Vec<Thought>>],
    threads: usize,
    depth: u32,
) {
    let columns = [
        ("board", Origin::Label),
        ("bytes to copy", Origin::Counted),
        ("nodes", Origin::Counted),
        ("time, 1 thread, ×", Origin::Timed),
        ("rate ×", Origin::Timed),
        ("tree ×", Origin::Timed),
        ("time ×", Origin::Timed),
    ];
    let title = format!("One program on six boards, depth {depth}");
    let mut table = Table::new("boards", &title, &columns);
    let seconds = |thoughts: &Vec<Thought>| {
        thoughts.iter().map(|thought| thought.processor_seconds).sum::<f64>()
    };
    let mut slower = Vec::new();
    let mut rates = Vec::new();
    for (i, contender) in contenders.iter().enumerate() {
        let pairs = alone[i].iter().zip(&alone[0]);
        let time = Spread::of(pairs.map(|(own, his)| seconds(own) / seconds(his).max(1e-9)));
        let nodes: u64 = alone[i].first().map_or(0, |t| super::simulated::nodes_of(t));
        let mut cells: Vec<Cell> = vec![
            contender.name.into(),
            (contender.bytes as u64).into(),
            nodes.into(),
            time.cell(2),
        ];
        let name = contender.name;
        findings.measured(&format!("time: {name}"), time.median, time.low, time.high);
        slower.push(time);
        let ratio_name = |what: &str| format!("{what}: {name}");
        if threads > 1 {
            let ratios = [0, 1, 2].map(|figure| {
                let pairs = together[i].iter().zip(&alone[i]);
                Spread::of(
                    pairs.map(|(many, one)| Means::of(many).against(&Means::of(one))[figure]),
                )
            });
            cells.extend(ratios.map(|ratio| ratio.cell(2)));
            let rate = ratios[0];
            findings.measured(&ratio_name("rate"), rate.median, rate.low, rate.high);
            rates.push(rate);
        } else {
            cells.extend([Cell::none(), Cell::none(), Cell::none()]);
            findings.lacks(&ratio_name("rate"), "this machine runs one thread at a time");
        }
        table.row(cells);
    }
    table.note = format!(
        "Time with one thread is the processor's, against his board's; then {threads} threads against one, each \
         board for itself. Medians and ranges."
    );
    findings.tables.push(table);
    let names: Vec<String> = contenders.iter().map(|contender| contender.name.to_owned()).collect();
    findings.plots.push(Plot::bars(
        "boards",
        "One search, six boards",
        "Processor time of one thread against the thesis's board; the trees are the same.",
        names.clone(),
        vec![Series::timed("here", slower)],
        Some(1.0),
    ));
    if !rates.is_empty() {
        let (his, mailbox) = (rates[0], rates[3]);
        findings.number("rate: bitboards over mailbox", his.median / mailbox.median.max(1e-9));
    } else {
        findings.lacks("rate: bitboards over mailbox", "this machine runs one thread at a time");
    }
}
