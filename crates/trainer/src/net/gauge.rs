//! How fast the trainer is, for the benchmark.

use super::adam::{AdamSteps, Moments};
use super::machine::{Lesson, Machine};
use super::model::{Model, Shape};
use super::recipe::NetRecipe;
use super::sample::{FeatureTable, Sample};
use super::tile::Path;

/// Whether the hidden layer is cut into tiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tiling {
    /// As in every training.
    Usual,
    /// All columns in one tile.
    Whole,
}

/// Positions to a batch.
pub const BATCH: usize = 4096;

/// Samples as another trainer can read them: for each its number of pieces, n, then n features of
/// the side to move and n of the other.
pub fn features(samples: &[Sample]) -> Vec<u16> {
    let table = FeatureTable::new();
    let mut list = Vec::new();
    for sample in samples {
        list.push(sample.pieces() as u16);
        table.extend(&mut list, sample);
    }
    list
}

/// A network of the given width that learns from samples over and over.
pub struct Gauge<'a> {
    machine: Machine,
    clock: AdamSteps,
    samples: &'a [Sample],
    order: Vec<u32>,
}

impl Gauge<'_> {
    /// A network that knows nothing, and one thread.
    pub fn new(samples: &[Sample], hidden: usize, tiling: Tiling) -> Gauge<'_> {
        let shape = Shape { hidden, buckets: 1 };
        let (model, moments) = (Model::random(shape, 1), Moments::new(shape.count()));
        let machine = match tiling {
            Tiling::Usual => Machine::new(model, moments, 1),
            Tiling::Whole => Machine::with(model, moments, 1, hidden, Path::best()),
        };
        let order = (0..samples.len() as u32).collect();
        Gauge { machine, clock: AdamSteps::new(), samples, order }
    }

    /// Goes through all samples once; the sum of the squared errors.
    pub fn learn(&mut self) -> f64 {
        let recipe = NetRecipe::default();
        let (samples, order, target) = (self.samples, &self.order, recipe.target());
        let lesson = Lesson { samples, order, batch: BATCH, done: 0, error: 0.0, target };
        let mut next_step = || self.clock.tick(&recipe, 1 << 20);
        self.machine.go_through(&lesson, Some(&mut next_step), &|| false, &mut |_| ()).error
    }
}
