//! Multipliers as Rust source.

use super::{Packing, Slider};
use crate::Rank;
use core::fmt::Write;

/// A multiplier for every spot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multipliers {
    /// For bishops, a1 first.
    pub bishop: [u64; 64],
    /// For rooks, a1 first.
    pub rook: [u64; 64],
}

impl Multipliers {
    /// Those of one slider.
    pub fn of(&self, slider: Slider) -> &[u64; 64] {
        match slider {
            Slider::Bishop => &self.bishop,
            Slider::Rook => &self.rook,
        }
    }

    pub(super) fn of_mut(&mut self, slider: Slider) -> &mut [u64; 64] {
        match slider {
            Slider::Bishop => &mut self.bishop,
            Slider::Rook => &mut self.rook,
        }
    }
}

/// A Rust module with the multipliers of all squares; `command` is named in it as what reproduces it.
/// The crate's own multipliers are in such a file.
pub fn constants(multipliers: &Multipliers, command: &str) -> String {
    let mut text = format!(
        "//! Magic multipliers, one for each square, with as many index bits as its mask has squares.\n\
         //!\n\
         //! Made by `{command}`.\n"
    );
    for (slider, name, doc) in [
        (Slider::Bishop, "BISHOP_MAGICS", "For bishops, a1 first."),
        (Slider::Rook, "ROOK_MAGICS", "For rooks, a1 first."),
    ] {
        write!(text, "\n/// {doc}\n#[rustfmt::skip]\npub(super) const {name}: [u64; 64] = [\n")
            .expect("a string takes all text");
        for (rank, row) in Rank::ALL.into_iter().zip(multipliers.of(slider).chunks(8)) {
            for (i, half) in row.chunks(4).enumerate() {
                let numbers: Vec<String> = half.iter().map(|&magic| grouped(magic)).collect();
                let files = ["a to d", "e to h"][i];
                writeln!(text, "    {}, // {files}, rank {rank}", numbers.join(", "))
                    .expect("a string takes all text");
            }
        }
        text.push_str("];\n");
    }
    text
}

impl Packing {
    /// A Rust module with the place of every spot's table, for a packing of [all spots](super::minimise());
    /// `command` is named in it as what reproduces it.
    pub fn constants(&self, command: &str) -> String {
        let mut text = format!(
            "//! Magic multipliers whose tables share one array of {} entries.\n\
             //!\n\
             //! Made by `{command}`.\n",
            self.entries.len()
        );
        for (slider, name) in [(Slider::Bishop, "BISHOP_TABLES"), (Slider::Rook, "ROOK_TABLES")] {
            let places: Vec<_> =
                self.places.iter().filter(|place| place.spot.slider == slider).collect();
            write!(
                text,
                "\n/// Multiplier, index bits, and the entry of the first slot, a1 first.\n\
                 #[rustfmt::skip]\n\
                 pub const {name}: [(u64, u32, u32); {}] = [\n",
                places.len()
            )
            .expect("a string takes all text");
            for place in places {
                let (magic, square) = (grouped(place.magic), place.spot.square);
                writeln!(text, "    ({magic}, {}, {}), // {square}", place.bits, place.offset)
                    .expect("a string takes all text");
            }
            text.push_str("];\n");
        }
        text
    }
}

/// A number as Rust writes it, in groups of four digits.
fn grouped(magic: u64) -> String {
    let [a, b, c, d] = [48, 32, 16, 0].map(|shift| magic >> shift & 0xFFFF);
    format!("0x{a:04X}_{b:04X}_{c:04X}_{d:04X}")
}
