//! All finders in one race.

use super::layouts::{Homogeneous, Packed, TwoLevel};
use super::lines::{Quintessence, RayScan};
use super::mailbox::Walk;
use super::rotated::Tables;
use super::work::{Pattern, Work};
use super::{Direct, Finder, count_right};
use std::hint::black_box;
use tabiya_chess::attacks::magic::{self, Multipliers, Search, Sharing, Thrift};
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
/// Magics with parts of one size.
pub const HOMOGENEOUS: &str = "magic, homogeneous";
/// The classical approach.
pub const RAY_SCAN: &str = "ray scan";
/// The cost of the loops.
pub const NOTHING: &str = "(the loop alone)";

/// What the finders look up in.
pub struct Field {
    work: Work,
    magic: SliderTable,
    pext: SliderTable,
    homogeneous: Homogeneous,
    packed: Packed,
    two_level: TwoLevel<u8>,
    ray_scan: RayScan,
    quintessence: Quintessence,
    #[cfg(target_arch = "x86_64")]
    whole_sets: Option<super::layouts::WholeSets>,
}

impl Default for Field {
    fn default() -> Self {
        Self::new()
    }
}

impl Field {
    /// Fills all tables.
    pub fn new() -> Field {
        let keep_on = &mut |_| std::ops::ControlFlow::Continue(());
        let search = Search::default();
        let magics: Multipliers =
            magic::find_all(&search, keep_on).expect("a search without limits ends with a find");
        let thrift = Thrift { sharing: Sharing::Masked, width: 0, seed: search.seed };
        let packing =
            magic::minimise(&thrift, keep_on).expect("a search without limits ends with a find");
        Field {
            work: Work::new(),
            magic: SliderTable::fill(Method::Magic),
            pext: SliderTable::fill(Method::Pext),
            homogeneous: Homogeneous::new(&magics),
            packed: Packed::new(packing),
            two_level: TwoLevel::new(&magics),
            ray_scan: RayScan::new(),
            quintessence: Quintessence::new(),
            #[cfg(target_arch = "x86_64")]
            whole_sets: super::layouts::WholeSets::new(),
        }
    }

    /// The work.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// All finders; with `prove`, each is tried on every occupancy that matters.
    pub fn contenders(&self, prove: bool) -> Vec<Contender<'_>> {
        const ENTRIES: usize = super::OCCUPANCIES as usize;
        let work = &self.work;
        let mut contenders = vec![
            contender(NOTHING, 0, work, Nothing, false),
            contender("mailbox walk", 0, work, Walk, prove),
            contender(
                RAY_SCAN,
                self.ray_scan.bytes(),
                work,
                Direct(self.ray_scan.with_branches()),
                prove,
            ),
            contender(
                "ray scan without ifs",
                self.ray_scan.bytes(),
                work,
                Direct(self.ray_scan.without_branches()),
                prove,
            ),
            contender(
                "hyperbola quintessence",
                self.quintessence.bytes(),
                work,
                Direct(&self.quintessence),
                prove,
            ),
            contender("rotated", Tables::get().bytes(), work, Tables::get(), prove),
        ];
        if let Reader::Magic(magic) = self.magic.reader() {
            contenders.push(contender(MAGIC, 8 * ENTRIES, work, Direct(magic), prove));
        }
        contenders.push(contender(
            HOMOGENEOUS,
            self.homogeneous.bytes(),
            work,
            Direct(&self.homogeneous),
            prove,
        ));
        contenders.push(contender(
            "magic, packed and masked",
            self.packed.bytes(),
            work,
            Direct(&self.packed),
            prove,
        ));
        contenders.push(contender(
            "magic, two levels",
            self.two_level.bytes(),
            work,
            Direct(&self.two_level),
            prove,
        ));
        #[cfg(target_arch = "x86_64")]
        if let (Some(whole_sets), Reader::Pext(pext)) = (&self.whole_sets, self.pext.reader()) {
            contenders.push(contender("pext", whole_sets.bytes(), work, Direct(whole_sets), prove));
            contenders.push(contender("pext and pdep", 2 * ENTRIES, work, Direct(pext), prove));
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
fn counted_region<F: Finder>(
    prepared: &super::work::Prepared<'_, F>,
    pattern: Pattern,
) -> u64 {
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
