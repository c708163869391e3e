//! Small tables for all spots.

use super::{
    Found, Growth, MagicFindError, MagicPart, MagicSearch, MagicSharing, Packing, Puzzle, Slider,
    Watch, climb, find, grow, pack,
};
use crate::Rank;

/// How much to spend on saving space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thrift {
    /// When tables may share an entry.
    pub sharing: MagicSharing,
    /// How many unfinished multipliers to keep while [growing](grow()) those that save a bit; 0 for
    /// no attempt to save bits at all. Twice the width takes twice the time and finds a few more.
    pub width: usize,
    /// Where chance begins.
    pub seed: u64,
}

impl Default for Thrift {
    fn default() -> Thrift {
        Thrift { sharing: MagicSharing::Exact, width: 20_000, seed: 1 }
    }
}

/// Finds multipliers whose tables are small, and packs the tables: bishops first, then rooks, a1 to
/// h8.
///
/// # Errors
/// [`MagicFindError::Stopped`] when `watch` says so.
pub fn minimize(thrift: &Thrift, watch: &mut Watch<'_>) -> Result<Packing, MagicFindError> {
    let puzzles: Vec<Puzzle> = Puzzle::all().collect();
    let mut parts = Vec::new();
    for puzzle in &puzzles {
        let found = match with_fewer_bits(puzzle, thrift, watch)? {
            Some(found) => found,
            None => {
                let search = MagicSearch { seed: thrift.seed, ..MagicSearch::default() };
                find(puzzle, puzzle.bits(), &search, watch)?
            }
        };
        parts.push(MagicPart { puzzle, magic: found.magic, bits: found.bits });
    }
    Ok(pack(&parts, thrift.sharing))
}

/// A multiplier that saves a bit, where a way to one is known and leads there.
fn with_fewer_bits(
    puzzle: &Puzzle,
    thrift: &Thrift,
    watch: &mut Watch<'_>,
) -> Result<Option<Found>, MagicFindError> {
    /// Four out of five bishops that can be served so at all are served within it.
    const CLIMBING_BUDGET: u64 = 200_000;
    let spot = puzzle.spot();
    let fewer = puzzle.bits() - 1;
    let attempt = match spot.slider {
        _ if thrift.width == 0 => return Ok(None),
        Slider::Bishop => climb(puzzle, fewer, thrift.seed, CLIMBING_BUDGET, watch),
        Slider::Rook if spot.square.rank() >= Rank::Seventh => {
            let growth = Growth { width: thrift.width, seed: thrift.seed, ..Growth::default() };
            grow(puzzle, fewer, &growth, watch)
        }
        Slider::Rook => return Ok(None),
    };
    match attempt {
        Ok(found) => Ok(Some(found)),
        Err(MagicFindError::Spent { .. } | MagicFindError::Bits { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ops::ControlFlow;

    #[test]
    fn saves_what_is_known_to_be_saved() {
        let keep_on = &mut |_| ControlFlow::Continue(());
        let thrift = Thrift { sharing: MagicSharing::Masked, width: 0, seed: 1 };
        let packing = minimize(&thrift, keep_on).unwrap();
        // Rooks share in pairs a bishop's step apart, and bishops lie in what is left.
        assert!(packing.entries.len() <= 65_536, "{}", packing.entries.len());
        assert!(packing.places.iter().all(|place| place.bits == place.mask.len()));
    }

    #[test]
    fn stops_on_request() {
        let stop = &mut |_| ControlFlow::Break(());
        let outcome = minimize(&Thrift::default(), stop).map(|packing| packing.entries.len());
        assert!(matches!(outcome, Err(MagicFindError::Stopped { trials: 0, .. })));
    }
}
