//! A test of how far it is from the entrance of a search to its root node.
//!
//! A call path is the list of our own functions in a backtrace, outermost first. What is counted, inlined
//! functions and closures included:
//!
//! - calls from [`Engine::search`], itself the first, to the function that hands the search to its thread
//!   (a protocol's session makes one call before: `tests/call_path.rs` in `crates/protocol`);
//! - frames on that thread before the root node, which is the first one in `alpha_beta.rs`;
//! - files along both, none of which may be left and entered again.

use crate::{Analyst, Engine, Event, Limits, RunOn};
use std::backtrace::Backtrace;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use tabiya_chess::{Game, Position};

/// Calls from the entrance until the search thread starts. A session's call is the fourth.
const CALLS: usize = 3;

/// Frames from there to the root node.
const FRAMES: usize = 5;

/// The files of our functions in a backtrace, outermost first, without this file.
fn files(backtrace: &str) -> Vec<String> {
    let places = backtrace.lines().filter_map(|line| line.trim_start().strip_prefix("at "));
    let ours = places.filter_map(|place| {
        let (_, file) = place.rsplit_once("crates/engine/src/").or(place.split_once("./src/"))?;
        let file = file.split(':').next()?;
        (file != "call_path.rs").then(|| file.to_owned())
    });
    let mut files: Vec<String> = ours.collect();
    files.reverse();
    files
}

/// The files on the way to the root node.
fn before_root(mut files: Vec<String>) -> Vec<String> {
    let root = files.iter().position(|file| file == "search/alpha_beta.rs");
    files.truncate(root.expect("the current move is reported from the root node"));
    files
}

fn no_file_is_entered_again(files: &[String]) {
    let mut entered = files.to_vec();
    entered.dedup();
    for (i, file) in entered.iter().enumerate() {
        assert!(!entered[..i].contains(file), "{file} is left and entered again: {entered:?}");
    }
}

/// Starts an endless search, and gets a backtrace when it reports its first current move: at the root node.
fn search(engine: &mut Engine, run: RunOn) -> (Arc<dyn crate::SearchHandle>, Receiver<String>) {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let game = Game::new(Position::from_fen(fen).unwrap());
    let limits = Limits { infinite: true, ..Limits::default() };
    let (sender, backtraces) = channel();
    let report = Box::new(move |event: &Event| {
        if matches!(event, Event::CurrentMove { .. }) {
            // The first is enough for the test, which then hangs up.
            let _ = sender.send(Backtrace::force_capture().to_string());
        }
    });
    (engine.search(&game, &limits, run, Some(report)).unwrap(), backtraces)
}

#[test]
fn the_way_to_the_root_node_is_short() {
    let mut engine = Engine::new().unwrap();
    let (search, backtraces) = search(&mut engine, RunOn::OwnThread);
    let on_thread = before_root(files(&backtraces.recv().unwrap()));
    search.stop();
    search.wait().unwrap();
    let local = engine.running_search().expect("the search that was started");
    let to_thread = files(&local.started_from().expect("it has a thread of its own"));

    assert_eq!(to_thread.first().map(String::as_str), Some("engine.rs"), "{to_thread:?}");
    assert!(to_thread.len() <= CALLS, "{to_thread:?}");
    assert!((1..=FRAMES).contains(&on_thread.len()), "{on_thread:?}");
    no_file_is_entered_again(&[to_thread, on_thread].concat());
}

#[test]
fn so_it_is_on_the_thread_of_the_caller() {
    let mut engine = Engine::new().unwrap();
    let (search, backtraces) = search(&mut engine, RunOn::Waiter);
    let own = Arc::clone(&search);
    let waiter = std::thread::Builder::new().stack_size(Engine::SEARCH_STACK);
    let waiter = waiter.spawn(move || own.wait().map(drop)).unwrap();
    let on_thread = before_root(files(&backtraces.recv().unwrap()));
    search.stop();
    waiter.join().unwrap().unwrap();
    assert!((1..=FRAMES).contains(&on_thread.len()), "{on_thread:?}");
    no_file_is_entered_again(&on_thread);
}
