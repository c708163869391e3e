//! A search thread's own data ([`ThreadData`]), the search stack, and what all threads of a search share.

use super::cuckoo;
use super::iterative_deepening::{Listener, RootMove};
use crate::analyst::Limits;
use crate::eval::Terms;
use crate::evaluation::{EvalSource, SearchEvaluator};
use crate::history::{CONTINUATION_PLIES, Histories, PieceTo, PreviousMoves, QuietIndex, piece_to};
use crate::padded::CachePadded;
use crate::params::Params;
use crate::smp::HelperBias;
use crate::smp::deterministic::Attendee;
use crate::smp::ybwc::{Flag, SharedFlag};
use crate::smp::ybwc::{SharedPath, SplitMember};
use crate::time::TimeManager;
use crate::tt::TranspositionTable;
use crate::value::{DRAW, MAX_PLY, Value};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;
use tabiya_chess::{Game, Move, Position};

/// What the threads of one search share.
pub(crate) struct SharedContext {
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) stop: AtomicBool,
    pub(crate) time: TimeManager,
    pub(crate) limits: Limits,
    /// Nodes of all threads, up to date to a batch.
    pub(crate) nodes: CachePadded<AtomicU64>,
    /// Nodes of searches beside this one, as far as they are known.
    pub(crate) elsewhere: AtomicU64,
    /// The number of nodes between two checks of the clock by a thread.
    pub(crate) batch: u64,
}

impl SharedContext {
    /// For a search without a clock, whose threads check their limits after `batch` nodes.
    pub(crate) fn untimed(
        table: Arc<TranspositionTable>,
        limits: Limits,
        batch: u64,
    ) -> SharedContext {
        let time =
            TimeManager::new(&limits, Duration::ZERO, None, &Params::DEFAULT, Instant::now());
        SharedContext::new(table, limits, time, batch)
    }

    pub(crate) fn new(
        table: Arc<TranspositionTable>,
        limits: Limits,
        time: TimeManager,
        batch: u64,
    ) -> SharedContext {
        SharedContext {
            tt: table,
            stop: AtomicBool::new(false),
            time,
            limits,
            nodes: CachePadded(AtomicU64::new(0)),
            elsewhere: AtomicU64::new(0),
            batch,
        }
    }

    /// Has the search ended, for all threads?
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// A number of nodes of this search, and those of the searches beside it.
    pub(crate) fn with_others(&self, nodes: u64) -> u64 {
        nodes + self.elsewhere.load(Ordering::Relaxed)
    }

    /// Ends the search, for all threads.
    pub(crate) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The number of nodes between two checks of the clock. Nodes that threads have not reported yet must be
    /// few beside a limit in nodes.
    pub(crate) fn batch(limits: &Limits, threads: usize) -> u64 {
        const USUAL: u64 = 512;
        const SHARE: u64 = 64;
        match limits.nodes {
            Some(nodes) if threads > 1 => (nodes / (SHARE * threads as u64)).clamp(1, USUAL),
            _ => USUAL,
        }
    }
}

/// The search stack: what a ply leaves for the nodes below it and beside it.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackEntry {
    /// The piece that moved from here, and to where; nothing after a null move.
    pub(crate) piece_to: PieceTo,
    /// Where the history of that move is, if it is quiet.
    pub(crate) quiet: Option<QuietIndex>,
    /// By how many plies the search of that move was reduced.
    pub(crate) reduction: i32,
    /// The static evaluation; none in check.
    pub(crate) static_eval: Option<Value>,
    /// The killer: the quiet move that last cut off at this ply.
    pub(crate) killer: Option<Move>,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// How often children of this ply cut off since their parent began.
    pub(crate) cutoff_count: i32,
    /// Double extensions on the way here.
    pub(crate) double_extensions: i32,
}

/// A principal variation (PV): the best line of play from a node on.
#[derive(Clone, Default)]
pub(crate) struct PvLine(arrayvec::ArrayVec<Move, { MAX_PLY + 1 }>);

impl PvLine {
    pub(crate) fn moves(&self) -> &[Move] {
        &self.0
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn set(&mut self, first: Move, rest: &PvLine) {
        self.0.clear();
        self.0.push(first);
        let room = self.0.remaining_capacity().min(rest.0.len());
        self.0.extend(rest.0[..room].iter().copied());
    }
}

/// How often a node was cut off, and how often by its first move.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct CutoffCount {
    /// Nodes that were cut off.
    pub all: u64,
    /// By their first move.
    pub by_first_move: u64,
}

/// TT probes of the main search, and how many of them were inconsistent.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ProbeCount {
    /// All.
    pub all: u64,
    /// Those that found a move which is illegal in the position: the entry belongs to another position.
    pub inconsistent: u64,
}

/// Where a test lets a thread panic.
#[cfg(test)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PanicPoint {
    BeforeSearch,
    InSearch,
}

/// Late move reductions (LMR) by depth and move count, in 1024ths of a ply.
pub(crate) struct LmrTable([[i16; 64]; 64]);

impl LmrTable {
    fn new(params: &Params, bias: HelperBias) -> LmrTable {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let logs = ln_1024(depth) * ln_1024(number) / 1024;
                *entry = (params.lmr_base + bias.reduction(params) + logs * params.lmr_slope / 1024)
                    as i16;
            }
        }
        LmrTable(table)
    }

    #[inline(always)]
    pub(crate) fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// 1024 times the natural logarithm, in whole numbers so that every machine agrees.
fn ln_1024(n: usize) -> i32 {
    const LN_2_1024: i64 = 710;
    // log2 by repeated squaring of a fixed-point mantissa.
    let whole = n.ilog2();
    let mut mantissa = ((n as u64) << 32 >> whole) as u128;
    let mut fraction = 0i64;
    for bit in (0..10).rev() {
        mantissa = (mantissa * mantissa) >> 32;
        if mantissa >= 2 << 32 {
            mantissa >>= 1;
            fraction |= 1 << bit;
        }
    }
    (((i64::from(whole) * 1024 + fraction) * LN_2_1024) / 1024) as i32
}

/// A search thread's own data.
pub(crate) struct ThreadData {
    pub(crate) params: Params,
    pub(crate) histories: Histories,
    pub(crate) evaluator: SearchEvaluator,
    pub(crate) lmr_table: LmrTable,
    /// What this thread does differently in lazy SMP.
    pub(crate) bias: HelperBias,
    /// Where a test lets this thread panic.
    #[cfg(test)]
    pub(crate) panic_point: Option<PanicPoint>,
    stack: Vec<StackEntry>,
    pub(crate) pv: Vec<PvLine>,
    /// Keys of the game's positions and of those on the way to the current node.
    keys: Vec<u64>,
    /// The number of them before the root.
    root_keys: usize,
    pub(crate) root_moves: Vec<RootMove>,
    /// MultiPV: root moves before this are lines already found.
    pub(crate) first_root_move: usize,
    pub(crate) nodes: u64,
    reported_nodes: u64,
    /// The number of nodes when this thread last checked the limits.
    looked_at_nodes: u64,
    /// Of its nodes, those that this thread searched for other split points while it waited.
    pub(crate) nodes_elsewhere: u64,
    /// Nodes of helpers at this thread's split points.
    pub(crate) nodes_of_helpers: u64,
    pub(crate) selective_depth: usize,
    pub(crate) root_depth: i32,
    /// Null move pruning (NMP) is off before this ply, while a null move is verified.
    pub(crate) nmp_min_ply: usize,
    /// The index among the keys after the last null move: no repetition reaches back across it.
    pub(crate) after_null: usize,
    /// Where reports of the search go.
    pub(crate) listener: Listener,
    pub(crate) aborted: bool,
    pub(crate) cutoffs: CutoffCount,
    pub(crate) probes: ProbeCount,
    /// The searcher's part in the deterministic mode, if the search has one.
    pub(crate) attendee: Option<Attendee>,
    /// The membership in a split pool, if the search has one.
    pub(crate) split_member: Option<SplitMember>,
    /// Nodes with less depth are never split.
    pub(crate) least_split_depth: i32,
    /// Set when the split point that this thread is at was cut off.
    pub(crate) split_stopped: SharedFlag,
    /// Spare paths, for when this thread helps elsewhere while it waits.
    pub(crate) spare_paths: Vec<SearchPath>,
}

/// What belongs to the path from the root to the current node.
pub(crate) struct SearchPath {
    stack: Vec<StackEntry>,
    pv: Vec<PvLine>,
    keys: Vec<u64>,
    root_keys: usize,
    root_moves: Vec<RootMove>,
    first_root_move: usize,
    root_depth: i32,
    selective_depth: usize,
    nmp_min_ply: usize,
    after_null: usize,
    evaluator: SearchEvaluator,
}

/// Stack entries before the root, so that continuation history never looks back too far.
const BEFORE_ROOT: usize = 6;

const _: () = {
    let mut i = 0;
    while i < CONTINUATION_PLIES.len() {
        assert!(CONTINUATION_PLIES[i] <= BEFORE_ROOT);
        i += 1;
    }
};

impl SearchPath {
    /// A spare path for a thread.
    pub(crate) fn beside(thread: &ThreadData) -> SearchPath {
        SearchPath {
            stack: thread.stack.clone(),
            pv: thread.pv.clone(),
            keys: Vec::new(),
            root_keys: 0,
            root_moves: Vec::new(),
            first_root_move: 0,
            root_depth: 0,
            selective_depth: 0,
            nmp_min_ply: 0,
            after_null: 0,
            evaluator: thread.evaluator.another(),
        }
    }
}

impl ThreadData {
    pub(crate) fn new(params: Params) -> ThreadData {
        ThreadData {
            lmr_table: LmrTable::new(&params, HelperBias::default()),
            bias: HelperBias::default(),
            #[cfg(test)]
            panic_point: None,
            histories: Histories::new(&params),
            params,
            evaluator: SearchEvaluator::new(EvalSource::Rules(Terms::ALL)),
            stack: vec![StackEntry::default(); BEFORE_ROOT + MAX_PLY + 3],
            pv: vec![PvLine::default(); MAX_PLY + 3],
            keys: Vec::new(),
            root_keys: 0,
            root_moves: Vec::new(),
            first_root_move: 0,
            nodes: 0,
            reported_nodes: 0,
            looked_at_nodes: 0,
            nodes_elsewhere: 0,
            nodes_of_helpers: 0,
            selective_depth: 0,
            root_depth: 0,
            nmp_min_ply: 0,
            after_null: 0,
            listener: None,
            aborted: false,
            cutoffs: CutoffCount::default(),
            probes: ProbeCount::default(),
            attendee: None,
            split_member: None,
            least_split_depth: i32::MAX,
            split_stopped: SharedFlag::default(),
            spare_paths: Vec::new(),
        }
    }

    /// Sets what the thread evaluates by.
    pub(crate) fn evaluate_by(&mut self, source: EvalSource) {
        self.evaluator = SearchEvaluator::new(source);
        self.spare_paths.clear();
    }

    /// How well moves were ordered since [`ThreadData::prepare`].
    pub(crate) fn cutoffs(&self) -> CutoffCount {
        self.cutoffs
    }

    /// TT probes since [`ThreadData::prepare`].
    pub(crate) fn probes(&self) -> ProbeCount {
        self.probes
    }

    /// Clears the histories.
    pub(crate) fn new_game(&mut self) {
        self.histories.clear();
    }

    /// Sets the search parameters.
    pub(crate) fn set_params(&mut self, params: Params) {
        self.lmr_table = LmrTable::new(&params, self.bias);
        self.histories.set_params(&params);
        self.params = params;
    }

    /// Prepares for a search of the current position of a game.
    pub(crate) fn prepare(&mut self, game: &Game, root_moves: &[Move]) {
        #[cfg(test)]
        self.fail(PanicPoint::BeforeSearch);
        // A search that failed may have left some of this behind.
        (self.split_member, self.least_split_depth) = (None, i32::MAX);
        (self.attendee, self.listener) = (None, None);
        self.split_stopped = SharedFlag::default();
        self.selective_depth = 0;
        self.stack.fill(StackEntry::default());
        self.evaluator.reset(game.position());
        self.keys.clear();
        self.keys.extend_from_slice(game.keys());
        self.root_keys = self.keys.len();
        self.root_moves = root_moves.iter().map(|&mv| RootMove::new(mv)).collect();
        self.first_root_move = 0;
        self.nodes = 0;
        self.reported_nodes = 0;
        self.looked_at_nodes = 0;
        self.nodes_elsewhere = 0;
        self.nodes_of_helpers = 0;
        self.nmp_min_ply = 0;
        self.after_null = 0;
        self.aborted = false;
        self.cutoffs = CutoffCount::default();
        self.probes = ProbeCount::default();
    }

    /// The stack up to a ply, with the entries that it leaves to its children.
    pub(crate) fn stack_to(&self, ply: usize) -> Vec<StackEntry> {
        self.stack[..=ply + BEFORE_ROOT + 2].to_vec()
    }

    /// How the current node was reached.
    pub(crate) fn shared_path(&self) -> SharedPath {
        SharedPath {
            keys: self.keys.clone(),
            root_keys: self.root_keys,
            after_null: self.after_null,
            nmp_min_ply: self.nmp_min_ply,
            root_depth: self.root_depth,
            first_root_move: self.first_root_move,
        }
    }

    /// Takes over the path of another thread.
    pub(crate) fn follow(&mut self, path: &SharedPath, frames: &[StackEntry], position: &Position) {
        self.keys.clone_from(&path.keys);
        self.root_keys = path.root_keys;
        self.after_null = path.after_null;
        self.nmp_min_ply = path.nmp_min_ply;
        self.root_depth = path.root_depth;
        self.first_root_move = path.first_root_move;
        self.selective_depth = 0;
        self.stack[..frames.len()].copy_from_slice(frames);
        self.evaluator.reset(position);
    }

    /// Swaps the path of this thread for another.
    pub(crate) fn swap_path(&mut self, path: &mut SearchPath) {
        use std::mem::swap;
        swap(&mut self.stack, &mut path.stack);
        swap(&mut self.pv, &mut path.pv);
        swap(&mut self.keys, &mut path.keys);
        swap(&mut self.root_keys, &mut path.root_keys);
        swap(&mut self.root_moves, &mut path.root_moves);
        swap(&mut self.first_root_move, &mut path.first_root_move);
        swap(&mut self.root_depth, &mut path.root_depth);
        swap(&mut self.selective_depth, &mut path.selective_depth);
        swap(&mut self.nmp_min_ply, &mut path.nmp_min_ply);
        swap(&mut self.after_null, &mut path.after_null);
        swap(&mut self.evaluator, &mut path.evaluator);
    }

    #[inline(always)]
    pub(crate) fn ss(&self, ply: usize) -> &StackEntry {
        &self.stack[ply + BEFORE_ROOT]
    }

    #[inline(always)]
    pub(crate) fn ss_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.stack[ply + BEFORE_ROOT]
    }

    /// The stack entry `back` plies before, which may be before the root.
    #[inline(always)]
    pub(crate) fn ss_back(&self, ply: usize, back: usize) -> &StackEntry {
        &self.stack[ply + BEFORE_ROOT - back]
    }

    /// The moves that led to a ply, for continuation history.
    #[inline(always)]
    pub(crate) fn previous_moves(&self, ply: usize) -> PreviousMoves {
        CONTINUATION_PLIES.map(|back| self.ss_back(ply, back).piece_to)
    }

    /// Makes a move, which leads to `next`, and notes it in the search stack. `quiet` says where a quiet
    /// move's history is.
    #[inline(always)]
    pub(crate) fn make_move(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        mv: Move,
        next: &Position,
        ply: usize,
        quiet: Option<QuietIndex>,
    ) {
        self.push(shared, position, Some(mv), next);
        let entry = self.ss_mut(ply);
        entry.piece_to = piece_to(position, mv);
        entry.quiet = quiet;
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(crate) fn unmake_move(&mut self) {
        self.evaluator.leave();
        self.keys.pop();
    }

    /// Makes a null move, if it is legal. No repetition reaches back across it: with the child comes what
    /// [`ThreadData::unmake_null_move`] needs to lift that again.
    pub(crate) fn make_null_move(
        &mut self,
        shared: &SharedContext,
        position: &Position,
        ply: usize,
    ) -> Option<(Position, usize)> {
        let mut next = position.clone();
        if !next.null_move() {
            return None;
        }
        self.push(shared, position, None, &next);
        let before = std::mem::replace(&mut self.after_null, self.keys.len());
        let entry = self.ss_mut(ply);
        entry.piece_to = PieceTo::NOTHING;
        entry.quiet = None;
        Some((next, before))
    }

    /// Takes a null move back.
    pub(crate) fn unmake_null_move(&mut self, after_null: usize) {
        self.after_null = after_null;
        self.unmake_move();
    }

    #[inline(always)]
    fn push(&mut self, shared: &SharedContext, from: &Position, mv: Option<Move>, to: &Position) {
        shared.tt.prefetch(to.keys().position);
        self.keys.push(from.keys().position);
        self.evaluator.enter(from, mv);
        self.nodes += 1;
    }

    /// The PV of a ply begins with this move from now on, and goes on with that of the next ply.
    #[inline(always)]
    pub(crate) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.pv.split_at_mut(ply + 1);
        above[ply].set(mv, &below[0]);
    }

    /// Panics here if a test wants it, once.
    #[cfg(test)]
    fn fail(&mut self, point: PanicPoint) {
        if self.panic_point == Some(point) {
            self.panic_point = None;
            panic!("on purpose");
        }
    }

    /// Must this thread stop? Checked at every node.
    #[inline(always)]
    pub(crate) fn must_stop(&mut self, shared: &SharedContext) -> bool {
        if self.aborted {
            return true;
        }
        if shared.is_over() || self.split_stopped.get() {
            self.aborted = self.may_abort();
        } else if self.nodes - self.looked_at_nodes >= shared.batch {
            self.look_at_limits(shared);
        } else if let Some(limit) = shared.limits.nodes {
            // Exact with one thread, and close with more.
            if self.all_nodes(shared) >= limit {
                shared.end();
                self.aborted = self.may_abort();
            }
        }
        self.aborted
    }

    /// The first move: the first thread finishes depth 1 whatever the limits are, so that every root move has a
    /// value before one is played. That takes microseconds. Where captures never seem to end, it may break off.
    #[cold]
    fn may_abort(&self) -> bool {
        const ENDLESS: u64 = 100_000;
        !self.bias.is_first() || self.root_depth > 1 || self.nodes > ENDLESS
    }

    #[cold]
    fn look_at_limits(&mut self, shared: &SharedContext) {
        #[cfg(test)]
        self.fail(PanicPoint::InSearch);
        self.looked_at_nodes = self.nodes;
        let all = self.flush_nodes(shared);
        if let Some(attendee) = &self.attendee {
            // At a rendezvous all have searched alike.
            shared.elsewhere.store(all * attendee.others(), Ordering::Relaxed);
        }
        let limit = shared.limits.nodes;
        if limit.is_some_and(|limit| all >= limit) || shared.time.is_over(shared.with_others(all)) {
            shared.end();
            self.aborted = self.may_abort();
        }
        if let Some(attendee) = &self.attendee
            && !attendee.meet()
        {
            self.aborted = self.may_abort();
        }
    }

    /// Adds this thread's unreported nodes to the nodes of all threads, and returns these.
    pub(crate) fn flush_nodes(&mut self, shared: &SharedContext) -> u64 {
        let fresh = self.nodes - self.reported_nodes;
        self.reported_nodes = self.nodes;
        if let Some(member) = &self.split_member {
            member.charge(fresh);
        }
        shared.nodes.fetch_add(fresh, Ordering::Relaxed) + fresh
    }

    /// Is this a searcher of the deterministic mode?
    pub(crate) fn is_deterministic(&self) -> bool {
        self.attendee.is_some()
    }

    #[inline(always)]
    pub(crate) fn was_aborted(&self) -> bool {
        self.aborted
    }

    /// Nodes of the tree that this thread is at, those of helpers included: the difference is what a move took.
    #[inline(always)]
    pub(crate) fn nodes_here(&self) -> u64 {
        self.own_nodes() + self.nodes_of_helpers
    }

    /// The nodes of that tree that this thread searched itself.
    #[inline(always)]
    pub(crate) fn own_nodes(&self) -> u64 {
        self.nodes - self.nodes_elsewhere
    }

    /// Nodes of all threads.
    pub(crate) fn all_nodes(&self, shared: &SharedContext) -> u64 {
        shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported_nodes
    }

    /// Is the position a draw by repetition, the fifty-move rule or lack of material? In the search a
    /// single repetition counts: what can be repeated once can be repeated again.
    pub(crate) fn is_draw(&self, position: &Position) -> bool {
        if position.halfmove_clock() >= 100 {
            // Mate on the hundredth ply goes before the draw.
            return !position.is_checkmate();
        }
        position.is_insufficient_material() || self.is_repetition(position)
    }

    /// Upcoming repetition: has the side to move a move to a position that was there before? Cuckoo tables
    /// answer without generating moves.
    pub(crate) fn can_repeat(&self, position: &Position, ply: usize) -> bool {
        let reversible = self.reversible(position);
        let key = position.keys().position;
        let mut back = 3;
        while back <= reversible {
            let index = self.keys.len() - back;
            if let Some(mv) = cuckoo::move_between(key ^ self.keys[index])
                && position.occupied().is_disjoint(mv.between)
                && position.colors(position.side_to_move()).intersects(mv.ends)
            {
                // A position from before the root must have been there twice.
                if back <= ply || self.was_twice(index) {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The number of plies back to the last irreversible move or null move.
    #[inline(always)]
    fn reversible(&self, position: &Position) -> usize {
        (position.halfmove_clock() as usize).min(self.keys.len() - self.after_null)
    }

    fn was_twice(&self, index: usize) -> bool {
        let key = self.keys[index];
        (4..=index).step_by(2).any(|back| self.keys[index - back] == key)
    }

    fn is_repetition(&self, position: &Position) -> bool {
        let key = position.keys().position;
        let reversible = self.reversible(position);
        let mut before_root = 0;
        let mut back = 4;
        while back <= reversible {
            let index = self.keys.len() - back;
            if self.keys[index] == key {
                before_root += 1;
                if index >= self.root_keys || before_root == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The value of a draw: a little noise keeps the search from being blind among draws.
    #[inline(always)]
    pub(crate) fn draw_value(&self) -> Value {
        DRAW + (self.nodes & 2) as Value - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_nodes_does_not_put_off_a_look_at_the_limits() {
        let table = Arc::new(TranspositionTable::new(1).unwrap());
        let shared = SharedContext::untimed(table, Limits::default(), 512);
        let mut thread = ThreadData::new(Params::DEFAULT);
        // As a thread does that splits, or helps, more often than it looks.
        for _ in 0..2 {
            thread.nodes += 300;
            thread.flush_nodes(&shared);
            assert!(!thread.must_stop(&shared));
        }
        assert_eq!(thread.looked_at_nodes, 600);
    }

    #[test]
    fn logarithms_are_close() {
        for n in 1..64 {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() < 4.0, "{n}");
        }
    }
}
