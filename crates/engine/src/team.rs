//! The threads of an engine, and how they divide a search among them.

use crate::evaluation::Evaluation;
use crate::nnue::Network;
use crate::params::Params;
use crate::pool::{Errand, Pool};
use crate::search::{Bent, Finding, Shared, Worker};
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
}

impl Mode {
    pub(crate) const ALL: [Mode; 1] = [Mode::Lazy];

    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Lazy => "lazy",
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
}

impl Team {
    /// One worker.
    pub(crate) fn new() -> Team {
        let first = Arc::new(Mutex::new(Worker::new(Params::DEFAULT)));
        Team { seats: vec![first], pool: Pool::default(), mode: Mode::default() }
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
                    worker.evaluator = Evaluation::new(network);
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

    /// Sets all threads but the first to work, which has to wait for them in the end.
    pub(crate) fn help(&self, shared: &Arc<Shared>, task: &Task) -> Vec<Errand<Option<Finding>>> {
        (1..self.threads())
            .map(|index| {
                let (seat, shared, task) =
                    (Arc::clone(&self.seats[index]), Arc::clone(shared), task.clone());
                self.pool.run(index, move || {
                    let mut worker = lock(&seat);
                    worker.bend(Bent::of(index));
                    worker.prepare(&task.game, &task.moves);
                    worker.iterate(&shared, &task.game, task.lines, None)
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
