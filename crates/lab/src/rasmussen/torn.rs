//! Entries of the table that are not whole, and what is done about them.

use super::{His, Means, WORK, search_all, search_in_turn};
use crate::classic::{Defects, Mode, Settings, Thought, Torn, think};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::labor::threads_here;
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Spread;
use tabiya_chess::Position;

pub(super) struct TornEntries;

/// More threads than there are processors, so that writers are interrupted in the middle of things.
const CROWD: usize = 8;

/// A table so small that everybody writes to the same entries.
const SMALL: usize = 1 << 16;

fn settings() -> Vec<(&'static str, Settings)> {
    let base = Settings::default();
    // Only a turned key can be mistaken for the key (D2), so modes compare fairly only without that.
    let once = Defects { split_reads: false, lost_demotions: false, ..Defects::ALL };
    let once = Settings { defects: once, ..base };
    vec![
        ("xor, as it was", base),
        ("xor, read once", once),
        ("mutex", Settings { mode: Mode::Mutex, ..once }),
        ("unchecked", Settings { mode: Mode::Unchecked, ..once }),
    ]
}

fn torn_of(thoughts: &[Thought]) -> (Torn, u64) {
    let mut torn = Torn::default();
    let mut probes = 0;
    for thought in thoughts {
        torn.seen += thought.torn.seen;
        torn.used += thought.torn.used;
        torn.changed += thought.torn.changed;
        probes += thought.counters.probes;
    }
    (torn, probes)
}

impl Experiment for TornEntries {
    fn card(&self) -> Card {
        Card {
            id: "torn-entries",
            work: WORK,
            title: "Torn entries",
            question: "Threads that write one entry at the same time can leave half of each. The thesis stores the \
                       key with the data's bits turned in it, so that halves do not fit, and blames such entries \
                       for its falling hash rate, without having counted them. How many are there, and what do a \
                       lock, and nothing at all, cost instead?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, rounds) = lab.effort.pick((6, 3), (9, 3));
        let mut findings = Findings::default();
        let columns = [
            ("mode", Origin::Label),
            ("threads", Origin::Label),
            ("table", Origin::Label),
            ("probes", Origin::Counted),
            ("torn", Origin::Counted),
            ("used", Origin::Counted),
            ("changed", Origin::Counted),
            ("hash %", Origin::Counted),
        ];
        let mut table = Table::new("torn", &format!("Torn entries, depth {depth}"), &columns);
        let threads = threads_here();
        for (threads, bytes) in [(threads, 16 << 20), (CROWD, 16 << 20), (CROWD, SMALL)] {
            for (name, settings) in settings() {
                let settings = Settings { table_bytes: bytes, ..settings };
                let place = if bytes == SMALL { "64 KB" } else { "16 MB" };
                let step = format!("{name}, {threads} threads, {place}");
                let thoughts: Vec<Thought> =
                    lab.step(&step, |stop| search_all::<His>(depth, threads, settings, stop))?;
                let (torn, probes) = torn_of(&thoughts);
                table.row(vec![
                    name.into(),
                    threads.to_string().into(),
                    place.into(),
                    probes.into(),
                    torn.seen.into(),
                    torn.used.into(),
                    torn.changed.into(),
                    Cell::Number { value: Means::of(&thoughts).hash, decimals: 1 },
                ]);
                let per_million = |count: u64| 1e6 * count as f64 / probes.max(1) as f64;
                findings.number(&format!("{step}: torn per million"), per_million(torn.seen));
                findings.number(&format!("{step}: used"), torn.used as f64);
                if bytes != SMALL && threads == CROWD && name == "xor, as it was" {
                    findings
                        .number("torn per million probes", per_million(torn.seen + torn.changed));
                }
                if bytes == SMALL && name == "xor, read once" {
                    findings.number("used although xored", torn.used as f64);
                }
            }
        }
        table.note = "Torn: halves that did not belong together when somebody looked. Used: torn, and taken for \
                      sound. Changed: found sound, and another entry when it was read again (D3). A torn entry is \
                      noticed in 63 of 64 cases."
            .to_owned();
        findings.tables.push(table);
        costs(lab, &mut findings, depth, rounds)?;
        Ok(findings)
    }
}

/// What each mode takes of one thread's time, and of two threads' node rate.
fn costs(
    lab: &mut Lab<'_>,
    findings: &mut Findings,
    depth: u32,
    rounds: usize,
) -> Result<(), Halt> {
    let threads = threads_here();
    let mut alone: Vec<Vec<f64>> = vec![Vec::new(); settings().len()];
    let mut rates: Vec<Vec<f64>> = vec![Vec::new(); settings().len()];
    let ways: Vec<_> = settings()
        .into_iter()
        .flat_map(|(_, settings)| [(settings, 1), (settings, threads)])
        .map(|(settings, threads)| {
            move |position: &Position| think::<His>(position, depth, threads, settings)
        })
        .collect();
    for round in 1..=rounds {
        let step = format!("costs, round {round}");
        let lists: Vec<Vec<Thought>> = lab.step(&step, |stop| search_in_turn(&ways, stop))?;
        for (i, lists) in lists.chunks(2).enumerate() {
            let [one, many] = lists else { continue };
            let nodes = super::simulated::nodes_of(one) as f64;
            let seconds = one.iter().map(|thought| thought.processor_seconds).sum::<f64>();
            alone[i].push(seconds / nodes.max(1.0));
            rates[i].push(Means::of(many).rate);
        }
    }
    let columns = [
        ("mode", Origin::Label),
        ("time per node, 1 thread, ×", Origin::Timed),
        ("node rate, all threads, ×", Origin::Timed),
    ];
    let mut table = Table::new("modes", "What the modes cost", &columns);
    let ratio = |rows: &[Vec<f64>], i: usize| {
        let pairs = rows[i].iter().zip(&rows[1]);
        Spread::of(pairs.map(|(own, xor)| own / xor.max(1e-12)))
    };
    for (i, (name, _)) in settings().into_iter().enumerate() {
        let (time, rate) = (ratio(&alone, i), ratio(&rates, i));
        table.row(vec![name.into(), time.cell(3), rate.cell(3)]);
        findings.measured(&format!("{name}: time"), time.median, time.low, time.high);
        findings.measured(&format!("{name}: rate"), rate.median, rate.low, rate.high);
    }
    table.note =
        format!("Against xor with both words read once; {threads} threads. Medians and ranges.");
    findings.tables.push(table);
    Ok(())
}
