//! Split points: nodes of the search whose moves several threads take. The search's side of YBWC
//! ([`crate::smp::ybwc`] is the protocol).

use super::{
    Cost, Flag, Runtime, Searcher, SharedFlag, Split, SplitEffect, SplitHandle, SplitItem,
    SplitOffer, SplitPool, SplitRules,
};
use crate::history::OrderingContext;
use crate::movepick::MovePicker;
use crate::search::{
    Candidate, MoveLoop, MoveOutcome, MoveResult, MoveSource, Node, NodeKind, NonPv, Pv, PvLine,
    Root, RootMove, SearchPath, SharedContext, StackEntry, ThreadData, Window,
};
use crate::value::{INFINITE, MATE_BOUND, Value};
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use tabiya_chess::{Move, Position};

/// A thread's membership in a split pool.
pub(crate) struct SplitMember {
    pool: Arc<dyn AnyPool>,
    shared: Arc<SharedContext>,
    me: usize,
    /// Would an idle thread take up an offer?
    wanted: SharedFlag,
    rules: SplitRules,
}

/// A split pool as a thread sees it, whatever it runs on.
trait AnyPool: Send + Sync {
    fn split(
        self: Arc<Self>,
        me: usize,
        thread: &mut ThreadData,
        offer: SplitOffer<SplitNode, Box<SplitMoves>, Candidate>,
    ) -> Result<Box<SplitMoves>, Box<SplitMoves>>;

    fn charge(&self, me: usize, nodes: u64);

    fn now(&self, me: usize) -> u64;
}

impl<R: Runtime<Flag = SharedFlag>> AnyPool for SplitPool<R, ThreadData> {
    fn split(
        self: Arc<Self>,
        me: usize,
        thread: &mut ThreadData,
        offer: SplitOffer<SplitNode, Box<SplitMoves>, Candidate>,
    ) -> Result<Box<SplitMoves>, Box<SplitMoves>> {
        SplitPool::split(&self, me, thread, offer)
    }

    fn charge(&self, me: usize, nodes: u64) {
        self.runtime().charge(me, Cost::Nodes(nodes));
    }

    fn now(&self, me: usize) -> u64 {
        self.runtime().now(me)
    }
}

impl SplitMember {
    /// One of a pool's processors, in a search.
    pub(crate) fn new<R: Runtime<Flag = SharedFlag>>(
        pool: &Arc<SplitPool<R, ThreadData>>,
        shared: &Arc<SharedContext>,
        me: usize,
    ) -> SplitMember {
        SplitMember {
            shared: Arc::clone(shared),
            me,
            wanted: pool.wanted(me).clone(),
            rules: *pool.rules(),
            pool: Arc::clone(pool) as Arc<dyn AnyPool>,
        }
    }

    /// Nodes were searched.
    pub(crate) fn charge(&self, nodes: u64) {
        self.pool.charge(self.me, nodes);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Root,
    Pv,
    NonPv,
}

/// What a helper must know of a split node.
pub(crate) struct SplitNode {
    kind: Kind,
    position: Position,
    node: Node,
    stack: Vec<StackEntry>,
    path: SharedPath,
    helpers: Arc<HelperStats>,
}

/// What helpers report to the owner of a split point.
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
    pub(crate) nmp_min_ply: usize,
    pub(crate) root_depth: i32,
    pub(crate) first_root_move: usize,
}

/// The moves of a split point, and what has come of them. Threads change it in turn.
pub(crate) struct SplitMoves {
    picker: MovePicker,
    /// Are quiet moves still to be searched?
    quiets: bool,
    moves: MoveLoop,
    /// The number of moves that got a value since the split.
    finished: usize,
    /// While the exact value of a move is searched, no other is handed out.
    pauses: bool,
    /// Moves under search with the full window: few at a time, since the alpha of the others is about to
    /// rise.
    full_window: Vec<Move>,
    /// Moves that beat an alpha that is outdated by now, with their values: queued to be searched again.
    requeued: Vec<(Value, Candidate)>,
    pv: PvLine,
    /// At the root: what is known of its moves.
    root_moves: Vec<RootMove>,
}

impl SplitMoves {
    /// May there be moves left to search?
    fn has_more(&self) -> bool {
        self.picker.has_more(self.quiets) || !self.requeued.is_empty()
    }

    /// Do all wait for a move that is searched with the full window?
    fn is_paused(&self) -> bool {
        self.pauses && !self.full_window.is_empty()
    }

    /// Are there moves left of which none can be handed out, since `most_full_window` have the full window?
    fn is_held_up(&self, most_full_window: usize) -> bool {
        self.is_paused() || !self.requeued.is_empty() && self.full_window.len() >= most_full_window
    }

    /// The requeued move that is searched first: the one with the best value raises alpha for the others.
    fn take_requeued(&mut self, most_full_window: usize) -> Option<Candidate> {
        if self.full_window.len() >= most_full_window {
            return None;
        }
        let best = (0..self.requeued.len()).max_by_key(|&i| (self.requeued[i].0, Reverse(i)))?;
        let (_, candidate) = self.requeued.remove(best);
        Some(self.moves.again(candidate))
    }

    /// A move has a lower bound. May it have the full window, with the alpha of now? If not it is queued
    /// again: if alpha is more than the bound by now, the bound says nothing.
    fn may_have_full_window(
        &mut self,
        candidate: Candidate,
        value: Value,
        alpha: Value,
        most: usize,
    ) -> bool {
        let may = value > alpha && self.full_window.len() < most;
        if may {
            self.full_window.push(candidate.mv);
        } else {
            self.requeued.push((value, candidate));
        }
        may
    }
}

/// A split point as a thread that searches its moves sees it, whatever it runs on.
trait SplitPoint {
    /// The next move; none if there is nothing left to do here.
    fn take(
        &mut self,
        thread: &mut ThreadData,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate>;

    /// See [`MoveSource::before_full_window`].
    fn before_full_window(&mut self, thread: &mut ThreadData, result: MoveResult) -> Option<Value>;

    /// Takes in the value of a move.
    fn add(&mut self, thread: &mut ThreadData, result: MoveResult);

    /// The search of a move was aborted after this many nodes.
    fn abandon(&mut self, own_nodes: u64);
}

/// The moves of a split point, for a thread that joined it.
struct Joined<'a>(&'a mut dyn SplitPoint);

impl MoveSource for Joined<'_> {
    const SHARED: bool = true;

    fn next<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        _: &Position,
        _: &Node,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate> {
        self.0.take(thread, quiets)
    }

    fn before_full_window(&mut self, thread: &mut ThreadData, result: MoveResult) -> Option<Value> {
        self.0.before_full_window(thread, result)
    }

    fn add<N: NodeKind>(&mut self, thread: &mut ThreadData, _: &Node, result: MoveResult) -> bool {
        self.0.add(thread, result);
        false
    }

    fn abandon(&mut self, own_nodes: u64) {
        self.0.abandon(own_nodes);
    }
}

/// Does something to a thread whose root moves are those of the split point.
fn with_root_moves<A>(
    thread: &mut ThreadData,
    moves: &mut SplitMoves,
    work: impl FnOnce(&mut ThreadData, &mut SplitMoves) -> A,
) -> A {
    std::mem::swap(&mut thread.root_moves, &mut moves.root_moves);
    let result = work(thread, moves);
    std::mem::swap(&mut thread.root_moves, &mut moves.root_moves);
    result
}

impl<R: Runtime<Flag = SharedFlag>> SplitPoint for SplitHandle<'_, R, ThreadData> {
    fn take(
        &mut self,
        thread: &mut ThreadData,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate> {
        let SplitNode { kind, position, node, .. } = &self.split().node;
        let rules = *self.pool().rules();
        let item = SplitHandle::take(self, |split| {
            split.quiets &= quiets.is_some();
            let quiets = quiets.filter(|_| split.quiets);
            if split.is_paused() {
                return None;
            }
            if let Some(candidate) = split.take_requeued(rules.max_full_window) {
                return Some(candidate);
            }
            let excluded = node.excluded;
            match kind {
                Kind::Root => with_root_moves(thread, split, |thread, split| {
                    let SplitMoves { picker, moves, .. } = split;
                    thread.next_move::<Root>(position, excluded, quiets, picker, moves)
                }),
                _ => {
                    let SplitMoves { picker, moves, .. } = &mut **split;
                    thread.next_move::<NonPv>(position, excluded, quiets, picker, moves)
                }
            }
        });
        let SplitItem { item, alpha } = item?;
        Some(Candidate { alpha, ..item })
    }

    fn before_full_window(&mut self, thread: &mut ThreadData, result: MoveResult) -> Option<Value> {
        let is_root = matches!(self.split().node.kind, Kind::Root);
        let most = self.pool().rules().max_full_window;
        let MoveResult { candidate, value, nodes, own_nodes, .. } = result;
        // After a cutoff nothing is searched any more.
        SplitHandle::with(self, own_nodes, |split, alpha| {
            let may = split.may_have_full_window(candidate, value, alpha, most);
            if !may && is_root {
                with_root_moves(thread, split, |thread, _| {
                    thread.note_root_nodes(candidate.mv, nodes);
                });
            }
            may.then_some(alpha)
        })
        .flatten()
    }

    fn add(&mut self, thread: &mut ThreadData, result: MoveResult) {
        let SplitNode { kind, node, .. } = &self.split().node;
        let MoveResult { candidate, value, tactical, nodes, own_nodes } = result;
        let Candidate { mv, move_count, .. } = candidate;
        let most = self.pool().rules().max_full_window;
        SplitHandle::give(self, value, own_nodes, |split| {
            split.finished += 1;
            let was_held_up = split.is_held_up(most);
            split.full_window.retain(|&other| other != mv);
            if matches!(kind, Kind::Root) {
                with_root_moves(thread, split, |thread, split| {
                    let window = Window::new(split.moves.alpha, node.beta);
                    thread.note_root_nodes(mv, nodes);
                    thread.note_root_move(mv, value, window, move_count);
                });
            }
            let outcome = split.moves.add(&thread.params, mv, value, node.beta, tactical);
            if outcome != MoveOutcome::FailedLow && !matches!(kind, Kind::NonPv) {
                split.pv.set(mv, &thread.pv[node.ply + 1]);
            }
            // Of what is left, this thread takes the first move itself.
            let calls = split.requeued.len() > 1 || split.picker.has_more(split.quiets);
            match outcome {
                MoveOutcome::Cutoff => SplitEffect::Cuts,
                _ if was_held_up && !split.is_held_up(most) && calls => SplitEffect::Resumes,
                _ => SplitEffect::Nothing,
            }
        });
    }

    fn abandon(&mut self, own_nodes: u64) {
        SplitHandle::abandon(self, own_nodes);
    }
}

impl<R: Runtime<Flag = SharedFlag>> Searcher<R> for ThreadData {
    type Node = SplitNode;
    type Work = Box<SplitMoves>;
    type Item = Candidate;

    fn alpha(work: &Self::Work) -> i32 {
        work.moves.alpha
    }

    fn has_more(work: &Self::Work) -> bool {
        work.has_more()
    }

    fn help(&mut self, handle: &mut SplitHandle<'_, R, ThreadData>) {
        let split: &Split<R, ThreadData> = handle.split();
        let (stopped, is_owner) = (split.stopped().clone(), handle.is_owner());
        self.help_at(&split.node, stopped, is_owner, handle);
    }
}

impl ThreadData {
    /// Is it time to offer a node's moves to other threads? Never for a thread that searches alone.
    #[inline(always)]
    pub(crate) fn may_split<N: NodeKind>(&self, node: &Node, moves: &MoveLoop) -> bool {
        moves.depth >= self.least_split_depth && self.is_wanted::<N>(node, moves)
    }

    fn is_wanted<N: NodeKind>(&self, node: &Node, moves: &MoveLoop) -> bool {
        let Some(SplitMember { wanted, rules, .. }) = &self.split_member else { return false };
        let MoveLoop { depth, move_count, best, .. } = *moves;
        let Node { cut_node, tt_move, excluded, .. } = *node;
        let is_time = if best > -INFINITE {
            move_count >= if cut_node { rules.cut_node_moves } else { 1 }
        } else {
            // Young brothers wait for the first move, and a TT move is one whatever is expected.
            let all_node = !N::PV && !cut_node && tt_move.is_none() && excluded.is_none();
            rules.all_node_moves_at_once && all_node && move_count == 0
        };
        is_time && (depth >= rules.standing_depth || wanted.get()) && !(N::ROOT && rules.whole_root)
    }

    /// Joins a split pool, or goes back to searching alone.
    pub(crate) fn join_pool(&mut self, member: Option<SplitMember>) {
        self.least_split_depth = member.as_ref().map_or(i32::MAX, |member| member.rules.min_depth);
        self.split_member = member;
    }

    /// Offers the moves of a node that are left. True if they were searched, by this thread or helpers: then
    /// none are left.
    #[cold]
    pub(crate) fn split<N: NodeKind>(
        &mut self,
        position: &Position,
        node: &Node,
        quiets: bool,
        rest: (MovePicker, MoveLoop),
        last: Option<Candidate>,
    ) -> (bool, MovePicker, MoveLoop) {
        let (picker, moves) = rest;
        let Some(SplitMember { pool, shared, me, rules, .. }) = &self.split_member else {
            return (false, picker, moves);
        };
        let (pool, shared, me, rules) = (Arc::clone(pool), Arc::clone(shared), *me, *rules);
        let begun = pool.now(me);
        self.flush_nodes(&shared);
        let ply = node.ply;
        let kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (false, true) => Kind::Pv,
            (false, false) => Kind::NonPv,
        };
        let split_node = SplitNode {
            kind,
            position: position.clone(),
            node: *node,
            stack: self.stack_to(ply),
            path: self.shared_path(),
            helpers: Arc::default(),
        };
        let helpers = Arc::clone(&split_node.helpers);
        let pv = if N::PV { self.pv[ply].clone() } else { PvLine::default() };
        let root_moves = if N::ROOT { std::mem::take(&mut self.root_moves) } else { Vec::new() };
        let depth = moves.depth;
        let (had_first, taken) = (moves.best > -INFINITE, moves.move_count);
        let work = Box::new(SplitMoves {
            picker,
            quiets,
            moves,
            finished: 0,
            // Only where there is something to do below the move.
            pauses: rules.pause && depth > rules.min_depth,
            full_window: Vec::new(),
            requeued: Vec::new(),
            pv,
            root_moves,
        });
        let offer = SplitOffer { node: split_node, work, last, depth, begun };
        let result = pool.split(me, self, offer);
        let split = result.is_ok();
        self.nodes_of_helpers += helpers.nodes.load(Ordering::Relaxed);
        let deepest = helpers.selective_depth.load(Ordering::Relaxed);
        self.selective_depth = self.selective_depth.max(deepest);
        let (Ok(work) | Err(work)) = result;
        let SplitMoves { picker, quiets, mut moves, finished, pv, root_moves, .. } = *work;
        // Moves were pruned in the belief that the first move is not mated. It is, but they need not be:
        // nothing is known but that none reached alpha.
        let pruned = finished < moves.move_count - taken || !quiets;
        if !had_first && pruned && moves.best <= -MATE_BOUND && moves.best < moves.alpha {
            moves.best = moves.alpha;
        }
        // A helper may have left its move unfinished after this thread had run out of moves: then the
        // result is incomplete and must not be used.
        self.aborted = shared.is_over() || self.split_stopped.get();
        if N::ROOT {
            self.root_moves = root_moves;
        }
        if N::PV {
            self.pv[ply] = pv;
        }
        (split, picker, moves)
    }

    fn help_at(
        &mut self,
        split: &SplitNode,
        stopped: SharedFlag,
        is_owner: bool,
        point: &mut dyn SplitPoint,
    ) {
        let Some(member) = &self.split_member else { return };
        let shared = Arc::clone(&member.shared);
        let before = std::mem::replace(&mut self.split_stopped, stopped);
        self.aborted = false;
        if is_owner {
            self.search_joined(&shared, split, point);
        } else {
            let counted = (self.nodes, self.nodes_elsewhere, self.nodes_of_helpers);
            let nodes_before = self.nodes_here();
            let mut spare = self.spare_paths.pop().unwrap_or_else(|| SearchPath::beside(self));
            self.swap_path(&mut spare);
            self.follow(&split.path, &split.stack, &split.position);
            self.search_joined(&shared, split, point);
            split.helpers.selective_depth.fetch_max(self.selective_depth, Ordering::Relaxed);
            self.swap_path(&mut spare);
            self.spare_paths.push(spare);
            let nodes = self.nodes_here() - nodes_before;
            split.helpers.nodes.fetch_add(nodes, Ordering::Relaxed);
            // None of it was for the move that this thread waits for itself.
            let (nodes, elsewhere, of_helpers) = counted;
            self.nodes_elsewhere = elsewhere + (self.nodes - nodes);
            self.nodes_of_helpers = of_helpers;
        }
        self.flush_nodes(&shared);
        self.split_stopped = before;
        self.aborted = false;
    }

    fn search_joined(
        &mut self,
        shared: &SharedContext,
        split: &SplitNode,
        point: &mut dyn SplitPoint,
    ) {
        let SplitNode { kind, position, node, .. } = split;
        let context = OrderingContext::new(position, self.previous_moves(node.ply));
        let joined = &mut Joined(point);
        // What was found is with the split point.
        let _ = match kind {
            Kind::Root => self.search_moves::<Root, _>(shared, position, node, &context, joined),
            Kind::Pv => self.search_moves::<Pv, _>(shared, position, node, &context, joined),
            Kind::NonPv => self.search_moves::<NonPv, _>(shared, position, node, &context, joined),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movepick::PickStage;

    fn candidate(from_to: &str) -> Candidate {
        let mv = Position::start().parse_uci(from_to).unwrap();
        Candidate {
            mv,
            stage: PickStage::Quiets,
            move_count: 2,
            alpha: 0,
            best: 0,
            depth: 9,
            is_requeued: false,
        }
    }

    fn split(alpha: Value) -> SplitMoves {
        SplitMoves {
            picker: MovePicker::all(None, None),
            quiets: true,
            moves: MoveLoop::new(alpha, 9),
            finished: 0,
            pauses: true,
            full_window: Vec::new(),
            requeued: Vec::new(),
            pv: PvLine::default(),
            root_moves: Vec::new(),
        }
    }

    #[test]
    fn a_move_that_beat_an_outdated_alpha_is_queued_again() {
        let mut split = split(50);
        // It reached 20 when 0 was to be beaten: at least 20, which may well be more than 50.
        assert!(!split.may_have_full_window(candidate("e2e4"), 20, 50, 2));
        let again = split.take_requeued(2).unwrap();
        assert_eq!((again.mv, again.alpha, again.is_requeued), (candidate("e2e4").mv, 50, true));
        assert!(split.may_have_full_window(again, 60, 50, 2));
    }

    #[test]
    fn a_requeued_move_is_held_up_while_others_have_the_full_window() {
        let mut split = SplitMoves { pauses: false, ..split(0) };
        assert!(split.may_have_full_window(candidate("e2e4"), 20, 0, 1));
        assert!(!split.is_held_up(1));
        assert!(!split.may_have_full_window(candidate("d2d4"), 30, 0, 1));
        assert!(split.is_held_up(1) && !split.is_held_up(2));
        split.full_window.clear();
        assert!(!split.is_held_up(1) && split.has_more());
    }

    #[test]
    fn few_have_the_full_window_at_once_and_the_best_of_the_others_is_next() {
        let mut split = split(0);
        assert!(split.may_have_full_window(candidate("e2e4"), 20, 0, 1));
        for (name, value) in [("d2d4", 30), ("c2c4", 40), ("g1f3", 40)] {
            assert!(!split.may_have_full_window(candidate(name), value, 0, 1));
        }
        assert!(split.take_requeued(1).is_none());
        split.full_window.clear();
        let order: Vec<_> =
            std::iter::from_fn(|| split.take_requeued(1).map(|candidate| candidate.mv)).collect();
        assert_eq!(order, ["c2c4", "g1f3", "d2d4"].map(|name| candidate(name).mv));
    }
}
