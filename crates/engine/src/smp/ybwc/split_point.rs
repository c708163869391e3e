//! Nodes whose younger brothers are searched by several threads: the search's side of [`crate::smp::ybwc`].

use crate::history::OrderingContext;
use crate::movepick::MovePicker;
use crate::search::RootMove;
use crate::search::{Candidate, MoveLoop, MoveOutcome, Node};
use crate::search::{NodeKind, NonPv, Pv, Root};
use crate::search::{PvLine, SearchPath, SharedContext, StackEntry, ThreadData};
use crate::smp::ybwc::{
    Cost, Flag, Runtime, Searcher, SharedFlag, Split, SplitEffect, SplitHandle, SplitItem,
    SplitOffer, SplitPool, SplitRules,
};
use crate::value::{INFINITE, MATE_BOUND, Value};
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use tabiya_chess::{Move, Position};

/// A worker's place in a crew.
pub(crate) struct SplitMember {
    crew: Arc<dyn SplitTeam>,
    shared: Arc<SharedContext>,
    me: usize,
    /// Would anyone take up an offer?
    wanted: SharedFlag,
    rules: SplitRules,
}

/// A crew as a worker sees it, whatever it runs on.
trait SplitTeam: Send + Sync {
    fn split(
        self: Arc<Self>,
        me: usize,
        worker: &mut ThreadData,
        offer: SplitOffer<SharedNode, Box<SharedMoves>, Candidate>,
    ) -> Result<Box<SharedMoves>, Box<SharedMoves>>;

    fn charge(&self, me: usize, nodes: u64);

    fn now(&self, me: usize) -> u64;
}

impl<R: Runtime<Flag = SharedFlag>> SplitTeam for SplitPool<R, ThreadData> {
    fn split(
        self: Arc<Self>,
        me: usize,
        worker: &mut ThreadData,
        offer: SplitOffer<SharedNode, Box<SharedMoves>, Candidate>,
    ) -> Result<Box<SharedMoves>, Box<SharedMoves>> {
        SplitPool::split(&self, me, worker, offer)
    }

    fn charge(&self, me: usize, nodes: u64) {
        self.runtime().charge(me, Cost::Nodes(nodes));
    }

    fn now(&self, me: usize) -> u64 {
        self.runtime().now(me)
    }
}

impl SplitMember {
    /// Of one of a crew's processors, in a search.
    pub(crate) fn new<R: Runtime<Flag = SharedFlag>>(
        crew: &Arc<SplitPool<R, ThreadData>>,
        shared: &Arc<SharedContext>,
        me: usize,
    ) -> SplitMember {
        SplitMember {
            shared: Arc::clone(shared),
            me,
            wanted: crew.wanted(me).clone(),
            rules: *crew.rules(),
            crew: Arc::clone(crew) as Arc<dyn SplitTeam>,
        }
    }

    /// Nodes were searched.
    pub(crate) fn charge(&self, nodes: u64) {
        self.crew.charge(self.me, nodes);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Root,
    Pv,
    NonPv,
}

/// What a helper must know of a node.
pub(crate) struct SharedNode {
    kind: Kind,
    position: Position,
    facts: Node,
    frames: Vec<StackEntry>,
    path: SharedPath,
    helped: Arc<HelperStats>,
}

/// What the owner of a node is told by those who came.
#[derive(Default)]
struct HelperStats {
    nodes: AtomicU64,
    selective_depth: AtomicUsize,
}

/// How a node was reached.
pub(crate) struct SharedPath {
    pub(crate) keys: Vec<u64>,
    pub(crate) root_keys: usize,
    pub(crate) after_null: usize,
    pub(crate) no_null_before: usize,
    pub(crate) root_depth: i32,
    pub(crate) first_root_move: usize,
}

/// What those at a node change in turn.
pub(crate) struct SharedMoves {
    picker: MovePicker,
    /// Are quiet moves still worth a look?
    quiets: bool,
    sofar: MoveLoop,
    /// How many moves have been given a value since the split.
    given: usize,
    /// While the exact value of a move is searched for, no other is taken up.
    pauses: bool,
    /// The moves whose exact values are searched for: few at a time, since others would be measured by an
    /// alpha that is about to rise.
    promising: Vec<Move>,
    /// Moves that seemed better than alpha meanwhile, by what they seemed worth: to be tried again.
    rivals: Vec<(Value, Candidate)>,
    line: PvLine,
    /// At the root: what is tt_entry of its moves.
    root_moves: Vec<RootMove>,
}

impl SharedMoves {
    /// May there be moves left to be tried?
    fn has_more(&self) -> bool {
        self.picker.has_more(self.quiets) || !self.rivals.is_empty()
    }

    /// Do the others wait for a move that is measured?
    fn is_paused(&self) -> bool {
        self.pauses && !self.promising.is_empty()
    }

    /// Is there something to do that nobody may take up while so many moves are measured?
    fn is_held_up(&self, most_measured: usize) -> bool {
        self.is_paused() || !self.rivals.is_empty() && self.promising.len() >= most_measured
    }

    /// The move that is to be tried again first: the one that seemed best raises alpha for the others.
    fn take_rival(&mut self, most_measured: usize) -> Option<Candidate> {
        if self.promising.len() >= most_measured {
            return None;
        }
        let best = (0..self.rivals.len()).max_by_key(|&i| (self.rivals[i].0, Reverse(i)))?;
        let (_, rival) = self.rivals.remove(best);
        Some(self.sofar.turn_again(rival))
    }

    /// A move has reached a value. May its exact value be searched for, now that alpha is to be beaten?
    /// If not, it will be tried again: what it reached is the least that it is worth, and if alpha is
    /// more than that by now, nothing is tt_entry of the one beside the other.
    fn may_measure(&mut self, turn: Candidate, value: Value, alpha: Value, most: usize) -> bool {
        let may = value > alpha && self.promising.len() < most;
        if may {
            self.promising.push(turn.mv);
        } else {
            self.rivals.push((value, turn));
        }
        may
    }
}

/// What came of a move.
pub(crate) struct MoveResult {
    pub(crate) turn: Candidate,
    pub(crate) value: Value,
    pub(crate) tactical: bool,
    /// In nodes, whoever helped.
    pub(crate) spent: u64,
    /// Of these, the thread's own.
    pub(crate) own: u64,
}

/// A place at a split as the search of its moves sees it.
pub(crate) trait MoveSource {
    /// The next move, if there is anything left to do.
    fn take(
        &mut self,
        worker: &mut ThreadData,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate>;

    /// It has reached a value against what there was to beat then. If its exact value may be searched for
    /// now, here is what it has to beat; if not, somebody takes it again later.
    fn measure(&mut self, worker: &mut ThreadData, reached: MoveResult) -> Option<Value>;

    /// What came of it.
    fn give(&mut self, worker: &mut ThreadData, given: MoveResult);

    /// It was given up after so many nodes.
    fn abandon(&mut self, spent: u64);
}

impl<R: Runtime<Flag = SharedFlag>> MoveSource for SplitHandle<'_, R, ThreadData> {
    fn take(
        &mut self,
        worker: &mut ThreadData,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate> {
        let SharedNode { kind, position, facts, .. } = &self.split().node;
        let rules = *self.crew().rules();
        let turn = SplitHandle::take(self, |work| {
            work.quiets &= quiets.is_some();
            let quiets = quiets.filter(|_| work.quiets);
            if work.is_paused() {
                return None;
            }
            if let Some(rival) = work.take_rival(rules.most_measured) {
                return Some(rival);
            }
            let SharedMoves { picker, sofar, root_moves, .. } = &mut **work;
            match kind {
                Kind::Root => {
                    std::mem::swap(&mut worker.root_moves, root_moves);
                    let excluded = facts.excluded;
                    let turn = worker.next_move::<Root>(position, excluded, quiets, picker, sofar);
                    std::mem::swap(&mut worker.root_moves, root_moves);
                    turn
                }
                _ => worker.next_move::<NonPv>(position, facts.excluded, quiets, picker, sofar),
            }
        });
        let SplitItem { item, alpha } = turn?;
        Some(Candidate { alpha, ..item })
    }

    fn measure(&mut self, worker: &mut ThreadData, reached: MoveResult) -> Option<Value> {
        let is_root = matches!(self.split().node.kind, Kind::Root);
        let most = self.crew().rules().most_measured;
        let MoveResult { turn, value, spent, own, .. } = reached;
        // What a cutoff has made superfluous need not be measured.
        SplitHandle::with(self, own, |work, alpha| {
            let measures = work.may_measure(turn, value, alpha, most);
            if !measures && is_root {
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
                worker.note_root_nodes(turn.mv, spent);
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
            }
            measures.then_some(alpha)
        })
        .flatten()
    }

    fn give(&mut self, worker: &mut ThreadData, given: MoveResult) {
        let SharedNode { kind, facts, .. } = &self.split().node;
        let MoveResult { turn, value, tactical, spent, own } = given;
        let Candidate { mv, number, .. } = turn;
        let most = self.crew().rules().most_measured;
        SplitHandle::give(self, value, own, |work| {
            work.given += 1;
            let was_held_up = work.is_held_up(most);
            work.promising.retain(|&promising| promising != mv);
            if matches!(kind, Kind::Root) {
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
                worker.note_root_nodes(mv, spent);
                worker.note_root_move(mv, value, work.sofar.alpha, facts.beta, number);
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
            }
            let merit = work.sofar.add(mv, value, facts.beta, tactical);
            if merit != MoveOutcome::None && !matches!(kind, Kind::NonPv) {
                work.line.set(mv, &worker.lines[facts.ply + 1]);
            }
            // Of what is left, this thread takes up the first itself.
            let calls = work.rivals.len() > 1 || work.picker.has_more(work.quiets);
            match merit {
                MoveOutcome::Cutoff => SplitEffect::Cuts,
                _ if was_held_up && !work.is_held_up(most) && calls => SplitEffect::Resumes,
                _ => SplitEffect::Nothing,
            }
        });
    }

    fn abandon(&mut self, spent: u64) {
        SplitHandle::abandon(self, spent);
    }
}

impl<R: Runtime<Flag = SharedFlag>> Searcher<R> for ThreadData {
    type Node = SharedNode;
    type Work = Box<SharedMoves>;
    type Item = Candidate;

    fn alpha(work: &Self::Work) -> i32 {
        work.sofar.alpha
    }

    fn has_more(work: &Self::Work) -> bool {
        work.has_more()
    }

    fn help(&mut self, hand: &mut SplitHandle<'_, R, ThreadData>) {
        let split: &Split<R, ThreadData> = hand.split();
        let (stopped, is_owner) = (split.stopped().clone(), hand.is_owner());
        self.help_with(&split.node, stopped, is_owner, hand);
    }
}

impl ThreadData {
    /// Is it time to offer a node's moves? Not by someone who searches alone.
    #[inline(always)]
    pub(crate) fn may_split<N: NodeKind>(&self, facts: &Node, sofar: &MoveLoop) -> bool {
        sofar.depth >= self.least_split_depth && self.is_wanted::<N>(facts, sofar)
    }

    fn is_wanted<N: NodeKind>(&self, facts: &Node, sofar: &MoveLoop) -> bool {
        let Some(SplitMember { wanted, rules, .. }) = &self.place else { return false };
        let MoveLoop { depth, number, best, .. } = *sofar;
        let Node { cut_node, tt_move, excluded, .. } = *facts;
        let is_time = if best > -INFINITE {
            number >= if cut_node { rules.patience } else { 1 }
        } else {
            // A move from the table is an eldest, whatever is expected.
            let equals = !N::PV && !cut_node && tt_move.is_none() && excluded.is_none();
            rules.all_at_once && equals && number == 0
        };
        is_time && (depth >= rules.standing_depth || wanted.get()) && !(N::ROOT && rules.whole_root)
    }

    /// Takes its place in a crew, or goes back to searching alone.
    pub(crate) fn take_place(&mut self, place: Option<SplitMember>) {
        self.least_split_depth = place.as_ref().map_or(i32::MAX, |place| place.rules.least_depth);
        self.place = place;
    }

    /// Offers the moves of a node that are left. Were they taken, by whoever came or by this thread?
    /// Then none are left.
    #[cold]
    pub(crate) fn split<N: NodeKind>(
        &mut self,
        position: &Position,
        facts: &Node,
        quiets: bool,
        picker: MovePicker,
        sofar: MoveLoop,
        last: Option<Candidate>,
    ) -> (bool, MovePicker, MoveLoop) {
        let Some(SplitMember { crew, shared, me, rules, .. }) = &self.place else {
            return (false, picker, sofar);
        };
        let (crew, shared, me, rules) = (Arc::clone(crew), Arc::clone(shared), *me, *rules);
        let begun = crew.now(me);
        self.tell_nodes(&shared);
        let ply = facts.ply;
        let kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (false, true) => Kind::Pv,
            (false, false) => Kind::NonPv,
        };
        let node = SharedNode {
            kind,
            position: position.clone(),
            facts: *facts,
            frames: self.frames_to(ply),
            path: self.shared_path(),
            helped: Arc::default(),
        };
        let helped = Arc::clone(&node.helped);
        let line = if N::PV { self.lines[ply].clone() } else { PvLine::default() };
        let root_moves = if N::ROOT { std::mem::take(&mut self.root_moves) } else { Vec::new() };
        let depth = sofar.depth;
        let (had_eldest, taken) = (sofar.best > -INFINITE, sofar.number);
        let work = Box::new(SharedMoves {
            picker,
            quiets,
            sofar,
            given: 0,
            // Only where there is something to do below the move.
            pauses: rules.pauses && depth > rules.least_depth,
            promising: Vec::new(),
            rivals: Vec::new(),
            line,
            root_moves,
        });
        let result = crew.split(me, self, SplitOffer { node, work, last, depth, begun });
        let split = result.is_ok();
        self.nodes_of_helpers += helped.nodes.load(Ordering::Relaxed);
        let deepest = helped.selective_depth.load(Ordering::Relaxed);
        self.selective_depth = self.selective_depth.max(deepest);
        let (Ok(work) | Err(work)) = result;
        let mut work = *work;
        // Moves were passed over in the belief that the eldest is not mated. It is, but they need not be:
        // nothing is tt_entry but that none reached alpha.
        let SharedMoves { given, quiets, sofar, .. } = &mut work;
        let passed_over = *given < sofar.number - taken || !*quiets;
        if !had_eldest && passed_over && sofar.best <= -MATE_BOUND && sofar.best < sofar.alpha {
            sofar.best = sofar.alpha;
        }
        // A helper may have left its move unfinished after this thread had run out of moves: what was
        // found is half a result then, and nobody may believe it.
        self.aborted = shared.is_over() || self.brothers_stopped.get();
        if N::ROOT {
            self.root_moves = work.root_moves;
        }
        if N::PV {
            self.lines[ply] = work.line;
        }
        (split, work.picker, work.sofar)
    }

    fn help_with(
        &mut self,
        node: &SharedNode,
        stopped: SharedFlag,
        is_owner: bool,
        brothers: &mut dyn MoveSource,
    ) {
        let Some(place) = &self.place else { return };
        let shared = Arc::clone(&place.shared);
        let before = std::mem::replace(&mut self.brothers_stopped, stopped);
        self.aborted = false;
        if is_owner {
            self.search_brothers(&shared, node, brothers);
        } else {
            let ledger = (self.nodes, self.nodes_elsewhere, self.nodes_of_helpers);
            let before = self.nodes_here();
            let mut aside = self.aside.pop().unwrap_or_else(|| SearchPath::beside(self));
            self.swap_path(&mut aside);
            self.follow(&node.path, &node.frames, &node.position);
            self.search_brothers(&shared, node, brothers);
            node.helped.selective_depth.fetch_max(self.selective_depth, Ordering::Relaxed);
            self.swap_path(&mut aside);
            self.aside.push(aside);
            node.helped.nodes.fetch_add(self.nodes_here() - before, Ordering::Relaxed);
            // None of it was for the move that this thread waits for itself.
            let (nodes, elsewhere, of_helpers) = ledger;
            self.nodes_elsewhere = elsewhere + (self.nodes - nodes);
            self.nodes_of_helpers = of_helpers;
        }
        self.tell_nodes(&shared);
        self.brothers_stopped = before;
        self.aborted = false;
    }

    fn search_brothers(
        &mut self,
        shared: &SharedContext,
        node: &SharedNode,
        brothers: &mut dyn MoveSource,
    ) {
        let SharedNode { kind, position, facts, .. } = node;
        let nothing = MoveLoop::new(0, 0);
        match kind {
            Kind::Root => {
                self.search_moves::<Root>(shared, position, facts, nothing, Some(brothers))
            }
            Kind::Pv => self.search_moves::<Pv>(shared, position, facts, nothing, Some(brothers)),
            Kind::NonPv => {
                self.search_moves::<NonPv>(shared, position, facts, nothing, Some(brothers))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movepick::PickStage;

    fn turn(from_to: &str) -> Candidate {
        let mv = Position::start().parse_uci(from_to).unwrap();
        Candidate {
            mv,
            stage: PickStage::Quiets,
            number: 2,
            alpha: 0,
            best: 0,
            depth: 9,
            is_rival: false,
        }
    }

    fn work(alpha: Value) -> SharedMoves {
        SharedMoves {
            picker: MovePicker::all(None, None),
            quiets: true,
            sofar: MoveLoop::new(alpha, 9),
            given: 0,
            pauses: true,
            promising: Vec::new(),
            rivals: Vec::new(),
            line: PvLine::default(),
            root_moves: Vec::new(),
        }
    }

    #[test]
    fn what_was_better_than_an_alpha_of_before_is_tried_again() {
        let mut work = work(50);
        // It reached 20 when 0 was to be beaten: at least 20, which may well be more than 50.
        assert!(!work.may_measure(turn("e2e4"), 20, 50, 2));
        let again = work.take_rival(2).unwrap();
        assert_eq!((again.mv, again.alpha, again.is_rival), (turn("e2e4").mv, 50, true));
        assert!(work.may_measure(again, 60, 50, 2));
    }

    #[test]
    fn what_waits_for_a_place_is_held_up_where_nobody_pauses() {
        let mut work = SharedMoves { pauses: false, ..work(0) };
        assert!(work.may_measure(turn("e2e4"), 20, 0, 1));
        assert!(!work.is_held_up(1));
        assert!(!work.may_measure(turn("d2d4"), 30, 0, 1));
        assert!(work.is_held_up(1) && !work.is_held_up(2));
        work.promising.clear();
        assert!(!work.is_held_up(1) && work.has_more());
    }

    #[test]
    fn few_are_measured_at_once_and_the_best_of_the_others_next() {
        let mut work = work(0);
        assert!(work.may_measure(turn("e2e4"), 20, 0, 1));
        for (name, value) in [("d2d4", 30), ("c2c4", 40), ("g1f3", 40)] {
            assert!(!work.may_measure(turn(name), value, 0, 1));
        }
        assert!(work.take_rival(1).is_none());
        work.promising.clear();
        let order: Vec<_> = std::iter::from_fn(|| work.take_rival(1).map(|turn| turn.mv)).collect();
        assert_eq!(order, ["c2c4", "g1f3", "d2d4"].map(|name| turn(name).mv));
    }
}
