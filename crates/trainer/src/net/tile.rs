//! The first layer in columns: a tile is some neurons with all their weights.
//!
//! A tile's weights stay in a core's own cache while all positions of a batch go by, and so do their
//! gradients on the way back. Since no two tiles share a weight, each is worked on by one thread at a
//! time, in the order of the positions: the number of threads changes nothing, and no gradients need
//! to be gathered.
//!
//! Sums over neurons are made in blocks of [`BLOCK`] columns, each in [`WIDTH`] lanes that are added in
//! a fixed order, whatever the width of a tile or of the processor's registers; and no multiplication is
//! fused with an addition. So every machine gives the same bits.

use super::adam::{AdamStep, Moments};
use super::batch::Chunk;
use super::lanes::{Lanes, Portable, Simd, WIDTH};
use super::model::{Model, Shape};
#[cfg(target_arch = "x86_64")]
use tabiya_chess::cpu::Avx2;
use tabiya_engine::nnue::FEATURES;

/// Columns whose sums are made in one go.
pub(crate) const BLOCK: usize = 32;

/// Parts of a block that fit into a register.
const PARTS: usize = BLOCK / WIDTH;

/// The code for which processor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Path {
    /// Any.
    Portable,
    /// With registers of 256 bits, where there are some.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Path {
    /// The fastest for the processor at hand.
    pub(crate) fn best() -> Path {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            return Path::Avx2(avx2);
        }
        Path::Portable
    }
}

/// Some columns of the hidden layer, and what is known of them during a batch.
pub(crate) struct Tile {
    /// The number of columns, a multiple of [`BLOCK`].
    width: usize,
    /// For each feature the weights of these columns, then the biases, then for each bucket the output's
    /// weights for the mover's columns and for the other's.
    pub(crate) weights: Vec<f32>,
    pub(crate) gradient: Vec<f32>,
    moments: Moments,
    /// What the columns pass on for each position of the batch, before it is squared; mover and other.
    active: Vec<f32>,
    /// For each position of the batch, what each block adds to the output.
    pub(crate) sums: Vec<f32>,
}

/// Where a tile's numbers lie in a network's list: runs of as many columns.
fn runs(shape: Shape, first: usize) -> impl Iterator<Item = usize> {
    (0..Shape::ROWS + 2 * shape.buckets).map(move |row| row * shape.hidden + first)
}

impl Tile {
    /// The columns of a network from `first` on.
    pub(crate) fn new(model: &Model, moments: &Moments, first: usize, width: usize) -> Tile {
        let cut = |numbers: &[f32]| -> Vec<f32> {
            runs(model.shape, first).flat_map(|at| &numbers[at..at + width]).copied().collect()
        };
        let weights = cut(&model.numbers);
        Tile {
            width,
            gradient: vec![0.0; weights.len()],
            weights,
            moments: Moments { mean: cut(&moments.mean), square: cut(&moments.square) },
            active: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Puts the columns back into a network.
    pub(crate) fn put_back(&self, model: &mut Model, moments: &mut Moments, first: usize) {
        let lists = [
            (&self.weights, &mut model.numbers),
            (&self.moments.mean, &mut moments.mean),
            (&self.moments.square, &mut moments.square),
        ];
        for (from, to) in lists {
            for (run, at) in from.chunks(self.width).zip(runs(model.shape, first)) {
                to[at..at + self.width].copy_from_slice(run);
            }
        }
    }

    /// Blocks in a tile.
    pub(crate) fn blocks(&self) -> usize {
        self.width / BLOCK
    }

    /// Makes room for this many positions.
    pub(crate) fn make_room(&mut self, positions: usize) {
        self.active.resize(positions * 2 * self.width, 0.0);
        self.sums.resize(positions * self.blocks(), 0.0);
    }

    /// Works out what the columns add to the outputs of some positions, the first of which is number
    /// `first` of the batch.
    pub(crate) fn forward(&mut self, path: Path, chunk: &Chunk, first: usize) {
        match path {
            Path::Portable => self.forward_with(Portable, chunk, first),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this path has a token of AVX2.
            Path::Avx2(avx2) => unsafe { self.forward_avx2(avx2, chunk, first) },
        }
    }

    /// Adds up the gradient of some positions, which have gone forward.
    pub(crate) fn backward(&mut self, path: Path, chunk: &Chunk, first: usize) {
        match path {
            Path::Portable => self.backward_with(Portable, chunk, first),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this path has a token of AVX2.
            Path::Avx2(avx2) => unsafe { self.backward_avx2(avx2, chunk, first) },
        }
    }

    /// Makes a step by the gradient, which is nothing afterwards.
    pub(crate) fn step(&mut self, path: Path, step: &AdamStep) {
        match path {
            Path::Portable => self.step_anywhere(step),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: this path has a token of AVX2.
            Path::Avx2(_) => unsafe { self.step_avx2(step) },
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn forward_avx2(&mut self, avx2: Avx2, chunk: &Chunk, first: usize) {
        self.forward_with(avx2, chunk, first);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn backward_avx2(&mut self, avx2: Avx2, chunk: &Chunk, first: usize) {
        self.backward_with(avx2, chunk, first);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn step_avx2(&mut self, step: &AdamStep) {
        self.step_anywhere(step);
    }

    #[inline(always)]
    fn forward_with<S: Simd>(&mut self, simd: S, chunk: &Chunk, first: usize) {
        let width = self.width;
        let (rows, output) = self.weights.split_at(Shape::ROWS * width);
        let active = self.active[first * 2 * width..].chunks_exact_mut(2 * width);
        let sums = self.sums[first * (width / BLOCK)..].chunks_exact_mut(width / BLOCK);
        for ((position, active), sums) in chunk.positions().zip(active).zip(sums) {
            let output = &output[position.bucket * 2 * width..][..2 * width];
            for (total, column) in sums.iter_mut().zip((0..).step_by(BLOCK)) {
                let mut sum = simd.all(0.0);
                for (side, features) in position.features.into_iter().enumerate() {
                    let biases = at(rows, FEATURES * width + column);
                    let mut neurons: [S::Lanes; PARTS] =
                        core::array::from_fn(|i| simd.load(&biases[i]));
                    for &feature in features {
                        let weights = at(rows, usize::from(feature) * width + column);
                        for i in 0..PARTS {
                            neurons[i] = neurons[i].plus(simd.load(&weights[i]));
                        }
                    }
                    let weights = at(output, side * width + column);
                    let active = at_mut(active, side * width + column);
                    for i in 0..PARTS {
                        let neuron = neurons[i].clipped();
                        neuron.store(&mut active[i]);
                        sum = sum.plus(neuron.times(neuron).times(simd.load(&weights[i])));
                    }
                }
                *total = added(sum);
            }
        }
    }

    #[inline(always)]
    fn backward_with<S: Simd>(&mut self, simd: S, chunk: &Chunk, first: usize) {
        let width = self.width;
        let output = &self.weights[Shape::ROWS * width..];
        let (row_slopes, output_slopes) = self.gradient.split_at_mut(Shape::ROWS * width);
        let active = self.active[first * 2 * width..].chunks_exact(2 * width);
        for ((position, &slope), active) in chunk.positions().zip(&chunk.slopes).zip(active) {
            let slope = simd.all(slope);
            let output = &output[position.bucket * 2 * width..][..2 * width];
            let output_slopes = &mut output_slopes[position.bucket * 2 * width..][..2 * width];
            for column in (0..width).step_by(BLOCK) {
                for (side, features) in position.features.into_iter().enumerate() {
                    let active = at(active, side * width + column);
                    let weights = at(output, side * width + column);
                    let slopes = at_mut(output_slopes, side * width + column);
                    let back: [S::Lanes; PARTS] = core::array::from_fn(|i| {
                        let active = simd.load(&active[i]);
                        let change = slope.times(active.times(active));
                        simd.load(&slopes[i]).plus(change).store(&mut slopes[i]);
                        // At either limit the neuron does not move; at 0 this is 0 already.
                        let steep = simd.all(2.0).times(active.below_one());
                        slope.times(simd.load(&weights[i])).times(steep)
                    });
                    let mut add = |row: usize| {
                        let slopes = at_mut(row_slopes, row * width + column);
                        for i in 0..PARTS {
                            simd.load(&slopes[i]).plus(back[i]).store(&mut slopes[i]);
                        }
                    };
                    add(FEATURES);
                    features.iter().for_each(|&feature| add(feature.into()));
                }
            }
        }
    }

    #[inline(always)]
    fn step_anywhere(&mut self, step: &AdamStep) {
        step.apply(&mut self.weights, &mut self.moments, &mut self.gradient);
    }
}

/// A block of numbers from a place on.
#[inline(always)]
fn at(numbers: &[f32], place: usize) -> &[[f32; WIDTH]; PARTS] {
    let block = numbers[place..place + BLOCK].as_chunks().0;
    block.first_chunk().expect("a block has as many parts")
}

#[inline(always)]
fn at_mut(numbers: &mut [f32], place: usize) -> &mut [[f32; WIDTH]; PARTS] {
    let block = numbers[place..place + BLOCK].as_chunks_mut().0;
    block.first_chunk_mut().expect("a block has as many parts")
}

/// The sum of all lanes, always in the same order.
#[inline(always)]
fn added(lanes: impl Lanes) -> f32 {
    let mut numbers = [0.0; WIDTH];
    lanes.store(&mut numbers);
    let [a, b, c, d, e, f, g, h] = numbers;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}
