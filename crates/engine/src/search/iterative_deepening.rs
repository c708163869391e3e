//! Iterative deepening at the root: aspiration windows, MultiPV, and what is reported of them.

use super::node::{Root, Window};
use super::thread::{SharedContext, ThreadData};
use crate::analyst::{Event, EventSink, Info, SearchResult};
use crate::score::Bound;
use crate::time::RootStability;
use crate::value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, is_mate, mate_in};
use crate::wdl;
use core::time::Duration;
use tabiya_chess::{Move, Position};

/// A legal move at the root, and what is known of it.
#[derive(Clone)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    pub(crate) value: Value,
    pub(crate) previous: Value,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    pub(crate) line: Vec<Move>,
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(crate) fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            selective_depth: 0,
            line: vec![mv],
            nodes: 0,
        }
    }

    /// The value, or the one of the last iteration if this one has not searched the move yet; none before the
    /// first.
    pub(crate) fn known_value(&self) -> Option<Value> {
        [self.value, self.previous].into_iter().find(|&value| value > -INFINITE)
    }
}

/// What the iterations ended with.
pub(crate) struct RootResult {
    pub(crate) best: RootMove,
    /// The last depth that was finished.
    pub(crate) depth: usize,
}

/// Where reports go, if anywhere: reporting is not free.
pub(crate) type Listener = Option<EventSink>;

/// A value that is only a bound is of interest once an iteration takes this long.
const BOUNDS_AFTER: Duration = Duration::from_secs(3);

impl ThreadData {
    /// Iterative deepening: searches deeper and deeper until a limit is reached. None at a root without moves.
    pub(crate) fn iterative_deepening(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        lines: usize,
    ) -> Option<RootResult> {
        if self.root_moves.is_empty() {
            return None;
        }
        // A helper thread goes on until the first thread is done.
        let depth_limit =
            shared.limits.depth.filter(|_| self.bias.is_first() || self.is_deterministic());
        let deepest = depth_limit.map_or(MAX_PLY - 1, |depth| depth as usize);
        let mut stability = RootStability::default();
        let mut finished = self.root_moves.clone();
        let mut finished_depth = 0;

        let deepest = deepest.clamp(1, MAX_PLY - 1);
        for depth in 1..=deepest {
            if self.bias.skips(depth) && depth < deepest {
                continue;
            }
            self.root_depth = depth as i32;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
                // An unfinished iteration has no value for the moves that it has not searched.
                root_move.value = -INFINITE;
            }
            for line in 0..lines.min(self.root_moves.len()) {
                self.first_root_move = line;
                self.selective_depth = 0;
                // With MultiPV, bounds are not reported: all lines come together.
                self.aspiration_window(shared, position, depth as i32, line, lines == 1);
                if self.was_aborted() {
                    break;
                }
            }
            if self.was_aborted() {
                break;
            }
            let lines = lines.min(self.root_moves.len());
            self.root_moves[..lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
            for line in 0..lines {
                self.report_line(shared, position, line);
            }
            finished.clone_from(&self.root_moves);
            finished_depth = depth;
            if self.is_enough(shared, &mut stability, depth, lines) {
                break;
            }
        }

        // An unfinished iteration may have put a better move first, searched with a full window.
        let best = match self.root_moves.first() {
            Some(first) if first.value > -INFINITE && first.bound != Bound::Upper => first.clone(),
            _ => finished[0].clone(),
        };
        // The depth reported is at most the one asked for, even if a helper searched deeper.
        let asked = shared.limits.depth.map_or(MAX_PLY, |depth| depth as usize);
        self.flush_nodes(shared);
        Some(RootResult { best, depth: finished_depth.min(asked).max(1) })
    }

    /// Aspiration window: a window around the last value, widened until the value lies inside.
    fn aspiration_window(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        depth: i32,
        line: usize,
        reports_bounds: bool,
    ) {
        let previous = self.root_moves[line].previous;
        let mut width = self.params.aspiration_window + self.bias.width(&self.params);
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= self.params.aspiration_depth && !is_mate(previous) {
            alpha = (previous - width).max(-INFINITE);
            beta = (previous + width).min(INFINITE);
        }
        let mut reduced = 0;
        loop {
            let window = Window::new(alpha, beta);
            let depth = (depth - reduced).max(1);
            let value = self.alpha_beta::<Root>(shared, position, window, depth, 0, false);
            self.root_moves[line..].sort_by_key(|root_move| std::cmp::Reverse(root_move.value));
            if self.was_aborted() {
                return;
            }
            if value <= alpha {
                let pull = self.params.aspiration_pull;
                beta = (alpha * pull + beta * (128 - pull)) / 128;
                alpha = (value - width).max(-INFINITE);
                reduced = 0;
            } else if value >= beta {
                beta = (value + width).min(INFINITE);
                // A fail high is seldom wrong: a little less depth confirms it sooner.
                reduced = (reduced + 1).min(self.params.aspiration_reductions);
            } else {
                return;
            }
            width += width * self.params.aspiration_growth / 100;
            if reports_bounds && shared.time.elapsed() > BOUNDS_AFTER {
                self.report_line(shared, position, line);
            }
        }
    }

    fn report_line(&mut self, shared: &SharedContext, position: &Position, line: usize) {
        if self.listener.is_none() {
            return;
        }
        let root_move = &self.root_moves[line];
        let mut info = self.info(shared, position, root_move, self.root_depth as usize);
        info.line = line as u32 + 1;
        self.report(&Event::Info(info));
    }

    fn report(&mut self, event: &Event) {
        if let Some(listener) = &mut self.listener {
            listener(event);
        }
    }

    /// A root move is about to be searched: of interest once a search takes long.
    pub(crate) fn report_current_move(&mut self, shared: &SharedContext, mv: Move, number: usize) {
        if self.listener.is_some() && shared.time.elapsed() >= Event::CURRENT_MOVE_AFTER {
            let depth = self.root_depth as u32;
            let number = (self.first_root_move + number) as u32;
            self.report(&Event::CurrentMove { depth, mv, number });
        }
    }

    fn info(
        &self,
        shared: &SharedContext,
        position: &Position,
        root_move: &RootMove,
        depth: usize,
    ) -> Info {
        let value = root_move.known_value().unwrap_or(DRAW);
        Info {
            depth: depth as u32,
            selective_depth: root_move.selective_depth as u32,
            line: 1,
            score: wdl::score(value, position),
            bound: root_move.bound,
            wdl: Some(wdl::wdl(value, position)),
            nodes: shared.with_others(self.all_nodes(shared)),
            time: shared.time.elapsed(),
            // Counting takes longer than a search of a hundred nodes.
            hash_full: self.listener.is_some().then(|| shared.tt.permille_full()),
            tablebase_hits: 0,
            pv: root_move.line.clone(),
        }
    }

    /// The result of a search, as its caller gets it.
    pub(crate) fn search_result(
        &self,
        shared: &SharedContext,
        position: &Position,
        RootResult { best, depth }: RootResult,
    ) -> SearchResult {
        SearchResult {
            best: Some(best.mv),
            ponder: best.line.get(1).copied(),
            value: best.known_value(),
            info: Some(self.info(shared, position, &best, depth)),
        }
    }

    /// After an iteration: should the search end here?
    fn is_enough(
        &self,
        shared: &SharedContext,
        stability: &mut RootStability,
        depth: usize,
        lines: usize,
    ) -> bool {
        let best = &self.root_moves[0];
        if let Some(moves) = shared.limits.mate
            // With MultiPV, the lines of the first thread are reported: it must have found the mate, too.
            && (lines == 1 || self.bias.is_first())
            && best.value >= mate_in((2 * moves as usize).min(MAX_PLY))
        {
            // Whichever thread found it, all end.
            shared.end();
            return true;
        }
        if shared.limits.infinite || !self.bias.is_first() {
            return false;
        }
        if shared.limits.soft_nodes.is_some_and(|soft| self.all_nodes(shared) >= soft) {
            return true;
        }
        // `movetime` is to be used up, a clock may be spared.
        let may_spare = shared.time.is_timed() && shared.limits.move_time.is_none();
        // A forced mate that has been proved to this depth will not get shorter.
        if may_spare
            && best.value.abs() >= MATE_BOUND
            && depth as Value > self.params.time_mate_depth * (mate_in(0) - best.value.abs())
        {
            return true;
        }
        let all: u64 = self.root_moves.iter().map(|root_move| root_move.nodes).sum();
        let share = best.nodes as f64 / all.max(1) as f64;
        let scale = stability.time_scale(&self.params, best.mv, best.value, share);
        // A forced move needs a score and a move to ponder on, no more.
        if may_spare && self.root_moves.len() == 1 && depth as i32 >= self.params.time_forced_depth
        {
            return true;
        }
        let nodes = shared.with_others(self.all_nodes(shared));
        shared.time.is_enough(scale, nodes)
    }

    /// Counts nodes for a root move.
    pub(crate) fn note_root_nodes(&mut self, mv: Move, spent: u64) {
        if let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.nodes += spent;
        }
    }

    /// A root move has a value.
    pub(crate) fn note_root_move(
        &mut self,
        mv: Move,
        value: Value,
        Window { alpha, beta }: Window,
        number: usize,
    ) {
        let selective_depth = self.selective_depth;
        let rest = self.pv[1].moves().to_vec();
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv)
        else {
            return;
        };
        if number == 1 || value > alpha {
            root_move.value = value;
            root_move.selective_depth = selective_depth;
            root_move.bound = if value >= beta {
                Bound::Lower
            } else if value <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.line.clear();
            root_move.line.push(mv);
            root_move.line.extend(rest);
        } else {
            // Not better than the best: its place in the order says enough.
            root_move.value = -INFINITE;
        }
    }
}
