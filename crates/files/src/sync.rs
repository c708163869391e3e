//! When a growing file is synced.

use std::fs::File;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a growing file is synced.
///
/// What was appended survives the end of the program at once. A power cut takes at most what was
/// appended within the interval, and nothing once the file has been closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SyncPolicy {
    /// The least time from one sync to the next.
    pub interval: Duration,
}

impl Default for SyncPolicy {
    /// Once a second.
    fn default() -> SyncPolicy {
        SyncPolicy { interval: Duration::from_secs(1) }
    }
}

/// Syncs a file beside the writer, who never waits for the disk.
#[derive(Debug)]
pub(crate) struct Syncer {
    policy: SyncPolicy,
    desk: Arc<Desk>,
    /// Started with the first file that is noted.
    thread: Option<JoinHandle<()>>,
}

/// Where writer and thread meet.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// What has to be synced.
    file: Option<Arc<File>>,
    is_ending: bool,
    /// The first failure, until it is taken.
    error: Option<io::Error>,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sync_until_the_end(&self, interval: Duration) {
        let mut due = Instant::now();
        let mut state = self.state();
        loop {
            let now = Instant::now();
            if state.file.is_some() && (state.is_ending || now >= due) {
                let file = state.file.take();
                drop(state);
                let synced = file.map_or(Ok(()), |file| file.sync_data());
                due = Instant::now() + interval;
                state = self.state();
                if let Err(error) = synced {
                    state.error.get_or_insert(error);
                }
            } else if state.is_ending {
                return;
            } else if state.file.is_some() {
                let waited = self.changed.wait_timeout(state, due - now);
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Syncer {
    pub(crate) fn new(policy: SyncPolicy) -> Syncer {
        Syncer { policy, desk: Arc::default(), thread: None }
    }

    /// A file has changed. Returns the failure of a sync before, if there was one.
    pub(crate) fn note(&mut self, file: &Arc<File>) -> io::Result<()> {
        if self.thread.is_none() {
            let (desk, interval) = (Arc::clone(&self.desk), self.policy.interval);
            let work = move || desk.sync_until_the_end(interval);
            self.thread = Some(thread::Builder::new().name("sync".into()).spawn(work)?);
        }
        let mut state = self.desk.state();
        state.file = Some(Arc::clone(file));
        self.desk.changed.notify_one();
        state.error.take().map_or(Ok(()), Err)
    }

    /// Syncs what is left.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        let Some(thread) = self.thread.take() else { return Ok(()) };
        self.desk.state().is_ending = true;
        self.desk.changed.notify_one();
        // It does nothing that could panic.
        let _ = thread.join();
        self.desk.state().error.take().map_or(Ok(()), Err)
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        // Those who want to know of a failure have ended it themselves.
        let _ = self.end();
    }
}
