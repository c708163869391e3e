//! Positions to learn from, small enough that a hundred million are in memory at once.

use tabiya_chess::{Bitboard, Color, GameResult, Piece, Position, Setup, Square};
use tabiya_engine::nnue::feature;

/// A position, with what a search said of it and how its game ended.
///
/// It is stored as if White were to move, with the colors changed where Black is: a network cannot
/// tell the difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    occupied: Bitboard,
    /// The pieces in the order of their squares, two to a byte, the first in the low half.
    pieces: [u8; 16],
    /// What it is worth to the side to move.
    score: i16,
    /// What the side to move got for the game, in half points.
    half_points: u8,
    /// The mover's king and the other.
    kings: [u8; 2],
}

const _: () = assert!(size_of::<Sample>() == 32);

impl Sample {
    /// A position, what it is worth to White, and the game's result.
    pub fn new(position: &Position, score: i16, result: GameResult) -> Sample {
        let flip = position.side_to_move() == Color::Black;
        let seen = |square: Square| if flip { square.flip_ranks() } else { square };
        let occupied = if flip { position.occupied().flip_ranks() } else { position.occupied() };
        let mut pieces = [0; 16];
        for (place, square) in occupied.into_iter().enumerate() {
            if let Some(piece) = position.piece_at(seen(square)) {
                let color = if flip { !piece.color() } else { piece.color() };
                pieces[place / 2] |=
                    (Piece::new(color, piece.kind()).index() as u8) << (place % 2 * 4);
            }
        }
        let half_points = (2.0 * result.white_points()) as u8;
        let mut sample = Sample {
            occupied,
            pieces,
            score: 0,
            half_points: if flip { 2 - half_points } else { half_points },
            kings: [position.side_to_move(), !position.side_to_move()]
                .map(|color| seen(position.king(color)).index() as u8),
        };
        sample.set_score(position.side_to_move(), score);
        sample
    }

    /// Says what it is worth to White, where this side is to move.
    pub(crate) fn set_score(&mut self, side_to_move: Color, score: i16) {
        self.score = if side_to_move == Color::Black { score.saturating_neg() } else { score };
    }

    /// What the search said, for the side to move.
    pub fn score(&self) -> i16 {
        self.score
    }

    /// The points that the side to move got: 0, a half or 1.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// How many pieces there are.
    pub fn pieces(&self) -> usize {
        self.occupied.len() as usize
    }

    /// The position, as if White were to move, without castling rights.
    pub(crate) fn position(&self) -> Option<Position> {
        let mut setup =
            Setup { pieces: [None; 64], castling: Bitboard::EMPTY, ..(&Position::start()).into() };
        for (piece, square) in self.board().1 {
            setup.pieces[square.index()] = Some(piece);
        }
        setup.position().ok().map(|(position, _)| position)
    }

    /// Where the mover's king and the other stand, and all pieces: as if White were to move.
    pub(crate) fn board(&self) -> ([Square; 2], impl Iterator<Item = (Piece, Square)>) {
        let pieces = self.occupied.into_iter().enumerate().map(|(place, square)| {
            (Piece::ALL[usize::from(self.pieces[place / 2] >> (place % 2 * 4) & 15)], square)
        });
        (self.kings.map(|king| Square::wrapping(king.into())), pieces)
    }
}

/// The engine's rule for features as a table: looking up is faster than working out.
pub(crate) struct FeatureTable {
    /// By whether the king is on the files e to h, and by piece and square; for either side.
    features: Box<[[[[u16; 2]; 64]; Piece::COUNT]; 4]>,
}

impl FeatureTable {
    pub(crate) fn new() -> FeatureTable {
        let mut features = Box::new([[[[0; 2]; 64]; Piece::COUNT]; 4]);
        for (sides, by_piece) in features.iter_mut().enumerate() {
            let king = |flipped: bool| if flipped { Square::E1 } else { Square::D1 };
            let kings = [king(sides & 1 != 0), king(sides & 2 != 0)];
            for (piece, by_square) in Piece::ALL.iter().zip(by_piece) {
                for (square, pair) in by_square.iter_mut().enumerate() {
                    let square = Square::wrapping(square as u32);
                    *pair = [
                        feature(Color::White, kings[0], *piece, square) as u16,
                        feature(Color::Black, kings[1], *piece, square) as u16,
                    ];
                }
            }
        }
        FeatureTable { features }
    }

    /// Appends the features of a position: the mover's, then as many of the other's.
    pub(crate) fn extend(&self, list: &mut Vec<u16>, sample: &Sample) {
        let sides = sample.kings.map(|king| usize::from(king & 7 >= 4));
        let table = &self.features[sides[0] + 2 * sides[1]];
        let mut pairs = [[0; 2]; 32];
        let count = sample.pieces().min(32);
        for ((place, square), pair) in sample.occupied.into_iter().enumerate().zip(&mut pairs) {
            let piece = usize::from(sample.pieces[place / 2] >> (place % 2 * 4) & 15);
            *pair = table[piece][square.index()];
        }
        list.extend(pairs[..count].iter().map(|pair| pair[0]));
        list.extend(pairs[..count].iter().map(|pair| pair[1]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::tests::random_game;
    use tabiya_engine::nnue::FEATURES;

    #[test]
    fn a_position_is_unpacked_as_the_mover_sees_it() {
        let table = FeatureTable::new();
        let mut black_moved = 0;
        for seed in 0..30 {
            let record = random_game(seed, 100);
            let visit = |position: &Position, ply: &crate::record::Ply| {
                let sample = Sample::new(position, ply.score, record.result);
                let turn = position.side_to_move();
                let mut expected = [turn, !turn].map(|side| {
                    let king = position.king(side);
                    let pieces = position.occupied().into_iter();
                    let number = |square| {
                        feature(side, king, position.piece_at(square).unwrap(), square) as u16
                    };
                    pieces.map(number).collect::<Vec<u16>>()
                });
                let mut list = Vec::new();
                table.extend(&mut list, &sample);
                let (mover, other) = list.split_at(sample.pieces());
                let mut found = [mover.to_vec(), other.to_vec()];
                found.iter_mut().chain(&mut expected).for_each(|list| list.sort_unstable());
                assert_eq!(found, expected);
                assert!(list.iter().all(|&feature| usize::from(feature) < FEATURES));
                let white = turn == Color::White;
                black_moved += u32::from(!white);
                assert_eq!(sample.score(), if white { ply.score } else { -ply.score });
                let points = record.result.white_points();
                assert_eq!(sample.points(), if white { points } else { 1.0 - points });
                let same = if white { position.clone() } else { position.flip_colors() };
                let seen = sample.position().unwrap();
                assert!(Square::ALL.iter().all(|&at| seen.piece_at(at) == same.piece_at(at)));
            };
            record.replay(visit).unwrap();
        }
        assert!(black_moved > 100);
    }
}
