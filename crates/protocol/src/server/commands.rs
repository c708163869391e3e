//! Commands beyond the protocol, for people.

use super::output::Output;
use std::collections::VecDeque;
use std::error::Error;
use std::sync::{Arc, Mutex, OnceLock};
use tabiya_chess::Game;
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, SearchHandle, SearchResult};

/// At most this many background tasks are queued behind the running one, so that commands without end cannot
/// exhaust the memory.
const MAX_QUEUED_TASKS: usize = 1000;

/// A command beyond the protocol, for people.
pub struct Command {
    /// The word that calls it.
    pub name: &'static str,
    /// What `help` says of it, in a line.
    pub help: &'static str,
    /// Does it.
    pub kind: CommandKind,
}

/// How a [`Command`] is run: it is given the game and the words after the name.
pub enum CommandKind {
    /// The server reads no other line until it returns.
    Immediate(RunCommand),
    /// It takes long: meanwhile the server reads on.
    Background(PrepareTask),
}

/// Does what is done at once, with a way to say lines.
pub type RunCommand = Box<dyn FnMut(&Game, &[&str], &mut dyn FnMut(&str)) + Send>;

/// Makes a task of the words, or an error that says what is wrong with them.
pub type PrepareTask =
    Box<dyn FnMut(&Game, &[&str]) -> Result<Arc<dyn BackgroundTask>, CommandError> + Send>;

/// Why a command beyond the protocol failed, for the user.
pub type CommandError = Box<dyn Error + Send + Sync>;

/// Something that takes long, to be done once.
pub trait BackgroundTask: Send + Sync {
    /// Does it, and returns the text that the user gets. A task that was stopped returns an error.
    fn run(&self) -> Result<String, CommandError>;

    /// Ends it soon. This may come from another thread at any time, before it has begun too.
    fn stop(&self);
}

#[derive(Clone)]
struct NamedTask {
    name: &'static str,
    task: Arc<dyn BackgroundTask>,
}

/// Background tasks, one after another. The thread that waits for them runs them.
pub(super) struct TaskQueue {
    output: Output,
    /// The first is running. There is one until all are done, and none ever after.
    queue: Mutex<VecDeque<NamedTask>>,
    last: OnceLock<TaskResult>,
}

/// The result of a task.
struct TaskResult {
    name: &'static str,
    result: Result<String, CommandError>,
}

impl TaskQueue {
    /// A queue of one task.
    pub(super) fn new(
        name: &'static str,
        task: Arc<dyn BackgroundTask>,
        output: &Output,
    ) -> TaskQueue {
        TaskQueue {
            output: output.clone(),
            queue: Mutex::new([NamedTask { name, task }].into()),
            last: OnceLock::new(),
        }
    }

    /// Queues one more task, or notes that there is no room. False if all are done already.
    pub(super) fn push(&self, name: &'static str, task: &Arc<dyn BackgroundTask>) -> bool {
        let mut queue = lock(&self.queue);
        if queue.is_empty() {
            return false;
        }
        if queue.len() > MAX_QUEUED_TASKS {
            let stop = self.output.stop_command();
            self.output.note(format_args!(
                "{name}: left out, because {MAX_QUEUED_TASKS} orders wait already; {stop} ends them"
            ));
        } else {
            queue.push_back(NamedTask { name, task: Arc::clone(task) });
        }
        true
    }

    fn say(&self, TaskResult { name, result }: &TaskResult) {
        match result {
            Ok(text) => self.output.say(text),
            Err(error) => self.output.note(format_args!("{name}: {error}")),
        }
    }

    /// Says the result of the last task.
    pub(super) fn answer(&self) {
        if let Some(last) = self.last.get() {
            self.say(last);
        }
    }
}

impl SearchHandle for TaskQueue {
    fn stop(&self) {
        let mut queue = lock(&self.queue);
        let first = queue.pop_front();
        for NamedTask { name, .. } in queue.drain(..) {
            self.output.note(format_args!("{name}: stopped before it began"));
        }
        if let Some(first) = first {
            first.task.stop();
            queue.push_front(first);
        }
    }

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        loop {
            let first = lock(&self.queue).front().cloned();
            let Some(NamedTask { name, task }) = first else {
                return Ok(SearchResult::default());
            };
            let done = TaskResult { name, result: task.run() };
            let mut queue = lock(&self.queue);
            queue.pop_front();
            if queue.is_empty() {
                // Said with the answer, when nothing is under way any more: a GUI that has read it may
                // send the next command at once.
                self.last.get_or_init(|| done);
            } else {
                drop(queue);
                self.say(&done);
            }
        }
    }
}
