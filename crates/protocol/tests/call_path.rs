//! A `go` reaches the analyst by few calls. From there `crates/engine/src/call_path.rs` goes on: together at
//! most four calls until the search thread starts.
//!
//! Counted are our own functions in a backtrace, inlined functions and closures included.
#![cfg(debug_assertions)]

use std::backtrace::Backtrace;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use tabiya_chess::Game;
use tabiya_engine::{
    Analyst, AnalystError, EventSink, Limits, OptionError, OptionSetting, OptionSpec, RunOn,
    SearchHandle, SearchResult,
};
use tabiya_protocol::server::UciServer;

/// Calls from the function that has parsed `go` to the one that calls the analyst. The engine's part makes
/// three more.
const CALLS: usize = 1;

/// Sends a backtrace of every search.
struct Tracer(Mutex<Sender<String>>);

struct NoMove;

impl SearchHandle for NoMove {
    fn stop(&self) {}

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        Ok(SearchResult::default())
    }
}

impl Analyst for Tracer {
    fn name(&self) -> String {
        "Tracer".to_owned()
    }

    fn author(&self) -> String {
        String::new()
    }

    fn options(&self) -> &[OptionSpec] {
        &[]
    }

    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError> {
        Err(OptionError::Unknown(setting.name().to_owned()))
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        Ok(())
    }

    fn search(
        &mut self,
        _: &Game,
        _: &Limits,
        _: RunOn,
        _: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        self.0.lock().unwrap().send(Backtrace::force_capture().to_string()).unwrap();
        Ok(Arc::new(NoMove))
    }
}

/// The functions of this crate's library in a backtrace, outermost first, each with its file.
fn calls(backtrace: &str) -> Vec<(String, String)> {
    let mut calls = Vec::new();
    let mut name = "";
    for line in backtrace.lines().map(str::trim) {
        let Some(place) = line.strip_prefix("at ") else {
            // Behind the frame's number.
            name = line.split_once(": ").map_or(line, |(_, name)| name);
            continue;
        };
        let tail = place.rsplit_once("crates/protocol/src/").or(place.split_once("./src/"));
        if let Some(file) = tail.and_then(|(_, tail)| tail.split(':').next()) {
            calls.push((name.to_owned(), file.to_owned()));
        }
    }
    calls.reverse();
    calls
}

#[test]
fn the_way_from_go_to_the_analyst_is_short() {
    let (sender, backtraces) = channel();
    let server = UciServer::new(Box::new(Tracer(Mutex::new(sender))), std::io::sink());
    server.run(&b"go depth 1\n"[..]);
    let calls = calls(&backtraces.recv().unwrap());

    // An inlined function has no path in its name.
    let is_go = |name: &str| name == "go" || name.ends_with("::go");
    let go = calls.iter().position(|(name, _)| is_go(name)).unwrap_or_else(|| panic!("{calls:#?}"));
    let after = &calls[go + 1..];
    assert!((1..=CALLS).contains(&after.len()), "{after:?}");
    let mut files: Vec<&str> = calls.iter().map(|(_, file)| file.as_str()).collect();
    files.dedup();
    for (i, file) in files.iter().enumerate() {
        assert!(!files[..i].contains(file), "{file} is left and entered again: {calls:#?}");
    }
}
