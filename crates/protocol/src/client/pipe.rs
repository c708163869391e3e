//! What both protocols share: a thread that reads, a thread that writes, and the desk between them
//! and the thread that waits.

use super::search::RemoteSearch;
use crate::lines::{Line, Lines};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tabiya_engine::AnalystError;
use tabiya_engine::lock;

/// Longer lines are cut. No engine has that much to say in one.
const LONGEST_LINE: usize = 64 * 1024;

/// An engine that has so much unread does not read.
const MOST_ORDERS: usize = 1024;

/// What the reader has learnt, and who thinks.
pub(super) struct Desk<K> {
    name: String,
    state: Mutex<State<K>>,
    changed: Condvar,
}

struct State<K> {
    known: K,
    search: Option<Arc<RemoteSearch>>,
    gone: Option<String>,
    closed: bool,
}

impl<K> Desk<K> {
    pub(super) fn new(name: &str, known: K) -> Desk<K> {
        Desk {
            name: name.to_owned(),
            state: Mutex::new(State { known, search: None, gone: None, closed: false }),
            changed: Condvar::new(),
        }
    }

    /// What the user calls the engine.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn protocol_error(&self, what: String) -> AnalystError {
        let name = self.name.clone();
        AnalystError::Protocol { name, what }
    }

    fn gone_error(&self, reason: &str) -> AnalystError {
        let (name, reason) = (self.name.clone(), reason.to_owned());
        AnalystError::Gone { name, reason }
    }

    /// Notes something that was learnt.
    pub(super) fn learn<T>(&self, change: impl FnOnce(&mut K) -> T) -> T {
        let learnt = change(&mut lock(&self.state).known);
        self.changed.notify_all();
        learnt
    }

    /// Waits until something is known.
    pub(super) fn wait_for<T>(
        &self,
        timeout: Duration,
        mut wanted: impl FnMut(&mut K) -> Option<T>,
    ) -> Result<T, AnalystError> {
        let start = Instant::now();
        let mut state = lock(&self.state);
        loop {
            if let Some(found) = wanted(&mut state.known) {
                return Ok(found);
            }
            if let Some(reason) = &state.gone {
                return Err(self.gone_error(reason));
            }
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                let (name, after) = (self.name.clone(), timeout);
                return Err(AnalystError::Silent { name, after });
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The search under way, or the last one.
    pub(super) fn search(&self) -> Option<Arc<RemoteSearch>> {
        lock(&self.state).search.clone()
    }

    /// From now on, what the engine says belongs to this search.
    pub(super) fn begin(&self, search: &Arc<RemoteSearch>) -> Result<(), AnalystError> {
        let mut state = lock(&self.state);
        if let Some(reason) = &state.gone {
            return Err(self.gone_error(reason));
        }
        state.search = Some(Arc::clone(search));
        Ok(())
    }

    /// Ends the search under way, if there is one, so that another may begin.
    pub(super) fn finish_search(&self) -> Result<(), AnalystError> {
        let Some(search) = self.search().filter(|search| !search.is_over()) else {
            return Ok(());
        };
        match search.stop_and_wait() {
            // What it decided on is for those who asked then.
            Ok(_) | Err(AnalystError::Protocol { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Nothing more will come.
    fn set_gone(&self, reason: &str) {
        let search = {
            let mut state = lock(&self.state);
            state.gone.get_or_insert_with(|| reason.to_owned());
            state.search.clone()
        };
        self.changed.notify_all();
        if let Some(search) = search {
            search.end(Instant::now(), Err(self.gone_error(reason)));
        }
    }

    /// The client is dropped.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.set_gone("it was sent quit");
    }

    fn is_closed(&self) -> bool {
        lock(&self.state).closed
    }
}

/// Starts the thread that reads: every line goes to `hear`, until the end or until the desk closes.
pub(super) fn listen<K: Send + 'static>(
    desk: &Arc<Desk<K>>,
    reader: impl Read + Send + 'static,
    mut hear: impl FnMut(&Line<'_>) + Send + 'static,
) -> Result<(), AnalystError> {
    let reading = Reading(Arc::clone(desk));
    let read = move || {
        let mut lines = Lines::new(reader, LONGEST_LINE);
        loop {
            match lines.next() {
                _ if reading.0.is_closed() => break,
                Ok(Some(line)) => hear(&line),
                Ok(None) => break reading.0.set_gone("it closed its output"),
                Err(error) => {
                    break reading.0.set_gone(&format!("its output cannot be read: {error}"));
                }
            }
        }
    };
    spawn(desk, "reader", read)
}

/// Notes at the desk that the reader has ended, even if it panicked in an event sink.
struct Reading<K>(Arc<Desk<K>>);

impl<K> Drop for Reading<K> {
    fn drop(&mut self) {
        self.0.set_gone("its output is not read any more");
    }
}

fn spawn<K>(
    desk: &Desk<K>,
    task: &str,
    body: impl FnOnce() + Send + 'static,
) -> Result<(), AnalystError> {
    let named = thread::Builder::new().name(format!("{} {task}", desk.name));
    match named.spawn(body) {
        Ok(_) => Ok(()),
        Err(error) => Err(desk.gone_error(&format!("no thread to talk to it: {error}"))),
    }
}

/// Where lines for the engine are put. Never waits, whether the engine reads or not.
#[derive(Clone)]
pub(super) struct Outbox {
    name: String,
    orders: SyncSender<Order>,
}

struct Order {
    text: String,
    then: Then,
}

enum Then {
    Nothing,
    /// The engine's clock runs from when this was sent.
    StartClock(Arc<RemoteSearch>),
    Close,
}

impl Outbox {
    /// Starts the thread that writes.
    pub(super) fn open<K>(
        desk: &Desk<K>,
        writer: impl Write + Send + 'static,
    ) -> Result<Outbox, AnalystError> {
        let (sender, orders) = sync_channel(MOST_ORDERS);
        // If the engine no longer reads, the queue closes; the reader finds out whether it still talks.
        spawn(desk, "writer", move || drop(carry_out(&orders, writer)))?;
        let name = desk.name.clone();
        Ok(Outbox { name, orders: sender })
    }

    /// Sends whole lines.
    pub(super) fn send(&self, text: String) -> Result<(), AnalystError> {
        self.put(text, Then::Nothing)
    }

    /// Sends the lines that start a search.
    pub(super) fn send_start(
        &self,
        text: String,
        search: &Arc<RemoteSearch>,
    ) -> Result<(), AnalystError> {
        self.put(text, Then::StartClock(Arc::clone(search)))
    }

    /// Says good-bye and closes the engine's input.
    pub(super) fn close(&self, text: &str) {
        // An engine that does not listen will not listen to this either.
        let _ = self.put(text.to_owned(), Then::Close);
    }

    fn put(&self, text: String, then: Then) -> Result<(), AnalystError> {
        let name = || self.name.clone();
        match self.orders.try_send(Order { text, then }) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(AnalystError::Protocol {
                name: name(),
                what: "it does not read what it is sent".to_owned(),
            }),
            Err(TrySendError::Disconnected(_)) => {
                Err(AnalystError::Gone { name: name(), reason: "it closed its input".to_owned() })
            }
        }
    }
}

fn carry_out(orders: &Receiver<Order>, mut writer: impl Write) -> io::Result<()> {
    for Order { text, then } in orders {
        if let Then::StartClock(search) = &then {
            search.start_clock(Instant::now());
        }
        writer.write_all(text.as_bytes())?;
        writer.flush()?;
        if matches!(then, Then::Close) {
            break;
        }
    }
    Ok(())
}
