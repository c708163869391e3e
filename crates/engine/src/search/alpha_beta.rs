//! A node of the tree, step by step.

use super::prune::{Singular, has_non_pawn_material};
use super::sofar::{Candidate, MoveLoop, MoveOutcome, Node};
use super::thread::{SharedContext, ThreadData};
use crate::history::{OrderingContext, QuietIndex, piece_to};
use crate::movepick::{MovePicker, PickStage, SEE_VALUES, is_tactical};
use crate::score::Bound;
use crate::smp::ybwc::{MoveResult, MoveSource};
use crate::tt::TtEntry;
use crate::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, WON, is_mate, mate_in, mated_in};
use tabiya_chess::{Move, Position};

/// The kind of a node, tt_entry when the code is compiled.
pub(crate) trait NodeKind {
    /// On the principal variation: the window is open.
    const PV: bool;
    /// The first of all.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// On the principal variation.
pub(crate) struct Pv;
/// Off it: the question is only whether the value reaches beta.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// One ply, in the units of reductions.
const PLY: i32 = 1024;

impl ThreadData {
    /// The value of a position to `depth`, as far as the window asks for it.
    #[expect(clippy::too_many_arguments, reason = "they are what a node is")]
    pub(crate) fn search<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        // 1. At the horizon only captures are looked at.
        if depth <= 0 {
            return self.quiesce::<N>(shared, position, alpha, beta, ply);
        }
        if self.must_stop(shared) {
            return 0;
        }
        let in_check = position.in_check();
        let excluded = self.frame(ply).excluded;
        let mut least = -INFINITE;
        if N::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }

        if !N::ROOT {
            // 2. Draws, and the end of the line.
            if self.is_draw(position) {
                return self.draw_value();
            }
            if ply >= MAX_PLY - 1 {
                return if in_check { 0 } else { self.evaluator.evaluate(position) };
            }
            // 3. Mate distance: nothing here can beat a shorter mate found elsewhere.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
            // 4. A draw by repetition that can be had is the least that this is worth.
            if alpha < DRAW && self.can_repeat(position, ply) {
                least = self.draw_value();
                alpha = least;
                if alpha >= beta {
                    return alpha;
                }
            }
        }

        // 5. The table.
        let key = position.keys().position;
        let tt_entry = match excluded {
            Some(_) => None,
            None => shared.table.probe(key, ply, position.halfmove_clock()),
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
        let was_pv = N::PV || tt_entry.is_some_and(|entry| entry.pv);
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.depth >= depth
            && entry.is_cutoff(alpha, beta)
            && position.halfmove_clock() < 90
        {
            if entry.value >= beta
                && let Some(mv) = tt_move
                && !is_tactical(position, mv)
            {
                let setting = OrderingContext::new(position, self.recent(ply));
                let name = QuietIndex::new(position, &setting, mv);
                let bonus = self.bonus(depth) * self.params.table_cut_bonus / 64;
                self.histories.update_quiet(&name, &setting.recent, bonus);
            }
            return entry.value;
        }

        // 6. The static evaluation, put right by what was learnt of its errors.
        let recent = self.recent(ply);
        let raw_eval = if in_check {
            None
        } else {
            Some(tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| {
                let eval = self.evaluator.evaluate(position);
                if excluded.is_none() && tt_entry.is_none() {
                    shared.table.store(key, ply, TtEntry::of_eval(eval, was_pv));
                }
                eval
            }))
        };
        let corrected = raw_eval.map(|eval| self.histories.corrected(position, &recent, eval));
        let correction_size =
            raw_eval.zip(corrected).map_or(0, |(raw, corrected)| (raw - corrected).abs());
        // A draw by the fifty-move rule comes nearer.
        let static_eval = corrected.map(|eval| self.fifty_move_scaled(position, eval));
        // The table's value may be nearer the truth than any static one.
        let eval = static_eval.map(|eval| match tt_entry {
            Some(entry) if entry.is_tighter_than(eval) => entry.value,
            _ => eval,
        });
        self.frame_mut(ply).eval = static_eval;
        let improving = static_eval.is_some_and(|now| {
            let before = [2, 4].into_iter().find_map(|back| self.frame_before(ply, back).eval);
            before.is_none_or(|before| now > before)
        });
        // The last move is judged by what it did to the evaluation.
        if let (Some(now), Some(before)) = (static_eval, self.frame_before(ply, 1).eval)
            && let Some(name) = self.frame_before(ply, 1).quiet
        {
            let most = self.params.eval_bonus_max;
            let bonus = (-(now + before) * self.params.eval_bonus / 64).clamp(-most, most);
            self.histories.update_own(&name, bonus);
        }
        let worsening = match (static_eval, self.frame_before(ply, 1).eval) {
            (Some(now), Some(before)) => now > -before,
            _ => false,
        };
        // In hindsight_reduction the reduction was too much.
        let reduced_by = if N::ROOT { 0 } else { self.frame_before(ply, 1).reduction };
        if excluded.is_none() && reduced_by >= self.params.hindsight_reduction && !worsening {
            depth += 1;
        }
        self.frame_mut(ply + 1).killer = None;
        self.frame_mut(ply + 2).cutoffs = 0;
        self.frame_mut(ply).double_extensions = self.frame_before(ply, 1).double_extensions;

        // 7. Without a move from the table, ordering is poor: less depth finds one cheaply.
        if depth >= self.params.iir_depth
            && tt_move.is_none()
            && excluded.is_none()
            && (N::PV || cut_node)
        {
            depth -= 1;
        }

        if !N::PV
            && excluded.is_none()
            && let Some(eval) = eval
            && let Some(value) = self.prune_node(
                shared, position, alpha, beta, depth, ply, eval, improving, cut_node, tt_entry,
                tt_move,
            )
        {
            return value;
        }

        let facts = Node {
            beta,
            ply,
            cut_node,
            excluded,
            tt_entry,
            tt_move,
            was_pv,
            raw_eval,
            static_eval,
            eval,
            correction_size,
            improving,
        };
        let value =
            self.search_moves::<N>(shared, position, &facts, MoveLoop::new(alpha, depth), None);
        value.max(least)
    }

    /// Steps 12 to 19, the moves: all of them and what comes of them, or those that brothers leave.
    #[inline(always)]
    pub(crate) fn search_moves<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        facts: &Node,
        mut sofar: MoveLoop,
        mut brothers: Option<&mut dyn MoveSource>,
    ) -> Value {
        let &Node { beta, ply, cut_node, excluded, tt_entry, tt_move, was_pv, .. } = facts;
        let &Node { raw_eval, static_eval, eval, correction_size, improving, .. } = facts;
        let key = position.keys().position;
        let in_check = position.in_check();
        let recent = self.recent(ply);

        // 12. The moves.
        let setting = OrderingContext::new(position, recent);
        let mut quiets = Some(&setting);
        let mut picker = MovePicker::all(
            tt_move.filter(|_| self.params.order_table != 0),
            self.frame(ply).killer.filter(|_| self.params.order_killer != 0),
        );
        let table_tactical = tt_move.is_some_and(|mv| is_tactical(position, mv));

        let mut turn = None;
        loop {
            // Whoever idles may take some of the moves.
            if self.may_split::<N>(facts, &sofar)
                && brothers.is_none()
                && picker.has_more(quiets.is_some())
            {
                let split;
                (split, picker, sofar) =
                    self.split::<N>(position, facts, quiets.is_some(), picker, sofar, turn);
                if self.was_aborted() {
                    return 0;
                }
                if split {
                    break;
                }
            }
            turn = match &mut brothers {
                None => self.next_move::<N>(position, excluded, quiets, &mut picker, &mut sofar),
                Some(brothers) => match brothers.take(self, quiets) {
                    None => return 0,
                    turn => turn,
                },
            };
            let Some(this) = turn else { break };
            let Candidate { mv, stage, number, mut alpha, best, depth, is_rival } = this;
            if N::ROOT {
                self.tell_current_move(shared, mv, number);
            }
            // Memory is slow: what will be asked for after the move is on its way while it is judged.
            shared.table.prefetch(position.key_after(mv));
            let tactical = is_tactical(position, mv);
            let gives_check = setting.checks.are_given_by(position, mv);
            let name = (!tactical).then(|| QuietIndex::new(position, &setting, mv));
            let history = match &name {
                None => self.histories.capture(position, mv),
                Some(name) => self.histories.quiet(name, &recent),
            };

            // 13. Moves that promise little are not looked at near the horizon.
            // An eldest that a brother is still at is taken not to be mated.
            let trusted = brothers.is_some() && number > 1 && best == -INFINITE;
            let promises_much = N::ROOT || is_rival;
            if !promises_much && (best > -MATE_BOUND || trusted) && has_non_pawn_material(position)
            {
                let reduction = self.reductions.get(depth, number) / PLY;
                let lmr_depth = (depth - reduction + history / 8192).max(0);
                if !tactical {
                    // Late moves, when many have failed.
                    let enough = self.params.lmp_base + depth * depth;
                    if number as i32 >= if improving { enough } else { enough / 2 } {
                        quiets = None;
                    }
                    // Moves that cannot lift the evaluation to alpha.
                    if !in_check
                        && !gives_check
                        && lmr_depth < self.params.futility_depth
                        && eval.is_some_and(|eval| {
                            eval + self.params.futility_base
                                + self.params.futility_slope * lmr_depth
                                <= alpha
                        })
                    {
                        quiets = None;
                        continue;
                    }
                    // Moves with a bad record.
                    if lmr_depth < self.params.history_depth
                        && history < -self.params.history_margin * depth
                    {
                        continue;
                    }
                    // Moves that lose material.
                    let worst = -self.params.see_quiet * lmr_depth * lmr_depth;
                    if !position.see_reaches(mv, worst, &SEE_VALUES) {
                        continue;
                    }
                } else if stage == PickStage::BadCaptures
                    && !position.see_reaches(mv, -self.params.see_capture * depth, &SEE_VALUES)
                {
                    continue;
                }
            }

            // 14. Extensions.
            let mut extension = 0;
            if !N::ROOT
                && Some(mv) == tt_move
                && excluded.is_none()
                && depth >= self.params.singular_depth
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = tt_entry
                && entry.depth >= depth - 3
                && matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
                && !is_mate(entry.value)
            {
                match self.singular::<N>(shared, position, entry, beta, depth, ply, cut_node) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(value) => return value,
                }
                if self.was_aborted() {
                    return 0;
                }
            }

            // 15. The move is played.
            let mut next = position.clone();
            next.play_unchecked(mv);
            let (nodes_before, own_before) = (self.nodes_here(), self.own_nodes());
            self.enter(shared, position, Some(mv), &next);
            let frame = self.frame_mut(ply);
            frame.arrival = piece_to(position, mv);
            frame.quiet = name;
            let new_depth = depth - 1 + extension;

            // 16. Late moves are searched to less depth first, and again if they surprise.
            let mut value = -INFINITE;
            if depth >= self.params.lmr_depth && number > 1 + usize::from(N::ROOT) {
                let mut reduction = self.reductions.get(depth, number);
                reduction += if N::PV { 0 } else { self.params.lmr_non_pv };
                reduction += if cut_node { self.params.lmr_cut_node } else { 0 };
                reduction += if improving { 0 } else { self.params.lmr_not_improving };
                reduction += if table_tactical { self.params.lmr_table_capture } else { 0 };
                reduction -= if was_pv { self.params.lmr_was_pv } else { 0 };
                reduction -= if gives_check { self.params.lmr_check } else { 0 };
                reduction -=
                    if self.frame(ply).killer == Some(mv) { self.params.lmr_killer } else { 0 };
                reduction += if self.frame(ply + 1).cutoffs > 3 { PLY } else { 0 };
                reduction -= correction_size * self.params.lmr_correction;
                reduction -= history * PLY / self.params.lmr_history;
                if tactical && stage != PickStage::BadCaptures {
                    reduction -= PLY;
                }
                let reduced = (new_depth - reduction / PLY).clamp(1.min(new_depth), new_depth);
                self.frame_mut(ply).reduction = new_depth - reduced;
                value = -self.search::<NonPv>(
                    shared,
                    &next,
                    -alpha - 1,
                    -alpha,
                    reduced,
                    ply + 1,
                    true,
                );
                self.frame_mut(ply).reduction = 0;
                if value > alpha && reduced < new_depth {
                    let more = i32::from(value > best + 60) - i32::from(value < best + 8);
                    let again = if best == -INFINITE { new_depth } else { new_depth + more };
                    if again > reduced {
                        value = -self.search::<NonPv>(
                            shared,
                            &next,
                            -alpha - 1,
                            -alpha,
                            again,
                            ply + 1,
                            !cut_node,
                        );
                    }
                    // What the full depth says of it is news to those who sort by the past.
                    if let Some(name) = &name {
                        let share = self.params.research_bonus;
                        let bonus = match value {
                            value if value <= alpha => Some(-self.malus(depth)),
                            value if value >= beta => Some(self.bonus(depth)),
                            _ => None,
                        };
                        if let Some(bonus) = bonus {
                            self.histories.update_continuation(name, &recent, bonus * share / 64);
                        }
                    }
                }
            } else if !N::PV || number > 1 {
                value = -self.search::<NonPv>(
                    shared,
                    &next,
                    -alpha - 1,
                    -alpha,
                    new_depth,
                    ply + 1,
                    !cut_node,
                );
            }
            if N::PV
                && value > alpha
                && !self.was_aborted()
                && let Some(brothers) = &mut brothers
            {
                // A brother may have found something as good meanwhile, or be about to.
                let spent = self.nodes_here() - nodes_before;
                let own = self.own_nodes() - own_before;
                let reached = MoveResult { turn: this, value, tactical, spent, own };
                let Some(now) = brothers.measure(self, reached) else {
                    self.leave();
                    continue;
                };
                alpha = now;
            }
            if N::PV && (number == 1 || value > alpha) {
                value = -self.search::<Pv>(shared, &next, -beta, -alpha, new_depth, ply + 1, false);
            }
            self.leave();
            let spent = self.nodes_here() - nodes_before;
            let own = self.own_nodes() - own_before;
            if self.was_aborted() {
                if let Some(brothers) = &mut brothers {
                    brothers.abandon(own);
                }
                return 0;
            }

            // 17. What it was worth.
            if let Some(brothers) = &mut brothers {
                brothers.give(self, MoveResult { turn: this, value, tactical, spent, own });
                continue;
            }
            if N::ROOT {
                self.note_root_nodes(mv, spent);
                self.note_root_move(mv, value, alpha, beta, number);
            }
            let merit = sofar.add(mv, value, beta, tactical);
            if N::PV && merit != MoveOutcome::None {
                let (above, below) = self.lines.split_at_mut(ply + 1);
                above[ply].set(mv, &below[0]);
            }
            if merit == MoveOutcome::Cutoff {
                break;
            }
        }
        let MoveLoop { alpha, depth, best, best_move, bound, number, quiets, captures } = sofar;
        if bound == Bound::Lower {
            self.frame_mut(ply).cutoffs += 1;
            // Without the move that is left out, the first is not the best by design.
            if excluded.is_none() {
                self.cutoffs.all += 1;
                self.cutoffs.by_first_move += u64::from(number == 1);
            }
        }

        // 18. Mate and stalemate.
        if number == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply),
                None => self.draw_value(),
            };
        }

        // 19. What was learnt.
        if let Some(mv) = best_move
            && bound == Bound::Lower
        {
            self.reward(position, &setting, mv, depth, ply, &quiets, &captures);
        }
        if bound == Bound::Upper
            && excluded.is_none()
            && !N::ROOT
            && let Some(name) = self.frame_before(ply, 1).quiet
        {
            // Whatever is answered, it is not enough: a good move came before.
            let bonus = self.bonus(depth) * self.params.fail_low_bonus / 64;
            let before = self.recent(ply - 1);
            self.histories.update_quiet(&name, &before, bonus);
        }
        // What is found with some of the root's moves alone is not the position's value.
        let whole = !N::ROOT
            || self.first_root_move == 0 && self.root_moves.len() == position.legal_moves().len();
        if excluded.is_none() && whole {
            if let Some(static_eval) = static_eval {
                let telling = match bound {
                    Bound::Exact => true,
                    Bound::Lower => best > static_eval,
                    Bound::Upper => best < static_eval,
                };
                let quiet = best_move.is_none_or(|mv| !is_tactical(position, mv));
                if telling && quiet && !is_mate(best) {
                    // What is still wrong, not what was: corrections that are right come to rest.
                    let error = best - static_eval;
                    self.histories.correct(position, &recent, error, depth);
                }
            }
            shared.table.store(
                key,
                ply,
                TtEntry {
                    mv: best_move,
                    value: best,
                    eval: raw_eval,
                    depth,
                    bound: Some(bound),
                    pv: was_pv,
                },
            );
        }
        best
    }

    /// The next move of a node that is to be tried.
    #[inline(always)]
    pub(crate) fn next_move<N: NodeKind>(
        &self,
        position: &Position,
        excluded: Option<Move>,
        quiets: Option<&OrderingContext>,
        picker: &mut MovePicker,
        sofar: &mut MoveLoop,
    ) -> Option<Candidate> {
        loop {
            let mv = picker.next(position, &self.histories, quiets)?;
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.first_root_move..].iter().any(|root| root.mv == mv)
            {
                continue;
            }
            sofar.number += 1;
            let &mut MoveLoop { alpha, best, depth, number, .. } = sofar;
            let stage = picker.stage();
            return Some(Candidate { mv, stage, number, alpha, best, depth, is_rival: false });
        }
    }

    /// An evaluation as far as the fifty-move rule leaves time to make use of it.
    #[inline(always)]
    pub(crate) fn fifty_move_scaled(&self, position: &Position, eval: Value) -> Value {
        // What is tt_entry to be won has its own sense of progress.
        if eval.abs() >= WON {
            return eval;
        }
        let rest = self.params.fifty_move_scale - position.halfmove_clock() as i32;
        eval * rest.max(0) / self.params.fifty_move_scale
    }
}
