//! Static exchange evaluation as the thesis has it, on any board: recursive, iterative with a list of
//! values, and iterative with a window that three conditions cut short, each of which can be switched off.
//!
//! What the engine uses is [`Position::see`](tabiya_chess::Position::see) and its kin; these are for
//! comparing.

use super::{Board, BoardMove, Kind, Lifted};
use arrayvec::ArrayVec;
use tabiya_chess::{Color, ExchangeValues, PieceKind};

/// What ends an exchange early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conditions {
    /// A king that would have to capture into an attack does not (Kα).
    pub king: bool,
    /// A capture that leaves its side no better off than before ends it (QNα).
    pub quantitative: bool,
    /// Nothing but the sign is wanted, and it is certain (QLβ).
    pub qualitative: bool,
}

impl Conditions {
    /// All three.
    pub const ALL: Conditions = Conditions { king: true, quantitative: true, qualitative: true };
    /// None: every piece that can takes.
    pub const NONE: Conditions =
        Conditions { king: false, quantitative: false, qualitative: false };
    /// Exact values.
    pub const EXACT: Conditions = Conditions { qualitative: false, ..Conditions::ALL };
}

/// A capture of an exchange, or the move that begins it: the state of the window after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// At least this; nothing is certain at first.
    pub alpha: Option<i32>,
    /// What was won so far.
    pub value: i32,
    /// At most this.
    pub beta: i32,
}

/// The pieces that were taken off, to be put back.
struct Exchange<'a, B: Board> {
    board: &'a mut B,
    lifted: ArrayVec<(u8, Lifted), 32>,
    square: u8,
    values: &'a ExchangeValues,
}

impl<'a, B: Board> Exchange<'a, B> {
    /// The exchange after its first move, and what that move won.
    fn begin(board: &'a mut B, mv: BoardMove, values: &'a ExchangeValues) -> (Self, i32) {
        let won = board.kind_at(mv.to).map_or(0, |kind| values.0[kind.index()]);
        let mut exchange = Exchange { board, lifted: ArrayVec::new(), square: mv.to, values };
        exchange.take_off(mv.from);
        (exchange, won)
    }

    #[inline(always)]
    fn take_off(&mut self, cell: u8) {
        let piece = self.board.lift(cell);
        self.lifted.push((cell, piece));
    }

    #[inline(always)]
    fn least(&self, by: Color) -> Option<(PieceKind, u8)> {
        self.board.least_attacker(self.square, by)
    }

    fn worth(&self, kind: PieceKind) -> i32 {
        self.values.0[kind.index()]
    }
}

impl<B: Board> Drop for Exchange<'_, B> {
    fn drop(&mut self) {
        while let Some((cell, piece)) = self.lifted.pop() {
            self.board.put_back(cell, piece);
        }
    }
}

/// The worth of an exchange by recursion: at each turn the better of stopping and of capturing on.
pub fn recursive<B: Board>(board: &mut B, mv: BoardMove, values: &ExchangeValues) -> i32 {
    fn reply<B: Board>(exchange: &mut Exchange<'_, B>, side: Color, at_stake: i32) -> i32 {
        let Some((kind, from)) = exchange.least(side) else { return 0 };
        exchange.take_off(from);
        if kind == PieceKind::King && exchange.least(!side).is_some() {
            return 0;
        }
        let worth = exchange.worth(kind);
        (at_stake - reply(exchange, !side, worth)).max(0)
    }
    let us = board.side_to_move();
    let mover = board.kind_at(mv.from).unwrap_or(PieceKind::Pawn);
    let (mut exchange, won) = Exchange::begin(board, mv, values);
    let worth = exchange.worth(mover);
    won - reply(&mut exchange, !us, worth)
}

/// The worth of an exchange by a list of values that is gone through backwards.
pub fn iterative<B: Board>(board: &mut B, mv: BoardMove, values: &ExchangeValues) -> i32 {
    let mut side = !board.side_to_move();
    let mover = board.kind_at(mv.from).unwrap_or(PieceKind::Pawn);
    let (mut exchange, won) = Exchange::begin(board, mv, values);
    let mut list: ArrayVec<i32, 32> = ArrayVec::new();
    list.push(won);
    let mut at_stake = exchange.worth(mover);
    while let Some((kind, from)) = exchange.least(side) {
        exchange.take_off(from);
        list.push(at_stake - list[list.len() - 1]);
        at_stake = exchange.worth(kind);
        side = !side;
    }
    for i in (1..list.len()).rev() {
        if list[i] > -list[i - 1] {
            list[i - 1] = -list[i];
        }
    }
    list[0]
}

/// The worth of an exchange by a window: exact, or of the right sign, depending on the conditions.
pub fn windowed<B: Board>(
    board: &mut B,
    mv: BoardMove,
    values: &ExchangeValues,
    conditions: Conditions,
    mut visit: impl FnMut(Iteration),
) -> i32 {
    let us = board.side_to_move();
    let mover = board.kind_at(mv.from).unwrap_or(PieceKind::Pawn);
    let (mut exchange, won) = Exchange::begin(board, mv, values);
    let mut now = Iteration { alpha: None, value: won, beta: won };
    visit(now);
    let mut side = !us;
    let mut at_stake = exchange.worth(mover);
    while let Some((kind, from)) = exchange.least(side) {
        exchange.take_off(from);
        if conditions.king && kind == PieceKind::King && exchange.least(!side).is_some() {
            break;
        }
        if side == us {
            now.value += at_stake;
            let pointless = now.alpha.is_some_and(|alpha| now.value <= alpha);
            if !pointless {
                now.beta = now.beta.min(now.value);
            } else if let Some(alpha) = now.alpha {
                // Without the cut the window closes here, and stays closed.
                now.beta = now.beta.min(alpha);
            }
            visit(now);
            if pointless && conditions.quantitative || conditions.qualitative && now.beta < 0 {
                break;
            }
        } else {
            now.value -= at_stake;
            let pointless = now.value >= now.beta;
            now.alpha = now.alpha.max(Some(now.value.min(now.beta)));
            visit(now);
            if pointless && conditions.quantitative
                || conditions.qualitative && now.alpha.is_some_and(|alpha| alpha > 0)
            {
                break;
            }
        }
        at_stake = exchange.worth(kind);
        side = !side;
    }
    let low = now.alpha.unwrap_or(i32::MIN);
    now.value.clamp(low.min(now.beta), now.beta)
}

/// Is a capture worth being tried first? A promotion is, and what takes a piece of at least its own worth;
/// of the rest, those that lose nothing.
pub fn is_good_capture<B: Board>(board: &mut B, mv: BoardMove) -> bool {
    let values = ExchangeValues::default();
    if mv.kind.promoted().is_some() || mv.kind == Kind::EnPassant {
        return true;
    }
    let worth = |cell| board.kind_at(cell).map_or(0, |kind| values.0[kind.index()]);
    worth(mv.to) >= worth(mv.from) || windowed(board, mv, &values, Conditions::ALL, |_| ()) >= 0
}
