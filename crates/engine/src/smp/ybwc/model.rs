//! The protocol under the model checker loom, which tries every way in which up to three threads can meet.
//!
//! The tree is a toy: a node has a few moves, a move has a value, and some moves have moves of their own.
//!
//! ```sh
//! RUSTFLAGS="--cfg loom" cargo test -p tabiya-engine --lib --profile checked model
//! ```

use super::parker::Parker;
use super::{
    Cost, Flag, Lock, Runtime, Searcher, SplitEffect, SplitHandle, SplitOffer, SplitPool,
    SplitRules,
};
use core::time::Duration;
use loom::sync::Mutex;
use loom::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// The processors of a model.
struct Modelled {
    parkers: Vec<Parker>,
}

impl Modelled {
    fn new(processors: usize) -> Arc<Modelled> {
        Arc::new(Modelled { parkers: (0..processors).map(|_| Parker::new()).collect() })
    }
}

struct ModelledLock<T>(Mutex<T>);

impl<T: Send> Lock<T> for ModelledLock<T> {
    fn new(value: T) -> Self {
        ModelledLock(Mutex::new(value))
    }

    fn with<A>(&self, work: impl FnOnce(&mut T) -> A) -> A {
        work(&mut self.0.lock().unwrap())
    }
}

struct ModelledFlag(AtomicBool);

impl Flag for ModelledFlag {
    fn new() -> Self {
        ModelledFlag(AtomicBool::new(false))
    }

    // The weakest order there is, as threads of the operating system have it.
    fn get(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn set(&self, value: bool) {
        self.0.store(value, Ordering::Relaxed);
    }
}

impl Runtime for Modelled {
    type Lock<T: Send> = ModelledLock<T>;
    type Flag = ModelledFlag;

    fn spawn(self: &Arc<Self>, _who: usize, work: Box<dyn FnOnce() + Send>) {
        loom::thread::spawn(work);
    }

    fn park(&self, me: usize) {
        self.parkers[me].park(Duration::ZERO);
    }

    fn wake(&self, _me: usize, who: usize) {
        self.parkers[who].wake();
    }

    fn charge(&self, _me: usize, _cost: Cost) {}

    fn now(&self, _me: usize) -> u64 {
        0
    }
}

/// A node of the toy.
#[derive(Clone, Copy)]
struct Node {
    moves: u8,
    /// The move that cuts off, if any.
    refutation: Option<u8>,
    /// The move that has two moves of its own.
    deep: Option<u8>,
    /// The move that no other is taken up beside.
    pausing: Option<u8>,
}

const PLAIN: Node = Node { moves: 2, refutation: None, deep: None, pausing: None };

/// How often each move was searched to its end.
#[derive(Clone, Default)]
struct Work {
    next: u8,
    searched: [u8; 4],
    paused: bool,
    cut: bool,
}

struct Toy {
    me: usize,
    pool: Arc<SplitPool<Modelled, Toy>>,
    /// The splits that this processor is at, as the stop flags that it has to obey.
    at: Vec<Arc<super::Split<Modelled, Toy>>>,
}

impl Searcher<Modelled> for Toy {
    type Node = Node;
    type Work = Work;
    type Item = u8;

    fn alpha(_work: &Work) -> i32 {
        0
    }

    // Not said: so helpers come in vain, too.
    fn has_more(_work: &Work) -> bool {
        true
    }

    fn help(&mut self, handle: &mut SplitHandle<'_, Modelled, Toy>) {
        let split = handle.split();
        self.at.push(Arc::clone(split));
        let node = split.node;
        while let Some(turn) = handle.take(|work| {
            let mv = work.next;
            let is_left = mv < node.moves && !work.paused;
            work.next += u8::from(is_left);
            work.paused |= is_left && node.pausing == Some(mv);
            is_left.then_some(mv)
        }) {
            let mv = turn.item;
            let done = node.deep != Some(mv) || self.search(PLAIN);
            if !done || split.stopped().get() {
                handle.abandon(1);
                break;
            }
            handle.give(0, 1, |work| {
                work.searched[usize::from(mv)] += 1;
                work.paused &= node.pausing != Some(mv);
                work.cut = node.refutation == Some(mv);
                match () {
                    () if work.cut => SplitEffect::Cuts,
                    () if node.pausing == Some(mv) => SplitEffect::Resumes,
                    () => SplitEffect::Nothing,
                }
            });
        }
        self.at.pop();
    }
}

impl Toy {
    fn new(pool: &Arc<SplitPool<Modelled, Toy>>, me: usize) -> Toy {
        Toy { me, pool: Arc::clone(pool), at: Vec::new() }
    }

    /// Searches a node, with help if there is any; false if it was stopped.
    fn search(&mut self, node: Node) -> bool {
        let pool = Arc::clone(&self.pool);
        let offer = SplitOffer { node, work: Work::default(), last: None, depth: 1, begun: 0 };
        match pool.split(self.me, self, offer) {
            Err(work) => {
                assert_eq!(work.next, 0, "no helper joined, so no move was taken");
                true
            }
            Ok(work) => {
                let stopped = self.at.last().is_some_and(|split| split.stopped().get());
                assert!(stopped || work.cut == node.refutation.is_some());
                for mv in 0..node.moves {
                    let times = work.searched[usize::from(mv)];
                    assert!(times <= 1, "nothing is searched twice");
                    assert!(times == 1 || work.cut || stopped, "nothing is forgotten");
                }
                !stopped
            }
        }
    }
}

/// All that can happen when `processors` processors search a node: one begins when the others are idle.
fn check(processors: usize, node: Node, preemptions: usize) {
    check_by(SplitRules::default(), processors, node, preemptions);
}

fn check_by(rules: SplitRules, processors: usize, node: Node, preemptions: usize) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    let seen = Arc::new(std::sync::Mutex::new(Seen::default()));
    let log = Arc::clone(&seen);
    builder.check(move || {
        let pool = SplitPool::new(Modelled::new(processors), processors, rules);
        for who in 1..processors {
            pool.employ(who, move |server| {
                let mut toy = Toy::new(server.pool(), who);
                server.serve(&mut toy);
            });
        }
        // What happens before is of no interest, and would use up the preemptions.
        while pool.board.with(|board| board.idle()) < processors - 1 {
            loom::thread::yield_now();
        }
        assert!(Toy::new(&pool, 0).search(node));
        pool.finish(0);
        assert_eq!(pool.board.with(|board| (board.serving, board.open_splits())), (0, 0));
        let counts = pool.counts();
        let mut seen = log.lock().unwrap();
        seen.runs += 1;
        seen.most_splits = seen.most_splits.max(counts.splits);
        seen.most_joins = seen.most_joins.max(counts.joins);
        seen.most_abandoned = seen.most_abandoned.max(counts.superfluous);
    });
    let seen = seen.lock().unwrap();
    // The model would prove nothing if it met none of what it is about.
    assert!(seen.runs > 100 && seen.most_joins > 0, "{seen:?}");
    // Somebody comes back.
    let least_joins = if node.pausing.is_some() { processors as u64 } else { 1 };
    assert!(seen.most_joins >= least_joins, "{seen:?}");
    assert_eq!(seen.most_splits > 1, node.deep.is_some(), "{seen:?}");
    assert_eq!(seen.most_abandoned > 0, node.refutation.is_some(), "{seen:?}");
}

/// What came up in the runs of a model.
#[derive(Debug, Default)]
struct Seen {
    runs: u64,
    most_splits: u64,
    most_joins: u64,
    most_abandoned: u64,
}

#[test]
fn two_share_the_moves_and_none_is_lost_or_searched_twice() {
    check(2, Node { moves: 3, ..PLAIN }, 3);
}

#[test]
fn two_stop_at_a_cutoff() {
    check(2, Node { moves: 3, refutation: Some(1), ..PLAIN }, 3);
}

#[test]
fn two_split_below_a_split() {
    check(2, Node { deep: Some(0), ..PLAIN }, 3);
}

#[test]
fn three_share_the_moves() {
    check(3, Node { moves: 3, ..PLAIN }, 2);
}

#[test]
fn three_split_below_a_split() {
    check(3, Node { deep: Some(0), ..PLAIN }, 2);
}

#[test]
fn three_stop_whatever_lies_below() {
    check(3, Node { refutation: Some(1), deep: Some(0), ..PLAIN }, 3);
}

#[test]
fn two_come_back_after_a_pause() {
    check(2, Node { moves: 4, pausing: Some(1), ..PLAIN }, 3);
    check(2, Node { moves: 3, pausing: Some(0), deep: Some(0), ..PLAIN }, 2);
}

#[test]
fn three_come_back_after_a_pause() {
    check(3, Node { moves: 3, pausing: Some(1), ..PLAIN }, 2);
}

#[test]
fn three_stop_after_a_pause() {
    check(3, Node { moves: 3, pausing: Some(0), refutation: Some(1), ..PLAIN }, 3);
}

#[test]
fn two_stop_after_a_pause() {
    check(2, Node { moves: 3, pausing: Some(0), refutation: Some(1), ..PLAIN }, 3);
}

/// Offers that stand whether anyone idles or not.
const STANDING: SplitRules = SplitRules { standing_depth: 0, ..SplitRules::DEFAULT };

#[test]
fn two_find_offers_that_stand() {
    check_by(STANDING, 2, Node { deep: Some(0), ..PLAIN }, 3);
}

#[test]
fn three_find_offers_that_stand_and_stop() {
    check_by(STANDING, 3, Node { refutation: Some(1), deep: Some(0), ..PLAIN }, 2);
}
