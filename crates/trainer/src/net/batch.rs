//! Positions of a batch, unpacked.

use super::model::Shape;
use super::sample::{FeatureTable, Sample};
use crate::fit::Target;
use tabiya_engine::nnue::SCALE;

/// Positions of a batch that are unpacked and judged together.
#[derive(Clone, Default, Debug)]
pub(crate) struct Chunk {
    /// The features of all positions, the mover's and then the other's of each.
    features: Vec<u16>,
    /// How many pieces each has, and its bucket.
    heads: Vec<(u8, u8)>,
    /// What each should be worth, as a chance.
    targets: Vec<f64>,
    /// How the error changes with each output.
    pub(crate) slopes: Vec<f32>,
    /// The sum of all squared errors.
    pub(crate) error: f64,
}

/// A position of a chunk.
pub(crate) struct Unpacked<'a> {
    /// The mover's and the other's.
    pub(crate) features: [&'a [u16]; 2],
    pub(crate) bucket: usize,
}

impl Chunk {
    /// Unpacks positions.
    pub(crate) fn fill<'a>(
        &mut self,
        samples: impl Iterator<Item = &'a Sample>,
        table: &FeatureTable,
        shape: Shape,
        target: Target,
    ) {
        self.features.clear();
        self.heads.clear();
        self.targets.clear();
        for sample in samples {
            table.extend(&mut self.features, sample);
            self.heads.push((sample.pieces() as u8, shape.bucket(sample) as u8));
            self.targets.push(target.of(sample.score(), sample.points()));
        }
    }

    /// All positions.
    #[inline(always)]
    pub(crate) fn positions(&self) -> impl Iterator<Item = Unpacked<'_>> {
        let mut rest = &self.features[..];
        self.heads.iter().map(move |&(pieces, bucket)| {
            let (mover, after) = rest.split_at(pieces.into());
            let (other, after) = after.split_at(pieces.into());
            rest = after;
            Unpacked { features: [mover, other], bucket: bucket.into() }
        })
    }

    /// The loss: compares outputs with their targets. `share` is that of a position in the mean over the
    /// batch.
    pub(crate) fn compute_loss(
        &mut self,
        output: impl Fn(usize, usize) -> f32,
        target: Target,
        share: f64,
    ) {
        let scale = f64::from(SCALE);
        let steepness = scale / target.scale;
        self.error = 0.0;
        self.slopes.clear();
        for (index, (&wanted, &(_, bucket))) in self.targets.iter().zip(&self.heads).enumerate() {
            let chance = target.chance(f64::from(output(index, bucket.into())) * scale);
            let miss = chance - wanted;
            self.error += miss * miss;
            self.slopes.push((2.0 * share * miss * chance * (1.0 - chance) * steepness) as f32);
        }
    }

    /// The sum of the slopes of a bucket's positions.
    pub(crate) fn bucket_slope(&self, bucket: usize) -> f64 {
        let slopes = self.heads.iter().zip(&self.slopes);
        slopes
            .filter(|((_, of), _)| usize::from(*of) == bucket)
            .map(|(_, &slope)| f64::from(slope))
            .sum()
    }
}
