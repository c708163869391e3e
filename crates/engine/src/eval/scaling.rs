//! Endgame scaling: endgames that are harder to win than the material says.

use super::endings::wrong_corner;
use super::material::MaterialCounts;
use super::view::View;
use tabiya_chess::Bitboard;

/// The scale of an endgame that is as good as it looks; a dead draw has 0.
pub(super) const FULL_SCALE: i32 = 128;

/// With nothing but bishops of opposite colors, and per passed pawn of the stronger side.
const OPPOSITE_BISHOPS_ALONE: (i32, i32) = (36, 12);
/// With bishops of opposite colors and other pieces.
const OPPOSITE_BISHOPS: i32 = 104;
/// Without pawns and without enough more in pieces.
const NO_PAWNS: i32 = 20;
/// With few pawns, and per pawn.
const FEW_PAWNS: (i32, i32) = (84, 12);

/// A surplus of pieces that wins without pawns is more than this, counted as children learn it.
const WINNING_SURPLUS: i32 = 3;

/// How much of the endgame value of the stronger side is real. The view and the passed pawns are that
/// side's.
#[inline(always)]
pub(super) fn scale(
    view: &View,
    strong: &MaterialCounts,
    weak: &MaterialCounts,
    passed: Bitboard,
) -> i32 {
    let pieces = |counts: &MaterialCounts| {
        3 * (counts.knights + counts.bishops) as i32
            + 5 * counts.rooks as i32
            + 9 * counts.queens as i32
    };
    if strong.bishops == 1 && weak.bishops == 1 && opposite(view) {
        let alone = pieces(strong) == 3 && pieces(weak) == 3;
        return if alone {
            let (base, each) = OPPOSITE_BISHOPS_ALONE;
            base + each * passed.len() as i32
        } else {
            OPPOSITE_BISHOPS
        };
    }
    if strong.pawns == 0 {
        let surplus = pieces(strong) - pieces(weak);
        return match pieces(strong) {
            0..=3 => 0,
            _ if surplus <= WINNING_SURPLUS => NO_PAWNS,
            _ => FULL_SCALE,
        };
    }
    if wrong_corner(&view.own, &view.enemy) {
        return 0;
    }
    let (base, each) = FEW_PAWNS;
    FULL_SCALE.min(base + each * strong.pawns as i32)
}

#[inline(always)]
fn opposite(view: &View) -> bool {
    view.own.bishops.intersects(Bitboard::LIGHT) != view.enemy.bishops.intersects(Bitboard::LIGHT)
}

#[cfg(test)]
mod tests {
    use super::super::Evaluator;
    use super::*;
    use tabiya_chess::Position;

    #[test]
    fn drawish_endings_count_less() {
        let scale = |fen: &str| {
            let position = Position::from_fen(fen).expect("a legal position");
            Evaluator::default().explain(&position).scale
        };
        let same = scale("4k3/1p4p1/2b5/8/2B5/8/PPP3P1/4K3 w - - 0 1");
        let opposite = scale("4k3/1p4p1/3b4/8/2B5/8/PPP3P1/4K3 w - - 0 1");
        let with_rooks = scale("r3k3/1p4p1/3b4/8/2B5/8/PPP3P1/R3K3 w - - 0 1");
        assert_eq!(same, FULL_SCALE);
        assert!(opposite < with_rooks && with_rooks < same);
        assert_eq!(scale("4k3/1p4p1/8/8/2B5/2B5/8/4K3 w - - 0 1"), FULL_SCALE);
        let few = FEW_PAWNS.0 + 2 * FEW_PAWNS.1;
        assert_eq!(scale("4k3/pp6/8/8/2R5/8/8/4K1q1 w - - 0 1"), few, "Black is ahead");
        assert_eq!(scale("6k1/3n4/8/8/3R4/4N1r1/5B2/4K3 w - - 0 1"), NO_PAWNS);
        assert_eq!(scale("7k/6p1/8/7P/7P/8/4B3/K7 w - - 0 1"), 0, "the wrong bishop");
    }
}
