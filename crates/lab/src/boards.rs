//! Board architectures, all behind one trait, all playing the same chess.
//!
//! | board | what it is |
//! | --- | --- |
//! | [`Mailbox`] | Reul's 15 x 12 cells with a border, tables by square difference, split piece lists |
//! | [`Bitboards`] with [`Rotated`] | four occupancies, each turned so that its lines lie in a row |
//! | [`Bitboards`] with [`Magic`] | the project's own magic multipliers; other look-ups fit in as well |
//! | [`Grid`] with [`Grid0x88`] | 16 x 8 cells; one `and` tells whether a cell is on the board |
//! | [`Grid`] with [`Grid8x8`] | 64 cells; files and ranks are compared with the edges |
//! | [`Grid`] with [`Grid64`] | 64 cells and one number for a step, which must not wrap round |
//! | [`Grid`] with [`Grid120`] | 120 cells; the border is read |
//!
//! Moves are generated pseudo-legally, made and unmade, as the works did that are measured here; the
//! project's own generator, which knows legal moves only and copies positions, stands beside them.

pub mod backend;
pub mod bitboards;
pub mod exchange;
pub mod grid;
pub mod mailbox;
pub mod recursion;
pub mod suite;

pub use bitboards::{Bitboards, Hyperbola, Magic, Pext, RayScans, Rotated};
pub use grid::{Grid, Grid0x88, Grid8x8, Grid64, Grid120};
pub use mailbox::Mailbox;

use arrayvec::ArrayVec;
use tabiya_chess::{Color, Piece, PieceKind, Position, Square};

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// Nothing; it may take something.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn takes another in passing.
    EnPassant,
    /// Castling towards the h-file.
    ShortCastling,
    /// Castling towards the a-file.
    LongCastling,
    /// A pawn becomes a knight.
    PromotionKnight,
    /// A pawn becomes a bishop.
    PromotionBishop,
    /// A pawn becomes a rook.
    PromotionRook,
    /// A pawn becomes a queen.
    PromotionQueen,
}

impl Kind {
    /// All promotions, the strongest first.
    pub const PROMOTIONS: [Kind; 4] =
        [Kind::PromotionQueen, Kind::PromotionRook, Kind::PromotionBishop, Kind::PromotionKnight];

    /// What a pawn becomes.
    #[inline(always)]
    pub fn promoted(self) -> Option<PieceKind> {
        match self {
            Kind::PromotionKnight => Some(PieceKind::Knight),
            Kind::PromotionBishop => Some(PieceKind::Bishop),
            Kind::PromotionRook => Some(PieceKind::Rook),
            Kind::PromotionQueen => Some(PieceKind::Queen),
            _ => None,
        }
    }
}

/// A move, in a board's own numbers for squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardMove {
    /// Where the piece comes from.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// What is special about it.
    pub kind: Kind,
}

/// More than any position has.
pub type Moves = ArrayVec<BoardMove, 256>;

/// Where everybody stands: what every board can be made from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The piece on each square.
    pub pieces: [Option<Piece>; 64],
    /// The color that is to move.
    pub turn: Color,
    /// Which castlings are still possible: White's short and long one, then Black's, a bit each.
    pub rights: u8,
    /// The square behind a pawn that has just made a double step.
    pub passed: Option<Square>,
}

impl Placement {
    /// That of a position.
    pub fn of(position: &Position) -> Placement {
        Placement {
            pieces: Square::ALL.map(|square| position.piece_at(square)),
            turn: position.side_to_move(),
            rights: rights::of(position),
            passed: position.double_step(),
        }
    }
}

/// A place to play chess on. Only the usual castling is known, not that of Chess960.
pub trait Board: Sized {
    /// What people call it.
    const NAME: &'static str;

    /// What a move destroys, to be handed back when it is taken back.
    type Undo: Copy;

    /// Puts pieces on this board.
    fn set_up(placement: &Placement) -> Self;

    /// The same position on this board.
    fn new(position: &Position) -> Self {
        Self::set_up(&Placement::of(position))
    }

    /// Who is to move.
    fn side_to_move(&self) -> Color;

    /// Adds captures and promotions; some may leave the king attacked.
    fn captures(&self, moves: &mut Moves);

    /// Adds all other moves; some may leave the king attacked.
    fn quiets(&self, moves: &mut Moves);

    /// Plays a move.
    fn make(&mut self, mv: BoardMove) -> Self::Undo;

    /// Takes the last move back.
    fn unmake(&mut self, mv: BoardMove, undo: Self::Undo);

    /// The side to move does nothing.
    fn null_move(&mut self) -> Self::Undo;

    /// Takes back that it did nothing.
    fn take_back_pass(&mut self, undo: Self::Undo);

    /// Calls with every piece and its square.
    fn each_piece(&self, call: impl FnMut(Square, Piece));

    /// How many pieces of a kind a side has.
    fn count(&self, color: Color, kind: PieceKind) -> u32;

    /// Where a king stands.
    fn king(&self, color: Color) -> u8;

    /// Does this side attack that cell?
    fn is_attacked(&self, cell: u8, by: Color) -> bool;

    /// What stands there.
    fn kind_at(&self, cell: u8) -> Option<PieceKind>;

    /// The least valuable attacker of a cell, pieces that are [lifted](Board::lift) not counted.
    fn least_attacker(&self, cell: u8, by: Color) -> Option<(PieceKind, u8)>;

    /// Takes a piece off for the time being, so that lines through its cell open.
    fn lift(&mut self, cell: u8) -> Lifted;

    /// Puts a lifted piece back.
    fn put_back(&mut self, cell: u8, piece: Lifted);

    /// Is a generated move legal? The king must not be in check.
    fn is_legal(&mut self, mv: BoardMove) -> bool {
        leaves_king_safe(self, mv)
    }

    /// The square of a cell.
    fn square(cell: u8) -> Square;

    /// The cell of a square.
    fn cell(square: Square) -> u8;
}

/// A piece in the hand.
#[derive(Clone, Copy, Debug)]
pub struct Lifted(pub(crate) u8);

/// Is a generated move legal? Finds out by playing it.
#[inline]
pub fn leaves_king_safe<B: Board>(board: &mut B, mv: BoardMove) -> bool {
    let us = board.side_to_move();
    let undo = board.make(mv);
    let safe = !board.is_attacked(board.king(us), !us);
    board.unmake(mv, undo);
    safe
}

/// Adds castlings, of which the rights tell which are still possible. On every board the cells of a rank are
/// numbered one after the other.
#[inline(always)]
fn castlings<B: Board>(board: &B, rights: u8, moves: &mut Moves) {
    let us = board.side_to_move();
    let short = rights & rights::SHORT[us.index()] != 0;
    let long = rights & rights::LONG[us.index()] != 0;
    if !(short || long) {
        return;
    }
    let king = board.king(us);
    if board.is_attacked(king, !us) {
        return;
    }
    let free = |cells: &[u8]| cells.iter().all(|&cell| board.kind_at(cell).is_none());
    if short && free(&[king + 1, king + 2]) && !board.is_attacked(king + 1, !us) {
        moves.push(BoardMove { from: king, to: king + 2, kind: Kind::ShortCastling });
    }
    if long && free(&[king - 1, king - 2, king - 3]) && !board.is_attacked(king - 1, !us) {
        moves.push(BoardMove { from: king, to: king - 2, kind: Kind::LongCastling });
    }
}

/// The legal moves in the common notation, sorted: the same for every board.
pub fn legal_moves<B: Board>(board: &mut B) -> Vec<String> {
    let mut moves = Moves::new();
    board.captures(&mut moves);
    board.quiets(&mut moves);
    let name = |mv: &BoardMove| {
        let promoted = mv.kind.promoted().map_or_else(String::new, |kind| kind.letter().into());
        format!("{}{}{promoted}", B::square(mv.from), B::square(mv.to))
    };
    let mut names: Vec<String> =
        moves.iter().filter(|&&mv| leaves_king_safe(board, mv)).map(name).collect();
    names.sort();
    names
}

/// Which castlings are still possible, as bits.
pub(crate) mod rights {
    use super::{Color, Position};
    use tabiya_chess::{CastlingSide, Square};

    pub(crate) const SHORT: [u8; 2] = [1, 4];
    pub(crate) const LONG: [u8; 2] = [2, 8];

    pub(crate) fn of(position: &Position) -> u8 {
        Color::ALL.into_iter().fold(0, |bits, color| {
            let may = |side, bit| match position.castling_rook(color, side) {
                Some(_) => bit,
                None => 0,
            };
            bits | may(CastlingSide::King, SHORT[color.index()])
                | may(CastlingSide::Queen, LONG[color.index()])
        })
    }

    /// What remains possible after a move from or to a square.
    pub(crate) const fn kept(square: Square) -> u8 {
        !match square {
            Square::A1 => LONG[0],
            Square::H1 => SHORT[0],
            Square::E1 => LONG[0] | SHORT[0],
            Square::A8 => LONG[1],
            Square::H8 => SHORT[1],
            Square::E8 => LONG[1] | SHORT[1],
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::suite::QUICK;
    use super::*;

    fn knows_the_rules<B: Board>() {
        for entry in QUICK {
            let position = Position::from_fen(entry.fen).unwrap();
            let mut board = B::new(&position);
            let expected = {
                let mut names: Vec<String> = position
                    .legal_moves()
                    .iter()
                    .map(|&mv| {
                        mv.uci(&position, tabiya_chess::CastlingStyle::KingToTarget).to_string()
                    })
                    .collect();
                names.sort();
                names
            };
            assert_eq!(legal_moves(&mut board), expected, "{} {}", B::NAME, entry.fen);
            assert_eq!(recursion::basic(&mut board, entry.depth), entry.leaves, "{}", B::NAME);
            assert_eq!(recursion::advanced(&mut board, entry.depth), entry.leaves, "{}", B::NAME);
            let undo = board.null_move();
            assert_eq!(board.side_to_move(), !position.side_to_move());
            board.take_back_pass(undo);
            assert_eq!(legal_moves(&mut board), expected, "unmade as it was: {}", B::NAME);
            let mut pieces = [None; 64];
            board.each_piece(|square, piece| pieces[square.index()] = Some(piece));
            assert_eq!(pieces, Placement::of(&position).pieces, "{} {}", B::NAME, entry.fen);
            for piece in Piece::ALL {
                let count = pieces.iter().filter(|other| **other == Some(piece)).count() as u32;
                assert_eq!(board.count(piece.color(), piece.kind()), count, "{}", B::NAME);
            }
        }
    }

    #[test]
    fn every_board_knows_the_rules() {
        knows_the_rules::<Mailbox>();
        knows_the_rules::<Bitboards<Rotated>>();
        knows_the_rules::<Bitboards<Rotated, bitboards::scan::ByTable>>();
        knows_the_rules::<Bitboards<Magic>>();
        knows_the_rules::<Bitboards<Pext>>();
        knows_the_rules::<Bitboards<bitboards::HomogeneousMagic>>();
        knows_the_rules::<Bitboards<Hyperbola>>();
        knows_the_rules::<Bitboards<RayScans>>();
        knows_the_rules::<Grid<Grid0x88>>();
        knows_the_rules::<Grid<Grid8x8>>();
        knows_the_rules::<Grid<Grid64>>();
        knows_the_rules::<Grid<Grid120>>();
    }
}
