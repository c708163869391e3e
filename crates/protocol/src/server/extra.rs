//! Orders beyond the protocol, for people.

use super::output::Output;
use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Arc, Mutex, OnceLock};
use tabiya_chess::Game;
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, SearchHandle, SearchResult};

/// More errands than this do not wait for each other: whoever sends orders without end must not fill the
/// memory with them.
const MOST_WAITING: usize = 1000;

/// An order beyond the protocol, for people.
pub struct Extra {
    /// The word that calls it.
    pub name: &'static str,
    /// What `help` says of it, in a line.
    pub help: &'static str,
    /// Does it.
    pub run: RunExtra,
}

/// What does an [`Extra`]: it is given the game and the words after the name.
pub enum RunExtra {
    /// Nothing else is heard until it returns.
    AtOnce(RunAtOnce),
    /// It takes long: meanwhile the server listens.
    InBackground(PrepareErrand),
}

/// Does what is done at once, with a way to say lines.
pub type RunAtOnce = Box<dyn FnMut(&Game, &[&str], &mut dyn FnMut(&str)) + Send>;

/// Makes of the words what is to be done in the background, or tells what is wrong with them.
pub type PrepareErrand = Box<dyn FnMut(&Game, &[&str]) -> Result<Arc<dyn Errand>, Fault> + Send>;

/// Why something beyond the protocol was not done. The user is told.
pub type Fault = Box<dyn Error + Send + Sync>;

/// Something that takes long, to be done once.
pub trait Errand: Send + Sync {
    /// Does it, and returns what there is to say of it. One that was stopped has a fault to tell.
    fn run(&self) -> Result<String, Fault>;

    /// Ends it soon. This may come from another thread at any time, before it has begun too.
    fn stop(&self);
}

#[derive(Clone)]
struct Named {
    name: &'static str,
    errand: Arc<dyn Errand>,
}

/// Errands, one after another. Whoever waits for them does them.
pub(super) struct Errands {
    output: Output,
    /// The first is under way. There is one until all are done, and none ever after.
    agenda: Mutex<VecDeque<Named>>,
    last: OnceLock<Done>,
}

/// What came of an errand.
struct Done {
    name: &'static str,
    outcome: Result<String, Fault>,
}

impl Errands {
    /// To begin with, one.
    pub(super) fn new(name: &'static str, errand: Arc<dyn Errand>, output: &Output) -> Errands {
        Errands {
            output: output.clone(),
            agenda: Mutex::new([Named { name, errand }].into()),
            last: OnceLock::new(),
        }
    }

    /// Takes one more on, or says why not. False if that comes too late, for all are done.
    pub(super) fn take_on(&self, name: &'static str, errand: &Arc<dyn Errand>) -> bool {
        let mut agenda = lock(&self.agenda);
        if agenda.is_empty() {
            return false;
        }
        if agenda.len() > MOST_WAITING {
            self.output.note(format_args!(
                "{name}: left out, because {MOST_WAITING} orders wait already; stop ends them"
            ));
        } else {
            agenda.push_back(Named { name, errand: Arc::clone(errand) });
        }
        true
    }

    fn tell(&self, Done { name, outcome }: &Done) {
        match outcome {
            Ok(said) => self.output.say(said),
            Err(fault) => self.output.note(format_args!("{name}: {fault}")),
        }
    }

    /// Tells what came of the last one.
    pub(super) fn answer(&self) {
        if let Some(done) = self.last.get() {
            self.tell(done);
        }
    }
}

impl SearchHandle for Errands {
    fn stop(&self) {
        let mut agenda = lock(&self.agenda);
        let first = agenda.pop_front();
        for Named { name, .. } in agenda.drain(..) {
            self.output.note(format_args!("{name}: stopped before it began"));
        }
        if let Some(first) = first {
            first.errand.stop();
            agenda.push_front(first);
        }
    }

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        loop {
            let first = lock(&self.agenda).front().cloned();
            let Some(Named { name, errand }) = first else {
                return Ok(SearchResult::default());
            };
            let done = Done { name, outcome: errand.run() };
            let mut agenda = lock(&self.agenda);
            agenda.pop_front();
            if agenda.is_empty() {
                // Told with the answer, when nothing is under way any more: whoever has read it may
                // give the next order at once.
                self.last.get_or_init(|| done);
            } else {
                drop(agenda);
                self.tell(&done);
            }
        }
    }
}
