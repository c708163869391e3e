//! Other tables for hashed look-ups than the shipped one.

use std::collections::BTreeMap;
use tabiya_chess::attacks::magic::{MagicPlace, Multipliers, Packing};
use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::attacks::sliders::Sliders;
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
#[inline(always)]
fn entry<T: Copy>(table: &[T], index: usize) -> T {
    debug_assert!(index < table.len());
    // SAFETY: the index is a hash of `bits` bits added to an offset, or comes from a table of such;
    // all tables are made with room for every hash behind every offset.
    unsafe { *table.get_unchecked(index) }
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
        Homogeneous { lookups, entries }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }
}

impl Sliders for &Homogeneous {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        entry(&self.entries, self.lookups[1][square.index()].index(occupied))
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        entry(&self.entries, self.lookups[0][square.index()].index(occupied))
    }
}

/// One array that the squares share, each seeing its own lines of an entry.
pub struct Packed {
    lookups: Vec<(Lookup, Bitboard)>,
    entries: Vec<Bitboard>,
}

impl Packed {
    /// Reads a packing.
    pub fn new(packing: Packing) -> Packed {
        let lookups = packing.places.iter().map(|place| {
            let &MagicPlace { mask, magic, bits, offset, lines, .. } = place;
            (Lookup { mask: mask.0, magic, offset, shift: 64 - bits }, lines)
        });
        Packed { lookups: lookups.collect(), entries: packing.entries }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, spot: usize, occupied: Bitboard) -> Bitboard {
        let (lookup, lines) = &self.lookups[spot];
        entry(&self.entries, lookup.index(occupied)) & *lines
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
        TwoLevel { lookups, begins, numbers, sets }
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.numbers.as_slice()) + size_of_val(self.sets.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, slider: usize, square: Square, occupied: Bitboard) -> Bitboard {
        let number = entry(&self.numbers, self.lookups[slider][square.index()].index(occupied));
        let begin = self.begins[slider][square.index()];
        entry(&self.sets, usize::from(begin) + usize::from(number))
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
}

#[cfg(target_arch = "x86_64")]
impl WholeSets {
    /// One exists only where the processor has BMI2.
    pub fn new() -> Option<WholeSets> {
        if !is_x86_feature_detected!("bmi2") {
            return None;
        }
        let mut entries = Vec::new();
        let spots = Slider::ALL.map(|slider| {
            Square::ALL.map(|square| {
                let (mask, offset) = (slider.mask(square), entries.len() as u32);
                let sets = mask.subsets().map(|occupied| slider.attacks(square, occupied).0);
                entries.extend(sets);
                (mask.0, offset)
            })
        });
        Some(WholeSets { spots, entries })
    }

    /// The size of the tables.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    #[inline(always)]
    fn look_up(&self, slider: usize, square: Square, occupied: Bitboard) -> Bitboard {
        let (mask, offset) = self.spots[slider][square.index()];
        // SAFETY: a `WholeSets` exists only where there is BMI2.
        let index = offset as usize + unsafe { extract(occupied.0, mask) } as usize;
        Bitboard(entry(&self.entries, index))
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

/// Inline assembly as in the shipped look-up, so that portable code inlines it.
///
/// # Safety
/// The processor must have BMI2.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn extract(bits: u64, mask: u64) -> u64 {
    let extracted;
    // SAFETY: the caller has made sure of BMI2; the instruction touches registers alone.
    unsafe {
        core::arch::asm!(
            "pext {extracted}, {bits}, {mask}",
            extracted = lateout(reg) extracted,
            bits = in(reg) bits,
            mask = in(reg) mask,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    extracted
}
