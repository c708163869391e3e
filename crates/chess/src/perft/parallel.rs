//! Perft with many threads, a table, progress and a way to stop.

use super::{perft, table::CountTable};
use crate::{Move, Position};
use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A perft run's means: threads and memory.
///
/// ```
/// use std::num::NonZeroUsize;
/// use tabiya_chess::{Perft, Position};
/// let run = Perft::new().threads(NonZeroUsize::MIN).hash(16).unwrap();
/// let moves = run.divide(&Position::start(), 4, |_, _| true).unwrap();
/// assert_eq!(moves.iter().map(|(_, count)| count).sum::<u64>(), 197_281);
/// ```
pub struct Perft {
    threads: NonZeroUsize,
    table: Option<CountTable>,
}

/// Why there is no count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PerftError {
    /// The table does not fit.
    #[error("{0} MB for the table is more than there is; ask for less")]
    Memory(usize),
    /// The caller wanted no more.
    #[error("stopped before the end")]
    Stopped,
    /// More than 64 bits can hold.
    #[error("there are more than {} of them; ask for less depth", u64::MAX)]
    TooMany,
}

impl Default for Perft {
    fn default() -> Perft {
        Perft::new()
    }
}

impl Perft {
    /// One thread, no table.
    pub fn new() -> Perft {
        Perft { threads: NonZeroUsize::MIN, table: None }
    }

    /// With this many threads, of which no more are started than there are parts to count: a part is a
    /// first move with one reply.
    pub fn threads(self, threads: NonZeroUsize) -> Perft {
        Perft { threads, ..self }
    }

    /// With a hash table of this many megabytes, where transpositions are looked up; 0 for none.
    pub fn hash(self, megabytes: usize) -> Result<Perft, PerftError> {
        let table = match megabytes {
            0 => None,
            _ => Some(CountTable::new(megabytes).ok_or(PerftError::Memory(megabytes))?),
        };
        Ok(Perft { table, ..self })
    }

    /// Counts sequences by their first move. `progress` hears from any thread how many parts of how
    /// many are done, and stops the run by answering `false`.
    pub fn divide(
        &self,
        position: &Position,
        depth: u8,
        progress: impl Fn(usize, usize) -> bool + Sync,
    ) -> Result<Vec<(Move, u64)>, PerftError> {
        let Some(rest) = depth.checked_sub(1) else { return Ok(Vec::new()) };
        let firsts = position.legal_moves();
        // Parts of two plies are even enough to keep all threads busy to the end.
        let mut parts = Vec::new();
        for (first, &mv) in firsts.iter().enumerate() {
            let next = after(position, mv);
            if rest < 2 {
                parts.push((first, next, rest));
            } else {
                parts.extend(
                    next.legal_moves().iter().map(|&reply| (first, after(&next, reply), rest - 1)),
                );
            }
        }
        let counts: Vec<AtomicU64> = firsts.iter().map(|_| AtomicU64::new(0)).collect();
        let (taken, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (stopped, too_many) = (AtomicBool::new(false), AtomicBool::new(false));
        let work = || {
            while let Some((first, position, depth)) =
                parts.get(taken.fetch_add(1, Ordering::Relaxed))
            {
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                let count = match self.count(position, *depth, &stopped) {
                    Ok(count) => count,
                    Err(PerftError::TooMany) => {
                        too_many.store(true, Ordering::Relaxed);
                        stopped.store(true, Ordering::Relaxed);
                        return;
                    }
                    Err(_) => return,
                };
                let add = |sum: u64| sum.checked_add(count);
                if counts[*first].fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).is_err() {
                    too_many.store(true, Ordering::Relaxed);
                }
                let done = 1 + done.fetch_add(1, Ordering::Relaxed);
                if !progress(done, parts.len()) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.get().min(parts.len()) {
                // Where no more threads can be had, fewer do the work.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        if too_many.load(Ordering::Relaxed) {
            return Err(PerftError::TooMany);
        }
        if stopped.load(Ordering::Relaxed) && done.load(Ordering::Relaxed) < parts.len() {
            return Err(PerftError::Stopped);
        }
        let counts: Vec<u64> = counts.into_iter().map(AtomicU64::into_inner).collect();
        match counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count)) {
            Some(_) => Ok(firsts.into_iter().zip(counts).collect()),
            None => Err(PerftError::TooMany),
        }
    }

    /// Near the leaves the bare generator is quicker than any look-up; above, a position is looked up
    /// first if there is a table, and a request to stop is noticed.
    fn count(
        &self,
        position: &Position,
        depth: u8,
        stopped: &AtomicBool,
    ) -> Result<u64, PerftError> {
        const BARE: u8 = 3;
        const BARE_WITH_TABLE: u8 = 1;
        if stopped.load(Ordering::Relaxed) {
            return Err(PerftError::Stopped);
        }
        let bare = if self.table.is_some() { BARE_WITH_TABLE } else { BARE };
        if depth <= bare {
            return Ok(perft(position, depth));
        }
        let key = position.keys().position;
        if let Some(count) = self.table.as_ref().and_then(|table| table.get(key, depth)) {
            return Ok(count);
        }
        let mut count: u64 = 0;
        for &mv in &position.legal_moves() {
            let more = self.count(&after(position, mv), depth - 1, stopped)?;
            count = count.checked_add(more).ok_or(PerftError::TooMany)?;
        }
        if let Some(table) = &self.table {
            table.put(key, depth, count);
        }
        Ok(count)
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
