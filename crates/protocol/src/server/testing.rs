//! An analyst made of paper, and conversations with it.

use super::{BackgroundTask, Command, CommandError, UciServer};
use std::io::{self, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tabiya_chess::{CastlingStyle, Game, Move, Position};
use tabiya_engine::{
    Analyst, AnalystError, Event, EventSink, Limits, OptionError, OptionKind, OptionSetting,
    OptionSpec, RunOn, SearchHandle, SearchResult,
};

static OPTIONS: LazyLock<Vec<OptionSpec>> = LazyLock::new(|| {
    let spec = |name: &str, kind| OptionSpec { name: name.to_owned(), kind, help: String::new() };
    let choices = ["Calm", "Wild"].map(str::to_owned).to_vec();
    vec![
        spec("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }),
        spec("Hash File", OptionKind::Text { default: String::new() }),
        spec("Clear Hash", OptionKind::Button),
        spec("Style", OptionKind::Combo { default: "Calm".to_owned(), choices }),
        spec("Ponder", OptionKind::Check { default: true }),
    ]
});

/// An analyst that logs its calls, and decides on the first legal move.
#[derive(Default)]
pub(super) struct Paper {
    /// Does it decide at once, though it should think on?
    pub(super) hasty: bool,
    /// Does it fail when it should start, or when it should decide?
    pub(super) fails: Option<Failure>,
    pub(super) log: Arc<Mutex<Vec<String>>>,
    pub(super) events: Vec<Event>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Failure {
    AtOnce,
    Later,
}

struct PaperSearch {
    over: Mutex<bool>,
    changed: Condvar,
    result: Result<SearchResult, AnalystError>,
}

impl PaperSearch {
    fn end(&self) {
        *self.over.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

impl SearchHandle for PaperSearch {
    fn stop(&self) {
        self.end();
    }

    fn ponder_hit(&self) {
        self.end();
    }

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        let over = self.over.lock().unwrap();
        drop(self.changed.wait_while(over, |over| !*over).unwrap());
        self.result.clone()
    }
}

fn gone() -> AnalystError {
    let (name, reason) = ("Paper".to_owned(), "torn".to_owned());
    AnalystError::Gone { name, reason }
}

impl Analyst for Paper {
    fn name(&self) -> String {
        "Paper 3".to_owned()
    }

    fn author(&self) -> String {
        "A. Smith".to_owned()
    }

    fn options(&self) -> &[OptionSpec] {
        &OPTIONS
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        self.log.lock().unwrap().push(format!("{}={}", setting.name(), setting.value()));
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.log.lock().unwrap().push("new game".to_owned());
        Ok(())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        self.log.lock().unwrap().push(format!("start {}", game.position().fen()));
        if self.fails == Some(Failure::AtOnce) {
            return Err(gone());
        }
        if let Some(report) = report {
            self.events.iter().for_each(report);
        }
        let position = game.position();
        let best = position.legal_moves().first().copied();
        let endless = limits.infinite || limits.ponder || *limits == Limits::default();
        let verdict =
            SearchResult { best, ponder: reply(position, best), ..SearchResult::default() };
        Ok(Arc::new(PaperSearch {
            over: Mutex::new(self.hasty || !endless),
            changed: Condvar::new(),
            result: if self.fails.is_some() { Err(gone()) } else { Ok(verdict) },
        }))
    }
}

/// A task that returns its words; with the word `endless` it waits to be stopped.
pub(super) struct PaperTask {
    words: String,
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl PaperTask {
    pub(super) fn new(words: &[&str]) -> PaperTask {
        PaperTask { words: words.join(" "), stopped: Mutex::new(false), changed: Condvar::new() }
    }
}

impl BackgroundTask for PaperTask {
    fn run(&self) -> Result<String, CommandError> {
        if self.words != "endless" {
            return Ok(self.words.clone());
        }
        let stopped = self.stopped.lock().unwrap();
        drop(self.changed.wait_while(stopped, |stopped| !*stopped).unwrap());
        Err("stopped".into())
    }

    fn stop(&self) {
        *self.stopped.lock().unwrap() = true;
        self.changed.notify_all();
    }
}

fn reply(position: &Position, mv: Option<Move>) -> Option<Move> {
    let mut next = position.clone();
    next.play(mv?).unwrap();
    next.legal_moves().first().copied()
}

/// The answer to a search from here.
pub(super) fn first_line(position: &Position) -> String {
    let mut next = position.clone();
    let style = CastlingStyle::KingToTarget;
    let best = position.legal_moves()[0];
    next.play(best).unwrap();
    let ponder = next.legal_moves()[0].uci(&next, style);
    format!("bestmove {} ponder {ponder}", best.uci(position, style))
}

/// What is written, as lines.
struct Speech {
    partial: Vec<u8>,
    lines: Sender<String>,
}

impl Write for Speech {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8(std::mem::take(&mut self.partial)).unwrap();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.partial.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A conversation with a server.
pub(super) struct Dialogue {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    server: Option<JoinHandle<()>>,
}

impl Dialogue {
    pub(super) fn with(paper: Paper) -> Dialogue {
        Dialogue::beyond(paper, Vec::new())
    }

    pub(super) fn beyond(paper: Paper, commands: Vec<Command>) -> Dialogue {
        let (reader, writer) = pipe().unwrap();
        let (sender, lines) = channel();
        let speech = Speech { partial: Vec::new(), lines: sender };
        let server = thread::spawn(move || {
            let server = UciServer::new(Box::new(paper), speech);
            commands.into_iter().fold(server, UciServer::with).run(reader);
        });
        Dialogue { input: Some(writer), lines, server: Some(server) }
    }

    pub(super) fn send(&mut self, text: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    pub(super) fn next(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(10)).expect("the server says more")
    }

    pub(super) fn expect(&self, line: &str) {
        assert_eq!(self.next(), line);
    }

    pub(super) fn expect_silence(&self) {
        let said = self.lines.recv_timeout(Duration::from_millis(100));
        assert_eq!(said, Err(RecvTimeoutError::Timeout));
    }

    /// Ends the input; the rest of what is said.
    pub(super) fn hang_up(mut self) -> Vec<String> {
        self.input.take();
        self.server.take().unwrap().join().unwrap();
        self.lines.iter().collect()
    }
}
