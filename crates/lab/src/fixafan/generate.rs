//! Moves in FIXAFAN's order, which is what "no ordering" means in the thesis.
//!
//! White's men are looked for from the eighth rank down, Black's from the first rank up, files from a to h;
//! the directions of each man come in one order for both colors.

use super::board::{
    BISHOP, BLACK, BOTH, Board, CASTLING, KIND, KING, KNIGHT, MAN, Move, PASSING, PAWN, PROMOTION,
    QUEEN, ROOK, ROW, WHITE, home_row, may_castle,
};

const UP: i16 = ROW as i16;

const KING_STEPS: [i16; 8] = [-UP - 1, -UP, -UP + 1, -1, 1, UP - 1, UP, UP + 1];
const KNIGHT_STEPS: [i16; 8] =
    [-2 * UP - 1, -2 * UP + 1, 2 * UP - 1, 2 * UP + 1, -UP - 2, -UP + 2, UP - 2, UP + 2];
const BISHOP_RAYS: [i16; 4] = [-UP - 1, -UP + 1, UP + 1, UP - 1];
const ROOK_RAYS: [i16; 4] = [-UP, UP, -1, 1];

#[inline(always)]
fn step(cell: u8, by: i16) -> u8 {
    (i16::from(cell) + by) as u8
}

/// Whether castling asks for the right squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingRule {
    /// The king's way must not be attacked.
    Right,
    /// No move of the other side may touch any square from the king to the rook; pawns count by their moves.
    AllSquares,
}

/// Hands all pseudo-legal moves to `add`, in order.
pub fn all(board: &Board, castling: CastlingRule, mut add: impl FnMut(Move)) {
    men(board, board.turn, |from| piece(board, from, board.turn, Some(castling), &mut add));
}

/// Hands the moves of one man to `add`, in order.
pub fn of_man(board: &Board, from: u8, castling: CastlingRule, mut add: impl FnMut(Move)) {
    if board.at(from) & BOTH == board.turn {
        piece(board, from, board.turn, Some(castling), &mut add);
    }
}

/// The cells of a side's men, in order.
#[inline(always)]
fn men(board: &Board, side: u8, mut each: impl FnMut(u8)) {
    for i in 0..8 {
        let row = if side == WHITE { 9 - i } else { 2 + i };
        for cell in row * ROW + 2..row * ROW + 10 {
            if board.at(cell) & side != 0 {
                each(cell);
            }
        }
    }
}

/// The moves of one man; no castling if no rule for it is given.
#[inline(always)]
fn piece(
    board: &Board,
    from: u8,
    side: u8,
    castling: Option<CastlingRule>,
    add: &mut impl FnMut(Move),
) {
    let leap = |steps: &[i16], add: &mut dyn FnMut(Move)| {
        for &by in steps {
            let to = step(from, by);
            let prey = board.at(to);
            if prey & side == 0 {
                add(Move { from, to, prey });
            }
        }
    };
    match board.at(from) & KIND {
        KING => {
            if let Some(rule) = castling {
                castle(board, from, side, rule, add);
            }
            leap(&KING_STEPS, add);
        }
        KNIGHT => leap(&KNIGHT_STEPS, add),
        BISHOP => slide(board, from, side, &BISHOP_RAYS, add),
        ROOK => slide(board, from, side, &ROOK_RAYS, add),
        QUEEN => {
            slide(board, from, side, &BISHOP_RAYS, add);
            slide(board, from, side, &ROOK_RAYS, add);
        }
        PAWN => pawn(board, from, side, add),
        _ => {}
    }
}

#[inline(always)]
fn slide(board: &Board, from: u8, side: u8, rays: &[i16; 4], add: &mut impl FnMut(Move)) {
    for &by in rays {
        let mut to = step(from, by);
        loop {
            let prey = board.at(to);
            if prey & side == 0 {
                add(Move { from, to, prey });
            }
            if prey != 0 {
                break;
            }
            to = step(to, by);
        }
    }
}

#[inline(always)]
fn pawn(board: &Board, from: u8, side: u8, add: &mut impl FnMut(Move)) {
    let white = side == WHITE;
    let (ahead, start, last, fifth) = if white { (UP, 3, 8, 6) } else { (-UP, 8, 3, 5) };
    let (row, column) = (from / ROW, from % ROW);
    let idle = side ^ BOTH;
    if board.passing != 0 && row == fifth && column.abs_diff(board.passing) == 1 {
        let to = step(row * ROW + board.passing, ahead);
        add(Move { from, to, prey: PASSING | idle });
    }
    let queen = if row == last { PROMOTION } else { 0 };
    for aside in [-1, 1] {
        let to = step(from, ahead + aside);
        let prey = board.at(to);
        if prey & BOTH == idle {
            add(Move { from, to, prey: prey | queen });
        }
    }
    let to = step(from, ahead);
    if board.at(to) == 0 {
        add(Move { from, to, prey: queen });
        let to = step(to, ahead);
        if row == start && board.at(to) == 0 {
            add(Move { from, to, prey: 0 });
        }
    }
}

fn castle(board: &Board, from: u8, side: u8, rule: CastlingRule, add: &mut impl FnMut(Move)) {
    let (short, long) = may_castle(board, side);
    if !short && !long {
        return;
    }
    let row = home_row(side) * ROW;
    let empty =
        |columns: std::ops::RangeInclusive<u8>| columns.into_iter().all(|c| board.at(row + c) == 0);
    let rook = |column: u8| board.at(row + column) & MAN == ROOK | side;
    let free = |columns: std::ops::RangeInclusive<u8>, way: [u8; 3]| match rule {
        CastlingRule::AllSquares => {
            !touched(board, side ^ BOTH, row + columns.start()..=row + columns.end())
        }
        CastlingRule::Right => way.iter().all(|&c| !is_attacked(board, row + c, side ^ BOTH)),
    };
    if long && rook(2) && empty(3..=5) && free(2..=6, [6, 5, 4]) {
        add(Move { from, to: row + 4, prey: CASTLING });
    }
    if short && rook(9) && empty(7..=8) && free(6..=9, [6, 7, 8]) {
        add(Move { from, to: row + 8, prey: CASTLING });
    }
}

/// Does any move of a side begin or end on these cells?
fn touched(board: &Board, side: u8, cells: std::ops::RangeInclusive<u8>) -> bool {
    let mut touched = false;
    men(board, side, |from| {
        piece(board, from, side, None, &mut |mv| {
            touched |= cells.contains(&mv.from) || cells.contains(&mv.to);
        });
    });
    touched
}

/// Does a side attack a cell?
pub fn is_attacked(board: &Board, cell: u8, by: u8) -> bool {
    let any = |steps: &[i16], kind: u8| {
        steps.iter().any(|&step_by| board.at(step(cell, step_by)) == kind | by)
    };
    let along = |rays: &[i16; 4], kind: u8| {
        rays.iter().any(|&ray| {
            let mut at = step(cell, ray);
            while board.at(at) == 0 {
                at = step(at, ray);
            }
            let man = board.at(at);
            man == kind | by || man == QUEEN | by
        })
    };
    let behind = if by == BLACK { UP } else { -UP };
    any(&KING_STEPS, KING)
        || any(&KNIGHT_STEPS, KNIGHT)
        || any(&[behind - 1, behind + 1], PAWN)
        || along(&BISHOP_RAYS, BISHOP)
        || along(&ROOK_RAYS, ROOK)
}

#[cfg(test)]
mod tests {
    use super::super::worth::Evaluation;
    use super::*;
    use tabiya_chess::Position;

    /// Positions after so many plies, kings safe.
    fn count(board: &mut Board, depth: u32) -> u64 {
        let mut moves = Vec::new();
        all(board, CastlingRule::Right, |mv| moves.push(mv));
        if moves.iter().any(|mv| mv.takes_king()) {
            return 0;
        }
        if depth == 0 {
            return 1;
        }
        let mut sum = 0;
        for mv in moves {
            let before = (board.cells, board.key(), board.worth());
            let undo = board.make(mv);
            sum += count(board, depth - 1);
            board.unmake(mv, undo);
            assert_eq!(before, (board.cells, board.key(), board.worth()), "{mv}");
        }
        sum
    }

    /// The project's own count, with queens for pawns only.
    fn expected(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let queen = |mv: &&tabiya_chess::Move| {
            mv.promoted().is_none_or(|piece| piece == tabiya_chess::PieceKind::Queen)
        };
        position
            .legal_moves()
            .iter()
            .filter(queen)
            .map(|&mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                expected(&next, depth - 1)
            })
            .sum()
    }

    #[test]
    fn the_rules_are_those_of_chess_but_for_promotions() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for evaluation in [Evaluation::Material, Evaluation::Positional] {
                let mut board = Board::new(&position, evaluation.worth());
                assert_eq!(count(&mut board, 3), expected(&position, 3), "{fen}");
            }
        }
    }

    #[test]
    fn moves_come_in_the_order_of_the_thesis() {
        let position = Position::from_fen("4k3/8/8/8/3N4/8/P7/R3K3 w Q - 0 1").unwrap();
        let board = Board::new(&position, Evaluation::Material.worth());
        let mut moves = Vec::new();
        all(&board, CastlingRule::Right, |mv| moves.push(mv.uci()));
        assert_eq!(
            moves.join(" "),
            "d4c2 d4e2 d4c6 d4e6 d4b3 d4f3 d4b5 d4f5 a2a3 a2a4 a1b1 a1c1 a1d1 e1c1 e1d1 e1f1 e1d2 e1e2 \
             e1f2"
        );
    }
}
