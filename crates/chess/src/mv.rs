//! Moves, in 16 bits.

use crate::{PieceKind, Square};
use core::fmt;
use core::num::NonZeroU16;

/// A move: from where, to where, and what is special about it.
///
/// Two bytes, and so is `Option<Move>`: no move goes from a1 to a1, so zero is free. Castling is
/// stored as the king taking his own rook, which is the one way that fits Chess960 too;
/// [`Move::uci`] writes it either way.
///
/// | bits  | meaning                                  |
/// |-------|------------------------------------------|
/// | 0-5   | from                                     |
/// | 6-11  | to (castling: the rook's square)         |
/// | 12-13 | promotion: knight, bishop, rook, queen   |
/// | 14-15 | normal, promotion, en passant, castling   |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// None of the others: a piece moves, and captures what stands on its target.
    Normal,
    /// A pawn reaches the last rank.
    Promotion,
    /// A pawn captures another en passant.
    EnPassant,
    /// The king castles.
    Castling,
}

const KINDS: [MoveKind; 4] =
    [MoveKind::Normal, MoveKind::Promotion, MoveKind::EnPassant, MoveKind::Castling];

const PROMOTED: [PieceKind; 4] =
    [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

impl Move {
    #[inline(always)]
    const fn pack(from: Square, to: Square, promoted: u16, kind: MoveKind) -> Move {
        let bits = from as u16 | (to as u16) << 6 | promoted << 12 | (kind as u16) << 14;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            // Only a normal move from a1 to a1 comes here, and that is never legal.
            None => Move(NonZeroU16::MAX),
        }
    }

    /// A normal move.
    #[inline(always)]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(from, to, 0, MoveKind::Normal)
    }

    /// A pawn's move to the last rank. A promotion to pawn or king is read as one to queen.
    #[inline(always)]
    pub const fn promotion(from: Square, to: Square, kind: PieceKind) -> Move {
        let promoted = match kind {
            PieceKind::Knight => 0,
            PieceKind::Bishop => 1,
            PieceKind::Rook => 2,
            PieceKind::Queen | PieceKind::Pawn | PieceKind::King => 3,
        };
        Move::pack(from, to, promoted, MoveKind::Promotion)
    }

    /// An en-passant capture.
    #[inline(always)]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(from, to, 0, MoveKind::EnPassant)
    }

    /// Castling: the king's square and the rook's.
    #[inline(always)]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(king, rook, 0, MoveKind::Castling)
    }

    /// The move behind 16 bits that [`Move::bits`] gave. Bits from elsewhere give a move that may be
    /// nonsense; [`Position::is_legal`](crate::Position::is_legal) checks.
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The 16 bits; never zero.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0.get() as u32)
    }

    /// The square that the piece goes to; in castling, the rook's square.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping(self.0.get() as u32 >> 6)
    }

    /// What is special about it.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        KINDS[(self.0.get() >> 14) as usize]
    }

    /// What the pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self.kind() {
            MoveKind::Promotion => Some(PROMOTED[(self.0.get() >> 12 & 3) as usize]),
            _ => None,
        }
    }

    /// Is it castling?
    #[inline(always)]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind(), MoveKind::Castling)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match (self.kind(), self.promoted()) {
            (_, Some(kind)) => write!(f, "{}", kind.letter()),
            (MoveKind::EnPassant, _) => f.write_str(" e.p."),
            (MoveKind::Castling, _) => f.write_str(" castling"),
            _ => Ok(()),
        }
    }
}
