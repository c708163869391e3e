//! An engine that goes takes its threads with it. Alone in its file, for it counts the threads of the
//! process.
#![cfg(target_os = "linux")]

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Engine, Limits, RunOn};

/// How many threads of this process are an engine's.
fn searching() -> usize {
    let threads = std::fs::read_dir("/proc/self/task").unwrap();
    // A thread may end while it is looked at.
    let name = |path: std::path::PathBuf| std::fs::read_to_string(path.join("comm"));
    threads
        .filter_map(|thread| name(thread.unwrap().path()).ok())
        .filter(|name| name.starts_with("search"))
        .count()
}

/// How many searchers the mode `deterministic` has, however many threads they may use.
const DETERMINISTIC_SEARCHERS: usize = 4;

/// One test for all modes: no other may have threads of its own meanwhile.
#[test]
fn quitting_joins_every_thread() {
    for mode in ["lazy", "ybwc", "deterministic"] {
        let of = |threads: usize| {
            if mode == "deterministic" { DETERMINISTIC_SEARCHERS } else { threads }
        };
        let mut engine = Engine::new().unwrap();
        engine.set_option("Parallel Mode", mode).unwrap();
        engine.set_option("Threads", "32").unwrap();
        assert_eq!(searching(), of(32), "{mode}");
        let game = Game::new(Position::start());
        let endless = Limits { infinite: true, ..Limits::default() };
        let search = engine.search(&game, &endless, RunOn::OwnThread, None).unwrap();
        assert_eq!(searching(), of(32), "{mode}");
        engine.set_option("Threads", "9").unwrap();
        assert_eq!(searching(), of(9), "{mode}");
        assert!(search.wait().unwrap().best.is_some());
        let search = engine.search(&game, &endless, RunOn::OwnThread, None).unwrap();
        drop(engine);
        assert_eq!(searching(), 0, "{mode}");
        assert!(search.wait().unwrap().best.is_some());
    }
}
