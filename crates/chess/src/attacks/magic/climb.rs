//! Climbing: changing a number bit by bit towards fewer mistakes.

use super::{Checker, Found, MagicFindError, Meter, Puzzle, Watch, find::stream};
use crate::rng::SplitMix64;

/// After this many changes in a row that did not help, another random number is tried.
const PATIENCE: u32 = 2_000;

/// Improves random numbers until one serves with an index of `bits` bits.
///
/// A multiplier that saves a bit has about as many ones as zeros, and there are too many such
/// numbers for luck alone. But a number that mixes up few occupancies is often near one that mixes
/// up none, so small changes are kept as long as they make no more mistakes. That works well for
/// the small tables of bishops; for rooks, [`grow`](super::grow()) is the better way.
///
/// # Errors
/// When the width is impossible, the budget is spent (which proves nothing), or `watch` says so.
pub fn climb(
    puzzle: &Puzzle,
    bits: u32,
    seed: u64,
    budget: u64,
    watch: &mut Watch<'_>,
) -> Result<Found, MagicFindError> {
    puzzle.check_bits(bits)?;
    let mut random = stream(seed, puzzle.spot());
    let mut checker = Checker::new(puzzle, bits);
    let mut meter = Meter::new(puzzle, bits, budget, watch);
    loop {
        let mut magic = random.next();
        let mut mistakes = u32::MAX;
        let mut idle = 0;
        while idle < PATIENCE {
            meter.count()?;
            let changed = change(magic, &mut random);
            idle += 1;
            if let Some(fewer) = checker.mistakes(changed, mistakes) {
                if fewer < mistakes {
                    idle = 0;
                }
                (magic, mistakes) = (changed, fewer);
            }
            if mistakes == 0 {
                return Ok(Found::proved(puzzle, magic, bits, meter.trials, 0));
            }
        }
    }
}

/// A number close by: in its bits, or in what it multiplies by.
fn change(magic: u64, random: &mut SplitMix64) -> u64 {
    let bit = 1 << random.below(64);
    match random.below(4) {
        0 => magic ^ bit,
        1 => magic.wrapping_add(bit),
        2 => magic.wrapping_sub(bit),
        _ => magic ^ bit ^ 1 << random.below(64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use crate::attacks::rays::Slider;
    use core::ops::ControlFlow;

    #[test]
    fn saves_a_bit_for_bishops_near_the_corners() {
        for square in [Square::A1, Square::G2, Square::B7, Square::H8] {
            let puzzle = Puzzle::new(Slider::Bishop, square);
            let bits = puzzle.bits() - 1;
            let keep_on = &mut |_| ControlFlow::Continue(());
            let found = climb(&puzzle, bits, 1, 2_000_000, keep_on).unwrap();
            assert!(puzzle.verify(found.magic, bits).is_ok());
        }
    }
}
