//! Histories: what the search has learned about moves and about the evaluation's errors.
//!
//! Butterfly (main) history by threats, pawn history, capture history, continuation history for quiet moves
//! one, two, four and six plies back, and correction history. Every score is updated by gravity.

use crate::params::Params;
use crate::value::{DRAW, EVAL_LIMIT, Value, WON};
use core::ops::Index;
use core::sync::atomic::{AtomicI16, Ordering};
use std::sync::Arc;
use tabiya_chess::{
    Bitboard, CheckInfo, Color, ExchangeValues, Move, MoveKind, Piece, PieceKind, Position, Square,
};

/// A score with gravity: each update pulls it towards the bound that it is pushed to, so that old updates
/// fade.
///
/// Threads may share it. Then an update may be lost to another one at the same time, which is harmless.
#[derive(Default)]
#[repr(transparent)]
struct HistoryScore<const BOUND: i32>(AtomicI16);

impl<const BOUND: i32> HistoryScore<BOUND> {
    #[inline(always)]
    fn get(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    #[inline(always)]
    fn update(&self, bonus: i32) {
        let bonus = bonus.clamp(-BOUND, BOUND);
        let old = self.get();
        let new = old + bonus - old * bonus.abs() / BOUND;
        // What is written takes the line of memory away from other threads.
        if new != old {
            self.0.store(new as i16, Ordering::Relaxed);
        }
    }
}

/// Scores that several threads may hold. Their number is a power of two, so that a mask keeps every
/// index among them and none need be checked.
struct HistoryTable<T, const COUNT: usize>(Arc<[T; COUNT]>);

impl<const BOUND: i32, const COUNT: usize> HistoryTable<HistoryScore<BOUND>, COUNT> {
    fn new() -> Self {
        const { assert!(COUNT.is_power_of_two()) };
        let scores: Arc<[HistoryScore<BOUND>]> =
            (0..COUNT).map(|_| HistoryScore::default()).collect();
        match scores.try_into() {
            Ok(scores) => HistoryTable(scores),
            Err(_) => unreachable!("as many were made as are asked for"),
        }
    }

    fn clear(&self) {
        self.0.iter().for_each(|score| score.0.store(0, Ordering::Relaxed));
    }

    /// Shares another thread's scores from now on, or has its own again.
    fn share(&mut self, with: &Self, sharing: bool) {
        if sharing {
            self.0 = Arc::clone(&with.0);
        } else if Arc::ptr_eq(&self.0, &with.0) {
            *self = HistoryTable::new();
        }
    }
}

impl<T, const COUNT: usize> Index<usize> for HistoryTable<T, COUNT> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        &self.0[index & (COUNT - 1)]
    }
}

/// Which histories threads share that search one tree, or one root.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Sharing {
    /// None: each thread has its own histories.
    #[default]
    Nothing,
    /// Correction history.
    Corrections,
    /// Correction and continuation history.
    Continuations,
    /// All histories.
    Everything,
}

impl Sharing {
    /// By number, from none to all.
    pub const ALL: [Sharing; 4] =
        [Sharing::Nothing, Sharing::Corrections, Sharing::Continuations, Sharing::Everything];
}

type MoveScore = HistoryScore<16_384>;
type Correction = HistoryScore<1_024>;

/// A piece and the square that it came to: the index of continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NOTHING
    }
}

impl PieceTo {
    /// All pieces and squares, and a null move, rounded up to a power of two.
    const COUNT: usize = (Piece::COUNT * Square::COUNT + 1).next_power_of_two();

    /// A null move, or a ply before the root.
    pub(crate) const NOTHING: PieceTo = PieceTo((Piece::COUNT * Square::COUNT) as u16);

    #[inline(always)]
    pub(crate) fn new(piece: Piece, to: Square) -> PieceTo {
        PieceTo((piece.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The plies that continuation history looks back.
pub(crate) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The moves before a node that its continuation histories are indexed by, the last one first.
pub(crate) type PreviousMoves = [PieceTo; CONTINUATION_PLIES.len()];

/// What a node knows that its quiet moves are ordered by.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext {
    pub(crate) threatened: Bitboard,
    pub(crate) previous: PreviousMoves,
    pub(crate) checks: CheckInfo,
}

impl OrderingContext {
    #[inline(always)]
    pub(crate) fn new(position: &Position, previous: PreviousMoves) -> OrderingContext {
        OrderingContext {
            threatened: position.attacked_by(!position.side_to_move()),
            previous,
            checks: CheckInfo::of(position),
        }
    }
}

/// Where the histories of a quiet move are.
#[derive(Clone, Copy)]
pub(crate) struct QuietIndex {
    main: u16,
    pawns: u32,
    piece_to: PieceTo,
}

impl QuietIndex {
    #[inline(always)]
    pub(crate) fn new(position: &Position, context: &OrderingContext, mv: Move) -> QuietIndex {
        let piece_to = piece_to(position, mv);
        let structure = position.keys().pawns as usize % PAWN_STRUCTURES;
        QuietIndex {
            main: main_index(position.side_to_move(), context.threatened, mv) as u16,
            pawns: (structure * PieceTo::COUNT + piece_to.index()) as u32,
            piece_to,
        }
    }
}

/// A king, for SEE: more than all else.
const KING_VALUE: i32 = 20_000;

/// How much each history counts, in 64ths, and what else the order of moves depends on.
struct OrderingWeights {
    main: i32,
    pawns: i32,
    continuation: [i32; CONTINUATION_PLIES.len()],
    capture: i32,
    check: i32,
    escape: i32,
    corrections: [i32; CORRECTED_PARTS],
    move_correction: i32,
    correction_depth_max: i32,
    correction_rate: i32,
    escape_quarters: [i32; 2],
    mvv: i32,
    correction_step_max: i32,
    check_risk: i32,
    capture_credit: i32,
    see_values: ExchangeValues,
}

impl OrderingWeights {
    fn new(params: &Params) -> OrderingWeights {
        OrderingWeights {
            main: params.order_main,
            pawns: params.order_pawns,
            continuation: [
                params.order_cont_1,
                params.order_cont_2,
                params.order_cont_4,
                params.order_cont_6,
            ],
            capture: params.order_capture,
            check: params.order_check,
            escape: params.order_escape,
            escape_quarters: [params.order_escape_rook, params.order_escape_queen],
            mvv: params.order_mvv,
            corrections: [
                params.correction_pawns,
                params.correction_pieces,
                params.correction_pieces,
                params.correction_minors,
            ],
            move_correction: params.correction_moves,
            correction_depth_max: params.correction_depth_max,
            correction_rate: params.correction_rate,
            correction_step_max: params.correction_step_max,
            check_risk: params.order_check_risk,
            capture_credit: params.order_capture_credit,
            see_values: ExchangeValues([
                params.see_pawn,
                params.see_knight,
                params.see_bishop,
                params.see_rook,
                params.see_queen,
                KING_VALUE,
            ]),
        }
    }
}

/// What can be taken, rounded up to a power of two.
const VICTIMS: usize = PieceKind::ALL.len().next_power_of_two();
/// Pawn structures that pawn history distinguishes.
const PAWN_STRUCTURES: usize = 512;
const CORRECTIONS: usize = 1 << 14;
/// Pawns, White's pieces, Black's pieces, minor pieces.
const CORRECTED_PARTS: usize = 4;
/// The corrections' fixed point.
const CORRECTION_GRAIN: i32 = 96;

/// All histories of a thread.
pub(crate) struct Histories {
    weights: OrderingWeights,
    /// What of this belongs to another thread.
    borrowed: Sharing,
    /// Main (butterfly) history: by color, whether the squares are attacked, from and to.
    main: HistoryTable<MoveScore, { 2 * 4 * Square::COUNT * Square::COUNT }>,
    /// Pawn history: by pawn structure, piece and target.
    pawns: HistoryTable<MoveScore, { PAWN_STRUCTURES * PieceTo::COUNT }>,
    /// Capture history: by piece, target, and what is captured.
    capture: HistoryTable<MoveScore, { PieceTo::COUNT * VICTIMS }>,
    /// Continuation history: by an earlier move and this one, each as piece and target.
    continuation: HistoryTable<MoveScore, { PieceTo::COUNT * PieceTo::COUNT }>,
    /// Correction history: by part of the position, side to move and the part's key.
    corrections: HistoryTable<Correction, { CORRECTED_PARTS * Color::ALL.len() * CORRECTIONS }>,
    /// Correction history by the last two moves.
    continuation_corrections: HistoryTable<Correction, { PieceTo::COUNT * PieceTo::COUNT }>,
}

impl Histories {
    pub(crate) fn new(params: &Params) -> Histories {
        Histories {
            weights: OrderingWeights::new(params),
            borrowed: Sharing::Nothing,
            main: HistoryTable::new(),
            pawns: HistoryTable::new(),
            capture: HistoryTable::new(),
            continuation: HistoryTable::new(),
            corrections: HistoryTable::new(),
            continuation_corrections: HistoryTable::new(),
        }
    }

    /// Clears all histories but those that are shared: their owner clears these.
    pub(crate) fn clear(&mut self) {
        if self.borrowed < Sharing::Everything {
            self.main.clear();
            self.pawns.clear();
            self.capture.clear();
        }
        if self.borrowed < Sharing::Continuations {
            self.continuation.clear();
        }
        if self.borrowed < Sharing::Corrections {
            self.corrections.clear();
            self.continuation_corrections.clear();
        }
    }

    /// Shares what another thread learns from now on, and only that.
    pub(crate) fn share(&mut self, with: &Histories, sharing: Sharing) {
        let everything = sharing >= Sharing::Everything;
        self.main.share(&with.main, everything);
        self.pawns.share(&with.pawns, everything);
        self.capture.share(&with.capture, everything);
        self.continuation.share(&with.continuation, sharing >= Sharing::Continuations);
        let corrections = sharing >= Sharing::Corrections;
        self.corrections.share(&with.corrections, corrections);
        self.continuation_corrections.share(&with.continuation_corrections, corrections);
        self.borrowed = sharing;
    }

    /// Other weights from now on.
    pub(crate) fn set_params(&mut self, params: &Params) {
        self.weights = OrderingWeights::new(params);
    }

    /// The history of a quiet move: main, pawns, and continuations.
    #[inline(always)]
    pub(crate) fn quiet(&self, index: &QuietIndex, previous: &PreviousMoves) -> i32 {
        let OrderingWeights { main, pawns, continuation, .. } = &self.weights;
        let mut sum = main * self.main[usize::from(index.main)].get()
            + pawns * self.pawns[index.pawns as usize].get();
        for (before, weight) in previous.iter().zip(continuation) {
            sum += weight * self.continuation[pair_index(*before, index.piece_to)].get();
        }
        sum / 64
    }

    /// The values of the pieces for SEE.
    #[inline(always)]
    pub(crate) fn see_values(&self) -> &ExchangeValues {
        &self.weights.see_values
    }

    /// How much a check may lose by SEE and still get its bonus.
    pub(crate) fn check_risk(&self) -> i32 {
        self.weights.check_risk
    }

    /// A good capture may lose one centipawn by SEE for each this much capture history.
    pub(crate) fn capture_credit(&self) -> i32 {
        self.weights.capture_credit
    }

    /// What a check that loses nothing is worth beside a quiet move's history.
    pub(crate) fn check_bonus(&self) -> i32 {
        self.weights.check
    }

    /// Ordering bonus for moving a minor piece off a square that a lesser piece attacks.
    pub(crate) fn escape_bonus(&self) -> i32 {
        self.weights.escape
    }

    /// The same for a rook and a queen, in quarters of it.
    pub(crate) fn escape_quarters(&self) -> [i32; 2] {
        self.weights.escape_quarters
    }

    /// Ordering weight of a victim's value (MVV).
    pub(crate) fn mvv_weight(&self) -> i32 {
        self.weights.mvv
    }

    /// How good a capture or promotion has been.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.weights.capture * self.capture[capture_index(position, mv)].get() / 64
    }

    pub(crate) fn update_quiet(
        &mut self,
        index: &QuietIndex,
        previous: &PreviousMoves,
        bonus: i32,
    ) {
        self.update_main(index, bonus);
        self.update_continuation(index, previous, bonus);
    }

    /// What does not depend on the moves before.
    pub(crate) fn update_main(&mut self, index: &QuietIndex, bonus: i32) {
        self.main[usize::from(index.main)].update(bonus);
        self.pawns[index.pawns as usize].update(bonus);
    }

    pub(crate) fn update_continuation(
        &mut self,
        index: &QuietIndex,
        previous: &PreviousMoves,
        bonus: i32,
    ) {
        for before in previous {
            self.continuation[pair_index(*before, index.piece_to)].update(bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture[capture_index(position, mv)].update(bonus);
    }

    /// Correction history: a static evaluation put right by what the search found in positions that share a
    /// part: the pawns, the pieces of a side, the minor pieces, the last two moves.
    #[inline]
    pub(crate) fn corrected(
        &self,
        position: &Position,
        previous: &PreviousMoves,
        eval: Value,
    ) -> Value {
        // Known endings are not estimates.
        if eval == DRAW || eval.abs() >= WON {
            return eval;
        }
        let mut sum: i32 = correction_indices(position)
            .into_iter()
            .zip(self.weights.corrections)
            .map(|(index, weight)| weight * self.corrections[index].get())
            .sum();
        let last = &self.continuation_corrections[pair_index(previous[1], previous[0])];
        sum += self.weights.move_correction * last.get();
        (eval + sum / (CORRECTION_GRAIN * 32)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The search found a value that differs from the static evaluation.
    pub(crate) fn correct(
        &mut self,
        position: &Position,
        previous: &PreviousMoves,
        error: Value,
        depth: i32,
    ) {
        let weights = &self.weights;
        let depth = depth.clamp(1, weights.correction_depth_max);
        let most = weights.correction_step_max;
        let bonus = (error * depth * weights.correction_rate / 64).clamp(-most, most);
        for index in correction_indices(position) {
            self.corrections[index].update(bonus);
        }
        self.continuation_corrections[pair_index(previous[1], previous[0])].update(bonus);
    }
}

/// The piece that a move brings to its target.
#[inline(always)]
pub(crate) fn piece_to(position: &Position, mv: Move) -> PieceTo {
    let piece = position.piece_at(mv.from()).unwrap_or(Piece::ALL[0]);
    PieceTo::new(piece, mv.to())
}

#[inline(always)]
fn pair_index(before: PieceTo, now: PieceTo) -> usize {
    before.index() * PieceTo::COUNT + now.index()
}

#[inline(always)]
fn main_index(color: Color, threatened: Bitboard, mv: Move) -> usize {
    let (from, to) = (mv.from(), mv.to());
    let threats = usize::from(threatened.contains(from)) * 2 + usize::from(threatened.contains(to));
    ((color.index() * 4 + threats) * 64 + from.index()) * 64 + to.index()
}

#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> usize {
    let taken = match mv.kind() {
        MoveKind::EnPassant => PieceKind::Pawn,
        // A promotion that captures nothing shares the entry of kings, which are never captured.
        _ => position.kind_at(mv.to()).unwrap_or(PieceKind::King),
    };
    piece_to(position, mv).index() * VICTIMS + taken.index()
}

#[inline(always)]
fn correction_indices(position: &Position) -> [usize; CORRECTED_PARTS] {
    let keys = position.keys();
    let side = position.side_to_move().index();
    let index = |part: usize, key: u64| {
        (part * 2 + side) * CORRECTIONS + (key as usize & (CORRECTIONS - 1))
    };
    [
        index(0, keys.pawns),
        index(1, keys.non_pawns[0]),
        index(2, keys.non_pawns[1]),
        index(3, keys.minors),
    ]
}
