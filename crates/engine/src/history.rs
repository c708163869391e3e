//! What earlier parts of the search learnt about moves and about the evaluation's errors.

use crate::value::{EVAL_LIMIT, Value};
use tabiya_chess::{Bitboard, Colour, Man, Move, MoveKind, Piece, Position, Square};

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

impl Arrival {
    const COUNT: usize = Man::COUNT * Square::COUNT;

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
pub(crate) type Recent = [Option<Arrival>; LOOK_BACK.len()];

/// What a node knows that histories are indexed by.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) threatened: Bitboard,
    pub(crate) recent: Recent,
}

const CORRECTIONS: usize = 1 << 14;
/// Pawns, White's pieces, Black's pieces, minor pieces.
const CORRECTED_PARTS: usize = 4;
/// The corrections' fixed point.
const CORRECTION_GRAIN: i32 = 96;

/// All that a thread has learnt.
pub(crate) struct Histories {
    /// By colour, whether the squares are attacked, from and to.
    quiet: Vec<MoveScore>,
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
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: vec![MoveScore::default(); 2 * 4 * 64 * 64],
            capture: vec![MoveScore::default(); Arrival::COUNT * 6],
            continuation: vec![MoveScore::default(); Arrival::COUNT * Arrival::COUNT],
            corrections: vec![Correction::default(); CORRECTED_PARTS * 2 * CORRECTIONS],
            continuation_corrections: vec![Correction::default(); Arrival::COUNT * Arrival::COUNT],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.fill(MoveScore::default());
        self.capture.fill(MoveScore::default());
        self.continuation.fill(MoveScore::default());
        self.corrections.fill(Correction::default());
        self.continuation_corrections.fill(Correction::default());
    }

    /// How good a quiet move has been, here and after the moves before.
    #[inline]
    pub(crate) fn quiet(&self, position: &Position, setting: &Setting, mv: Move) -> i32 {
        let own = self.quiet[quiet_index(position.turn(), setting.threatened, mv)].get();
        own + self.continuation(position, setting, mv)
    }

    #[inline]
    fn continuation(&self, position: &Position, setting: &Setting, mv: Move) -> i32 {
        let arrival = arrival(position, mv);
        let score = |before: Option<Arrival>| {
            before.map_or(0, |before| self.continuation[pair_index(before, arrival)].get())
        };
        let [one, two, four, six] = setting.recent;
        score(one) + score(two) + (score(four) + score(six)) / 2
    }

    /// How good a capture or promotion has been.
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        self.capture[capture_index(position, mv)].get()
    }

    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        setting: &Setting,
        mv: Move,
        bonus: i32,
    ) {
        self.quiet[quiet_index(position.turn(), setting.threatened, mv)].update(bonus);
        self.update_continuation(position, setting, mv, bonus);
    }

    pub(crate) fn update_continuation(
        &mut self,
        position: &Position,
        setting: &Setting,
        mv: Move,
        bonus: i32,
    ) {
        let arrival = arrival(position, mv);
        for before in setting.recent.into_iter().flatten() {
            self.continuation[pair_index(before, arrival)].update(bonus);
        }
    }

    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        self.capture[capture_index(position, mv)].update(bonus);
    }

    /// A static evaluation put right by what the search found in positions that share a part.
    #[inline]
    pub(crate) fn corrected(&self, position: &Position, recent: &Recent, eval: Value) -> Value {
        let mut sum: i32 = correction_indices(position)
            .map(|index| self.corrections[index].get())
            .into_iter()
            .sum();
        if let Some(index) = continuation_correction_index(recent) {
            sum += self.continuation_corrections[index].get();
        }
        (eval + sum / CORRECTION_GRAIN * 2).clamp(-EVAL_LIMIT, EVAL_LIMIT)
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
        if let Some(index) = continuation_correction_index(recent) {
            self.continuation_corrections[index].update(bonus);
        }
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

#[inline(always)]
fn continuation_correction_index(recent: &Recent) -> Option<usize> {
    Some(pair_index(recent[1]?, recent[0]?))
}
