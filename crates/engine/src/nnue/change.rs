//! What a move changes on the board.

use super::feature::Place;
use tabiya_chess::{Move, MoveKind, Piece, PieceKind, Position, Square, castling_targets};

/// A legal move, or a pass, with what is needed to tell later what it changed.
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
        let removed = Place::new(piece, from);
        let (added, taken) = match mv.kind() {
            MoveKind::Normal => (Place::new(piece, to), self.taken.map(|piece| (piece, to))),
            MoveKind::Promotion => {
                let promoted = mv.promoted().unwrap_or(PieceKind::Queen);
                let added = Place::new(Piece::new(piece.color(), promoted), to);
                (added, self.taken.map(|piece| (piece, to)))
            }
            MoveKind::EnPassant => {
                // The pawn that is taken stands beside the one that takes it.
                let beside = Square::from_coords(to.file(), from.rank());
                (Place::new(piece, to), Some((Piece::new(!piece.color(), PieceKind::Pawn), beside)))
            }
            MoveKind::Castling => {
                let rook = Piece::new(piece.color(), PieceKind::Rook);
                let (king_to, rook_to) = castling_targets(from, to);
                return Change::Castling {
                    added: [Place::new(piece, king_to), Place::new(rook, rook_to)],
                    removed: [removed, Place::new(rook, to)],
                };
            }
        };
        match taken {
            Some((piece, square)) => {
                Change::Capture { added, removed: [removed, Place::new(piece, square)] }
            }
            None => Change::Step { added, removed },
        }
    }
}

/// Pieces that came to squares and pieces that left them.
pub(super) enum Change {
    /// A pass.
    Nothing,
    /// A piece goes elsewhere, perhaps as another.
    Step { added: Place, removed: Place },
    /// The same, and takes one.
    Capture { added: Place, removed: [Place; 2] },
    /// King and rook.
    Castling { added: [Place; 2], removed: [Place; 2] },
}
