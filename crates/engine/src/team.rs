//! The threads of an engine, and how they divide a search among them.

use crate::nnue::Network;
use crate::params::Params;
use crate::pool::{Errand, Pool};
use crate::search::{Bent, Finding, Place, Shared, Worker};
use crate::split::{Counts, Crew, OsThreads, Rules};
use crate::thinking::{Task, lock};
use std::io;
use std::sync::{Arc, Mutex};

/// A thread's state, wherever it is at work.
pub(crate) type Seat = Arc<Mutex<Worker>>;

/// How several threads search one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Mode {
    /// Each for itself, with the table in common.
    #[default]
    Lazy,
    /// All in one tree, whose nodes are split.
    Ybwc,
}

impl Mode {
    pub(crate) const ALL: [Mode; 2] = [Mode::Lazy, Mode::Ybwc];

    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Lazy => "lazy",
            Mode::Ybwc => "ybwc",
        }
    }

    /// The one that a word stands for.
    pub(crate) fn named(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// The threads of an engine. The first of them is the one that decides; where it runs is up to the engine.
pub(crate) struct Team {
    seats: Vec<Seat>,
    pool: Pool,
    pub(crate) mode: Mode,
    /// What happened in the last search of a crew.
    last_crew: Option<Arc<SearchCrew>>,
}

type SearchCrew = Crew<OsThreads, Worker>;

/// Those who help the first thread.
#[derive(Default)]
pub(crate) struct Helpers {
    searches: Vec<Errand<Option<Finding>>>,
    crew: Option<Arc<SearchCrew>>,
}

impl Helpers {
    /// The first thread's search, to its end for all; what the others found comes with it.
    pub(crate) fn accompany<T>(
        self,
        shared: &Arc<Shared>,
        worker: &mut Worker,
        search: impl FnOnce(&mut Worker) -> T,
    ) -> (T, Vec<Finding>) {
        let Helpers { searches, crew } = self;
        worker.take_place(crew.as_ref().map(|crew| Place::new(crew, shared, FIRST)));
        let dismisses = Dismisses { shared, crew };
        let found = search(worker);
        drop(dismisses);
        worker.take_place(None);
        (found, searches.into_iter().filter_map(Errand::wait).collect())
    }
}

/// The number of the thread that decides.
const FIRST: usize = 0;

/// However the first thread's search ends, nobody may go on.
struct Dismisses<'a> {
    shared: &'a Shared,
    crew: Option<Arc<SearchCrew>>,
}

impl Drop for Dismisses<'_> {
    fn drop(&mut self) {
        self.shared.end();
        if let Some(crew) = &self.crew {
            crew.finish(FIRST);
        }
    }
}

impl Team {
    /// One worker.
    pub(crate) fn new() -> Team {
        let first = Arc::new(Mutex::new(Worker::new(Params::DEFAULT)));
        Team { seats: vec![first], pool: Pool::default(), mode: Mode::default(), last_crew: None }
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> usize {
        self.seats.len()
    }

    /// The one that decides.
    pub(crate) fn first(&self) -> &Seat {
        &self.seats[0]
    }

    /// So many threads from now on; as many as before if they cannot be had.
    pub(crate) fn resize(
        &mut self,
        threads: usize,
        params: &Params,
        network: &Option<Arc<Network>>,
    ) -> io::Result<()> {
        let before = self.threads();
        if let Err(error) = self.pool.grow_to(threads) {
            self.pool.shrink_to(before);
            return Err(error);
        }
        self.pool.shrink_to(threads);
        self.seats.truncate(threads);
        // Each makes its own: whoever writes to memory first has it near.
        let newcomers: Vec<_> = (self.threads()..threads)
            .map(|index| {
                let (params, network) = (params.clone(), network.clone());
                self.pool.run(index, move || {
                    let mut worker = Worker::new(params);
                    worker.evaluate_by(network);
                    worker
                })
            })
            .collect();
        let newcomers = newcomers.into_iter().map(|worker| Arc::new(Mutex::new(worker.wait())));
        self.seats.extend(newcomers);
        Ok(())
    }

    /// Does something to every worker, all at once.
    pub(crate) fn each(&self, change: impl Fn(&mut Worker) + Clone + Send + 'static) {
        let others: Vec<_> = (1..self.threads())
            .map(|index| {
                let (seat, change) = (Arc::clone(&self.seats[index]), change.clone());
                self.pool.run(index, move || change(&mut lock(&seat)))
            })
            .collect();
        change(&mut lock(self.first()));
        others.into_iter().for_each(Errand::wait);
    }

    /// What happened at the splits of the last search.
    pub(crate) fn split_counts(&self) -> Counts {
        self.last_crew.as_ref().map_or_else(Counts::default, |crew| crew.counts())
    }

    /// Sets all threads but the first to work.
    pub(crate) fn help(&mut self, shared: &Arc<Shared>, task: &Task, rules: Rules) -> Helpers {
        self.last_crew = None;
        match self.mode {
            _ if self.threads() == 1 => Helpers::default(),
            Mode::Lazy => {
                let searches = self.send_out(shared, task, |index, worker, shared, task| {
                    worker.bend(Bent::of(index));
                    worker.iterate(shared, &task.game, task.lines, None)
                });
                Helpers { searches, crew: None }
            }
            Mode::Ybwc => {
                let threads = self.threads();
                let crew = Crew::new(OsThreads::new(threads), threads, rules);
                (1..threads).for_each(|_| crew.sign_on());
                self.last_crew = Some(Arc::clone(&crew));
                let own = Arc::clone(&crew);
                let searches = self.send_out(shared, task, move |index, worker, shared, _| {
                    worker.bend(Bent::default());
                    worker.take_place(Some(Place::new(&crew, shared, index)));
                    crew.serve(index, worker);
                    worker.take_place(None);
                    None
                });
                Helpers { searches, crew: Some(own) }
            }
        }
    }

    fn send_out(
        &self,
        shared: &Arc<Shared>,
        task: &Task,
        work: impl Fn(usize, &mut Worker, &Arc<Shared>, &Task) -> Option<Finding>
        + Clone
        + Send
        + 'static,
    ) -> Vec<Errand<Option<Finding>>> {
        (1..self.threads())
            .map(|index| {
                let (seat, work) = (Arc::clone(&self.seats[index]), work.clone());
                let (shared, task) = (Arc::clone(shared), task.clone());
                self.pool.run(index, move || {
                    let mut worker = lock(&seat);
                    worker.prepare(&task.game, &task.moves);
                    work(index, &mut worker, &shared, &task)
                })
            })
            .collect()
    }

    /// Sees to it that the pool has a thread for the first worker.
    pub(crate) fn make_room(&mut self) -> io::Result<()> {
        self.pool.grow_to(1)
    }

    /// Has the pool's thread for the first worker do something.
    pub(crate) fn run_first(&self, work: impl FnOnce() + Send + 'static) -> Errand<()> {
        self.pool.run(0, work)
    }
}
