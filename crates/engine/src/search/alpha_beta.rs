//! Alpha-beta: one node of the main search, a principal variation search (PVS) in negamax form.
//!
//! | step | what                                             | where                       |
//! |------|--------------------------------------------------|-----------------------------|
//! | 1    | quiescence search at the horizon                 | [`ThreadData::alpha_beta`]  |
//! | 2    | draws, and the maximum ply                       |                             |
//! | 3    | mate distance pruning                            |                             |
//! | 4    | upcoming repetition                              |                             |
//! | 5    | transposition table (TT): probe and cutoff       |                             |
//! | 6    | static evaluation, correction history            |                             |
//! | 7    | improving, eval history, hindsight               |                             |
//! | 8    | internal iterative reductions (IIR)              |                             |
//! | 9    | razoring                                         | [`ThreadData::razor`]       |
//! | 10   | reverse futility pruning (RFP)                   | [`ThreadData::reverse_futility`] |
//! | 11   | null move pruning (NMP)                          | [`ThreadData::null_move`]   |
//! | 12   | ProbCut                                          | [`ThreadData::probcut`]     |
//! | 13   | the moves, from the move picker or a split point | [`ThreadData::search_moves`] |
//! | 14   | shallow pruning: LMP, futility, history, SEE     | [`ThreadData::is_pruned`]   |
//! | 15   | singular extensions (SE), multi-cut              | [`ThreadData::singular`]    |
//! | 16   | make the move                                    | [`ThreadData::search_moves`] |
//! | 17   | late move reductions (LMR)                       | [`ThreadData::late_move_reduction`] |
//! | 18   | PVS: null window first, then the full window     | [`ThreadData::search_moves`] |
//! | 19   | alpha, best move, beta cutoff                    | [`MoveLoop::add`], in `node.rs` |
//! | 20   | mate and stalemate                               | [`ThreadData::finish_node`] |
//! | 21   | history bonus and malus                          |                             |
//! | 22   | correction history, TT store                     |                             |
//!
//! Step 13 has one type parameter, the [`MoveSource`]: a thread that searches alone takes its moves from
//! the move picker ([`Alone`]), and threads that search one node together take them from a split point.

use super::node::{
    Alone, Candidate, MoveLoop, MoveResult, MoveSource, Node, NodeKind, NonPv, Pv, Window,
};
use super::thread::{SharedContext, StackEntry, ThreadData};
use crate::history::{OrderingContext, PieceTo, QuietIndex};
use crate::movepick::{MovePicker, PickStage, is_tactical};
use crate::params::Params;
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, WON, is_mate, mate_in, mated_in};
use tabiya_chess::{Move, PieceKind, Position};

/// One ply, in the units of reductions.
const PLY: i32 = 1024;

impl ThreadData {
    /// The value of a position, searched to `depth`. It is fail-soft: outside the window it is a bound, which may
    /// lie beyond the window.
    pub(crate) fn alpha_beta<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        window: Window,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let Window { mut alpha, mut beta } = window;
        // 1. Quiescence search (qsearch) at the horizon: only captures are searched.
        if depth <= 0 {
            return self.qsearch::<N>(shared, position, window, ply);
        }
        if self.must_stop(shared) {
            return 0;
        }
        let in_check = position.in_check();
        let excluded = self.ss(ply).excluded;
        let mut floor = -INFINITE;
        if N::PV {
            self.pv[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }

        if !N::ROOT {
            // 2. Draws, and the maximum ply.
            if self.is_draw(position) {
                return self.draw_value();
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { 0 } else { self.evaluator.evaluate(position) };
            }
            // 3. Mate distance pruning: nothing here can beat a shorter mate found elsewhere.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            // 4. Upcoming repetition: a draw within reach is the least that this node is worth.
            if alpha < DRAW && self.can_repeat(position, ply) {
                floor = self.draw_value();
                alpha = floor;
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // 5. Transposition table (TT): a deep enough entry cuts off, and its move is searched first.
        let key = position.keys().position;
        let tt_entry = match excluded {
            Some(_) => None,
            None => shared.tt.probe(key, ply, position.halfmove_clock()),
        };
        let tt_move = if N::ROOT {
            Some(self.root_moves[self.first_root_move].mv)
        } else {
            let stored = tt_entry.and_then(|entry| entry.mv);
            let legal = stored.filter(|&mv| position.is_legal(mv));
            self.probes.all += u64::from(excluded.is_none());
            self.probes.inconsistent += u64::from(stored != legal);
            legal
        };
        let tt_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.depth >= depth
            && entry.is_cutoff(alpha, beta)
            && (position.halfmove_clock() as i32) < self.params.tt_cutoff_clock
        {
            if entry.value >= beta
                && let Some(mv) = tt_move
                && !is_tactical(position, mv)
            {
                let context = OrderingContext::new(position, self.previous_moves(ply));
                let index = QuietIndex::new(position, &context, mv);
                let bonus = self.bonus(depth) * self.params.tt_cut_bonus / 64;
                self.histories.update_quiet(&index, &context.previous, bonus);
            }
            return entry.value;
        }

        // 6. Static evaluation, put right by correction history.
        let previous = self.previous_moves(ply);
        let raw_eval = if in_check {
            None
        } else {
            Some(tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| {
                let eval = self.evaluator.evaluate(position);
                if excluded.is_none() && tt_entry.is_none() {
                    shared.tt.store(key, ply, TtEntry::of_eval(eval, tt_pv));
                }
                eval
            }))
        };
        let corrected = raw_eval.map(|eval| self.histories.corrected(position, &previous, eval));
        let correction_size =
            raw_eval.zip(corrected).map_or(0, |(raw, corrected)| (raw - corrected).abs());
        // A draw by the fifty-move rule comes nearer.
        let static_eval = corrected.map(|eval| self.fifty_move_scaled(position, eval));
        // The TT's value may be nearer the truth than any static one.
        let eval = static_eval.map(|eval| match tt_entry {
            Some(entry) if entry.is_tighter_than(eval) => entry.value,
            _ => eval,
        });
        self.ss_mut(ply).static_eval = static_eval;

        // 7. Improving: is the static evaluation better than at the own moves before?
        let improving = static_eval.is_some_and(|now| {
            let before = [2, 4].into_iter().find_map(|back| self.ss_back(ply, back).static_eval);
            before.is_none_or(|before| now > before)
        });
        // Eval history: the last move is judged by what it did to the static evaluation.
        if let (Some(now), Some(before)) = (static_eval, self.ss_back(ply, 1).static_eval)
            && let Some(index) = self.ss_back(ply, 1).quiet
        {
            let most = self.params.eval_bonus_max;
            let bonus = (-(now + before) * self.params.eval_bonus / 64).clamp(-most, most);
            self.histories.update_main(&index, bonus);
        }
        let opponent_worsening = match (static_eval, self.ss_back(ply, 1).static_eval) {
            (Some(now), Some(before)) => now > -before,
            _ => false,
        };
        // Hindsight: a large reduction that the static evaluation speaks against is taken back in part.
        let reduced_by = if N::ROOT { 0 } else { self.ss_back(ply, 1).reduction };
        if excluded.is_none()
            && reduced_by >= self.params.hindsight_reduction
            && !opponent_worsening
        {
            depth += self.params.hindsight_extension;
        }
        self.ss_mut(ply + 1).killer = None;
        self.ss_mut(ply + 2).cutoff_count = 0;
        self.ss_mut(ply).double_extensions = self.ss_back(ply, 1).double_extensions;

        // 8. Internal iterative reductions (IIR): without a TT move ordering is poor, and a search of less
        // depth finds one cheaply.
        if depth >= self.params.iir_depth
            && tt_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            depth -= self.params.iir_reduction;
        }

        let node = Node {
            beta,
            ply,
            cut_node,
            excluded,
            tt_entry,
            tt_move,
            tt_tactical: tt_move.is_some_and(|mv| is_tactical(position, mv)),
            tt_pv,
            raw_eval,
            static_eval,
            eval,
            correction_size,
            improving,
        };
        if !N::PV
            && excluded.is_none()
            && let Some(eval) = eval
        {
            // 9. Razoring: far below alpha only captures can help.
            if let Some(value) = self.razor(shared, position, &node, depth, eval) {
                return value;
            }
            // 10. Reverse futility pruning (RFP): far above beta nothing need be searched.
            if let Some(value) = self.reverse_futility(&node, depth, eval) {
                return value;
            }
            // 11. Null move pruning (NMP): if passing still reaches beta, some move will.
            if let Some(value) = self.null_move(shared, position, &node, depth, eval) {
                return value;
            }
            // 12. ProbCut: a capture that beats beta by a margin at less depth will beat beta.
            if let Some(value) = self.probcut(shared, position, &node, depth, eval) {
                return value;
            }
        }

        let mut picker = MovePicker::all(
            tt_move.filter(|_| self.params.order_tt != 0),
            self.ss(ply).killer.filter(|_| self.params.order_killer != 0),
        );
        let mut moves = MoveLoop::new(alpha, depth);
        let mut alone = Alone { picker: &mut picker, moves: &mut moves, last: None };
        let context = OrderingContext::new(position, previous);
        match self.search_moves::<N, _>(shared, position, &node, &context, &mut alone) {
            Some(value) => value.max(floor),
            None => self.finish_node::<N>(shared, position, &node, &context, &moves).max(floor),
        }
    }

    /// Razoring: the evaluation is so far below alpha that only captures can help, or stalemate.
    #[inline(always)]
    fn razor(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        depth: i32,
        eval: Value,
    ) -> Option<Value> {
        let window = Window::null_below(node.beta);
        let margin = self.params.razor_base + self.params.razor_slope * depth * depth;
        if eval + margin >= window.alpha || !has_non_pawn_material(position) {
            return None;
        }
        let value = self.qsearch::<NonPv>(shared, position, window, node.ply);
        (value <= window.alpha && !is_mate(value)).then_some(value)
    }

    /// Reverse futility pruning (RFP): the evaluation is so far above beta that the opponent will not let it
    /// come to this.
    #[inline(always)]
    fn reverse_futility(&self, node: &Node, depth: i32, eval: Value) -> Option<Value> {
        let Params { rfp_depth, rfp_margin, rfp_improving, rfp_blend, .. } = self.params;
        let margin = rfp_margin * depth - if node.improving { rfp_improving } else { 0 };
        let beta = node.beta;
        let prunes =
            depth < rfp_depth && eval - margin.max(0) >= beta && !is_mate(eval) && !is_mate(beta);
        prunes.then(|| (eval * rfp_blend + beta * (128 - rfp_blend)) / 128)
    }

    /// Null move pruning (NMP): the side to move passes. Zugzwang is the exception, hence the verification.
    #[inline(always)]
    fn null_move(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        depth: i32,
        eval: Value,
    ) -> Option<Value> {
        let &Node { beta, ply, cut_node, tt_entry, .. } = node;
        let after_null = self.ss_back(ply, 1).piece_to == PieceTo::NOTHING && ply > 0;
        if depth < self.params.nmp_depth
            || !cut_node
            || after_null
            || eval < beta + self.params.nmp_margin
            || ply < self.nmp_min_ply
            || beta <= -MATE_BOUND
            || !has_non_pawn_material(position)
            || tt_entry.is_some_and(|entry| entry.bound == Some(Bound::Upper) && entry.value < beta)
        {
            return None;
        }
        let by_eval = ((eval - beta) / self.params.nmp_eval_divisor).min(self.params.nmp_eval_max);
        let reduction = self.params.nmp_base + depth / self.params.nmp_divisor + by_eval;
        let reduced = depth - reduction;
        let (next, repetition_start) = self.make_null_move(shared, position, ply)?;
        let window = Window::null_below(beta);
        let value =
            -self.alpha_beta::<NonPv>(shared, &next, window.flipped(), reduced, ply + 1, false);
        self.unmake_null_move(repetition_start);
        if self.was_aborted() {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        let value = if value >= MATE_BOUND { beta } else { value };
        if depth < self.params.nmp_verify_depth || self.nmp_min_ply > 0 {
            return Some(value);
        }
        // Verification: in zugzwang the side to move would rather pass, but it has to move.
        let without_null = (reduced * self.params.nmp_verify_share / 100).max(1);
        self.nmp_min_ply = ply + without_null as usize;
        let verified = self.alpha_beta::<NonPv>(shared, position, window, reduced, ply, false);
        self.nmp_min_ply = 0;
        (verified >= beta).then_some(value)
    }

    /// ProbCut: qsearch first, and a search of less depth if that agrees.
    #[inline(always)]
    fn probcut(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        depth: i32,
        eval: Value,
    ) -> Option<Value> {
        let &Node { beta, ply, cut_node, tt_entry, tt_move, .. } = node;
        let target = beta + self.params.probcut_margin;
        let reduced = depth - self.params.probcut_reduction;
        if depth < self.params.probcut_depth
            || is_mate(beta)
            || tt_entry.is_some_and(|entry| entry.depth > reduced && entry.value < target)
        {
            return None;
        }
        let window = Window::null_below(target).flipped();
        let mut picker = MovePicker::captures(position, tt_move, target - eval);
        while let Some(mv) = picker.next(position, &self.histories, None) {
            if picker.stage() == PickStage::BadCaptures {
                break;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.make_move(shared, position, mv, &next, ply, None);
            let mut value = -self.qsearch::<NonPv>(shared, &next, window, ply + 1);
            if value >= target {
                value =
                    -self.alpha_beta::<NonPv>(shared, &next, window, reduced, ply + 1, !cut_node);
            }
            self.unmake_move();
            if self.was_aborted() {
                return Some(0);
            }
            if value >= target {
                let entry = TtEntry {
                    mv: Some(mv),
                    value,
                    eval: None,
                    depth: reduced + 1,
                    bound: Some(Bound::Lower),
                    pv: false,
                };
                shared.tt.store(position.keys().position, ply, entry);
                return Some(if is_mate(value) { beta } else { value });
            }
        }
        None
    }

    /// Steps 13 to 19, for one move after the other. Returns a value only if the node is left early; else what
    /// was found is with the source.
    #[inline(always)]
    pub(crate) fn search_moves<N: NodeKind, M: MoveSource>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        context: &OrderingContext,
        source: &mut M,
    ) -> Option<Value> {
        let &Node { beta, ply, cut_node, tt_move, .. } = node;
        let mut skip_quiets = false;
        loop {
            // 13. The next move, from the move picker or a split point.
            let quiets = (!skip_quiets).then_some(context);
            let Some(candidate) = source.next::<N>(self, position, node, quiets) else {
                return self.was_aborted().then_some(0);
            };
            let Candidate { mv, move_count, mut alpha, best, depth, .. } = candidate;
            if N::ROOT {
                self.report_current_move(shared, mv, move_count);
            }
            // Memory is slow: the child's TT entry is fetched while the move is judged.
            shared.tt.prefetch(position.key_after(mv));
            let tactical = is_tactical(position, mv);
            let gives_check = context.checks.gives_check(position, mv);
            let index = (!tactical).then(|| QuietIndex::new(position, context, mv));
            let history = match &index {
                None => self.histories.capture(position, mv),
                Some(index) => self.histories.quiet(index, &context.previous),
            };
            let traits = MoveTraits { tactical, gives_check, history };

            // 14. Shallow pruning: LMP, futility, history, SEE. A first move that another thread still searches is taken not to be mated.
            let not_mated = best > -MATE_BOUND || M::SHARED && move_count > 1 && best == -INFINITE;
            if !N::ROOT
                && !candidate.is_requeued
                && not_mated
                && has_non_pawn_material(position)
                && self.is_pruned(position, node, &candidate, &traits, &mut skip_quiets)
            {
                continue;
            }

            // 15. Singular extensions (SE): the TT move gets more depth if it alone is good.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && node.excluded.is_none()
                && depth >= self.params.singular_depth
                && ply < self.params.singular_ply_factor as usize * self.root_depth as usize
                && let Some(entry) = node.tt_entry
                && entry.depth >= depth - self.params.singular_tt_depth
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && !is_mate(entry.value)
            {
                match self.singular::<N>(shared, position, node, entry, depth) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(value) => return Some(value),
                }
                if self.was_aborted() {
                    return Some(0);
                }
            }

            // 16. The move is made.
            let (nodes_before, own_before) = (self.nodes_here(), self.own_nodes());
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.make_move(shared, position, mv, &next, ply, index);
            let new_depth = depth - 1 + extension;

            // 17. Late move reductions (LMR): searched to less depth first, again if they surprise.
            let mut value = -INFINITE;
            let null_window = Window::null_above(alpha).flipped();
            if depth >= self.params.lmr_depth && self.is_late::<N>(move_count) {
                let reduction = self.late_move_reduction::<N>(node, &candidate, &traits);
                let reduced = (new_depth - reduction / PLY).clamp(1.min(new_depth), new_depth);
                self.ss_mut(ply).reduction = new_depth - reduced;
                value =
                    -self.alpha_beta::<NonPv>(shared, &next, null_window, reduced, ply + 1, true);
                self.ss_mut(ply).reduction = 0;
                if value > alpha && reduced < new_depth {
                    // Re-search: deeper after a great surprise, shallower after a small one.
                    let deeper = i32::from(value > best + self.params.deeper_margin);
                    let shallower = i32::from(value < best + self.params.shallower_margin);
                    let again =
                        if best == -INFINITE { new_depth } else { new_depth + deeper - shallower };
                    if again > reduced {
                        value = -self.alpha_beta::<NonPv>(
                            shared,
                            &next,
                            null_window,
                            again,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    if let Some(index) = &index {
                        self.learn_from_research(
                            index,
                            context,
                            value,
                            Window::new(alpha, beta),
                            depth,
                        );
                    }
                }
            } else if !N::PV || move_count > 1 {
                // 18. PVS: with a null window first.
                value = -self.alpha_beta::<NonPv>(
                    shared,
                    &next,
                    null_window,
                    new_depth,
                    ply + 1,
                    !cut_node,
                );
            }
            if N::PV && value > alpha && !self.was_aborted() {
                // Another thread may have found something as good meanwhile, or be about to.
                let nodes = self.nodes_here() - nodes_before;
                let own_nodes = self.own_nodes() - own_before;
                let result = MoveResult { candidate, value, tactical, nodes, own_nodes };
                let Some(now) = source.before_full_window(self, result) else {
                    self.unmake_move();
                    continue;
                };
                alpha = now;
            }
            // With the full window if it is the first move, or better than all before.
            if N::PV && (move_count == 1 || value > alpha) {
                let window = Window::new(alpha, beta).flipped();
                value = -self.alpha_beta::<Pv>(shared, &next, window, new_depth, ply + 1, false);
            }
            self.unmake_move();
            let nodes = self.nodes_here() - nodes_before;
            let own_nodes = self.own_nodes() - own_before;
            if self.was_aborted() {
                source.abandon(own_nodes);
                return Some(0);
            }
            let result = MoveResult { candidate, value, tactical, nodes, own_nodes };
            // 19. Alpha, best move, beta cutoff.
            if source.add::<N>(self, node, result) {
                return None;
            }
        }
    }

    /// Shallow pruning: moves that promise little are not searched near the horizon.
    #[inline(always)]
    fn is_pruned(
        &self,
        position: &Position,
        node: &Node,
        candidate: &Candidate,
        traits: &MoveTraits,
        skip_quiets: &mut bool,
    ) -> bool {
        let &Candidate { mv, stage, move_count, alpha, depth, .. } = candidate;
        let &MoveTraits { tactical, gives_check, history } = traits;
        let params = &self.params;
        if tactical {
            // SEE pruning of captures that lose too much.
            return stage == PickStage::BadCaptures
                && !position.see_ge(mv, -params.see_capture * depth, self.histories.see_values());
        }
        // Late move pruning (LMP): many moves have failed, so the other quiet moves are skipped.
        let most = params.lmp_base + depth * depth * params.lmp_slope / 64;
        let most = if node.improving { most } else { most * params.lmp_not_improving / 64 };
        if move_count as i32 >= most {
            *skip_quiets = true;
        }
        let reduction = self.lmr_table.get(depth, move_count) / PLY;
        let lmr_depth = (depth - reduction + history / params.lmr_depth_history).max(0);
        // Futility pruning: no quiet move can lift the evaluation to alpha.
        let margin = params.futility_base + params.futility_slope * lmr_depth;
        if !position.in_check()
            && !gives_check
            && lmr_depth < params.futility_depth
            && node.eval.is_some_and(|eval| eval + margin <= alpha)
        {
            *skip_quiets = true;
            return true;
        }
        // History pruning: the move has a bad record.
        if lmr_depth < params.history_depth && history < -params.history_margin * depth {
            return true;
        }
        // SEE pruning of quiet moves that lose material.
        let most_lost = params.see_quiet * lmr_depth * lmr_depth;
        !position.see_ge(mv, -most_lost, self.histories.see_values())
    }

    /// Singular extensions (SE): is the TT move better than all others by a margin? A search without it tells.
    fn singular<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        entry: TtEntry,
        depth: i32,
    ) -> Singular {
        let &Node { beta, ply, cut_node, .. } = node;
        let target = entry.value - depth * self.params.singular_margin / 16;
        let before = *self.ss(ply);
        self.ss_mut(ply).excluded = entry.mv;
        let window = Window::null_below(target);
        let singular_depth = (depth - 1) * self.params.singular_depth_share / 128;
        let value =
            self.alpha_beta::<NonPv>(shared, position, window, singular_depth, ply, cut_node);
        *self.ss_mut(ply) = StackEntry { cutoff_count: self.ss(ply).cutoff_count, ..before };
        if value < target {
            let by_far = value < target - self.params.double_margin;
            if !N::PV && by_far && before.double_extensions < self.params.double_limit {
                self.ss_mut(ply).double_extensions = before.double_extensions + 1;
                return Singular::Extend(self.params.double_extension);
            }
            return Singular::Extend(self.params.singular_extension);
        }
        // Multi-cut: a second move beats beta as well, so one of them will cut this node off.
        if target >= beta && !is_mate(target) {
            return Singular::MultiCut(target);
        }
        // Negative extensions: other moves are as good, and may be searched instead.
        if entry.value >= beta {
            return Singular::Extend(-self.params.negative_extension);
        }
        Singular::Extend(if cut_node { -self.params.negative_cut_node } else { 0 })
    }

    /// Is a move late enough to be reduced?
    #[inline(always)]
    fn is_late<N: NodeKind>(&self, move_count: usize) -> bool {
        let at_root = if N::ROOT { self.params.lmr_root_moves } else { 0 };
        move_count as i32 > self.params.lmr_moves + at_root
    }

    /// Late move reductions (LMR): by how much, in 1024ths of a ply.
    #[inline(always)]
    fn late_move_reduction<N: NodeKind>(
        &self,
        node: &Node,
        candidate: &Candidate,
        traits: &MoveTraits,
    ) -> i32 {
        let &Candidate { mv, stage, move_count, depth, .. } = candidate;
        let &MoveTraits { tactical, gives_check, history } = traits;
        let params = &self.params;
        let mut reduction = self.lmr_table.get(depth, move_count);
        reduction += if N::PV { 0 } else { params.lmr_non_pv };
        reduction += if node.cut_node { params.lmr_cut_node } else { 0 };
        reduction += if node.improving { 0 } else { params.lmr_not_improving };
        reduction += if node.tt_tactical { params.lmr_tt_capture } else { 0 };
        reduction -= if node.tt_pv { params.lmr_tt_pv } else { 0 };
        reduction -= if gives_check { params.lmr_check } else { 0 };
        reduction -= if self.ss(node.ply).killer == Some(mv) { params.lmr_killer } else { 0 };
        let many_cutoffs = self.ss(node.ply + 1).cutoff_count > params.lmr_cutoff_limit;
        reduction += if many_cutoffs { params.lmr_cutoffs } else { 0 };
        reduction -= node.correction_size * params.lmr_correction;
        reduction -= history * PLY / params.lmr_history;
        if tactical && stage != PickStage::BadCaptures {
            reduction -= params.lmr_good_capture;
        }
        reduction
    }

    /// What the re-search at full depth says of a reduced move goes to its continuation histories.
    #[inline(always)]
    fn learn_from_research(
        &mut self,
        index: &QuietIndex,
        context: &OrderingContext,
        value: Value,
        window: Window,
        depth: i32,
    ) {
        let bonus = match value {
            value if value <= window.alpha => -self.malus(depth),
            value if value >= window.beta => self.bonus(depth),
            _ => return,
        };
        let bonus = bonus * self.params.research_bonus / 64;
        self.histories.update_continuation(index, &context.previous, bonus);
    }

    /// Steps 20 to 22, after the last move.
    #[inline(always)]
    fn finish_node<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        node: &Node,
        context: &OrderingContext,
        moves: &MoveLoop,
    ) -> Value {
        let &Node { ply, excluded, static_eval, .. } = node;
        let &MoveLoop { alpha, depth, best, best_move, bound, move_count, .. } = moves;
        if bound == Bound::Lower {
            self.ss_mut(ply).cutoff_count += 1;
            // Without the excluded move, the first is not the best by design.
            if excluded.is_none() {
                self.cutoffs.all += 1;
                self.cutoffs.by_first_move += u64::from(move_count == 1);
            }
        }

        // 20. Mate and stalemate.
        if move_count == 0 {
            return match excluded {
                Some(_) => alpha,
                None if position.in_check() => mated_in(ply),
                None => self.draw_value(),
            };
        }

        // 21. History: a bonus for the move that cut off, a malus for those tried before it.
        if let Some(mv) = best_move
            && bound == Bound::Lower
        {
            self.update_histories(position, context, mv, ply, moves);
        }
        // A node that fails low speaks for the move before: no answer to it was good enough.
        if bound == Bound::Upper
            && excluded.is_none()
            && !N::ROOT
            && let Some(index) = self.ss_back(ply, 1).quiet
        {
            let bonus = self.bonus(depth) * self.params.fail_low_bonus / 64;
            let previous = self.previous_moves(ply - 1);
            self.histories.update_quiet(&index, &previous, bonus);
        }

        // 22. Correction history and TT store. What is found with some of the root's moves alone is not the
        // position's value.
        let whole = !N::ROOT
            || self.first_root_move == 0 && self.root_moves.len() == position.legal_moves().len();
        if excluded.is_none() && whole {
            if let Some(static_eval) = static_eval {
                let corrects = match bound {
                    Bound::Exact => true,
                    Bound::Lower => best > static_eval,
                    Bound::Upper => best < static_eval,
                };
                let quiet = best_move.is_none_or(|mv| !is_tactical(position, mv));
                if corrects && quiet && !is_mate(best) {
                    // The error that is left after correction: corrections that are right come to rest.
                    let error = best - static_eval;
                    self.histories.correct(position, &context.previous, error, depth);
                }
            }
            shared.tt.store(
                position.keys().position,
                ply,
                TtEntry {
                    mv: best_move,
                    value: best,
                    eval: node.raw_eval,
                    depth,
                    bound: Some(bound),
                    pv: node.tt_pv,
                },
            );
        }
        best
    }

    /// History bonus for the move that cut off, history malus for the moves tried before it.
    fn update_histories(
        &mut self,
        position: &Position,
        context: &OrderingContext,
        best: Move,
        ply: usize,
        moves: &MoveLoop,
    ) {
        let (bonus, malus) = (self.bonus(moves.depth), -self.malus(moves.depth));
        if is_tactical(position, best) {
            self.histories.update_capture(position, best, bonus);
        } else {
            self.ss_mut(ply).killer = Some(best);
            let mut update = |mv, bonus| {
                let index = QuietIndex::new(position, context, mv);
                self.histories.update_quiet(&index, &context.previous, bonus);
            };
            update(best, bonus);
            for &mv in &moves.quiets {
                update(mv, malus);
            }
        }
        for &mv in &moves.captures {
            self.histories.update_capture(position, mv, malus);
        }
    }

    /// The history bonus after a search to this depth.
    fn bonus(&self, depth: i32) -> i32 {
        (self.params.bonus_slope * depth).min(self.params.bonus_max)
    }

    /// The history malus after a search to this depth.
    fn malus(&self, depth: i32) -> i32 {
        (self.params.malus_slope * depth).min(self.params.malus_max)
    }

    /// An evaluation as far as the fifty-move rule leaves time to make use of it.
    #[inline(always)]
    pub(crate) fn fifty_move_scaled(&self, position: &Position, eval: Value) -> Value {
        // A known win has its own sense of progress.
        if eval.abs() >= WON {
            return eval;
        }
        let scale = self.params.fifty_move_scale;
        eval * (scale - position.halfmove_clock() as i32).max(0) / scale
    }
}

/// What pruning and reductions want to know of a move.
struct MoveTraits {
    /// A capture or a promotion.
    tactical: bool,
    gives_check: bool,
    history: i32,
}

/// What a singular search says.
enum Singular {
    Extend(i32),
    MultiCut(Value),
}

/// Has the side to move more than king and pawns? Else zugzwang is never far.
#[inline(always)]
pub(crate) fn has_non_pawn_material(position: &Position) -> bool {
    let own = position.colors(position.side_to_move());
    !(own - position.pieces(PieceKind::Pawn) - position.pieces(PieceKind::King)).is_empty()
}
