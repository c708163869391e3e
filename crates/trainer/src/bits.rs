//! Numbers in as many bits as they need, the highest bit first.

/// Writes numbers, one after the other.
#[derive(Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits that are still free in the last byte.
    free: u32,
}

impl BitWriter {
    /// The lowest `count` bits of a number.
    pub(crate) fn put(&mut self, value: u32, count: u32) {
        let mut left = count;
        while left > 0 {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = 8;
            }
            let now = left.min(self.free);
            let part = value >> (left - now) & ((1 << now) - 1);
            if let Some(last) = self.bytes.last_mut() {
                *last |= (part << (self.free - now)) as u8;
            }
            self.free -= now;
            left -= now;
        }
    }

    /// One of `choices` equally likely numbers from 0 on: those that come first take a bit less where
    /// `choices` is no power of two, and a single choice takes nothing.
    pub(crate) fn put_among(&mut self, index: u32, choices: u32) {
        let (short, count) = phases(choices);
        if index < short {
            self.put(index, count);
        } else {
            self.put(index + short, count + 1);
        }
    }

    /// A number that is more likely the smaller it is (Exp-Golomb of order `order`).
    pub(crate) fn put_graded(&mut self, value: u32, order: u32) {
        let shifted = u64::from(value) + (1 << order);
        let width = shifted.ilog2();
        self.put(0, width - order);
        // The one that ends the zeros is the number's own highest bit.
        self.put((shifted >> 1) as u32, width);
        self.put(shifted as u32 & 1, 1);
    }

    /// All bytes, the last one filled up with zeros.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// How many bits [`BitWriter::put_graded`] takes.
pub(crate) fn graded_width(value: u32, order: u32) -> u32 {
    let width = (u64::from(value) + (1 << order)).ilog2();
    2 * width + 1 - order
}

/// How many of the choices take the shorter code, and how many bits that has.
fn phases(choices: u32) -> (u32, u32) {
    let count = choices.max(1).ilog2();
    ((2 << count) - choices.max(1), count)
}

/// Reads what a [`BitWriter`] wrote; nothing where the bits end too soon or mean nothing.
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The place of the next bit.
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, at: 0 }
    }

    /// A number of `width` bits.
    pub(crate) fn get(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        let mut left = count;
        while left > 0 {
            let byte = u32::from(*self.bytes.get(self.at / 8)?);
            let unread = 8 - (self.at % 8) as u32;
            let now = left.min(unread);
            value = value << now | byte >> (unread - now) & ((1 << now) - 1);
            self.at += now as usize;
            left -= now;
        }
        Some(value)
    }

    /// What [`BitWriter::put_among`] wrote.
    pub(crate) fn get_among(&mut self, choices: u32) -> Option<u32> {
        let (short, count) = phases(choices);
        let value = self.get(count)?;
        if value < short {
            return Some(value);
        }
        Some((value << 1 | self.get(1)?) - short)
    }

    /// What [`BitWriter::put_graded`] wrote.
    pub(crate) fn get_graded(&mut self, order: u32) -> Option<u32> {
        let mut zeros = 0;
        while self.get(1)? == 0 {
            zeros += 1;
        }
        let width = zeros + order;
        if width > 32 {
            return None;
        }
        let shifted = 1 << width | u64::from(self.get(width)?);
        u32::try_from(shifted - (1 << order)).ok()
    }

    /// Is there nothing left but the zeros that fill up the last byte?
    pub(crate) fn is_done(&mut self) -> bool {
        let left = self.bytes.len() * 8 - self.at;
        left < 8 && self.get(left as u32) == Some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Copy, Debug)]
    enum Item {
        Plain(u32, u32),
        Among(u32, u32),
        Graded(u32, u32),
    }

    fn item() -> impl Strategy<Value = Item> {
        let plain = (any::<u32>(), 0..=32_u32)
            .prop_map(|(v, n)| Item::Plain((u64::from(v) & ((1 << n) - 1)) as u32, n));
        let among = (any::<u32>(), 1..300_u32).prop_map(|(v, n)| Item::Among(v % n, n));
        let graded = (any::<u32>(), 0..=32_u32, 0..16_u32)
            .prop_map(|(v, shift, k)| Item::Graded((u64::from(v) >> shift) as u32, k));
        prop_oneof![plain, among, graded]
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(items in proptest::collection::vec(item(), 0..50)) {
            let mut writer = BitWriter::default();
            for &item in &items {
                match item {
                    Item::Plain(value, count) => writer.put(value, count),
                    Item::Among(index, choices) => writer.put_among(index, choices),
                    Item::Graded(value, order) => writer.put_graded(value, order),
                }
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &item in &items {
                match item {
                    Item::Plain(value, count) => prop_assert_eq!(reader.get(count), Some(value)),
                    Item::Among(index, choices) => {
                        prop_assert_eq!(reader.get_among(choices), Some(index));
                    }
                    Item::Graded(value, order) => {
                        prop_assert_eq!(reader.get_graded(order), Some(value));
                    }
                }
            }
            prop_assert!(reader.is_done());
        }

        #[test]
        fn widths_are_known_before(value in any::<u32>(), order in 0..16_u32) {
            let mut writer = BitWriter::default();
            writer.put_graded(value, order);
            let width = graded_width(value, order);
            prop_assert_eq!(writer.finish().len() as u32, width.div_ceil(8));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = BitReader::new(&bytes);
            let mut numbers = 0;
            while reader.get_graded(3).is_some() && reader.get_among(30).is_some() {
                numbers += 1;
            }
            prop_assert!(numbers <= bytes.len() * 8);
        }
    }

    #[test]
    fn a_choice_of_one_is_free() {
        let mut writer = BitWriter::default();
        writer.put_among(0, 1);
        assert!(writer.finish().is_empty());
        // Of five choices three take two bits, and two take three.
        let width = |index| {
            let mut writer = BitWriter::default();
            for _ in 0..8 {
                writer.put_among(index, 5);
            }
            writer.finish().len()
        };
        assert_eq!([0, 1, 2, 3, 4].map(width), [2, 2, 2, 3, 3]);
    }
}
