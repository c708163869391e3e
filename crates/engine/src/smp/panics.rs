//! Tests: a panic in any thread of a search ends it with an error, and no thread waits for ever.

use crate::search::PanicPoint;
use crate::sync::lock;
use crate::{Analyst, AnalystError, Engine, Limits, RunOn};
use std::sync::mpsc::channel;
use std::time::Duration;
use tabiya_chess::{Game, Position};

/// The result of an endless search in which a thread panics.
fn search_with_panic(mode: &str, thread: usize, point: PanicPoint) -> AnalystError {
    let mut engine = Engine::new().unwrap();
    for (name, value) in [("Hash", "1"), ("Threads", "2"), ("Parallel Mode", mode)] {
        engine.set_option(name, value).unwrap();
    }
    let game = Game::new(Position::start());
    lock(&engine.thread_pool().slots[thread]).panic_point = Some(point);
    let limits = Limits { infinite: true, ..Limits::default() };
    let search = engine.search(&game, &limits, RunOn::OwnThread, None).unwrap();
    let (sender, result) = channel();
    std::thread::spawn(move || sender.send(search.wait()));
    let result = result.recv_timeout(Duration::from_secs(60)).expect("the search ends");
    let error = result.expect_err("a thread panicked");

    // The engine is as good as before.
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let next = engine.search(&game, &limits, RunOn::Waiter, None).unwrap().wait().unwrap();
    assert!(next.best.is_some());
    error
}

#[test]
fn a_panic_in_any_thread_ends_the_search_with_an_error() {
    for mode in ["lazy", "ybwc", "deterministic"] {
        for thread in [0, 1] {
            for point in [PanicPoint::BeforeSearch, PanicPoint::InSearch] {
                let error = search_with_panic(mode, thread, point);
                let AnalystError::Panicked { best, .. } = error else {
                    panic!("{mode}, thread {thread}, {point:?}: {error}");
                };
                // The first thread's best move is known if a helper panicked.
                if thread == 1 && mode != "ybwc" {
                    assert!(best.is_some(), "{mode}, {point:?}");
                }
            }
        }
    }
}

#[test]
fn a_panic_on_the_thread_of_the_caller_is_an_error_too() {
    let mut engine = Engine::new().unwrap();
    lock(&engine.thread_pool().slots[0]).panic_point = Some(PanicPoint::InSearch);
    let limits = Limits { depth: Some(20), ..Limits::default() };
    let game = Game::new(Position::start());
    let search = engine.search(&game, &limits, RunOn::Waiter, None).unwrap();
    assert!(matches!(search.wait(), Err(AnalystError::Panicked { .. })));
}
