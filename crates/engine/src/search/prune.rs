//! Searches that spare a node its moves, or tell how much one of them matters.

use super::alpha_beta::{NodeKind, NonPv};
use super::thread::{SharedContext, StackEntry, ThreadData};
use crate::history::{PieceTo, piece_to};
use crate::movepick::{MovePicker, PickStage};
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{MATE_BOUND, Value, is_mate};
use tabiya_chess::{Move, PieceKind, Position};

impl ThreadData {
    /// Steps 8 to 11: reasons to believe, without trying a quiet move, that the value is beyond the
    /// window.
    #[expect(clippy::too_many_arguments, reason = "they are what the node knows by then")]
    pub(super) fn prune_node(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        eval: Value,
        improving: bool,
        cut_node: bool,
        tt_entry: Option<TtEntry>,
        tt_move: Option<Move>,
    ) -> Option<Value> {
        // 8. Razoring: so far below alpha that only captures can help, or stalemate.
        let razor = self.params.razor_base + self.params.razor_slope * depth * depth;
        if eval + razor < alpha && has_non_pawn_material(position) {
            let value = self.quiesce::<NonPv>(shared, position, alpha, alpha + 1, ply);
            if value <= alpha && !is_mate(value) {
                return Some(value);
            }
        }

        // 9. Reverse futility: so far above beta that the opponent will not let it come to this.
        let margin =
            self.params.rfp_margin * depth - if improving { self.params.rfp_improving } else { 0 };
        if depth < self.params.rfp_depth
            && eval - margin.max(0) >= beta
            && !is_mate(eval)
            && !is_mate(beta)
        {
            return Some((eval + beta) / 2);
        }

        // 10. Null move: if passing still reaches beta, some move will.
        let just_passed = self.frame_before(ply, 1).arrival == PieceTo::NOTHING && ply > 0;
        if depth >= self.params.nmp_depth
            && cut_node
            && !just_passed
            && eval >= beta
            && ply >= self.no_null_before
            && beta > -MATE_BOUND
            && has_non_pawn_material(position)
            && !tt_entry
                .is_some_and(|entry| entry.bound == Some(Bound::Upper) && entry.value < beta)
        {
            let reduction = self.params.nmp_base
                + depth / self.params.nmp_divisor
                + ((eval - beta) / self.params.nmp_eval_divisor).min(3);
            let mut next = position.clone();
            if next.null_move() {
                self.enter(shared, position, None, &next);
                let before = self.after_null;
                self.after_null = self.key_count();
                let frame = self.frame_mut(ply);
                frame.arrival = PieceTo::NOTHING;
                frame.quiet = None;
                let value = -self.search::<NonPv>(
                    shared,
                    &next,
                    -beta,
                    -beta + 1,
                    depth - reduction,
                    ply + 1,
                    false,
                );
                self.after_null = before;
                self.leave();
                if self.was_aborted() {
                    return Some(0);
                }
                if value >= beta {
                    let value = if value >= MATE_BOUND { beta } else { value };
                    if depth < self.params.nmp_verify_depth || self.no_null_before > 0 {
                        return Some(value);
                    }
                    // Zugzwang shows when the side to move has to move after all.
                    self.no_null_before = ply + (3 * (depth - reduction) / 4).max(1) as usize;
                    let verified = self.search::<NonPv>(
                        shared,
                        position,
                        beta - 1,
                        beta,
                        depth - reduction,
                        ply,
                        false,
                    );
                    self.no_null_before = 0;
                    if verified >= beta {
                        return Some(value);
                    }
                }
            }
        }

        // 11. ProbCut: a capture that beats beta by a margin at less depth will beat beta.
        let target = beta + self.params.probcut_margin;
        if depth >= self.params.probcut_depth
            && !is_mate(beta)
            && !tt_entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < target)
        {
            let mut picker = MovePicker::captures(position, tt_move, target - eval);
            while let Some(mv) = picker.next(position, &self.histories, None) {
                if picker.stage() == PickStage::BadCaptures {
                    break;
                }
                let mut next = position.clone();
                next.play_unchecked(mv);
                self.enter(shared, position, Some(mv), &next);
                let frame = self.frame_mut(ply);
                frame.arrival = piece_to(position, mv);
                frame.quiet = None;
                let mut value =
                    -self.quiesce::<NonPv>(shared, &next, -target, -target + 1, ply + 1);
                if value >= target {
                    value = -self.search::<NonPv>(
                        shared,
                        &next,
                        -target,
                        -target + 1,
                        depth - 4,
                        ply + 1,
                        !cut_node,
                    );
                }
                self.leave();
                if self.was_aborted() {
                    return Some(0);
                }
                if value >= target {
                    let entry = TtEntry {
                        mv: Some(mv),
                        value,
                        eval: None,
                        depth: depth - 3,
                        bound: Some(Bound::Lower),
                        pv: false,
                    };
                    shared.table.store(position.keys().position, ply, entry);
                    return Some(if is_mate(value) { beta } else { value });
                }
            }
        }
        None
    }

    /// Is the table's move better than all others by a margin? A search without it tells.
    #[expect(clippy::too_many_arguments, reason = "they are what a node is")]
    pub(super) fn singular<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        entry: TtEntry,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Singular {
        let target = entry.value - depth * self.params.singular_margin / 16;
        let frame = *self.frame(ply);
        self.frame_mut(ply).excluded = entry.mv;
        let value = self.search::<NonPv>(
            shared,
            position,
            target - 1,
            target,
            (depth - 1) / 2,
            ply,
            cut_node,
        );
        *self.frame_mut(ply) = Singular::restored(frame, self.frame(ply).cutoffs);
        if value < target {
            let far = value < target - self.params.double_margin;
            if !N::PV && far && frame.double_extensions < 8 {
                self.frame_mut(ply).double_extensions = frame.double_extensions + 1;
                return Singular::Extend(2);
            }
            return Singular::Extend(1);
        }
        // Two moves beat beta: this node will be cut off by one of them.
        if target >= beta && !is_mate(target) {
            return Singular::MultiCut(target);
        }
        if entry.value >= beta {
            return Singular::Extend(-2);
        }
        Singular::Extend(if cut_node { -1 } else { 0 })
    }
}

/// What the singular search says.
pub(super) enum Singular {
    Extend(i32),
    MultiCut(Value),
}

impl Singular {
    fn restored(frame: StackEntry, cutoffs: u32) -> StackEntry {
        StackEntry { cutoffs, ..frame }
    }
}

/// Has the side to move more than king and pawns? Without pieces, zugzwang is never far.
#[inline(always)]
pub(super) fn has_non_pawn_material(position: &Position) -> bool {
    let own = position.colors(position.side_to_move());
    !(own - position.pieces(PieceKind::Pawn) - position.pieces(PieceKind::King)).is_empty()
}
