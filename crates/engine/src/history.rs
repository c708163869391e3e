//! What earlier parts of the search learnt about moves and about the evaluation's errors.

use crate::params::Params;
use crate::value::{DRAW, EVAL_LIMIT, Value, WON};
use tabiya_chess::{Bitboard, Checks, Colour, Man, Move, MoveKind, Piece, Position, Square};

/// A score that forgets: each update pulls it towards the bound that it is pushed to.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
struct Graded<const BOUND: i32>(i16);

impl<const BOUND: i32> Graded<BOUND> {
    #[inline(always)]
    fn get(self) -> i32 {
        i32::from(self.0)
    }

    #[inline(always)]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-BOUND, BOUND);
        let old = self.get();
        self.0 = (old + bonus - old * bonus.abs() / BOUND) as i16;
    }
}

type MoveScore = Graded<16_384>;
type Correction = Graded<1_024>;

/// A man that came to a square: what continuation histories are indexed by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Arrival(u16);

impl Default for Arrival {
    fn default() -> Arrival {
        Arrival::NOTHING
    }
}

impl Arrival {
    /// Where the men can arrive, and nothing at all.
    const COUNT: usize = Man::COUNT * Square::COUNT + 1;

    /// Nobody moved: after a null move, and before the root.
    pub(crate) const NOTHING: Arrival = Arrival(Arrival::COUNT as u16 - 1);

    #[inline(always)]
    pub(crate) fn new(man: Man, to: Square) -> Arrival {
        Arrival((man.index() * Square::COUNT + to.index()) as u16)
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How many plies back continuation histories look.
pub(crate) const LOOK_BACK: [usize; 4] = [1, 2, 4, 6];

/// The arrivals that a node's continuation histories hang on, the nearest first.
pub(crate) type Recent = [Arrival; LOOK_BACK.len()];

/// What a node knows that its quiet moves are judged by.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) threatened: Bitboard,
    pub(crate) recent: Recent,
    pub(crate) checks: Checks,
}

impl Setting {
    #[inline(always)]
    pub(crate) fn new(position: &Position, recent: Recent) -> Setting {
        Setting {
            threatened: position.attacked_by(!position.turn()),
            recent,
            checks: Checks::of(position),
        }
    }
}

/// Where the marks of a quiet move are kept.
#[derive(Clone, Copy)]
pub(crate) struct QuietName {
    own: u16,
    pawns: u32,
    arrival: Arrival,
}

impl QuietName {
    #[inline(always)]
    pub(crate) fn new(position: &Position, setting: &Setting, mv: Move) -> QuietName {
        let arrival = arrival(position, mv);
        let structure = position.keys().pawns as usize % PAWN_STRUCTURES;
        QuietName {
            own: quiet_index(position.turn(), setting.threatened, mv) as u16,
            pawns: (structure * Arrival::COUNT + arrival.index()) as u32,
            arrival,
        }
    }
}

/// How much each history counts, in 64ths.
struct Weights {
    own: i32,
    pawns: i32,
    after: [i32; LOOK_BACK.len()],
    capture: i32,
    check: i32,
    escape: i32,
    corrections: [i32; CORRECTED_PARTS],
    move_correction: i32,
}

impl Weights {
    fn new(params: &Params) -> Weights {
        Weights {
            own: params.order_own,
            pawns: params.order_pawns,
            after: [
                params.order_after_1,
                params.order_after_2,
                params.order_after_4,
                params.order_after_6,
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
    /// By colour, whether the squares are attacked, from and to.
    quiet: Vec<MoveScore>,
    /// By pawn structure and arrival.
    pawns: Vec<MoveScore>,
    /// By man, to, and what is taken.
    capture: Vec<MoveScore>,
    /// By an earlier arrival and the move's own.
    continuation: Vec<MoveScore>,
    /// By part of the position, side to move and the part's key.
    corrections: Vec<Correction>,
    /// By the last two arrivals.
    continuation_corrections: Vec<Correction>,
}

impl Histories {
    pub(crate) fn new(params: &Params) -> Histories {
        Histories {
            weights: Weights::new(params),
            quiet: vec![MoveScore::default(); 2 * 4 * 64 * 64],
            pawns: vec![MoveScore::default(); PAWN_STRUCTURES * Arrival::COUNT],
            capture: vec![MoveScore::default(); Arrival::COUNT * 6],
            continuation: vec![MoveScore::default(); Arrival::COUNT * Arrival::COUNT],
            corrections: vec![Correction::default(); CORRECTED_PARTS * 2 * CORRECTIONS],
            continuation_corrections: vec![Correction::default(); Arrival::COUNT * Arrival::COUNT],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(MoveScore::default());
        self.pawns.fill(MoveScore::default());
        self.capture.fill(MoveScore::default());
        self.continuation.fill(MoveScore::default());
        self.corrections.fill(Correction::default());
        self.continuation_corrections.fill(Correction::default());
    }

    /// Other weights from now on.
    pub(crate) fn set_params(&mut self, params: &Params) {
        self.weights = Weights::new(params);
    }

    /// How good a quiet move has been, here and after the moves before.
    #[inline(always)]
    pub(crate) fn quiet(&self, name: &QuietName, recent: &Recent) -> i32 {
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

    pub(crate) fn update_quiet(&mut self, name: &QuietName, recent: &Recent, bonus: i32) {
        self.update_own(name, bonus);
        self.update_continuation(name, recent, bonus);
    }

    /// What does not hang on the moves before.
    pub(crate) fn update_own(&mut self, name: &QuietName, bonus: i32) {
        self.quiet[usize::from(name.own)].update(bonus);
        self.pawns[name.pawns as usize].update(bonus);
    }

    pub(crate) fn update_continuation(&mut self, name: &QuietName, recent: &Recent, bonus: i32) {
        for before in recent {
            self.continuation[pair_index(*before, name.arrival)].update(bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture[capture_index(position, mv)].update(bonus);
    }

    /// A static evaluation put right by what the search found in positions that share a part.
    #[inline]
    pub(crate) fn corrected(&self, position: &Position, recent: &Recent, eval: Value) -> Value {
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
        recent: &Recent,
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
pub(crate) fn arrival(position: &Position, mv: Move) -> Arrival {
    let man = position.man_at(mv.from()).unwrap_or(Man::ALL[0]);
    Arrival::new(man, mv.to())
}

#[inline(always)]
fn pair_index(before: Arrival, arrival: Arrival) -> usize {
    before.index() * Arrival::COUNT + arrival.index()
}

#[inline(always)]
fn quiet_index(colour: Colour, threatened: Bitboard, mv: Move) -> usize {
    let (from, to) = (mv.from(), mv.to());
    let threats = usize::from(threatened.contains(from)) * 2 + usize::from(threatened.contains(to));
    ((colour.index() * 4 + threats) * 64 + from.index()) * 64 + to.index()
}

#[inline(always)]
fn capture_index(position: &Position, mv: Move) -> usize {
    let taken = match mv.kind() {
        MoveKind::EnPassant => Piece::Pawn,
        // A promotion that takes nothing shares the place of kings, who are never taken.
        _ => position.piece_at(mv.to()).unwrap_or(Piece::King),
    };
    arrival(position, mv).index() * 6 + taken.index()
}

#[inline(always)]
fn correction_indices(position: &Position) -> [usize; CORRECTED_PARTS] {
    let keys = position.keys();
    let side = position.turn().index();
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
