//! What earlier parts of the search learnt about moves and about the evaluation's errors.

use crate::params::Params;
use crate::value::{DRAW, EVAL_LIMIT, Value, WON};
use core::ops::Index;
use core::sync::atomic::{AtomicI16, Ordering};
use std::sync::Arc;
use tabiya_chess::{Bitboard, Checks, Color, Move, MoveKind, Piece, PieceKind, Position, Square};

/// A score that forgets: each update pulls it towards the bound that it is pushed to.
///
/// Threads may share it: then an update may be lost to another that happens at once, which does no more
/// harm than that.
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

    /// Is that of another thread from now on, or one of its own.
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

/// What threads that search one tree, or one root, share of what they have learnt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Sharing {
    /// Each has histories of its own.
    #[default]
    Nothing,
    /// The errors of the evaluation.
    Corrections,
    /// Those, and which move is good after which.
    Continuations,
    /// All.
    Everything,
}

impl Sharing {
    /// By number, from nothing to everything.
    pub const ALL: [Sharing; 4] =
        [Sharing::Nothing, Sharing::Corrections, Sharing::Continuations, Sharing::Everything];
}

type MoveScore = HistoryScore<16_384>;
type Correction = HistoryScore<1_024>;

/// A man that came to a square: what continuation histories are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl Default for PieceTo {
    fn default() -> PieceTo {
        PieceTo::NOTHING
    }
}

impl PieceTo {
    /// Where the men can arrive, and nothing at all, rounded up to a power of two.
    const COUNT: usize = (Piece::COUNT * Square::COUNT + 1).next_power_of_two();

    /// Nobody moved: after a null move, and before the root.
    pub(crate) const NOTHING: PieceTo = PieceTo((Piece::COUNT * Square::COUNT) as u16);

    #[inline(always)]
    pub(crate) fn new(man: Piece, to: Square) -> PieceTo {
        PieceTo((man.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many plies back continuation histories look.
pub(crate) const CONTINUATION_PLIES: [usize; 4] = [1, 2, 4, 6];

/// The arrivals that a node's continuation histories hang on, the nearest first.
pub(crate) type PreviousMoves = [PieceTo; CONTINUATION_PLIES.len()];

/// What a node knows that its quiet moves are judged by.
#[derive(Clone, Copy)]
pub(crate) struct OrderingContext {
    pub(crate) threatened: Bitboard,
    pub(crate) recent: PreviousMoves,
    pub(crate) checks: Checks,
}

impl OrderingContext {
    #[inline(always)]
    pub(crate) fn new(position: &Position, recent: PreviousMoves) -> OrderingContext {
        OrderingContext {
            threatened: position.attacked_by(!position.side_to_move()),
            recent,
            checks: Checks::of(position),
        }
    }
}

/// Where the marks of a quiet move are kept.
#[derive(Clone, Copy)]
pub(crate) struct QuietIndex {
    own: u16,
    pawns: u32,
    arrival: PieceTo,
}

impl QuietIndex {
    #[inline(always)]
    pub(crate) fn new(position: &Position, setting: &OrderingContext, mv: Move) -> QuietIndex {
        let arrival = piece_to(position, mv);
        let structure = position.keys().pawns as usize % PAWN_STRUCTURES;
        QuietIndex {
            own: quiet_index(position.side_to_move(), setting.threatened, mv) as u16,
            pawns: (structure * PieceTo::COUNT + arrival.index()) as u32,
            arrival,
        }
    }
}

/// How much each history counts, in 64ths.
struct Weights {
    own: i32,
    pawns: i32,
    after: [i32; CONTINUATION_PLIES.len()],
    capture: i32,
    check: i32,
    escape: i32,
    corrections: [i32; CORRECTED_PARTS],
    move_correction: i32,
}

impl Weights {
    fn new(params: &Params) -> Weights {
        Weights {
            own: params.order_main,
            pawns: params.order_pawns,
            after: [
                params.order_cont_1,
                params.order_cont_2,
                params.order_cont_4,
                params.order_cont_6,
            ],
            capture: params.order_capture,
            check: params.order_check,
            escape: params.order_escape,
            corrections: [
                params.correction_pawns,
                params.correction_pieces,
                params.correction_pieces,
                params.correction_minors,
            ],
            move_correction: params.correction_moves,
        }
    }
}

/// What can be taken, rounded up to a power of two.
const VICTIMS: usize = PieceKind::ALL.len().next_power_of_two();
/// Pawn structures that are told apart in the history of moves.
const PAWN_STRUCTURES: usize = 512;
const CORRECTIONS: usize = 1 << 14;
/// Pawns, White's pieces, Black's pieces, minor pieces.
const CORRECTED_PARTS: usize = 4;
/// The corrections' fixed point.
const CORRECTION_GRAIN: i32 = 96;

/// All that a thread has learnt.
pub(crate) struct Histories {
    weights: Weights,
    /// What of this belongs to another thread.
    borrowed: Sharing,
    /// By color, whether the squares are attacked, from and to.
    quiet: HistoryTable<MoveScore, { 2 * 4 * Square::COUNT * Square::COUNT }>,
    /// By pawn structure and arrival.
    pawns: HistoryTable<MoveScore, { PAWN_STRUCTURES * PieceTo::COUNT }>,
    /// By man, to, and what is taken.
    capture: HistoryTable<MoveScore, { PieceTo::COUNT * VICTIMS }>,
    /// By an earlier arrival and the move's own.
    continuation: HistoryTable<MoveScore, { PieceTo::COUNT * PieceTo::COUNT }>,
    /// By part of the position, side to move and the part's key.
    corrections: HistoryTable<Correction, { CORRECTED_PARTS * Color::ALL.len() * CORRECTIONS }>,
    /// By the last two arrivals.
    continuation_corrections: HistoryTable<Correction, { PieceTo::COUNT * PieceTo::COUNT }>,
}

impl Histories {
    pub(crate) fn new(params: &Params) -> Histories {
        Histories {
            weights: Weights::new(params),
            borrowed: Sharing::Nothing,
            quiet: HistoryTable::new(),
            pawns: HistoryTable::new(),
            capture: HistoryTable::new(),
            continuation: HistoryTable::new(),
            corrections: HistoryTable::new(),
            continuation_corrections: HistoryTable::new(),
        }
    }

    /// Forgets all, except what belongs to another thread, who forgets it himself.
    pub(crate) fn clear(&mut self) {
        if self.borrowed < Sharing::Everything {
            self.quiet.clear();
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
        self.quiet.share(&with.quiet, everything);
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
        self.weights = Weights::new(params);
    }

    /// How good a quiet move has been, here and after the moves before.
    #[inline(always)]
    pub(crate) fn quiet(&self, name: &QuietIndex, recent: &PreviousMoves) -> i32 {
        let Weights { own, pawns, after, .. } = &self.weights;
        let mut sum = own * self.quiet[usize::from(name.own)].get()
            + pawns * self.pawns[name.pawns as usize].get();
        for (before, weight) in recent.iter().zip(after) {
            sum += weight * self.continuation[pair_index(*before, name.arrival)].get();
        }
        sum / 64
    }

    /// What a check that loses nothing is worth beside a quiet move's history.
    pub(crate) fn check_bonus(&self) -> i32 {
        self.weights.check
    }

    /// What it is worth beside its history that a minor piece escapes from a lesser man.
    pub(crate) fn escape_bonus(&self) -> i32 {
        self.weights.escape
    }

    /// How good a capture or promotion has been.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.weights.capture * self.capture[capture_index(position, mv)].get() / 64
    }

    pub(crate) fn update_quiet(&mut self, name: &QuietIndex, recent: &PreviousMoves, bonus: i32) {
        self.update_own(name, bonus);
        self.update_continuation(name, recent, bonus);
    }

    /// What does not hang on the moves before.
    pub(crate) fn update_own(&mut self, name: &QuietIndex, bonus: i32) {
        self.quiet[usize::from(name.own)].update(bonus);
        self.pawns[name.pawns as usize].update(bonus);
    }

    pub(crate) fn update_continuation(
        &mut self,
        name: &QuietIndex,
        recent: &PreviousMoves,
        bonus: i32,
    ) {
        for before in recent {
            self.continuation[pair_index(*before, name.arrival)].update(bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture[capture_index(position, mv)].update(bonus);
    }

    /// A static evaluation put right by what the search found in positions that share a part.
    #[inline]
    pub(crate) fn corrected(
        &self,
        position: &Position,
        recent: &PreviousMoves,
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
        let last = &self.continuation_corrections[pair_index(recent[1], recent[0])];
        sum += self.weights.move_correction * last.get();
        (eval + sum / (CORRECTION_GRAIN * 32)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The search found a value that differs from the static evaluation.
    pub(crate) fn correct(
        &mut self,
        position: &Position,
        recent: &PreviousMoves,
        error: Value,
        depth: i32,
    ) {
        let bonus = (error * depth.clamp(1, 16) / 8).clamp(-256, 256);
        for index in correction_indices(position) {
            self.corrections[index].update(bonus);
        }
        self.continuation_corrections[pair_index(recent[1], recent[0])].update(bonus);
    }
}

/// The man that a move brings to its target.
#[inline(always)]
pub(crate) fn piece_to(position: &Position, mv: Move) -> PieceTo {
    let man = position.piece_at(mv.from()).unwrap_or(Piece::ALL[0]);
    PieceTo::new(man, mv.to())
}

#[inline(always)]
fn pair_index(before: PieceTo, arrival: PieceTo) -> usize {
    before.index() * PieceTo::COUNT + arrival.index()
}

#[inline(always)]
fn quiet_index(color: Color, threatened: Bitboard, mv: Move) -> usize {
    let (from, to) = (mv.from(), mv.to());
    let threats = usize::from(threatened.contains(from)) * 2 + usize::from(threatened.contains(to));
    ((color.index() * 4 + threats) * 64 + from.index()) * 64 + to.index()
}

#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> usize {
    let taken = match mv.kind() {
        MoveKind::EnPassant => PieceKind::Pawn,
        // A promotion that takes nothing shares the place of kings, who are never taken.
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
