//! What is looked up, and in which order.

use super::Finder;
use crate::games;
use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{Bitboard, Square};

/// An order of look-ups.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// The sliders of positions in the course of games, as a move generator asks for them.
    Games,
    /// The occupancies of games, but squares by chance, each depending on the answer before.
    Squares,
    /// Occupancies by chance, too.
    Random,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Pattern; 3] = [Pattern::Games, Pattern::Squares, Pattern::Random];

    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Games => "games",
            Pattern::Squares => "squares",
            Pattern::Random => "random",
        }
    }

    /// What it means.
    pub fn meaning(self) -> &'static str {
        match self {
            Pattern::Games => {
                "the bishops, rooks and queens of the positions of Loop's games, all of a position at once"
            }
            Pattern::Squares => {
                "the occupancies of those games, but a rook and a bishop on squares that depend on the last answer"
            }
            Pattern::Random => {
                "the same with random occupancies, a quarter of the squares occupied"
            }
        }
    }
}

/// What all look up.
pub struct Work {
    scenes: Vec<Scene>,
    random: Vec<Bitboard>,
}

struct Scene {
    occupied: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
}

/// The work on boards in the form that a finder wants.
pub struct Prepared<'a, F: Finder> {
    work: &'a Work,
    finder: F,
    scenes: Vec<F::Board>,
    random: Vec<F::Board>,
}

impl Default for Work {
    fn default() -> Self {
        Self::new()
    }
}

impl Work {
    /// The positions of Loop's games, and as many random occupancies.
    pub fn new() -> Work {
        let scenes: Vec<Scene> = games::positions()
            .iter()
            .map(|position| Scene {
                occupied: position.occupied(),
                diagonal: position.diagonal_sliders(),
                orthogonal: position.orthogonal_sliders(),
            })
            .collect();
        let mut random = SplitMix64::stream(2, 0);
        // A quarter of the squares is occupied, as in the middle of a game.
        let occupied = || Bitboard(random.next() & random.next());
        let random = std::iter::repeat_with(occupied).take(scenes.len()).collect();
        Work { scenes, random }
    }

    /// How many attack sets a pattern asks for.
    pub fn look_ups(&self, pattern: Pattern) -> u64 {
        match pattern {
            Pattern::Games => self
                .scenes
                .iter()
                .map(|scene| u64::from(scene.diagonal.len() + scene.orthogonal.len()))
                .sum(),
            Pattern::Squares | Pattern::Random => 2 * self.scenes.len() as u64,
        }
    }

    /// Boards for a finder.
    pub fn prepare<F: Finder>(&self, finder: F) -> Prepared<'_, F> {
        let board = |occupied: &Bitboard| finder.board(*occupied);
        Prepared {
            work: self,
            finder,
            scenes: self.scenes.iter().map(|scene| board(&scene.occupied)).collect(),
            random: self.random.iter().map(board).collect(),
        }
    }
}

impl<F: Finder> Prepared<'_, F> {
    /// Looks everything up, and returns a number that depends on it all.
    #[inline(always)]
    pub fn run(&self, pattern: Pattern) -> u64 {
        match pattern {
            Pattern::Games => {
                let mut sum = Bitboard::EMPTY;
                for (scene, board) in self.work.scenes.iter().zip(&self.scenes) {
                    for square in scene.diagonal {
                        sum ^= self.finder.bishop(square, board);
                    }
                    for square in scene.orthogonal {
                        sum ^= self.finder.rook(square, board);
                    }
                }
                sum.0
            }
            Pattern::Squares => chain(self.finder, &self.scenes),
            Pattern::Random => chain(self.finder, &self.random),
        }
    }
}

#[inline(always)]
fn chain<F: Finder>(finder: F, boards: &[F::Board]) -> u64 {
    let mut sum = 1;
    for board in boards {
        let square = scatter(sum);
        sum ^= finder.rook(square, board).0;
        let square = scatter(sum);
        sum = sum.rotate_left(1) ^ finder.bishop(square, board).0;
    }
    sum
}

/// A square that depends on all of a number.
#[inline(always)]
fn scatter(sum: u64) -> Square {
    Square::ALL[(sum.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize]
}
