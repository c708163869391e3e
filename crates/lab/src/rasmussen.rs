//! David Rasmussen, *Parallel Chess Searching and Bitboards* (2004).

mod alone;
mod boards;
mod copies;
mod defects;
mod printed;
mod processors;
mod simulated;
mod splits;
mod torn;

use crate::boards::bitboards::scan::ByTable;
use crate::boards::{Bitboards, Rotated};
use crate::classic::{Playable, Settings, Thought, simulate, think};
use crate::frame::experiment::{Experiment, Halt, Stop, go_on};
use crate::frame::labor::side_by_side;
use tabiya_chess::Position;
use tabiya_engine::scaling;
use tabiya_engine::ybwc::Latencies;

const WORK: &str = "rasmussen-2004";

/// His board: rotated bitboards, gone through with a table.
type His = Bitboards<Rotated, ByTable>;

/// The thesis's experiments, and those it wished for.
pub const EXPERIMENTS: &[&dyn Experiment] = &[
    &printed::Printed,
    &alone::Alone,
    &processors::Processors,
    &simulated::Simulated,
    &splits::Splits,
    &copies::Copies,
    &boards::Boards,
    &torn::TornEntries,
    &defects::WithDefects,
];

/// The ten positions and their names.
fn positions() -> Vec<(String, Position)> {
    scaling::jobs(1).into_iter().map(|job| (job.name, job.position)).collect()
}

/// What a set of searches came to, one for each position, in the thesis's terms: each column is a mean over the
/// positions.
struct Means {
    rate: f64,
    nodes: f64,
    seconds: f64,
    hash: f64,
    order: f64,
    quiescence: f64,
}

impl Means {
    fn of(thoughts: &[Thought]) -> Means {
        let mean = |value: &dyn Fn(&Thought) -> f64| {
            thoughts.iter().map(value).sum::<f64>() / thoughts.len().max(1) as f64
        };
        Means {
            rate: mean(&rate),
            nodes: mean(&|thought| thought.counters.nodes as f64),
            seconds: mean(&|thought| thought.seconds),
            hash: mean(&|thought| thought.counters.hash()),
            order: mean(&|thought| thought.counters.order()),
            quiescence: mean(&|thought| thought.counters.quiescence()),
        }
    }

    /// The three figures that belong together, against one processor: node rate, tree, time to depth.
    fn against(&self, alone: &Means) -> [f64; 3] {
        [
            self.rate / alone.rate.max(1e-9),
            self.nodes / alone.nodes.max(1.0),
            alone.seconds / self.seconds.max(1e-9),
        ]
    }
}

/// Nodes a second.
fn rate(thought: &Thought) -> f64 {
    thought.counters.nodes as f64 / thought.seconds.max(1e-9)
}

/// Searches all positions, one after the other, with so many threads.
fn search_all<B: Playable>(
    depth: u32,
    threads: usize,
    settings: Settings,
    stop: &Stop<'_>,
) -> Result<Vec<Thought>, Halt> {
    let search = |(_, position): (String, Position)| {
        go_on(stop)?;
        Ok(think::<B>(&position, depth, threads, settings))
    };
    positions().into_iter().map(search).collect()
}

/// Searches all positions in several ways, which take turns position by position, so that a slow moment of the
/// machine meets all alike, and none of them always comes first. One list for each way.
fn search_in_turn(
    ways: &[impl Fn(&Position) -> Thought],
    stop: &Stop<'_>,
) -> Result<Vec<Vec<Thought>>, Halt> {
    let mut lists = vec![Vec::new(); ways.len()];
    for (i, (_, position)) in positions().into_iter().enumerate() {
        for way in (0..ways.len()).map(|turn| (turn + i) % ways.len()) {
            go_on(stop)?;
            lists[way].push(ways[way](&position));
        }
    }
    Ok(lists)
}

/// Figures of all positions with one thread, as many positions at a time as there are processors.
fn count_all<B: Playable>(
    depth: u32,
    settings: Settings,
    stop: &Stop<'_>,
) -> Result<Vec<Thought>, Halt> {
    let positions = positions();
    side_by_side(positions.len(), stop, |i, _| think::<B>(&positions[i].1, depth, 1, settings))
}

/// Whoever joins is taken to have slept.
const LATENCIES: Latencies =
    Latencies { node: 1000, split: 3000, wake: 0, join: 15_000, merge: 1000, stop: 1000 };

/// All positions with so many virtual processors, several positions at a time: nobody times them.
fn simulate_all(
    depth: u32,
    processors: usize,
    settings: Settings,
    stop: &Stop<'_>,
) -> Result<Vec<Thought>, Halt> {
    let positions = positions();
    side_by_side(positions.len(), stop, |i, _| {
        simulate::<His>(&positions[i].1, depth, processors, settings, LATENCIES)
    })
}

/// The line that fits points best: its slope.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len().max(1) as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let products = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>();
    let squares = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    products / squares.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_fitted() {
        let points = [(1.0, 1.0), (2.0, 1.1), (3.0, 1.2)];
        assert!((slope(&points) - 0.1).abs() < 1e-9);
    }
}
