//! Threads that search the same root, each a little differently, and speak through the table.

use crate::search::RootResult;
use crate::search::ThreadData;
use crate::value::{MATE_BOUND, Value};

/// How far the reductions of two threads lie apart, in 1024ths of a ply.
const BIAS_STEP: i32 = 48;
/// So many leanings to either side; then they come again.
const BIAS_STEPS: i32 = 4;
/// A vote is never worth nothing, however low its value.
const LEAST_VOTE: Value = 20;

/// What a thread does differently from the first: every thread that did the same as another would be
/// wasted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HelperBias {
    /// The thread's number; the first is 0 and straight.
    index: usize,
}

impl HelperBias {
    /// Of the thread with a number.
    pub(crate) fn of(index: usize) -> HelperBias {
        HelperBias { index }
    }

    /// The thread that decides when it is enough.
    pub(crate) fn is_first(self) -> bool {
        self.index == 0
    }

    /// Added to every reduction: threads lean to more and to less in turn.
    pub(crate) fn reduction(self) -> i32 {
        let step = (self.index as i32 + 1) / 2 % (BIAS_STEPS + 1);
        if self.index.is_multiple_of(2) { step * BIAS_STEP } else { -step * BIAS_STEP }
    }

    /// Added to the width of aspiration windows.
    pub(crate) fn width(self) -> i32 {
        (self.index % 8) as i32
    }

    /// Is an iteration left to others? Threads pass over spans of depths, later threads over longer
    /// ones, and neighbours over each other's.
    pub(crate) fn skips(self, depth: usize) -> bool {
        let span = 1 + (self.index + 1).ilog2() as usize;
        !self.is_first() && (depth / span + self.index) % 2 == 1
    }
}

impl ThreadData {
    /// A helper's search. It ends with the search of the first thread.
    pub(crate) fn set_bias(&mut self, bent: HelperBias) {
        if self.bias != bent {
            self.bias = bent;
            self.set_params(self.params.clone());
        }
    }
}

/// What all threads together found. Whoever has not come as deep as the first has no vote; votes count by
/// depth and value, and the finding is the best of those for the move with the most votes.
pub(crate) fn vote(first: RootResult, others: Vec<RootResult>) -> RootResult {
    let mut findings = others;
    // Whoever was stopped before its first move was searched knows nothing.
    findings.retain(|finding| finding.best.known_value().is_some());
    findings.insert(0, first);
    let value = |finding: &RootResult| finding.best.known_value().unwrap_or(-MATE_BOUND);
    // A mate needs no majority.
    let best = (0..findings.len()).rev().max_by_key(|&i| value(&findings[i]));
    if let Some(i) = best
        && value(&findings[i]) >= MATE_BOUND
    {
        return findings.swap_remove(i);
    }
    let least = findings[0].depth;
    findings.retain(|finding| finding.depth >= least);
    let worst = findings.iter().map(value).min().unwrap_or_default();
    let weight = |finding: &RootResult| {
        i64::from(value(finding) - worst + LEAST_VOTE) * finding.depth as i64
    };
    let votes_for = |finding: &RootResult| -> i64 {
        let same = |other: &&RootResult| other.best.mv == finding.best.mv;
        findings.iter().filter(same).map(weight).sum()
    };
    // Of equals the thread with the lower number wins.
    let chosen = (0..findings.len())
        .rev()
        .max_by_key(|&i| (votes_for(&findings[i]), weight(&findings[i])))
        .unwrap_or_default();
    findings.swap_remove(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::RootMove;
    use crate::value::mate_in;
    use tabiya_chess::{Move, Square};

    fn finding(to: Square, value: Value, depth: usize) -> RootResult {
        let mut best = RootMove::new(Move::normal(Square::E2, to));
        best.value = value;
        RootResult { best, depth }
    }

    #[test]
    fn the_first_is_straight_and_no_two_neighbours_are_alike() {
        assert_eq!(HelperBias::of(0).reduction(), 0);
        assert!((1..100).all(|depth| !HelperBias::of(0).skips(depth)));
        let course = |index| {
            let skipped: Vec<_> = (1..30).map(|depth| HelperBias::of(index).skips(depth)).collect();
            (HelperBias::of(index).reduction(), skipped)
        };
        for index in 0..64 {
            assert_ne!(course(index), course(index + 1));
            assert!((1..30).any(|depth| !HelperBias::of(index).skips(depth)));
        }
    }

    #[test]
    fn depth_and_value_count() {
        let (a, b) = (Square::E3, Square::E4);
        let alone = vote(finding(a, 10, 5), vec![]);
        assert_eq!(alone.best.mv.to(), a);
        // Deeper wins, more wins, better wins.
        assert_eq!(vote(finding(a, 10, 5), vec![finding(b, 10, 9)]).best.mv.to(), b);
        let many = vec![finding(b, 10, 8), finding(b, 10, 8)];
        assert_eq!(vote(finding(a, 20, 8), many).best.mv.to(), b);
        assert_eq!(vote(finding(a, 10, 9), vec![finding(b, 50, 8)]).best.mv.to(), a);
        assert_eq!(vote(finding(a, -50, 9), vec![finding(b, 50, 9)]).best.mv.to(), b);
        // Of equals the first.
        assert_eq!(vote(finding(a, 10, 9), vec![finding(b, 10, 9)]).best.mv.to(), a);
        // Of those for one move the deepest.
        let same = vote(finding(a, 10, 9), vec![finding(a, 10, 11)]);
        assert_eq!(same.depth, 11);
    }

    #[test]
    fn the_shortest_mate_wins() {
        let (a, b) = (Square::E3, Square::E4);
        let slow = vec![finding(b, mate_in(9), 30), finding(b, mate_in(9), 30)];
        let quick = vote(finding(a, mate_in(5), 5), slow);
        assert_eq!(quick.best.mv.to(), a);
    }
}
