//! The engine of today as a specimen: it thinks, and can be interrupted.

use crate::frame::experiment::Halt;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use tabiya_chess::{Game, Position};
use tabiya_engine::lock;
use tabiya_engine::{Analyst, Engine, Event, Limits, RunOn, Score};

/// Nodes until each depth was reached, and seconds.
pub(crate) type Depths = Vec<(u32, u64, f64)>;

/// Something went wrong.
pub(crate) fn wrong(error: impl std::fmt::Display) -> Halt {
    Halt::Wrong(error.to_string())
}

/// An engine as it plays.
pub(crate) fn engine() -> Result<Engine, Halt> {
    Engine::new().map_err(wrong)
}

/// Thinks about a position, and tells what every depth took and what came out.
pub(crate) fn think(
    engine: &mut Engine,
    position: &Position,
    limits: &Limits,
    stop: &dyn Fn() -> bool,
) -> Result<(Depths, Option<Score>), Halt> {
    let depths: Arc<Mutex<Depths>> = Arc::default();
    let told = Arc::clone(&depths);
    let report = Box::new(move |event: &Event| {
        if let Event::Info(info) = event {
            let mut depths = lock(&told);
            let entry = (info.depth, info.nodes, info.time.as_secs_f64());
            match depths.last_mut().filter(|last| last.0 == info.depth) {
                Some(last) => *last = entry,
                None => depths.push(entry),
            }
        }
    });
    let game = Game::new(position.clone());
    let search = engine.search(&game, limits, RunOn::OwnThread, Some(report)).map_err(wrong)?;
    let verdict = thread::scope(|scope| {
        let waiting = scope.spawn(|| search.wait());
        while !waiting.is_finished() {
            if stop() {
                search.stop();
            }
            thread::sleep(Duration::from_millis(5));
        }
        waiting.join()
    });
    if stop() {
        return Err(Halt::Interrupted);
    }
    let verdict = verdict.map_err(|_| wrong("the search ended with a panic"))?.map_err(wrong)?;
    let depths = lock(&depths).clone();
    Ok((depths, verdict.info.map(|info| info.score)))
}
