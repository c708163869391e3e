//! An engine that speaks UCI.

use super::pipe::{Desk, Outbox, listen};
use super::search::RemoteSearch;
use super::{Remote, Timeouts};
use crate::lines::Line;
use crate::uci::{bestmove, castling_style, go, info, needs_chess960, option, position, setoption};
use crate::words::Words;
use std::io::{Read, Write};
use std::sync::Arc;
use tabiya_chess::{Game, Position, shortened};
use tabiya_engine::{
    Analyst, AnalystError, EventSink, Limits, OptionError, OptionSetting, OptionSpec, OptionValue,
    RunOn, SearchHandle, SearchResult,
};

const CHESS960: &str = "UCI_Chess960";

/// More options than any engine has; those beyond are not heard.
const MOST_OPTIONS: usize = 1000;

/// Names beyond this are cut.
const LONGEST_NAME: usize = 200;

/// Where a name in `id name` ends, if what tells builds apart follows, as in `Tabiya 0.2.0 (commit 9c50120, ...)`.
const BUILD: &str = " (commit ";

/// A UCI engine at the other end of a pipe.
///
/// ```no_run
/// use std::process::{Command, Stdio};
/// use tabiya_chess::{Game, Position};
/// use tabiya_engine::{Analyst, Limits, RunOn};
/// use tabiya_protocol::client::{Timeouts, UciClient};
///
/// let mut process = Command::new("stockfish")
///     .stdin(Stdio::piped())
///     .stdout(Stdio::piped())
///     .spawn()?;
/// let (writer, reader) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
/// let mut engine = UciClient::connect("stockfish", reader, writer, Timeouts::default())?;
///
/// let limits = Limits { depth: Some(10), ..Limits::default() };
/// let game = Game::new(Position::start());
/// let search = engine.search(&game, &limits, RunOn::OwnThread, None)?;
/// println!("{:?}", search.wait()?.best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct UciClient {
    desk: Arc<Desk<Known>>,
    outbox: Outbox,
    timeouts: Timeouts,
    options: Vec<OptionSpec>,
    chess960: Chess960,
    /// The game as it was last sent.
    position: position::PositionLine,
    /// Was something set that the engine may need time for?
    unsettled: bool,
}

/// What the engine has said of itself.
#[derive(Default)]
struct Known {
    name: Option<String>,
    author: Option<String>,
    options: Vec<OptionSpec>,
    introduced: bool,
    ready: bool,
}

/// Which rules of castling the engine is set to.
#[derive(Default)]
struct Chess960 {
    on: bool,
    /// Did the user ask for it, whatever the game?
    asked_for: bool,
}

impl UciClient {
    /// Greets an engine and waits until it has introduced itself. `name` is what the user calls it.
    pub fn connect(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        timeouts: Timeouts,
    ) -> Result<UciClient, AnalystError> {
        let desk = Arc::new(Desk::new(name, Known::default()));
        let outbox = Outbox::open(&desk, writer)?;
        let ear = Arc::clone(&desk);
        listen(&desk, reader, move |line| hear(&ear, line))?;
        let mut client = UciClient {
            desk,
            outbox,
            timeouts,
            options: Vec::new(),
            chess960: Chess960::default(),
            position: position::PositionLine::new(&Position::start(), castling_style(false)),
            unsettled: true,
        };
        client.send("uci\n")?;
        client.options = client.desk.wait_for(timeouts.handshake, |known| {
            known.introduced.then(|| std::mem::take(&mut known.options))
        })?;
        Ok(client)
    }

    fn send(&self, text: impl Into<String>) -> Result<(), AnalystError> {
        self.outbox.send(text.into())
    }

    /// Waits until the engine has done all that it was sent.
    fn settle(&mut self) -> Result<(), AnalystError> {
        self.desk.learn(|known| known.ready = false);
        self.send("isready\n")?;
        let ready = |known: &mut Known| known.ready.then_some(());
        self.desk.wait_for(self.timeouts.ready, ready)?;
        self.unsettled = false;
        Ok(())
    }

    fn spec(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Agrees with the engine on the rules that a game needs.
    fn agree_on_castling(&mut self, game: &Game) -> Result<(), AnalystError> {
        let needed = needs_chess960(game.start());
        let wanted = needed || self.chess960.asked_for;
        if wanted == self.chess960.on {
            return Ok(());
        }
        let Some(spec) = self.spec(CHESS960) else {
            let what = format!(
                "it cannot play Chess960, since it has no option {CHESS960}, but {} needs it",
                game.start().shredder_fen()
            );
            return Err(self.desk.protocol_error(what));
        };
        let line = setoption::write(&spec.name, Some(if wanted { "true" } else { "false" }));
        self.send(line + "\n")?;
        self.chess960.on = wanted;
        self.unsettled = true;
        Ok(())
    }
}

impl Remote for UciClient {
    fn remote_search(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: Option<EventSink>,
    ) -> Result<Arc<RemoteSearch>, AnalystError> {
        self.desk.finish_search()?;
        self.agree_on_castling(game)?;
        if self.unsettled {
            self.settle()?;
        }
        let style = castling_style(self.chess960.on);
        let root = game.position();
        let search = Arc::new(RemoteSearch::new(
            self.desk.name(),
            root,
            limits,
            report,
            "stop\n",
            &self.outbox,
            &self.timeouts,
        ));
        self.desk.begin(&search)?;
        let position = self.position.up_to(game, style);
        let go = go::write(limits, root, style);
        self.outbox.send_start(format!("{position}\n{go}\n"), &search)?;
        Ok(search)
    }
}

impl Analyst for UciClient {
    fn name(&self) -> String {
        let identity = self.identity();
        identity.split(BUILD).next().unwrap_or_default().to_owned()
    }

    fn identity(&self) -> String {
        let name = self.desk.learn(|known| known.name.clone());
        name.unwrap_or_else(|| self.desk.name().to_owned())
    }

    fn author(&self) -> String {
        self.desk.learn(|known| known.author.clone()).unwrap_or_default()
    }

    fn options(&self) -> &[OptionSpec] {
        &self.options
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        let name = setting.name();
        let text = match setting.value() {
            OptionValue::Text(text) if text.is_empty() => Some(option::EMPTY.to_owned()),
            OptionValue::Pressed => None,
            value => Some(value.to_string()),
        };
        // A line break would be an order of its own.
        if let Some(text) = text.as_deref().filter(|text| text.contains(char::is_control)) {
            return Err(OptionError::Unfit {
                name: name.to_owned(),
                value: shortened(text, LONGEST_NAME),
                wanted: "it takes a text of one line".to_owned(),
            });
        }
        let line = setoption::write(name, text.as_deref()) + "\n";
        let sent = self.desk.finish_search().and_then(|()| self.send(line));
        sent.map_err(|error| OptionError::Failed {
            name: name.to_owned(),
            reason: error.to_string(),
        })?;
        if name.eq_ignore_ascii_case(CHESS960) {
            let on = text.as_deref() == Some("true");
            self.chess960 = Chess960 { on, asked_for: on };
        }
        self.unsettled = true;
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.desk.finish_search()?;
        self.send("ucinewgame\n")?;
        self.settle()
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        Ok(self.remote_search(game, limits, report)?)
    }
}

impl Drop for UciClient {
    fn drop(&mut self) {
        self.outbox.close("stop\nquit\n");
        self.desk.close();
    }
}

/// Takes in a line from the engine. What is not UCI is not meant for us.
fn hear(desk: &Desk<Known>, line: &Line<'_>) {
    let mut words = Words::of(&line.text);
    let name = |words: &Words<'_>| Some(shortened(words.rest(), LONGEST_NAME));
    match words.next() {
        Some("info") => {
            if let Some(search) = desk.search() {
                search.hear(|root, figures| {
                    let heard = info::parse(words.rest(), root, figures);
                    heard.events(figures)
                });
            }
        }
        Some("bestmove") => {
            if let Some(search) = desk.search() {
                let result = decide(desk, &search, words.rest());
                search.end(line.arrived, result);
            }
        }
        Some("readyok") => desk.learn(|known| known.ready = true),
        Some("uciok") => desk.learn(|known| known.introduced = true),
        Some("option") => desk.learn(|known| {
            if known.options.len() < MOST_OPTIONS {
                known.options.extend(option::parse(words.rest()));
            }
        }),
        Some("id") => match words.next() {
            Some("name") => desk.learn(|known| known.name = name(&words)),
            Some("author") => desk.learn(|known| known.author = name(&words)),
            _ => {}
        },
        _ => {}
    }
}

fn decide(
    desk: &Desk<Known>,
    search: &RemoteSearch,
    text: &str,
) -> Result<SearchResult, AnalystError> {
    match bestmove::parse(text, search.root()) {
        Ok(decision) => Ok(SearchResult {
            best: decision.best,
            ponder: decision.ponder,
            ..SearchResult::default()
        }),
        Err(error) => Err(desk.protocol_error(format!("{error} (in {})", search.root().fen()))),
    }
}

#[cfg(test)]
mod tests;
