//! What the processor can do decides, once per call, which compilation of the generator runs.

use super::generate::{Visitor, generate};
use super::stage::{All, MoveStage};
use crate::attacks::sliders::{Magic, Sliders};
use crate::board::Board;
use crate::side::Side;
use crate::{Bitboard, Square};

/// A processor's way to generate and to count.
pub(crate) trait MovegenCpu: Sliders {
    /// Hands every legal move of a stage to the visitor.
    fn generate<S: Side>(self, board: &Board, stage: &impl MoveStage, visitor: &mut impl Visitor);

    /// How many legal moves there are.
    fn count<S: Side>(self, board: &Board) -> u64;
}

/// Any processor.
impl MovegenCpu for Magic<'_> {
    #[inline(always)]
    fn generate<S: Side>(self, board: &Board, stage: &impl MoveStage, visitor: &mut impl Visitor) {
        generate::<S, _>(board, self, stage, visitor);
    }

    #[inline]
    fn count<S: Side>(self, board: &Board) -> u64 {
        let mut counter = Counter(0);
        generate::<S, _>(board, self, &All, &mut counter);
        counter.0
    }
}

/// Counts moves without looking at them.
pub(super) struct Counter(pub(super) u64);

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: u8, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn pawns(&mut self, _: i32, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn double_steps(&mut self, _: i32, targets: Bitboard) {
        self.0 += u64::from(targets.len());
    }

    #[inline(always)]
    fn promotions(&mut self, _: i32, targets: Bitboard) {
        self.0 += 4 * u64::from(targets.len());
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}

/// Runs an expression with the best [`MovegenCpu`] there is bound to a name.
macro_rules! with_cpu {
    ($cpu:ident => $call:expr) => {
        match $crate::attacks::sliders::SliderTable::get().reader() {
            $crate::attacks::sliders::Reader::Magic($cpu) => $call,
            #[cfg(target_arch = "x86_64")]
            $crate::attacks::sliders::Reader::Pext(pext) => {
                let $cpu = $crate::movegen::wide::MovegenWide(pext);
                $call
            }
        }
    };
}

pub(crate) use with_cpu;
