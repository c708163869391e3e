//! Tapered evaluation: two values in one number, one for the middlegame, one for the endgame.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame value in the low half of 32 bits and an endgame value in the high half.
///
/// One addition adds both, which is what makes a tapered evaluation as cheap as a plain one. Each
/// half holds -32768 to 32767; sums that leave this range wrap around instead of panicking.
///
/// ```
/// use tabiya_engine::eval::Pair;
/// let sum = Pair::new(10, -3) + Pair::new(-30, -4) * 2;
/// assert_eq!((sum.midgame(), sum.endgame()), (-50, -11));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Pair(i32);

impl Pair {
    /// Nothing in either half.
    pub const ZERO: Pair = Pair(0);

    /// Both halves.
    #[inline(always)]
    pub const fn new(midgame: i32, endgame: i32) -> Pair {
        Pair((endgame << 16).wrapping_add(midgame))
    }

    /// The half that counts while the board is full.
    #[inline(always)]
    pub const fn midgame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The half that counts when the board is empty.
    #[inline(always)]
    pub const fn endgame(self) -> i32 {
        // A negative low half has borrowed one from the high half; this gives it back.
        self.0.wrapping_add(0x8000) >> 16
    }
}

impl Add for Pair {
    type Output = Pair;

    #[inline(always)]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_add(other.0))
    }
}

impl Sub for Pair {
    type Output = Pair;

    #[inline(always)]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Pair {
    type Output = Pair;

    #[inline(always)]
    fn neg(self) -> Pair {
        Pair(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    #[inline(always)]
    fn mul(self, times: i32) -> Pair {
        Pair(self.0.wrapping_mul(times))
    }
}

impl AddAssign for Pair {
    #[inline(always)]
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    #[inline(always)]
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}

impl Sum for Pair {
    fn sum<I: Iterator<Item = Pair>>(pairs: I) -> Pair {
        pairs.fold(Pair::ZERO, Add::add)
    }
}

impl fmt::Debug for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.midgame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_mix() {
        for a in [-9000, -257, -1, 0, 1, 300, 12_345] {
            for b in [-8000, -1, 0, 1, 511, 9999] {
                let pair = Pair::new(a, b);
                assert_eq!((pair.midgame(), pair.endgame()), (a, b));
                let back = -(pair * 2 - pair);
                assert_eq!((back.midgame(), back.endgame()), (-a, -b));
            }
        }
    }
}
