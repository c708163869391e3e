//! Trial and error: random candidates until one serves.

use super::{Checker, Fit, MagicFindError, Meter, Multipliers, Puzzle, Slider, Spot, Watch};
use crate::rng::SplitMix64;

/// What random numbers are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// The bits that three random numbers have in common: about eight ones.
    Sparse,
    /// Exactly this many ones, anywhere. Reul found nine to be quickest, for bishops and rooks.
    Ones(u32),
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MagicSearch {
    /// What is tried.
    pub candidates: Candidates,
    /// Whether to skip candidates whose product with the whole mask has few ones in its highest 16
    /// bits. That spares about half of the candidates the trial, and costs a fifth of the
    /// multipliers: a likely condition, not a necessary one.
    pub filter: bool,
    /// Where chance begins. Each spot draws from a stream of its own, so that its multiplier does
    /// not depend on which others are sought.
    pub seed: u64,
    /// How many candidates to try per spot.
    pub budget: u64,
}

impl Default for MagicSearch {
    fn default() -> MagicSearch {
        MagicSearch { candidates: Candidates::Sparse, filter: false, seed: 1, budget: u64::MAX }
    }
}

/// A multiplier, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// For which slider, where.
    pub spot: Spot,
    /// The multiplier.
    pub magic: u64,
    /// The width of the index.
    pub bits: u32,
    /// How it fills its table.
    pub fit: Fit,
    /// How many candidates were looked at.
    pub trials: u64,
    /// How many of them the filter took out.
    pub filtered: u64,
}

impl Found {
    /// The result of a search, proved once more from the ground up.
    pub(super) fn proved(
        puzzle: &Puzzle,
        magic: u64,
        bits: u32,
        trials: u64,
        filtered: u64,
    ) -> Found {
        let fit = puzzle.verify(magic, bits).expect("the searches keep to what verify asks for");
        Found { spot: puzzle.spot(), magic, bits, fit, trials, filtered }
    }
}

/// Tries random candidates until one serves with an index of `bits` bits.
///
/// # Errors
/// When the width or the number of ones is impossible, the budget is spent, or `watch` says so.
pub fn find(
    puzzle: &Puzzle,
    bits: u32,
    search: &MagicSearch,
    watch: &mut Watch<'_>,
) -> Result<Found, MagicFindError> {
    puzzle.check_bits(bits)?;
    if let Candidates::Ones(ones) = search.candidates
        && !(1..=64).contains(&ones)
    {
        return Err(MagicFindError::Ones(ones));
    }
    let mut random = stream(search.seed, puzzle.spot());
    let mut checker = Checker::new(puzzle, bits);
    let mut meter = Meter::new(puzzle, bits, search.budget, watch);
    let mut filtered = 0;
    loop {
        meter.count()?;
        let magic = match search.candidates {
            Candidates::Sparse => random.next() & random.next() & random.next(),
            Candidates::Ones(ones) => with_ones(&mut random, ones),
        };
        if search.filter && !passes_filter(puzzle, magic) {
            filtered += 1;
        } else if checker.accepts(magic) {
            return Ok(Found::proved(puzzle, magic, bits, meter.trials, filtered));
        }
    }
}

/// Multipliers for all spots, each with as many index bits as its mask has squares.
///
/// # Errors
/// As [`find`].
pub fn find_all(
    search: &MagicSearch,
    watch: &mut Watch<'_>,
) -> Result<Multipliers, MagicFindError> {
    let mut multipliers = Multipliers { bishop: [0; 64], rook: [0; 64] };
    for puzzle in Puzzle::all() {
        let found = find(&puzzle, puzzle.bits(), search, watch)?;
        multipliers.of_mut(puzzle.spot().slider)[puzzle.spot().square.index()] = found.magic;
    }
    Ok(multipliers)
}

/// The stream of chance that belongs to a spot.
pub(super) fn stream(seed: u64, spot: Spot) -> SplitMix64 {
    let slider = match spot.slider {
        Slider::Bishop => 0,
        Slider::Rook => 64,
    };
    SplitMix64::stream(seed, slider + spot.square.index() as u64)
}

fn with_ones(random: &mut SplitMix64, ones: u32) -> u64 {
    // Drawing zeros into a full word is the same lottery and never waits long for a free place.
    if ones > 32 {
        return !with_ones(random, 64 - ones);
    }
    let mut magic: u64 = 0;
    while magic.count_ones() < ones {
        magic |= 1 << random.below(64);
    }
    magic
}

/// Reul's condition (§3.8.2): at least eight ones in the highest sixteen bits of mask times multiplier.
pub fn passes_filter(puzzle: &Puzzle, magic: u64) -> bool {
    (puzzle.mask().0.wrapping_mul(magic) >> 48).count_ones() >= 8
}

#[cfg(test)]
mod tests {
    use super::super::MagicProgress;
    use super::*;
    use crate::Square;
    use core::ops::ControlFlow;

    fn keep_on(_: MagicProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn every_kind_of_candidate_leads_to_a_multiplier() {
        for slider in Slider::ALL {
            for square in [Square::B2, Square::E4] {
                let puzzle = Puzzle::new(slider, square);
                for candidates in [Candidates::Sparse, Candidates::Ones(8)] {
                    for filter in [false, true] {
                        let search = MagicSearch { candidates, filter, ..MagicSearch::default() };
                        let found = find(&puzzle, puzzle.bits(), &search, &mut keep_on).unwrap();
                        assert!(puzzle.verify(found.magic, found.bits).is_ok());
                        assert_eq!(found.filtered > 0, filter && found.trials > 1);
                        if candidates == Candidates::Ones(8) {
                            assert_eq!(found.magic.count_ones(), 8);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn ones_are_exact() {
        let mut random = SplitMix64::stream(1, 1);
        for ones in 1..=64 {
            assert_eq!(with_ones(&mut random, ones).count_ones(), ones);
        }
    }

    #[test]
    fn searches_end_on_request() {
        let puzzle = Puzzle::new(Slider::Rook, Square::A1);
        let search = MagicSearch {
            candidates: Candidates::Ones(1),
            budget: 5_000,
            ..MagicSearch::default()
        };
        let spot = puzzle.spot();
        assert_eq!(
            find(&puzzle, 12, &search, &mut keep_on),
            Err(MagicFindError::Spent { spot, bits: 12, trials: 5_000 })
        );
        let mut calls = 0;
        let stop = &mut |progress: MagicProgress| {
            calls += 1;
            assert_eq!(progress.spot, spot);
            if progress.trials == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        assert_eq!(
            find(&puzzle, 12, &search, stop),
            Err(MagicFindError::Stopped { spot, trials: 4_096 })
        );
        assert_eq!(calls, 2);
        let search = MagicSearch { candidates: Candidates::Ones(0), ..search };
        assert_eq!(find(&puzzle, 12, &search, &mut keep_on), Err(MagicFindError::Ones(0)));
        assert!(matches!(
            find(&puzzle, 5, &search, &mut keep_on),
            Err(MagicFindError::Bits { .. })
        ));
    }
}
