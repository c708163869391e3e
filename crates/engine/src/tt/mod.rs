//! The transposition table (TT): what was found out about positions, shared by all threads.
//!
//! # Layout
//!
//! A cluster is four atomic words, 32 bytes, two to a cache line. Three words hold an entry each; the
//! fourth holds for each entry a signature, 16 bits of its position's key.
//!
//! | bits of an entry | meaning                                      |
//! |------------------|----------------------------------------------|
//! | 0-15             | best move, 0 for none                        |
//! | 16-31            | value                                        |
//! | 32-47            | static evaluation                            |
//! | 48-55            | depth + 7, 0 for an empty entry              |
//! | 56-57            | bound                                        |
//! | 58               | was it on the principal variation            |
//! | 59-63            | generation                                   |
//!
//! # Races
//!
//! Threads read and write without locks. Every access is to a single atomic word, so there is no data
//! race; but a reader may meet the signature of one position beside the entry of another. The 16 bits are
//! therefore the position's key *mixed with the entry*: a pair that does not belong together fails
//! the test like a foreign position does, and counts as a miss.

mod file;

use crate::score::Bound;
use crate::sync::lock;
use crate::value::{MATE, MATE_BOUND, Value, is_mate};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use memmap2::MmapMut;
use std::sync::Mutex;
use tabiya_chess::Move;

/// Plies.
const FIFTY_MOVES: Value = 100;

/// A TT entry: what the table knows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// The best move, or the one that refuted.
    pub(crate) mv: Option<Move>,
    /// The value found.
    pub(crate) value: Value,
    /// The static evaluation, if there was one.
    pub(crate) eval: Option<Value>,
    /// To what depth.
    pub(crate) depth: i32,
    /// What the value means.
    pub(crate) bound: Option<Bound>,
    /// Was the position on the principal variation?
    pub(crate) pv: bool,
}

impl TtEntry {
    /// Only the static evaluation is known.
    pub(crate) fn of_eval(eval: Value, pv: bool) -> TtEntry {
        TtEntry { mv: None, value: eval, eval: Some(eval), depth: NOT_SEARCHED, bound: None, pv }
    }

    /// TT cutoff: does its bound answer the question of a window?
    #[inline(always)]
    pub(crate) fn is_cutoff(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.value >= beta,
            Some(Bound::Upper) => self.value <= alpha,
            None => false,
        }
    }

    /// Does it tell more than a static evaluation does?
    #[inline(always)]
    pub(crate) fn is_tighter_than(&self, eval: Value) -> bool {
        match self.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => self.value > eval,
            Some(Bound::Upper) => self.value < eval,
            None => false,
        }
    }
}

const ENTRIES: usize = 3;
const CLUSTER_BYTES: usize = 32;
/// Quiescence depths are a little below zero.
const DEPTH_OFFSET: i32 = 7;
/// The depth of an entry that only has an evaluation: less than any search's.
const NOT_SEARCHED: i32 = 1 - DEPTH_OFFSET;
const GENERATIONS: u32 = 32;
/// Replacement: a bound replaces an entry of the same position and search that is deeper by less than this.
const REPLACE_MARGIN: i32 = 4;
/// Replacement: on a principal variation, by so many plies more.
const REPLACE_PV: i32 = 2;
/// Aging: an entry loses this many plies of its worth with each new search.
const AGE_PLIES: i32 = 4;
const NO_EVAL: i16 = i16::MIN;

#[repr(C, align(32))]
struct Cluster([AtomicU64; 4]);

const _: () = assert!(size_of::<Cluster>() == CLUSTER_BYTES);

/// The table.
pub(crate) struct TranspositionTable {
    memory: MmapMut,
    clusters: usize,
    generation: AtomicU32,
    /// The log of what was stored since it was last taken, if one is kept.
    log: Option<Mutex<TtLog>>,
}

/// A log of what was stored in a table: keys and entries.
#[derive(Default)]
pub(crate) struct TtLog(Vec<(u64, u64)>);

/// Entries of less depth are not logged.
const LOG_DEPTH: i32 = 3;

/// Why a table of the wanted size could not be had.
#[derive(Debug, thiserror::Error)]
#[error("{megabytes} MB for the table cannot be had: {source}")]
pub(crate) struct TtMemoryError {
    megabytes: usize,
    source: std::io::Error,
}

impl TranspositionTable {
    /// An empty table of `megabytes` MiB.
    pub(crate) fn new(megabytes: usize) -> Result<TranspositionTable, TtMemoryError> {
        let bytes = megabytes.max(1).saturating_mul(1 << 20);
        let memory =
            MmapMut::map_anon(bytes).map_err(|source| TtMemoryError { megabytes, source })?;
        // A wish, not a need: without huge pages the table works all the same.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        let clusters = bytes / CLUSTER_BYTES;
        Ok(TranspositionTable { clusters, memory, generation: AtomicU32::new(0), log: None })
    }

    /// Keeps a log from now on.
    pub(crate) fn logging(self) -> TranspositionTable {
        TranspositionTable { log: Some(Mutex::default()), ..self }
    }

    /// Takes the log.
    pub(crate) fn take_log(&self) -> TtLog {
        let take = |log| std::mem::take(&mut *lock(log));
        self.log.as_ref().map(take).unwrap_or_default()
    }

    /// Stores what another table's log holds.
    pub(crate) fn adopt(&self, log: &TtLog) {
        for &(key, word) in &log.0 {
            self.write(key, 0, unpack(word, 0));
        }
    }

    /// The size.
    pub(crate) fn megabytes(&self) -> usize {
        (self.clusters * CLUSTER_BYTES) >> 20
    }

    #[inline(always)]
    fn clusters(&self) -> &[Cluster] {
        // SAFETY: the mapping is page-aligned, lives as long as `self`, is never handed out as bytes
        // while shared, and any bits are valid atomics.
        unsafe { core::slice::from_raw_parts(self.memory.as_ptr().cast(), self.clusters) }
    }

    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.clusters as u128) >> 64) as usize;
        &self.clusters()[index]
    }

    /// Prefetch: asks for the memory of a position's cluster ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: SSE is part of x86-64, and prefetching touches nothing.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Clears the table, with several threads.
    pub(crate) fn clear(&self, threads: usize) {
        // Smaller parts are done sooner than a thread is started.
        const LEAST_PART: usize = (4 << 20) / CLUSTER_BYTES;
        self.generation.store(0, Ordering::Relaxed);
        let useful = std::thread::available_parallelism().map_or(1, usize::from);
        let part = self.clusters.div_ceil(threads.clamp(1, useful)).max(LEAST_PART);
        let (own, others) = self.clusters().split_at(part.min(self.clusters));
        std::thread::scope(|scope| {
            for clusters in others.chunks(part) {
                scope.spawn(|| empty(clusters));
            }
            empty(own);
        });
    }

    /// Aging: a new search begins, and entries of older generations are replaced first.
    pub(crate) fn next_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Probes the table: what is known of a position, with mate values counted from `ply` plies after the root, `clock`
    /// plies after the last capture or pawn's move.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize, clock: u32) -> Option<TtEntry> {
        let cluster = self.cluster(key);
        let signatures = cluster.0[ENTRIES].load(Ordering::Relaxed);
        for slot in 0..ENTRIES {
            let word = cluster.0[slot].load(Ordering::Relaxed);
            if signature_in(signatures, slot) == mixed_signature(key, word)
                && word >> 48 & 0xFF != 0
            {
                let entry = unpack(word, ply);
                return Some(TtEntry { value: in_time(entry.value, ply, clock), ..entry });
            }
        }
        None
    }

    /// Stores what was found out. A missing move or evaluation keeps the one that was known.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, entry: TtEntry) {
        self.write(key, ply, entry);
        if let Some(log) = &self.log
            && entry.depth >= LOG_DEPTH
        {
            lock(log).0.push((key, pack(entry, ply, 0)));
        }
    }

    #[inline(always)]
    fn write(&self, key: u64, ply: usize, entry: TtEntry) {
        let cluster = self.cluster(key);
        let signatures = cluster.0[ENTRIES].load(Ordering::Relaxed);
        let mut slot = 0;
        let mut worst = i32::MAX;
        let mut known = None;
        for candidate in 0..ENTRIES {
            let word = cluster.0[candidate].load(Ordering::Relaxed);
            if signature_in(signatures, candidate) == mixed_signature(key, word)
                && word >> 48 & 0xFF != 0
            {
                slot = candidate;
                known = Some(word);
                break;
            }
            let worth = self.worth(word);
            if worth < worst {
                (slot, worst) = (candidate, worth);
            }
        }
        let mut entry = entry;
        if let Some(word) = known {
            entry.mv = entry.mv.or(Move::from_bits(word as u16));
            let old = unpack(word, ply);
            entry.eval = entry.eval.or(old.eval);
            // A much deeper result of this search is worth more than a shallow new bound.
            if entry.bound != Some(Bound::Exact)
                && self.age(word) == 0
                && entry.depth + REPLACE_MARGIN + REPLACE_PV * i32::from(entry.pv) <= old.depth
            {
                return;
            }
        }
        let word = pack(entry, ply, self.generation.load(Ordering::Relaxed));
        cluster.0[slot].store(word, Ordering::Relaxed);
        let shift = 16 * slot;
        let name = u64::from(mixed_signature(key, word)) << shift;
        cluster.0[ENTRIES].store(signatures & !(0xFFFF << shift) | name, Ordering::Relaxed);
    }

    #[inline(always)]
    fn age(&self, word: u64) -> i32 {
        let generation = self.generation.load(Ordering::Relaxed);
        ((GENERATIONS + generation - (word >> 59) as u32) % GENERATIONS) as i32
    }

    /// Replacement: what an entry is worth keeping, deep and young ones most.
    #[inline(always)]
    fn worth(&self, word: u64) -> i32 {
        (word >> 48 & 0xFF) as i32 - AGE_PLIES * self.age(word)
    }

    /// Hashfull: how full the table is with entries of this search, in thousandths.
    pub(crate) fn permille_full(&self) -> u32 {
        const SAMPLE: usize = 1000;
        let sample = &self.clusters()[..SAMPLE.min(self.clusters)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0[..ENTRIES])
            .map(|word| word.load(Ordering::Relaxed))
            .filter(|&word| word >> 48 & 0xFF != 0 && self.age(word) == 0)
            .count();
        (used * 1000 / (sample.len() * ENTRIES)) as u32
    }
}

fn empty(clusters: &[Cluster]) {
    for word in clusters.iter().flat_map(|cluster| &cluster.0) {
        word.store(0, Ordering::Relaxed);
    }
}

#[inline(always)]
fn signature_in(signatures: u64, slot: usize) -> u16 {
    (signatures >> (16 * slot)) as u16
}

/// The low bits of the key, which did not choose the cluster, mixed with all bits of the entry: they do not
/// fit any other entry, but for one in 65,536.
#[inline(always)]
fn mixed_signature(key: u64, word: u64) -> u16 {
    /// The golden ratio's fraction: the upper bits of a product with it depend on all of a word.
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    key as u16 ^ (word.wrapping_mul(SPREAD) >> 48) as u16
}

#[inline(always)]
fn pack(entry: TtEntry, ply: usize, generation: u32) -> u64 {
    let mv = entry.mv.map_or(0, Move::bits);
    let value = to_table(entry.value, ply) as i16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
    let depth = (entry.depth + DEPTH_OFFSET).clamp(1, 255);
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    u64::from(mv)
        | u64::from(value as u16) << 16
        | u64::from(eval as u16) << 32
        | (depth as u64) << 48
        | bound << 56
        | u64::from(entry.pv) << 58
        | u64::from(generation) << 59
}

#[inline(always)]
fn unpack(word: u64, ply: usize) -> TtEntry {
    let eval = (word >> 32) as i16;
    TtEntry {
        mv: Move::from_bits(word as u16),
        value: from_table(Value::from((word >> 16) as i16), ply),
        eval: (eval != NO_EVAL).then_some(Value::from(eval)),
        depth: (word >> 48 & 0xFF) as i32 - DEPTH_OFFSET,
        bound: match word >> 56 & 3 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        },
        pv: word >> 58 & 1 != 0,
    }
}

/// A mate counts plies from the root in the search, and plies from the position in the table.
#[inline(always)]
fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + ply as Value
    } else if value <= -MATE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

#[inline(always)]
fn from_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

/// A mate that may come too late for the fifty-move rule is no more than a won game: the table does not
/// know how many moves the position had left when it was found.
#[inline(always)]
fn in_time(value: Value, ply: usize, clock: u32) -> Value {
    let plies = MATE - value.abs() - ply as Value;
    if is_mate(value) && plies + clock as Value > FIFTY_MOVES {
        value.signum() * (MATE_BOUND - 1)
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::Square;

    fn entry(value: Value, depth: i32) -> TtEntry {
        TtEntry {
            mv: Some(Move::normal(Square::E2, Square::E4)),
            value,
            eval: Some(-17),
            depth,
            bound: Some(Bound::Exact),
            pv: true,
        }
    }

    #[test]
    fn a_mate_that_comes_too_late_is_only_a_won_game() {
        let table = TranspositionTable::new(1).unwrap();
        let (mate, mated) = (MATE - 3 - 40, -(MATE - 3 - 40));
        for (key, value) in [(1, mate), (2, mated)] {
            table.store(key, 3, entry(value, 9));
            assert_eq!(table.probe(key, 3, 60).unwrap().value, value);
            let late = table.probe(key, 3, 61).unwrap().value;
            assert_eq!(late, value.signum() * (MATE_BOUND - 1));
            assert!(!is_mate(late));
        }
    }

    #[test]
    fn keeps_what_it_is_given() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, value, depth) in [(1 << 63, 0, 0), (77 << 40, -1234, 127), (5, 31_000, -2)] {
            table.store(key, 3, entry(value, depth));
            assert_eq!(table.probe(key, 3, 0), Some(entry(value, depth)));
            assert_eq!(table.probe(key ^ 1, 3, 0), None);
        }
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        let table = TranspositionTable::new(1).unwrap();
        let mate_in_nine_plies = crate::value::MATE - 9;
        table.store(9, 4, entry(mate_in_nine_plies, 1));
        assert_eq!(table.probe(9, 0, 0).unwrap().value, crate::value::MATE - 5);
    }

    #[test]
    fn words_that_do_not_belong_together_are_a_miss() {
        let table = TranspositionTable::new(1).unwrap();
        let key = 0x1234_5678_9ABC_DEF0;
        table.store(key, 0, entry(10, 5));
        // Half of another thread's write: the entry of one position beside the name of the other.
        let foreign = pack(entry(999, 9), 0, 0);
        table.cluster(key).0[0].store(foreign, Ordering::Relaxed);
        assert_eq!(table.probe(key, 0, 0), None);
    }

    /// Two threads put in what they know of two positions, at the same place and at once. Whichever
    /// of their four writes come first, and whenever someone looks, each position has its own entry or
    /// none.
    #[test]
    fn no_order_of_writes_mixes_two_positions_up() {
        let key = [0x1234_5678_9ABC_DEF0u64, 0x1234_5678_9ABC_1111];
        for written in [
            [entry(10, 5), entry(-999, 9)],
            // Most of all entries say nothing but this.
            [TtEntry::of_eval(35, false), TtEntry::of_eval(-120, false)],
        ] {
            no_order_mixes_up(key, written);
        }
    }

    fn no_order_mixes_up(key: [u64; 2], written: [TtEntry; 2]) {
        let word = written.map(|entry| pack(entry, 0, 0));
        let name = [0, 1].map(|i| u64::from(mixed_signature(key[i], word[i])));
        // Each writes its entry first and then its name: the six orders in which that can happen.
        for order in ["ABab", "AaBb", "ABba", "BAab", "BAba", "BbAa"] {
            let table = TranspositionTable::new(1).unwrap();
            let cluster = table.cluster(key[0]);
            assert!(std::ptr::eq(cluster, table.cluster(key[1])));
            for write in order.chars() {
                let who = usize::from(write.eq_ignore_ascii_case(&'b'));
                let (slot, value) =
                    if write.is_uppercase() { (0, word[who]) } else { (ENTRIES, name[who]) };
                cluster.0[slot].store(value, Ordering::Relaxed);
                for i in [0, 1] {
                    let found = table.probe(key[i], 0, 0);
                    assert!(found.is_none_or(|found| found == written[i]), "{order} {write}");
                }
            }
        }
    }

    /// Many threads at few clusters: what is found is what was put in for that position.
    #[test]
    fn what_many_threads_put_in_belongs_together() {
        let table = TranspositionTable::new(1).unwrap();
        // Few places and many positions; a position's value tells which one it is.
        let key = |i: u64| (i % 7) << 60 | i.wrapping_mul(0x9E37);
        let of = |i: u64, depth: u64| TtEntry {
            value: i as Value,
            depth: depth as i32 % 20,
            ..entry(0, 0)
        };
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut foreign = 0;
                    for step in 0..20_000u64 {
                        let i = (step * 31 + thread * 17) % 500;
                        table.store(key(i), 0, of(i, step));
                        let j = (step * 13 + thread) % 500;
                        let found = table.probe(key(j), 0, 0);
                        foreign += u32::from(found.is_some_and(|found| found.value != j as Value));
                    }
                    // A signature has 16 bits: of these probes hardly one may match another position by chance.
                    assert!(foreign <= 20, "{foreign}");
                });
            }
        });
    }

    #[test]
    fn clearing_empties() {
        // So large that several threads share the work.
        let table = TranspositionTable::new(17).unwrap();
        let key = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        for i in 0..100_000 {
            table.store(key(i), 0, entry(1, 1));
        }
        assert!(table.permille_full() > 0);
        table.clear(3);
        assert_eq!(table.permille_full(), 0);
        assert!((0..100_000).all(|i| table.probe(key(i), 0, 0).is_none()));
    }
}
