//! What the benchmarks share.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Processor time of this thread; wall time where the system does not tell.
pub(crate) fn now() -> Duration {
    let on_processor = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    static START: OnceLock<Instant> = OnceLock::new();
    on_processor().unwrap_or_else(|| START.get_or_init(Instant::now).elapsed())
}
