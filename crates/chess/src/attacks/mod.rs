//! Where pieces reach: attack sets and the geometry of lines.
//!
//! An attack set includes squares held by either side, and a slider's ends with the first piece in its
//! way:
//!
//! ```
//! use tabiya_chess::{attacks, Bitboard, Square};
//!
//! let occupied: Bitboard = "
//!     . . . . . . . .
//!     . . . X . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . X . . . . X .
//!     . . . . . . . .
//!     . . . . . . . .
//!     . . . . . . . .
//! ".parse().unwrap();
//! assert_eq!(attacks::rook(Square::D4, occupied).to_string(), "\
//! . . . . . . . .
//! . . . X . . . .
//! . . . X . . . .
//! . . . X . . . .
//! . X X . X X X .
//! . . . X . . . .
//! . . . X . . . .
//! . . . X . . . .
//! ");
//! ```

mod leapers;
mod lines;
pub mod magic;
mod magics;
#[cfg(target_arch = "x86_64")]
mod pext;
pub mod rays;
pub mod sliders;

pub use leapers::{king, knight, pawn};
pub(crate) use leapers::{pawn_attacks_east, pawn_attacks_west};
pub(crate) use lines::{RAYS_DOWN, RAYS_UP};
pub use lines::{between, bishop_rays, line, rook_rays};

use crate::{Bitboard, PieceKind, Square};
use sliders::{SliderTable, Sliders};

/// The squares a rook attacks.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    SliderTable::get().rook(square, occupied)
}

/// The squares a bishop attacks.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    SliderTable::get().bishop(square, occupied)
}

/// The squares a queen attacks.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    let table = SliderTable::get();
    table.rook(square, occupied) | table.bishop(square, occupied)
}

/// The squares that a piece attacks, of any kind.
#[inline]
pub fn of(piece: crate::Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Pawn => pawn(piece.color(), square),
        PieceKind::Knight => knight(square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Queen => queen(square, occupied),
        PieceKind::King => king(square),
    }
}
