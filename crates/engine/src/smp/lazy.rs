//! Lazy SMP: threads search the same root, each a little differently, and share the transposition table (TT).

use crate::params::Params;
use crate::search::RootResult;
use crate::search::ThreadData;
use crate::value::MATE_BOUND;

/// What a helper does differently from the first thread: two threads that did the same would be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct HelperBias {
    /// The thread's number; the first is 0 and has no bias.
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

    /// Added to every reduction: threads reduce more and less in turn.
    pub(crate) fn reduction(self, params: &Params) -> i32 {
        let step = (self.index as i32 + 1) / 2 % (params.lazy_bias_steps + 1);
        let reduction = step * params.lazy_bias_step;
        if self.index.is_multiple_of(2) { reduction } else { -reduction }
    }

    /// Added to the width of aspiration windows.
    pub(crate) fn width(self, params: &Params) -> i32 {
        self.index as i32 % params.lazy_widths
    }

    /// Does the thread skip an iteration? Threads skip spans of depths, later threads longer ones, and
    /// neighbours each other's.
    pub(crate) fn skips(self, depth: usize) -> bool {
        let span = 1 + (self.index + 1).ilog2() as usize;
        !self.is_first() && (depth / span + self.index) % 2 == 1
    }
}

impl ThreadData {
    /// Sets the bias of a helper.
    pub(crate) fn set_bias(&mut self, bias: HelperBias) {
        if self.bias != bias {
            self.bias = bias;
            self.set_params(self.params.clone());
        }
    }
}

/// The result of all threads. A thread that has not come as deep as the first has no vote. Votes count by
/// depth and value, and the result is the best of those for the move with the most votes.
pub(crate) fn vote(params: &Params, first: RootResult, others: Vec<RootResult>) -> RootResult {
    let mut results = others;
    // A thread that was stopped before its first move was searched has no result.
    results.retain(|result| result.best.known_value().is_some());
    results.insert(0, first);
    let value = |result: &RootResult| result.best.known_value().unwrap_or(-MATE_BOUND);
    // A mate needs no majority.
    let best = (0..results.len()).rev().max_by_key(|&i| value(&results[i]));
    if let Some(i) = best
        && value(&results[i]) >= MATE_BOUND
    {
        return results.swap_remove(i);
    }
    let least = results[0].depth;
    results.retain(|result| result.depth >= least);
    let worst = results.iter().map(value).min().unwrap_or_default();
    let weight = |result: &RootResult| {
        i64::from(value(result) - worst + params.lazy_vote_min) * result.depth as i64
    };
    let votes_for = |result: &RootResult| -> i64 {
        let same = |other: &&RootResult| other.best.mv == result.best.mv;
        results.iter().filter(same).map(weight).sum()
    };
    // Of equals the thread with the lower number wins.
    let chosen = (0..results.len())
        .rev()
        .max_by_key(|&i| (votes_for(&results[i]), weight(&results[i])))
        .unwrap_or_default();
    results.swap_remove(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::RootMove;
    use crate::value::mate_in;
    use tabiya_chess::{Move, Square};

    fn result(to: Square, value: i32, depth: usize) -> RootResult {
        let mut best = RootMove::new(Move::normal(Square::E2, to));
        best.value = value;
        RootResult { best, depth }
    }

    #[test]
    fn the_first_has_no_bias_and_no_two_neighbours_are_alike() {
        assert_eq!(HelperBias::of(0).reduction(&Params::DEFAULT), 0);
        assert!((1..100).all(|depth| !HelperBias::of(0).skips(depth)));
        let course = |index| {
            let skipped: Vec<_> = (1..30).map(|depth| HelperBias::of(index).skips(depth)).collect();
            (HelperBias::of(index).reduction(&Params::DEFAULT), skipped)
        };
        for index in 0..64 {
            assert_ne!(course(index), course(index + 1));
            assert!((1..30).any(|depth| !HelperBias::of(index).skips(depth)));
        }
    }

    #[test]
    fn depth_and_value_count() {
        let (a, b) = (Square::E3, Square::E4);
        let alone = vote(&Params::DEFAULT, result(a, 10, 5), vec![]);
        assert_eq!(alone.best.mv.to(), a);
        // Deeper wins, more wins, better wins.
        assert_eq!(
            vote(&Params::DEFAULT, result(a, 10, 5), vec![result(b, 10, 9)]).best.mv.to(),
            b
        );
        let many = vec![result(b, 10, 8), result(b, 10, 8)];
        assert_eq!(vote(&Params::DEFAULT, result(a, 20, 8), many).best.mv.to(), b);
        assert_eq!(
            vote(&Params::DEFAULT, result(a, 10, 9), vec![result(b, 50, 8)]).best.mv.to(),
            a
        );
        assert_eq!(
            vote(&Params::DEFAULT, result(a, -50, 9), vec![result(b, 50, 9)]).best.mv.to(),
            b
        );
        // Of equals the first.
        assert_eq!(
            vote(&Params::DEFAULT, result(a, 10, 9), vec![result(b, 10, 9)]).best.mv.to(),
            a
        );
        // Of those for one move the deepest.
        let same = vote(&Params::DEFAULT, result(a, 10, 9), vec![result(a, 10, 11)]);
        assert_eq!(same.depth, 11);
    }

    #[test]
    fn the_shortest_mate_wins() {
        let (a, b) = (Square::E3, Square::E4);
        let slow = vec![result(b, mate_in(9), 30), result(b, mate_in(9), 30)];
        let quick = vote(&Params::DEFAULT, result(a, mate_in(5), 5), slow);
        assert_eq!(quick.best.mv.to(), a);
    }
}
