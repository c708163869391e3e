//! The bench: a fixed piece of work whose node count is the search's signature.

use crate::analyst::{Analyst, AnalystError, Limits, RunOn, SearchHandle};
use crate::engine::Engine;
use crate::search::CutoffCount;
use crate::sync::lock;
use crate::value::MAX_PLY;
use core::time::Duration;
use std::sync::{Arc, Mutex, Weak};
use std::time::Instant;
use tabiya_chess::{Epd, Game, Position};

/// The Bratko-Kopec test positions, by which the search's ordering is judged too.
pub const BRATKO_KOPEC: &str = include_str!("../../../data/bratko-kopec.epd");

/// The bench's depth if none is given.
pub const DEFAULT_DEPTH: u32 = 11;

/// No search looks deeper.
pub const DEEPEST: u32 = MAX_PLY as u32 - 1;

/// What a bench found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BenchReport {
    /// Nodes of all positions: the same on every machine.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How well moves were ordered.
    pub cutoffs: CutoffCount,
}

impl BenchReport {
    /// Nodes per second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// The positions of the bench: the start, and all of the suite's.
pub fn positions() -> Vec<Position> {
    let suite = BRATKO_KOPEC
        .lines()
        .filter_map(|line| line.parse::<Epd>().ok())
        .map(|epd| epd.position().clone());
    std::iter::once(Position::start()).chain(suite).collect()
}

/// Ends searches that somebody else waits for.
#[derive(Default)]
pub struct Stopper(Mutex<BenchState>);

#[derive(Default)]
struct BenchState {
    stopped: bool,
    /// The search under way. It is weak: a stopper that is kept does not keep the TT of a search that is over.
    search: Option<Weak<dyn SearchHandle>>,
}

impl Stopper {
    /// Ends what is under way soon, a bench in the middle of a position too. What begins later is over at
    /// once.
    pub fn stop(&self) {
        let mut state = lock(&self.0);
        state.stopped = true;
        if let Some(search) = state.search.as_ref().and_then(Weak::upgrade) {
            search.stop();
        }
    }

    /// Was [`Stopper::stop`] called?
    pub fn is_stopped(&self) -> bool {
        lock(&self.0).stopped
    }

    pub(crate) fn follow(&self, search: &Arc<dyn SearchHandle>) {
        let mut state = lock(&self.0);
        // The word may have come while nothing was under way that could have heard it.
        if state.stopped {
            search.stop();
        }
        state.search = Some(Arc::downgrade(search));
    }
}

/// Searches every position to a depth, each with an empty table, and tells after each.
pub fn bench(
    engine: &mut Engine,
    depth: u32,
    each: impl FnMut(&Position, &BenchReport),
) -> Result<BenchReport, AnalystError> {
    bench_until(engine, depth, &Stopper::default(), each)
}

/// The same until it is stopped. A position in whose middle that happens does not count.
pub fn bench_until(
    engine: &mut Engine,
    depth: u32,
    stopper: &Stopper,
    mut each: impl FnMut(&Position, &BenchReport),
) -> Result<BenchReport, AnalystError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = BenchReport::default();
    for position in positions() {
        engine.new_game()?;
        let begin = Instant::now();
        let game = Game::new(position.clone());
        let search = engine.search(&game, &limits, RunOn::OwnThread, None)?;
        stopper.follow(&search);
        let result = search.wait()?;
        if stopper.is_stopped() {
            break;
        }
        let report = BenchReport {
            nodes: result.info.map_or(0, |info| info.nodes),
            time: begin.elapsed(),
            cutoffs: engine.cutoffs(),
        };
        total.nodes += report.nodes;
        total.time += report.time;
        total.cutoffs.all += report.cutoffs.all;
        total.cutoffs.by_first_move += report.cutoffs.by_first_move;
        each(&position, &report);
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_is_whole() {
        assert_eq!(positions().len(), 25);
    }

    /// The signature of the search. A change of play must not land unnoticed: these counts change with it, and
    /// with nothing else.
    #[test]
    fn the_bench_is_pinned() {
        let mut engine = Engine::new().unwrap();
        let mut nodes = |depth| bench(&mut engine, depth, |_, _| ()).unwrap().nodes;
        assert_eq!([4, 6, 8].map(&mut nodes), [9_142, 25_881, 65_168]);
    }

    #[test]
    fn the_same_nodes_every_time() {
        let mut engine = Engine::new().unwrap();
        let first = bench(&mut engine, 5, |_, _| ()).unwrap();
        let again = bench(&mut engine, 5, |_, _| ()).unwrap();
        let other = bench(&mut Engine::new().unwrap(), 5, |_, _| ()).unwrap();
        assert_eq!(first.nodes, again.nodes);
        assert_eq!(first.nodes, other.nodes);
        assert_eq!(first.cutoffs, again.cutoffs);
    }

    /// How many positions were reported.
    fn reported(depth: u32, stopper: &Stopper, mut after_each: impl FnMut()) -> usize {
        let mut count = 0;
        let each = |_: &Position, _: &BenchReport| {
            count += 1;
            after_each();
        };
        bench_until(&mut Engine::new().unwrap(), depth, stopper, each).unwrap();
        count
    }

    #[test]
    fn it_is_stopped_before_it_begins_and_between_two_positions_and_within_one() {
        let stopper = Stopper::default();
        stopper.stop();
        assert!(stopper.is_stopped());
        assert_eq!(reported(DEEPEST, &stopper, || ()), 0);

        let stopper = Stopper::default();
        assert_eq!(reported(3, &stopper, || stopper.stop()), 1);

        let stopper = Stopper::default();
        std::thread::scope(|scope| {
            let bench = scope.spawn(|| reported(DEEPEST, &stopper, || ()));
            std::thread::sleep(Duration::from_millis(100));
            assert!(!bench.is_finished());
            stopper.stop();
            assert_eq!(bench.join().unwrap(), 0);
        });
    }
}
