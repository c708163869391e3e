//! What is said of a search, from its first event to its answer.

use super::dialect::CurrentMove;
use super::output::Output;
use crate::BestMove;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tabiya_chess::{Move, Position};
use tabiya_engine::lock;
use tabiya_engine::{AnalystError, Event, Info, Limits, SearchResult};

/// A search of at most this many nodes is over before a user could read of it: its infos are held back and
/// written together with the move. Such searches are asked for in large numbers, and every write would cost
/// more time than many nodes.
const FEW_NODES: u64 = 10_000;

/// Says what a search finds.
#[derive(Clone)]
pub(super) struct SearchReport {
    output: Output,
    root: Position,
    began: Instant,
    /// Are infos held back until the end?
    is_brief: bool,
    /// The infos of the last iteration that was said, one for each line (MultiPV).
    last_infos: Arc<Mutex<Vec<Info>>>,
}

impl SearchReport {
    pub(super) fn new(output: &Output, root: &Position, limits: &Limits) -> SearchReport {
        let waits = limits.infinite || limits.ponder;
        SearchReport {
            output: output.clone(),
            root: root.clone(),
            began: Instant::now(),
            is_brief: !waits && limits.nodes.is_some_and(|nodes| nodes <= FEW_NODES),
            last_infos: Arc::default(),
        }
    }

    pub(super) fn event(&self, event: &Event) {
        match *event {
            Event::Info(ref info) => self.info(info, self.is_brief),
            Event::CurrentMove { depth, mv, number } => {
                if self.began.elapsed() >= Event::CURRENT_MOVE_AFTER {
                    self.output.current_move(CurrentMove { depth, mv, number, root: &self.root });
                }
            }
            Event::Note(ref note) => self.output.note(note),
        }
    }

    fn info(&self, info: &Info, more_follows: bool) {
        let mut last_infos = lock(&self.last_infos);
        if info.line == 1 {
            last_infos.clear();
        }
        last_infos.push(info.clone());
        drop(last_infos);
        if more_follows {
            self.output.hold_info(info, &self.root);
        } else {
            self.output.info(info, &self.root);
        }
    }

    /// The protocols want a last info before the move, and all lines of play together: those beside the
    /// best one are repeated as they stood.
    fn last_info(&self, best: &Info) {
        let said = std::mem::take(&mut *lock(&self.last_infos));
        if said.first().is_some_and(|first| first.pv == best.pv && first.nodes == best.nodes) {
            return;
        }
        self.info(&Info { line: 1, ..best.clone() }, true);
        let others = said.iter().filter(|info| info.pv.first() != best.pv.first());
        let (nodes, time) = (best.nodes, best.time);
        // The first line said may not be the best any more; then there is one line too many.
        for (line, info) in (2..).zip(others).take(said.len().saturating_sub(1)) {
            self.info(&Info { line, nodes, time, ..info.clone() }, true);
        }
    }

    /// Says what was decided. `fallback` is played if nothing was, since a GUI waits for a move.
    pub(super) fn answer(
        &self,
        result: Result<SearchResult, AnalystError>,
        fallback: Option<Move>,
    ) {
        let decision = match result {
            Ok(result) => {
                if let Some(info) = &result.info {
                    self.last_info(info);
                }
                BestMove { best: result.best, ponder: result.ponder }
            }
            Err(error) => {
                let best = match error {
                    AnalystError::Panicked { best, .. } => best,
                    _ => None,
                };
                let caution = if best.is_some() { "" } else { "; this is just any legal move" };
                self.output.note(format_args!("{error}{caution}"));
                BestMove { best: best.or(fallback), ponder: None }
            }
        };
        self.output.best_move(decision, &self.root);
    }
}
