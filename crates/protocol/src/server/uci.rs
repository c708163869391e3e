//! UCI, the engine's side.

mod dialect;

use super::board::Diagram;
use super::commands::Command;
use super::output::Output;
use super::session::{LONGEST_LINE, Session};
use crate::lines::Lines;
use crate::uci::option::OptionLine;
use crate::uci::setoption::SetOption;
use crate::uci::{castling_style, go, position, setoption};
use crate::words::Words;
use core::fmt::Display;
use dialect::UciDialect;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use tabiya_chess::{CastlingStyle, shortened};
use tabiya_engine::{Analyst, OptionError, OptionRegistry, OptionSpec};

/// How much of a bad line is quoted.
const LONGEST_QUOTE: usize = 120;

/// A deeper count would outlast every computer.
const DEEPEST_PERFT: u8 = 30;

/// The commands of the protocol, which are found even behind words that are not. Only `quit` is not
/// among them: a line of nonsense that happens to have the word must not end anything.
const COMMANDS: [&str; 10] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
];

/// The options that belong to the conversation rather than to the analyst, by which UCI's words change. GUIs
/// send `Ponder` and `UCI_AnalyseMode` as a courtesy; nothing here depends on them. An analyst that has options
/// of these names gets them, too.
fn own_options() -> OptionRegistry<UciDialect> {
    let mut options = OptionRegistry::default();
    options.check(
        "Ponder",
        false,
        "For the chess program; the engine ponders on every `go ponder`.",
        |_, _| Ok(()),
    );
    options.check(
        "UCI_Chess960",
        false,
        "Writes castling as king takes rook; it is read both ways in any case.",
        |dialect: &mut UciDialect, on| {
            dialect.style = castling_style(on);
            Ok(())
        },
    );
    options.check(
        "UCI_ShowWDL",
        false,
        "Shows the chances of a win, a draw and a loss (WDL), in thousandths.",
        |dialect: &mut UciDialect, on| {
            dialect.show_wdl = on;
            Ok(())
        },
    );
    options.check(
        "UCI_AnalyseMode",
        false,
        "Accepted; analysis and play do not differ.",
        |_, _| Ok(()),
    );
    options
}

/// An analyst that can be talked to in UCI.
///
/// | command | during a search |
/// | --- | --- |
/// | `isready`, `stop`, `ponderhit`, `uci`, `debug` | at once |
/// | `position` | is kept for the next search |
/// | `setoption` | is queued until the search is over |
/// | `go`, `ucinewgame` | ends the search first, which is answered before |
///
/// A [`Command`] that takes long is to all of these what a search is, but several of them wait for each
/// other.
///
/// What cannot be understood changes nothing and is named in an `info string`. Every `go` has exactly
/// one `bestmove`.
///
/// ```no_run
/// use tabiya_protocol::server::UciServer;
/// # fn analyst() -> Box<dyn tabiya_engine::Analyst> { unimplemented!() }
///
/// UciServer::new(analyst(), std::io::stdout()).run(std::io::stdin());
/// ```
pub struct UciServer {
    session: Session,
    dialect: UciDialect,
    own_options: OptionRegistry<UciDialect>,
    debug: bool,
}

impl UciServer {
    /// A server for an analyst, which says what it has to say to `output`.
    pub fn new(analyst: Box<dyn Analyst>, output: impl Write + Send + 'static) -> UciServer {
        let dialect = UciDialect { style: CastlingStyle::KingToTarget, show_wdl: false };
        let session = Session::new(analyst, Output::new(output, dialect));
        UciServer { session, dialect, own_options: own_options(), debug: false }
    }

    /// Adds a command beyond the protocol.
    #[must_use]
    pub fn with(mut self, command: Command) -> UciServer {
        self.session.commands.push(command);
        self
    }

    /// All options, as `uci` lists them: the analyst's, then those that belong to the conversation.
    pub fn options(&self) -> impl Iterator<Item = &OptionSpec> {
        let own = self.own_options.specs();
        let is_own = |name: &str| own.iter().any(|spec| spec.name == name);
        let others = self.session.analyst.options().iter();
        others.filter(move |spec| !is_own(&spec.name)).chain(own)
    }

    /// Obeys line after line until `quit`, the end of the input, or the end of the output. A search that is
    /// under way then is stopped and answered. At the end of the input alone, background tasks are not
    /// stopped: a user who has the commands in a file waits for their results.
    pub fn run(mut self, input: impl Read) {
        let mut lines = Lines::new(input, LONGEST_LINE);
        while let Some(line) = self.session.next_line(&mut lines) {
            if self.handle(&line).is_break() {
                return;
            }
        }
        self.session.finish_tasks();
    }

    /// Does what a line says; breaks if that is to quit.
    pub fn handle(&mut self, line: &str) -> ControlFlow<()> {
        self.session.set_queued_options();
        let mut words = Words::of(line);
        match words.next() {
            Some("quit") => return ControlFlow::Break(()),
            Some("help") => self.session.output.say(self.help()),
            Some("d") => {
                let position = self.session.game.position();
                self.session.output.say(Diagram { position, style: self.dialect.style });
            }
            // What a GUI says that does not know yet which protocol it will be.
            Some("xboard") | None => {}
            Some(comment) if comment.starts_with('#') => {}
            Some(first) => {
                let words: Vec<&str> = words.collect();
                if !self.session.run_command(first, &words) {
                    self.find_command(line);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Carries out the first command in a line, as the protocol asks.
    fn find_command(&mut self, line: &str) {
        let mut words = Words::of(line);
        let first = words.peek();
        let command = words.find(|word| COMMANDS.contains(word));
        let quote = || shortened(line.trim_ascii(), LONGEST_QUOTE);
        let Some(command) = command else {
            return self.note(format_args!("unknown command {:?}; try help", quote()));
        };
        if first != Some(command) {
            self.note(format_args!("{:?}: all before {command} is left out", quote()));
        }
        self.obey(command, words.rest());
    }

    fn obey(&mut self, command: &str, rest: &str) {
        match command {
            "uci" => self.introduce(),
            "isready" => self.session.output.say("readyok"),
            "go" => self.go(rest),
            "stop" => self.session.stop(),
            "ponderhit" => self.session.ponder_hit(),
            "position" => self.set_position(rest),
            "setoption" => self.set_option(rest),
            "ucinewgame" => self.session.new_game("ucinewgame"),
            "debug" => match Words::of(rest).find(|word| matches!(*word, "on" | "off")) {
                Some(state) => self.debug = state == "on",
                None => self.note("debug: on or off should follow"),
            },
            "register" => self.note("register: there is nothing to register"),
            _ => unreachable!("all commands are above"),
        }
    }

    fn note(&self, note: impl Display) {
        self.session.output.note(note);
    }

    fn introduce(&self) {
        let Session { analyst, output, .. } = &self.session;
        output.say(format_args!("id name {}", analyst.identity()));
        output.say(format_args!("id author {}", analyst.author()));
        for spec in self.options() {
            output.say(OptionLine(spec));
        }
        output.say("uciok");
    }

    fn set_position(&mut self, text: &str) {
        let (game, notes) = match position::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => return self.note(error),
        };
        self.session.game = game;
        if self.session.is_searching() {
            self.note("position: kept for the next search; the one under way goes on");
        }
        if self.debug {
            if !notes.is_empty() {
                self.note(format_args!("position: {notes}"));
            }
            self.note(format_args!("position: {}", self.session.game.position().fen()));
        }
    }

    fn set_option(&mut self, text: &str) {
        let SetOption { name, value } = match setoption::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => return self.note(error),
        };
        let value = value.unwrap_or_default();
        if let Err(error) = self.set(&name, value) {
            self.note(format_args!("setoption: {error}"));
        } else if self.debug {
            self.note(format_args!("setoption: {name} is {value}"));
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let is_own = match self.own_options.parse(name, value) {
            Ok(setting) => {
                self.own_options.prepare(setting)?(&mut self.dialect)?;
                self.session.output.set_dialect(self.dialect);
                true
            }
            Err(OptionError::Unknown(_)) => false,
            Err(error) => return Err(error),
        };
        match self.session.set_option("setoption", name, value) {
            Err(OptionError::Unknown(_)) if is_own => Ok(()),
            result => result,
        }
    }

    fn go(&mut self, text: &str) {
        let go = go::parse(text, self.session.game.position());
        for fault in &go.faults {
            self.note(fault);
        }
        let started = match go.perft {
            None => self.session.search("go", &go.limits),
            Some(depth) => match u8::try_from(depth) {
                Ok(depth @ 0..=DEEPEST_PERFT) => {
                    self.session.perft("go", depth, self.dialect.style)
                }
                _ => {
                    self.session.end_search("go");
                    return self.note(format_args!(
                        "go perft: {depth} is too deep; {DEEPEST_PERFT} is the most"
                    ));
                }
            },
        };
        if let Err(error) = started {
            self.note(format_args!("go: no thread for it: {error}"));
            self.session.output.say("bestmove 0000");
        }
    }

    fn help(&self) -> String {
        let mut help = String::from(
            "This is a chess engine that speaks UCI: usually a program with a board talks to it.\n\
             position startpos moves e2e4 | position fen FEN moves ...   set up a position\n\
             go depth 20 | go movetime 1000 | go infinite                think\n\
             stop                                                        stop thinking\n\
             setoption name NAME value VALUE                             set an option; uci lists them\n\
             go perft 5                                                  count positions\n\
             d                                                           draw the board",
        );
        for Command { name, help: line, .. } in &self.session.commands {
            help.push_str(&format!("\n{name:<60}{line}"));
        }
        help.push_str("\nquit");
        help
    }
}

#[cfg(test)]
mod tests;
