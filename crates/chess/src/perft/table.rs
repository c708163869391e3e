//! Counts that were found before, shared between threads.

use core::sync::atomic::{AtomicU64, Ordering};

/// A lock-free table of counts by position and depth.
///
/// An entry is two words, the second mixed into the first: if two threads write an entry at once and
/// their words get mixed up, the check fails and the entry counts as empty.
pub(super) struct CountTable {
    entries: Box<[[AtomicU64; 2]]>,
}

impl CountTable {
    /// A table of this many megabytes, or none if there is not so much memory.
    pub(super) fn new(megabytes: usize) -> Option<CountTable> {
        let len = megabytes.checked_mul(1 << 20)? / size_of::<[AtomicU64; 2]>();
        let mut entries = Vec::new();
        entries.try_reserve_exact(len.max(1)).ok()?;
        entries.resize_with(len.max(1), || [AtomicU64::new(0), AtomicU64::new(0)]);
        Some(CountTable { entries: entries.into_boxed_slice() })
    }

    fn entry(&self, key: u64) -> &[AtomicU64; 2] {
        let index = (u128::from(key) * self.entries.len() as u128) >> 64;
        &self.entries[index as usize]
    }

    pub(super) fn get(&self, key: u64, depth: u8) -> Option<u64> {
        let key = mix(key, depth);
        let [check, count] = self.entry(key);
        let count = count.load(Ordering::Relaxed);
        (check.load(Ordering::Relaxed) ^ count == key).then_some(count)
    }

    pub(super) fn put(&self, key: u64, depth: u8, found: u64) {
        let key = mix(key, depth);
        let [check, count] = self.entry(key);
        check.store(key ^ found, Ordering::Relaxed);
        count.store(found, Ordering::Relaxed);
    }
}

/// Depths must not share entries.
fn mix(key: u64, depth: u8) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
