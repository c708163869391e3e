//! A parallel search whose result does not depend on how many threads there are, nor on which is quicker.
//!
//! A fixed number of logical searchers search the same root, each with a table and histories of its own,
//! and each a little differently. After a fixed number of nodes each of them stops and tells what it
//! has put into its table; when all have, each adds what the others told, always in the same order, and
//! goes on. Between two such meetings nobody sees anything of the others, so it does not matter who runs
//! when: threads are only permits to run.

use crate::table::{Journal, Table, TableMemoryError};
use crate::thinking::lock;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many search. More can use more threads, and fewer are better with few.
pub(crate) const SEARCHERS: usize = 4;

/// How many nodes each searches between two meetings.
pub(crate) const ROUND: u64 = 1024;

/// The searchers' tables, which together have so many megabytes.
pub(crate) fn tables(megabytes: usize) -> Result<Vec<Arc<Table>>, TableMemoryError> {
    let each = (megabytes / SEARCHERS).max(1);
    (0..SEARCHERS).map(|_| Ok(Arc::new(Table::new(each)?.journalling()))).collect()
}

/// A searcher's part of a limit in nodes.
pub(crate) fn part(nodes: u64, searcher: usize) -> u64 {
    let more = (searcher as u64) < nodes % SEARCHERS as u64;
    // A limit of no nodes would be none.
    (nodes / SEARCHERS as u64 + u64::from(more)).max(1)
}

/// Where the searchers tell each other what they have found.
pub(crate) struct Meeting {
    tables: Vec<Arc<Table>>,
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
    /// What is told at the next meeting.
    told: [Journal; SEARCHERS],
    /// What was told at the last one.
    heard: Arc<[Journal; SEARCHERS]>,
    /// The first has left: all others leave at the next meeting, not before.
    over: bool,
    /// It had left by the last one.
    ended: bool,
}

impl Meeting {
    /// Of searchers with these tables, so many of whom may run at once.
    pub(crate) fn new(tables: Vec<Arc<Table>>, permits: usize) -> Arc<Meeting> {
        let state = State { present: tables.len(), ..State::default() };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        Arc::new(Meeting { tables, permits: permits.max(1), state, changed })
    }

    /// A searcher's place at it. It waits for a permit.
    pub(crate) fn enter(self: &Arc<Self>, me: usize) -> (Attendance, Leaves) {
        self.permit();
        (Attendance { meeting: Arc::clone(self), me }, Leaves { meeting: Arc::clone(self), me })
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
            state.heard = Arc::new(std::mem::take(&mut state.told));
            state.ended = state.over;
            state.arrived = 0;
            state.round += 1;
        }
        self.changed.notify_all();
    }
}

/// A searcher's place at the meetings.
pub(crate) struct Attendance {
    meeting: Arc<Meeting>,
    me: usize,
}

impl Attendance {
    /// How many searchers there are beside this one.
    pub(crate) fn others(&self) -> u64 {
        self.meeting.tables.len() as u64 - 1
    }

    /// Tells and hears; false if all is over.
    pub(crate) fn meet(&self) -> bool {
        let Meeting { tables, state, changed, .. } = &*self.meeting;
        let mut state = lock(state);
        state.told[self.me] = tables[self.me].take_journal();
        state.running -= 1;
        state.arrived += 1;
        let round = state.round;
        self.meeting.close_round(&mut state);
        while state.round == round {
            state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let (heard, ended) = (Arc::clone(&state.heard), state.ended);
        drop(state);
        self.meeting.permit();
        for (_, journal) in heard.iter().enumerate().filter(|&(who, _)| who != self.me) {
            tables[self.me].adopt(journal);
        }
        !ended
    }
}

/// A searcher that leaves for good when this is dropped.
pub(crate) struct Leaves {
    meeting: Arc<Meeting>,
    me: usize,
}

impl Drop for Leaves {
    fn drop(&mut self) {
        let Meeting { tables, state, .. } = &*self.meeting;
        let mut state = lock(state);
        state.told[self.me] = tables[self.me].take_journal();
        state.running -= 1;
        state.present -= 1;
        state.over |= self.me == 0;
        self.meeting.close_round(&mut state);
    }
}
