//! Static exchange evaluation (SEE): what a capture wins or loses when both sides go on capturing on
//! the square, always with the least valuable attacker, and stop when it suits them.
//!
//! Pins are ignored, and so is promotion by a later capture; a king never captures into an attack.
//! X-ray attackers, behind other pieces on a line, join in as the line opens.
//!
//! # The window
//!
//! Fritz Reul's iterative form needs neither a list of gains nor a way back through it. Seen by the
//! side that begins, a capture changes the balance, and the side that made it may stop there: after
//! its own captures the value cannot exceed the balance (`beta` falls to it), after the opponent's it
//! cannot be less (`alpha` rises to it). It ends when
//!
//! - no attacker is left,
//! - a capture leaves its side no better off than stopping earlier would have, or
//! - only a threshold matters and the window lies on one side of it. Reul's threshold is zero; any
//!   other does as well.
//!
//! With a threshold from the beginning nothing can lie between `alpha` and `beta`, and of balance and
//! window a single number remains: [`Position::see_ge`] is this form, and what the search uses.
//! [`Position::see`] and [`Position::see_trace`] keep the window.

use crate::attacks;
use crate::{Bitboard, Color, Move, MoveKind, PieceKind, Position, Square};

/// Piece values of SEE, by [`PieceKind::index`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExchangeValues(pub [i32; 6]);

impl Default for ExchangeValues {
    /// A king is never won, so his value only has to be larger than all others together.
    fn default() -> ExchangeValues {
        ExchangeValues([100, 325, 325, 500, 1000, 20_000])
    }
}

impl ExchangeValues {
    #[inline(always)]
    fn of(&self, piece: PieceKind) -> i32 {
        self.0[piece.index()]
    }
}

/// A capture of an exchange, or the move that begins it. All figures are those of the side that begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExchangeStep {
    /// The side that captures.
    pub color: Color,
    /// The capturing piece.
    pub piece: PieceKind,
    /// Where it comes from.
    pub from: Square,
    /// What is taken; only the first move may take nothing.
    pub taken: Option<PieceKind>,
    /// What has been won so far, less what has been lost.
    pub balance: i32,
    /// What is certain: at least this. Nothing is before the opponent has taken anything.
    pub alpha: Option<i32>,
    /// At most this.
    pub beta: i32,
}

/// Why an exchange is not followed further.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ExchangeEnd {
    /// No attacker is left that may capture.
    NoAttacker,
    /// The last capture is no better for its side than to stop earlier.
    Pointless,
    /// The threshold lies outside the window: whatever follows, it is reached or missed.
    Settled,
}

/// An exchange, step by step.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExchangeTrace {
    /// The moves in their order.
    pub steps: Vec<ExchangeStep>,
    /// What it is worth to the side that begins; with a threshold only a bound on the side of it where
    /// the exact value lies.
    pub value: i32,
    /// Why there are no more steps.
    pub end: ExchangeEnd,
}

/// An exchange on one square after its first move.
struct Exchange<'a> {
    position: &'a Position,
    occupied: Bitboard,
    /// The pieces of both sides that attack the square at present.
    attackers: Bitboard,
    square: Square,
}

impl Exchange<'_> {
    fn after(position: &Position, mv: Move) -> Exchange<'_> {
        let (from, square) = (mv.from(), mv.to());
        let mut occupied = position.occupied().without(from).with(square);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(Square::from_coords(square.file(), from.rank()));
        }
        let attackers = position.attackers(square, occupied) & occupied;
        Exchange { position, occupied, attackers, square }
    }

    /// The least valuable attacker (LVA) of the side to capture next, removed from the board; a king only
    /// if he cannot be captured in turn.
    #[inline]
    fn next_attacker(&mut self, color: Color) -> Option<(PieceKind, Square)> {
        let ours = self.attackers & self.position.colors(color);
        if ours.is_empty() {
            return None;
        }
        // From pawn to king.
        for piece in PieceKind::ALL {
            let Some(from) = (ours & self.position.pieces(piece)).first() else { continue };
            if piece == PieceKind::King && self.attackers.intersects(self.position.colors(!color)) {
                return None;
            }
            self.occupied = self.occupied.without(from);
            let position = self.position;
            if matches!(piece, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
                self.attackers |=
                    attacks::bishop(self.square, self.occupied) & position.diagonal_sliders();
            }
            if matches!(piece, PieceKind::Rook | PieceKind::Queen) {
                self.attackers |=
                    attacks::rook(self.square, self.occupied) & position.orthogonal_sliders();
            }
            self.attackers &= self.occupied;
            return Some((piece, from));
        }
        None
    }
}

/// What the first move wins at once, and what then stands on the square to be taken.
#[inline]
fn first_gain(position: &Position, mv: Move, values: &ExchangeValues) -> Option<(i32, i32)> {
    let mover = position.kind_at(mv.from())?;
    Some(match mv.kind() {
        MoveKind::Normal => {
            let taken = position.kind_at(mv.to()).map_or(0, |piece| values.of(piece));
            (taken, values.of(mover))
        }
        MoveKind::EnPassant => (values.of(PieceKind::Pawn), values.of(PieceKind::Pawn)),
        MoveKind::Promotion => {
            let taken = position.kind_at(mv.to()).map_or(0, |piece| values.of(piece));
            let promoted = values.of(mv.promoted().unwrap_or(PieceKind::Queen));
            (taken + promoted - values.of(PieceKind::Pawn), promoted)
        }
        // Neither king nor rook can be taken on the square by what reaches it.
        MoveKind::Castling => (0, 0),
    })
}

impl Position {
    /// SEE: the exact value of the exchange that a move begins, for the side that plays it.
    ///
    /// ```
    /// use tabiya_chess::{ExchangeValues, Move, Position, Square};
    /// // The rook takes a pawn that a knight protects.
    /// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4R1K1 w - - 0 1").unwrap();
    /// let capture = Move::normal(Square::E1, Square::E5);
    /// assert_eq!(position.see(capture, &ExchangeValues::default()), 100 - 500);
    /// ```
    pub fn see(&self, mv: Move, values: &ExchangeValues) -> i32 {
        self.follow(mv, values, None, |_| ()).0
    }

    /// The exchange that a move begins, step by step; with a threshold only until it is clear on which
    /// side of it the value lies. No steps if nothing stands where the move comes from.
    ///
    /// ```
    /// use tabiya_chess::{ExchangeValues, Move, Position, Square};
    /// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4R1K1 w - - 0 1").unwrap();
    /// let capture = Move::normal(Square::E1, Square::E5);
    /// let trace = position.see_trace(capture, &ExchangeValues::default(), None);
    /// let balances: Vec<i32> = trace.steps.iter().map(|step| step.balance).collect();
    /// assert_eq!(balances, [100, -400]);
    /// ```
    pub fn see_trace(
        &self,
        mv: Move,
        values: &ExchangeValues,
        threshold: Option<i32>,
    ) -> ExchangeTrace {
        let mut steps = Vec::new();
        let (value, end) = self.follow(mv, values, threshold, |step| steps.push(step));
        ExchangeTrace { steps, value, end }
    }

    /// Follows an exchange with a window; see the [module's documentation](self).
    fn follow(
        &self,
        mv: Move,
        values: &ExchangeValues,
        threshold: Option<i32>,
        mut visit: impl FnMut(ExchangeStep),
    ) -> (i32, ExchangeEnd) {
        let mover = self.kind_at(mv.from());
        let (Some(mover), Some((gain, mut at_stake))) = (mover, first_gain(self, mv, values))
        else {
            return (0, ExchangeEnd::NoAttacker);
        };
        let us = self.side_to_move();
        let mut step = ExchangeStep {
            color: us,
            piece: mover,
            from: mv.from(),
            taken: match mv.kind() {
                MoveKind::EnPassant => Some(PieceKind::Pawn),
                MoveKind::Castling => None,
                MoveKind::Normal | MoveKind::Promotion => self.kind_at(mv.to()),
            },
            balance: gain,
            alpha: None,
            beta: gain,
        };
        visit(step);
        if mv.is_castling() {
            return (gain, ExchangeEnd::NoAttacker);
        }
        let mut exchange = Exchange::after(self, mv);
        let mut on_square = mv.promoted().unwrap_or(mover);
        let end = loop {
            let settled = threshold
                .is_some_and(|least| step.beta < least || step.alpha.is_some_and(|a| a >= least));
            if settled {
                break ExchangeEnd::Settled;
            }
            let color = !step.color;
            let Some((piece, from)) = exchange.next_attacker(color) else {
                break ExchangeEnd::NoAttacker;
            };
            step = ExchangeStep { color, piece, from, taken: Some(on_square), ..step };
            let pointless = if color == us {
                step.balance += at_stake;
                let pointless = step.alpha.is_some_and(|alpha| step.balance <= alpha);
                if !pointless {
                    step.beta = step.beta.min(step.balance);
                }
                pointless
            } else {
                step.balance -= at_stake;
                let pointless = step.balance >= step.beta;
                if !pointless {
                    step.alpha = step.alpha.max(Some(step.balance));
                }
                pointless
            };
            visit(step);
            if pointless {
                break ExchangeEnd::Pointless;
            }
            on_square = piece;
            at_stake = values.of(piece);
        };
        (step.balance.clamp(step.alpha.unwrap_or(i32::MIN), step.beta), end)
    }

    /// SEE with a threshold: is the exchange worth at least `threshold`? Much quicker than its exact
    /// value, since most exchanges are decided after a capture or two.
    ///
    /// ```
    /// use tabiya_chess::{ExchangeValues, Move, Position, Square};
    /// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4R1K1 w - - 0 1").unwrap();
    /// let capture = Move::normal(Square::E1, Square::E5);
    /// assert!(!position.see_ge(capture, 0, &ExchangeValues::default()));
    /// assert!(position.see_ge(capture, -400, &ExchangeValues::default()));
    /// ```
    pub fn see_ge(&self, mv: Move, threshold: i32, values: &ExchangeValues) -> bool {
        let Some((gain, at_stake)) = first_gain(self, mv, values) else { return threshold <= 0 };
        // Even if nothing is taken back this is all.
        let mut balance = gain.saturating_sub(threshold);
        if balance < 0 {
            return false;
        }
        // Even if the piece is lost for nothing this is enough.
        balance -= at_stake;
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange::after(self, mv);
        let us = self.side_to_move();
        let mut side = !us;
        // `balance` is what `us` has beyond the threshold if the piece on the square falls and the
        // exchange ends there; the side to capture needs it on the other side of zero.
        while let Some((piece, _)) = exchange.next_attacker(side) {
            side = !side;
            balance = -balance - 1 - values.of(piece);
            if balance >= 0 {
                break;
            }
        }
        side != us
    }
}
