//! The bitboards, castling rights and side to move: all that decides which moves are legal.

use crate::attacks::{self, sliders::Sliders};
use crate::side::Side;
use crate::{Bitboard, Color, File, Piece, PieceKind, Square};

/// The code of a [`PieceKind`] in the planes.
///
/// The codes are chosen so that the sets that move generation asks for are one operation away: plane
/// 2 holds the sliders, and of these plane 0 those that move on diagonals and plane 1 those that move
/// on ranks and files. A queen is in both.
pub(crate) mod code {
    pub(crate) const PAWN: u8 = 0b001;
    pub(crate) const KNIGHT: u8 = 0b010;
    pub(crate) const KING: u8 = 0b011;
    pub(crate) const BISHOP: u8 = 0b101;
    pub(crate) const ROOK: u8 = 0b110;
    pub(crate) const QUEEN: u8 = 0b111;

    /// By [`PieceKind::index`](crate::PieceKind::index).
    pub(crate) const OF_KIND: [u8; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];
}

/// Pieces, castling rights, en passant and the side to move, in 48 bytes.
///
/// Four planes of 64 bits hold all the pieces: three for the kind and one for the color. Playing a move
/// is a handful of operations on each, with no search for what was taken, and so is copying; this is
/// what makes perft fast. [`Position`](crate::Position) adds the keys, the mailbox and the checkers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Board {
    /// Bits of the kind in planes 0 to 2; plane 3 holds Black's pieces.
    planes: [u64; 4],
    /// The rooks that may still castle.
    pub(crate) castling: Bitboard,
    /// The square behind a pawn that has just made a double step; only if it can legally be taken.
    pub(crate) en_passant: Option<Square>,
    pub(crate) side_to_move: Color,
}

impl Board {
    pub(crate) const EMPTY: Board = Board {
        planes: [0; 4],
        castling: Bitboard::EMPTY,
        en_passant: None,
        side_to_move: Color::White,
    };

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        Bitboard(self.planes[0] | self.planes[1] | self.planes[2])
    }

    #[inline(always)]
    pub(crate) fn colors(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.occupied() - Bitboard(self.planes[3]),
            Color::Black => Bitboard(self.planes[3]),
        }
    }

    #[inline(always)]
    pub(crate) fn pawns(&self) -> Bitboard {
        Bitboard(self.planes[0] & !self.planes[1] & !self.planes[2])
    }

    #[inline(always)]
    pub(crate) fn knights(&self) -> Bitboard {
        Bitboard(self.planes[1] & !self.planes[0] & !self.planes[2])
    }

    #[inline(always)]
    pub(crate) fn kings(&self) -> Bitboard {
        Bitboard(self.planes[0] & self.planes[1] & !self.planes[2])
    }

    /// Bishops and queens.
    #[inline(always)]
    pub(crate) fn diagonal(&self) -> Bitboard {
        Bitboard(self.planes[2] & self.planes[0])
    }

    /// Rooks and queens.
    #[inline(always)]
    pub(crate) fn orthogonal(&self) -> Bitboard {
        Bitboard(self.planes[2] & self.planes[1])
    }

    #[inline(always)]
    pub(crate) fn bishops(&self) -> Bitboard {
        Bitboard(self.planes[2] & self.planes[0] & !self.planes[1])
    }

    #[inline(always)]
    pub(crate) fn rooks(&self) -> Bitboard {
        Bitboard(self.planes[2] & self.planes[1] & !self.planes[0])
    }

    #[inline(always)]
    pub(crate) fn queens(&self) -> Bitboard {
        Bitboard(self.planes[2] & self.planes[1] & self.planes[0])
    }

    #[inline(always)]
    pub(crate) fn pieces(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Pawn => self.pawns(),
            PieceKind::Knight => self.knights(),
            PieceKind::Bishop => self.bishops(),
            PieceKind::Rook => self.rooks(),
            PieceKind::Queen => self.queens(),
            PieceKind::King => self.kings(),
        }
    }

    /// The king's square. A board has one king a side; on the empty board under construction this is
    /// a1.
    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        Square::wrapping((self.kings() & self.colors(color)).0.trailing_zeros())
    }

    /// The pieces of both colors that attack a square, when `occupied` squares are in the way.
    #[inline(always)]
    pub(crate) fn attackers(
        &self,
        sliders: impl Sliders,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let (white, black) = (self.colors(Color::White), self.colors(Color::Black));
        attacks::pawn(Color::Black, square) & self.pawns() & white
            | attacks::pawn(Color::White, square) & self.pawns() & black
            | attacks::knight(square) & self.knights()
            | attacks::king(square) & self.kings()
            | sliders.bishop(square, occupied) & self.diagonal()
            | sliders.rook(square, occupied) & self.orthogonal()
    }

    /// Puts a piece on a square, in place of one that stands there.
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        let code = code::OF_KIND[piece.kind().index()];
        *self = match piece.color() {
            Color::White => self.relocated::<crate::side::White>(code, square, square),
            Color::Black => self.relocated::<crate::side::Black>(code, square, square),
        };
    }

    /// After a piece of `S` with this code has gone from one square to another, taking what was there.
    /// Rights of rooks that moved or fell are gone, and so is en passant.
    #[inline(always)]
    fn relocated<S: Side>(&self, code: u8, from: Square, to: Square) -> Board {
        let set = 1 << to as u32;
        let keep = !(set | 1 << from as u32);
        let black = matches!(S::COLOR, Color::Black) as u8;
        let bits = code | black << 3;
        let plane = |i: usize| self.planes[i] & keep | if bits >> i & 1 != 0 { set } else { 0 };
        Board {
            planes: [plane(0), plane(1), plane(2), plane(3)],
            castling: self.castling & Bitboard(keep),
            en_passant: None,
            side_to_move: S::Other::COLOR,
        }
    }

    /// After a normal move, except a pawn's double step.
    #[inline(always)]
    pub(crate) fn after<S: Side>(&self, code: u8, from: Square, to: Square) -> Board {
        let mut next = self.relocated::<S>(code, from, to);
        if code == code::KING {
            next.castling -= S::HOME;
        }
        next
    }

    /// After a pawn's double step.
    #[inline(always)]
    pub(crate) fn after_double_step<S: Side>(
        &self,
        sliders: impl Sliders,
        from: Square,
        to: Square,
    ) -> Board {
        let mut next = self.relocated::<S>(code::PAWN, from, to);
        let passed = Square::wrapping((to as i32 - S::FORWARD) as u32);
        let takers = attacks::pawn(S::COLOR, passed) & next.pawns() & next.colors(S::Other::COLOR);
        if !takers.is_empty()
            && takers
                .into_iter()
                .any(|taker| next.en_passant_is_legal::<S::Other>(sliders, taker, passed))
        {
            next.en_passant = Some(passed);
        }
        next
    }

    /// After an en-passant capture.
    #[inline(always)]
    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Board {
        let mut next = self.relocated::<S>(code::PAWN, from, to);
        let taken = Bitboard(1 << ((to as i32 - S::FORWARD) as u32 & 63));
        for plane in &mut next.planes {
            *plane &= !taken.0;
        }
        next
    }

    /// After castling with the rook on a square.
    #[inline(always)]
    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Board {
        let (king_to, rook_to) = castling_targets(king, rook);
        // Off the board first: in Chess960 either may come to stand where the other was.
        let mut lifted = *self;
        for plane in &mut lifted.planes {
            *plane &= !(1 << king as u32 | 1 << rook as u32);
        }
        let mut next = lifted.relocated::<S>(code::KING, king_to, king_to);
        next = next.relocated::<S>(code::ROOK, rook_to, rook_to);
        next.castling = self.castling - S::HOME;
        next
    }

    /// Does an en-passant capture by `S` leave the king out of check?
    ///
    /// Two pawns leave their squares at once, so lines may open that no pin knows of. Checks by
    /// leapers cannot be open here: the double step that allowed the capture gave none but the
    /// pawn's own, and that pawn is taken.
    #[inline(always)]
    pub(crate) fn en_passant_is_legal<S: Side>(
        &self,
        sliders: impl Sliders,
        from: Square,
        to: Square,
    ) -> bool {
        let taken = Square::wrapping((to as i32 - S::FORWARD) as u32);
        let occupied = self.occupied().without(from).without(taken).with(to);
        let king = self.king(S::COLOR);
        let enemies = self.colors(S::Other::COLOR);
        (sliders.bishop(king, occupied) & self.diagonal() & enemies
            | sliders.rook(king, occupied) & self.orthogonal() & enemies)
            .is_empty()
    }
}

/// Where king and rook come to stand when they castle.
///
/// ```
/// use tabiya_chess::{Square, castling_targets};
/// assert_eq!(castling_targets(Square::E1, Square::A1), (Square::C1, Square::D1));
/// ```
#[inline(always)]
pub const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) =
        if rook as u8 > king as u8 { (File::G, File::F) } else { (File::C, File::D) };
    (Square::from_coords(king_file, king.rank()), Square::from_coords(rook_file, king.rank()))
}
