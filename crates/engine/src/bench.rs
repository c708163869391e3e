//! The bench: a fixed piece of work whose node count is the search's signature.

use crate::analyst::{Analyst, AnalystError, Limits};
use crate::engine::Engine;
use crate::search::CutoffCount;
use core::time::Duration;
use std::time::Instant;
use tabiya_chess::{Epd, Game, Position};

/// The Bratko-Kopec test positions, by which the search's ordering is judged too.
pub const BRATKO_KOPEC: &str = include_str!("../../../data/bratko-kopec.epd");

/// How deep the bench looks unless told otherwise.
pub const DEFAULT_DEPTH: u32 = 11;

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

/// Searches every position to a depth, each with an empty table, and tells after each.
pub fn bench(
    engine: &mut Engine,
    depth: u32,
    mut each: impl FnMut(&Position, &BenchReport),
) -> Result<BenchReport, AnalystError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut total = BenchReport::default();
    for position in positions() {
        engine.new_game()?;
        let begin = Instant::now();
        let search = engine.start(&Game::new(position.clone()), &limits, Box::new(|_| ()))?;
        let verdict = search.wait()?;
        let report = BenchReport {
            nodes: verdict.info.map_or(0, |info| info.nodes),
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
}
