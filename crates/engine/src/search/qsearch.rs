//! Beyond the horizon: captures until the position is quiet, and every evasion while in check.

use super::alpha_beta::NodeKind;
use super::thread::{SharedContext, ThreadData};
use crate::history::{OrderingContext, piece_to};
use crate::movepick::{MovePicker, PickStage, SEE_VALUES, is_tactical};
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, is_mate, mated_in};
use tabiya_chess::{MoveKind, PieceKind, Position};

impl ThreadData {
    pub(crate) fn quiesce<N: NodeKind>(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        if self.must_stop(shared) {
            return 0;
        }
        if N::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply + 1);
        }
        // 1. Draws, and the end of the line.
        if self.is_draw(position) {
            return self.draw_value();
        }
        let mut least = -INFINITE;
        if alpha < DRAW && self.can_repeat(position, ply) {
            least = self.draw_value();
            alpha = least;
            if alpha >= beta {
                return alpha;
            }
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { 0 } else { self.evaluator.evaluate(position) };
        }

        // 2. The table.
        let key = position.keys().position;
        let tt_entry = shared.table.probe(key, ply, position.halfmove_clock());
        if !N::PV
            && let Some(entry) = tt_entry
            && entry.is_cutoff(alpha, beta)
        {
            return entry.value;
        }

        // 3. Nobody has to capture: the static evaluation is a lower bound, except in check.
        let recent = self.recent(ply);
        let mut best = -INFINITE;
        let mut futility = -INFINITE;
        let mut raw_eval = None;
        if !in_check {
            let raw = tt_entry.and_then(|entry| entry.eval).unwrap_or_else(|| {
                let eval = self.evaluator.evaluate(position);
                if tt_entry.is_none() {
                    shared.table.store(key, ply, TtEntry::of_eval(eval, false));
                }
                eval
            });
            raw_eval = Some(raw);
            let eval = self.histories.corrected(position, &recent, raw);
            let eval = self.fifty_move_scaled(position, eval);
            best = match tt_entry {
                Some(entry) if !is_mate(entry.value) && entry.is_tighter_than(eval) => entry.value,
                _ => eval,
            };
            if best >= beta {
                return if is_mate(best) { best } else { (best + beta) / 2 };
            }
            alpha = alpha.max(best);
            futility = eval + self.params.delta_margin;
        }

        // 4. The moves.
        let setting = in_check.then(|| OrderingContext::new(position, recent));
        let mut quiets = setting.as_ref();
        let tt_move = tt_entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        let mut picker = if in_check {
            MovePicker::all(tt_move, None)
        } else {
            MovePicker::captures(position, tt_move, 0)
        };
        let mut best_move = None;
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.histories, quiets) {
            number += 1;
            shared.table.prefetch(position.key_after(mv));
            if best > -MATE_BOUND {
                // 5. Captures that lose material, and quiet evasions once one has saved the king.
                if picker.stage() == PickStage::BadCaptures {
                    break;
                }
                if in_check && !is_tactical(position, mv) {
                    quiets = None;
                }
                // 6. Captures that cannot bring the evaluation up to alpha.
                if !in_check && mv.kind() != MoveKind::Promotion && !position.gives_check(mv) {
                    let taken = position.kind_at(mv.to()).unwrap_or(PieceKind::Pawn);
                    let hoped = futility + SEE_VALUES.0[taken.index()];
                    if hoped <= alpha {
                        best = best.max(hoped);
                        continue;
                    }
                    if futility <= alpha && !position.see_reaches(mv, 1, &SEE_VALUES) {
                        best = best.max(futility);
                        continue;
                    }
                }
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.enter(shared, position, Some(mv), &next);
            let frame = self.frame_mut(ply);
            frame.arrival = piece_to(position, mv);
            frame.quiet = None;
            let value = -self.quiesce::<N>(shared, &next, -beta, -alpha, ply + 1);
            self.leave();
            if self.was_aborted() {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        let (above, below) = self.lines.split_at_mut(ply + 1);
                        above[ply].set(mv, &below[0]);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && number == 0 {
            return mated_in(ply);
        }
        if best >= beta && !is_mate(best) {
            best = (best + beta) / 2;
        }
        let entry = TtEntry {
            mv: best_move,
            value: best,
            eval: raw_eval,
            depth: 0,
            bound: Some(if best >= beta { Bound::Lower } else { Bound::Upper }),
            pv: tt_entry.is_some_and(|entry| entry.pv),
        };
        shared.table.store(key, ply, entry);
        // The move that repeats may be none of those looked at.
        best.max(least)
    }
}
