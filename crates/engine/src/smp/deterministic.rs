//! A parallel search whose result does not depend on how many threads there are, nor on which is quicker.
//!
//! A fixed number of logical searchers search the same root, each with a table and histories of its own,
//! and each a little differently. After a fixed number of nodes each of them stops and tells what it
//! has put into its table; when all have, each adds what the others published, always in the same order, and
//! goes on. Between two such meetings nobody sees anything of the others, so it does not matter who runs
//! when: threads are only permits to run.

use crate::sync::lock;
use crate::tt::{TranspositionTable, TtLog, TtMemoryError};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many search. More can use more threads, and fewer are better with few.
pub(crate) const SEARCHERS: usize = 4;

/// How many nodes each searches between two meetings.
pub(crate) const ROUND: u64 = 1024;

/// The searchers' tables, which together have so many megabytes.
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

/// Where the searchers tell each other what they have found.
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
    /// Who has not left for good.
    present: usize,
    /// How many of them are there.
    arrived: usize,
    /// What is published at the next meeting.
    published: [TtLog; SEARCHERS],
    /// What was published at the last one.
    received: Arc<[TtLog; SEARCHERS]>,
    /// The first has left: all others leave at the next meeting, not before.
    over: bool,
    /// It had left by the last one.
    ended: bool,
}

impl Rendezvous {
    /// Of searchers with these tables, so many of whom may run at once.
    pub(crate) fn new(tables: Vec<Arc<TranspositionTable>>, permits: usize) -> Arc<Rendezvous> {
        let state = State { present: tables.len(), ..State::default() };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Arc::new(Rendezvous { tables, permits: permits.max(1), state, changed })
    }

    /// A searcher's place at it. It waits for a permit.
    pub(crate) fn enter(self: &Arc<Self>, me: usize) -> (Attendee, LeaveOnDrop) {
        self.permit();
        (Attendee { meeting: Arc::clone(self), me }, LeaveOnDrop { meeting: Arc::clone(self), me })
    }

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

/// A searcher's place at the meetings.
pub(crate) struct Attendee {
    meeting: Arc<Rendezvous>,
    me: usize,
}

impl Attendee {
    /// How many searchers there are beside this one.
    pub(crate) fn others(&self) -> u64 {
        self.meeting.tables.len() as u64 - 1
    }

    /// Tells and hears; false if all is over.
    pub(crate) fn meet(&self) -> bool {
        let Rendezvous { tables, state, changed, .. } = &*self.meeting;
        let mut state = lock(state);
        state.published[self.me] = tables[self.me].take_log();
        state.running -= 1;
        state.arrived += 1;
        let round = state.round;
        self.meeting.close_round(&mut state);
        while state.round == round {
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (received, ended) = (Arc::clone(&state.received), state.ended);
        drop(state);
        self.meeting.permit();
        for (_, log) in received.iter().enumerate().filter(|&(who, _)| who != self.me) {
            tables[self.me].adopt(log);
        }
        !ended
    }
}

/// A searcher that leaves for good when this is dropped.
pub(crate) struct LeaveOnDrop {
    meeting: Arc<Rendezvous>,
    me: usize,
}

impl Drop for LeaveOnDrop {
    fn drop(&mut self) {
        let Rendezvous { tables, state, .. } = &*self.meeting;
        let mut state = lock(state);
        state.published[self.me] = tables[self.me].take_log();
        state.running -= 1;
        state.present -= 1;
        state.over |= self.me == 0;
        self.meeting.close_round(&mut state);
    }
}
