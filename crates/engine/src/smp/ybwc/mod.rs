//! Young Brothers Wait (YBWC): how several processors search one tree.
//!
//! The eldest brother, the first move of a node, is searched by one processor alone. Often it is so good
//! that its younger brothers need not be searched at all; if it is not, idle processors may search them,
//! too. (At an all node every move is expected to fail, so there is no eldest to wait for.)
//! There is no master: every processor that is at work may offer its node, and every processor that is
//! idle may take up any offer.
//!
//! | event                                 | what happens                                               |
//! |---------------------------------------|------------------------------------------------------------|
//! | nothing to do                         | take up the best offer there is, or park                   |
//! | one idles, and the eldest is done     | split: copy the node, offer its moves, wake the idle       |
//! | none idles, but there is much to do   | the same: a standing offer, for the next that idles        |
//! | at a split                            | take a move, search it, give its value, and so on          |
//! | a move has the full window            | pause: others leave, and are woken when it has its value   |
//! | the value cuts off                    | stop: all at the split, or below it, leave                 |
//! | no moves left, or none for now        | leave; the owner waits, and helps its helpers meanwhile    |
//! | the last has left                     | the owner is woken and goes on with what all have found    |
//!
//! What the processors share lies behind locks: one for the board (which processor is at which split), and
//! one for each split's moves. A processor never parks while it holds one, and never holds two.
//! Flags are hints and orders only; no other memory depends on them. When a split is over its owner asks once
//! more whether it was stopped: every helper that left has taken the board's lock since, so this answer is final.
//!
//! The protocol knows neither chess nor threads: what is searched is a [`Searcher`], and what it runs on
//! a [`Runtime`]: threads of the operating system ([`OsThreads`]), virtual processors ([`VirtualTime`]),
//! or a model checker that tries all ways in which things can happen at once.
//!
//! # Defects
//!
//! [`SplitRules`] can bring back what an earlier program did (Rasmussen, *Parallel Chess Searching and
//! Bitboards*, 2004), in order to measure what it cost.

mod board;
#[cfg(all(test, loom))]
mod model;
mod os;
mod parker;
mod runtime;
mod split_point;
#[cfg(all(test, not(loom)))]
mod tests;
mod virtual_time;

pub use os::{OsThreads, SharedFlag};
pub use runtime::{Cost, Flag, Lock, Runtime};
pub(crate) use split_point::{SharedPath, SplitMember};
pub use virtual_time::{Latencies, VirtualTime};

use crate::padded::CachePadded;
use board::{Next, Scope, SplitBoard};
use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// A thread's search of a tree.
pub trait Searcher<R: Runtime>: Sized + 'static {
    /// What a helper must know of a node. It never changes.
    type Node: Send + Sync;
    /// What they change in turn: which moves are left, and what was found.
    type Work: Send;
    /// A move, or whatever is handed out.
    type Item: Copy + Send + Sync;

    /// The lower bound that a move has to beat.
    fn alpha(work: &Self::Work) -> i32;

    /// May there be more moves to take?
    fn has_more(work: &Self::Work) -> bool;

    /// Takes moves of a split, searches them and gives their values, until there are none.
    fn help(&mut self, handle: &mut SplitHandle<'_, R, Self>);
}

/// What may be split, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitRules {
    /// Nodes with less depth than this are not worth it.
    pub min_depth: i32,
    /// Standing offers: nodes with at least this depth are offered even while no processor idles. One that comes
    /// to idle finds work at once, and need not wait for the next split.
    pub standing_depth: i32,
    /// At an all node every move is expected to fail, so there is no eldest: all may be searched at once.
    pub all_node_moves_at_once: bool,
    /// At a cut node, this many moves must have failed first.
    pub cut_node_moves: usize,
    /// Most processors at one split point.
    pub max_threads: usize,
    /// Most moves of a split point that are searched with the full window at once.
    pub max_full_window: usize,
    /// While a move is searched with the full window, no other move of that split point is taken: it would be
    /// searched with an alpha that is about to rise. Processors find work below the move, unless the split is
    /// of the least depth.
    pub pause: bool,
    /// The fourth defect (D4): a helper that joins first searches the last taken move once more.
    pub repeats_move: bool,
    /// The fifth (D5): helpers do not see alpha rise by what the others find.
    pub private_alpha: bool,
    /// Half of the sixth (D6): the root is never split.
    pub whole_root: bool,
    /// The other half: an owner that waits may join any split, not only those below its own.
    pub captured_owner: bool,
}

impl SplitRules {
    /// What paid in simulations of many processors, without the defects.
    pub const DEFAULT: SplitRules = SplitRules {
        min_depth: 5,
        standing_depth: 10,
        all_node_moves_at_once: true,
        cut_node_moves: 1,
        max_threads: 8,
        max_full_window: 2,
        pause: true,
        repeats_move: false,
        private_alpha: false,
        whole_root: false,
        captured_owner: false,
    };
}

impl Default for SplitRules {
    fn default() -> SplitRules {
        SplitRules::DEFAULT
    }
}

/// A node whose moves are on offer.
pub struct Split<R: Runtime, S: Searcher<R>> {
    /// What a helper must know.
    pub node: S::Node,
    /// The move that was taken up last before the split.
    last: Option<S::Item>,
    /// How much there is to do; deeper is more.
    depth: i32,
    owner: usize,
    /// The split below which this one lies.
    parent: Option<Arc<Split<R, S>>>,
    stopped: R::Flag,
    /// No move is left to be taken, or none for now. Changed under the lock of the work, so that the last
    /// change is true, or by a processor that gives up for all.
    drained: R::Flag,
    state: R::Lock<SplitWork<S::Work>>,
}

/// The work at a split. It is taken out when the split is over.
struct SplitWork<W> {
    work: Option<W>,
    /// A value cut off: nothing is handed out any more.
    cut: bool,
}

impl<R: Runtime, S: Searcher<R>> Split<R, S> {
    /// Must all processors at it leave?
    pub fn stopped(&self) -> &R::Flag {
        &self.stopped
    }

    /// Is it the other one, or does it lie below it?
    fn is_within(&self, other: &Split<R, S>) -> bool {
        let mut at = Some(self);
        while let Some(split) = at {
            if std::ptr::eq(split, other) {
                return true;
            }
            at = split.parent.as_deref();
        }
        false
    }
}

/// What happened, in the words of the thesis's chapter 8.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SplitCounts {
    /// Nodes that were split: offered, and a helper joined.
    pub splits: u64,
    /// Nodes that were offered, and no helper joined.
    pub vain: u64,
    /// How often an offer was taken up, after a pause once more.
    pub joins: u64,
    /// Splits that ended in a cutoff.
    pub cutoffs: u64,
    /// Nodes of searches that were under way when a cutoff made them superfluous.
    pub superfluous: u64,
    /// Nanoseconds spent on copying and offering nodes, in vain or not.
    pub split_time: u64,
    /// Nanoseconds between a split and its end, of its owner, over all that a helper joined.
    pub split_search_time: u64,
    /// Nanoseconds in which processors were idle, all together.
    pub idle_time: u64,
}

impl std::iter::Sum for SplitCounts {
    fn sum<I: Iterator<Item = SplitCounts>>(all: I) -> SplitCounts {
        all.fold(SplitCounts::default(), |a, b| SplitCounts {
            splits: a.splits + b.splits,
            vain: a.vain + b.vain,
            joins: a.joins + b.joins,
            cutoffs: a.cutoffs + b.cutoffs,
            superfluous: a.superfluous + b.superfluous,
            split_time: a.split_time + b.split_time,
            split_search_time: a.split_search_time + b.split_search_time,
            idle_time: a.idle_time + b.idle_time,
        })
    }
}

#[derive(Default)]
struct Counters {
    splits: AtomicU64,
    vain: AtomicU64,
    joins: AtomicU64,
    cutoffs: AtomicU64,
    superfluous: AtomicU64,
    split_time: AtomicU64,
    split_search_time: AtomicU64,
    idle_time: AtomicU64,
}

fn add(counter: &AtomicU64, number: u64) {
    counter.fetch_add(number, Ordering::Relaxed);
}

/// The processors that search one tree.
pub struct SplitPool<R: Runtime, S: Searcher<R>> {
    runtime: Arc<R>,
    rules: SplitRules,
    board: R::Lock<SplitBoard<R, S>>,
    /// For each processor: would another take up its offer?
    wanted: Vec<R::Flag>,
    counters: CachePadded<Counters>,
}

impl<R: Runtime, S: Searcher<R>> SplitPool<R, S> {
    /// For `processors` processors; the first is the one that searches the root.
    pub fn new(runtime: Arc<R>, processors: usize, rules: SplitRules) -> Arc<SplitPool<R, S>> {
        // A single processor never idles.
        let standing_depth = if processors == 1 { i32::MAX } else { rules.standing_depth };
        Arc::new(SplitPool {
            runtime,
            rules: SplitRules { standing_depth, ..rules },
            board: R::Lock::new(SplitBoard::new(processors)),
            wanted: (0..processors).map(|_| R::Flag::new()).collect(),
            counters: CachePadded(Counters::default()),
        })
    }

    /// What may be split, and how.
    pub fn rules(&self) -> &SplitRules {
        &self.rules
    }

    /// What it runs on.
    pub fn runtime(&self) -> &Arc<R> {
        &self.runtime
    }

    /// Yes while an offer of a processor would be taken up: what it should look at before it splits,
    /// unless its offer is to stand ([`SplitRules::standing_depth`]).
    pub fn wanted(&self, me: usize) -> &R::Flag {
        &self.wanted[me]
    }

    /// What happened so far.
    pub fn counts(&self) -> SplitCounts {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SplitCounts {
            splits: get(&self.counters.splits),
            vain: get(&self.counters.vain),
            joins: get(&self.counters.joins),
            cutoffs: get(&self.counters.cutoffs),
            superfluous: get(&self.counters.superfluous),
            split_time: get(&self.counters.split_time),
            split_search_time: get(&self.counters.split_search_time),
            idle_time: get(&self.counters.idle_time),
        }
    }

    /// Signs a processor on: the pool is finished only when it has served, or is dropped.
    pub fn sign_on(self: &Arc<Self>, me: usize) -> SplitServer<R, S> {
        self.on_board(|board| board.serving += 1);
        SplitServer { pool: Arc::clone(self), me }
    }

    /// Starts a processor of the runtime that serves.
    pub fn employ(
        self: &Arc<Self>,
        who: usize,
        serve: impl FnOnce(SplitServer<R, S>) + Send + 'static,
    ) {
        let server = self.sign_on(who);
        self.runtime.spawn(who, Box::new(move || serve(server)));
    }

    /// Takes up offers until [`SplitPool::finish`] is called.
    fn serve(self: &Arc<Self>, me: usize, searcher: &mut S) {
        let mut idle_since = None;
        loop {
            match self.on_board(|board| board.next(me, Scope::Anything, &self.rules)) {
                Next::Leave => break,
                Next::Join(split) => {
                    if let Some(since) = idle_since.take() {
                        self.count_idle(me, since);
                    }
                    self.join(me, searcher, &split);
                }
                Next::Park => {
                    idle_since.get_or_insert_with(|| self.runtime.now(me));
                    self.runtime.park(me);
                }
            }
        }
        if let Some(since) = idle_since {
            self.count_idle(me, since);
        }
    }

    /// Offers the moves of a node, searches them together with the helpers that join, and returns what all
    /// have found; or returns the work at once if no processor would join and a standing offer does not pay.
    pub fn split(
        self: &Arc<Self>,
        me: usize,
        searcher: &mut S,
        offer: SplitOffer<S::Node, S::Work, S::Item>,
    ) -> Result<S::Work, S::Work> {
        self.runtime.charge(me, Cost::Split);
        let SplitOffer { node, work, last, depth, begun } = offer;
        let (stopped, drained) = (R::Flag::new(), R::Flag::new());
        let state = R::Lock::new(SplitWork { work: Some(work), cut: false });
        let (split, called) = self.on_board(|board| {
            let parent = board.innermost(me).cloned();
            let split =
                Arc::new(Split { node, last, depth, owner: me, parent, stopped, drained, state });
            let called = board.open(&split, &self.rules);
            (split, called)
        });
        for &who in called.iter().flatten() {
            self.runtime.wake(me, who);
        }
        let offered = self.runtime.now(me);
        add(&self.counters.split_time, offered.saturating_sub(begun));
        if called.is_none() {
            add(&self.counters.vain, 1);
            return Err(take_work(&split));
        }
        let was_helped = Cell::new(false);
        {
            let _closes = CloseOnDrop { pool: self, me, split: &split, was_helped: &was_helped };
            searcher.help(&mut SplitHandle::new(self, me, &split, true));
        }
        self.await_end(me, searcher, &split);
        if was_helped.get() {
            add(&self.counters.splits, 1);
            add(&self.counters.split_search_time, self.runtime.now(me).saturating_sub(offered));
        } else {
            add(&self.counters.vain, 1);
        }
        Ok(take_work(&split))
    }

    /// Ends the service of all others, and waits until they are gone.
    pub fn finish(&self, me: usize) {
        let others = self.on_board(|board| {
            board.over = true;
            board.finisher = Some(me);
            board.processors()
        });
        for who in (0..others).filter(|&who| who != me) {
            self.runtime.wake(me, who);
        }
        while self.on_board(|board| board.serving > 0) {
            self.runtime.park(me);
        }
    }

    /// The owner of a split has no moves left: it waits for its helpers, and helps them meanwhile.
    fn await_end(self: &Arc<Self>, me: usize, searcher: &mut S, split: &Arc<Split<R, S>>) {
        let scope = match self.rules.captured_owner {
            true => Scope::AnythingWhile(split),
            false => Scope::Within(split),
        };
        let mut idle_since = None;
        loop {
            match self.on_board(|board| board.next(me, scope, &self.rules)) {
                Next::Leave => break,
                Next::Join(other) => {
                    if let Some(since) = idle_since.take() {
                        self.count_idle(me, since);
                    }
                    self.join(me, searcher, &other);
                }
                Next::Park => {
                    idle_since.get_or_insert_with(|| self.runtime.now(me));
                    self.runtime.park(me);
                }
            }
        }
        if let Some(since) = idle_since {
            self.count_idle(me, since);
        }
        // An owner whose helper failed would go on with half a result.
        assert!(!self.on_board(|board| board.failed), "a helper failed");
    }

    fn join(self: &Arc<Self>, me: usize, searcher: &mut S, split: &Arc<Split<R, S>>) {
        add(&self.counters.joins, 1);
        self.runtime.charge(me, Cost::Join);
        let _leaves = LeaveOnDrop { pool: self, me, split };
        searcher.help(&mut SplitHandle::new(self, me, split, false));
    }

    /// There are moves to take again where there were none for a while: idle processors are woken.
    fn call(&self, me: usize, split: &Split<R, S>) {
        for who in self.on_board(|board| board.call(split, &self.rules)) {
            self.runtime.wake(me, who);
        }
    }

    fn stop(&self, me: usize, split: &Arc<Split<R, S>>) {
        self.runtime.charge(me, Cost::Stop);
        if self.on_board(|board| board.stop(split)) {
            add(&self.counters.cutoffs, 1);
        }
    }

    fn count_idle(&self, me: usize, since: u64) {
        add(&self.counters.idle_time, self.runtime.now(me).saturating_sub(since));
    }

    /// Changes the board, and updates each processor's flag whether its offer would be taken up.
    fn on_board<A>(&self, work: impl FnOnce(&mut SplitBoard<R, S>) -> A) -> A {
        self.board.with(|board| {
            let result = work(board);
            board.announce(&self.wanted, &self.rules);
            result
        })
    }
}

fn take_work<R: Runtime, S: Searcher<R>>(split: &Split<R, S>) -> S::Work {
    split.state.with(|state| state.work.take()).expect("the owner alone takes the work, once")
}

/// A node to be split.
pub struct SplitOffer<N, W, I> {
    /// What helpers must know of it.
    pub node: N,
    /// What is to be done.
    pub work: W,
    /// The move that was taken up last.
    pub last: Option<I>,
    /// How much there is to do.
    pub depth: i32,
    /// When its copying began, by the runtime's clock.
    pub begun: u64,
}

/// A processor that is signed on to a split pool. Dropping it signs it off, also after a panic before it served.
pub struct SplitServer<R: Runtime, S: Searcher<R>> {
    pool: Arc<SplitPool<R, S>>,
    me: usize,
}

impl<R: Runtime, S: Searcher<R>> SplitServer<R, S> {
    /// The pool that it is signed on to.
    pub fn pool(&self) -> &Arc<SplitPool<R, S>> {
        &self.pool
    }

    /// Takes up offers until [`SplitPool::finish`] is called.
    pub fn serve(self, searcher: &mut S) {
        self.pool.serve(self.me, searcher);
    }
}

impl<R: Runtime, S: Searcher<R>> Drop for SplitServer<R, S> {
    fn drop(&mut self) {
        let finisher = self.pool.on_board(|board| {
            board.serving -= 1;
            board.failed |= std::thread::panicking();
            board.finisher.filter(|_| board.serving == 0)
        });
        if let Some(finisher) = finisher {
            self.pool.runtime.wake(self.me, finisher);
        }
    }
}

/// Closes an owner's part of a split when it has no moves left, however that came.
struct CloseOnDrop<'a, R: Runtime, S: Searcher<R>> {
    pool: &'a SplitPool<R, S>,
    me: usize,
    split: &'a Arc<Split<R, S>>,
    /// Did a helper join?
    was_helped: &'a Cell<bool>,
}

impl<R: Runtime, S: Searcher<R>> Drop for CloseOnDrop<'_, R, S> {
    fn drop(&mut self) {
        self.pool.runtime.charge(self.me, Cost::Merge);
        self.pool.on_board(|board| {
            if std::thread::panicking() {
                board.failed = true;
                // No helper need join any more.
                self.split.drained.set(true);
            }
            self.was_helped.set(board.was_helped(self.split));
            board.leave(self.me, self.split);
        });
    }
}

/// A helper that leaves, however it leaves.
struct LeaveOnDrop<'a, R: Runtime, S: Searcher<R>> {
    pool: &'a SplitPool<R, S>,
    me: usize,
    split: &'a Arc<Split<R, S>>,
}

impl<R: Runtime, S: Searcher<R>> Drop for LeaveOnDrop<'_, R, S> {
    fn drop(&mut self) {
        self.pool.runtime.charge(self.me, Cost::Merge);
        let was_last = self.pool.on_board(|board| {
            board.failed |= std::thread::panicking();
            board.leave(self.me, self.split)
        });
        if was_last {
            self.pool.runtime.wake(self.me, self.split.owner);
        }
    }
}

/// What the value of a move does to its split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitEffect {
    /// Nothing.
    Nothing,
    /// Others waited for it, and may take moves again.
    Resumes,
    /// It cuts off: no more moves are needed.
    Cuts,
}

impl SplitEffect {
    /// A cutoff, or nothing.
    pub fn cutoff_if(cuts: bool) -> SplitEffect {
        if cuts { SplitEffect::Cuts } else { SplitEffect::Nothing }
    }
}

/// A processor at a split.
pub struct SplitHandle<'a, R: Runtime, S: Searcher<R>> {
    pool: &'a Arc<SplitPool<R, S>>,
    me: usize,
    split: &'a Arc<Split<R, S>>,
    is_owner: bool,
    /// To be searched again before anything else (defect D4).
    again: Option<S::Item>,
    /// The best that this processor knows of.
    alpha: i32,
}

/// A move to be searched, and what it has to beat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SplitItem<I> {
    /// The move.
    pub item: I,
    /// The lower bound.
    pub alpha: i32,
}

impl<'a, R: Runtime, S: Searcher<R>> SplitHandle<'a, R, S> {
    fn new(
        pool: &'a Arc<SplitPool<R, S>>,
        me: usize,
        split: &'a Arc<Split<R, S>>,
        is_owner: bool,
    ) -> SplitHandle<'a, R, S> {
        let is_new = !is_owner && split.owner != me;
        let again = split.last.filter(|_| pool.rules.repeats_move && is_new);
        SplitHandle { pool, me, split, is_owner, again, alpha: i32::MIN }
    }

    /// The split.
    pub fn split(&self) -> &'a Arc<Split<R, S>> {
        self.split
    }

    /// The pool.
    pub fn pool(&self) -> &'a Arc<SplitPool<R, S>> {
        self.pool
    }

    /// Is it the processor that split the node?
    pub fn is_owner(&self) -> bool {
        self.is_owner
    }

    /// The processor's number.
    pub fn me(&self) -> usize {
        self.me
    }

    /// The next move, as `pick` takes it from the work; none when there is nothing left to do here.
    pub fn take(
        &mut self,
        pick: impl FnOnce(&mut S::Work) -> Option<S::Item>,
    ) -> Option<SplitItem<S::Item>> {
        if self.split.stopped.get() {
            return None;
        }
        let again = self.again.take();
        let (item, alpha) = self.split.state.with(|state| {
            let work = state.work.as_mut().filter(|_| !state.cut);
            let taken = work.and_then(|work| {
                let item = again.or_else(|| pick(work))?;
                Some((item, S::alpha(work), S::has_more(work)))
            });
            // A helper that joined now would find nothing.
            if !matches!(taken, Some((.., true))) {
                self.split.drained.set(true);
            }
            taken.map(|(item, alpha, _)| (item, alpha))
        })?;
        if self.alpha == i32::MIN || !self.pool.rules.private_alpha {
            self.alpha = alpha;
        }
        Some(SplitItem { item, alpha: self.alpha })
    }

    /// In the middle of a move, after `nodes` nodes: changes the work, with the alpha of now. If the split was
    /// cut off meanwhile, the nodes were superfluous.
    pub fn with<A>(
        &mut self,
        nodes: u64,
        change: impl FnOnce(&mut S::Work, i32) -> A,
    ) -> Option<A> {
        let alpha = &mut self.alpha;
        let done = self.split.state.with(|state| {
            let work = state.work.as_mut().filter(|_| !state.cut)?;
            if !self.pool.rules.private_alpha {
                *alpha = S::alpha(work);
            }
            Some(change(work, *alpha))
        });
        if done.is_none() {
            add(&self.pool.counters.superfluous, nodes);
        }
        done
    }

    /// Gives the value of a move, searched to the end in `nodes` nodes: `merge` adds it to what was found and
    /// returns the effect.
    pub fn give(
        &mut self,
        value: i32,
        nodes: u64,
        merge: impl FnOnce(&mut S::Work) -> SplitEffect,
    ) {
        self.alpha = self.alpha.max(value);
        let effect = self.split.state.with(|state| {
            let work = state.work.as_mut().filter(|_| !state.cut)?;
            let effect = merge(work);
            match effect {
                SplitEffect::Cuts => state.cut = true,
                SplitEffect::Resumes => self.split.drained.set(false),
                SplitEffect::Nothing => {}
            }
            Some(effect)
        });
        match effect {
            Some(SplitEffect::Cuts) => self.pool.stop(self.me, self.split),
            Some(SplitEffect::Resumes) => self.pool.call(self.me, self.split),
            Some(SplitEffect::Nothing) => {}
            // Another move cut off before.
            None => add(&self.pool.counters.superfluous, nodes),
        }
    }

    /// A search of `nodes` nodes was given up. Was that because of a cutoff, here or above?
    pub fn abandon(&self, nodes: u64) {
        // No helper need join any more.
        self.split.drained.set(true);
        let above = self.split.parent.as_ref().is_some_and(|parent| parent.stopped.get());
        // The owner is at the split above as well, and gives up there what includes this.
        if self.split.stopped.get() && !(self.is_owner && above) {
            add(&self.pool.counters.superfluous, nodes);
        }
    }
}
