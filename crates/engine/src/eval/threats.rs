//! Threats and space: what can be taken or attacked next move, and who owns the squares behind the pawns.

use super::tally::{Tally, Tracer};
use super::view::{Attacks, View, down, files, pawn_attacks, ranks, up};
use tabiya_chess::{Bitboard, File, Rank};

/// Adds up what a side threatens.
#[inline(always)]
pub(super) fn threats<T: Tracer>(
    view: &View,
    own: &Attacks,
    enemy: &Attacks,
    tally: &mut Tally<'_, T>,
) {
    let weights = tally.weights;
    let prey = &view.enemy;
    let officers = prey.officers();

    let strongly_held = enemy.pawns | (enemy.twice - own.twice);
    let weak = (prey.all & own.all) - strongly_held;

    let kinds = [prey.pawns, prey.knights, prey.bishops, prey.rooks, prey.queens];
    let by_minor = (own.knights | own.bishops) & (weak | officers);
    let by_rook = own.rooks & weak;
    for (kind, pieces) in kinds.into_iter().enumerate() {
        tally.add_times(&weights.threat_by_minor[kind], (by_minor & pieces).len());
        tally.add_times(&weights.threat_by_rook[kind], (by_rook & pieces).len());
    }
    tally.add_times(&weights.threat_by_king, u32::from(own.king.intersects(weak)));

    let outnumbered = officers & own.twice;
    tally.add_times(&weights.hanging_piece, (weak & (outnumbered | !enemy.all)).len());

    let contested = (enemy.all & own.all) - strongly_held;
    tally.add_times(&weights.restricted_square, contested.len());

    let safe = own.all | !enemy.all;
    let by_pawn = pawn_attacks(view.own.pawns & safe);
    for (officer, pieces) in kinds.into_iter().skip(1).enumerate() {
        tally.add_times(&weights.threat_by_pawn[officer], (by_pawn & pieces).len());
    }

    const THIRD: Bitboard = Bitboard::rank(Rank::Third);
    let steps = up(view.own.pawns) - view.occupied;
    let steps = steps | (up(steps & THIRD) - view.occupied);
    let safe_steps = (steps & safe) - enemy.pawns;
    let pushed = pawn_attacks(safe_steps) & officers;
    tally.add_times(&weights.pawn_push_threat, pushed.len());
}

/// Where room counts.
const ROOM: Bitboard = Bitboard(files(File::C, File::F).0 & ranks(Rank::Second, Rank::Fourth).0);

/// This product of safe squares and pieces is one unit of space.
const SPACE_UNIT: u32 = 8;

/// Adds up the room that a side's pieces have behind their pawns.
#[inline(always)]
pub(super) fn space<T: Tracer>(view: &View, enemy: &Attacks, tally: &mut Tally<'_, T>) {
    let pawns = view.own.pawns;
    let safe = ROOM - pawns - enemy.pawns;
    // Up to three steps behind an own pawn a square is out of the enemy's sight.
    let behind = down(pawns);
    let behind = behind | down(behind);
    let behind = behind | down(down(behind));
    let squares = safe.len() + ((safe & behind) - enemy.all).len();
    let pieces = view.own.officers().len();
    let weights = tally.weights;
    tally.add_times(&weights.space, squares * pieces / SPACE_UNIT);
}
