//! The generator: all legal moves, in sets, handed to a visitor.

use super::stage::MoveStage;
use crate::attacks::{self, pawn_attacks_east, pawn_attacks_west, sliders::Sliders};
use crate::board::{Board, castling_targets, code};
use crate::side::Side;
use crate::{Bitboard, Color, Square};

/// Receives the moves. All sets hold target squares.
pub(crate) trait Visitor {
    /// Normal moves of one piece other than a pawn.
    fn piece(&mut self, code: u8, from: Square, targets: Bitboard);
    /// Single steps and captures of pawns that do not promote, each from `to - step`.
    fn pawns(&mut self, step: i32, targets: Bitboard);
    /// Double steps of pawns, each from `to - step`.
    fn double_steps(&mut self, step: i32, targets: Bitboard);
    /// Steps and captures of pawns to the last rank, each from `to - step`.
    fn promotions(&mut self, step: i32, targets: Bitboard);
    /// An en-passant capture.
    fn en_passant(&mut self, from: Square, to: Square);
    /// Castling with the rook on a square.
    fn castling(&mut self, king: Square, rook: Square);
}

/// Where a pawn came from that reached a square by a step.
#[inline(always)]
pub(crate) fn origin(to: Square, step: i32) -> Square {
    Square::wrapping((to as i32 - step) as u32)
}

/// Checkers, check mask and pins: what makes a pseudo-legal move illegal.
pub(crate) struct Restraints {
    /// The enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The check mask: where a piece other than the king may go. Every square, or in check the checker's
    /// and those between it and the king.
    pub(crate) check_mask: Bitboard,
    /// Own pieces that may not leave their line with the king.
    pub(crate) pinned: Bitboard,
}

impl Restraints {
    #[inline(always)]
    pub(crate) fn of<S: Side>(board: &Board) -> Restraints {
        let king = board.king(S::COLOR);
        let (occupied, us) = (board.occupied(), board.colors(S::COLOR));
        let them = board.colors(S::Other::COLOR);
        let mut checkers = (attacks::knight(king) & board.knights()
            | attacks::pawn(S::COLOR, king) & board.pawns())
            & them;
        let mut check_mask = checkers;
        let mut pinned = Bitboard::EMPTY;
        let aligned = (attacks::rook_rays(king) & board.orthogonal()
            | attacks::bishop_rays(king) & board.diagonal())
            & them;
        for slider in aligned {
            let gap = attacks::between(king, slider);
            let blockers = gap & occupied;
            if blockers.is_empty() {
                checkers = checkers.with(slider);
                check_mask |= gap.with(slider);
            } else if !blockers.has_several() {
                pinned |= blockers & us;
            }
        }
        if checkers.is_empty() {
            check_mask = Bitboard::FULL;
        }
        Restraints { checkers, check_mask, pinned }
    }
}

/// All squares that `S` attacks, when `occupied` squares are in the way.
#[inline(always)]
pub(crate) fn attacked_by<S: Side>(
    board: &Board,
    sliders: impl Sliders,
    occupied: Bitboard,
) -> Bitboard {
    let us = board.colors(S::COLOR);
    let pawns = board.pawns() & us;
    let mut attacked = pawn_attacks_east(pawns, S::COLOR)
        | pawn_attacks_west(pawns, S::COLOR)
        | attacks::king(board.king(S::COLOR));
    for knight in board.knights() & us {
        attacked |= attacks::knight(knight);
    }
    attacked | sliders.union(board.diagonal() & us, board.orthogonal() & us, occupied)
}

/// The castling moves of `S`, given what the enemy attacks and which own pieces are pinned; not to be
/// asked in check.
#[inline(always)]
pub(crate) fn castlings<S: Side>(
    board: &Board,
    king: Square,
    danger: Bitboard,
    pinned: Bitboard,
    mut each: impl FnMut(Square),
) {
    for rook in board.castling & S::HOME {
        let (king_to, rook_to) = castling_targets(king, rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        let others = board.occupied().without(king).without(rook);
        // A pinned rook would uncover the king: only in Chess960 can an enemy stand behind it.
        if (king_path | rook_path).is_disjoint(others)
            && king_path.is_disjoint(danger)
            && !pinned.contains(rook)
        {
            each(rook);
        }
    }
}

/// Hands every legal move of a stage to the visitor.
#[inline(always)]
pub(crate) fn generate<S: Side, G: MoveStage>(
    board: &Board,
    sliders: impl Sliders,
    stage: &G,
    visitor: &mut impl Visitor,
) {
    let king = board.king(S::COLOR);
    let occupied = board.occupied();
    let us = board.colors(S::COLOR);
    let them = board.colors(S::Other::COLOR);
    let Restraints { checkers, check_mask, pinned } = Restraints::of::<S>(board);

    let mut wanted = Bitboard::EMPTY;
    if G::CAPTURES {
        wanted |= them;
    }
    if G::QUIETS {
        wanted |= !occupied;
    }

    let king_targets = stage.narrow(code::KING, king, attacks::king(king) & wanted);
    let may_castle = G::QUIETS && checkers.is_empty() && board.castling.intersects(S::HOME);
    if !king_targets.is_empty() || may_castle {
        // Without the king, who does not hide the squares behind him from a slider.
        let danger = attacked_by::<S::Other>(board, sliders, occupied.without(king));
        let steps = king_targets - danger;
        if !steps.is_empty() {
            visitor.piece(code::KING, king, steps);
        }
        if may_castle {
            castlings::<S>(board, king, danger, pinned, |rook| {
                if stage.wants_castling(king, rook) {
                    visitor.castling(king, rook);
                }
            });
        }
    }
    if checkers.has_several() {
        return;
    }

    let targets = wanted & check_mask;
    for from in (board.knights() & us) - pinned {
        let to = stage.narrow(code::KNIGHT, from, attacks::knight(from) & targets);
        visitor.piece(code::KNIGHT, from, to);
    }
    let on_line = |from: Square, to: Bitboard| {
        if pinned.contains(from) { to & attacks::line(king, from) } else { to }
    };
    for from in board.bishops() & us {
        let to = on_line(from, sliders.bishop(from, occupied) & targets);
        visitor.piece(code::BISHOP, from, stage.narrow(code::BISHOP, from, to));
    }
    for from in board.rooks() & us {
        let to = on_line(from, sliders.rook(from, occupied) & targets);
        visitor.piece(code::ROOK, from, stage.narrow(code::ROOK, from, to));
    }
    for from in board.queens() & us {
        let reach = sliders.bishop(from, occupied) | sliders.rook(from, occupied);
        let to = on_line(from, reach & targets);
        visitor.piece(code::QUEEN, from, stage.narrow(code::QUEEN, from, to));
    }
    pawn_moves::<S, G>(board, sliders, stage, visitor, check_mask, pinned);
}

#[inline(always)]
fn pawn_moves<S: Side, G: MoveStage>(
    board: &Board,
    sliders: impl Sliders,
    stage: &G,
    visitor: &mut impl Visitor,
    check_mask: Bitboard,
    pinned: Bitboard,
) {
    let king = board.king(S::COLOR);
    let pawns = board.pawns() & board.colors(S::COLOR);
    let them = board.colors(S::Other::COLOR);
    let empty = !board.occupied();

    // A pinned pawn may still move along its line with the king: one set for each direction.
    let free = pawns - pinned;
    let steppers = free | pawns & Bitboard::file(king.file());
    let single = steppers.forward(S::COLOR) & empty;
    let east = pawn_attacks_east(free | pawns & diagonal_east::<S>(king), S::COLOR) & them;
    let west = pawn_attacks_west(free | pawns & diagonal_west::<S>(king), S::COLOR) & them;
    let (step_east, step_west) = (S::FORWARD + 1, S::FORWARD - 1);

    if G::QUIETS {
        let double = (single & S::THIRD).forward(S::COLOR) & empty & check_mask;
        let single = (single & check_mask) - S::LAST;
        visitor.pawns(S::FORWARD, stage.narrow_pawns(S::FORWARD, single));
        visitor.double_steps(2 * S::FORWARD, stage.narrow_pawns(2 * S::FORWARD, double));
    }
    if G::CAPTURES {
        let (east, west) = (east & check_mask, west & check_mask);
        visitor.pawns(step_east, east - S::LAST);
        visitor.pawns(step_west, west - S::LAST);
        if pawns.intersects(S::SEVENTH) {
            visitor.promotions(S::FORWARD, single & check_mask & S::LAST);
            visitor.promotions(step_east, east & S::LAST);
            visitor.promotions(step_west, west & S::LAST);
        }
        if let Some(to) = board.en_passant {
            for from in attacks::pawn(S::Other::COLOR, to) & pawns {
                if board.en_passant_is_legal::<S>(sliders, from, to) {
                    visitor.en_passant(from, to);
                }
            }
        }
    }
}

/// The diagonal through a square on which pawns of `S` capture towards the h-file.
#[inline(always)]
pub(crate) fn diagonal_east<S: Side>(square: Square) -> Bitboard {
    match S::COLOR {
        Color::White => rising_diagonal(square),
        Color::Black => falling_diagonal(square),
    }
}

/// The diagonal through a square on which pawns of `S` capture towards the a-file.
#[inline(always)]
pub(crate) fn diagonal_west<S: Side>(square: Square) -> Bitboard {
    match S::COLOR {
        Color::White => falling_diagonal(square),
        Color::Black => rising_diagonal(square),
    }
}

#[inline(always)]
fn rising_diagonal(square: Square) -> Bitboard {
    Bitboard(attacks::RAYS_UP[square.index()][2] | attacks::RAYS_DOWN[square.index()][2])
}

#[inline(always)]
fn falling_diagonal(square: Square) -> Bitboard {
    Bitboard(attacks::RAYS_UP[square.index()][3] | attacks::RAYS_DOWN[square.index()][3])
}
