//! Rasmussen's program of 2004, by what his thesis says of it: profile `classic`.
//!
//! Material and square tables, a transposition table of 16 megabytes in two parts, extensions by three quarters of
//! a ply, null moves, killers and history, a quiescence search over captures, and Young Brothers Wait. It plays on
//! any [`Board`], and its threads keep to the engine's own [split protocol](tabiya_engine::ybwc), be they real or
//! virtual. What the thesis's program did wrong can be done right here, one thing at a time: [`Defects`].
//!
//! With one processor a search to a depth is the same everywhere, to the node.

mod keys;
mod parallel;
mod place;
mod search;
mod table;
mod values;
mod words;

pub use table::Mode;
pub use words::Word;

use crate::boards::Board;
use crate::frame::timing::Stopwatch;
use core::sync::atomic::{AtomicI32, Ordering};
use keys::Keys;
use parallel::Thinker;
use place::{Luggage, Place};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::sync::Arc;
use std::thread;
use std::time::Instant;
use tabiya_chess::Position;
use tabiya_engine::ybwc::{
    Latencies, OsThreads, Runtime, SharedFlag, SplitCounts, SplitPool, SplitRules, VirtualTime,
};
use table::Table;

/// Depth is counted in hundredths of a ply.
const PLY: i32 = 100;

/// A node with less depth is not split.
const LEAST_SPLIT_DEPTH: i32 = 3 * PLY;

/// Enough stack for the deepest line.
const STACK: usize = 32 << 20;

/// A board that several threads can play on, each with its own copy.
pub trait Playable: Board + Clone + Send + Sync + 'static {}

impl<B: Board + Clone + Send + Sync + 'static> Playable for B {}

/// What the program of the thesis did wrong, by the digest's numbers. All of them together are the program as
/// it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Defects {
    /// D1: the extension for pawns that are about to promote tests the wrong color and never happens.
    pub dead_pawn_extension: bool,
    /// D2: an entry that is moved to the other part of the table lands where nobody looks for it.
    pub lost_demotions: bool,
    /// D3: entries are written field by field, and read again after they were found to be sound.
    pub split_reads: bool,
    /// D4: whoever joins a split is handed the last move once more.
    pub repeats_move: bool,
    /// D5: brothers do not tell each other of a better alpha.
    pub private_alpha: bool,
    /// Half of D6: the root is never split.
    pub whole_root: bool,
    /// The other half: an owner who waits may be taken away for anything at all.
    pub captured_owner: bool,
}

impl Defects {
    /// The program as it was.
    pub const ALL: Defects = Defects {
        dead_pawn_extension: true,
        lost_demotions: true,
        split_reads: true,
        repeats_move: true,
        private_alpha: true,
        whole_root: true,
        captured_owner: true,
    };
    /// The program as it was meant.
    pub const NONE: Defects = Defects {
        dead_pawn_extension: false,
        lost_demotions: false,
        split_reads: false,
        repeats_move: false,
        private_alpha: false,
        whole_root: false,
        captured_owner: false,
    };
}

/// How the program is set up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Bytes of the table.
    pub table_bytes: usize,
    /// How the table's entries are kept whole.
    pub mode: Mode,
    /// Which of the two words of a key is drawn first: C++ leaves it open.
    pub low_word_first: bool,
    /// What is done wrong.
    pub defects: Defects,
    /// Bytes that are copied at a split for nothing.
    pub extra_bytes: usize,
    /// Helpers build the board anew from who stands where, instead of copying it.
    pub rebuilds_board: bool,
}

impl Default for Settings {
    /// The thesis's program.
    fn default() -> Settings {
        Settings {
            table_bytes: 16 << 20,
            mode: Mode::Xor,
            low_word_first: false,
            defects: Defects::ALL,
            extra_bytes: 0,
            rebuilds_board: false,
        }
    }
}

impl Settings {
    fn rules(&self, processors: usize) -> SplitRules {
        let Defects { repeats_move, private_alpha, whole_root, captured_owner, .. } = self.defects;
        SplitRules {
            min_depth: LEAST_SPLIT_DEPTH,
            standing_depth: i32::MAX,
            all_node_moves_at_once: false,
            cut_node_moves: 1,
            max_threads: processors,
            max_full_window: processors,
            pause: false,
            repeats_move,
            private_alpha,
            whole_root,
            captured_owner,
        }
    }
}

/// What is counted, in the thesis's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Nodes, those of the quiescence search included.
    pub nodes: u64,
    /// Moves that the quiescence search tried.
    pub quiescent: u64,
    /// Nodes at which a move cut off.
    pub cutoffs: u64,
    /// Those at which the first legal move did.
    pub first_cutoffs: u64,
    /// Times the table was asked.
    pub probes: u64,
    /// Times it had an entry of enough depth.
    pub hits: u64,
}

impl Counters {
    /// Adds what someone else counted.
    pub fn add(&mut self, other: &Counters) {
        self.nodes += other.nodes;
        self.quiescent += other.quiescent;
        self.cutoffs += other.cutoffs;
        self.first_cutoffs += other.first_cutoffs;
        self.probes += other.probes;
        self.hits += other.hits;
    }

    /// Hits among probes, in per cent.
    pub fn hash(&self) -> f64 {
        per_cent(self.hits, self.probes)
    }

    /// Cutoffs by the first move among cutoffs, in per cent.
    pub fn order(&self) -> f64 {
        per_cent(self.first_cutoffs, self.cutoffs)
    }

    /// Quiescent nodes among nodes, in per cent.
    pub fn quiescence(&self) -> f64 {
        per_cent(self.quiescent, self.nodes)
    }
}

fn per_cent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Thought {
    /// The best move, as `e2e4`; empty where there is none.
    pub best: Word,
    /// Its value in thousandths of a pawn.
    pub value: i32,
    /// What all processors counted.
    pub counters: Counters,
    /// Seconds until the depth was reached, real or virtual.
    pub seconds: f64,
    /// Seconds of the processor's time that the first thread took.
    pub processor_seconds: f64,
    /// Seconds in which processors had nothing to do, all together.
    pub idle: f64,
    /// What happened at the splits.
    pub splits: SplitFigures,
    /// What was wrong with the table's entries.
    pub torn: Torn,
    /// How many of the table's entries were in use in the end.
    pub entries: u64,
    /// Bytes that a split copies for whoever joins.
    pub split_bytes: u64,
}

/// What happened at the splits: the protocol's [`SplitCounts`], in a form that can be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SplitFigures {
    /// Nodes that were split.
    pub splits: u64,
    /// How often an offer was taken up.
    pub joins: u64,
    /// Splits that ended in a cutoff.
    pub cutoffs: u64,
    /// Nodes of searches that were under way when a cutoff made them superfluous.
    pub superfluous: u64,
    /// Nanoseconds spent on copying and offering nodes.
    pub split_time: u64,
    /// Nanoseconds between splits and their ends.
    pub search_time: u64,
}

impl From<SplitCounts> for SplitFigures {
    fn from(counts: SplitCounts) -> SplitFigures {
        SplitFigures {
            splits: counts.splits,
            joins: counts.joins,
            cutoffs: counts.cutoffs,
            superfluous: counts.superfluous,
            split_time: counts.split_time,
            search_time: counts.split_search_time,
        }
    }
}

/// Entries that were not whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Torn {
    /// Entries looked at whose halves did not belong together.
    pub seen: u64,
    /// Those of them that would have been used, or were.
    pub used: u64,
    /// Entries that changed between being found sound and being read (D3).
    pub changed: u64,
}

/// What all threads of a search share.
struct Shared {
    settings: Settings,
    table: Table,
    /// Color, from, to: how often a quiet move cut off, weighted by depth.
    history: Box<[AtomicI32]>,
    /// The depth of the iteration.
    iteration: AtomicI32,
}

impl Shared {
    fn new(settings: Settings) -> Shared {
        let history = (0..2 * 64 * 64).map(|_| AtomicI32::new(0)).collect();
        let table = Table::new(&settings);
        Shared { settings, table, history, iteration: AtomicI32::new(0) }
    }
}

/// Searches a position to a depth with so many threads.
pub fn think<B: Playable>(
    position: &Position,
    depth: u32,
    threads: usize,
    settings: Settings,
) -> Thought {
    let threads = threads.max(1);
    run::<B, _>(
        position,
        depth,
        threads,
        settings,
        || OsThreads::new(threads),
        |_, thought| thought,
    )
}

/// Searches a position to a depth with so many virtual processors.
pub fn simulate<B: Playable>(
    position: &Position,
    depth: u32,
    processors: usize,
    settings: Settings,
    latencies: Latencies,
) -> Thought {
    let processors = processors.max(1);
    let runtime = move || VirtualTime::new(processors, latencies);
    run::<B, _>(position, depth, processors, settings, runtime, move |time, thought| {
        let parked: u64 = (0..processors).map(|who| time.clock(who).1).sum();
        let seconds = |nanoseconds: u64| nanoseconds as f64 / 1e9;
        Thought { seconds: seconds(time.clock(0).0), idle: seconds(parked), ..thought }
    })
}

/// Copies a position for a helper and has the helper take it, so many times.
pub fn copy_for_helpers<B: Playable>(position: &Position, settings: Settings, times: u64) -> u64 {
    let place: Place<B> = Place::new(position, Keys::get(settings.low_word_first));
    let mut ballast = vec![0u8; settings.extra_bytes];
    for _ in 0..times {
        let offered = black_box(ballast.clone());
        let luggage = Luggage::pack(black_box(&place), settings.rebuilds_board);
        ballast.copy_from_slice(&offered);
        black_box(black_box(&luggage).unpack());
    }
    times
}

/// Bytes of a position as it is copied for a helper, without the way from the root.
pub fn bytes_of_copy<B: Playable>() -> usize {
    size_of::<Place<B>>()
}

fn run<B: Playable, R: Runtime<Flag = SharedFlag>>(
    position: &Position,
    depth: u32,
    processors: usize,
    settings: Settings,
    runtime: impl FnOnce() -> Arc<R> + Send,
    finish: impl FnOnce(&R, Thought) -> Thought + Send,
) -> Thought {
    let search = || {
        let runtime = runtime();
        let shared = Arc::new(Shared::new(settings));
        let rules = settings.rules(processors);
        let crew: Arc<SplitPool<R, Thinker<B, R>>> =
            SplitPool::new(Arc::clone(&runtime), processors, rules);
        for who in 1..processors {
            let (shared, position) = (Arc::clone(&shared), position.clone());
            crew.employ(who, move |server| {
                let mut thinker = Thinker::new(&position, &shared, server.pool(), who);
                server.serve(&mut thinker);
            });
        }
        let mut thinker = Thinker::new(position, &shared, &crew, 0);
        let (begin, watch) = (Instant::now(), Stopwatch::start());
        let (best, value) = thinker.iterate(depth);
        let seconds = begin.elapsed().as_secs_f64();
        let thought = Thought {
            best,
            value,
            counters: thinker.counters,
            seconds,
            processor_seconds: watch.seconds(),
            idle: crew.counts().idle_time as f64 / 1e9,
            splits: crew.counts().into(),
            torn: shared.table.torn(),
            entries: shared.table.entries(),
            split_bytes: thinker.split_bytes() as u64,
        };
        let thought = finish(&runtime, thought);
        crew.finish(0);
        thought
    };
    thread::scope(|scope| {
        let first = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
        first
            .expect("a thread can be had")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The history's place for a move.
fn history_place(side: usize, word: Word) -> usize {
    side << 12 | word.from() << 6 | word.to()
}

/// Adds to a number that others may be adding to: one of two may be lost, as in the thesis's program.
fn add_unguarded(number: &AtomicI32, amount: i32) {
    number.store(number.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::bitboards::scan::ByTable;
    use crate::boards::{Bitboards, Grid, Grid0x88, Grid8x8, Magic, Mailbox, Rotated};

    type His = Bitboards<Rotated, ByTable>;

    fn positions() -> Vec<Position> {
        tabiya_engine::scaling::jobs(1).into_iter().map(|job| job.position).collect()
    }

    fn total<B: Playable>(depth: u32, settings: Settings) -> Counters {
        let mut total = Counters::default();
        for position in positions() {
            total.add(&think::<B>(&position, depth, 1, settings).counters);
        }
        total
    }

    #[test]
    fn one_thread_counts_the_same_nodes_on_every_board() {
        let his = total::<His>(5, Settings::default());
        assert_eq!(his.nodes, 219_958);
        assert_eq!(total::<Bitboards<Rotated>>(5, Settings::default()), his);
        assert_eq!(total::<Bitboards<Magic>>(5, Settings::default()), his);
        assert_eq!(total::<Mailbox>(5, Settings::default()), his);
        assert_eq!(total::<Grid<Grid0x88>>(5, Settings::default()), his);
        assert_eq!(total::<Grid<Grid8x8>>(5, Settings::default()), his);
    }

    #[test]
    fn one_thread_does_not_notice_what_only_several_can() {
        let base = Settings::default();
        let his = total::<His>(4, base);
        for mode in Mode::ALL {
            // Where entries go when they give way depends on the mode only if that is done wrong.
            let sound = Defects { lost_demotions: false, ..Defects::ALL };
            let right = total::<His>(4, Settings { defects: sound, ..base });
            assert_eq!(total::<His>(4, Settings { mode, defects: sound, ..base }), right);
        }
        let defects = Defects {
            repeats_move: false,
            private_alpha: false,
            whole_root: false,
            captured_owner: false,
            split_reads: false,
            ..Defects::ALL
        };
        assert_eq!(total::<His>(4, Settings { defects, ..base }), his);
        let other = Settings { extra_bytes: 100, rebuilds_board: true, ..base };
        assert_eq!(total::<His>(4, other), his);
    }

    #[test]
    fn virtual_processors_do_the_same_every_time() {
        let position = &positions()[2];
        let settings = Settings::default();
        let simulated = |processors, settings| {
            simulate::<His>(position, 6, processors, settings, Latencies::default())
        };
        let alone = simulated(1, settings);
        assert_eq!(alone.counters, think::<His>(position, 6, 1, settings).counters);
        assert_eq!(alone.splits, SplitFigures::default());
        let many = simulated(5, settings);
        // All but the time that the simulation itself takes.
        let again = simulated(5, settings);
        assert_eq!(Thought { processor_seconds: many.processor_seconds, ..again }, many);
        assert!(many.splits.splits > 0 && many.seconds < alone.seconds, "{many:?} {alone:?}");
        let rebuilt = Settings { rebuilds_board: true, extra_bytes: 64, ..settings };
        assert_eq!(simulated(5, rebuilt).counters, many.counters);
        let sound = simulated(5, Settings { defects: Defects::NONE, ..settings });
        assert_ne!(sound.counters, many.counters);
    }

    #[test]
    fn several_threads_find_a_mate_together() {
        let mate = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let position = Position::from_fen(mate).unwrap();
        for mode in Mode::ALL {
            for defects in [Defects::ALL, Defects::NONE] {
                let settings = Settings { mode, defects, ..Settings::default() };
                let thought = think::<His>(&position, 5, 3, settings);
                assert_eq!(thought.best.to_string(), "h5f7");
                assert_eq!(thought.value, table::MATE - 1);
            }
        }
        let over = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(think::<His>(&over, 5, 2, Settings::default()).best, Word::NONE);
    }
}
