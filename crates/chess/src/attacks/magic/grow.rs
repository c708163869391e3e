//! Growing multipliers from their low end, to get by with fewer index bits than mask squares.

use super::{Found, MagicFindError, Meter, Puzzle, Watch, find::stream};
use crate::attacks::rays::Slider;
use crate::rng::SplitMix64;
use crate::{Rank, Square};

/// How to grow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Growth {
    /// How many unfinished multipliers are kept after each step.
    pub width: usize,
    /// Where chance begins.
    pub seed: u64,
    /// How many continuations to try.
    pub budget: u64,
}

impl Default for Growth {
    fn default() -> Growth {
        Growth { width: 20_000, seed: 1, budget: u64::MAX }
    }
}

/// Grows a multiplier for an index of `bits` bits.
///
/// In the product of an occupancy whose lowest piece stands on square number `n`, the multiplier's
/// bits from `64 - n` upwards do not appear. So the low end of a multiplier is already right or
/// wrong for all occupancies of high squares, and can be grown: taking the mask squares from the
/// highest to the lowest, each asks for a few more bits, and of the continuations that keep the
/// occupancies so far apart a number are kept, drawn by chance.
///
/// How a bit can be saved shows best in what one piece adds to the slot, a number with a fraction
/// that is cut off at the end. If the last square of a ray adds a tiny negative number, it takes
/// every occupancy without a fraction to the slot before, and leaves the others, which have a piece
/// nearer by on that ray, where they are: half the occupancies need no slot of their own. That can
/// be had for a rook on the seventh or eighth rank and its ray down the file, since no other ray
/// needs the multiplier's high bits there; the slots before are then kept free from the beginning.
///
/// # Errors
/// When the width is impossible, nothing was found (which proves nothing), or `watch` says so.
pub fn grow(
    puzzle: &Puzzle,
    bits: u32,
    growth: &Growth,
    watch: &mut Watch<'_>,
) -> Result<Found, MagicFindError> {
    puzzle.check_bits(bits)?;
    let mut random = stream(growth.seed, puzzle.spot());
    let mut meter = Meter::new(puzzle, bits, growth.budget, watch);
    let mut stem = Stem::new(puzzle, bits);
    let mut known = stem.far_ray.as_ref().map_or(0, |ray| ray.zeros);
    let mut shoots = vec![0];
    for level in 0..stem.squares.len() {
        let last = level + 1 == stem.squares.len();
        let wanted = 64 - stem.squares[level] as u32;
        let mut sample = Sample::new(growth.width);
        let all = 1u64 << (wanted - known);
        let draws = DRAWS.max(4 * (growth.width / shoots.len().max(1)) as u64);
        for &shoot in &shoots {
            if !stem.settle(shoot, level) {
                continue;
            }
            for number in 0..all.min(draws) {
                meter.count()?;
                let more = if all > draws { random.below(all) } else { number };
                let longer = shoot | more << known;
                if stem.bears(longer, level) {
                    if last {
                        return Ok(Found::proved(puzzle, longer, stem.bits, meter.trials, 0));
                    }
                    sample.offer(longer, &mut random);
                }
            }
        }
        shoots = sample.kept;
        known = wanted;
    }
    Err(MagicFindError::Spent { spot: puzzle.spot(), bits, trials: meter.trials })
}

/// How many continuations are drawn where there are too many to try them all.
const DRAWS: u64 = 1 << 10;

/// An even sample of a stream of unknown length.
struct Sample {
    kept: Vec<u64>,
    width: usize,
    offered: u64,
}

impl Sample {
    fn new(width: usize) -> Sample {
        Sample { kept: Vec::new(), width, offered: 0 }
    }

    fn offer(&mut self, shoot: u64, random: &mut SplitMix64) {
        self.offered += 1;
        if self.kept.len() < self.width {
            self.kept.push(shoot);
        } else if let Some(place) = self.kept.get_mut(random.below(self.offered) as usize) {
            *place = shoot;
        }
    }
}

/// The ray that gives up its last square's slots.
struct FarRay {
    /// How many of the squares, the highest, are not on it.
    others: usize,
    /// How many low zeros the multiplier needs so that the other squares add whole numbers.
    zeros: u32,
}

/// The occupancies so far and their slots, for one unfinished multiplier after the other.
struct Stem {
    bits: u32,
    /// The mask squares from the highest to the lowest.
    squares: Vec<Square>,
    /// Per occupancy its set; the n-th bit of an occupancy's number is the n-th square.
    sets: Vec<u8>,
    far_ray: Option<FarRay>,
    /// Per occupancy the product.
    products: Vec<u64>,
    /// Per slot the set of the occupancies that are settled.
    settled: Vec<Option<u8>>,
    /// Per slot the trial in which it was last filled, and with which set.
    fresh: Vec<u32>,
    trial: u32,
}

impl Stem {
    fn new(puzzle: &Puzzle, bits: u32) -> Stem {
        let mut squares: Vec<Square> = puzzle.mask().into_iter().collect();
        squares.reverse();
        let cases = puzzle.cases.len();
        // The puzzle numbers its occupancies the other way round.
        let unused = usize::BITS - cases.trailing_zeros();
        let sets = (0..cases).map(|i| puzzle.cases[i.reverse_bits() >> unused].set).collect();
        Stem {
            bits,
            far_ray: far_ray(puzzle, bits, &squares),
            squares,
            sets,
            products: vec![0; cases],
            settled: vec![None; 1 << bits],
            fresh: vec![0; 1 << bits],
            trial: 0,
        }
    }

    #[inline(always)]
    fn slot(&self, product: u64) -> usize {
        (product >> (64 - self.bits)) as usize
    }

    /// Lays out the occupancies of the first `level` squares; false if slots that must stay free
    /// are not.
    fn settle(&mut self, magic: u64, level: usize) -> bool {
        self.settled.fill(None);
        for i in 0..level {
            let weight = magic << self.squares[i] as u32;
            for number in 0..1 << i {
                self.products[number | 1 << i] = self.products[number].wrapping_add(weight);
            }
        }
        for number in 0..1 << level {
            let slot = self.slot(self.products[number]);
            self.settled[slot] = Some(self.sets[number]);
        }
        let far = self.squares.len() - 1;
        let Some(ray) = self.far_ray.as_ref().filter(|ray| (ray.others..far).contains(&level))
        else {
            return true;
        };
        for number in 0..1 << ray.others {
            let before = self.slot(self.products[number]).wrapping_sub(1) & ((1 << self.bits) - 1);
            if self.settled[before].is_some() {
                return false;
            }
            self.settled[before] = Some(self.sets[number | 1 << far]);
        }
        true
    }

    /// Is there room for all occupancies that the next square adds?
    fn bears(&mut self, magic: u64, level: usize) -> bool {
        self.trial += 1;
        if self.trial == 1 << 24 {
            self.fresh.fill(0);
            self.trial = 1;
        }
        let empty = self.trial << 8;
        let weight = magic << self.squares[level] as u32;
        for number in 0..1 << level {
            let slot = self.slot(self.products[number].wrapping_add(weight));
            let set = self.sets[number | 1 << level];
            if self.settled[slot].is_some_and(|settled| settled != set) {
                return false;
            }
            let filled = &mut self.fresh[slot];
            if *filled < empty {
                *filled = empty | u32::from(set);
            } else if *filled != empty | u32::from(set) {
                return false;
            }
        }
        true
    }
}

fn far_ray(puzzle: &Puzzle, bits: u32, squares: &[Square]) -> Option<FarRay> {
    let spot = puzzle.spot();
    if spot.slider != Slider::Rook || spot.square.rank() < Rank::Seventh || bits >= puzzle.bits() {
        return None;
    }
    let others = squares.iter().take_while(|square| square.rank() == spot.square.rank()).count();
    let lowest = squares[others - 1] as u32;
    Some(FarRay { others, zeros: (64 - bits).saturating_sub(lowest) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ops::ControlFlow;

    #[test]
    fn saves_a_bit_for_rooks_on_the_last_ranks() {
        for square in [Square::E7, Square::E8] {
            let puzzle = Puzzle::new(Slider::Rook, square);
            let growth = Growth { width: 5_000, ..Growth::default() };
            let keep_on = &mut |_| ControlFlow::Continue(());
            let found = grow(&puzzle, puzzle.bits() - 1, &growth, keep_on).unwrap();
            assert!(puzzle.verify(found.magic, puzzle.bits() - 1).is_ok());
        }
    }

    #[test]
    fn low_zeros_leave_room_for_the_first_square() {
        for square in Square::ALL {
            let puzzle = Puzzle::new(Slider::Rook, square);
            for bits in puzzle.fewest_bits()..puzzle.bits() {
                let stem = Stem::new(&puzzle, bits);
                let first = 64 - stem.squares[0] as u32;
                assert!(stem.far_ray.is_none_or(|ray| ray.zeros < first), "{square} {bits}");
            }
        }
    }

    #[test]
    fn samples_are_even() {
        let mut random = SplitMix64::stream(9, 9);
        let mut counts = [0u32; 10];
        for _ in 0..2_000 {
            let mut sample = Sample::new(3);
            (0..10).for_each(|shoot| sample.offer(shoot, &mut random));
            sample.kept.iter().for_each(|&shoot| counts[shoot as usize] += 1);
        }
        // 600 each is expected, with a standard deviation of 20.
        assert!(counts.iter().all(|&n| n.abs_diff(600) < 110), "{counts:?}");
    }
}
