//! Material: what the pieces are worth, how they go together, and the phase of the game.

use super::tally::{Tally, Tracer};
use super::view::Pieces;
use tabiya_chess::Bitboard;

/// The phase of a game with all its pieces; with none it is 0.
pub(super) const FULL_PHASE: i32 = 24;

/// How many pieces there are of each kind.
#[derive(Clone, Copy)]
pub(super) struct MaterialCounts {
    pub(super) pawns: u32,
    pub(super) knights: u32,
    pub(super) bishops: u32,
    pub(super) rooks: u32,
    pub(super) queens: u32,
}

impl MaterialCounts {
    #[inline(always)]
    pub(super) fn of(pieces: &Pieces) -> MaterialCounts {
        MaterialCounts {
            pawns: pieces.pawns.len(),
            knights: pieces.knights.len(),
            bishops: pieces.bishops.len(),
            rooks: pieces.rooks.len(),
            queens: pieces.queens.len(),
        }
    }

    #[inline(always)]
    fn phase(&self) -> u32 {
        self.knights + self.bishops + 2 * self.rooks + 4 * self.queens
    }
}

/// How much of the middlegame there still is, up to [`FULL_PHASE`].
#[inline(always)]
pub(super) fn phase(white: &MaterialCounts, black: &MaterialCounts) -> i32 {
    ((white.phase() + black.phase()) as i32).min(FULL_PHASE)
}

/// Adds up what a side's pieces are worth.
#[inline(always)]
pub(super) fn material<T: Tracer>(
    pieces: &Pieces,
    own: &MaterialCounts,
    enemy: &MaterialCounts,
    tally: &mut Tally<'_, T>,
) {
    let weights = tally.weights;
    tally.add_times(&weights.material[0], own.pawns);
    tally.add_times(&weights.material[1], own.knights);
    tally.add_times(&weights.material[2], own.bishops);
    tally.add_times(&weights.material[3], own.rooks);
    tally.add_times(&weights.material[4], own.queens);

    let pair =
        pieces.bishops.intersects(Bitboard::LIGHT) && pieces.bishops.intersects(Bitboard::DARK);
    tally.add_times(&weights.bishop_pair, u32::from(pair));
    tally.add_times(&weights.knight_and_pawn, own.knights * own.pawns);
    tally.add_times(&weights.rook_and_pawn, own.rooks * own.pawns);
    tally.add_times(&weights.second_knight, own.knights.saturating_sub(1));
    tally.add_times(&weights.second_rook, own.rooks.saturating_sub(1));
    tally.add_times(&weights.queen_against_minor, own.queens * (enemy.knights + enemy.bishops));
}
