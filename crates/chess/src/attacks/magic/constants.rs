//! Multipliers as Rust source.

use super::super::magics::{BISHOP_MAGICS, ROOK_MAGICS};
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
    /// The crate's own, with as many index bits as masks have squares.
    pub const SHIPPED: Multipliers = Multipliers { bishop: BISHOP_MAGICS, rook: ROOK_MAGICS };

    /// Those of one slider.
    pub fn of(&self, slider: Slider) -> &[u64; 64] {
        match slider {
            Slider::Bishop => &self.bishop,
            Slider::Rook => &self.rook,
        }
    }

    /// Those of one slider, to be filled in.
    pub fn of_mut(&mut self, slider: Slider) -> &mut [u64; 64] {
        match slider {
            Slider::Bishop => &mut self.bishop,
            Slider::Rook => &mut self.rook,
        }
    }
}

/// A Rust module with the multipliers of all squares; `command` is named in it as what reproduces
/// it. The crate's own multipliers are in such a file.
pub fn constants(multipliers: &Multipliers, command: &str) -> String {
    let mut text = format!(
        "//! Magic bitboards: the multipliers, one for each square, with as many index bits as its mask has squares.\n\
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
            writeln!(text, "    // Rank {rank}.").expect("a string takes all text");
            for half in row.chunks(4) {
                let numbers: Vec<String> = half.iter().map(|&magic| grouped(magic)).collect();
                writeln!(text, "    {},", numbers.join(", ")).expect("a string takes all text");
            }
        }
        text.push_str("];\n");
    }
    text
}

impl Packing {
    /// A Rust module with the place of every spot's table, for a packing of [all
    /// spots](super::minimize()); `command` is named in it as what reproduces it.
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

#[cfg(test)]
mod tests {
    use super::super::{MagicSearch, Puzzle, Thrift, find_all, minimize};
    use super::*;
    use crate::attacks::magics::{BISHOP_MAGICS, ROOK_MAGICS};
    use core::ops::ControlFlow;

    #[test]
    fn the_shipped_multipliers_serve() {
        let shipped = Multipliers { bishop: BISHOP_MAGICS, rook: ROOK_MAGICS };
        for puzzle in Puzzle::all() {
            let spot = puzzle.spot();
            let magic = shipped.of(spot.slider)[spot.square.index()];
            let fit = puzzle.verify(magic, puzzle.bits());
            assert!(fit.is_ok_and(|fit| fit.highest < 1 << puzzle.bits()), "{spot}: {fit:?}");
        }
    }

    #[test]
    fn the_shipped_file_is_what_its_command_makes() {
        let search = MagicSearch { seed: 1, ..MagicSearch::default() };
        let found = find_all(&search, &mut |_| ControlFlow::Continue(())).unwrap();
        let text = constants(&found, "tabiya magic find --seed 1 --rust");
        assert_eq!(text, include_str!("../magics.rs"));
    }

    #[test]
    fn packings_are_written_whole() {
        let thrift = Thrift { width: 0, ..Thrift::default() };
        let packing = minimize(&thrift, &mut |_| ControlFlow::Continue(())).unwrap();
        let text = packing.constants("a command");
        for place in &packing.places {
            let line = format!(
                "    ({}, {}, {}), // {}\n",
                grouped(place.magic),
                place.bits,
                place.offset,
                place.spot.square
            );
            assert!(text.contains(&line), "{line}");
        }
        assert_eq!(text.lines().filter(|line| line.starts_with("    (0x")).count(), 128);
        assert!(text.contains("`a command`"));
    }
}
