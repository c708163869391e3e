//! Quiescence search (qsearch): captures beyond the horizon until the position is quiet, and every evasion
//! while in check.

use super::node::{NodeKind, Window};
use super::thread::{SharedContext, ThreadData};
use crate::history::OrderingContext;
use crate::movepick::{MovePicker, PickStage, is_tactical};
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, is_mate, mated_in};
use tabiya_chess::{MoveKind, PieceKind, Position};

impl ThreadData {
    /// The value of a position by captures alone: stand pat, delta pruning, SEE pruning, then the moves.
    pub(crate) fn qsearch<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Value {
        let Window { mut alpha, beta } = window;
        if self.must_stop(shared) {
            return 0;
        }
        if N::PV {
            self.pv[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        // 1. Draws, upcoming repetition, and the maximum ply.
        if self.is_draw(position) {
            return self.draw_value();
        }
        let mut floor = -INFINITE;
        if alpha < DRAW && self.can_repeat(position, ply) {
            floor = self.draw_value();
            alpha = floor;
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { 0 } else { self.evaluator.evaluate(position) };
        }

        // 2. Transposition table (TT): an entry of any depth cuts off.
        let key = position.keys().position;
        let tt_entry = shared.tt.probe(key, ply, position.halfmove_clock());
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.is_cutoff(alpha, beta)
        {
            return entry.value;
        }

        // 3. Stand pat: no side has to capture, so the static evaluation is a lower bound, except in check.
        let previous = self.previous_moves(ply);
        let mut best = -INFINITE;
        let mut futility = -INFINITE;
        let mut raw_eval = None;
        if !in_check {
            let raw = tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| {
                let eval = self.evaluator.evaluate(position);
                if tt_entry.is_none() {
                    shared.tt.store(key, ply, TtEntry::of_eval(eval, false));
                }
                eval
            });
            raw_eval = Some(raw);
            let eval = self.histories.corrected(position, &previous, raw);
            let eval = self.fifty_move_scaled(position, eval);
            best = match tt_entry {
                Some(entry) if !is_mate(entry.value) && entry.is_tighter_than(eval) => entry.value,
                _ => eval,
            };
            if best >= beta {
                return if is_mate(best) { best } else { self.qs_blended(best, beta) };
            }
            alpha = alpha.max(best);
            futility = eval + self.params.delta_margin;
        }

        // 4. The moves: captures and promotions, or all evasions.
        let context = in_check.then(|| OrderingContext::new(position, previous));
        let mut quiets = context.as_ref();
        let tt_move = tt_entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let mut picker = if in_check {
            MovePicker::all(tt_move, None)
        } else {
            MovePicker::captures(position, tt_move, 0)
        };
        let mut best_move = None;
        let mut move_count = 0;
        while let Some(mv) = picker.next(position, &self.histories, quiets) {
            move_count += 1;
            shared.tt.prefetch(position.key_after(mv));
            if best > -MATE_BOUND {
                // 5. SEE pruning of bad captures, and no quiet evasions once one has saved the king.
                if picker.stage() == PickStage::BadCaptures {
                    break;
                }
                if in_check && !is_tactical(position, mv) {
                    quiets = None;
                }
                // 6. Delta pruning: the capture cannot bring the evaluation up to alpha.
                if !in_check && mv.kind() != MoveKind::Promotion && !position.gives_check(mv) {
                    let see_values = self.histories.see_values();
                    let taken = position.kind_at(mv.to()).unwrap_or(PieceKind::Pawn);
                    let hoped = futility + see_values.0[taken.index()];
                    if hoped <= alpha {
                        best = best.max(hoped);
                        continue;
                    }
                    if futility <= alpha && !position.see_ge(mv, 1, see_values) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.make_move(shared, position, mv, &next, ply, None);
            let window = Window::new(alpha, beta).flipped();
            let value = -self.qsearch::<N>(shared, &next, window, ply + 1);
            self.unmake_move();
            if self.was_aborted() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.update_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && move_count == 0 {
            return mated_in(ply);
        }
        if best >= beta && !is_mate(best) {
            best = self.qs_blended(best, beta);
        }
        let entry = TtEntry {
            mv: best_move,
            value: best,
            eval: raw_eval,
            depth: 0,
            bound: Some(if best >= beta { Bound::Lower } else { Bound::Upper }),
            pv: tt_entry.is_some_and(|entry| entry.pv),
        };
        shared.tt.store(key, ply, entry);
        // The move that repeats may be none of those searched.
        best.max(floor)
    }

    /// A value above beta is half believed: what is beyond the horizon may take some of it back.
    #[inline(always)]
    fn qs_blended(&self, value: Value, beta: Value) -> Value {
        let share = self.params.qs_blend;
        (value * share + beta * (128 - share)) / 128
    }
}
