//! Work on numbered things by several threads, whose results come back in order.

use crate::Stop;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use tabiya_engine::{Engine, lock};

/// What went wrong besides the work itself.
#[derive(Debug, thiserror::Error)]
pub enum CrewError {
    /// No thread could be had.
    #[error("no thread for the work")]
    Thread(#[source] io::Error),
    /// A thread panicked.
    #[error("a thread failed inside; this is a bug")]
    Panicked,
}

/// Does `work` on each of `numbers` and hands what comes out to `sink`, in the order of the numbers.
///
/// Each thread makes a state for itself first. Nothing new is begun once `stop` says so or something
/// has failed; what has been begun is finished, so that there is never a gap.
pub(crate) fn in_order<State, Done, E>(
    threads: usize,
    numbers: impl Iterator<Item = u64> + Send,
    stop: Stop<'_>,
    make_state: impl Fn() -> Result<State, E> + Sync,
    work: impl Fn(&mut State, u64) -> Result<Done, E> + Sync,
    mut sink: impl FnMut(u64, Done) -> Result<(), E>,
) -> Result<(), E>
where
    Done: Send,
    E: Send + From<CrewError>,
{
    let numbers = Mutex::new(numbers.enumerate().fuse());
    let failed = Mutex::new(None::<E>);
    let is_over = || stop() || lock(&failed).is_some();
    let fail = |error: E| {
        lock(&failed).get_or_insert(error);
    };
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, u64, Done)>| {
        let mut state = match make_state() {
            Ok(state) => state,
            Err(error) => return fail(error),
        };
        while !is_over() {
            let Some((place, number)) = lock(&numbers).next() else { return };
            match work(&mut state, number) {
                // The receiver listens until the last sender has hung up.
                Ok(done) => drop(sender.send((place, number, done))),
                Err(error) => return fail(error),
            }
        }
    };
    std::thread::scope(|scope| {
        let mut crew = Vec::new();
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            let thread = std::thread::Builder::new()
                .name("trainer".to_owned())
                .stack_size(Engine::SEARCH_STACK)
                .spawn_scoped(scope, move || work(sender));
            match thread {
                Ok(thread) => crew.push(thread),
                Err(error) => fail(CrewError::Thread(error).into()),
            }
        }
        drop(sender);

        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut sinking = true;
        for (place, number, done) in receiver {
            waiting.insert(place, (number, done));
            while let Some((number, done)) = waiting.remove(&next) {
                next += 1;
                if sinking && let Err(error) = sink(number, done) {
                    sinking = false;
                    fail(error);
                }
            }
        }
        for thread in crew {
            if thread.join().is_err() {
                fail(CrewError::Panicked.into());
            }
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("number {0} cannot be done")]
        Number(u64),
        #[error(transparent)]
        Crew(#[from] CrewError),
    }

    fn run(threads: usize, stop_after: u64, bad: Option<u64>) -> (Result<(), Failure>, Vec<u64>) {
        let done = AtomicU64::new(0);
        let mut seen = Vec::new();
        let result = in_order(
            threads,
            10..200,
            &|| done.load(Ordering::SeqCst) >= stop_after,
            || Ok(0u64),
            |worked, number| {
                *worked += 1;
                if Some(number) == bad {
                    return Err(Failure::Number(number));
                }
                // Later numbers are often done sooner.
                std::thread::sleep(std::time::Duration::from_micros((number % 7) * 50));
                done.fetch_add(1, Ordering::SeqCst);
                Ok(number * 2)
            },
            |number, double| {
                assert_eq!(double, number * 2);
                seen.push(number);
                Ok(())
            },
        );
        (result, seen)
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let (result, seen) = run(threads, u64::MAX, None);
            assert!(result.is_ok());
            assert!(seen.into_iter().eq(10..200), "{threads}");
        }
    }

    #[test]
    fn stopping_leaves_no_gap() {
        let (result, seen) = run(4, 50, None);
        assert!(result.is_ok());
        assert!((50..60).contains(&seen.len()), "{}", seen.len());
        assert!(seen.iter().copied().eq(10..10 + seen.len() as u64));
    }

    #[test]
    fn a_failure_ends_the_work() {
        let (result, seen) = run(3, u64::MAX, Some(100));
        assert!(matches!(result, Err(Failure::Number(100))));
        assert!(seen.len() <= 90 && seen.iter().copied().eq(10..10 + seen.len() as u64));
    }
}
