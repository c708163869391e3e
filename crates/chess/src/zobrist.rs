//! Zobrist keys: hashes of a position and of its parts, updated incrementally by each move.

use crate::rng::SplitMix64;
use crate::{Bitboard, Color, File, Piece, PieceKind, Square};

/// The keys of a position.
///
/// Two positions with the same pieces, side to move, castling rights and legal en-passant captures have
/// the same keys; the clocks do not count. The partial keys serve tables that depend on a part of the
/// position only, such as correction histories.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keys {
    /// The whole position.
    pub position: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// All other pieces of each color, kings included.
    pub non_pawns: [u64; 2],
    /// Knights and bishops of both sides.
    pub minors: u64,
}

struct Numbers {
    pieces: [[u64; 64]; Piece::COUNT],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut random = SplitMix64::new(0x7461_6269_7961);
    let mut pieces = [[0; 64]; Piece::COUNT];
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            pieces[piece][square] = random.next();
            square += 1;
        }
        piece += 1;
    }
    let mut castling = [0; 64];
    let mut square = 0;
    while square < 64 {
        castling[square] = random.next();
        square += 1;
    }
    let mut en_passant = [0; 8];
    let mut file = 0;
    while file < 8 {
        en_passant[file] = random.next();
        file += 1;
    }
    Numbers { pieces, castling, en_passant, black_to_move: random.next() }
};

impl Keys {
    /// The change of the position key, side to move included, by a move that captures nothing and changes
    /// no rights; the move back changes the key in the same way.
    pub fn reversible_move(piece: Piece, from: Square, to: Square) -> u64 {
        let numbers = &NUMBERS.pieces[piece.index()];
        numbers[from.index()] ^ numbers[to.index()] ^ NUMBERS.black_to_move
    }

    /// Puts a piece on a square or removes it.
    #[inline(always)]
    pub(crate) fn toggle_piece(&mut self, piece: Piece, square: Square) {
        let number = NUMBERS.pieces[piece.index()][square.index()];
        self.position ^= number;
        match piece.kind() {
            PieceKind::Pawn => self.pawns ^= number,
            kind => {
                self.non_pawns[piece.color().index()] ^= number;
                if matches!(kind, PieceKind::Knight | PieceKind::Bishop) {
                    self.minors ^= number;
                }
            }
        }
    }

    /// Adds or removes the castling rights of rooks.
    #[inline(always)]
    pub(crate) fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.position ^= NUMBERS.castling[rook.index()];
        }
    }

    /// Adds or removes the en-passant file.
    #[inline(always)]
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.position ^= NUMBERS.en_passant[file.index()];
    }

    /// Changes the side to move.
    #[inline(always)]
    pub(crate) fn toggle_side_to_move(&mut self) {
        self.position ^= NUMBERS.black_to_move;
    }

    /// The keys from scratch; the incremental ones must equal them.
    pub(crate) fn of(
        pieces: impl Iterator<Item = (Square, Piece)>,
        side_to_move: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
    ) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in pieces {
            keys.toggle_piece(piece, square);
        }
        keys.toggle_castling(castling);
        if let Some(square) = en_passant {
            keys.toggle_en_passant(square.file());
        }
        if side_to_move == Color::Black {
            keys.toggle_side_to_move();
        }
        keys
    }
}
