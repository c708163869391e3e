//! Zobrist keys: numbers that tell positions apart, kept up to date move by move.

use crate::rng::SplitMix64;
use crate::{Bitboard, Color, File, Piece, PieceKind, Square};

/// The keys of a position.
///
/// Two positions with the same men, turn, castling rights and legal en-passant captures have the same
/// keys; the clocks do not count. The partial keys serve tables that depend on a part of the position
/// only.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keys {
    /// The whole position.
    pub position: u64,
    /// The pawns of both sides.
    pub pawns: u64,
    /// All other men, king included, of each color.
    pub non_pawns: [u64; 2],
    /// Knights and bishops of both sides.
    pub minors: u64,
    /// Rooks and queens of both sides.
    pub majors: u64,
}

struct Numbers {
    men: [[u64; 64]; Piece::COUNT],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static NUMBERS: Numbers = {
    let mut random = SplitMix64::new(0x7461_6269_7961);
    let mut men = [[0; 64]; Piece::COUNT];
    let mut man = 0;
    while man < Piece::COUNT {
        let mut square = 0;
        while square < 64 {
            men[man][square] = random.next();
            square += 1;
        }
        man += 1;
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
    Numbers { men, castling, en_passant, black_to_move: random.next() }
};

impl Keys {
    /// What a man's move from one square to another, which takes nothing and changes no rights,
    /// changes of a position's key, the turn included; the same as what its way back changes.
    pub fn reversible_move(man: Piece, from: Square, to: Square) -> u64 {
        let numbers = &NUMBERS.men[man.index()];
        numbers[from.index()] ^ numbers[to.index()] ^ NUMBERS.black_to_move
    }

    /// Puts a man on a square or takes it away.
    #[inline(always)]
    pub(crate) fn toggle_man(&mut self, man: Piece, square: Square) {
        let number = NUMBERS.men[man.index()][square.index()];
        self.position ^= number;
        match man.kind() {
            PieceKind::Pawn => self.pawns ^= number,
            piece => {
                self.non_pawns[man.color().index()] ^= number;
                match piece {
                    PieceKind::Knight | PieceKind::Bishop => self.minors ^= number,
                    PieceKind::Rook | PieceKind::Queen => self.majors ^= number,
                    _ => {}
                }
            }
        }
    }

    /// Gives or takes the castling rights of rooks.
    #[inline(always)]
    pub(crate) fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.position ^= NUMBERS.castling[rook.index()];
        }
    }

    /// Gives or takes the right to capture in passing.
    #[inline(always)]
    pub(crate) fn toggle_en_passant(&mut self, file: File) {
        self.position ^= NUMBERS.en_passant[file.index()];
    }

    /// Passes the turn.
    #[inline(always)]
    pub(crate) fn toggle_turn(&mut self) {
        self.position ^= NUMBERS.black_to_move;
    }

    /// The keys from nothing: what the ones kept move by move must equal.
    pub(crate) fn of(
        men: impl Iterator<Item = (Square, Piece)>,
        turn: Color,
        castling: Bitboard,
        en_passant: Option<Square>,
    ) -> Keys {
        let mut keys = Keys::default();
        for (square, man) in men {
            keys.toggle_man(man, square);
        }
        keys.toggle_castling(castling);
        if let Some(square) = en_passant {
            keys.toggle_en_passant(square.file());
        }
        if turn == Color::Black {
            keys.toggle_turn();
        }
        keys
    }
}
