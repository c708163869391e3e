//! Values inside the search: draws, mate scores, and their bounds.

/// A value in the search's own units, for the side to move.
pub(crate) type Value = i32;

/// Longest line that the search follows.
pub(crate) const MAX_PLY: usize = 246;

/// More than any value.
pub(crate) const INFINITE: Value = 32_001;

/// Mate on the spot.
pub(crate) const MATE: Value = 32_000;

/// Values beyond this are mates.
pub(crate) const MATE_BOUND: Value = MATE - MAX_PLY as Value;

/// No evaluation reaches this.
pub(crate) const EVAL_LIMIT: Value = 29_000;

/// An ending that is won, beyond what can be doubted.
pub(crate) const WON: Value = 6000;

/// A draw.
pub(crate) const DRAW: Value = 0;

/// Mate score: being mated `ply` plies from the root.
#[inline(always)]
pub(crate) const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Mate score: giving mate `ply` plies from the root.
#[inline(always)]
pub(crate) const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Is it a mate, for either side?
#[inline(always)]
pub(crate) const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

const _: () = assert!(INFINITE < i16::MAX as Value && MATE_BOUND > EVAL_LIMIT);
