//! What a node is: its kind, its window, what it knows ([`Node`]), what has come of its moves so far
//! ([`MoveLoop`]), and where they come from ([`MoveSource`]).

use super::thread::ThreadData;
use crate::history::OrderingContext;
use crate::movepick::{MovePicker, PickStage};
use crate::params::Params;
use crate::score::Bound;
use crate::tt::TtEntry;
use crate::value::{INFINITE, Value, is_mate};
use arrayvec::ArrayVec;
use tabiya_chess::{Move, Position};

/// The kind of a node, known when the code is compiled.
pub(crate) trait NodeKind {
    /// A PV node: its window is open.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root.
pub(crate) struct Root;
/// A PV node below the root.
pub(crate) struct Pv;
/// A node with a null window: the question is only whether the value reaches beta.
pub(crate) struct NonPv;

impl NodeKind for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeKind for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeKind for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// Alpha and beta: the value is of interest only between them.
#[derive(Clone, Copy)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
}

impl Window {
    #[inline(always)]
    pub(crate) fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The null window that tells whether a value is above alpha.
    #[inline(always)]
    pub(crate) fn null_above(alpha: Value) -> Window {
        Window { alpha, beta: alpha + 1 }
    }

    /// The null window that tells whether a value reaches beta.
    #[inline(always)]
    pub(crate) fn null_below(beta: Value) -> Window {
        Window { alpha: beta - 1, beta }
    }

    /// The same window for the other side.
    #[inline(always)]
    pub(crate) fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// What a node knows before its moves are searched. Helpers at a split point get a copy.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) beta: Value,
    pub(crate) ply: usize,
    /// A cut node: a beta cutoff is expected here. Off the PV, a node that is not one is an all node.
    pub(crate) cut_node: bool,
    /// The TT move, where a singular search leaves it out.
    pub(crate) excluded: Option<Move>,
    pub(crate) tt_entry: Option<TtEntry>,
    pub(crate) tt_move: Option<Move>,
    /// The TT move is a capture or a promotion.
    pub(crate) tt_tactical: bool,
    /// A PV node, or one that was on a principal variation before.
    pub(crate) tt_pv: bool,
    /// The static evaluation as the network has it; none in check.
    pub(crate) raw_eval: Option<Value>,
    /// With correction history and the fifty-move rule.
    pub(crate) static_eval: Option<Value>,
    /// The TT's value where that tells more than the static evaluation.
    pub(crate) eval: Option<Value>,
    /// By how much correction history changed the evaluation.
    pub(crate) correction_size: Value,
    /// Improving: the static evaluation is better than two or four plies before.
    pub(crate) improving: bool,
}

/// At most this many quiet moves, and captures, are remembered for a history malus.
const TRIED: usize = 32;

/// What has come of a node's moves so far.
pub(crate) struct MoveLoop {
    pub(crate) alpha: Value,
    pub(crate) depth: i32,
    pub(crate) best: Value,
    pub(crate) best_move: Option<Move>,
    pub(crate) bound: Bound,
    /// The number of moves taken from the move picker.
    pub(crate) move_count: usize,
    pub(super) quiets: ArrayVec<Move, TRIED>,
    pub(super) captures: ArrayVec<Move, TRIED>,
}

/// A move to be searched, and how its node stands by then.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) stage: PickStage,
    pub(crate) move_count: usize,
    pub(crate) alpha: Value,
    pub(crate) best: Value,
    pub(crate) depth: i32,
    /// It was searched at a split point before, beat the alpha of then, and was queued again.
    pub(crate) is_requeued: bool,
}

/// What the search of a move came to.
pub(crate) struct MoveResult {
    pub(crate) candidate: Candidate,
    pub(crate) value: Value,
    pub(crate) tactical: bool,
    /// Nodes below the move, those of helpers included.
    pub(crate) nodes: u64,
    /// Of these, the thread's own.
    pub(crate) own_nodes: u64,
}

/// What a move was to its node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MoveOutcome {
    FailedLow,
    RaisedAlpha,
    Cutoff,
}

impl MoveLoop {
    #[inline(always)]
    pub(crate) fn new(alpha: Value, depth: i32) -> MoveLoop {
        MoveLoop {
            alpha,
            depth,
            best: -INFINITE,
            best_move: None,
            bound: Bound::Upper,
            move_count: 0,
            quiets: ArrayVec::new_const(),
            captures: ArrayVec::new_const(),
        }
    }

    /// A requeued move, to be searched again as the node stands now.
    pub(crate) fn again(&self, candidate: Candidate) -> Candidate {
        let &MoveLoop { alpha, best, depth, .. } = self;
        Candidate { alpha, best, depth, is_requeued: true, ..candidate }
    }

    /// Alpha, best move, beta cutoff: takes in the value of a move.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        params: &Params,
        mv: Move,
        value: Value,
        beta: Value,
        tactical: bool,
    ) -> MoveOutcome {
        let mut outcome = MoveOutcome::FailedLow;
        if value > self.best {
            self.best = value;
            if value > self.alpha {
                self.best_move = Some(mv);
                if value >= beta {
                    self.bound = Bound::Lower;
                    return MoveOutcome::Cutoff;
                }
                outcome = MoveOutcome::RaisedAlpha;
                self.bound = Bound::Exact;
                self.alpha = value;
                // Alpha raise reduction: once a good move is known, the others get less depth.
                if self.depth > params.alpha_raise_min_depth
                    && self.depth < params.alpha_raise_max_depth
                    && !is_mate(value)
                {
                    self.depth -= params.alpha_raise_reduction;
                }
            }
        }
        if outcome == MoveOutcome::FailedLow {
            let tried = if tactical { &mut self.captures } else { &mut self.quiets };
            let _ = tried.try_push(mv);
        }
        outcome
    }
}

/// Where a node's moves come from, and where their values go.
pub(crate) trait MoveSource {
    /// Do other threads search moves of the same node? Then the first move may still be under way.
    const SHARED: bool;

    /// The next move; none when this thread has nothing left to do here.
    fn next<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        position: &Position,
        node: &Node,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate>;

    /// The move beat alpha in a null window. Returns the alpha for its full window, or none if another
    /// move goes first and this one is queued again.
    fn before_full_window(&mut self, thread: &mut ThreadData, result: MoveResult) -> Option<Value>;

    /// Takes in the value of a move. True after a beta cutoff: no further move is wanted.
    fn add<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        node: &Node,
        result: MoveResult,
    ) -> bool;

    /// The search of a move was aborted after this many nodes.
    fn abandon(&mut self, own_nodes: u64);
}

/// The moves of a node that one thread searches, until it splits the node.
pub(super) struct Alone<'a> {
    pub(super) picker: &'a mut MovePicker,
    pub(super) moves: &'a mut MoveLoop,
    /// The move before, for a helper that repeats it.
    pub(super) last: Option<Candidate>,
}

impl MoveSource for Alone<'_> {
    const SHARED: bool = false;

    #[inline(always)]
    fn next<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        position: &Position,
        node: &Node,
        quiets: Option<&OrderingContext>,
    ) -> Option<Candidate> {
        if thread.may_split::<N>(node, self.moves)
            && self.picker.has_more(quiets.is_some())
            && self.split::<N>(thread, position, node, quiets.is_some())
        {
            return None;
        }
        let Alone { picker, moves, last } = self;
        *last = thread.next_move::<N>(position, node.excluded, quiets, picker, moves);
        *last
    }

    #[inline(always)]
    fn before_full_window(&mut self, _: &mut ThreadData, result: MoveResult) -> Option<Value> {
        Some(result.candidate.alpha)
    }

    #[inline(always)]
    fn add<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        node: &Node,
        result: MoveResult,
    ) -> bool {
        let MoveResult { candidate, value, tactical, nodes, .. } = result;
        let Candidate { mv, move_count, .. } = candidate;
        if N::ROOT {
            thread.note_root_nodes(mv, nodes);
            thread.note_root_move(mv, value, Window::new(candidate.alpha, node.beta), move_count);
        }
        let outcome = self.moves.add(&thread.params, mv, value, node.beta, tactical);
        if N::PV && outcome != MoveOutcome::FailedLow {
            thread.update_pv(node.ply, mv);
        }
        outcome == MoveOutcome::Cutoff
    }

    #[inline(always)]
    fn abandon(&mut self, _: u64) {}
}

impl Alone<'_> {
    /// Offers the rest of the moves to other threads. True if they are searched then, or the search was
    /// aborted.
    #[cold]
    fn split<N: NodeKind>(
        &mut self,
        thread: &mut ThreadData,
        position: &Position,
        node: &Node,
        quiets: bool,
    ) -> bool {
        let picker = std::mem::replace(self.picker, MovePicker::all(None, None));
        let moves = std::mem::replace(self.moves, MoveLoop::new(0, 0));
        let split;
        (split, *self.picker, *self.moves) =
            thread.split::<N>(position, node, quiets, (picker, moves), self.last);
        split || thread.was_aborted()
    }
}

impl ThreadData {
    /// The next move of a node that is to be searched.
    #[inline(always)]
    pub(crate) fn next_move<N: NodeKind>(
        &self,
        position: &Position,
        excluded: Option<Move>,
        quiets: Option<&OrderingContext>,
        picker: &mut MovePicker,
        moves: &mut MoveLoop,
    ) -> Option<Candidate> {
        loop {
            let mv = picker.next(position, &self.histories, quiets)?;
            if Some(mv) == excluded {
                continue;
            }
            if N::ROOT && !self.root_moves[self.first_root_move..].iter().any(|root| root.mv == mv)
            {
                continue;
            }
            moves.move_count += 1;
            let &mut MoveLoop { alpha, best, depth, move_count, .. } = moves;
            let stage = picker.stage();
            return Some(Candidate {
                mv,
                stage,
                move_count,
                alpha,
                best,
                depth,
                is_requeued: false,
            });
        }
    }
}
