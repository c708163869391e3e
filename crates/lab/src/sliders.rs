//! Ways to find what a slider attacks, side by side.
//!
//! Some need the occupancy alone, others a board in a form of their own: rotated occupancies, or a mailbox.
//! A program keeps that form up to date as moves are made, so it is ready here before anything is measured.

pub mod chains;
pub mod contest;
pub mod layouts;
pub mod lines;
pub mod mailbox;
pub mod rotated;
pub mod single_lines;
pub mod work;

use tabiya_chess::attacks::rays::Slider;
use tabiya_chess::attacks::sliders::Sliders;
use tabiya_chess::{Bitboard, Square};

/// A way to find attack sets, on a board in the form it wants.
pub trait Finder: Copy {
    /// The board.
    type Board;

    /// A board with these squares occupied.
    fn board(self, occupied: Bitboard) -> Self::Board;

    /// What a rook attacks.
    fn rook(self, square: Square, board: &Self::Board) -> Bitboard;

    /// What a bishop attacks.
    fn bishop(self, square: Square, board: &Self::Board) -> Bitboard;
}

/// A finder that needs the occupancy alone.
#[derive(Clone, Copy)]
pub struct Direct<S>(pub S);

impl<S: Sliders> Finder for Direct<S> {
    type Board = Bitboard;

    fn board(self, occupied: Bitboard) -> Bitboard {
        occupied
    }

    #[inline(always)]
    fn rook(self, square: Square, board: &Bitboard) -> Bitboard {
        self.0.rook(square, *board)
    }

    #[inline(always)]
    fn bishop(self, square: Square, board: &Bitboard) -> Bitboard {
        self.0.bishop(square, *board)
    }
}

/// On how many of the 107,648 occupancies that matter a finder is right.
pub fn count_right(finder: impl Finder) -> u64 {
    let mut right = 0;
    for slider in Slider::ALL {
        for square in Square::ALL {
            for occupied in slider.mask(square).subsets() {
                let board = finder.board(occupied);
                let found = match slider {
                    Slider::Bishop => finder.bishop(square, &board),
                    Slider::Rook => finder.rook(square, &board),
                };
                right += u64::from(found == slider.attacks(square, occupied));
            }
        }
    }
    right
}

/// All occupancies that matter, of all sliders on all squares.
pub const OCCUPANCIES: u64 = 107_648;
