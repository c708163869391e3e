//! What the benchmarks share.

use std::sync::OnceLock;
use std::time::{Duration, Instant};
use tabiya_chess::attacks::magic::SplitMix64;

/// Processor time of this thread; wall time where the system does not tell.
pub(crate) fn now() -> Duration {
    let on_processor = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    static START: OnceLock<Instant> = OnceLock::new();
    on_processor().unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}

/// A number below `n`, or 0 if there is none.
pub(crate) fn below(random: &mut SplitMix64, n: usize) -> usize {
    random.below(n.max(1) as u64) as usize
}
