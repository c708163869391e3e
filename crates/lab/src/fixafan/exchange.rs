//! What a capture wins when both sides go on taking on the same square, the least man first.

use super::board::{Board, MAN, Move};
use super::generate::{self, CastlingRule};

/// What a capture wins or loses, in the units of the board's worth.
pub fn gain(board: &Board, mv: Move) -> i32 {
    let mut board = board.clone();
    let value = board.value(mv.prey & MAN);
    board.make(mv);
    value - reply(&mut board, mv.to)
}

/// What the side to move wins by taking on a cell; nothing if it had better not.
fn reply(board: &mut Board, cell: u8) -> i32 {
    let mut least: Option<(i32, Move)> = None;
    generate::all(board, CastlingRule::Right, |mv| {
        let value = board.value(board.at(mv.from));
        if mv.to == cell && mv.takes() && least.is_none_or(|(known, _)| value < known) {
            least = Some((value, mv));
        }
    });
    let Some((_, mv)) = least else { return 0 };
    let value = board.value(mv.prey & MAN);
    if mv.takes_king() {
        return value;
    }
    board.make(mv);
    (value - reply(board, cell)).max(0)
}

#[cfg(test)]
mod tests {
    use super::super::board::{BLACK, PAWN, ROOK, cell};
    use super::super::worth::Evaluation;
    use super::*;
    use tabiya_chess::{Position, Square};

    #[test]
    fn exchanges_are_followed_to_their_end() {
        let position = Position::from_fen("4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1").unwrap();
        let board = Board::new(&position, Evaluation::Material.worth());
        let mv = Move { from: cell(Square::D2), to: cell(Square::D5), prey: PAWN | BLACK };
        assert_eq!(gain(&board, mv), 1 - 5 + 1, "rook for two pawns");
        let position = Position::from_fen("4k3/8/8/3r4/8/8/3R4/4K3 w - - 0 1").unwrap();
        let board = Board::new(&position, Evaluation::Material.worth());
        assert_eq!(gain(&board, Move { prey: ROOK | BLACK, ..mv }), 5);
    }
}
