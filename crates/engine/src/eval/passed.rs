//! How far passed pawns can go as things stand: what the pawns alone cannot tell.
//!
//! This is Reul's interactive evaluation: exchanges on the squares of a passed pawn's path. They are
//! decided for all squares at once, from who attacks a square once and who twice.

use super::tally::{Tally, Tracer};
use super::view::{Attacks, View, above, below};
use tabiya_chess::{Bitboard, Square};

/// Adds up what stands in the way of a side's passed pawns, and what helps them.
#[inline(always)]
pub(super) fn paths<T: Tracer>(
    view: &View,
    passed: Bitboard,
    own: &Attacks,
    enemy: &Attacks,
    own_turn: bool,
    tally: &mut Tally<'_, T>,
) {
    let weights = tally.weights;
    let pieceless = view.enemy.officers().is_empty();
    for pawn in passed {
        let rank = pawn.rank().index();
        let path = above(pawn);
        let stop = Square::wrapping(pawn as u32 + 8);

        // A rook behind the pawn reaches every square that the pawn leaves behind.
        let (mut held, mut attacked) = (own.all, enemy.all);
        let (mut held_twice, mut attacked_twice) = (own.twice, enemy.twice);
        if let Some(behind) = (below(pawn) & view.occupied).last() {
            if (view.own.rooks | view.own.queens).contains(behind) {
                tally.add(&weights.passed_pawn_rook_behind);
                held_twice |= held & path;
                held |= path;
            } else if (view.enemy.rooks | view.enemy.queens).contains(behind) {
                tally.add(&weights.passed_pawn_rook_against);
                attacked_twice |= attacked & path;
                attacked |= path;
            }
        }
        // The pawn is the least that can be lost: with as many defenders as attackers, two at most
        // being counted, taking it gains nothing.
        let safe = !attacked | held & (held_twice | !attacked_twice);

        if view.enemy.all.contains(stop) {
            tally.add(&weights.passed_pawn_blocked[rank]);
        } else if safe.contains(stop) && !view.occupied.contains(stop) {
            tally.add(&weights.passed_pawn_safe_step[rank]);
        }
        if path.is_disjoint(view.occupied) {
            tally.add(&weights.passed_pawn_free_path[rank]);
            if path.is_subset(safe) {
                tally.add(&weights.passed_pawn_safe_path[rank]);
            }
            if pieceless && outruns(pawn, view.enemy.king, own_turn) {
                tally.add(&weights.passed_pawn_unstoppable);
            }
        }
    }
}

/// Does a pawn on a free path promote before the enemy's king can take it?
#[inline(always)]
fn outruns(pawn: Square, king: Square, own_turn: bool) -> bool {
    let rank = pawn.rank().index() as u8;
    // A double step from the second rank saves a move.
    let steps = 7 - rank - u8::from(rank == 1);
    let promotion = Square::wrapping(pawn as u32 | 56);
    king.distance(promotion) > steps + u8::from(!own_turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_of_the_square() {
        assert!(outruns(Square::A5, Square::E5, true));
        assert!(!outruns(Square::A5, Square::E5, false));
        assert!(!outruns(Square::A5, Square::D5, true));
        assert!(outruns(Square::A2, Square::G3, true), "the double step counts");
    }
}
