//! Other tables for hashed look-ups than the shipped one.

use std::collections::BTreeMap;
use tabiya_chess::attacks::magic::{MagicPlace, Multipliers, Packing};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::attacks::sliders::Sliders;
#[cfg(target_arch = "x86_64")]
use tabiya_chess::cpu::Avx2;
use tabiya_chess::{Bitboard, Square};

/// Where a square's part of a table lies and how to find the place in it.
#[derive(Clone, Copy)]
struct Lookup {
    mask: u64,
    magic: u64,
    offset: u32,
    shift: u32,
}

impl Lookup {
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        let hash = (occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }
}

/// Bishops, then rooks.
type Lookups = [[Lookup; 64]; 2];

/// Places of the sizes that `part` names, one after the other.
fn lookups(magics: &Multipliers, part: impl Fn(Slider, u32) -> u32) -> (Lookups, usize) {
    let mut offset = 0;
    let lookups = Slider::ALL.map(|slider| {
        Square::ALL.map(|square| {
            let mask = slider.mask(square);
            let magic = magics.of(slider)[square.index()];
            let lookup = Lookup { mask: mask.0, magic, offset, shift: 64 - mask.len() };
            offset += part(slider, mask.len());
            lookup
        })
    });
    (lookups, offset as usize)
}

fn minimal(_: Slider, bits: u32) -> u32 {
    1 << bits
}

/// What the table has there.
///
/// # Safety
/// The table must be longer than the index.
#[inline(always)]
unsafe fn entry<T: Copy>(table: &[T], index: usize) -> T {
    debug_assert!(index < table.len());
    // SAFETY: the caller has made sure of it.
    unsafe { *table.get_unchecked(index) }
}

/// Makes sure that a table has room for every index that a look-up can make.
fn assert_room<'a>(lookups: impl IntoIterator<Item = &'a Lookup>, length: usize) {
    for Lookup { offset, shift, .. } in lookups {
        let part = 1_usize.checked_shl(64 - shift).filter(|_| (1..64).contains(shift));
        let end = part.and_then(|part| part.checked_add(*offset as usize));
        assert!(
            end.is_some_and(|end| end <= length),
            "a part at {offset} with shift {shift} is not inside a table of {length} entries"
        );
    }
}

/// Calls with every spot, occupancy and attack set.
fn for_all(mut call: impl FnMut(Slider, Square, Bitboard, Bitboard)) {
    for slider in Slider::ALL {
        for square in Square::ALL {
            for occupied in slider.mask(square).subsets() {
                call(slider, square, occupied, slider.attacks(square, occupied));
            }
        }
    }
}

/// Parts of the same size for all squares of a slider.
pub struct Homogeneous {
    lookups: Lookups,
    entries: Vec<Bitboard>,
}

impl Homogeneous {
    /// Fills the table.
    pub fn new(magics: &Multipliers) -> Homogeneous {
        let (lookups, size) = lookups(magics, |slider, _| match slider {
            Slider::Bishop => 1 << 9,
            Slider::Rook => 1 << 12,
        });
        let mut entries = vec![Bitboard::EMPTY; size];
        for_all(|slider, square, occupied, attacks| {
            entries[lookups[slider as usize][square.index()].index(occupied)] = attacks;
        });
        assert_room(lookups.as_flattened(), entries.len());
        Homogeneous { lookups, entries }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }
}

impl Homogeneous {
    #[inline(always)]
    fn look_up(&self, slider: usize, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: `new` has made sure that there is room for all look-ups.
        unsafe { entry(&self.entries, self.lookups[slider][square.index()].index(occupied)) }
    }
}

impl Sliders for &Homogeneous {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(1, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(0, square, occupied)
    }
}

/// One array that the squares share, each seeing its own lines of an entry.
pub struct Packed {
    lookups: Vec<(Lookup, Bitboard)>,
    entries: Vec<Bitboard>,
}

impl Packed {
    /// Reads a packing.
    ///
    /// # Panics
    /// If a place is not inside the array.
    pub fn new(packing: Packing) -> Packed {
        let lookups = packing.places.iter().map(|place| {
            let &MagicPlace { mask, magic, bits, offset, lines, .. } = place;
            (Lookup { mask: mask.0, magic, offset, shift: 64_u32.saturating_sub(bits) }, lines)
        });
        let lookups: Vec<_> = lookups.collect();
        assert_room(lookups.iter().map(|(lookup, _)| lookup), packing.entries.len());
        Packed { lookups, entries: packing.entries }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, spot: usize, occupied: Bitboard) -> Bitboard {
        let (lookup, lines) = &self.lookups[spot];
        // SAFETY: `new` has made sure that there is room for all look-ups.
        unsafe { entry(&self.entries, lookup.index(occupied)) & *lines }
    }
}

impl Sliders for &Packed {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(64 + square.index(), occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(square.index(), occupied)
    }
}

/// Small numbers by occupancy, and the attack sets that they number, square by square.
pub struct TwoLevel {
    lookups: Lookups,
    /// Where the sets of a spot begin.
    begins: [[u16; 64]; 2],
    numbers: Vec<u8>,
    sets: Vec<Bitboard>,
}

impl TwoLevel {
    /// Fills both levels.
    pub fn new(magics: &Multipliers) -> TwoLevel {
        let (lookups, size) = lookups(magics, minimal);
        let mut begins = [[0; 64]; 2];
        let mut numbers = vec![0; size];
        let mut sets = Vec::new();
        let mut known = BTreeMap::new();
        for_all(|slider, square, occupied, attacks| {
            if occupied.is_empty() {
                known.clear();
                begins[slider as usize][square.index()] =
                    u16::try_from(sets.len()).expect("there are 6,328 sets");
            }
            let next = u8::try_from(known.len()).expect("no spot has more than 144 sets");
            let number = *known.entry(attacks).or_insert_with(|| {
                sets.push(attacks);
                next
            });
            numbers[lookups[slider as usize][square.index()].index(occupied)] = number;
        });
        assert_room(lookups.as_flattened(), numbers.len());
        for (lookup, begin) in lookups.as_flattened().iter().zip(begins.as_flattened()) {
            let part = &numbers[lookup.offset as usize..][..1 << (64 - lookup.shift)];
            let last =
                usize::from(*begin) + part.iter().copied().map(usize::from).fold(0, usize::max);
            assert!(last < sets.len(), "set {last} of {}", sets.len());
        }
        TwoLevel { lookups, begins, numbers, sets }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice()) + size_of_val(self.sets.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, slider: usize, square: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: `new` has made sure that there is room for all look-ups.
        let number =
            unsafe { entry(&self.numbers, self.lookups[slider][square.index()].index(occupied)) };
        let begin = self.begins[slider][square.index()];
        // SAFETY: `new` has made sure that there are all sets that a spot's numbers mean.
        unsafe { entry(&self.sets, usize::from(begin) + usize::from(number)) }
    }
}

impl Sliders for &TwoLevel {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(1, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(0, square, occupied)
    }
}

/// Bits extracted for an index, and the attack set stored whole.
#[cfg(target_arch = "x86_64")]
pub struct WholeSets {
    spots: [[(u64, u32); 64]; 2],
    entries: Vec<u64>,
    avx2: Avx2,
}

#[cfg(target_arch = "x86_64")]
impl WholeSets {
    /// One exists only where the processor has the instruction.
    pub fn new() -> Option<WholeSets> {
        let avx2 = Avx2::detect()?;
        let mut entries = Vec::new();
        let spots = Slider::ALL.map(|slider| {
            Square::ALL.map(|square| {
                let (mask, offset) = (slider.mask(square), entries.len() as u32);
                let sets = mask.subsets().map(|occupied| slider.attacks(square, occupied).0);
                entries.extend(sets);
                (mask.0, offset)
            })
        });
        for (mask, offset) in spots.as_flattened() {
            let end = *offset as usize + (1 << mask.count_ones());
            assert!(end <= entries.len(), "a part ends at {end} of {}", entries.len());
        }
        Some(WholeSets { spots, entries, avx2 })
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, slider: usize, square: Square, occupied: Bitboard) -> Bitboard {
        let (mask, offset) = self.spots[slider][square.index()];
        let index = offset as usize + self.avx2.extract(occupied.0, mask) as usize;
        // SAFETY: an extraction through a mask of n bits is below 2^n, and `new` has made sure that there
        // is room for as many.
        Bitboard(unsafe { entry(&self.entries, index) })
    }
}

#[cfg(target_arch = "x86_64")]
impl Sliders for &WholeSets {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(1, square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.look_up(0, square, occupied)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya_chess::attacks::magic::Spot;

    /// One place, whatever the array has.
    fn packing(bits: u32, offset: u32, entries: usize) -> Packing {
        let spot = Spot { slider: Slider::Rook, square: Square::A1 };
        let (mask, lines) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let place = MagicPlace { spot, mask, magic: 1, bits, offset, lines };
        Packing { places: vec![place], entries: vec![Bitboard::EMPTY; entries] }
    }

    #[test]
    fn a_place_inside_the_array_is_taken() {
        assert_eq!(Packed::new(packing(4, 16, 32)).bytes(), 256);
    }

    #[test]
    fn a_place_outside_the_array_is_refused() {
        for (bits, offset, entries) in [(4, 17, 32), (4, 0, 0), (0, 0, 1), (64, 0, 1), (70, 0, 1)] {
            let refused = std::panic::catch_unwind(|| Packed::new(packing(bits, offset, entries)));
            assert!(refused.is_err(), "{bits} bits at {offset} of {entries}");
        }
    }
}
