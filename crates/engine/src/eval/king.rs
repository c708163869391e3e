//! King safety: the danger that a king is in, and what it costs.

use super::pair::Pair;
use super::pawns::king_flank;
use super::tally::{Tally, Tracer};
use super::view::{Attacks, View, king_ring, ranks};
use tabiya_chess::attacks::{self, sliders::Sliders};
use tabiya_chess::{Bitboard, Rank};

/// Danger beyond this counts no more: the king is lost anyway.
pub(super) const DANGER_LIMIT: i32 = 1500;

/// The square of the danger is divided by this.
pub(super) const DANGER_DIVISOR: i32 = 1024;

/// Where attacks on the king's flank count.
const CAMP: Bitboard = ranks(Rank::First, Rank::Fifth);

/// What a danger costs the side whose king is in it: small threats next to nothing, and several
/// together more than their sum.
#[inline(always)]
pub(super) fn cost(danger: Pair) -> Pair {
    let half = |danger: i32| {
        let danger = danger.clamp(0, DANGER_LIMIT);
        danger * danger / DANGER_DIVISOR
    };
    Pair::new(half(danger.midgame()), half(danger.endgame()))
}

/// Adds up the danger that the squares around the own king are in, besides what the enemy's pieces
/// have added as they were gone through.
#[inline(always)]
pub(super) fn danger<S: Sliders, T: Tracer>(
    view: &View,
    own: &Attacks,
    enemy: &Attacks,
    sliders: S,
    tally: &mut Tally<'_, T>,
) {
    let weights = tally.weights;
    let king = view.own.king;
    let ring = king_ring(king);

    let barely_held = own.queens | own.king | !own.all;
    let weak = (enemy.all & barely_held) - own.twice;
    tally.endanger(&weights.danger_base, 1);
    tally.endanger(&weights.danger_weak_square, (ring & weak).len());
    tally.endanger(&weights.danger_no_queen, u32::from(view.enemy.queens.is_empty()));
    tally.endanger(&weights.danger_knight_guard, u32::from(own.knights.intersects(ring)));

    let camp = king_flank(king) & CAMP;
    let attacked = (enemy.all & camp).len() + (enemy.twice & camp).len();
    tally.endanger(&weights.danger_flank_attack, attacked);
    tally.endanger(&weights.danger_flank_guard, (own.all & camp).len());

    // A check is safe where no enemy piece can take, or only the king could and the square is covered.
    let safe = (!own.all | weak & enemy.twice) - view.enemy.all;
    let beyond_queens = view.occupied - view.own.queens;
    let diagonal = sliders.bishop(king, beyond_queens);
    let orthogonal = sliders.rook(king, beyond_queens);
    let checks = [
        attacks::knight(king) & enemy.knights,
        diagonal & enemy.bishops,
        orthogonal & enemy.rooks,
        (diagonal | orthogonal) & enemy.queens,
    ];
    for (officer, squares) in checks.into_iter().enumerate() {
        let squares = squares - view.enemy.all;
        let from_safety = squares & safe;
        tally.endanger(&weights.danger_safe_check[officer], u32::from(!from_safety.is_empty()));
        tally.endanger(
            &weights.danger_more_safe_checks[officer],
            u32::from(from_safety.has_several()),
        );
        tally.endanger(&weights.danger_unsafe_check[officer], (squares - safe).len());
    }
}
