//! The board: which processor is at which split point.

use super::{Flag, Runtime, Searcher, Split, SplitRules};
use std::sync::Arc;

/// What every processor does. Behind one lock.
pub(super) struct SplitBoard<R: Runtime, S: Searcher<R>> {
    processors: Vec<ProcessorState<R, S>>,
    /// The splits that are not over, the oldest first.
    open: Vec<OpenSplit<R, S>>,
    /// How many serve.
    pub(super) serving: usize,
    /// There will be no more work.
    pub(super) over: bool,
    /// Who waits for all to leave.
    pub(super) finisher: Option<usize>,
    /// Somebody panicked.
    pub(super) failed: bool,
}

struct ProcessorState<R: Runtime, S: Searcher<R>> {
    activity: Activity<R, S>,
    /// The splits that the processor is at, each below the one before.
    path: Vec<Arc<Split<R, S>>>,
}

enum Activity<R: Runtime, S: Searcher<R>> {
    Busy,
    /// Without work, and not called yet.
    Idle,
    /// Waiting for the end of a split that it owns, and not called yet.
    Waiting(Arc<Split<R, S>>),
    /// Called, and not there yet.
    Called,
}

struct OpenSplit<R: Runtime, S: Searcher<R>> {
    split: Arc<Split<R, S>>,
    workers: usize,
    /// Has anyone come?
    helped: bool,
}

/// What a processor may do.
pub(super) enum Scope<'a, R: Runtime, S: Searcher<R>> {
    /// Anything, until all is over.
    Anything,
    /// What helps with a split of its own, until that is over.
    Within(&'a Arc<Split<R, S>>),
    /// Anything, until a split of its own is over.
    AnythingWhile(&'a Arc<Split<R, S>>),
}

impl<R: Runtime, S: Searcher<R>> Clone for Scope<'_, R, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Runtime, S: Searcher<R>> Copy for Scope<'_, R, S> {}

/// What a processor does next.
pub(super) enum Next<R: Runtime, S: Searcher<R>> {
    Join(Arc<Split<R, S>>),
    Park,
    Leave,
}

impl<R: Runtime, S: Searcher<R>> SplitBoard<R, S> {
    pub(super) fn new(processors: usize) -> SplitBoard<R, S> {
        let processor = || ProcessorState { activity: Activity::Busy, path: Vec::new() };
        SplitBoard {
            processors: (0..processors).map(|_| processor()).collect(),
            open: Vec::new(),
            serving: 0,
            over: false,
            finisher: None,
            failed: false,
        }
    }

    pub(super) fn processors(&self) -> usize {
        self.processors.len()
    }

    /// How many splits are not over.
    #[cfg(all(test, loom))]
    pub(super) fn open_splits(&self) -> usize {
        self.open.len()
    }

    /// How many have nothing to do.
    #[cfg(all(test, loom))]
    pub(super) fn idle(&self) -> usize {
        self.processors
            .iter()
            .filter(|processor| matches!(processor.activity, Activity::Idle))
            .count()
    }

    /// The split that a processor is at.
    pub(super) fn innermost(&self, who: usize) -> Option<&Arc<Split<R, S>>> {
        self.processors[who].path.last()
    }

    /// Finds work for a processor that has none.
    pub(super) fn next(
        &mut self,
        me: usize,
        scope: Scope<'_, R, S>,
        rules: &SplitRules,
    ) -> Next<R, S> {
        let is_over = match scope {
            Scope::Anything => self.over,
            Scope::Within(own) | Scope::AnythingWhile(own) => self.open_split(own).is_none(),
        };
        self.processors[me].activity = Activity::Busy;
        if is_over {
            return Next::Leave;
        }
        let fits = |split: &Split<R, S>| match scope {
            Scope::Anything | Scope::AnythingWhile(_) => true,
            Scope::Within(own) => split.is_within(own),
        };
        let useful = |open_split: &&mut OpenSplit<R, S>| {
            let OpenSplit { split, workers, .. } = &**open_split;
            *workers < rules.max_threads
                && !split.drained.get()
                && !split.stopped.get()
                && fits(split)
        };
        // The most to do first; of equals where the fewest are, and of those the oldest.
        let best = self.open.iter_mut().filter(useful).min_by_key(|open_split| {
            (core::cmp::Reverse(open_split.split.depth), open_split.workers)
        });
        match best {
            Some(open_split) => {
                open_split.workers += 1;
                open_split.helped = true;
                let split = Arc::clone(&open_split.split);
                self.processors[me].path.push(Arc::clone(&split));
                Next::Join(split)
            }
            None => {
                self.processors[me].activity = match scope {
                    Scope::Anything => Activity::Idle,
                    Scope::Within(own) | Scope::AnythingWhile(own) => {
                        Activity::Waiting(Arc::clone(own))
                    }
                };
                Next::Park
            }
        }
    }

    /// Puts up an offer and returns the processors to wake. Without an idle processor there is no offer,
    /// unless the split is deep enough to wait for one ([`SplitRules::standing_depth`]).
    pub(super) fn open(
        &mut self,
        split: &Arc<Split<R, S>>,
        rules: &SplitRules,
    ) -> Option<Vec<usize>> {
        let is_stopped = split.parent.as_ref().is_some_and(|parent| parent.stopped.get());
        if self.over || is_stopped {
            return None;
        }
        let called = self.call(split, rules);
        if called.is_empty() && split.depth < rules.standing_depth {
            return None;
        }
        self.open.push(OpenSplit { split: Arc::clone(split), workers: 1, helped: false });
        self.processors[split.owner].path.push(Arc::clone(split));
        Some(called)
    }

    /// Marks the idle processors that may join a split as called, and returns them.
    pub(super) fn call(&mut self, split: &Split<R, S>, rules: &SplitRules) -> Vec<usize> {
        let called: Vec<usize> = (0..self.processors.len())
            .filter(|&who| self.would_come(who, split, rules))
            .take(rules.max_threads.saturating_sub(1))
            .collect();
        for &who in &called {
            self.processors[who].activity = Activity::Called;
        }
        called
    }

    fn would_come(&self, who: usize, split: &Split<R, S>, rules: &SplitRules) -> bool {
        match &self.processors[who].activity {
            Activity::Idle => true,
            Activity::Waiting(own) => rules.captured_owner || split.is_within(own),
            Activity::Busy | Activity::Called => false,
        }
    }

    /// A processor is done with a split. Was it the last? Then the split is over.
    pub(super) fn leave(&mut self, me: usize, split: &Arc<Split<R, S>>) -> bool {
        self.processors[me].path.pop();
        let Some(index) = self.open_split(split) else { return false };
        self.open[index].workers -= 1;
        let was_last = self.open[index].workers == 0;
        if was_last {
            self.open.remove(index);
        }
        // A model checker would try every order of these looks, too, and never come to an end.
        debug_assert!(cfg!(loom) || self.stops_reach_everyone());
        was_last
    }

    /// Is whatever lies below a split that was stopped stopped as well?
    fn stops_reach_everyone(&self) -> bool {
        self.open.iter().all(|OpenSplit { split, .. }| {
            let above = split.parent.as_ref().is_some_and(|parent| parent.stopped.get());
            !above || split.stopped.get()
        })
    }

    /// Has anyone come to a split that is not over?
    pub(super) fn was_helped(&self, split: &Arc<Split<R, S>>) -> bool {
        self.open_split(split).is_some_and(|index| self.open[index].helped)
    }

    /// All processors at a split, or below it, must leave. Had a helper joined it?
    pub(super) fn stop(&self, split: &Arc<Split<R, S>>) -> bool {
        for open_split in &self.open {
            if open_split.split.is_within(split) {
                open_split.split.stopped.set(true);
            }
        }
        self.was_helped(split)
    }

    /// Sets each processor's flag: would its offer be taken up?
    pub(super) fn announce(&self, wanted: &[R::Flag], rules: &SplitRules) {
        let everyone = self.processors.iter().any(|processor| match processor.activity {
            Activity::Idle => true,
            Activity::Waiting(_) => rules.captured_owner,
            Activity::Busy | Activity::Called => false,
        });
        for (processor, flag) in self.processors.iter().zip(wanted) {
            let is_wanted = everyone || self.is_awaited(processor);
            if flag.get() != is_wanted {
                flag.set(is_wanted);
            }
        }
    }

    /// Does anyone wait for what a processor is doing?
    fn is_awaited(&self, processor: &ProcessorState<R, S>) -> bool {
        let mut at = processor.path.last();
        while let Some(split) = at {
            if let Activity::Waiting(own) = &self.processors[split.owner].activity
                && Arc::ptr_eq(own, split)
            {
                return true;
            }
            at = split.parent.as_ref();
        }
        false
    }

    fn open_split(&self, split: &Arc<Split<R, S>>) -> Option<usize> {
        self.open.iter().position(|open_split| Arc::ptr_eq(&open_split.split, split))
    }
}
