//! Parallel search (SMP): the threads of an engine, and how they divide a search among them.

pub(crate) mod deterministic;
mod lazy;
pub(crate) mod local_search;
#[cfg(test)]
mod panics;
pub(crate) mod pool;
pub mod scaling;
pub mod simulate;
pub mod ybwc;

use crate::analyst::{EventSink, Limits, RunOn};
use crate::evaluation::EvalSource;
use crate::history::Sharing;
use crate::params::Params;
use crate::search::{ProbeCount, RootResult, SharedContext, ThreadData};
use crate::smp::deterministic::{SEARCHERS, Seat, seats};
use crate::smp::local_search::{FirstThread, LocalSearch, SearchTask};
use crate::smp::pool::{JobHandle, OsThreadPool};
use crate::smp::ybwc::{OsThreads, SplitCounts, SplitPool, SplitRules};
use crate::sync::lock;
use crate::tt::{TranspositionTable, TtMemoryError};
use core::sync::atomic::Ordering;
pub(crate) use lazy::{HelperBias, vote};
use std::io;
use std::sync::{Arc, Mutex};
use ybwc::SplitMember;

/// A thread's state, wherever it is at work.
pub(crate) type ThreadSlot = Arc<Mutex<ThreadData>>;

/// How several threads search one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ParallelMode {
    /// Lazy SMP: each thread searches the root by itself; they share the TT.
    #[default]
    Lazy,
    /// Young Brothers Wait (YBWC): all threads search one tree, with split points.
    Ybwc,
    /// Deterministic: searchers that exchange results after fixed numbers of nodes, so that every run is the same.
    Deterministic,
}

impl ParallelMode {
    pub(crate) const ALL: [ParallelMode; 3] =
        [ParallelMode::Lazy, ParallelMode::Ybwc, ParallelMode::Deterministic];

    /// Its name as a value of the option.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ParallelMode::Lazy => "lazy",
            ParallelMode::Ybwc => "ybwc",
            ParallelMode::Deterministic => "deterministic",
        }
    }

    /// The mode with a name.
    pub(crate) fn named(name: &str) -> Option<ParallelMode> {
        ParallelMode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The threads of an engine. The first of them is the one that decides; where it runs is up to the engine.
pub(crate) struct ThreadPool {
    threads: usize,
    mode: ParallelMode,
    /// One for each thread; in the deterministic mode, one for each searcher.
    slots: Vec<ThreadSlot>,
    pool: OsThreadPool,
    /// The TTs of the deterministic mode's searchers.
    tables: Vec<Arc<TranspositionTable>>,
    /// The split pool of the last search, for its counts.
    last_split_pool: Option<Arc<SearchPool>>,
}

type SearchPool = SplitPool<OsThreads, ThreadData>;

/// All threads of a search, as its first thread sees them. Dropping it stops the helpers, also if the first
/// thread panics before it has begun.
pub(crate) struct SearchGroup {
    stop: StopOnDrop,
    searches: Vec<JobHandle<Option<RootResult>>>,
    /// The contexts in which the other searchers of the deterministic mode count their nodes.
    elsewhere: Vec<Arc<SharedContext>>,
}

impl SearchGroup {
    fn new(
        shared: &Arc<SharedContext>,
        searches: Vec<JobHandle<Option<RootResult>>>,
    ) -> SearchGroup {
        let stop = StopOnDrop { shared: Arc::clone(shared), split_pool: None, seat: None };
        SearchGroup { stop, searches, elsewhere: Vec::new() }
    }

    /// The first thread joins its helpers.
    pub(crate) fn join(&self, first: &mut ThreadData) {
        let StopOnDrop { shared, split_pool, seat } = &self.stop;
        let member = |split_pool| SplitMember::new(split_pool, shared, FIRST);
        first.join_pool(split_pool.as_ref().map(member));
        first.attendee = seat.as_ref().map(Seat::enter);
    }

    /// Ends the helpers' searches once the first thread's is over, and returns their results.
    pub(crate) fn disband(self, first: &mut ThreadData) -> Result<Vec<RootResult>, HelperPanicked> {
        let SearchGroup { stop, searches, elsewhere } = self;
        let shared = Arc::clone(&stop.shared);
        // A stop by the clock or the user cannot be repeated: the others need not wait for the next
        // rendezvous.
        let nodes_left = shared.limits.nodes.is_none_or(|limit| first.all_nodes(&shared) < limit);
        if first.was_aborted() && nodes_left {
            elsewhere.iter().for_each(|other| other.end());
        }
        drop(stop);
        first.join_pool(None);
        first.attendee = None;
        let others: Vec<_> = searches.into_iter().map(JobHandle::join).collect();
        let nodes = elsewhere.iter().map(|other| other.nodes.load(Ordering::Relaxed)).sum();
        shared.elsewhere.store(nodes, Ordering::Relaxed);
        let results: Result<Vec<_>, _> = others.into_iter().collect();
        Ok(results.map_err(|_| HelperPanicked)?.into_iter().flatten().collect())
    }
}

/// A helper's search ended by a panic, and with it the search of all threads.
pub(crate) struct HelperPanicked;

/// Ends the search of all threads if the thread that has it panics.
struct EndSearchOnPanic(Arc<SharedContext>);

impl Drop for EndSearchOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// Lets all threads share the first thread's histories.
pub(crate) fn share_histories(slots: &[ThreadSlot], sharing: Sharing) {
    if let Some((first, others)) = slots.split_first() {
        let first = lock(first);
        for slot in others {
            lock(slot).histories.share(&first.histories, sharing);
        }
    }
}

/// What may be split, and how, and which histories the threads of one tree share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SplitPolicy {
    pub(crate) rules: SplitRules,
    pub(crate) sharing: Sharing,
    /// The number of threads up to which only correction history is shared.
    pub(crate) few: usize,
}

impl SplitPolicy {
    pub(crate) fn of(params: &Params) -> SplitPolicy {
        SplitPolicy {
            rules: split_rules(params),
            sharing: Sharing::ALL[params.ybwc_sharing as usize],
            few: params.ybwc_few_threads as usize,
        }
    }

    /// The policy for a number of threads. What a few threads gain by shared histories and by standing offers
    /// is less than what two cores lose by writing to the same memory.
    pub(crate) fn among(self, threads: usize) -> SplitPolicy {
        if threads > self.few {
            return self;
        }
        let rules = SplitRules { standing_depth: i32::MAX, ..self.rules };
        SplitPolicy { rules, sharing: self.sharing.min(Sharing::Corrections), ..self }
    }
}

fn split_rules(params: &Params) -> SplitRules {
    SplitRules {
        min_depth: params.ybwc_depth,
        standing_depth: params.ybwc_standing_depth,
        all_node_moves_at_once: params.ybwc_all_node_moves != 0,
        cut_node_moves: params.ybwc_cut_node_moves as usize,
        max_threads: params.ybwc_max_threads as usize,
        max_full_window: params.ybwc_max_full_window as usize,
        pause: params.ybwc_pause != 0,
        ..SplitRules::default()
    }
}

/// The number of the thread that decides.
const FIRST: usize = 0;

/// Stops all helpers when the first thread's search ends, however it ends.
struct StopOnDrop {
    shared: Arc<SharedContext>,
    split_pool: Option<Arc<SearchPool>>,
    /// The first searcher's seat in the deterministic mode.
    seat: Option<Seat>,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.shared.end();
        if let Some(split_pool) = &self.split_pool {
            split_pool.finish(FIRST);
        }
    }
}

impl ThreadPool {
    /// One thread.
    pub(crate) fn new() -> ThreadPool {
        ThreadPool {
            threads: 1,
            mode: ParallelMode::default(),
            slots: vec![Arc::new(Mutex::new(ThreadData::new(Params::DEFAULT)))],
            pool: OsThreadPool::default(),
            tables: Vec::new(),
            last_split_pool: None,
        }
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.threads
    }

    /// How they share the work.
    pub(crate) fn mode(&self) -> ParallelMode {
        self.mode
    }

    /// The one that decides.
    pub(crate) fn first(&self) -> &ThreadSlot {
        &self.slots[0]
    }

    /// Sets the number of threads and the mode. If the threads cannot be started, nothing changes.
    pub(crate) fn arrange(
        &mut self,
        threads: usize,
        mode: ParallelMode,
        params: &Params,
        source: &EvalSource,
    ) -> io::Result<()> {
        let slots = if mode == ParallelMode::Deterministic { SEARCHERS } else { threads };
        let before = self.slots.len();
        if let Err(error) = self.pool.grow_to(slots) {
            self.pool.shrink_to(before);
            return Err(error);
        }
        self.pool.shrink_to(slots);
        self.slots.truncate(slots);
        if mode != self.mode {
            self.tables.clear();
            // What was learnt in between would be another thing with every number of threads.
            if [mode, self.mode].contains(&ParallelMode::Deterministic) {
                self.each(ThreadData::new_game);
            }
        }
        (self.threads, self.mode) = (threads, mode);
        // Each thread makes its own data: memory is near the core that writes to it first. (Shared histories are
        // the first thread's.)
        let new_slots: Vec<_> = (self.slots.len()..slots)
            .map(|index| {
                let (params, source) = (params.clone(), source.clone());
                self.pool.run(index, move || {
                    let mut thread = ThreadData::new(params);
                    thread.evaluate_by(source);
                    thread
                })
            })
            .collect();
        let new_slots = new_slots.into_iter().map(|thread| Arc::new(Mutex::new(thread.wait())));
        self.slots.extend(new_slots);
        Ok(())
    }

    /// Drops the TTs of the deterministic mode's searchers.
    pub(crate) fn clear_tables(&mut self) {
        self.tables.clear();
    }

    /// Fits the first searcher's context to the mode: in the deterministic mode it has its part of the TT and
    /// of the nodes.
    pub(crate) fn fit(&mut self, shared: &mut SharedContext) -> Result<(), TtMemoryError> {
        if self.mode == ParallelMode::Deterministic {
            if self.tables.is_empty() {
                self.tables = deterministic::tables(shared.tt.megabytes())?;
            }
            self.tables.iter().for_each(|table| table.next_generation());
            shared.tt = Arc::clone(&self.tables[FIRST]);
            shared.limits.nodes =
                shared.limits.nodes.map(|nodes| deterministic::part(nodes, FIRST));
            shared.batch = deterministic::ROUND;
        }
        Ok(())
    }

    /// Changes the data of every thread, all at once.
    pub(crate) fn each(&self, change: impl Fn(&mut ThreadData) + Clone + Send + 'static) {
        let others: Vec<_> = (1..self.slots.len())
            .map(|index| {
                let (slot, change) = (Arc::clone(&self.slots[index]), change.clone());
                self.pool.run(index, move || change(&mut lock(&slot)))
            })
            .collect();
        change(&mut lock(self.first()));
        others.into_iter().for_each(JobHandle::wait);
    }

    /// What happened at the splits of the last search.
    pub(crate) fn split_counts(&self) -> SplitCounts {
        self.last_split_pool
            .as_ref()
            .map_or_else(SplitCounts::default, |split_pool| split_pool.counts())
    }

    /// TT probes of the last search.
    pub(crate) fn probes(&self) -> ProbeCount {
        let each = self.slots.iter().map(|slot| lock(slot).probes());
        each.fold(ProbeCount::default(), |sum, probes| ProbeCount {
            all: sum.all + probes.all,
            inconsistent: sum.inconsistent + probes.inconsistent,
        })
    }

    /// Starts the helpers: all threads but the first.
    fn help(
        &mut self,
        shared: &Arc<SharedContext>,
        task: &SearchTask,
        params: &Params,
        limits: &Limits,
    ) -> SearchGroup {
        self.last_split_pool = None;
        let policy = SplitPolicy::of(params).among(self.threads());
        let sharing = match self.mode {
            ParallelMode::Lazy => Sharing::ALL[params.lazy_sharing as usize],
            ParallelMode::Ybwc => policy.sharing,
            ParallelMode::Deterministic => Sharing::Nothing,
        };
        share_histories(&self.slots, sharing);
        match self.mode {
            ParallelMode::Deterministic => self.start_searchers(shared, task, limits),
            _ if self.threads() == 1 => SearchGroup::new(shared, Vec::new()),
            ParallelMode::Lazy => {
                let searches = self.send_out(shared, self.threads(), task, |index| {
                    let shared = Arc::clone(shared);
                    move |thread: &mut ThreadData, task: &SearchTask| {
                        thread.set_bias(HelperBias::of(index));
                        thread.iterative_deepening(&shared, task.game.position(), task.lines)
                    }
                });
                SearchGroup::new(shared, searches)
            }
            ParallelMode::Ybwc => {
                let threads = self.threads();
                let split_pool = SplitPool::new(OsThreads::new(threads), threads, policy.rules);
                self.last_split_pool = Some(Arc::clone(&split_pool));
                let searches = self.send_out(shared, threads, task, |index| {
                    let (server, shared) = (split_pool.sign_on(index), Arc::clone(shared));
                    move |thread: &mut ThreadData, _: &SearchTask| {
                        thread.set_bias(HelperBias::default());
                        thread.join_pool(Some(SplitMember::new(server.pool(), &shared, index)));
                        server.serve(thread);
                        thread.join_pool(None);
                        None
                    }
                });
                let mut group = SearchGroup::new(shared, searches);
                group.stop.split_pool = Some(split_pool);
                group
            }
        }
    }

    /// Starts the searchers of the deterministic mode; as many run at once as there are threads. The first one
    /// keeps the clock.
    fn start_searchers(
        &self,
        shared: &Arc<SharedContext>,
        task: &SearchTask,
        limits: &Limits,
    ) -> SearchGroup {
        let part = |searcher: usize| {
            let nodes = limits.nodes.map(|nodes| deterministic::part(nodes, searcher));
            let limits = Limits { nodes, depth: limits.depth, ..Limits::default() };
            Arc::new(SharedContext::untimed(
                Arc::clone(&self.tables[searcher]),
                limits,
                deterministic::ROUND,
            ))
        };
        let elsewhere: Vec<Arc<SharedContext>> = (1..SEARCHERS).map(part).collect();
        let mut seats = seats(self.tables.clone(), self.threads).into_iter();
        let first = seats.next();
        let searches = self.send_out(shared, SEARCHERS, task, |index| {
            let seat = seats.next().expect("there is a seat for each searcher");
            let shared = Arc::clone(&elsewhere[index - 1]);
            move |thread: &mut ThreadData, task: &SearchTask| {
                thread.set_bias(HelperBias::of(index));
                thread.attendee = Some(seat.enter());
                let result = thread.iterative_deepening(&shared, task.game.position(), task.lines);
                thread.attendee = None;
                drop(seat);
                result
            }
        });
        let mut group = SearchGroup::new(shared, searches);
        (group.stop.seat, group.elsewhere) = (first, elsewhere);
        group
    }

    /// Gives every thread but the first its work. What a thread takes part in has begun before: a thread that
    /// panics before it does so drops its part, and no other thread waits for it.
    fn send_out<Work>(
        &self,
        shared: &Arc<SharedContext>,
        threads: usize,
        task: &SearchTask,
        mut work_of: impl FnMut(usize) -> Work,
    ) -> Vec<JobHandle<Option<RootResult>>>
    where
        Work: FnOnce(&mut ThreadData, &SearchTask) -> Option<RootResult> + Send + 'static,
    {
        let work: Vec<Work> = (1..threads).map(&mut work_of).collect();
        let send = |(index, work): (usize, Work)| {
            let (slot, task) = (Arc::clone(&self.slots[index]), task.clone());
            let ends = EndSearchOnPanic(Arc::clone(shared));
            self.pool.run(index, move || {
                let _ends = ends;
                let mut thread = lock(&slot);
                thread.prepare(&task.game, &task.moves);
                work(&mut thread, &task)
            })
        };
        (1..threads).zip(work).map(send).collect()
    }

    /// Starts a search.
    pub(crate) fn start(
        &mut self,
        shared: SharedContext,
        task: SearchTask,
        limits: &Limits,
        params: &Params,
        run: RunOn,
        listener: Option<EventSink>,
    ) -> io::Result<Arc<LocalSearch>> {
        if run == RunOn::OwnThread {
            self.pool.grow_to(1)?;
        }
        let search = LocalSearch::new(shared);
        let group = self.help(&search.shared, &task, params, limits);
        let first = FirstThread { slot: Arc::clone(self.first()), task, listener, group };
        match run {
            RunOn::Waiter => search.leave_to_waiter(first),
            RunOn::OwnThread => self.pool.search(FIRST, Arc::clone(&search), first),
        }
        Ok(search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_threads_share_corrections_alone_and_have_no_standing_offers() {
        let policy = SplitPolicy::of(&Params::DEFAULT);
        let few = policy.among(policy.few);
        assert_eq!((few.sharing, few.rules.standing_depth), (Sharing::Corrections, i32::MAX));
        assert_eq!(policy.among(policy.few + 1), policy);
    }
}
