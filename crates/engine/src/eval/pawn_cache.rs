//! The pawn cache (pawn hash table): pawn summaries that have been worked out before.

use super::pair::Pair;
use super::pawns::PawnSummary;
use tabiya_chess::{Bitboard, Color, PieceKind, Position, Square};

const ENTRIES: usize = 1 << 14;

/// A summary with what it was worked out for.
///
/// The pawns and kings themselves are kept, not a hash of them: a summary is given back for exactly
/// the pieces it belongs to, so that the cache can never change a value.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Entry {
    pawns: [Bitboard; 2],
    summary: PawnSummary,
    kings: [Square; 2],
}

const _: () = assert!(size_of::<Entry>() == 64, "an entry is a cache line");

impl Entry {
    /// No position has pawns everywhere.
    const EMPTY: Entry = Entry {
        pawns: [Bitboard::FULL; 2],
        summary: PawnSummary {
            passed: Bitboard::EMPTY,
            spans: [Bitboard::EMPTY; 2],
            score: Pair::ZERO,
            danger: [Pair::ZERO; 2],
        },
        kings: [Square::A1; 2],
    };
}

/// A direct-mapped cache of one thread's own.
#[derive(Clone)]
pub(super) struct PawnCache {
    entries: Box<[Entry; ENTRIES]>,
}

impl PawnCache {
    pub(super) fn new() -> PawnCache {
        let entries = vec![Entry::EMPTY; ENTRIES].into_boxed_slice();
        PawnCache { entries: entries.try_into().ok().expect("the length is the array's") }
    }

    /// The summary for a position's pawns and kings, worked out if it is not there.
    #[inline(always)]
    pub(super) fn summary(
        &mut self,
        position: &Position,
        work_out: impl FnOnce() -> PawnSummary,
    ) -> &PawnSummary {
        let pawns = Color::ALL.map(|color| position.colored_pieces(color, PieceKind::Pawn));
        let kings = Color::ALL.map(|color| position.king(color));
        let kings_code = (kings[0] as u64) << 6 | kings[1] as u64;
        // An odd factor spreads the two squares over all bits and sends no two pairs to one number.
        let key = position.keys().pawns ^ kings_code.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.pawns != pawns || entry.kings != kings {
            *entry = Entry { pawns, summary: work_out(), kings };
        }
        &entry.summary
    }
}
