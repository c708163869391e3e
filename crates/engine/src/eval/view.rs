//! The board as one side sees it: turned so that this side moves up.
//!
//! All terms are written for such a view and run once for each side. Turning a set is one
//! instruction, and it buys a code half the size that treats both colors alike by construction.

use tabiya_chess::{Bitboard, Color, File, PieceKind, Position, Rank, Square};

/// The pieces of one side.
#[derive(Clone, Copy)]
pub(super) struct Pieces {
    pub(super) all: Bitboard,
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    pub(super) king: Square,
}

impl Pieces {
    #[inline(always)]
    pub(super) fn of(position: &Position, color: Color) -> Pieces {
        let all = position.colors(color);
        Pieces {
            all,
            pawns: position.pieces(PieceKind::Pawn) & all,
            knights: position.pieces(PieceKind::Knight) & all,
            bishops: position.pieces(PieceKind::Bishop) & all,
            rooks: position.pieces(PieceKind::Rook) & all,
            queens: position.pieces(PieceKind::Queen) & all,
            king: position.king(color),
        }
    }

    #[inline(always)]
    pub(super) fn turned(&self) -> Pieces {
        Pieces {
            all: self.all.flip_ranks(),
            pawns: self.pawns.flip_ranks(),
            knights: self.knights.flip_ranks(),
            bishops: self.bishops.flip_ranks(),
            rooks: self.rooks.flip_ranks(),
            queens: self.queens.flip_ranks(),
            king: self.king.flip_ranks(),
        }
    }

    #[inline(always)]
    pub(super) fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }

    /// Knights to queens.
    #[inline(always)]
    pub(super) fn officers(&self) -> Bitboard {
        self.knights | self.bishops | self.rooks | self.queens
    }
}

/// Both sides' pieces as one of them sees the board.
#[derive(Clone, Copy)]
pub(super) struct View {
    pub(super) own: Pieces,
    pub(super) enemy: Pieces,
    pub(super) occupied: Bitboard,
}

impl View {
    /// White's view and Black's.
    #[inline(always)]
    pub(super) fn both(position: &Position) -> [View; 2] {
        let white = Pieces::of(position, Color::White);
        let black = Pieces::of(position, Color::Black);
        let occupied = white.all | black.all;
        [
            View { own: white, enemy: black, occupied },
            View { own: black.turned(), enemy: white.turned(), occupied: occupied.flip_ranks() },
        ]
    }
}

/// What one side's pieces attack, in that side's own view.
#[derive(Clone, Copy)]
pub(super) struct Attacks {
    pub(super) pawns: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    pub(super) king: Bitboard,
    /// By any piece.
    pub(super) all: Bitboard,
    /// By two pieces or more.
    pub(super) twice: Bitboard,
}

impl Attacks {
    #[inline(always)]
    pub(super) fn turned(&self) -> Attacks {
        Attacks {
            pawns: self.pawns.flip_ranks(),
            knights: self.knights.flip_ranks(),
            bishops: self.bishops.flip_ranks(),
            rooks: self.rooks.flip_ranks(),
            queens: self.queens.flip_ranks(),
            king: self.king.flip_ranks(),
            all: self.all.flip_ranks(),
            twice: self.twice.flip_ranks(),
        }
    }
}

/// The four squares in the middle.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The twelve squares around them.
pub(super) const CENTER_RING: Bitboard = Bitboard(0x0000_3C3C_3C3C_0000 & !CENTER.0);

/// Ranks of a view, joined.
pub(super) const fn ranks(from: Rank, to: Rank) -> Bitboard {
    let mut set = 0;
    let mut rank = from as usize;
    while rank <= to as usize {
        set |= Bitboard::rank(Rank::ALL[rank]).0;
        rank += 1;
    }
    Bitboard(set)
}

/// Files, joined.
pub(super) const fn files(from: File, to: File) -> Bitboard {
    let mut set = 0;
    let mut file = from as usize;
    while file <= to as usize {
        set |= Bitboard::file(File::ALL[file]).0;
        file += 1;
    }
    Bitboard(set)
}

/// Every square one step up.
#[inline(always)]
pub(super) const fn up(set: Bitboard) -> Bitboard {
    set.forward(Color::White)
}

/// Every square one step down.
#[inline(always)]
pub(super) const fn down(set: Bitboard) -> Bitboard {
    set.forward(Color::Black)
}

/// The squares of a set and all above them.
#[inline(always)]
pub(super) const fn fill_up(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    bits |= bits << 8;
    bits |= bits << 16;
    bits |= bits << 32;
    Bitboard(bits)
}

/// The squares of a set and all below them.
#[inline(always)]
pub(super) const fn fill_down(set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    bits |= bits >> 8;
    bits |= bits >> 16;
    bits |= bits >> 32;
    Bitboard(bits)
}

/// The squares above one square on its file.
#[inline(always)]
pub(super) const fn above(square: Square) -> Bitboard {
    Bitboard(Bitboard::file(File::A).0 << (square as u32) << 8)
}

/// The squares below one square on its file.
#[inline(always)]
pub(super) const fn below(square: Square) -> Bitboard {
    Bitboard(Bitboard::file(File::H).0 >> (63 - square as u32) >> 8)
}

/// The squares that pawns attack.
#[inline(always)]
pub(super) const fn pawn_attacks(pawns: Bitboard) -> Bitboard {
    Bitboard(up(pawns.east()).0 | up(pawns.west()).0)
}

/// Files from the edge: a and h are 0, d and e are 3.
#[inline(always)]
pub(super) const fn edge(square: Square) -> usize {
    let file = square as usize & 7;
    if file < 4 { file } else { 7 - file }
}

/// The nine squares around a king, moved in from the edge if he stands there.
#[inline(always)]
pub(super) fn king_ring(king: Square) -> Bitboard {
    RINGS[king.index()]
}

static RINGS: [Bitboard; 64] = {
    let mut rings = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let (mut file, mut rank) = (square & 7, square >> 3);
        if file == 0 {
            file = 1;
        } else if file == 7 {
            file = 6;
        }
        if rank == 0 {
            rank = 1;
        } else if rank == 7 {
            rank = 6;
        }
        rings[square] = Bitboard(0x0007_0707 << (8 * (rank - 1) + file - 1));
        square += 1;
    }
    rings
};

/// How squares are seen from a king: mirrored so that he stands on the e- to h-file, and by where he
/// lives.
#[derive(Clone, Copy)]
pub(super) struct KingFrame {
    flip: usize,
    /// Corner, middle, or out.
    pub(super) home: usize,
}

impl KingFrame {
    /// Of a king in his own side's view.
    #[inline(always)]
    pub(super) const fn of(king: Square) -> KingFrame {
        let file = king as usize & 7;
        let flip = if file < 4 { 7 } else { 0 };
        let home = if king as usize >= 16 {
            2
        } else if edge(king) < 2 {
            0
        } else {
            1
        };
        KingFrame { flip, home }
    }

    /// A square as seen from this king.
    #[inline(always)]
    pub(super) const fn place(self, square: Square) -> usize {
        square as usize ^ self.flip
    }
}

/// The king's own square, folded onto the e- to h-file.
#[inline(always)]
pub(super) const fn half_square(king: Square) -> usize {
    (king as usize >> 3) * 4 + 3 - edge(king)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_along_files() {
        assert_eq!(above(Square::C6), Bitboard::square(Square::C7).with(Square::C8));
        assert_eq!(above(Square::H8), Bitboard::EMPTY);
        assert_eq!(below(Square::C3), Bitboard::square(Square::C2).with(Square::C1));
        assert_eq!(below(Square::A1), Bitboard::EMPTY);
        assert_eq!(fill_up(Square::B7.into()), Bitboard::square(Square::B7).with(Square::B8));
        assert_eq!(fill_down(Square::B2.into()), Bitboard::square(Square::B2).with(Square::B1));
    }

    #[test]
    fn rings_have_nine_squares() {
        for king in Square::ALL {
            assert_eq!(king_ring(king).len(), 9);
            assert!(king_ring(king).contains(king));
            assert_eq!(king_ring(king).flip_files(), king_ring(king.flip_files()));
            assert_eq!(king_ring(king).flip_ranks(), king_ring(king.flip_ranks()));
        }
    }

    #[test]
    fn folding_mirrors() {
        for king in Square::ALL {
            assert_eq!(half_square(king), half_square(king.flip_files()));
            let (frame, mirrored) = (KingFrame::of(king), KingFrame::of(king.flip_files()));
            assert_eq!(frame.home, mirrored.home);
            for square in Square::ALL {
                assert_eq!(frame.place(square), mirrored.place(square.flip_files()));
            }
            assert!(frame.place(king) & 7 >= 4);
        }
        assert_eq!(half_square(Square::E1), 0);
        assert_eq!(half_square(Square::H8), 31);
    }
}
