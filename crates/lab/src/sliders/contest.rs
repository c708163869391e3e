//! All finders in one race.

use super::chains::Chains;
#[cfg(target_arch = "x86_64")]
use super::layouts::WholeSets;
use super::layouts::{Homogeneous, Packed, TwoLevel};
use super::lines::{Quintessence, RayScan};
use super::mailbox::Walk;
use super::rotated::Tables;
use super::work::{Pattern, Work};
use super::{Direct, Finder, count_right};
use std::cell::OnceCell;
use std::hint::black_box;
use tabiya_chess::attacks::magic::{MagicPart, MagicSharing, Multipliers, Puzzle, Spot, pack};
use tabiya_chess::attacks::sliders::{Method, Reader, SliderTable};
use tabiya_chess::{Bitboard, Square};

/// Does the work of a pattern, and returns a number that depends on all answers.
type Run<'a> = Box<dyn Fn(Pattern) -> u64 + 'a>;

/// A finder, ready to run.
pub struct Contender<'a> {
    /// A word for it.
    pub name: &'static str,
    /// The size of its tables.
    pub bytes: usize,
    /// On how many of all occupancies that matter it is right, if it was asked.
    pub right: Option<u64>,
    run: Run<'a>,
}

impl Contender<'_> {
    /// Does the work of a pattern, and returns a number that depends on all answers.
    pub fn run(&self, pattern: Pattern) -> u64 {
        (self.run)(pattern)
    }
}

/// The project's magics, against which others are measured.
pub const MAGIC: &str = "magic, minimal";
/// The classical approach.
pub const RAY_SCAN: &str = "ray scan";
/// Cell by cell over the padded mailbox.
pub const WALK: &str = "mailbox walk";
/// Square by square along two-dimensional tables.
pub const CHAINS: &str = "chained tables";
/// Magics whose tables share entries; packing them takes long.
pub const PACKED: &str = "magic, packed and masked";
/// Bit extraction.
pub const PEXT: &str = "pext";
/// Bit extraction with smaller entries, as the project has it.
pub const PEXT_PDEP: &str = "pext and pdep";
/// The cost of the loops.
pub const NOTHING: &str = "(the loop alone)";

/// What the finders look up in; each table is filled when somebody first wants it.
#[derive(Default)]
pub struct Field {
    work: Work,
    magic: OnceCell<SliderTable>,
    pext: OnceCell<SliderTable>,
    homogeneous: OnceCell<Homogeneous>,
    packed: OnceCell<Packed>,
    two_level: OnceCell<TwoLevel>,
    ray_scan: OnceCell<RayScan>,
    quintessence: OnceCell<Quintessence>,
    #[cfg(target_arch = "x86_64")]
    whole_sets: OnceCell<Option<WholeSets>>,
}

/// The project's multipliers with their tables laid into one array.
fn pack_shipped() -> Packed {
    let puzzles: Vec<Puzzle> = Puzzle::all().collect();
    let part = |puzzle| {
        let Spot { slider, square } = Puzzle::spot(puzzle);
        let magic = Multipliers::SHIPPED.of(slider)[square.index()];
        MagicPart { puzzle, magic, bits: puzzle.bits() }
    };
    Packed::new(pack(&puzzles.iter().map(part).collect::<Vec<_>>(), MagicSharing::Masked))
}

impl Field {
    /// The work.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The finders that are wanted; with `prove`, each is tried on every occupancy that matters.
    pub fn contenders(&self, wanted: impl Fn(&str) -> bool, prove: bool) -> Vec<Contender<'_>> {
        const ENTRIES: usize = super::OCCUPANCIES as usize;
        let mut contenders = Vec::new();
        macro_rules! add {
            ($name:expr, $bytes:expr, $finder:expr) => {
                if wanted($name) {
                    contenders.push(contender($name, $bytes, &self.work, $finder, prove));
                }
            };
        }
        let rays = self.ray_scan.get_or_init(RayScan::new);
        let quintessence = self.quintessence.get_or_init(Quintessence::new);
        add!(NOTHING, 0, Nothing);
        add!(WALK, 0, Walk);
        add!(CHAINS, Chains::get().bytes(), Chains::get());
        add!(RAY_SCAN, rays.bytes(), Direct(rays.with_branches()));
        add!("ray scan without ifs", rays.bytes(), Direct(rays.without_branches()));
        add!("hyperbola quintessence", quintessence.bytes(), Direct(quintessence));
        add!("rotated", Tables::get().bytes(), Tables::get());
        if wanted(MAGIC)
            && let Reader::Magic(magic) =
                self.magic.get_or_init(|| SliderTable::fill(Method::Magic)).reader()
        {
            add!(MAGIC, 8 * ENTRIES, Direct(magic));
        }
        let homogeneous =
            || self.homogeneous.get_or_init(|| Homogeneous::new(&Multipliers::SHIPPED));
        add!("magic, homogeneous", homogeneous().bytes(), Direct(homogeneous()));
        let packed = || self.packed.get_or_init(pack_shipped);
        add!(PACKED, packed().bytes(), Direct(packed()));
        let two_level = || self.two_level.get_or_init(|| TwoLevel::new(&Multipliers::SHIPPED));
        add!("magic, two levels", two_level().bytes(), Direct(two_level()));
        #[cfg(target_arch = "x86_64")]
        {
            if wanted(PEXT)
                && let Some(sets) = self.whole_sets.get_or_init(WholeSets::new)
            {
                add!(PEXT, sets.bytes(), Direct(sets));
            }
            if wanted(PEXT_PDEP)
                && let Reader::Pext(pext) =
                    self.pext.get_or_init(|| SliderTable::fill(Method::Pext)).reader()
            {
                add!(PEXT_PDEP, 2 * ENTRIES, Direct(pext));
            }
        }
        contenders
    }
}

fn contender<'a, F: Finder + 'a>(
    name: &'static str,
    bytes: usize,
    work: &'a Work,
    finder: F,
    prove: bool,
) -> Contender<'a> {
    let right = prove.then(|| count_right(finder));
    let prepared = work.prepare(finder);
    let run = move |pattern| counted_region(&prepared, black_box(pattern));
    Contender { name, bytes, right, run: Box::new(run) }
}

/// The part whose instructions are counted, known to the counter by its name.
#[inline(never)]
fn counted_region<F: Finder>(prepared: &super::work::Prepared<'_, F>, pattern: Pattern) -> u64 {
    prepared.run(pattern)
}

/// The cost of the loops, with nothing looked up.
#[derive(Clone, Copy)]
struct Nothing;

impl Finder for Nothing {
    type Board = Bitboard;

    fn board(self, occupied: Bitboard) -> Bitboard {
        occupied
    }

    #[inline(always)]
    fn rook(self, square: Square, board: &Bitboard) -> Bitboard {
        *board ^ Bitboard(square as u64)
    }

    #[inline(always)]
    fn bishop(self, square: Square, board: &Bitboard) -> Bitboard {
        *board ^ Bitboard(square as u64)
    }
}
