//! Chapter 7: the report's master and slaves, simulated.
//!
//! No network is needed to count what its scheme costs. The master searches the top of the tree by alpha-beta
//! with estimates for leaves, hands every leaf that it comes to to the slaves, and backs their values up at the
//! end; the slaves search leaves one by one, each with an open window, since they know nothing of each other.
//! Time is counted in nodes; messages cost nothing; a slave that has nothing to do gets the next leaf, which is
//! as good as the report's balancing can become.

use super::WORK;
use super::evaluation::{Evaluation, Settings};
use super::search::{Judge, Methods, Quiescence, Searcher};
use crate::boards::suite::{CLOSED, OPEN, QUICK};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, Stop, known_position};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot};
use crate::frame::statistics::geometric_mean;
use crate::frame::table::{Cell, Origin, Table};
use serde::{Deserialize, Serialize};
use tabiya_chess::Position;

pub(super) struct Distribution;

const CASES: [(&str, &str); 4] = [
    ("start", QUICK[0].fen),
    ("closed", CLOSED),
    ("open", OPEN),
    ("test Zero", super::endings::ZERO),
];

/// As many slaves as in the second tournament.
const SLAVES: usize = 8;

const SHIPPED: Methods =
    Methods { alpha_beta: true, quiescence: Quiescence::Plies(1), ..Methods::MINIMAX };
const ORDERED: Methods = Methods { ordering: true, ..SHIPPED };

/// The top of the tree, as the master keeps it.
enum Top {
    Leaf(usize),
    Inner(Vec<Top>),
    /// Mate or stalemate: nothing to hand out.
    End(i32),
}

/// The master while it builds the top.
struct Master<'a> {
    evaluation: &'a Evaluation,
    ordered: bool,
    leaves: Vec<Position>,
    nodes: u64,
}

impl Master<'_> {
    /// Builds a node, and returns it with its estimate for the side to move.
    fn build(&mut self, position: &Position, depth: u32, mut alpha: i32, beta: i32) -> (Top, i32) {
        self.nodes += 1;
        let mut successors: Vec<Position> = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                next
            })
            .collect();
        if successors.is_empty() {
            let value = if position.in_check() { -super::search::MATE } else { 0 };
            return (Top::End(value), value);
        }
        if depth == 0 {
            self.leaves.push(position.clone());
            return (Top::Leaf(self.leaves.len() - 1), self.evaluation.value(position));
        }
        if self.ordered {
            // The estimate is for the opponent: the least comes first.
            successors.sort_by_cached_key(|next| self.evaluation.value(next));
        }
        let (mut children, mut best) = (Vec::new(), i32::MIN);
        for next in &successors {
            let (child, estimate) = self.build(next, depth - 1, -beta, -alpha);
            children.push(child);
            best = best.max(-estimate);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        (Top::Inner(children), best)
    }
}

/// What a node is worth once all leaves are.
fn back_up(top: &Top, values: &[i32]) -> i32 {
    match top {
        Top::Leaf(number) => values[*number],
        Top::Inner(children) => {
            children.iter().map(|child| -back_up(child, values)).max().unwrap_or(0)
        }
        Top::End(value) => *value,
    }
}

/// When the last of some slaves is done with jobs that are handed out in order.
fn makespan(jobs: &[u64], slaves: usize) -> u64 {
    let mut busy = vec![0u64; slaves.max(1)];
    for &job in jobs {
        if let Some(first) = busy.iter_mut().min() {
            *first += job;
        }
    }
    busy.into_iter().max().unwrap_or(0)
}

/// What a position came to.
#[derive(Serialize, Deserialize)]
struct Trial {
    /// Nodes of one computer that searches the whole depth.
    serial: u64,
    /// Nodes of the master, and of each leaf.
    master: u64,
    jobs: Vec<u64>,
    /// The value of one computer and that of all.
    values: [i32; 2],
}

impl Trial {
    fn run(
        position: &Position,
        (above, below): (u32, u32),
        methods: Methods,
        stop: &Stop<'_>,
    ) -> Result<Trial, Halt> {
        let judge = || Judge::Report(Evaluation::new(Settings::LAST));
        let mut searcher = Searcher::new(methods, judge());
        let whole = searcher.search(position, above + below, stop)?;
        let evaluation = Evaluation::new(Settings::LAST);
        let mut master = Master {
            evaluation: &evaluation,
            ordered: methods.ordering,
            leaves: Vec::new(),
            nodes: 0,
        };
        let (top, _) = master.build(position, above, -1_000_000, 1_000_000);
        let (mut jobs, mut values) = (Vec::new(), Vec::new());
        for leaf in &master.leaves {
            let found = searcher.search(leaf, below, stop)?;
            jobs.push(found.nodes);
            values.push(found.value);
        }
        let together = back_up(&top, &values);
        Ok(Trial {
            serial: whole.nodes,
            master: master.nodes,
            jobs,
            values: [whole.value, together],
        })
    }

    fn time(&self, slaves: usize) -> u64 {
        self.master + makespan(&self.jobs, slaves)
    }

    fn speed_up(&self, slaves: usize) -> f64 {
        self.serial as f64 / self.time(slaves) as f64
    }

    /// How much more all computers search than one would.
    fn growth(&self) -> f64 {
        self.time(1) as f64 / self.serial as f64
    }
}

impl Experiment for Distribution {
    fn card(&self) -> Card {
        Card {
            id: "distribution",
            work: WORK,
            title: "Master and slaves, simulated",
            question: "Eight more computers gave the report no better result, and it never timed them. How much can its \
                       scheme gain at best? The master's tree and the slaves' searches are run on one machine, nodes \
                       take the place of time, and messages are free. Half of the depth for the slaves stands for its \
                       4 + 4, a quarter for its 6 + 2.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let splits: &[(u32, u32)] = lab.effort.pick(&[(2, 2), (3, 1)], &[(2, 2), (3, 1), (3, 2)]);
        let mut table = Table::new(
            "split",
            "One computer, and a master with eight slaves",
            &[
                ("split", Origin::Label),
                ("moves", Origin::Label),
                ("leaves", Origin::Counted),
                ("nodes of all : of one", Origin::Counted),
                ("speed-up, 1 slave", Origin::Counted),
                ("speed-up, 8 slaves", Origin::Counted),
                ("other values", Origin::Counted),
            ],
        );
        table.note = "Geometric means over four positions, leaves added up. \"Other values\" counts the positions whose value \
                      is not that of one computer: estimates cut what a search would not."
            .to_owned();
        let mut curves = Vec::new();
        for &split in splits {
            for (moves, methods) in [("as generated", SHIPPED), ("ordered", ORDERED)] {
                let mut trials = Vec::new();
                for (name, fen) in CASES {
                    let position = known_position(fen)?;
                    let step = format!("{name}, {} + {}, {moves}", split.0, split.1);
                    let trial: Trial =
                        lab.step(&step, |stop| Trial::run(&position, split, methods, stop))?;
                    trials.push(trial);
                }
                let name = format!("{} + {}", split.0, split.1);
                let mean = |what: &dyn Fn(&Trial) -> f64| geometric_mean(trials.iter().map(what));
                let leaves: u64 = trials.iter().map(|trial| trial.jobs.len() as u64).sum();
                let other =
                    trials.iter().filter(|trial| trial.values[0] != trial.values[1]).count();
                let growth = mean(&Trial::growth);
                let gain = mean(&|trial| trial.speed_up(SLAVES));
                table.row(vec![
                    name.as_str().into(),
                    moves.into(),
                    leaves.into(),
                    growth.into(),
                    mean(&|trial| trial.speed_up(1)).into(),
                    gain.into(),
                    Cell::from(other as u64),
                ]);
                findings.number(&format!("{name}, {moves}: speed-up of eight"), gain);
                findings.number(&format!("{name}, {moves}: work"), growth);
                findings.number(&format!("{name}, {moves}: leaves"), leaves as f64);
                findings.number(&format!("{name}, {moves}: other values"), other as f64);
                let point = |n: usize| (n as f64, mean(&|trial: &Trial| trial.speed_up(n)));
                curves.push(Curve {
                    name: format!("{name}, {moves}"),
                    printed: false,
                    points: [1, 2, 4, 8, 16].map(point).into(),
                });
            }
        }
        let number = |findings: &Findings, name: &str| {
            findings.figures.get(name).map_or(0.0, |figure| figure.values[0])
        };
        let saved = number(&findings, "2 + 2, as generated: leaves")
            / number(&findings, "2 + 2, ordered: leaves").max(1.0);
        findings.number("2 + 2: leaves that ordering saves, times", saved);
        let deeper = number(&findings, "3 + 1, as generated: speed-up of eight")
            / number(&findings, "2 + 2, as generated: speed-up of eight").max(0.01);
        findings.number("speed of 3 + 1 over that of 2 + 2", deeper);
        findings.tables.push(table);
        findings.plots.push(Plot::new(
            "slaves",
            "What slaves can gain at best",
            "Times as fast as one computer, by the number of slaves; nodes for time, messages free.",
            Drawing::Lines {
                x: "slaves".to_owned(),
                y: "times as fast".to_owned(),
                logarithmic: false,
                curves,
            },
        ));
        balancing(&mut findings);
        Ok(findings)
    }
}

/// The report's balancing: moves nodes from queues above the average to those below it, which is taken in whole
/// numbers.
fn balance(queues: &mut [u64]) {
    let average = queues.iter().sum::<u64>() / queues.len().max(1) as u64;
    for from in 0..queues.len() {
        for to in 0..queues.len() {
            while queues[from] > average && queues[to] < average {
                queues[from] -= 1;
                queues[to] += 1;
            }
        }
    }
}

/// Does balancing leave all queues the same, as the report says?
fn balancing(findings: &mut Findings) {
    let difference = |mut queues: Vec<u64>| {
        balance(&mut queues);
        let most = queues.iter().max().copied().unwrap_or(0);
        (most - queues.iter().min().copied().unwrap_or(0)) as f64
    };
    findings.number(
        "balancing: difference left, 16 and seven empty",
        difference(vec![16, 0, 0, 0, 0, 0, 0, 0]),
    );
    findings.number(
        "balancing: difference left, 7 and seven empty",
        difference(vec![7, 0, 0, 0, 0, 0, 0, 0]),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slaves_share_the_work() {
        assert_eq!(makespan(&[4, 4, 4, 4], 2), 8);
        assert_eq!(makespan(&[9, 1, 1, 1], 2), 9);
        assert_eq!(makespan(&[], 3), 0);
    }

    #[test]
    fn a_master_without_pruning_finds_what_one_computer_finds() {
        // Two moves on either side, so that estimates can hardly mislead.
        let position = Position::from_fen("7k/8/8/8/8/8/p7/K7 w - - 0 1").unwrap();
        let trial = Trial::run(&position, (2, 2), SHIPPED, &|| false).unwrap();
        assert_eq!(trial.values[0], trial.values[1]);
        assert!(trial.speed_up(8) >= trial.speed_up(1));
    }
}
