//! Deterministic mode: a parallel search whose result does not depend on the number of threads, nor on their
//! timing.
//!
//! A fixed number of logical searchers search the same root, each with a table and histories of its own,
//! and each a little differently. After a fixed number of nodes each of them stops and
//! publishes what it has stored in its TT. When all have, each adds what the others published, always in the
//! same order, and goes on. Between two such rendezvous no searcher sees anything of the others, so it does
//! not matter which runs when: threads are only permits to run.

use crate::sync::lock;
use crate::tt::{TranspositionTable, TtLog, TtMemoryError};
use core::cell::Cell;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many search. More can use more threads, and fewer are better with few.
pub(crate) const SEARCHERS: usize = 4;

/// How many nodes each searches between two rendezvous.
pub(crate) const ROUND: u64 = 1024;

/// The searchers' TTs, which together have `megabytes` MiB.
pub(crate) fn tables(megabytes: usize) -> Result<Vec<Arc<TranspositionTable>>, TtMemoryError> {
    let each = (megabytes / SEARCHERS).max(1);
    (0..SEARCHERS).map(|_| Ok(Arc::new(TranspositionTable::new(each)?.logging()))).collect()
}

/// A searcher's part of a limit in nodes.
pub(crate) fn part(nodes: u64, searcher: usize) -> u64 {
    let more = (searcher as u64) < nodes % SEARCHERS as u64;
    // A limit of no nodes would be none.
    (nodes / SEARCHERS as u64 + u64::from(more)).max(1)
}

/// Where the searchers exchange what they have found.
pub(crate) struct Rendezvous {
    tables: Vec<Arc<TranspositionTable>>,
    /// How many may run at once.
    permits: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    round: u64,
    running: usize,
    /// How many searchers have not left for good.
    present: usize,
    /// How many of them are there.
    arrived: usize,
    /// What is published at the next rendezvous.
    published: [TtLog; SEARCHERS],
    /// What was published at the last one.
    received: Arc<[TtLog; SEARCHERS]>,
    /// The first has left: all others leave at the next rendezvous, not before.
    over: bool,
    /// It had left by the last one.
    ended: bool,
}

/// Seats for searchers with these TTs, `permits` of which may run at once.
pub(crate) fn seats(tables: Vec<Arc<TranspositionTable>>, permits: usize) -> Vec<Seat> {
    let searchers = tables.len();
    let state = State { present: searchers, ..State::default() };
    let (state, changed) = (Mutex::new(state), Condvar::new());
    let rendezvous = Arc::new(Rendezvous { tables, permits: permits.max(1), state, changed });
    let seat = |me| Seat { rendezvous: Arc::clone(&rendezvous), me, entered: Cell::new(false) };
    (0..searchers).map(seat).collect()
}

impl Rendezvous {
    fn permit(&self) {
        let mut state = lock(&self.state);
        while state.running >= self.permits {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
    }

    fn close_round(&self, state: &mut State) {
        if state.arrived == state.present && state.present > 0 {
            state.received = Arc::new(std::mem::take(&mut state.published));
            state.ended = state.over;
            state.arrived = 0;
            state.round += 1;
        }
        self.changed.notify_all();
    }
}

/// A searcher of the deterministic mode, at its rendezvous.
pub(crate) struct Attendee {
    rendezvous: Arc<Rendezvous>,
    me: usize,
}

impl Attendee {
    /// How many searchers there are beside this one.
    pub(crate) fn others(&self) -> u64 {
        self.rendezvous.tables.len() as u64 - 1
    }

    /// Publishes and receives; false if the search is over.
    pub(crate) fn meet(&self) -> bool {
        let Rendezvous { tables, state, changed, .. } = &*self.rendezvous;
        let mut state = lock(state);
        state.published[self.me] = tables[self.me].take_log();
        state.running -= 1;
        state.arrived += 1;
        let round = state.round;
        self.rendezvous.close_round(&mut state);
        while state.round == round {
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (received, ended) = (Arc::clone(&state.received), state.ended);
        drop(state);
        self.rendezvous.permit();
        for (_, log) in received.iter().enumerate().filter(|&(who, _)| who != self.me) {
            tables[self.me].adopt(log);
        }
        !ended
    }
}

/// A searcher's seat. The others wait for it until it is dropped: then it leaves for good, also if it never
/// entered.
pub(crate) struct Seat {
    rendezvous: Arc<Rendezvous>,
    me: usize,
    entered: Cell<bool>,
}

impl Seat {
    /// The searcher joins. It waits for a permit.
    pub(crate) fn enter(&self) -> Attendee {
        self.rendezvous.permit();
        self.entered.set(true);
        Attendee { rendezvous: Arc::clone(&self.rendezvous), me: self.me }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Rendezvous { tables, state, .. } = &*self.rendezvous;
        let mut state = lock(state);
        state.published[self.me] = tables[self.me].take_log();
        state.running -= usize::from(self.entered.get());
        state.present -= 1;
        state.over |= self.me == 0;
        self.rendezvous.close_round(&mut state);
    }
}
