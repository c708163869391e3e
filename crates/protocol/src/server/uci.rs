//! UCI, the engine's side.

use super::board::Diagram;
use super::extra::{Errand, Errands, Extra, RunExtra};
use super::output::Output;
use super::perft::Count;
use super::thinking::{Failed, Telling, Thinking};
use crate::lines::Lines;
use crate::uci::option::OptionLine;
use crate::uci::setoption::SetOption;
use crate::uci::{castling_style, go, position, setoption};
use crate::words::Words;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use tabiya_chess::{CastlingStyle, Excerpt, Game, Position, shortened};
use tabiya_engine::{
    Analyst, Event, Limits, OptionError, OptionKind, OptionSpec, OptionValue, RunOn,
};

/// A longer line is not even tried: games of 6,000 moves fit into a twentieth of it.
const LONGEST_LINE: usize = 1 << 20;

/// How much of a bad line is quoted.
const LONGEST_QUOTE: usize = 120;

/// So many wishes wait for the end of a search at the most: a program that goes on and on must not fill the
/// memory.
const MOST_DEFERRED: usize = 256;

/// Nobody will ever know the count of more.
const DEEPEST_PERFT: u32 = 30;

/// The orders of the protocol, which are found even behind words that are not. Only `quit` is not
/// among them: a line of nonsense that happens to have the word must not end anything.
const ORDERS: [&str; 10] = [
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

const CHESS960: &str = "UCI_Chess960";
const SHOW_WDL: &str = "UCI_ShowWDL";

/// The options that belong to the conversation rather than to the analyst. GUIs send `Ponder` and
/// `UCI_AnalyseMode` as a courtesy; nothing here depends on them. An analyst that has options of these
/// names is told, too.
const OWN_OPTIONS: [&str; 4] = ["Ponder", CHESS960, SHOW_WDL, "UCI_AnalyseMode"];

/// An analyst that can be talked to in UCI.
///
/// | order | while it thinks |
/// | --- | --- |
/// | `isready`, `stop`, `ponderhit`, `uci`, `debug` | at once |
/// | `position` | is kept for the next search |
/// | `setoption` | is kept until the search is over |
/// | `go`, `ucinewgame` | ends the search first, which is answered before |
///
/// An [`Extra`] that takes long is to all of these what a search is, but several of them wait for each
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
    analyst: Box<dyn Analyst>,
    output: Output,
    game: Game,
    style: CastlingStyle,
    show_wdl: bool,
    debug: bool,
    thinking: Option<Thinking>,
    /// What is to be set when the search is over.
    deferred: Vec<(String, String)>,
    extras: Vec<Extra>,
}

impl UciServer {
    /// A server for an analyst, which says what it has to say to `output`.
    pub fn new(analyst: Box<dyn Analyst>, output: impl Write + Send + 'static) -> UciServer {
        UciServer {
            analyst,
            output: Output::new(output),
            game: Game::new(Position::start()),
            style: CastlingStyle::KingToTarget,
            show_wdl: false,
            debug: false,
            thinking: None,
            deferred: Vec::new(),
            extras: Vec::new(),
        }
    }

    /// Adds an order beyond the protocol.
    #[must_use]
    pub fn with(mut self, extra: Extra) -> UciServer {
        self.extras.push(extra);
        self
    }

    /// Does what it is told until it is told to quit, or nobody is there any more. A search that is
    /// under way then is stopped and answered. Where the input just ends, an [`Extra`] is not stopped:
    /// whoever has the orders in a file waits for what comes of them.
    pub fn run(mut self, input: impl Read) {
        let mut lines = Lines::new(input, LONGEST_LINE);
        while let Ok(Some(line)) = lines.next() {
            if line.cut {
                let start = Excerpt::of(&line.text);
                self.output.note(format_args!(
                    "a line of more than {LONGEST_LINE} bytes is left out; it begins with {start}"
                ));
            } else if self.handle(&line.text).is_break() {
                return;
            }
            if self.output.is_broken() {
                return;
            }
        }
        if let Some(thinking) = self.thinking.take_if(|thinking| thinking.errands().is_some()) {
            thinking.join();
        }
    }

    /// Does what a line says; breaks if that is to quit.
    pub fn handle(&mut self, line: &str) -> ControlFlow<()> {
        if !self.deferred.is_empty() && !self.is_thinking() {
            self.finish_search();
        }
        let mut words = Words::of(line);
        match words.next() {
            Some("quit") => return ControlFlow::Break(()),
            Some("help") => self.output.say(self.help()),
            Some("d") => {
                self.output.say(Diagram { position: self.game.position(), style: self.style })
            }
            // What a GUI says that does not know yet which protocol it will be.
            Some("xboard") | None => {}
            Some(comment) if comment.starts_with('#') => {}
            Some(first) if !self.run_extra(first, &words) => self.find_order(line),
            Some(_) => {}
        }
        ControlFlow::Continue(())
    }

    fn run_extra(&mut self, name: &str, words: &Words<'_>) -> bool {
        let Some(extra) = self.extras.iter_mut().find(|extra| extra.name == name) else {
            return false;
        };
        let words: Vec<&str> = words.clone().collect();
        match &mut extra.run {
            RunExtra::AtOnce(run) => run(&self.game, &words, &mut |line| self.output.say(line)),
            RunExtra::InBackground(prepare) => {
                let (name, prepared) = (extra.name, prepare(&self.game, &words));
                match prepared {
                    Ok(errand) => self.send_out(name, errand),
                    Err(fault) => self.output.note(format_args!("{name}: {fault}")),
                }
            }
        }
        true
    }

    /// Has an errand done, after those that are under way and instead of a search.
    fn send_out(&mut self, name: &'static str, errand: Arc<dyn Errand>) {
        match self.thinking.as_ref().and_then(Thinking::errands) {
            Some(errands) if errands.take_on(name, &errand) => return,
            // They are done, and the last word on them is being said.
            Some(_) => self.finish_search(),
            None => self.end_search(name),
        }
        match Thinking::running(Errands::new(name, errand, &self.output)) {
            Ok(thinking) => self.thinking = Some(thinking),
            Err(error) => self.output.note(format_args!("{name}: no thread for it: {error}")),
        }
    }

    /// Carries out the first order in a line, as the protocol asks.
    fn find_order(&mut self, line: &str) {
        let mut words = Words::of(line);
        let first = words.peek();
        let order = words.find(|word| ORDERS.contains(word));
        let quote = || shortened(line.trim_ascii(), LONGEST_QUOTE);
        let Some(order) = order else {
            return self.output.note(format_args!("unknown command {:?}; try help", quote()));
        };
        if first != Some(order) {
            self.output.note(format_args!("{:?}: all before {order} is left out", quote()));
        }
        self.obey(order, words.rest());
    }

    fn obey(&mut self, order: &str, rest: &str) {
        match order {
            "uci" => self.introduce(),
            "isready" => self.output.say("readyok"),
            "go" => self.go(rest),
            "stop" => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.stop();
                }
            }
            "ponderhit" => {
                if let Some(thinking) = &mut self.thinking {
                    thinking.ponder_hit();
                }
            }
            "position" => self.set_position(rest),
            "setoption" => self.set_option(rest),
            "ucinewgame" => self.new_game(),
            "debug" => match Words::of(rest).find(|word| matches!(*word, "on" | "off")) {
                Some(state) => self.debug = state == "on",
                None => self.output.note("debug: on or off should follow"),
            },
            "register" => self.output.note("register: there is nothing to register"),
            _ => unreachable!("all orders are above"),
        }
    }

    fn introduce(&self) {
        self.output.say(format_args!("id name {}", self.analyst.name()));
        self.output.say(format_args!("id author {}", self.analyst.author()));
        for spec in &self.analyst.options() {
            if !OWN_OPTIONS.contains(&spec.name.as_str()) {
                self.output.say(OptionLine(spec));
            }
        }
        for name in OWN_OPTIONS {
            self.output.say(OptionLine(&own_option(name)));
        }
        self.output.say("uciok");
    }

    fn set_position(&mut self, text: &str) {
        let (game, notes) = match position::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => return self.output.note(error),
        };
        self.game = game;
        if self.is_thinking() {
            self.output.note("position: kept for the next search; the one under way goes on");
        }
        if self.debug {
            if !notes.is_empty() {
                self.output.note(format_args!("position: {notes}"));
            }
            self.output.note(format_args!("position: {}", self.game.position().fen()));
        }
    }

    fn set_option(&mut self, text: &str) {
        let SetOption { name, value } = match setoption::parse(text) {
            Ok(wish) => wish,
            Err(error) => return self.output.note(error),
        };
        let value = value.unwrap_or_default();
        if let Err(error) = self.set(&name, value) {
            self.output.note(format_args!("setoption: {error}"));
        } else if self.debug {
            self.output.note(format_args!("setoption: {name} is {value}"));
        }
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let named = |own: &str| own.eq_ignore_ascii_case(name);
        let own = OWN_OPTIONS.into_iter().find(|own| named(own));
        if let Some(own) = own {
            let on = own_option(own).parse(value)? == OptionValue::Check(true);
            match own {
                CHESS960 => self.style = castling_style(on),
                SHOW_WDL => self.show_wdl = on,
                _ => {}
            }
        }
        let Some(spec) = self.analyst.options().into_iter().find(|spec| named(&spec.name)) else {
            let unknown = || OptionError::Unknown(shortened(name, LONGEST_QUOTE));
            return own.map(drop).ok_or_else(unknown);
        };
        spec.parse(value)?;
        if self.is_thinking() {
            self.defer(spec.name, value);
            return Ok(());
        }
        self.finish_search();
        self.analyst.set_option(&spec.name, value)
    }

    /// Sets an option when the search is over: what a search relies on must not change under it.
    fn defer(&mut self, name: String, value: &str) {
        // In the order in which they came: a button may use what was set before it.
        self.deferred.pop_if(|(last, _)| *last == name);
        if self.deferred.len() == MOST_DEFERRED {
            let fault = format_args!(
                "setoption: {name} is left out, for {MOST_DEFERRED} options wait already for the \
                 search to be over; stop ends it"
            );
            return self.output.note(fault);
        }
        self.output.note(format_args!("setoption: {name} is set when the search is over"));
        self.deferred.push((name, value.to_owned()));
    }

    fn new_game(&mut self) {
        self.end_search("ucinewgame");
        if let Err(error) = self.analyst.new_game() {
            self.output.note(format_args!("ucinewgame: {error}"));
        }
    }

    fn go(&mut self, text: &str) {
        let order = go::parse(text, self.game.position());
        for fault in &order.faults {
            self.output.note(fault);
        }
        self.end_search("go");
        let thinking = match order.perft {
            Some(depth) if depth > DEEPEST_PERFT => {
                let fault =
                    format_args!("go perft: {depth} is too deep; {DEEPEST_PERFT} is the most");
                return self.output.note(fault);
            }
            Some(depth) => self.count(depth),
            None => self.think(&order.limits),
        };
        match thinking {
            Ok(thinking) => self.thinking = Some(thinking),
            Err(error) => {
                self.output.note(format_args!("go: no thread for it: {error}"));
                self.output.say("bestmove 0000");
            }
        }
    }

    fn think(&mut self, limits: &Limits) -> io::Result<Thinking> {
        let root = self.game.position();
        let telling = Telling::new(&self.output, root, self.style, self.show_wdl, limits);
        let report = {
            let telling = telling.clone();
            Box::new(move |event: &Event| telling.tell(event))
        };
        let search = match self.analyst.search(&self.game, limits, RunOn::OwnThread, Some(report)) {
            Ok(search) => search,
            Err(error) => Arc::new(Failed(error)),
        };
        Thinking::on(search, limits, telling)
    }

    fn count(&self, depth: u32) -> io::Result<Thinking> {
        let position = self.game.position();
        Thinking::counting(Count::new(position, depth, self.style, &self.output))
    }

    fn is_thinking(&self) -> bool {
        self.thinking.as_ref().is_some_and(Thinking::is_under_way)
    }

    /// Ends the search under way, because something else is wanted.
    fn end_search(&mut self, order: &str) {
        if let Some(thinking) = &mut self.thinking
            && thinking.is_under_way()
        {
            self.output.note(format_args!("{order}: the search under way is stopped first"));
            thinking.stop();
        }
        self.finish_search();
    }

    /// Waits for the answer of a search that is over, and sets what had to wait for it.
    fn finish_search(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.join();
        }
        for (name, value) in std::mem::take(&mut self.deferred) {
            if let Err(error) = self.analyst.set_option(&name, &value) {
                self.output.note(format_args!("setoption: {error}"));
            }
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
        for Extra { name, help: line, .. } in &self.extras {
            help.push_str(&format!("\n{name:<60}{line}"));
        }
        help.push_str("\nquit");
        help
    }
}

/// However it ends, every `go` is answered, what was to be done after it is done, and nothing goes on in
/// the background.
impl Drop for UciServer {
    fn drop(&mut self) {
        if let Some(thinking) = &mut self.thinking {
            thinking.stop();
        }
        self.finish_search();
    }
}

fn own_option(name: &str) -> OptionSpec {
    OptionSpec {
        name: name.to_owned(),
        kind: OptionKind::Check { default: false },
        help: String::new(),
    }
}

#[cfg(test)]
mod tests;
