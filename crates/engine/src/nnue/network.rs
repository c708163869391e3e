//! The network: its quantised weights, and a position's value by them.

use super::feature::{FEATURES, feature};
use super::lanes::{Lanes, WIDTH};
use super::{BUCKETS, QA, QB, SCALE, bucket};
use crate::value::{EVAL_LIMIT, Value};
use core::fmt;
use sha2::{Digest, Sha256};
use tabiya_chess::{Color, Position};

/// The weights of a network as plain numbers, in which [`QA`] and [`QB`] are one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NetworkWeights {
    /// For each [`feature`](super::feature()), what it adds to each neuron; in units of 1 / [`QA`].
    pub features: Vec<i16>,
    /// Each neuron's start, in units of 1 / [`QA`].
    pub biases: Vec<i16>,
    /// For each bucket, a weight for each neuron of the side to move, then for each of the opponent;
    /// in units of 1 / [`QB`].
    pub output: Vec<i16>,
    /// For each bucket, in units of 1 / ([`QA`] [`QB`]).
    pub output_biases: Vec<i32>,
}

/// Why a network was refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file could not be read.
    #[error("the network file cannot be read: {0}")]
    Unreadable(String),
    /// It does not begin as a network does.
    #[error("this is not a network file of Tabiya: it should begin with \"TabiyaNN\"")]
    Foreign,
    /// It ends within the header or the weights.
    #[error("the network file is cut off: it has {found} bytes, and {expected} are wanted")]
    Truncated {
        /// Bytes that there are.
        found: usize,
        /// Bytes that there should be.
        expected: usize,
    },
    /// Something follows the weights.
    #[error("the network file goes on after its end: the network ends at byte {expected}")]
    Overlong {
        /// Bytes that there should be.
        expected: usize,
    },
    /// Another version of the format.
    #[error(
        "the network file is of version {found}; this program reads version {}",
        Network::VERSION
    )]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// A width that is not offered.
    #[error(
        "the network has {found} neurons a side; a multiple of {WIDTH} from {WIDTH} to {} is wanted",
        Network::MAX_HIDDEN
    )]
    Hidden {
        /// Neurons a side.
        found: usize,
    },
    /// A number of buckets that is not offered.
    #[error("the network has {found} output buckets; 1 or {BUCKETS} are wanted")]
    Buckets {
        /// Buckets.
        found: usize,
    },
    /// Weights in other units.
    #[error(
        "the network is in other units: {qa}, {qb} and {scale}, and {QA}, {QB} and {SCALE} are wanted"
    )]
    Units {
        /// What stands for one in the accumulators.
        qa: u32,
        /// What stands for one in the output weights.
        qb: u32,
        /// The value's scale.
        scale: u32,
    },
    /// The weights are not those that were written.
    #[error("the network file is damaged: its checksum is wrong")]
    Damaged,
    /// A list of weights of the wrong length.
    #[error("the network has {found} {part}; {expected} are wanted")]
    Count {
        /// Which list.
        part: &'static str,
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// Some position's sum at a neuron could leave 16 bits.
    #[error("neuron {neuron} could reach {reach}, and 16 bits end at 32767")]
    Overflow {
        /// Counted from 0.
        neuron: usize,
        /// The largest size that its sum might have.
        reach: i32,
    },
    /// An output weight that is too large to be multiplied in 16 bits.
    #[error(
        "an output weight is {found}; {} is the largest size allowed",
        Network::MAX_OUTPUT_WEIGHT
    )]
    OutputWeight {
        /// The weight.
        found: i16,
    },
}

/// A network, ready to evaluate.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// Lanes in one side's accumulator.
    pub(super) lanes: usize,
    /// A row of lanes for each feature.
    pub(super) features: Vec<Lanes>,
    pub(super) biases: Vec<Lanes>,
    /// For each bucket a row for the side to move and one for the opponent.
    pub(super) output: Vec<Lanes>,
    pub(super) output_biases: Vec<i32>,
}

/// The most pieces that a side can have.
const MOST_MEN: usize = 16;

impl Network {
    /// The version of the file format.
    pub const VERSION: u32 = 1;

    /// The most neurons a side.
    pub const MAX_HIDDEN: usize = 1024;

    /// The largest size of an output weight: what a neuron passes on is at most [`QA`], and their
    /// product must fit into 16 bits.
    pub const MAX_OUTPUT_WEIGHT: i16 = 127;

    /// A network of `hidden` neurons a side and `buckets` output buckets.
    ///
    /// The sum at a neuron must fit into 16 bits in every legal position. It is at most the bias and
    /// the 16 largest weights of own pieces on different squares and the 16 largest of the opponent's,
    /// since neither side has more pieces than that; and the same downwards. Sums on the way may overflow:
    /// they wrap around, and the last is right.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// use tabiya_engine::nnue::{FEATURES, Network, QA, QB, SCALE, NetworkWeights};
    ///
    /// // Nothing but the output's bias of one.
    /// let network = Network::new(32, 1, &NetworkWeights {
    ///     features: vec![0; FEATURES * 32],
    ///     biases: vec![0; 32],
    ///     output: vec![0; 2 * 32],
    ///     output_biases: vec![QA * QB],
    /// });
    /// assert_eq!(network.unwrap().evaluate(&Position::start()), SCALE);
    /// ```
    pub fn new(
        hidden: usize,
        buckets: usize,
        weights: &NetworkWeights,
    ) -> Result<Network, NetworkError> {
        check_shape(hidden, buckets)?;
        for (part, found, expected) in [
            ("feature weights", weights.features.len(), FEATURES * hidden),
            ("feature biases", weights.biases.len(), hidden),
            ("output weights", weights.output.len(), buckets * 2 * hidden),
            ("output biases", weights.output_biases.len(), buckets),
        ] {
            if found != expected {
                return Err(NetworkError::Count { part, found, expected });
            }
        }
        if let Some(&found) = weights
            .output
            .iter()
            .find(|weight| weight.unsigned_abs() > Network::MAX_OUTPUT_WEIGHT.unsigned_abs())
        {
            return Err(NetworkError::OutputWeight { found });
        }
        // Weights that are clipped as usual need no closer look, which takes some milliseconds.
        let neurons = if is_surely_small(weights) { 0 } else { hidden };
        for neuron in 0..neurons {
            let reach = reach(hidden, neuron, weights);
            if reach > i16::MAX.into() {
                return Err(NetworkError::Overflow { neuron, reach });
            }
        }
        Ok(Network {
            lanes: hidden / WIDTH,
            features: Lanes::gather(&weights.features),
            biases: Lanes::gather(&weights.biases),
            output: Lanes::gather(&weights.output),
            output_biases: weights.output_biases.clone(),
        })
    }

    /// The SHA-256 of its file: it tells networks apart.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.to_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Neurons a side.
    pub fn hidden(&self) -> usize {
        self.lanes * WIDTH
    }

    /// Output buckets.
    pub fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// The weights as plain numbers.
    pub fn weights(&self) -> NetworkWeights {
        let plain = |rows: &[Lanes]| rows.iter().flat_map(|Lanes(lane)| lane).copied().collect();
        NetworkWeights {
            features: plain(&self.features),
            biases: plain(&self.biases),
            output: plain(&self.output),
            output_biases: self.output_biases.clone(),
        }
    }

    /// What a position is worth to the side to move, worked out from nothing.
    pub fn evaluate(&self, position: &Position) -> Value {
        let sums = [position.side_to_move(), !position.side_to_move()]
            .map(|side| self.accumulate(side, position));
        let bucket = self.bucket(position);
        let dot = |sums: &[i16], weights: &[Lanes]| -> i64 {
            let weights = weights.iter().flat_map(|lanes| lanes.0);
            sums.iter().zip(weights).map(|(&sum, weight)| squared(sum) * i64::from(weight)).sum()
        };
        let [own, opponent] = self.output_rows(bucket);
        self.value(bucket, dot(&sums[0], own) + dot(&sums[1], opponent))
    }

    /// The sums at a side's neurons.
    fn accumulate(&self, side: Color, position: &Position) -> Vec<i16> {
        let mut sums: Vec<i16> = self.biases.iter().flat_map(|lanes| lanes.0).collect();
        let king = position.king(side);
        for square in position.occupied() {
            let Some(piece) = position.piece_at(square) else { continue };
            let weights = self.row(feature(side, king, piece, square)).iter();
            for (sum, weight) in sums.iter_mut().zip(weights.flat_map(|lanes| lanes.0)) {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }

    /// A feature's weights.
    #[inline(always)]
    pub(super) fn row(&self, feature: usize) -> &[Lanes] {
        &self.features[feature * self.lanes..][..self.lanes]
    }

    /// The bucket's weights for the side to move and for the opponent.
    #[inline(always)]
    pub(super) fn output_rows(&self, bucket: usize) -> [&[Lanes]; 2] {
        let (own, opponent) =
            self.output[bucket * 2 * self.lanes..][..2 * self.lanes].split_at(self.lanes);
        [own, opponent]
    }

    /// The output bucket of a position.
    #[inline(always)]
    pub(super) fn bucket(&self, position: &Position) -> usize {
        if self.buckets() == 1 { 0 } else { bucket(position.occupied().len()) }
    }

    /// The value behind the sum of squared neurons times output weights.
    #[inline(always)]
    pub(super) fn value(&self, bucket: usize, sum: i64) -> Value {
        let output = sum / i64::from(QA) + i64::from(self.output_biases[bucket]);
        let value = output * i64::from(SCALE) / i64::from(QA * QB);
        let limit = i64::from(EVAL_LIMIT) - 1;
        value.clamp(-limit, limit) as Value
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("hidden", &self.hidden())
            .field("buckets", &self.buckets())
            .finish_non_exhaustive()
    }
}

/// What a neuron passes on, in units of 1 / [`QA`]².
fn squared(sum: i16) -> i64 {
    i64::from(i32::from(sum).clamp(0, QA)).pow(2)
}

/// Refuses widths and buckets that are not offered.
pub(super) fn check_shape(hidden: usize, buckets: usize) -> Result<(), NetworkError> {
    if hidden == 0 || hidden > Network::MAX_HIDDEN || !hidden.is_multiple_of(WIDTH) {
        return Err(NetworkError::Hidden { found: hidden });
    }
    if buckets != 1 && buckets != BUCKETS {
        return Err(NetworkError::Buckets { found: buckets });
    }
    Ok(())
}

/// Do even 32 times the largest weight and the largest bias fit?
fn is_surely_small(weights: &NetworkWeights) -> bool {
    let largest = |list: &[i16]| {
        list.iter().fold(0, |largest: u16, weight| largest.max(weight.unsigned_abs()))
    };
    let sum = u32::from(largest(&weights.features)) * 2 * MOST_MEN as u32
        + u32::from(largest(&weights.biases));
    sum <= i16::MAX as u32
}

/// No legal position's sum at a neuron is larger than this, up or down.
fn reach(hidden: usize, neuron: usize, weights: &NetworkWeights) -> i32 {
    let weight = |feature: usize| i32::from(weights.features[feature * hidden + neuron]);
    let most = |sign: i32| -> i32 {
        let of_side = |first: usize| -> i32 {
            let mut squares: [i32; 64] = core::array::from_fn(|square| {
                let on_square = (0..6).map(|kind| sign * weight(first + kind * 64 + square));
                on_square.fold(0, i32::max)
            });
            squares.select_nth_unstable_by(MOST_MEN - 1, |a, b| b.cmp(a));
            squares[..MOST_MEN].iter().sum()
        };
        sign * i32::from(weights.biases[neuron]) + of_side(0) + of_side(FEATURES / 2)
    };
    most(1).max(most(-1))
}
