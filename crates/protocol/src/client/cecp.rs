//! An engine that speaks CECP, the protocol of xboard.

mod control;
mod feature;
mod thinking;

use super::pipe::{Desk, Outbox, listen};
use super::search::{Gesture, RemoteSearch};
use super::{Remote, Timeouts};
use crate::lines::Line;
use crate::uci::needs_chess960;
use crate::words::Words;
use control::Control;
use feature::{Features, HASH, THREADS, features};
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;
use tabiya_chess::{CastlingStyle, Game, Move, Position, SanError, shortened};
use tabiya_engine::{
    Analyst, AnalystError, Event, EventSink, Limits, OptionError, OptionSetting, OptionSpec,
    OptionValue, RunOn, SearchHandle, SearchResult,
};

/// How long after its first feature an engine is given to say that it is done, unless it asks for
/// more. The protocol counts from its own greeting, but a busy machine may not even have started the
/// engine by then.
const FEATURES: Duration = Duration::from_secs(2);

/// Orders that the engine has to understand if its moves are to be what was asked for.
const VITAL_ORDERS: [&str; 9] =
    ["new", "variant", "force", "setboard", "usermove", "level", "st", "sd", "go"];

/// Longer remarks are cut.
const LONGEST_REMARK: usize = 200;

/// A CECP engine at the other end of a pipe; [`UciClient`](super::UciClient) is used the same way.
///
/// CECP knows clocks, time and depth as limits, but neither nodes nor mates nor certain moves, and
/// to think without end is to think for a day. [`RemoteSearch::gesture`] has resignations and
/// offers.
pub struct CecpClient {
    desk: Arc<Desk<Known>>,
    outbox: Outbox,
    timeouts: Timeouts,
    features: Features,
    /// The last ping.
    pings: u64,
    /// What the engine has on its board; none if that is not known.
    board: Option<Board>,
    games: u64,
    /// Was its depth ever limited?
    depth_limited: bool,
}

/// What the engine has said of itself.
#[derive(Default)]
struct Known {
    features: Features,
    /// Has a line of features come?
    begun: bool,
    done: Option<bool>,
    /// The last ping that was answered.
    pong: u64,
    /// The moves that it was last sent.
    sent: Vec<String>,
    /// The command that the engine rejected.
    refusal: Option<String>,
}

/// A game as the engine knows it.
struct Board {
    start: Position,
    moves: Vec<Move>,
    control: Control,
    /// The search from here: its move is on the engine's board as soon as it is made.
    search: Option<Arc<RemoteSearch>>,
}

impl CecpClient {
    /// Greets an engine and waits until it has introduced itself. `name` is what the user calls it.
    pub fn connect(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        timeouts: Timeouts,
    ) -> Result<CecpClient, AnalystError> {
        let desk = Arc::new(Desk::new(name, Known::default()));
        let outbox = Outbox::open(&desk, writer)?;
        let (ear, mouth) = (Arc::clone(&desk), outbox.clone());
        listen(&desk, reader, move |line| hear(&ear, &mouth, line))?;
        let mut client = CecpClient {
            desk,
            outbox,
            timeouts,
            features: Features::default(),
            pings: 0,
            board: None,
            games: 0,
            depth_limited: false,
        };
        client.outbox.send("xboard\nprotover 2\n".to_owned())?;
        client.wait_for_features()?;
        client.features = client.desk.learn(|known| std::mem::take(&mut known.features));
        Ok(client)
    }

    fn wait_for_features(&self) -> Result<(), AnalystError> {
        let begun = |known: &mut Known| known.begun.then_some(());
        let finished = |known: &mut Known| known.done.filter(|&done| done);
        let timeout = self.timeouts.handshake;
        match self.desk.wait_for(timeout, begun) {
            Ok(()) => {}
            // An engine of the first version of the protocol has no features.
            Err(AnalystError::Silent { .. }) => return Ok(()),
            Err(error) => return Err(error),
        }
        match self.desk.wait_for(FEATURES.min(timeout), finished) {
            Err(AnalystError::Silent { .. }) => {}
            other => return other.map(drop),
        }
        match self.desk.learn(|known| known.done) {
            Some(false) => self.desk.wait_for(timeout, finished).map(drop),
            _ => Ok(()),
        }
    }

    /// Waits until the engine has read all it was sent, if it has `ping`.
    fn settle(&mut self) -> Result<(), AnalystError> {
        if self.features.ping {
            self.pings += 1;
            let ping = self.pings;
            self.outbox.send(format!("ping {ping}\n"))?;
            let answered = |known: &mut Known| (known.pong == ping).then_some(());
            self.desk.wait_for(self.timeouts.ready, answered)?;
        }
        match self.desk.learn(|known| known.refusal.take()) {
            Some(refusal) => Err(self.desk.protocol_error(refusal)),
            None => Ok(()),
        }
    }

    /// What brings the engine's board to where a game stands: orders, and then moves.
    fn way_to(
        &self,
        game: &Game,
        control: &Control,
    ) -> Result<(String, Vec<String>), AnalystError> {
        let board = self.board.as_ref().filter(|board| board.leads_to(game, control));
        let (orders, known) = match board {
            Some(board) => (String::from("force\n"), board.moves.len()),
            None => (self.set_up(game.start(), control)?, 0),
        };
        let chess960 = needs_chess960(game.start());
        let mut position = game.start().clone();
        let mut moves = Vec::new();
        for (i, &mv) in game.moves().iter().enumerate() {
            if i >= known {
                moves.push(write_move(mv, &position, chess960));
            }
            position.play_unchecked(mv);
        }
        Ok((orders, moves))
    }

    /// Sends what brings the engine's board to where a game stands.
    fn bring_to(&mut self, game: &Game, control: &Control) -> Result<(), AnalystError> {
        let (mut orders, moves) = self.way_to(game, control)?;
        // Until the engine has moved, its board is unknown.
        self.board = None;
        self.depth_limited |= control.limits_depth();
        let prefix = if self.features.usermove { "usermove " } else { "" };
        for mv in &moves {
            orders.push_str(&format!("{prefix}{mv}\n"));
        }
        self.desk.learn(|known| known.sent = moves);
        self.outbox.send(orders)?;
        self.settle()
    }

    fn set_up(&self, start: &Position, control: &Control) -> Result<String, AnalystError> {
        let mut way = String::from("new\n");
        if needs_chess960(start) {
            if !self.features.chess960 {
                let what = format!("it cannot play Chess960, but {} needs it", start.fen());
                return Err(self.desk.protocol_error(what));
            }
            way.push_str("variant fischerandom\n");
        }
        way.push_str("force\npost\neasy\n");
        way.push_str(&control.for_game());
        if self.depth_limited && !control.limits_depth() {
            // A new game should have no limit of depth, but some engines keep the one they had.
            way.push_str(control::NO_DEPTH);
        }
        if *start != Position::start() {
            if !self.features.setboard {
                let what = format!("it has no setboard, so it cannot begin at {}", start.fen());
                return Err(self.desk.protocol_error(what));
            }
            way.push_str(&format!("setboard {}\n", start.fen()));
        }
        Ok(way)
    }
}

impl Board {
    /// Can the engine come from here to a game's position without a new game?
    fn leads_to(&self, game: &Game, control: &Control) -> bool {
        self.start == *game.start()
            && game.moves().starts_with(&self.moves)
            && self.control.is_like(control)
    }

    /// The board after the search that was last begun on it; none if the engine may have anything on
    /// its board now.
    fn after_search(mut self) -> Option<Board> {
        if let Some(search) = self.search.take() {
            let result = search.wait_for(Duration::ZERO)?.ok()?;
            self.moves.push(result.best?);
        }
        Some(self)
    }
}

impl Remote for CecpClient {
    fn remote_search(
        &mut self,
        game: &Game,
        limits: &Limits,
        report: Option<EventSink>,
    ) -> Result<Arc<RemoteSearch>, AnalystError> {
        let control = match Control::new(limits) {
            Ok(control) => control,
            Err(limit) => {
                let what = format!("CECP engines cannot be limited by {limit}");
                return Err(self.desk.protocol_error(what));
            }
        };
        self.desk.finish_search()?;
        self.board = self.board.take().and_then(Board::after_search);
        self.bring_to(game, &control)?;
        let root = game.position();
        let search = Arc::new(RemoteSearch::new(
            self.desk.name(),
            root,
            limits,
            report,
            "?\n",
            &self.outbox,
            &self.timeouts,
        ));
        self.desk.begin(&search)?;
        let mut orders = String::new();
        if self.features.time {
            orders.push_str(&control.for_move());
        }
        orders.push_str("go\n");
        self.outbox.send_start(orders, &search)?;
        self.board = Some(Board {
            start: game.start().clone(),
            moves: game.moves().to_vec(),
            control,
            search: Some(Arc::clone(&search)),
        });
        Ok(search)
    }
}

impl Analyst for CecpClient {
    fn name(&self) -> String {
        let name = self.features.name.clone();
        name.unwrap_or_else(|| self.desk.name().to_owned())
    }

    /// Empty: CECP has no word for it.
    fn author(&self) -> String {
        String::new()
    }

    fn options(&self) -> &[OptionSpec] {
        &self.features.options
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        let name = setting.name();
        let order = match (name, setting.value()) {
            (HASH, OptionValue::Spin(megabytes)) => format!("memory {megabytes}\n"),
            (THREADS, OptionValue::Spin(threads)) => format!("cores {threads}\n"),
            (_, OptionValue::Spin(number)) => format!("option {name}={number}\n"),
            (_, OptionValue::Check(on)) => format!("option {name}={}\n", u8::from(*on)),
            (_, OptionValue::Pressed) => format!("option {name}\n"),
            // A line break would be an order of its own.
            (_, OptionValue::Text(text)) if text.contains(char::is_control) => {
                let value = shortened(text, LONGEST_REMARK);
                let wanted = "it takes a text of one line".to_owned();
                return Err(OptionError::Unfit { name: name.to_owned(), value, wanted });
            }
            (_, OptionValue::Text(text)) => format!("option {name}={text}\n"),
        };
        let sent = self.desk.finish_search().and_then(|()| self.outbox.send(order));
        sent.map_err(|error| OptionError::Failed {
            name: name.to_owned(),
            reason: error.to_string(),
        })
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        self.desk.finish_search()?;
        self.games += 1;
        if self.games > 1 && !self.features.reuse {
            return Err(AnalystError::Gone {
                name: self.desk.name().to_owned(),
                reason: "it plays only one game each time it is started (reuse=0)".to_owned(),
            });
        }
        self.board = None;
        Ok(())
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

impl Drop for CecpClient {
    fn drop(&mut self) {
        self.outbox.close("force\nquit\n");
        self.desk.close();
    }
}

fn write_move(mv: Move, position: &Position, chess960: bool) -> String {
    if mv.is_castling() && chess960 {
        let side = if mv.to() > mv.from() { "O-O" } else { "O-O-O" };
        return side.to_owned();
    }
    mv.uci(position, CastlingStyle::KingToTarget).to_string()
}

/// Reads a move in either notation.
fn parse_move(text: &str, position: &Position) -> Result<Move, SanError> {
    position.parse_uci(text).or_else(|_| position.parse_san(text))
}

/// Takes in a line from the engine. What is not CECP is not meant for us.
fn hear(desk: &Desk<Known>, outbox: &Outbox, line: &Line<'_>) {
    let words: Vec<&str> = Words::of(&line.text).take(5).collect();
    let thinking = || desk.search().filter(|search| !search.is_over());
    let remark = || shortened(line.text.trim_ascii(), LONGEST_REMARK);
    match words[..] {
        ["move", mv, ..] | ["My" | "my", "move", "is:", mv, ..] | ["My", "move", "is", ":", mv] => {
            if let Some(search) = thinking() {
                let result = decide(desk, &search, mv);
                search.end(line.arrived, result);
            }
        }
        ["pong", ping, ..] => {
            if let Ok(ping) = ping.parse() {
                desk.learn(|known| known.pong = ping);
            }
        }
        ["feature", ..] => hear_features(desk, outbox, &line.text),
        ["resign", ..] | ["tellics", "resign", ..] => {
            if let Some(search) = thinking() {
                search.set_gesture(Gesture::Resigns);
                search.end(line.arrived, Ok(SearchResult::default()));
            }
        }
        ["offer", "draw", ..] => {
            if let Some(search) = desk.search() {
                search.set_gesture(Gesture::OffersDraw);
            }
        }
        ["1-0" | "0-1" | "1/2-1/2", ..] => {
            // After a move it is a comment; only without one does it stand for something.
            if let Some(search) = thinking() {
                search.set_gesture(Gesture::Claims(remark()));
                search.end(line.arrived, Ok(SearchResult::default()));
            }
        }
        ["Illegal", ..] | ["Error", ..] => hear_complaint(desk, line),
        ["telluser" | "tellusererror" | "tellall", ..] => {
            if let Some(search) = thinking() {
                search.hear(|_, _| [Event::Note(remark())]);
            }
        }
        [first, ..] if first.starts_with(|sign: char| sign.is_ascii_digit()) => {
            if let Some(search) = thinking() {
                search.hear(|root, _| thinking::parse(&line.text, root).map(Event::Info));
            }
        }
        _ => {}
    }
}

fn hear_features(desk: &Desk<Known>, outbox: &Outbox, text: &str) {
    let text = text.trim_ascii_start().strip_prefix("feature").unwrap_or_default();
    for (feature, value) in features(text) {
        let taken = desk.learn(|known| known.features.take(feature, value));
        let answer = if taken { "accepted" } else { "rejected" };
        // An engine that is gone will be found to be gone.
        let _ = outbox.send(format!("{answer} {feature}\n"));
        // Only now may orders follow: none is to overtake the answer.
        desk.learn(|known| {
            known.begun = true;
            if feature == "done" {
                known.done = Some(value == "1");
            }
        });
    }
}

/// Takes in a complaint such as `Illegal move: e2e4` or `Error (unknown command): sd`. Engines complain
/// of much that does not matter, and some call every order that they do not know an illegal move.
fn hear_complaint(desk: &Desk<Known>, line: &Line<'_>) {
    let of_what = line.text.split_once(':').map_or("", |(_, of_what)| of_what);
    let mut of_what = Words::of(of_what);
    let word = of_what.next().unwrap_or_default();
    let is_ours = |known: &mut Known| known.sent.iter().any(|mv| mv == word);
    let quoted = format!("{:?}", shortened(line.text.trim_ascii(), LONGEST_REMARK));
    let what = if VITAL_ORDERS.contains(&word) {
        format!("it does not understand what it has to: {quoted}")
    } else if desk.learn(is_ours) {
        format!("it refuses a legal move: {quoted}")
    } else {
        return;
    };
    match desk.search().filter(|search| !search.is_over()) {
        Some(search) => search.end(line.arrived, Err(desk.protocol_error(what))),
        None => desk.learn(|known| known.refusal = Some(what)),
    }
}

fn decide(
    desk: &Desk<Known>,
    search: &RemoteSearch,
    text: &str,
) -> Result<SearchResult, AnalystError> {
    match parse_move(text, search.root()) {
        Ok(mv) => Ok(SearchResult { best: Some(mv), ..SearchResult::default() }),
        Err(error) => {
            Err(desk.protocol_error(format!("move: {error} (in {})", search.root().fen())))
        }
    }
}

#[cfg(test)]
mod tests;
