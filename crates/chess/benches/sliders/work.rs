//! What is looked up, and in which order.

use tabiya_chess::attacks::magic::SplitMix64;
use tabiya_chess::attacks::sliders::Sliders;
use tabiya_chess::{Bitboard, Position, Square};

/// An order of look-ups.
#[derive(Clone, Copy)]
pub(crate) enum Pattern {
    /// The sliders of positions in the course of games, as a move generator asks for them.
    Games,
    /// The occupancies of games, but squares by chance, each depending on the answer before.
    Squares,
    /// Occupancies by chance, too.
    Random,
}

impl Pattern {
    pub(crate) const ALL: [Pattern; 3] = [Pattern::Games, Pattern::Squares, Pattern::Random];

    pub(crate) const NAMES: [&'static str; 3] = ["games", "squares", "random"];

    pub(crate) const LEGEND: &'static str = "\
games    the bishops, rooks and queens of positions from random play, all of a position at once
squares  the same occupancies, but a rook and a bishop on squares that depend on the last answer
random   as before, with random occupancies";
}

/// What all contenders look up.
pub(crate) struct Work {
    scenes: Vec<Scene>,
    random: Vec<Bitboard>,
}

struct Scene {
    occupied: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
}

impl Work {
    /// Games of random moves.
    pub(crate) fn new() -> Work {
        const GAMES: u64 = 64;
        const PLIES: usize = 100;
        let mut scenes = Vec::new();
        for game in 0..GAMES {
            let mut random = SplitMix64::stream(1, game);
            let mut position = Position::start();
            for _ in 0..PLIES {
                scenes.push(Scene {
                    occupied: position.occupied(),
                    diagonal: position.diagonal_sliders(),
                    orthogonal: position.orthogonal_sliders(),
                });
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play_unchecked(moves[random.below(moves.len() as u64) as usize]);
            }
        }
        let mut random = SplitMix64::stream(2, 0);
        // A quarter of the squares is occupied, as in the middle of a game.
        let occupied = || Bitboard(random.next() & random.next());
        let random = std::iter::repeat_with(occupied).take(scenes.len()).collect();
        Work { scenes, random }
    }

    pub(crate) fn look_ups(&self, pattern: Pattern) -> u64 {
        match pattern {
            Pattern::Games => self
                .scenes
                .iter()
                .map(|scene| u64::from(scene.diagonal.len() + scene.orthogonal.len()))
                .sum(),
            Pattern::Squares | Pattern::Random => 2 * self.scenes.len() as u64,
        }
    }

    /// Looks everything up, and returns a number that depends on it all.
    #[inline(always)]
    pub(crate) fn run(&self, sliders: impl Sliders, pattern: Pattern) -> u64 {
        match pattern {
            Pattern::Games => {
                let look_up =
                    |scene: &Scene| sliders.union(scene.diagonal, scene.orthogonal, scene.occupied);
                self.scenes.iter().fold(0, |sum, scene| sum ^ look_up(scene).0)
            }
            Pattern::Squares => chain(sliders, self.scenes.iter().map(|scene| scene.occupied)),
            Pattern::Random => chain(sliders, self.random.iter().copied()),
        }
    }
}

#[inline(always)]
fn chain(sliders: impl Sliders, occupancies: impl Iterator<Item = Bitboard>) -> u64 {
    let mut sum = 1;
    for occupied in occupancies {
        let square = scatter(sum);
        sum ^= sliders.rook(square, occupied).0;
        let square = scatter(sum);
        sum = sum.rotate_left(1) ^ sliders.bishop(square, occupied).0;
    }
    sum
}

/// A square that depends on all of a number.
#[inline(always)]
fn scatter(sum: u64) -> Square {
    Square::ALL[(sum.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58) as usize]
}
