//! Moves in a list, and the stages that a search asks for.

use super::cpu::{MovegenCpu, with_cpu};
use super::generate::{Visitor, origin};
use super::stage::{All, Captures, MoveStage, QuietChecks, Quiets};
use crate::attacks::rays::Slider;
use crate::side::for_side;
use crate::{Bitboard, Move, PieceKind, Position, Square};
use arrayvec::ArrayVec;
use core::ops::Deref;

/// No position that can be built has more legal moves than this.
///
/// A side has a king and at most fifteen other pieces. None of these has more moves than a queen on an
/// empty board has from the same square (a pawn has twelve at most, about to promote, and a queen never
/// less than 21), and no two share a square; so the fifteen best queen squares bound them together.
/// The king has eight steps and two castlings.
const CAPACITY: usize = {
    let mut by_moves = [0; 28];
    let mut square = 0;
    while square < 64 {
        let mut moves = 0;
        let mut i = 0;
        while i < 2 {
            let reach = Slider::ALL[i].attacks(Square::ALL[square], Bitboard::EMPTY);
            moves += reach.len() as usize;
            i += 1;
        }
        by_moves[moves] += 1;
        square += 1;
    }
    let (mut total, mut pieces, mut moves) = (8 + 2, 15, 27);
    while pieces > 0 {
        let here = if by_moves[moves] < pieces { by_moves[moves] } else { pieces };
        total += here * moves;
        pieces -= here;
        moves -= 1;
    }
    total
};

/// Legal moves of a position, held in place: no allocation, and room for any position there is.
#[derive(Clone, Debug, Default)]
pub struct MoveList {
    moves: ArrayVec<Move, CAPACITY>,
}

impl MoveList {
    /// No position has more legal moves than this.
    pub const CAPACITY: usize = CAPACITY;

    /// A list with nothing in it.
    #[inline]
    pub fn new() -> MoveList {
        MoveList { moves: ArrayVec::new_const() }
    }

    /// Takes all moves out.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, CAPACITY>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.iter()
    }
}

impl Visitor for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: u8, from: Square, targets: Bitboard) {
        for to in targets {
            self.moves.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, targets: Bitboard) {
        for to in targets {
            self.moves.push(Move::normal(origin(to, step), to));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, step: i32, targets: Bitboard) {
        self.pawns(step, targets);
    }

    #[inline(always)]
    fn promotions(&mut self, step: i32, targets: Bitboard) {
        for to in targets {
            for kind in PieceKind::PROMOTIONS {
                self.moves.push(Move::promotion(origin(to, step), to, kind));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.moves.push(Move::en_passant(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.moves.push(Move::castling(king, rook));
    }
}

impl Position {
    /// Every legal move.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// // The most that any position from a game can have.
    /// let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    /// assert_eq!(Position::from_fen(fen).unwrap().legal_moves().len(), 218);
    /// ```
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(&All, &mut list);
        list
    }

    /// Adds every legal move to a list. In check these are the evasions.
    ///
    /// # Panics
    /// This and the other stages panic if the list already holds moves and these do not fit any more:
    /// a list has room for one position.
    #[inline]
    pub fn add_legal_moves(&self, list: &mut MoveList) {
        self.generate(&All, list);
    }

    /// Adds the captures and the promotions to a list.
    #[inline]
    pub fn add_captures(&self, list: &mut MoveList) {
        self.generate(&Captures, list);
    }

    /// Adds the quiet moves to a list: all that are neither captures nor promotions.
    #[inline]
    pub fn add_quiets(&self, list: &mut MoveList) {
        self.generate(&Quiets, list);
    }

    /// Adds the quiet moves that give check to a list.
    #[inline]
    pub fn add_quiet_checks(&self, list: &mut MoveList) {
        self.generate(&QuietChecks::of(self), list);
    }

    /// How many legal moves there are; quicker than listing them.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let board = &self.board;
        with_cpu!(cpu => for_side!(board.side_to_move, S => cpu.count::<S>(board))) as usize
    }

    #[inline(always)]
    fn generate(&self, stage: &impl MoveStage, list: &mut MoveList) {
        let board = &self.board;
        with_cpu!(cpu => for_side!(board.side_to_move, S => cpu.generate::<S>(board, stage, list)));
    }
}
