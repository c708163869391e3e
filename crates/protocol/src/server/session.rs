//! A conversation with a GUI in any protocol: the game, the search under way, and what waits for its end.

use super::active_search::{ActiveSearch, FailedSearch};
use super::commands::{BackgroundTask, Command, CommandKind, TaskQueue};
use super::output::Output;
use super::perft::Perft;
use super::report::SearchReport;
use crate::lines::Lines;
use std::io::{self, Read};
use std::sync::Arc;
use tabiya_chess::{CastlingStyle, Excerpt, Game, Position};
use tabiya_engine::{Analyst, Event, Limits, OptionError, OptionSetting, RunOn};

/// A longer line is not even parsed: games of 6,000 moves fit into a twentieth of it.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// At most this many options are queued during a search, so that a GUI that goes on and on cannot exhaust
/// the memory.
pub(super) const MAX_QUEUED_OPTIONS: usize = 256;

/// What a server has and does in any protocol. `command` is always the command as the GUI wrote it, by which
/// notes begin.
pub(super) struct Session {
    pub(super) analyst: Box<dyn Analyst>,
    pub(super) output: Output,
    pub(super) game: Game,
    /// Commands beyond the protocol.
    pub(super) commands: Vec<Command>,
    active: Option<ActiveSearch>,
    queued_options: Vec<QueuedOption>,
}

/// An option to be set when the search is over.
struct QueuedOption {
    command: &'static str,
    setting: OptionSetting,
}

impl Session {
    pub(super) fn new(analyst: Box<dyn Analyst>, output: Output) -> Session {
        Session {
            analyst,
            output,
            game: Game::new(Position::start()),
            commands: Vec::new(),
            active: None,
            queued_options: Vec::new(),
        }
    }

    /// The next line from the GUI; none if there is none, or the GUI does not read any more.
    pub(super) fn next_line(&self, lines: &mut Lines<impl Read>) -> Option<String> {
        while !self.output.is_broken() {
            let line = lines.next().ok()??;
            if !line.cut {
                return Some(line.text.into_owned());
            }
            let start = Excerpt::of(&line.text);
            self.output.note(format_args!(
                "a line of more than {LONGEST_LINE} bytes is left out; it begins with {start}"
            ));
        }
        None
    }

    /// The input has ended without a command to quit: background tasks are done to the end, for a user who
    /// has the commands in a file waits for their results.
    pub(super) fn finish_tasks(&mut self) {
        if let Some(active) = self.active.take_if(|active| active.running_tasks().is_some())
            && !self.output.is_broken()
        {
            active.join();
        }
    }

    /// Starts a search of where the game stands, after the end of the one under way.
    pub(super) fn search(&mut self, command: &str, limits: &Limits) -> io::Result<()> {
        self.end_search(command);
        let root = self.game.position();
        let report = SearchReport::new(&self.output, root, limits);
        let sink = {
            let report = report.clone();
            Box::new(move |event: &Event| report.event(event))
        };
        let search = match self.analyst.search(&self.game, limits, RunOn::OwnThread, Some(sink)) {
            Ok(search) => search,
            Err(error) => Arc::new(FailedSearch(error)),
        };
        self.active = Some(ActiveSearch::search(search, limits, root, report)?);
        Ok(())
    }

    /// Counts the positions at a depth, after the end of the search under way.
    pub(super) fn perft(
        &mut self,
        command: &str,
        depth: u8,
        style: CastlingStyle,
    ) -> io::Result<()> {
        self.end_search(command);
        let perft = Perft::new(self.game.position(), depth, style, &self.output);
        self.active = Some(ActiveSearch::perft(perft)?);
        Ok(())
    }

    /// Runs the command beyond the protocol that has this name; false if there is none.
    pub(super) fn run_command(&mut self, name: &str, words: &[&str]) -> bool {
        let Some(command) = self.commands.iter_mut().find(|command| command.name == name) else {
            return false;
        };
        match &mut command.kind {
            CommandKind::Immediate(run) => {
                run(&self.game, words, &mut |line| self.output.say(line));
            }
            CommandKind::Background(prepare) => {
                let (name, prepared) = (command.name, prepare(&self.game, words));
                match prepared {
                    Ok(task) => self.start_task(name, task),
                    Err(error) => self.output.note(format_args!("{name}: {error}")),
                }
            }
        }
        true
    }

    /// Does a task in the background, after those that are under way, and instead of a search.
    fn start_task(&mut self, name: &'static str, task: Arc<dyn BackgroundTask>) {
        match self.active.as_ref().and_then(ActiveSearch::running_tasks) {
            Some(tasks) if tasks.push(name, &task) => return,
            // All tasks are done, and the result of the last is being said.
            Some(_) => self.finish_search(),
            None => self.end_search(name),
        }
        match ActiveSearch::tasks(TaskQueue::new(name, task, &self.output)) {
            Ok(active) => self.active = Some(active),
            Err(error) => self.output.note(format_args!("{name}: no thread for it: {error}")),
        }
    }

    /// Stops the search under way. Its answer follows.
    pub(super) fn stop(&mut self) {
        if let Some(active) = &mut self.active {
            active.stop();
        }
    }

    /// The opponent has played the move that was pondered on.
    pub(super) fn ponder_hit(&mut self) {
        if let Some(active) = &mut self.active {
            active.ponder_hit();
        }
    }

    /// Sets an option of the analyst, at the end of the search if one is under way: what a search relies on
    /// must not change under it.
    pub(super) fn set_option(
        &mut self,
        command: &'static str,
        name: &str,
        value: &str,
    ) -> Result<(), OptionError> {
        let setting = OptionSetting::parse(self.analyst.options(), name, value)?;
        if self.is_searching() {
            self.queue_option(command, setting);
            return Ok(());
        }
        self.finish_search();
        self.analyst.apply_option(setting)
    }

    fn queue_option(&mut self, command: &'static str, setting: OptionSetting) {
        let name = setting.name();
        // In the order in which they came: a button may use what was set before it.
        self.queued_options.pop_if(|last| last.setting.name() == name);
        if self.queued_options.len() == MAX_QUEUED_OPTIONS {
            let stop = self.output.stop_command();
            let fault = format_args!(
                "{command}: {name} is left out, for {MAX_QUEUED_OPTIONS} options wait already for \
                 the search to be over; {stop} ends it"
            );
            return self.output.note(fault);
        }
        self.output.note(format_args!("{command}: {name} is set when the search is over"));
        self.queued_options.push(QueuedOption { command, setting });
    }

    /// The next search belongs to another game.
    pub(super) fn new_game(&mut self, command: &str) {
        self.end_search(command);
        if let Err(error) = self.analyst.new_game() {
            self.output.note(format_args!("{command}: {error}"));
        }
    }

    /// Is something under way that was not stopped?
    pub(super) fn is_searching(&self) -> bool {
        self.active.as_ref().is_some_and(ActiveSearch::is_under_way)
    }

    /// Ends the search under way, because of a command.
    pub(super) fn end_search(&mut self, command: &str) {
        if self.is_searching() {
            self.output.note(format_args!("{command}: the search under way is stopped first"));
            self.stop();
        }
        self.finish_search();
    }

    /// Sets the queued options if the search that they wait for is over.
    pub(super) fn set_queued_options(&mut self) {
        if !self.queued_options.is_empty() && !self.is_searching() {
            self.finish_search();
        }
    }

    /// Waits for the answer of a search that is over, and sets the queued options.
    fn finish_search(&mut self) {
        if let Some(active) = self.active.take() {
            active.join();
        }
        for QueuedOption { command, setting } in std::mem::take(&mut self.queued_options) {
            if let Err(error) = self.analyst.apply_option(setting) {
                self.output.note(format_args!("{command}: {error}"));
            }
        }
    }
}

/// However a conversation ends, every search is answered, queued options are set, and nothing goes on in the
/// background.
impl Drop for Session {
    fn drop(&mut self) {
        self.stop();
        self.finish_search();
    }
}
