//! The lines of a MultiPV search, put together from what it reports.

use std::collections::BTreeMap;
use tabiya_engine::{Bound, Info, SearchResult};

/// The lines of the iteration under way and of the one before.
#[derive(Default)]
pub(crate) struct AnalysisLines {
    /// By rank, from 1.
    now: BTreeMap<u32, Info>,
    before: BTreeMap<u32, Info>,
}

impl AnalysisLines {
    /// Takes what the search reports. Bounds are left out: an exact score follows.
    pub(crate) fn take(&mut self, info: &Info) {
        if info.bound != Bound::Exact || info.pv.is_empty() {
            return;
        }
        if self.now.values().any(|line| line.depth != info.depth) {
            self.before = std::mem::take(&mut self.now);
        }
        self.now.insert(info.line, info.clone());
    }

    /// The best line so far.
    pub(crate) fn first(&self) -> Option<&Info> {
        self.now.get(&1).or_else(|| self.before.get(&1))
    }

    /// The best lines, at most `most`, each with a first move of its own. A search that was stopped has
    /// only some lines of its last iteration; the others are those of the iteration before.
    pub(crate) fn best(self, most: usize, result: &SearchResult) -> Vec<Info> {
        let AnalysisLines { now, before } = self;
        let mut best: Vec<Info> = Vec::new();
        let chosen = result.info.iter().filter(|info| {
            // The last word on the best move, which several threads may have voted for.
            info.line == 1 && info.bound == Bound::Exact && !info.pv.is_empty()
        });
        for info in chosen.cloned().chain(now.into_values()).chain(before.into_values()) {
            let is_new = best.iter().all(|line| line.pv.first() != info.pv.first());
            if is_new && best.len() < most {
                best.push(info);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tabiya_chess::{Move, Position};
    use tabiya_engine::Score;

    fn info(depth: u32, line: u32, mv: &str) -> Info {
        Info {
            depth,
            selective_depth: depth,
            line,
            score: Score::Centipawns(0),
            bound: Bound::Exact,
            wdl: None,
            nodes: 0,
            time: Duration::ZERO,
            hash_full: None,
            tablebase_hits: 0,
            pv: vec![mv_of(mv)],
        }
    }

    fn mv_of(text: &str) -> Move {
        Position::start().parse_uci(text).unwrap()
    }

    fn taken(infos: &[Info]) -> AnalysisLines {
        let mut lines = AnalysisLines::default();
        infos.iter().for_each(|info| lines.take(info));
        lines
    }

    #[test]
    fn a_stopped_iteration_is_filled_up_with_the_one_before() {
        let lines = taken(&[info(5, 1, "e2e4"), info(5, 2, "d2d4"), info(6, 1, "d2d4")]);
        let best = lines.best(3, &SearchResult::default());
        let shown: Vec<_> = best.iter().map(|line| (line.depth, line.pv[0])).collect();
        assert_eq!(shown, [(6, mv_of("d2d4")), (5, mv_of("e2e4"))]);
    }

    #[test]
    fn the_move_that_the_search_decides_on_comes_first() {
        let lines = taken(&[info(5, 1, "e2e4"), info(5, 2, "d2d4")]);
        let result = SearchResult { info: Some(info(5, 1, "d2d4")), ..SearchResult::default() };
        let best = lines.best(2, &result);
        assert_eq!(
            best.iter().map(|line| line.pv[0]).collect::<Vec<_>>(),
            [mv_of("d2d4"), mv_of("e2e4")]
        );
    }

    #[test]
    fn bounds_are_no_lines() {
        let lower = Info { bound: Bound::Lower, ..info(7, 1, "a2a3") };
        let lines = taken(&[info(6, 1, "e2e4"), lower]);
        assert_eq!(lines.first().map(|line| line.depth), Some(6));
    }
}
