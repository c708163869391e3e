//! NNUE: the neural network that evaluates a position, with weights learnt from games.
//!
//! Every piece on its square is a feature, seen from each side: the board is turned so that the side
//! looks up it, and mirrored so that its own king stands on files a to d. One layer of weights, the
//! same for both sides, sums the features of a side into its accumulator. The activation is SCReLU, the
//! squared clipped ReLU: each accumulator is clipped to 0 to 1 and squared. The two accumulators, that of the
//! side to move first, then go through one layer more into a single number.
//!
//! ```text
//! 768 features of the side to move --> H --.
//!                                          +--> 2 H -----SCReLU-----> 1 (one set of weights per bucket)
//! 768 features of the opponent ------> H --'
//! ```
//!
//! Quantization: all is in whole numbers. In the accumulators 1.0 is [`QA`] and in the output weights it is [`QB`];
//! the output times [`SCALE`] is the value, so that the expected score of a game is the sigmoid of
//! value / `SCALE`.

mod accumulators;
mod change;
mod cpu;
mod feature;
mod file;
mod lanes;
mod network;
#[cfg(test)]
mod tests;

pub use accumulators::Accumulators;
pub(crate) use cpu::cpu_path;
pub use feature::{FEATURES, feature};
pub use network::{Network, NetworkError, NetworkWeights};

/// One in an accumulator, and the most that a neuron passes on.
pub const QA: i32 = 255;

/// One in the weights of the output.
pub const QB: i32 = 64;

/// The value at which the expected score is the sigmoid of one.
pub const SCALE: i32 = 200;

/// The most output buckets that a network can have.
pub const BUCKETS: usize = 8;

/// The output bucket for a number of pieces, kings included, in a network that has all [`BUCKETS`].
#[inline(always)]
pub const fn bucket(pieces: u32) -> usize {
    (pieces as usize).saturating_sub(2) / 4 % BUCKETS
}
