//! Exhaustive search for the multiplier with the fewest ones.

use super::{Checker, Found, MagicFindError, Meter, Puzzle, Watch};

/// The multiplier with the fewest one-bits, up to `most`; of several, the first that the search
/// meets, which is always the same.
///
/// Every multiplier is considered, yet few are tried. A single piece on a mask square attacks
/// differently from none, so its slot must not be 0: the multiplier needs a one among the `bits`
/// places that this piece's product shows in the slot. Every mask square asks for that, so the search
/// only branches over the places that an unserved square would accept, and over all places when
/// every square is served. Places that no square's product shows are never ones in a sparsest
/// multiplier.
///
/// # Errors
/// [`MagicFindError::Absent`] when there is none, which is then proved; or when the width or the number
/// of ones is impossible, the budget is spent, or `watch` says so.
pub fn sparsest(
    puzzle: &Puzzle,
    bits: u32,
    most: u32,
    budget: u64,
    watch: &mut Watch<'_>,
) -> Result<Found, MagicFindError> {
    puzzle.check_bits(bits)?;
    if !(1..=64).contains(&most) {
        return Err(MagicFindError::Ones(most));
    }
    let mut hunt = Hunt {
        windows: windows(puzzle, bits),
        checker: Checker::new(puzzle, bits),
        meter: Meter::new(puzzle, bits, budget, watch),
    };
    // The highest place that is multiplied into the product at all.
    let lowest_square = puzzle.mask().0.trailing_zeros();
    let places = u64::MAX >> lowest_square;
    for ones in 1..=most {
        if let Some(magic) = hunt.complete(0, ones, places)? {
            return Ok(Found::proved(puzzle, magic, bits, hunt.meter.trials, 0));
        }
    }
    Err(MagicFindError::Absent { spot: puzzle.spot(), bits, ones: most })
}

/// Per mask square the places of which a multiplier needs one.
fn windows(puzzle: &Puzzle, bits: u32) -> Vec<u64> {
    let slot = u64::MAX << (64 - bits);
    puzzle.mask().into_iter().map(|square| slot >> square as u32).collect()
}

struct Hunt<'a, 'b> {
    windows: Vec<u64>,
    checker: Checker,
    meter: Meter<'a, 'b>,
}

impl Hunt<'_, '_> {
    /// The first multiplier that adds exactly `missing` ones, on the given places, to these.
    fn complete(
        &mut self,
        ones: u64,
        missing: u32,
        places: u64,
    ) -> Result<Option<u64>, MagicFindError> {
        if missing == 0 {
            self.meter.count()?;
            return Ok(self.checker.accepts(ones).then_some(ones));
        }
        let Some(mut branches) = self.branches(ones, missing, places) else { return Ok(None) };
        let mut places = places;
        while branches != 0 {
            let place = branches & branches.wrapping_neg();
            branches ^= place;
            // Whatever has this one is found under this branch, so the later ones go without it.
            places ^= place;
            let found = self.complete(ones | place, missing - 1, places)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The places for the next one: those that serve the unserved square with the least choice.
    /// None if a square cannot be served any more.
    fn branches(&self, ones: u64, missing: u32, places: u64) -> Option<u64> {
        let unserved = self.windows.iter().filter(|&&window| window & ones == 0);
        let branches = if missing == 1 {
            unserved.fold(places, |shared, window| shared & window)
        } else {
            let choices = unserved.map(|window| window & places);
            choices.min_by_key(|choice| choice.count_ones()).unwrap_or(places)
        };
        (branches != 0).then_some(branches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use crate::attacks::rays::Slider;
    use core::ops::ControlFlow;

    fn ones(slider: Slider, square: Square) -> u32 {
        let puzzle = Puzzle::new(slider, square);
        let keep_on = &mut |_| ControlFlow::Continue(());
        let found = sparsest(&puzzle, puzzle.bits(), 6, u64::MAX, keep_on).unwrap();
        assert!(puzzle.verify(found.magic, found.bits).is_ok());
        found.magic.count_ones()
    }

    /// Reul's figures 3.18 and 3.19, the eighth rank first.
    const BISHOP: [u32; 64] = [
        6, 5, 4, 3, 3, 4, 5, 6, //
        5, 5, 4, 3, 3, 4, 5, 5, //
        5, 5, 5, 4, 4, 5, 5, 5, //
        5, 5, 5, 4, 5, 5, 5, 5, //
        5, 5, 5, 5, 4, 5, 5, 5, //
        5, 5, 5, 4, 4, 5, 5, 5, //
        5, 5, 4, 3, 3, 4, 5, 5, //
        6, 5, 4, 3, 3, 4, 5, 6,
    ];
    const ROOK: [u32; 64] = [
        6, 6, 6, 6, 6, 5, 5, 6, //
        4, 4, 4, 4, 4, 4, 4, 4, //
        4, 4, 4, 4, 4, 4, 4, 5, //
        4, 4, 4, 4, 4, 4, 4, 4, //
        4, 4, 4, 4, 4, 4, 4, 4, //
        4, 4, 4, 4, 4, 4, 4, 5, //
        4, 4, 4, 4, 4, 4, 4, 4, //
        5, 4, 5, 5, 5, 5, 4, 5,
    ];

    #[test]
    fn all_squares_need_as_many_ones_as_reul_found() {
        for (slider, expected) in [(Slider::Bishop, &BISHOP), (Slider::Rook, &ROOK)] {
            for square in Square::ALL {
                let expected = expected[square.flip_ranks().index()];
                assert_eq!(ones(slider, square), expected, "{slider:?} on {square}");
            }
        }
    }

    /// Against every number with that many ones, one after the other.
    #[test]
    fn nothing_is_passed_over() {
        for (slider, square) in [(Slider::Bishop, Square::D8), (Slider::Bishop, Square::C1)] {
            let puzzle = Puzzle::new(slider, square);
            let mut checker = Checker::new(&puzzle, puzzle.bits());
            let fewest = ones(slider, square);
            for count in 1..fewest {
                let mut magic: u64 = (1 << count) - 1;
                loop {
                    assert!(!checker.accepts(magic), "{} {magic:#x}", puzzle.spot());
                    // The next number with as many ones.
                    let lowest = magic & magic.wrapping_neg();
                    let Some(carried) = magic.checked_add(lowest) else { break };
                    magic = carried | ((magic ^ carried) / lowest) >> 2;
                }
            }
        }
    }

    #[test]
    fn absence_is_reported() {
        let puzzle = Puzzle::new(Slider::Rook, Square::A8);
        let keep_on = &mut |_| ControlFlow::Continue(());
        let (spot, bits) = (puzzle.spot(), 12);
        assert_eq!(
            sparsest(&puzzle, bits, 4, u64::MAX, keep_on),
            Err(MagicFindError::Absent { spot, bits, ones: 4 })
        );
        assert_eq!(
            sparsest(&puzzle, bits, 6, 100, keep_on),
            Err(MagicFindError::Spent { spot, bits, trials: 100 })
        );
    }
}
