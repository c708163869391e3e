//! What a move changes on the board.

use super::feature::PieceSquare;
use tabiya_chess::{Move, MoveKind, Piece, PieceKind, Position, Square, castling_targets};

/// A legal move, or a null move, with what is needed to tell later what it changed.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Played {
    mv: Option<Move>,
    piece: Option<Piece>,
    /// What stood where the piece went.
    taken: Option<Piece>,
}

impl Played {
    #[inline(always)]
    pub(super) fn new(position: &Position, mv: Move) -> Played {
        Played {
            mv: Some(mv),
            piece: position.piece_at(mv.from()),
            taken: position.piece_at(mv.to()),
        }
    }

    /// Does a king move?
    #[inline(always)]
    pub(super) fn moves_king(self) -> bool {
        matches!(self.piece, Some(Piece::WhiteKing | Piece::BlackKing))
    }

    /// Where the piece comes to stand.
    #[inline(always)]
    pub(super) fn target(self) -> Option<Square> {
        self.mv.map(|mv| match mv.kind() {
            MoveKind::Castling => castling_targets(mv.from(), mv.to()).0,
            _ => mv.to(),
        })
    }

    #[inline(always)]
    pub(super) fn change(self) -> Change {
        let (Some(mv), Some(piece)) = (self.mv, self.piece) else { return Change::Nothing };
        let (from, to) = (mv.from(), mv.to());
        let removed = PieceSquare::new(piece, from);
        let (added, taken) = match mv.kind() {
            MoveKind::Normal => (PieceSquare::new(piece, to), self.taken.map(|piece| (piece, to))),
            MoveKind::Promotion => {
                let promoted = mv.promoted().unwrap_or(PieceKind::Queen);
                let added = PieceSquare::new(Piece::new(piece.color(), promoted), to);
                (added, self.taken.map(|piece| (piece, to)))
            }
            MoveKind::EnPassant => {
                // The pawn that is taken stands beside the one that takes it.
                let beside = Square::from_coords(to.file(), from.rank());
                (
                    PieceSquare::new(piece, to),
                    Some((Piece::new(!piece.color(), PieceKind::Pawn), beside)),
                )
            }
            MoveKind::Castling => {
                let rook = Piece::new(piece.color(), PieceKind::Rook);
                let (king_to, rook_to) = castling_targets(from, to);
                return Change::Castling {
                    added: [PieceSquare::new(piece, king_to), PieceSquare::new(rook, rook_to)],
                    removed: [removed, PieceSquare::new(rook, to)],
                };
            }
        };
        match taken {
            Some((piece, square)) => {
                Change::Capture { added, removed: [removed, PieceSquare::new(piece, square)] }
            }
            None => Change::Step { added, removed },
        }
    }
}

/// Pieces that came to squares and pieces that left them.
pub(super) enum Change {
    /// A null move.
    Nothing,
    /// A piece goes elsewhere, perhaps as another.
    Step { added: PieceSquare, removed: PieceSquare },
    /// The same, and takes one.
    Capture { added: PieceSquare, removed: [PieceSquare; 2] },
    /// King and rook.
    Castling { added: [PieceSquare; 2], removed: [PieceSquare; 2] },
}
