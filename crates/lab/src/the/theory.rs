//! Sections 1.1, 2.6 and 4.2.4: what alpha-beta needs at least, on trees that can be counted.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::table::{Origin, Table};

pub(super) struct Theory;

/// What alpha-beta did on a uniform tree.
#[derive(Default, Clone, Copy)]
struct Counted {
    leaves: u64,
    interior: u64,
    cutoffs: u64,
}

/// A uniform tree whose leaves are made up, but always the same.
struct Tree {
    branches: u64,
    /// Are the best moves searched first?
    ordered: bool,
    counted: Counted,
}

impl Tree {
    /// The value of a node for the side to move, given the values that the best play leads to: in an ordered
    /// tree the first move keeps it, and others lose by a little.
    fn search(&mut self, depth: u32, mut alpha: i64, beta: i64, value: i64, seed: u64) -> i64 {
        if depth == 0 {
            self.counted.leaves += 1;
            return value;
        }
        self.counted.interior += 1;
        for place in 0..self.branches {
            let seed =
                seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(place + 1) ^ (seed >> 29);
            let loss = if self.ordered {
                i64::from(place != 0)
            } else {
                // The best move is somewhere.
                i64::from(place != (seed >> 7) % self.branches) * (1 + (seed >> 40) as i64 % 7)
            };
            let score = -self.search(depth - 1, -beta, -alpha, loss - value, seed);
            if score > alpha {
                alpha = score;
                if alpha >= beta {
                    self.counted.cutoffs += u64::from(place + 1 < self.branches);
                    break;
                }
            }
        }
        alpha
    }
}

fn count(branches: u64, depth: u32, ordered: bool) -> Counted {
    let mut tree = Tree { branches, ordered, counted: Counted::default() };
    tree.search(depth, -1_000_000, 1_000_000, 0, 1);
    tree.counted
}

fn minimal_leaves(branches: u64, depth: u32) -> u64 {
    branches.pow(depth.div_ceil(2)) + branches.pow(depth / 2) - 1
}

/// The thesis's polynomials for interior nodes, depth 1 to 7.
fn interior(b: u64, depth: u32) -> u64 {
    match depth {
        1 => 1,
        2 => b + 1,
        3 => 3 * b,
        4 => b * b + 4 * b - 1,
        5 => 3 * b * b + 4 * b - 2,
        6 => b.pow(3) + 4 * b * b + 4 * b - 3,
        _ => 3 * b.pow(3) + 4 * b * b + 4 * b - 4,
    }
}

/// The thesis's polynomials for cutoffs, depth 1 to 7.
fn cutoffs(b: u64, depth: u32) -> u64 {
    match depth {
        1 => 0,
        2 => b - 1,
        3 => 2 * b - 2,
        4 => b * b + 2 * b - 3,
        5 => 2 * b * b + 2 * b - 4,
        6 => b.pow(3) + 2 * b * b + 2 * b - 5,
        _ => 2 * b.pow(3) + 2 * b * b + 2 * b - 6,
    }
}

impl Experiment for Theory {
    fn card(&self) -> Card {
        Card {
            id: "ordering-theory",
            work: WORK,
            title: "Minimal trees",
            question: "With the best move always first, alpha-beta visits a minimal tree. The thesis works out \
                       its leaves, its interior nodes and its cutoffs. Do uniform trees \
                       agree?",
        }
    }

    fn run(&self, _: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let columns = [
            ("branches", Origin::Label),
            ("depth", Origin::Label),
            ("leaves by formula", Origin::Printed),
            ("leaves", Origin::Counted),
            ("interior by formula", Origin::Printed),
            ("interior", Origin::Counted),
            ("cutoffs by formula", Origin::Printed),
            ("cutoffs", Origin::Counted),
            ("leaves, badly ordered", Origin::Counted),
        ];
        let mut table = Table::new("trees", "Uniform trees, best move first", &columns);
        let (mut leaves, mut nodes, mut cuts, mut worse) = (vec![], vec![], vec![], vec![]);
        for branches in [5, 20] {
            for depth in 1..=if branches > 5 { 6 } else { 7 } {
                let counted = count(branches, depth, true);
                let bad = count(branches, depth, false);
                let (least, expected, most) = (
                    minimal_leaves(branches, depth),
                    interior(branches, depth),
                    cutoffs(branches, depth),
                );
                table.row(vec![
                    branches.to_string().into(),
                    depth.to_string().into(),
                    least.into(),
                    counted.leaves.into(),
                    expected.into(),
                    counted.interior.into(),
                    most.into(),
                    counted.cutoffs.into(),
                    bad.leaves.into(),
                ]);
                leaves.push(counted.leaves as f64 - least as f64);
                nodes.push(counted.interior as f64 - expected as f64);
                cuts.push(counted.cutoffs as f64 - most as f64);
                worse.push(bad.leaves as f64 - least as f64);
            }
        }
        findings.tables.push(table);
        let ratio = |depth| cutoffs(1_000_000, depth) as f64 / interior(1_000_000, depth) as f64;
        findings.numbers("leaves off the formula", leaves);
        findings.numbers("interior nodes off the formula", nodes);
        findings.numbers("cutoffs off the formula", cuts);
        findings.numbers("leaves above the least, badly ordered", worse);
        findings.numbers("limits of the killer average", [6, 7].map(ratio));
        Ok(findings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_order_needs_fewer_leaves_than_the_minimal_tree() {
        for branches in [3, 8] {
            for depth in 1..=5 {
                let least = minimal_leaves(branches, depth);
                assert_eq!(count(branches, depth, true).leaves, least);
                assert!(count(branches, depth, false).leaves >= least);
            }
        }
    }
}
