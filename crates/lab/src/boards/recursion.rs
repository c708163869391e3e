//! The two recursions of the thesis (A.1): the same count, once by the bare generator, once by what a
//! search would do.

use super::exchange;
use super::{Board, BoardMove, Moves, leaves_king_safe};
use arrayvec::ArrayVec;

/// Generates all moves, makes each, and drops those that leave the king attacked. Leaves are counted one
/// by one, after they were made.
pub fn basic<B: Board>(board: &mut B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let us = board.side_to_move();
    let mut moves = Moves::new();
    board.captures(&mut moves);
    board.quiets(&mut moves);
    let mut leaves = 0;
    for mv in moves {
        let undo = board.make(mv);
        if !board.is_attacked(board.king(us), !us) {
            leaves += basic(board, depth - 1);
        }
        board.unmake(mv, undo);
    }
    leaves
}

/// Picks moves as a search does: good captures, quiet moves, bad captures, each tested for legality before
/// it is made; in check, whatever gets the king out of it.
pub fn advanced<B: Board>(board: &mut B, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let us = board.side_to_move();
    let in_check = board.is_attacked(board.king(us), !us);
    let mut picker = Picker::new(board);
    let mut leaves = 0;
    while let Some(mv) = picker.next(board) {
        let legal = if in_check { leaves_king_safe(board, mv) } else { board.is_legal(mv) };
        if legal {
            let undo = board.make(mv);
            leaves += advanced(board, depth - 1);
            board.unmake(mv, undo);
        }
    }
    leaves
}

enum Stage {
    Captures,
    Quiets,
    BadCaptures,
}

/// Hands out moves, stage by stage.
struct Picker {
    stage: Stage,
    moves: Moves,
    next: usize,
    bad: ArrayVec<BoardMove, 128>,
}

impl Picker {
    fn new<B: Board>(board: &mut B) -> Picker {
        let mut moves = Moves::new();
        board.captures(&mut moves);
        let mut bad = ArrayVec::new();
        moves.retain(|mv| {
            let good = exchange::is_good_capture(board, *mv);
            if !good {
                // More bad captures than any position has would be tried with the good ones.
                return bad.try_push(*mv).is_err();
            }
            good
        });
        Picker { stage: Stage::Captures, moves, next: 0, bad }
    }

    fn next<B: Board>(&mut self, board: &B) -> Option<BoardMove> {
        loop {
            if let Some(&mv) = self.moves.get(self.next) {
                self.next += 1;
                return Some(mv);
            }
            self.next = 0;
            self.moves.clear();
            match self.stage {
                Stage::Captures => {
                    board.quiets(&mut self.moves);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    self.moves.extend(self.bad.iter().copied());
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => return None,
            }
        }
    }
}
