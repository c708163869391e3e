//! Section 3.2.3: how large must a table be that tells words with one or two ones apart?

use crate::frame::experiment::{Halt, Stop, go_on};

/// How often the search asks whether to go on.
const PATIENCE: u64 = 1 << 16;

/// What a search for multipliers found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct Found {
    /// The first that serves, if one does.
    pub(super) magic: Option<u64>,
    /// How many beginnings of multipliers were looked at.
    pub(super) visited: u64,
}

/// Looks for a multiplier that gives all words of 64 bits with one or two ones an index of their own, until
/// one is found or none is left.
///
/// The product of a word whose lowest one is bit i depends on the lowest 64 - i bits of the multiplier alone.
/// So a multiplier grows bit by bit from the right; each bit settles the indices of the words that reach one
/// bit further down, and a beginning is given up as soon as two are the same.
pub(super) fn search(index_bits: u32, stop: &Stop<'_>) -> Result<Found, Halt> {
    let taken = vec![false; 1 << index_bits];
    let mut growth = Growth { shift: 64 - index_bits, taken, visited: 0, stop };
    let magic = growth.grow(0, 0)?;
    Ok(Found { magic, visited: growth.visited })
}

struct Growth<'a> {
    shift: u32,
    /// The indices that words have so far.
    taken: Vec<bool>,
    visited: u64,
    stop: &'a Stop<'a>,
}

impl Growth<'_> {
    fn grow(&mut self, magic: u64, length: u32) -> Result<Option<u64>, Halt> {
        if length == 64 {
            return Ok(Some(magic));
        }
        self.visited += 1;
        if self.visited.is_multiple_of(PATIENCE) {
            go_on(self.stop)?;
        }
        for bit in [1, 0] {
            let longer = magic | bit << length;
            let taken = self.take(longer, 63 - length);
            let found = match taken {
                Ok(_) => self.grow(longer, length + 1)?,
                Err(_) => None,
            };
            if found.is_some() {
                return Ok(found);
            }
            let (Ok(settled) | Err(settled)) = taken;
            for above in 0..settled {
                let index = self.index(longer, 63 - length, above);
                self.taken[index] = false;
            }
        }
        Ok(None)
    }

    /// The index of the word with the one `lowest`, and another so many bits above it unless that is 0.
    fn index(&self, magic: u64, lowest: u32, above: u32) -> usize {
        let second = if above == 0 { 0 } else { magic << (lowest + above) };
        ((magic << lowest).wrapping_add(second) >> self.shift) as usize
    }

    /// Takes the indices of all words whose lowest one is this: how many there are, or how many could be
    /// taken before one was taken already.
    fn take(&mut self, magic: u64, lowest: u32) -> Result<u32, u32> {
        for above in 0..64 - lowest {
            let index = self.index(magic, lowest, above);
            if std::mem::replace(&mut self.taken[index], true) {
                return Err(above);
            }
        }
        Ok(64 - lowest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_multiplier_of_fifteen_bits_tells_all_words_apart() {
        let magic = search(15, &|| false).unwrap().magic.unwrap();
        let ones = || (0..64).map(|bit| 1u64 << bit);
        let words: BTreeSet<u64> = ones().flat_map(|a| ones().map(move |b| a | b)).collect();
        assert_eq!(words.len(), 64 + 2016);
        let indices: BTreeSet<u64> =
            words.iter().map(|word| word.wrapping_mul(magic) >> (64 - 15)).collect();
        assert_eq!(indices.len(), words.len());
    }

    #[test]
    fn few_bits_are_too_few_and_a_search_can_be_stopped() {
        assert_eq!(search(11, &|| false).unwrap().magic, None);
        assert!(matches!(search(15, &|| true), Err(Halt::Interrupted)));
    }
}
