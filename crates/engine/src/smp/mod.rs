//! The threads of an engine, and how they divide a search among them.

pub(crate) mod deterministic;
mod lazy;
pub(crate) mod local_search;
pub(crate) mod pool;
pub mod scaling;
pub mod simulate;
pub mod ybwc;

use crate::analyst::{EventSink, Limits, RunOn};
use crate::evaluation::EvalSource;
use crate::history::Sharing;
use crate::params::Params;
use crate::search::{ProbeCount, RootResult, SharedContext, ThreadData};
use crate::smp::deterministic::{LeaveOnDrop, Rendezvous, SEARCHERS};
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
    /// Each for itself, with the table in common.
    #[default]
    Lazy,
    /// All in one tree, whose nodes are split.
    Ybwc,
    /// Searchers that meet at fixed times, so that every run is the same.
    Deterministic,
}

impl ParallelMode {
    pub(crate) const ALL: [ParallelMode; 3] =
        [ParallelMode::Lazy, ParallelMode::Ybwc, ParallelMode::Deterministic];

    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ParallelMode::Lazy => "lazy",
            ParallelMode::Ybwc => "ybwc",
            ParallelMode::Deterministic => "deterministic",
        }
    }

    /// The one that a word stands for.
    pub(crate) fn named(name: &str) -> Option<ParallelMode> {
        ParallelMode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The threads of an engine. The first of them is the one that decides; where it runs is up to the engine.
pub(crate) struct ThreadPool {
    threads: usize,
    mode: ParallelMode,
    /// One for each thread, or for each searcher of those that meet.
    seats: Vec<ThreadSlot>,
    pool: OsThreadPool,
    /// The tables of the searchers that meet.
    tables: Vec<Arc<TranspositionTable>>,
    /// What happened in the last search of a crew.
    last_crew: Option<Arc<SearchCrew>>,
}

type SearchCrew = SplitPool<OsThreads, ThreadData>;

/// Those who help the first thread.
#[derive(Default)]
pub(crate) struct Helpers {
    searches: Vec<JobHandle<Option<RootResult>>>,
    crew: Option<Arc<SearchCrew>>,
    meeting: Option<Arc<Rendezvous>>,
    /// What the others count their nodes in, if that is not what the first does.
    elsewhere: Vec<Arc<SharedContext>>,
}

impl Helpers {
    /// The first thread joins its helpers.
    pub(crate) fn join<'a>(
        self,
        shared: &'a Arc<SharedContext>,
        first: &mut ThreadData,
    ) -> SearchGroup<'a> {
        let Helpers { searches, crew, meeting, elsewhere } = self;
        first.join_pool(crew.as_ref().map(|crew| SplitMember::new(crew, shared, FIRST)));
        let (attendance, leaves) = meeting.map(|meeting| meeting.enter(FIRST)).unzip();
        first.attendance = attendance;
        SearchGroup { stop: StopOnDrop { shared, crew, _leaves: leaves }, searches, elsewhere }
    }
}

/// All threads of a search that is under way, as its first thread sees them.
pub(crate) struct SearchGroup<'a> {
    stop: StopOnDrop<'a>,
    searches: Vec<JobHandle<Option<RootResult>>>,
    elsewhere: Vec<Arc<SharedContext>>,
}

impl SearchGroup<'_> {
    /// Ends the helpers' searches once the first thread's is over, and returns their results.
    pub(crate) fn disband(self, first: &mut ThreadData) -> Vec<RootResult> {
        let SearchGroup { stop, searches, elsewhere } = self;
        let shared = stop.shared;
        // A stop by the clock or the user cannot be repeated: the others need not wait for the next
        // rendezvous.
        let nodes_left = shared.limits.nodes.is_none_or(|limit| first.all_nodes(shared) < limit);
        if first.was_aborted() && nodes_left {
            elsewhere.iter().for_each(|other| other.end());
        }
        drop(stop);
        first.join_pool(None);
        first.attendance = None;
        let others = searches.into_iter().filter_map(JobHandle::wait).collect();
        let nodes = elsewhere.iter().map(|other| other.nodes.load(Ordering::Relaxed)).sum();
        shared.elsewhere.store(nodes, Ordering::Relaxed);
        others
    }
}

/// Has all share what the first learns.
pub(crate) fn share_histories(seats: &[ThreadSlot], sharing: Sharing) {
    if let Some((first, others)) = seats.split_first() {
        let first = lock(first);
        for seat in others {
            lock(seat).histories.share(&first.histories, sharing);
        }
    }
}

/// What may be split, and how, and what those who search one tree share of what they learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SplitPolicy {
    pub(crate) rules: SplitRules,
    pub(crate) sharing: Sharing,
    /// How many are a few.
    pub(crate) few: usize,
}

impl SplitPolicy {
    pub(crate) fn of(params: &Params) -> SplitPolicy {
        SplitPolicy {
            rules: split_rules(params),
            sharing: Sharing::ALL[params.split_sharing as usize],
            few: params.split_few as usize,
        }
    }

    /// For so many threads. What a few gain by shared histories and by offers that stand is less than
    /// what two cores lose by writing to the same memory.
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
        least_depth: params.split_depth,
        standing_depth: params.split_standing,
        all_at_once: params.split_all != 0,
        patience: params.split_patience as usize,
        most_workers: params.split_workers as usize,
        most_measured: params.split_measured as usize,
        pauses: params.split_pause != 0,
        ..SplitRules::default()
    }
}

/// The number of the thread that decides.
const FIRST: usize = 0;

/// However the first thread's search ends, nobody may go on.
struct StopOnDrop<'a> {
    shared: &'a SharedContext,
    crew: Option<Arc<SearchCrew>>,
    _leaves: Option<LeaveOnDrop>,
}

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.shared.end();
        if let Some(crew) = &self.crew {
            crew.finish(FIRST);
        }
    }
}

impl ThreadPool {
    /// One worker.
    pub(crate) fn new() -> ThreadPool {
        ThreadPool {
            threads: 1,
            mode: ParallelMode::default(),
            seats: vec![Arc::new(Mutex::new(ThreadData::new(Params::DEFAULT)))],
            pool: OsThreadPool::default(),
            tables: Vec::new(),
            last_crew: None,
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
        &self.seats[0]
    }

    /// So many threads that share the work like this from now on; all stays as it is if they cannot be
    /// had.
    pub(crate) fn arrange(
        &mut self,
        threads: usize,
        mode: ParallelMode,
        params: &Params,
        judge: &EvalSource,
    ) -> io::Result<()> {
        let seats = if mode == ParallelMode::Deterministic { SEARCHERS } else { threads };
        let before = self.seats.len();
        if let Err(error) = self.pool.grow_to(seats) {
            self.pool.shrink_to(before);
            return Err(error);
        }
        self.pool.shrink_to(seats);
        self.seats.truncate(seats);
        if mode != self.mode {
            self.tables.clear();
            // What was learnt in between would be another thing with every number of threads.
            if [mode, self.mode].contains(&ParallelMode::Deterministic) {
                self.each(ThreadData::new_game);
            }
        }
        (self.threads, self.mode) = (threads, mode);
        // Each makes its own: whoever writes to memory first has it near. (What they share is the first's.)
        let newcomers: Vec<_> = (self.seats.len()..seats)
            .map(|index| {
                let (params, judge) = (params.clone(), judge.clone());
                self.pool.run(index, move || {
                    let mut worker = ThreadData::new(params);
                    worker.evaluate_by(judge);
                    worker
                })
            })
            .collect();
        let newcomers = newcomers.into_iter().map(|worker| Arc::new(Mutex::new(worker.wait())));
        self.seats.extend(newcomers);
        Ok(())
    }

    /// Forgets what the searchers that meet have in their tables.
    pub(crate) fn clear_tables(&mut self) {
        self.tables.clear();
    }

    /// Makes what the first searcher shares fit the mode: with meetings, each searcher has a part of all.
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

    /// Does something to every worker, all at once.
    pub(crate) fn each(&self, change: impl Fn(&mut ThreadData) + Clone + Send + 'static) {
        let others: Vec<_> = (1..self.seats.len())
            .map(|index| {
                let (seat, change) = (Arc::clone(&self.seats[index]), change.clone());
                self.pool.run(index, move || change(&mut lock(&seat)))
            })
            .collect();
        change(&mut lock(self.first()));
        others.into_iter().for_each(JobHandle::wait);
    }

    /// What happened at the splits of the last search.
    pub(crate) fn split_counts(&self) -> SplitCounts {
        self.last_crew.as_ref().map_or_else(SplitCounts::default, |crew| crew.counts())
    }

    /// How the table answered in the last search.
    pub(crate) fn probes(&self) -> ProbeCount {
        let each = self.seats.iter().map(|seat| lock(seat).probes());
        each.fold(ProbeCount::default(), |sum, probes| ProbeCount {
            all: sum.all + probes.all,
            inconsistent: sum.inconsistent + probes.inconsistent,
        })
    }

    /// Sets all threads but the first to work.
    fn help(
        &mut self,
        shared: &Arc<SharedContext>,
        task: &SearchTask,
        params: &Params,
        limits: &Limits,
    ) -> Helpers {
        self.last_crew = None;
        let customs = SplitPolicy::of(params).among(self.threads());
        let sharing = match self.mode {
            ParallelMode::Lazy => Sharing::ALL[params.lazy_sharing as usize],
            ParallelMode::Ybwc => customs.sharing,
            ParallelMode::Deterministic => Sharing::Nothing,
        };
        share_histories(&self.seats, sharing);
        match self.mode {
            ParallelMode::Deterministic => self.call_meeting(task, limits),
            _ if self.threads() == 1 => Helpers::default(),
            ParallelMode::Lazy => {
                let shared = Arc::clone(shared);
                let searches = self.send_out(self.threads(), task, move |index, worker, task| {
                    worker.set_bias(HelperBias::of(index));
                    worker.iterative_deepening(&shared, task.game.position(), task.lines)
                });
                Helpers { searches, ..Helpers::default() }
            }
            ParallelMode::Ybwc => {
                let threads = self.threads();
                let crew = SplitPool::new(OsThreads::new(threads), threads, customs.rules);
                (1..threads).for_each(|_| crew.sign_on());
                self.last_crew = Some(Arc::clone(&crew));
                let (own, shared) = (Arc::clone(&crew), Arc::clone(shared));
                let searches = self.send_out(threads, task, move |index, worker, _| {
                    worker.set_bias(HelperBias::default());
                    worker.join_pool(Some(SplitMember::new(&crew, &shared, index)));
                    crew.serve(index, worker);
                    worker.join_pool(None);
                    None
                });
                Helpers { searches, crew: Some(own), ..Helpers::default() }
            }
        }
    }

    /// Searchers that meet, as many of them at once as there are threads. The clock is the first's.
    fn call_meeting(&self, task: &SearchTask, limits: &Limits) -> Helpers {
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
        let meeting = Rendezvous::new(self.tables.clone(), self.threads);
        let (own, parts) = (Arc::clone(&meeting), elsewhere.clone());
        let searches = self.send_out(SEARCHERS, task, move |index, worker, task| {
            worker.set_bias(HelperBias::of(index));
            let (attendance, _leaves) = meeting.enter(index);
            worker.attendance = Some(attendance);
            let finding =
                worker.iterative_deepening(&parts[index - 1], task.game.position(), task.lines);
            worker.attendance = None;
            finding
        });
        Helpers { searches, meeting: Some(own), elsewhere, ..Helpers::default() }
    }

    /// Has all workers but the first, of so many, do their part.
    fn send_out(
        &self,
        workers: usize,
        task: &SearchTask,
        work: impl Fn(usize, &mut ThreadData, &SearchTask) -> Option<RootResult>
        + Clone
        + Send
        + 'static,
    ) -> Vec<JobHandle<Option<RootResult>>> {
        (1..workers)
            .map(|index| {
                let (seat, work) = (Arc::clone(&self.seats[index]), work.clone());
                let task = task.clone();
                self.pool.run(index, move || {
                    let mut worker = lock(&seat);
                    worker.prepare(&task.game, &task.moves);
                    work(index, &mut worker, &task)
                })
            })
            .collect()
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
        let helpers = self.help(&search.shared, &task, params, limits);
        let first = FirstThread { slot: Arc::clone(self.first()), task, listener, helpers };
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
    fn a_few_share_corrections_alone_and_offer_nothing_while_nobody_idles() {
        let customs = SplitPolicy::of(&Params::DEFAULT);
        let few = customs.among(customs.few);
        assert_eq!((few.sharing, few.rules.standing_depth), (Sharing::Corrections, i32::MAX));
        assert_eq!(customs.among(customs.few + 1), customs);
    }
}
