//! The workshop of magic multipliers: finding them, proving them, and making their tables small.
//!
//! Which squares a slider attacks depends on the pieces on a few squares only, its
//! [mask](Slider::mask). A *magic multiplier* gathers those scattered bits: the product of the
//! masked occupancy and the multiplier has in its highest bits a number, the *slot*, under which a
//! table holds the attack set.
//!
//! ```text
//! slot = (occupied & mask) * multiplier >> (64 - bits)
//! ```
//!
//! No method is known that computes such a multiplier, but a candidate is quickly checked: no two
//! occupancies with different attack sets may share a slot. Those with the same set may, and
//! that is how a table can have fewer slots than there are occupancies.
//!
//! ```
//! use tabiya_chess::Square;
//! use tabiya_chess::attacks::magic::{self, MagicSearch, MagicVerifyError};
//! use tabiya_chess::attacks::rays::Slider;
//! use std::ops::ControlFlow;
//!
//! let puzzle = magic::Puzzle::new(Slider::Bishop, Square::D4);
//! let found = magic::find(&puzzle, puzzle.bits(), &MagicSearch::default(), &mut |_| {
//!     ControlFlow::Continue(())
//! })?;
//! let fit = magic::verify(Slider::Bishop, Square::D4, found.magic, puzzle.bits()).unwrap();
//! assert!(fit.used <= 512 && fit.highest < 512);
//!
//! let wrong = magic::verify(Slider::Bishop, Square::D4, 1, puzzle.bits());
//! assert!(matches!(wrong, Err(MagicVerifyError::Collision(_))));
//! # Ok::<(), magic::MagicFindError>(())
//! ```
//!
//! - [`find()`] tries random candidates, of the kinds that Reul's *New Architectures in Computer
//!   Chess* compares: sparse ones, ones with an exact number of one-bits, with and without his
//!   filter.
//! - [`sparsest()`] goes through all multipliers with one one-bit, two, and so on.
//! - [`climb()`] and [`grow()`] get by with an index of fewer bits than the mask has squares, where
//!   that is possible.
//! - [`minimize()`] lays the tables of all squares into one array, where they share what they can.
//! - [`constants()`] writes the multipliers down as Rust.

mod climb;
mod constants;
mod find;
mod grow;
mod minimize;
mod pack;
mod sparsest;

pub use climb::climb;
pub use constants::{Multipliers, constants};
pub use find::{Candidates, Found, MagicSearch, find, find_all, passes_filter};
pub use grow::{Growth, grow};
pub use minimize::{Thrift, minimize};
pub use pack::{MagicPart, MagicPlace, MagicSharing, Packing, pack};
pub use sparsest::sparsest;

use super::rays::Slider;
use crate::{Bitboard, Square};
use core::fmt;
use core::ops::ControlFlow;
use std::collections::BTreeMap;

/// The widest index that is looked into: sixteen times the slots that the worst square needs.
pub const MAX_BITS: u32 = 16;

/// A slider on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Spot {
    /// What stands there.
    pub slider: Slider,
    /// Where it stands.
    pub square: Square,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slider = match self.slider {
            Slider::Bishop => "bishop",
            Slider::Rook => "rook",
        };
        write!(f, "{slider} on {}", self.square)
    }
}

/// What a multiplier has to map: the occupancies of a spot's mask, with their attack sets.
pub struct Puzzle {
    spot: Spot,
    mask: Bitboard,
    cases: Box<[Case]>,
    sets: Box<[Bitboard]>,
}

/// An occupancy of the mask, and the number of its attack set.
#[derive(Clone, Copy)]
struct Case {
    occupied: u64,
    set: u8,
}

impl Puzzle {
    /// The puzzle of a slider on a square.
    pub fn new(slider: Slider, square: Square) -> Puzzle {
        let mask = slider.mask(square);
        let mut numbers = BTreeMap::new();
        let mut sets = Vec::new();
        let cases = mask.subsets().map(|occupied| {
            let attacks = slider.attacks(square, occupied);
            let set = *numbers.entry(attacks).or_insert_with(|| {
                sets.push(attacks);
                // There are 144 sets at most: a rook in the centre has 12 on its file times 12 on
                // its rank.
                (sets.len() - 1) as u8
            });
            Case { occupied: occupied.0, set }
        });
        let cases = cases.collect();
        Puzzle { spot: Spot { slider, square }, mask, cases, sets: sets.into() }
    }

    /// The puzzles of all 64 bishops, then of all 64 rooks.
    pub fn all() -> impl Iterator<Item = Puzzle> {
        Slider::ALL.into_iter().flat_map(|slider| {
            Square::ALL.into_iter().map(move |square| Puzzle::new(slider, square))
        })
    }

    /// Which slider on which square.
    pub fn spot(&self) -> Spot {
        self.spot
    }

    /// The squares whose occupation matters.
    pub fn mask(&self) -> Bitboard {
        self.mask
    }

    /// As many index bits as the mask has squares: a slot for every occupancy.
    pub fn bits(&self) -> u32 {
        self.mask.len()
    }

    /// How many different attack sets there are.
    ///
    /// ```
    /// use tabiya_chess::attacks::magic::Puzzle;
    /// use tabiya_chess::{Square, attacks::rays::Slider};
    /// assert_eq!(Puzzle::new(Slider::Rook, Square::D4).distinct(), 144);
    /// ```
    pub fn distinct(&self) -> usize {
        self.sets.len()
    }

    /// The fewest index bits that could do: a slot for each attack set.
    pub fn fewest_bits(&self) -> u32 {
        self.distinct().next_power_of_two().trailing_zeros()
    }

    /// Does this multiplier keep different attack sets apart, and how many slots does it use?
    ///
    /// # Errors
    /// [`MagicVerifyError::Collision`] shows the first two occupancies that it mixes up.
    pub fn verify(&self, magic: u64, bits: u32) -> Result<Fit, MagicVerifyError> {
        if bits == 0 || bits > MAX_BITS {
            return Err(MagicVerifyError::Bits(bits));
        }
        let mut slots: Vec<Option<Case>> = vec![None; 1 << bits];
        let mut fit = Fit { used: 0, highest: 0 };
        for &case in &self.cases {
            let slot = slot(case.occupied, magic, bits);
            match slots[slot] {
                None => {
                    slots[slot] = Some(case);
                    fit.used += 1;
                    fit.highest = fit.highest.max(slot as u32);
                }
                Some(other) if other.set != case.set => {
                    return Err(MagicVerifyError::Collision(Collision {
                        spot: self.spot,
                        slot: slot as u32,
                        occupied: [Bitboard(other.occupied), Bitboard(case.occupied)],
                        attacks: [self.sets[other.set as usize], self.sets[case.set as usize]],
                    }));
                }
                Some(_) => {}
            }
        }
        Ok(fit)
    }

    /// Refuses widths that no search can succeed with.
    fn check_bits(&self, bits: u32) -> Result<(), MagicFindError> {
        let fewest = self.fewest_bits();
        if (fewest..=MAX_BITS).contains(&bits) {
            Ok(())
        } else {
            Err(MagicFindError::Bits { spot: self.spot, bits, sets: self.distinct(), fewest })
        }
    }
}

/// Does this multiplier serve this slider on this square, with an index of this many bits?
///
/// # Errors
/// [`MagicVerifyError::Collision`] shows two occupancies that it mixes up.
pub fn verify(
    slider: Slider,
    square: Square,
    magic: u64,
    bits: u32,
) -> Result<Fit, MagicVerifyError> {
    Puzzle::new(slider, square).verify(magic, bits)
}

#[inline(always)]
fn slot(masked: u64, magic: u64, bits: u32) -> usize {
    (masked.wrapping_mul(magic) >> (64 - bits)) as usize
}

/// How a multiplier that serves fills its table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fit {
    /// How many slots are used.
    pub used: u32,
    /// The last slot that is used; what lies behind it need not exist.
    pub highest: u32,
}

/// Two occupancies that a multiplier mixes up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Collision {
    /// For which slider, where.
    pub spot: Spot,
    /// Where the two meet.
    pub slot: u32,
    /// The occupancies.
    pub occupied: [Bitboard; 2],
    /// Their attack sets, which differ.
    pub attacks: [Bitboard; 2],
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = self.occupied.map(|occupied| occupied.0);
        write!(
            f,
            "for a {}, occupancies {a:#018x} and {b:#018x} share slot {} and attack differently",
            self.spot, self.slot
        )
    }
}

/// Why a number is not a magic multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MagicVerifyError {
    /// No index is that wide.
    #[error("{0} index bits; 1 to {MAX_BITS} are possible")]
    Bits(u32),
    /// It mixes up two occupancies.
    #[error("{0}")]
    Collision(Collision),
}

/// Why a search ended without a multiplier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MagicFindError {
    /// The index is too narrow for the attack sets, or wider than any table.
    #[error(
        "{bits} index bits for a {spot}: its {sets} attack sets need {fewest} at least, and more than \
         {MAX_BITS} are not looked into"
    )]
    Bits {
        /// For which slider, where.
        spot: Spot,
        /// The width that was asked for.
        bits: u32,
        /// How many attack sets there are.
        sets: usize,
        /// The width that they need.
        fewest: u32,
    },
    /// A number of 64 bits has no such number of ones.
    #[error("{0} one-bits; a multiplier has 1 to 64")]
    Ones(u32),
    /// There is none.
    #[error("no multiplier with up to {ones} one-bits serves a {spot} with {bits} index bits")]
    Absent {
        /// For which slider, where.
        spot: Spot,
        /// The width of the index.
        bits: u32,
        /// Up to how many ones were tried.
        ones: u32,
    },
    /// As many candidates as allowed were tried.
    #[error("no multiplier for a {spot} with {bits} index bits among {trials} candidates")]
    Spent {
        /// For which slider, where.
        spot: Spot,
        /// The width of the index.
        bits: u32,
        /// How many candidates that were.
        trials: u64,
    },
    /// The caller had enough.
    #[error("stopped after {trials} candidates for a {spot}")]
    Stopped {
        /// For which slider, where.
        spot: Spot,
        /// How many candidates had been tried.
        trials: u64,
    },
}

/// A callback that is called every few thousand candidates with the spot and the number of candidates
/// tried there, and may end the search.
pub type Watch<'a> = dyn FnMut(MagicProgress) -> ControlFlow<()> + 'a;

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MagicProgress {
    /// For which slider, where.
    pub spot: Spot,
    /// How many candidates have been tried for it.
    pub trials: u64,
}

/// Counts candidates against a budget, and lets the caller know.
struct Meter<'a, 'b> {
    spot: Spot,
    bits: u32,
    trials: u64,
    budget: u64,
    watch: &'a mut Watch<'b>,
}

impl<'a, 'b> Meter<'a, 'b> {
    fn new(puzzle: &Puzzle, bits: u32, budget: u64, watch: &'a mut Watch<'b>) -> Self {
        Meter { spot: puzzle.spot, bits, trials: 0, budget, watch }
    }

    /// One more candidate, unless it must not be.
    #[inline]
    fn count(&mut self) -> Result<(), MagicFindError> {
        const INTERVAL: u64 = 1 << 12;
        if self.trials == self.budget {
            return Err(MagicFindError::Spent {
                spot: self.spot,
                bits: self.bits,
                trials: self.trials,
            });
        }
        if self.trials.is_multiple_of(INTERVAL) {
            let progress = MagicProgress { spot: self.spot, trials: self.trials };
            if (self.watch)(progress).is_break() {
                return Err(MagicFindError::Stopped { spot: self.spot, trials: self.trials });
            }
        }
        self.trials += 1;
        Ok(())
    }
}

/// Checks candidates, quickly and many times.
struct Checker {
    cases: Vec<Case>,
    /// Per slot the round in which it was filled, and with which set.
    slots: Vec<u32>,
    round: u32,
    bits: u32,
}

impl Checker {
    fn new(puzzle: &Puzzle, bits: u32) -> Checker {
        Checker { cases: puzzle.cases.to_vec(), slots: vec![0; 1 << bits], round: 0, bits }
    }

    /// What an entry is below as long as its slot is empty in this round.
    fn next_round(&mut self) -> u32 {
        self.round += 1;
        if self.round == 1 << 24 {
            self.slots.fill(0);
            self.round = 1;
        }
        self.round << 8
    }

    /// How many occupancies come to a slot that holds another attack set, unless they are more than
    /// `most`.
    fn mistakes(&mut self, magic: u64, most: u32) -> Option<u32> {
        let empty = self.next_round();
        let mut mistakes = 0;
        for case in &self.cases {
            let filled = &mut self.slots[slot(case.occupied, magic, self.bits)];
            let set = empty | u32::from(case.set);
            if *filled < empty {
                *filled = set;
            } else if *filled != set {
                mistakes += 1;
                if mistakes > most {
                    return None;
                }
            }
        }
        Some(mistakes)
    }

    fn accepts(&mut self, magic: u64) -> bool {
        let empty = self.next_round();
        for i in 0..self.cases.len() {
            let case = self.cases[i];
            let filled = &mut self.slots[slot(case.occupied, magic, self.bits)];
            let set = empty | u32::from(case.set);
            if *filled < empty {
                *filled = set;
            } else if *filled != set {
                // What betrays one candidate betrays others: next time it comes earlier.
                self.cases.swap(i, i / 2);
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_have_the_known_sizes() {
        let totals = |slider| {
            let puzzles = Square::ALL.map(|square| Puzzle::new(slider, square));
            (
                puzzles.iter().map(|puzzle| 1 << puzzle.bits()).sum::<u32>(),
                puzzles.iter().map(Puzzle::distinct).sum::<usize>(),
            )
        };
        assert_eq!(totals(Slider::Bishop), (5_248, 1_428));
        assert_eq!(totals(Slider::Rook), (102_400, 4_900));
    }

    #[test]
    fn a_collision_is_shown() {
        let Err(MagicVerifyError::Collision(collision)) = verify(Slider::Rook, Square::A1, 1, 12)
        else {
            panic!("a multiplication by one gathers nothing");
        };
        let [a, b] = collision.occupied;
        assert_eq!(a.0 >> 52, u64::from(collision.slot));
        assert_eq!(b.0 >> 52, u64::from(collision.slot));
        assert_eq!(
            collision.attacks,
            [a, b].map(|occupied| Slider::Rook.attacks(Square::A1, occupied))
        );
        assert_ne!(collision.attacks[0], collision.attacks[1]);
    }

    #[test]
    fn widths_are_judged() {
        assert_eq!(verify(Slider::Rook, Square::A1, 1, 0), Err(MagicVerifyError::Bits(0)));
        assert_eq!(verify(Slider::Rook, Square::A1, 1, 17), Err(MagicVerifyError::Bits(17)));
        let puzzle = Puzzle::new(Slider::Rook, Square::D4);
        assert_eq!(puzzle.fewest_bits(), 8);
        assert!(matches!(
            puzzle.check_bits(7),
            Err(MagicFindError::Bits { fewest: 8, sets: 144, .. })
        ));
    }

    #[test]
    fn checker_and_verify_agree() {
        let mut random = crate::rng::SplitMix64::stream(3, 0);
        for (slider, square) in [(Slider::Bishop, Square::B1), (Slider::Bishop, Square::E4)] {
            let puzzle = Puzzle::new(slider, square);
            let mut checker = Checker::new(&puzzle, puzzle.bits());
            let mut accepted = 0;
            for _ in 0..20_000 {
                let magic = random.next() & random.next() & random.next();
                let accepts = checker.accepts(magic);
                accepted += u32::from(accepts);
                assert_eq!(accepts, puzzle.verify(magic, puzzle.bits()).is_ok());
            }
            assert!(accepted > 0, "{}", puzzle.spot());
        }
    }
}
