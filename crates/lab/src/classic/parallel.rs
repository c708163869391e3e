//! A thread of the search, and its side of the [split protocol](tabiya_engine::ybwc).

use super::keys::Keys;
use super::place::{Entry, Luggage, Place};
use super::search::{LONGEST, Sofar, Task};
use super::words::Word;
use super::{Counters, LEAST_SPLIT_DEPTH, Playable, Shared};
use std::sync::{Arc, Mutex};
use tabiya_chess::Position;
use tabiya_engine::lock;
use tabiya_engine::ybwc::{
    Cost, Flag, Runtime, Searcher, SharedFlag, SplitEffect, SplitHandle, SplitOffer, SplitPool,
};

/// How many nodes a virtual processor may be ahead of another before it has to wait.
const GRAIN: u64 = 16;

/// Whoever searches: one for each thread.
pub(super) struct Thinker<B: Playable, R: Runtime<Flag = SharedFlag>> {
    pub(super) place: Place<B>,
    pub(super) shared: Arc<Shared>,
    pub(super) counters: Counters,
    /// Quiet moves that cut off at this ply, the newest first. They are each thread's own.
    pub(super) killers: [[Word; 2]; LONGEST + 1],
    /// The split at which this thread is has been stopped.
    pub(super) stopped: SharedFlag,
    crew: Arc<SplitPool<R, Self>>,
    me: usize,
    /// Would anyone take up an offer?
    wanted: SharedFlag,
    /// Nodes whose time has not passed yet.
    uncharged: u64,
    /// Bytes that are copied for nothing.
    ballast: Vec<u8>,
}

/// What a helper must know of a node.
pub(super) struct Node<B> {
    luggage: Luggage<B>,
    task: Task,
    ballast: Vec<u8>,
    /// What helpers have counted.
    tally: Arc<Mutex<Counters>>,
}

/// A move that is handed out.
#[derive(Clone, Copy)]
pub(super) struct Item {
    entry: Entry,
    /// Its place among the node's moves.
    place: usize,
}

impl<B: Playable, R: Runtime<Flag = SharedFlag>> Thinker<B, R> {
    pub(super) fn new(
        position: &Position,
        shared: &Arc<Shared>,
        crew: &Arc<SplitPool<R, Self>>,
        me: usize,
    ) -> Self {
        Thinker {
            place: Place::new(position, Keys::get(shared.settings.low_word_first)),
            shared: Arc::clone(shared),
            counters: Counters::default(),
            killers: [[Word::NONE; 2]; LONGEST + 1],
            stopped: SharedFlag::new(),
            crew: Arc::clone(crew),
            me,
            wanted: crew.wanted(me).clone(),
            uncharged: 0,
            ballast: vec![0; shared.settings.extra_bytes],
        }
    }

    /// Bytes that a split at the root would copy.
    pub(super) fn split_bytes(&self) -> usize {
        self.place.bytes() + size_of::<Task>() + self.ballast.len()
    }

    #[inline(always)]
    pub(super) fn count_node(&mut self) {
        self.counters.nodes += 1;
        self.uncharged += 1;
        if self.uncharged == GRAIN {
            self.charge();
        }
    }

    /// Lets the time of nodes pass.
    pub(super) fn charge(&mut self) {
        let nodes = core::mem::take(&mut self.uncharged);
        if nodes > 0 {
            self.crew.runtime().charge(self.me, Cost::Nodes(nodes));
        }
    }

    /// Is it time to offer what is left of a node's moves?
    #[inline(always)]
    pub(super) fn may_split(&self, depth: i32, is_root: bool) -> bool {
        depth >= LEAST_SPLIT_DEPTH
            && self.wanted.get()
            && !(is_root && self.crew.rules().whole_root)
    }

    /// Offers the moves of a node that are left; if anyone came, none are left afterwards.
    #[cold]
    pub(super) fn split(&mut self, task: &Task, sofar: Sofar, last: Entry) -> Sofar {
        self.charge();
        let begun = self.crew.runtime().now(self.me);
        let tally = Arc::new(Mutex::new(Counters::default()));
        let offer = SplitOffer {
            node: Node {
                luggage: Luggage::pack(&self.place, self.shared.settings.rebuilds_board),
                task: *task,
                ballast: self.ballast.clone(),
                tally: Arc::clone(&tally),
            },
            last: Some(Item { entry: last, place: sofar.next - 1 }),
            work: Box::new(sofar),
            depth: task.depth,
            begun,
        };
        let crew = Arc::clone(&self.crew);
        let (Ok(sofar) | Err(sofar)) = crew.split(self.me, self, offer);
        let counted = *lock(&tally);
        self.counters.add(&counted);
        *sofar
    }

    fn search_brothers(&mut self, hand: &mut SplitHandle<'_, R, Self>) {
        let task = hand.split().node.task;
        while let Some(turn) = hand.take(|sofar| {
            let place = sofar.next;
            if place >= sofar.list.len() {
                return None;
            }
            sofar.next += 1;
            Some(Item { entry: sofar.list.best_from(place), place })
        }) {
            let Item { entry, place } = turn.item;
            let before = self.size();
            let Some(value) = self.try_move(entry, &task, turn.alpha, false) else { continue };
            let spent = self.size() - before;
            if self.stopped.get() {
                hand.abandon(spent);
                return;
            }
            hand.give(value, spent, |sofar| {
                if task.ply == 0 {
                    sofar.spent += spent;
                    let size = if value > sofar.alpha { sofar.spent } else { spent };
                    sofar.list.set_score(place, i32::try_from(size).unwrap_or(i32::MAX));
                }
                SplitEffect::cutoff_if(sofar.add(entry.word, value, task.beta))
            });
        }
    }
}

impl<B: Playable, R: Runtime<Flag = SharedFlag>> Searcher<R> for Thinker<B, R> {
    type Node = Node<B>;
    type Work = Box<Sofar>;
    type Item = Item;

    fn alpha(work: &Box<Sofar>) -> i32 {
        work.alpha
    }

    // His helpers cannot know before they have come.
    fn has_more(_work: &Box<Sofar>) -> bool {
        true
    }

    fn help(&mut self, hand: &mut SplitHandle<'_, R, Self>) {
        let stopped = hand.split().stopped().clone();
        let before = core::mem::replace(&mut self.stopped, stopped);
        if hand.is_owner() {
            self.search_brothers(hand);
            self.charge();
        } else {
            let node = &hand.split().node;
            let place = core::mem::replace(&mut self.place, node.luggage.unpack());
            self.ballast.copy_from_slice(&node.ballast);
            let counters = core::mem::take(&mut self.counters);
            self.search_brothers(hand);
            self.charge();
            let counted = core::mem::replace(&mut self.counters, counters);
            lock(&node.tally).add(&counted);
            self.place = place;
        }
        self.stopped = before;
    }
}
