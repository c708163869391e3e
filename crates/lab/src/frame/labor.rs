//! Work that nobody times, as many pieces at a time as there are processors.

use super::experiment::{Halt, Stop, go_on};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tabiya_engine::lock;

/// How many threads this machine runs at a time.
pub(crate) fn threads_here() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does pieces of work that do not depend on each other, side by side. Each is handed what to ask whether to
/// go on, since the user's own wish can be asked for by one thread alone.
pub(crate) fn side_by_side<T: Send>(
    count: usize,
    stop: &Stop<'_>,
    work: impl Fn(usize, &Stop<'_>) -> T + Sync,
) -> Result<Vec<T>, Halt> {
    let (next, ends) = (AtomicUsize::new(0), AtomicBool::new(false));
    let done: Mutex<Vec<(usize, T)>> = Mutex::default();
    let work = || {
        let enough = || ends.load(Ordering::Relaxed);
        while !enough() {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return;
            }
            let result = work(i, &enough);
            lock(&done).push((i, result));
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads_here().min(count)).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            if stop() {
                ends.store(true, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(5));
        }
    });
    go_on(stop)?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_once_each_and_in_order() {
        let results = side_by_side(17, &|| false, |i, _| i * i).unwrap();
        assert_eq!(results, (0..17).map(|i| i * i).collect::<Vec<_>>());
        assert!(matches!(side_by_side(3, &|| true, |i, _| i), Err(Halt::Interrupted)));
    }
}
