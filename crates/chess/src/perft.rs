//! Perft: counting the positions that legal play reaches, the proof of a move generator and its speed test.

mod parallel;
mod table;

pub use parallel::{Perft, PerftError};

use crate::board::{Board, code};
use crate::movegen::cpu::{MovegenCpu, with_cpu};
use crate::movegen::generate::{Visitor, origin};
use crate::movegen::stage::All;
use crate::side::{Side, for_side};
use crate::{Bitboard, Move, Position, Square};
use core::marker::PhantomData;

/// How many move sequences of this length there are.
///
/// Single-threaded and without a table: the plain speed of the generator. [`Perft`] has the rest.
///
/// The count goes as deep into the stack as into the game, so that 255 plies are the most.
///
/// ```
/// use tabiya_chess::{Position, perft};
/// assert_eq!(perft(&Position::start(), 4), 197_281);
/// ```
///
/// ```compile_fail
/// use tabiya_chess::{Position, perft};
/// perft(&Position::start(), 1_000_000);
/// ```
pub fn perft(position: &Position, depth: u8) -> u64 {
    perft_board(&position.board, depth.into())
}

/// The same for each legal move: how many sequences begin with it.
pub fn divide(position: &Position, depth: u8) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let count = |mv: Move| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        (mv, perft(&next, rest))
    };
    position.legal_moves().into_iter().map(count).collect()
}

fn perft_board(board: &Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => with_cpu!(cpu => for_side!(board.side_to_move, S => walk::<S>(cpu, board, depth))),
    }
}

fn walk<S: Side>(cpu: impl MovegenCpu, board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        return cpu.count::<S>(board);
    }
    let mut walker = Walker { cpu, board, depth, leaves: 0, side: PhantomData::<S> };
    cpu.generate::<S>(board, &All, &mut walker);
    walker.leaves
}

/// Plays each move and goes on from there.
struct Walker<'a, S, C> {
    cpu: C,
    board: &'a Board,
    depth: u32,
    leaves: u64,
    side: PhantomData<S>,
}

impl<S: Side, C: MovegenCpu> Walker<'_, S, C> {
    #[inline(always)]
    fn descend(&mut self, next: &Board) {
        self.leaves += if self.depth == 2 {
            self.cpu.count::<S::Other>(next)
        } else {
            walk::<S::Other>(self.cpu, next, self.depth - 1)
        };
    }
}

impl<S: Side, C: MovegenCpu> Visitor for Walker<'_, S, C> {
    #[inline(always)]
    fn piece(&mut self, code: u8, from: Square, targets: Bitboard) {
        for to in targets {
            self.descend(&self.board.after::<S>(code, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: i32, targets: Bitboard) {
        for to in targets {
            self.descend(&self.board.after::<S>(code::PAWN, origin(to, step), to));
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, step: i32, targets: Bitboard) {
        for to in targets {
            self.descend(&self.board.after_double_step::<S>(self.cpu, origin(to, step), to));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, step: i32, targets: Bitboard) {
        for to in targets {
            for code in [code::QUEEN, code::ROOK, code::BISHOP, code::KNIGHT] {
                self.descend(&self.board.after::<S>(code, origin(to, step), to));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.descend(&self.board.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.descend(&self.board.after_castling::<S>(king, rook));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks::sliders::{Method, Reader, SliderTable};

    /// Positions with every kind of move, small enough to count in an instant.
    const COUNTS: [(&str, u32, u64); 5] = [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103),
    ];

    /// Whichever way this processor would choose, both are checked where both can run.
    #[test]
    fn every_method_counts_alike() {
        for method in [Method::Magic, Method::Pext] {
            let table = SliderTable::fill(method);
            for (fen, depth, leaves) in COUNTS {
                let board = Position::from_fen(fen).expect("a legal position").board;
                let counted = match table.reader() {
                    Reader::Magic(cpu) => {
                        for_side!(board.side_to_move, S => walk::<S>(cpu, &board, depth))
                    }
                    #[cfg(target_arch = "x86_64")]
                    Reader::Pext(pext) => {
                        let cpu = crate::movegen::wide::MovegenWide(pext);
                        for_side!(board.side_to_move, S => walk::<S>(cpu, &board, depth))
                    }
                };
                assert_eq!(counted, leaves, "{fen} by {method:?}");
            }
        }
    }
}
