//! Static exchange evaluation: what a capture wins or loses when both sides go on capturing on the
//! square, always with the least man, and stop when it suits them.
//!
//! Pins are not looked at; a king never captures into an attack. Men behind men on a line join in as
//! the line opens.

use crate::attacks;
use crate::{Bitboard, Move, MoveKind, Piece, Position};

/// What men are worth in an exchange, by [`Piece::index`].
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
    fn of(&self, piece: Piece) -> i32 {
        self.0[piece.index()]
    }
}

/// An exchange on one square after its first move.
struct Exchange<'a> {
    position: &'a Position,
    occupied: Bitboard,
    /// Men of both sides that reach the square as things stand.
    attackers: Bitboard,
    square: crate::Square,
}

impl Exchange<'_> {
    fn after(position: &Position, mv: Move) -> Exchange<'_> {
        let (from, square) = (mv.from(), mv.to());
        let mut occupied = position.occupied().without(from).with(square);
        if mv.kind() == MoveKind::EnPassant {
            occupied = occupied.without(crate::Square::from_coords(square.file(), from.rank()));
        }
        let attackers = position.attackers(square, occupied) & occupied;
        Exchange { position, occupied, attackers, square }
    }

    /// The least man of the side to capture next, taken off the board; a king only if nothing can
    /// take him back.
    #[inline]
    fn next_attacker(&mut self, colour: crate::Colour) -> Option<Piece> {
        let ours = self.attackers & self.position.colour(colour);
        if ours.is_empty() {
            return None;
        }
        // From the least man to the king.
        for piece in Piece::ALL {
            let Some(from) = (ours & self.position.pieces(piece)).first() else { continue };
            if piece == Piece::King && self.attackers.meets(self.position.colour(!colour)) {
                return None;
            }
            self.occupied = self.occupied.without(from);
            let position = self.position;
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                self.attackers |=
                    attacks::bishop(self.square, self.occupied) & position.diagonal_sliders();
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                self.attackers |=
                    attacks::rook(self.square, self.occupied) & position.orthogonal_sliders();
            }
            self.attackers &= self.occupied;
            return Some(piece);
        }
        None
    }
}

/// What the first move wins at once, and what then stands on the square to be taken.
#[inline]
fn first_gain(position: &Position, mv: Move, values: &ExchangeValues) -> Option<(i32, i32)> {
    let mover = position.piece_at(mv.from())?;
    Some(match mv.kind() {
        MoveKind::Ordinary => {
            let taken = position.piece_at(mv.to()).map_or(0, |piece| values.of(piece));
            (taken, values.of(mover))
        }
        MoveKind::EnPassant => (values.of(Piece::Pawn), values.of(Piece::Pawn)),
        MoveKind::Promotion => {
            let taken = position.piece_at(mv.to()).map_or(0, |piece| values.of(piece));
            let promoted = values.of(mv.promoted().unwrap_or(Piece::Queen));
            (taken + promoted - values.of(Piece::Pawn), promoted)
        }
        // Neither king nor rook can be taken on the square by what reaches it.
        MoveKind::Castling => (0, 0),
    })
}

impl Position {
    /// The exact value of the exchange that a move begins, for the side that plays it.
    ///
    /// ```
    /// use tabiya_chess::{ExchangeValues, Move, Position, Square};
    /// // The rook takes a pawn that a knight protects.
    /// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4R1K1 w - - 0 1").unwrap();
    /// let capture = Move::ordinary(Square::E1, Square::E5);
    /// assert_eq!(position.see(capture, &ExchangeValues::default()), 100 - 500);
    /// ```
    pub fn see(&self, mv: Move, values: &ExchangeValues) -> i32 {
        let Some((gain, mut at_stake)) = first_gain(self, mv, values) else { return 0 };
        if mv.is_castling() {
            return 0;
        }
        let mut exchange = Exchange::after(self, mv);
        let mut gains = arrayvec::ArrayVec::<i32, 32>::new();
        gains.push(gain);
        let mut side = !self.turn();
        while let Some(piece) = exchange.next_attacker(side) {
            // 32 men at most: after the first capture at most 30 more can follow.
            if gains.try_push(at_stake - gains[gains.len() - 1]).is_err() {
                break;
            }
            at_stake = values.of(piece);
            side = !side;
        }
        // Backwards: each side but the first may stop instead of capturing.
        while gains.len() > 1 {
            let reply = gains.pop().unwrap_or(0);
            let last = gains.len() - 1;
            gains[last] = -reply.max(-gains[last]);
        }
        gains[0]
    }

    /// Is the exchange worth at least `threshold`? Much quicker than its exact value, since most
    /// exchanges are decided after a capture or two.
    ///
    /// ```
    /// use tabiya_chess::{ExchangeValues, Move, Position, Square};
    /// let position = Position::from_fen("4k3/8/2n5/4p3/8/8/8/4R1K1 w - - 0 1").unwrap();
    /// let capture = Move::ordinary(Square::E1, Square::E5);
    /// assert!(!position.see_reaches(capture, 0, &ExchangeValues::default()));
    /// assert!(position.see_reaches(capture, -400, &ExchangeValues::default()));
    /// ```
    pub fn see_reaches(&self, mv: Move, threshold: i32, values: &ExchangeValues) -> bool {
        let Some((gain, at_stake)) = first_gain(self, mv, values) else { return threshold <= 0 };
        // Even if nothing is taken back this is all.
        let mut balance = gain.saturating_sub(threshold);
        if balance < 0 {
            return false;
        }
        // Even if the man is lost for nothing this is enough.
        balance -= at_stake;
        if balance >= 0 {
            return true;
        }
        let mut exchange = Exchange::after(self, mv);
        let us = self.turn();
        let mut side = !us;
        // `balance` is what `us` has beyond the threshold if the man on the square falls and the
        // exchange ends there; whoever is to capture needs it on the other side of zero.
        while let Some(piece) = exchange.next_attacker(side) {
            side = !side;
            balance = -balance - 1 - values.of(piece);
            if balance >= 0 {
                break;
            }
        }
        side != us
    }
}
