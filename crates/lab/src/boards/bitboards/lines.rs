//! Occupancies that answer what a slider attacks: the one thing in which bitboard programs differ.

use crate::sliders::layouts::Homogeneous;
use crate::sliders::lines::{Quintessence, RayScan};
use crate::sliders::rotated::{Boards, Tables};
use std::sync::LazyLock;
use tabiya_chess::attacks::magic::Multipliers;
use tabiya_chess::attacks::sliders::{self, Method, Reader, SliderTable, Sliders};
use tabiya_chess::{Bitboard, Square};

/// The occupancy of a board, kept in whatever form its look-ups want.
pub trait Lines: Copy {
    /// What people call a bitboard program that does it so.
    const NAME: &'static str;

    /// The empty board.
    fn empty() -> Self;

    /// A piece comes to a square, or leaves it.
    fn flip(&mut self, square: Square);

    /// Which squares are occupied.
    fn occupied(&self) -> Bitboard;

    /// What a rook attacks.
    fn rook(&self, square: Square) -> Bitboard;

    /// What a bishop attacks.
    fn bishop(&self, square: Square) -> Bitboard;
}

/// Where look-ups that need only the plain occupancy come from.
pub trait Source: Copy {
    /// What people call it.
    const NAME: &'static str;

    /// The look-ups.
    type Sliders: Sliders + 'static;

    /// The process's one set of tables, made when first asked for.
    fn get() -> Self::Sliders;
}

/// A plain occupancy, looked up in tables.
#[derive(Clone, Copy)]
pub struct Plain<S: Source> {
    occupied: Bitboard,
    sliders: S::Sliders,
}

impl<S: Source> Lines for Plain<S> {
    const NAME: &'static str = S::NAME;

    fn empty() -> Self {
        Plain { occupied: Bitboard::EMPTY, sliders: S::get() }
    }

    #[inline(always)]
    fn flip(&mut self, square: Square) {
        self.occupied ^= Bitboard::square(square);
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.occupied
    }

    #[inline(always)]
    fn rook(&self, square: Square) -> Bitboard {
        self.sliders.rook(square, self.occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square) -> Bitboard {
        self.sliders.bishop(square, self.occupied)
    }
}

/// The project's magic multipliers.
#[derive(Clone, Copy)]
pub struct MagicSource;

impl Source for MagicSource {
    const NAME: &'static str = "magic";

    type Sliders = sliders::Magic<'static>;

    fn get() -> Self::Sliders {
        static TABLE: LazyLock<SliderTable> = LazyLock::new(|| SliderTable::fill(Method::Magic));
        match TABLE.reader() {
            Reader::Magic(magic) => magic,
            #[cfg(target_arch = "x86_64")]
            Reader::Pext(_) => unreachable!("filled for multiplication"),
        }
    }
}

/// The same multipliers, in tables with parts of one size.
#[derive(Clone, Copy)]
pub struct HomogeneousSource;

impl Source for HomogeneousSource {
    const NAME: &'static str = "homogeneous";

    type Sliders = &'static Homogeneous;

    fn get() -> Self::Sliders {
        static TABLE: LazyLock<Homogeneous> =
            LazyLock::new(|| Homogeneous::new(&Multipliers::SHIPPED));
        &TABLE
    }
}

/// The project's table for parallel bit extraction; where the processor has none, it is the magic one.
#[derive(Clone, Copy)]
pub struct PextSource;

impl Source for PextSource {
    const NAME: &'static str = "pext";

    type Sliders = &'static SliderTable;

    fn get() -> Self::Sliders {
        static TABLE: LazyLock<SliderTable> = LazyLock::new(|| SliderTable::fill(Method::Pext));
        &TABLE
    }
}

/// Subtraction on the board and on its reverse.
#[derive(Clone, Copy)]
pub struct HyperbolaSource;

impl Source for HyperbolaSource {
    const NAME: &'static str = "hyperbola";

    type Sliders = &'static Quintessence;

    fn get() -> Self::Sliders {
        static LINES: LazyLock<Quintessence> = LazyLock::new(Quintessence::new);
        &LINES
    }
}

/// Rays cut off behind the first piece.
#[derive(Clone, Copy)]
pub struct RaySource;

impl Source for RaySource {
    const NAME: &'static str = "ray scan";

    type Sliders = crate::sliders::lines::Branching<'static>;

    fn get() -> Self::Sliders {
        static RAYS: LazyLock<RayScan> = LazyLock::new(RayScan::new);
        RAYS.with_branches()
    }
}

/// Four occupancies, each with the squares of its lines in a row.
#[derive(Clone, Copy)]
pub struct Rotated {
    boards: Boards,
    tables: &'static Tables,
}

impl Lines for Rotated {
    const NAME: &'static str = "rotated";

    fn empty() -> Self {
        Rotated { boards: Boards::default(), tables: Tables::get() }
    }

    #[inline(always)]
    fn flip(&mut self, square: Square) {
        self.boards.flip(self.tables, square);
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.boards.occupied()
    }

    #[inline(always)]
    fn rook(&self, square: Square) -> Bitboard {
        self.tables.rook(square, &self.boards)
    }

    #[inline(always)]
    fn bishop(&self, square: Square) -> Bitboard {
        self.tables.bishop(square, &self.boards)
    }
}
