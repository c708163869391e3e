//! Adding up one side's weights, and writing down which they were if someone wants to know.

use super::layout::Weights;
use super::pair::Pair;
use tabiya_chess::Color;

/// Receives every weight that counts.
///
/// The evaluation is generic over it, so that there is one code for the search, which wants the value
/// alone and pays for nothing else, and for an explanation, which wants what the value is made of.
pub(super) trait Tracer {
    /// A weight counts `count` times for a color.
    fn note(&mut self, color: Color, weights: &Weights, weight: &Pair, count: i32);
}

/// Records nothing: the search wants the value alone.
pub(super) struct Silent;

impl Tracer for Silent {
    #[inline(always)]
    fn note(&mut self, _: Color, _: &Weights, _: &Pair, _: i32) {}
}

/// Every weight that counted, in the order of counting.
#[derive(Default)]
pub(super) struct Record {
    /// For whom, the place in the flat list of weights, and how many times.
    pub(super) entries: Vec<(Color, usize, i32)>,
}

impl Tracer for Record {
    fn note(&mut self, color: Color, weights: &Weights, weight: &Pair, count: i32) {
        if count != 0 {
            self.entries.push((color, weights.index_of(weight), count));
        }
    }
}

/// The sums of one side.
pub(super) struct Tally<'a, T> {
    pub(super) weights: &'a Weights,
    color: Color,
    tracer: &'a mut T,
    /// What counts for this side.
    pub(super) score: Pair,
    /// The danger that this side's king is in.
    pub(super) danger: Pair,
    /// The danger that this side puts the other's king in.
    pub(super) menace: Pair,
}

impl<'a, T: Tracer> Tally<'a, T> {
    #[inline(always)]
    pub(super) fn new(weights: &'a Weights, color: Color, tracer: &'a mut T) -> Tally<'a, T> {
        let (score, danger, menace) = (Pair::ZERO, Pair::ZERO, Pair::ZERO);
        Tally { weights, color, tracer, score, danger, menace }
    }

    /// Counts a weight once.
    #[inline(always)]
    pub(super) fn add(&mut self, weight: &Pair) {
        self.score += *weight;
        self.tracer.note(self.color, self.weights, weight, 1);
    }

    /// Counts a weight `count` times.
    #[inline(always)]
    pub(super) fn add_times(&mut self, weight: &Pair, count: u32) {
        let count = count as i32;
        self.score += *weight * count;
        self.tracer.note(self.color, self.weights, weight, count);
    }

    /// Counts a weight `count` times towards the danger to the own king.
    #[inline(always)]
    pub(super) fn endanger(&mut self, weight: &Pair, count: u32) {
        let count = count as i32;
        self.danger += *weight * count;
        self.tracer.note(self.color, self.weights, weight, count);
    }

    /// Counts a weight `count` times towards the danger to the enemy's king.
    #[inline(always)]
    pub(super) fn menace(&mut self, weight: &Pair, count: u32) {
        let count = count as i32;
        self.menace += *weight * count;
        self.tracer.note(!self.color, self.weights, weight, count);
    }
}
