//! A network in real numbers, and how it becomes one of whole numbers.

use super::sample::Sample;
use tabiya_chess::Color;
use tabiya_chess::rng::SplitMix64;
use tabiya_engine::nnue::{
    FEATURES, Network, NetworkError, NetworkWeights, QA, QB, SCALE, bucket, feature,
};

/// How wide a network is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Neurons of the hidden layer for each side.
    pub(crate) hidden: usize,
    /// Outputs.
    pub(crate) buckets: usize,
}

impl Shape {
    /// The rows of the first layer: one for each feature, and the biases.
    pub(crate) const ROWS: usize = FEATURES + 1;

    /// How many numbers a network of this shape has.
    pub(crate) fn count(self) -> usize {
        self.biases_at() + self.buckets
    }

    /// Where the weights of the output begin.
    pub(crate) fn output_at(self) -> usize {
        Shape::ROWS * self.hidden
    }

    /// Where the biases of the output begin.
    pub(crate) fn biases_at(self) -> usize {
        self.output_at() + self.buckets * 2 * self.hidden
    }

    /// Which output is used for a position.
    pub(crate) fn bucket(self, sample: &Sample) -> usize {
        if self.buckets == 1 { 0 } else { bucket(sample.pieces() as u32) }
    }
}

/// A network in real numbers.
///
/// All are in one list: for each feature what it adds to each neuron; the neurons' biases; for each
/// bucket the weights of the mover's neurons and of the other's; the buckets' biases.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Model {
    pub(crate) shape: Shape,
    pub(crate) numbers: Vec<f32>,
}

/// Where chance for the first weights comes from: no epoch shuffles with it.
const FIRST_WEIGHTS: u64 = u64::MAX;

impl Model {
    /// A network that knows nothing.
    pub(crate) fn random(shape: Shape, seed: u64) -> Model {
        let mut chance = SplitMix64::stream(seed, FIRST_WEIGHTS);
        let mut draw = |spread: f64| {
            let share = (chance.next() >> 40) as f64 / (1u64 << 24) as f64;
            (spread * (2.0 * share - 1.0)) as f32
        };
        // Wide enough that neurons differ, and narrow enough that few are beyond their limits.
        let spread = |inputs: usize| (6.0 / inputs as f64).sqrt();
        let mut numbers = vec![0.0; shape.count()];
        let (features, rest) = numbers.split_at_mut(FEATURES * shape.hidden);
        features.iter_mut().for_each(|weight| *weight = draw(spread(FEATURES)));
        let output = &mut rest[shape.hidden..][..shape.buckets * 2 * shape.hidden];
        output.iter_mut().for_each(|weight| *weight = draw(spread(2 * shape.hidden)));
        Model { shape, numbers }
    }

    /// A network of whole numbers as one of real numbers.
    pub(crate) fn from_network(network: &Network) -> Model {
        let shape = Shape { hidden: network.hidden(), buckets: network.buckets() };
        let weights = network.weights();
        let real = |number: i32, one: i32| number as f32 / one as f32;
        let first = weights.features.iter().chain(&weights.biases);
        let mut numbers: Vec<f32> = first.map(|&weight| real(weight.into(), QA)).collect();
        numbers.extend(weights.output.iter().map(|&weight| real(weight.into(), QB)));
        numbers.extend(weights.output_biases.iter().map(|&bias| real(bias, QA * QB)));
        Model { shape, numbers }
    }

    /// The same with `buckets` outputs, where there was one: they are all alike.
    pub(crate) fn with_buckets(mut self, buckets: usize) -> Model {
        let Shape { hidden, .. } = self.shape;
        let weights = self.numbers[self.shape.output_at()..self.shape.biases_at()].to_vec();
        let bias = self.numbers[self.shape.biases_at()..].to_vec();
        self.numbers.truncate(self.shape.output_at());
        (0..buckets).for_each(|_| self.numbers.extend_from_slice(&weights));
        (0..buckets).for_each(|_| self.numbers.extend_from_slice(&bias));
        Model { shape: Shape { hidden, buckets }, ..self }
    }

    /// The network in whole numbers.
    ///
    /// # Errors
    /// If the numbers are too large for it.
    pub(crate) fn quantized(&self) -> Result<Network, NetworkError> {
        let Shape { hidden, buckets } = self.shape;
        let whole = |number: f32, one: i32| (f64::from(number) * f64::from(one)).round();
        let small = |range: std::ops::Range<usize>, one: i32| {
            self.numbers[range].iter().map(|&number| whole(number, one) as i16).collect()
        };
        let biases = &self.numbers[self.shape.biases_at()..];
        let weights = NetworkWeights {
            features: small(0..FEATURES * hidden, QA),
            biases: small(FEATURES * hidden..self.shape.output_at(), QA),
            output: small(self.shape.output_at()..self.shape.biases_at(), QB),
            output_biases: biases.iter().map(|&bias| whole(bias, QA * QB) as i32).collect(),
        };
        Network::new(hidden, buckets, &weights)
    }

    /// The output that a position is judged by.
    pub(crate) fn bucket(&self, sample: &Sample) -> usize {
        self.shape.bucket(sample)
    }

    /// What a position is worth to the side to move, in the units of the search: slowly, and in as many
    /// digits as there are.
    pub(crate) fn value(&self, sample: &Sample) -> f64 {
        let hidden = self.shape.hidden;
        let row = |row: usize| &self.numbers[row * hidden..][..hidden];
        let bucket = self.shape.bucket(sample);
        let mut output = f64::from(self.numbers[self.shape.biases_at() + bucket]);
        let (kings, _) = sample.board();
        for (side, (perspective, king)) in
            [Color::White, Color::Black].into_iter().zip(kings).enumerate()
        {
            let mut neurons: Vec<f64> = row(FEATURES).iter().copied().map(f64::from).collect();
            for (piece, square) in sample.board().1 {
                let weights = row(feature(perspective, king, piece, square));
                for (neuron, &weight) in neurons.iter_mut().zip(weights) {
                    *neuron += f64::from(weight);
                }
            }
            let weights = &self.numbers[self.shape.output_at() + (2 * bucket + side) * hidden..];
            for (neuron, &weight) in neurons.iter().zip(weights) {
                let active = neuron.clamp(0.0, 1.0);
                output += active * active * f64::from(weight);
            }
        }
        output * f64::from(SCALE)
    }
}
