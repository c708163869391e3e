//! The keys of positions: drawn from a Mersenne twister, so that they are the thesis's own.
//!
//! Who is to move is no part of a key: there is a table for either side.

use std::sync::LazyLock;

/// The seed of the thesis.
const SEED: u32 = 68;

/// The Mersenne twister MT19937 (Matsumoto and Nishimura), seeded as it was in 1998.
struct Twister {
    state: [u32; Twister::WORDS],
    next: usize,
}

impl Twister {
    const WORDS: usize = 624;
    const SHIFT: usize = 397;

    fn new(seed: u32) -> Twister {
        let mut state = [seed; Twister::WORDS];
        for i in 1..Twister::WORDS {
            state[i] = state[i - 1].wrapping_mul(69_069);
        }
        Twister { state, next: Twister::WORDS }
    }

    fn draw(&mut self) -> u32 {
        if self.next == Twister::WORDS {
            for i in 0..Twister::WORDS {
                let joined = self.state[i] & 0x8000_0000
                    | self.state[(i + 1) % Twister::WORDS] & 0x7FFF_FFFF;
                let twist = if joined & 1 == 1 { 0x9908_B0DF } else { 0 };
                self.state[i] =
                    self.state[(i + Twister::SHIFT) % Twister::WORDS] ^ joined >> 1 ^ twist;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        word ^ word >> 18
    }
}

/// All keys.
pub(super) struct Keys {
    /// Per color, piece and square.
    pub(super) pieces: [[[u64; 64]; 6]; 2],
    /// Per square behind a double step; that of a1 is for none.
    pub(super) passed: [u64; 64],
    /// Per color and what castlings it may still make.
    pub(super) rights: [[u64; 4]; 2],
}

impl Keys {
    /// The process's one set; C++ leaves open which half of a key is drawn first.
    pub(super) fn get(low_word_first: bool) -> &'static Keys {
        static HIGH_FIRST: LazyLock<Keys> = LazyLock::new(|| Keys::new(false));
        static LOW_FIRST: LazyLock<Keys> = LazyLock::new(|| Keys::new(true));
        if low_word_first { &LOW_FIRST } else { &HIGH_FIRST }
    }

    fn new(low_word_first: bool) -> Keys {
        let mut twister = Twister::new(SEED);
        let mut draw = || {
            let (first, second) = (u64::from(twister.draw()), u64::from(twister.draw()));
            if low_word_first { second << 32 | first } else { first << 32 | second }
        };
        let pieces = [(); 2].map(|()| [(); 6].map(|()| [(); 64].map(|()| draw())));
        let passed = [(); 64].map(|()| draw());
        let rights = [(); 2].map(|()| {
            let rights = [(); 4].map(|()| draw());
            // A key for the side to move, which is drawn and not used.
            draw();
            rights
        });
        Keys { pieces, passed, rights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_is_the_one_of_1998() {
        // With the usual seed its authors' program prints 0.817330, 0.999061, 0.510354 first.
        let mut twister = Twister::new(4357);
        let words: Vec<u32> = (0..3).map(|_| twister.draw()).collect();
        assert_eq!(words, [3_510_405_877, 4_290_933_890, 2_191_955_339]);
    }

    #[test]
    fn keys_differ() {
        let keys = Keys::get(false);
        let mut all: Vec<u64> = keys.pieces.as_flattened().as_flattened().to_vec();
        all.extend(keys.passed);
        all.extend(keys.rights.as_flattened());
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 768 + 64 + 8);
        assert_ne!(keys.passed[0], Keys::get(true).passed[0]);
    }
}
