//! A game in few bytes.
//!
//! A game begins at a Chess960 starting position, goes through some random plies without a score,
//! and then through plies that have a score each. As bits, the highest first:
//!
//! | what                  | how                                                        |
//! |-----------------------|------------------------------------------------------------|
//! | starting position     | 10 bits, the Chess960 number                               |
//! | random plies          | their number, Exp-Golomb of order 3                        |
//! | scored plies          | their number, Exp-Golomb of order 6                        |
//! | result                | 2 bits: White wins, draw, Black wins                       |
//! | termination           | 4 bits, in the order of [`Termination`]                    |
//! | the scores' order `k` | 4 bits                                                     |
//! | each random ply       | its move                                                   |
//! | each scored ply       | its score, then its move                                   |
//!
//! A move is its place among the legal moves in ascending order of [`Move::bits`], in a phase-in code:
//! five bits mostly, none where there is but one move. A score is the difference to the score before
//! (the first to 0), in Exp-Golomb of order `k` after 0, -1, 1, -2, 2 ... have become 0, 1, 2, 3, 4. All
//! scores are White's: so they change little from ply to ply. Zeros fill up the last byte.

use crate::bits::{BitReader, BitWriter, graded_width};
use tabiya_chess::{Claim, GameResult, Move, Outcome, Position};

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// One side was so far ahead for so long that it was given the win.
    GivenAsWon,
    /// The game was so even for so long that it was given as drawn.
    GivenAsDrawn,
    /// It went on for too long.
    TooLong,
}

impl Termination {
    /// All of them, in the order of their numbers in a record.
    pub const ALL: [Termination; 8] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::InsufficientMaterial,
        Termination::ThreefoldRepetition,
        Termination::FiftyMoves,
        Termination::GivenAsWon,
        Termination::GivenAsDrawn,
        Termination::TooLong,
    ];
}

impl From<Outcome> for Termination {
    fn from(outcome: Outcome) -> Termination {
        match outcome {
            Outcome::Checkmate { .. } => Termination::Checkmate,
            Outcome::Stalemate => Termination::Stalemate,
            Outcome::InsufficientMaterial => Termination::InsufficientMaterial,
            Outcome::FivefoldRepetition | Outcome::Claimed(Claim::ThreefoldRepetition) => {
                Termination::ThreefoldRepetition
            }
            Outcome::SeventyFiveMoves | Outcome::Claimed(Claim::FiftyMoves) => {
                Termination::FiftyMoves
            }
        }
    }
}

/// A move that a search chose, and what it said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// The move.
    pub mv: Move,
    /// What the position before it is worth to White, in the units of the engine's search.
    pub score: i16,
}

/// A whole game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PackedGame {
    /// The Chess960 number of the starting position; 518 is the usual one.
    pub start: u16,
    /// Random moves before the game proper.
    pub opening: Vec<Move>,
    /// The game proper.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub result: GameResult,
    /// Why.
    pub termination: Termination,
}

/// Why bytes are no game, or a game cannot be written as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The bytes end within the game.
    #[error("the game's bytes end too soon, or a number in them has no end")]
    Truncated,
    /// Bytes are left when the game has ended.
    #[error("there is more in the game's bytes than the game")]
    Trailing,
    /// There is no such starting position.
    #[error("the game begins at Chess960 position {0}; they are numbered 0 to 959")]
    Start(u32),
    /// There is no such result.
    #[error("result {0} is none; 0, 1 and 2 are")]
    Result(u32),
    /// There is no such termination.
    #[error("termination {0} is none; 0 to 7 are")]
    Termination(u32),
    /// A score beyond 16 bits.
    #[error("ply {ply} has a score of {score}, which no search gives")]
    Score {
        /// Counted from the starting position, which is 0.
        ply: usize,
        /// What was found.
        score: i64,
    },
    /// No such move can be played.
    #[error("ply {ply} has no legal move")]
    Move {
        /// Counted from the starting position, which is 0.
        ply: usize,
    },
}

const START_BITS: u32 = 10;
const RESULT_BITS: u32 = 2;
/// In the order of their numbers in a record, which no other order of results may change.
const RESULTS: [GameResult; 3] = [GameResult::White, GameResult::Draw, GameResult::Black];
const TERMINATION_BITS: u32 = 4;
const ORDER_BITS: u32 = 4;
const OPENING_ORDER: u32 = 3;
const PLIES_ORDER: u32 = 6;

impl PackedGame {
    /// The game as bytes.
    ///
    /// # Errors
    /// If the start or a move is illegal.
    pub fn encode(&self) -> Result<Vec<u8>, RecordError> {
        let mut position = self.first_position()?;
        let order = self.best_order();
        let mut bits = BitWriter::default();
        bits.put(self.start.into(), START_BITS);
        bits.put_graded(self.opening.len() as u32, OPENING_ORDER);
        bits.put_graded(self.plies.len() as u32, PLIES_ORDER);
        bits.put(result_code(self.result), RESULT_BITS);
        bits.put(self.termination as u32, TERMINATION_BITS);
        bits.put(order, ORDER_BITS);

        let mut put_move = |bits: &mut BitWriter, ply, mv: Move| {
            let moves = position.legal_moves();
            if !moves.contains(&mv) {
                return Err(RecordError::Move { ply });
            }
            let index = moves.iter().filter(|&&other| other < mv).count();
            bits.put_among(index as u32, moves.len() as u32);
            position.play_unchecked(mv);
            Ok(())
        };
        for (ply, &mv) in self.opening.iter().enumerate() {
            put_move(&mut bits, ply, mv)?;
        }
        for (ply, (folded, played)) in self.folded_scores().zip(&self.plies).enumerate() {
            bits.put_graded(folded, order);
            put_move(&mut bits, self.opening.len() + ply, played.mv)?;
        }
        Ok(bits.finish())
    }

    /// The game behind bytes.
    ///
    /// # Errors
    /// If they are not exactly one game. Work and memory are bounded by the number of bytes.
    pub fn decode(bytes: &[u8]) -> Result<PackedGame, RecordError> {
        PackedGame::decode_and_visit(bytes, |_, _, _| ())
    }

    /// The game behind bytes, gone through as it is read, which spares playing it twice: `visit` sees
    /// the game before each scored ply, its position and the ply.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), also after some visits.
    pub(crate) fn decode_and_visit(
        bytes: &[u8],
        mut visit: impl FnMut(&PackedGame, &Position, &Ply),
    ) -> Result<PackedGame, RecordError> {
        use RecordError::Truncated;
        let mut bits = BitReader::new(bytes);
        let start = bits.get(START_BITS).ok_or(Truncated)?;
        let opening_plies = bits.get_graded(OPENING_ORDER).ok_or(Truncated)? as usize;
        let plies = bits.get_graded(PLIES_ORDER).ok_or(Truncated)? as usize;
        // A forced move takes no bits; no game has only forced moves.
        if opening_plies > MAX_OPENING || plies > bytes.len() * 8 {
            return Err(Truncated);
        }
        let result = bits.get(RESULT_BITS).ok_or(Truncated)?;
        let termination = bits.get(TERMINATION_BITS).ok_or(Truncated)?;
        let order = bits.get(ORDER_BITS).ok_or(Truncated)?;
        let mut game = PackedGame {
            start: start as u16,
            opening: Vec::with_capacity(opening_plies),
            plies: Vec::with_capacity(plies),
            result: *RESULTS.get(result as usize).ok_or(RecordError::Result(result))?,
            termination: *Termination::ALL
                .get(termination as usize)
                .ok_or(RecordError::Termination(termination))?,
        };

        let mut position = game.first_position()?;
        let mut sorted = Vec::new();
        let mut get_move = |bits: &mut BitReader<'_>, position: &Position, ply| {
            sorted.clear();
            sorted.extend_from_slice(&position.legal_moves());
            if sorted.is_empty() {
                return Err(RecordError::Move { ply });
            }
            let index = bits.get_among(sorted.len() as u32).ok_or(Truncated)? as usize;
            let (_, &mut mv, _) = sorted.select_nth_unstable(index);
            Ok(mv)
        };
        for ply in 0..opening_plies {
            let mv = get_move(&mut bits, &position, ply)?;
            position.play_unchecked(mv);
            game.opening.push(mv);
        }
        let mut score = 0;
        for ply in opening_plies..opening_plies + plies {
            score += unfold(bits.get_graded(order).ok_or(Truncated)?);
            let stored = i16::try_from(score).map_err(|_| RecordError::Score { ply, score })?;
            let played = Ply { mv: get_move(&mut bits, &position, ply)?, score: stored };
            visit(&game, &position, &played);
            position.play_unchecked(played.mv);
            game.plies.push(played);
        }
        if bits.is_done() { Ok(game) } else { Err(RecordError::Trailing) }
    }

    /// Where the game began.
    fn first_position(&self) -> Result<Position, RecordError> {
        Position::chess960(self.start).ok_or(RecordError::Start(self.start.into()))
    }

    /// Goes through the game proper: every position that has a score, and the ply from it.
    ///
    /// # Errors
    /// If the start or a move is illegal; never for a game that was read from bytes.
    pub fn replay(&self, mut visit: impl FnMut(&Position, &Ply)) -> Result<(), RecordError> {
        let mut position = self.first_position()?;
        for (ply, &mv) in self.opening.iter().enumerate() {
            position.play(mv).map_err(|_| RecordError::Move { ply })?;
        }
        for (ply, played) in self.plies.iter().enumerate() {
            visit(&position, played);
            let ply = self.opening.len() + ply;
            position.play(played.mv).map_err(|_| RecordError::Move { ply })?;
        }
        Ok(())
    }

    /// The order in which the scores take the fewest bits.
    fn best_order(&self) -> u32 {
        let bits = |order| -> u64 {
            self.folded_scores().map(|folded| u64::from(graded_width(folded, order))).sum()
        };
        (0..1 << ORDER_BITS).min_by_key(|&order| bits(order)).unwrap_or(0)
    }

    fn folded_scores(&self) -> impl Iterator<Item = u32> {
        self.plies.iter().scan(0, |before, ply| {
            let score = i32::from(ply.score);
            let difference = score - *before;
            *before = score;
            Some((difference << 1 ^ difference >> 31) as u32)
        })
    }
}

/// A result's number in a record: its place in [`RESULTS`].
fn result_code(result: GameResult) -> u32 {
    match result {
        GameResult::White => 0,
        GameResult::Draw => 1,
        GameResult::Black => 2,
    }
}

/// More random moves than this are no opening.
const MAX_OPENING: usize = 1000;

fn unfold(folded: u32) -> i64 {
    let half = i64::from(folded >> 1);
    if folded & 1 == 0 { half } else { -1 - half }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabiya_chess::rng::SplitMix64;

    /// A game of random moves and scores.
    pub(crate) fn random_game(seed: u64, longest: u64) -> PackedGame {
        let mut random = SplitMix64::stream(seed, 0);
        let mut below = |limit: usize| random.index(limit);
        let start = if below(2) == 0 { 518 } else { below(960) as u16 };
        let mut position = Position::chess960(start).unwrap();
        let mut game = PackedGame {
            start,
            opening: Vec::new(),
            plies: Vec::new(),
            result: RESULTS[below(3)],
            termination: Termination::ALL[below(8)],
        };
        let opening = below(10);
        let mut score = 0i16;
        for ply in 0..opening + below(longest as usize) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[below(moves.len())];
            position.play_unchecked(mv);
            if ply < opening {
                game.opening.push(mv);
            } else {
                score = match below(20) {
                    0 => below(1 << 16) as u16 as i16,
                    _ => score.saturating_add(below(80) as i16 - 40),
                };
                game.plies.push(Ply { mv, score });
            }
        }
        game
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_game_is_read_as_it_was_written(seed in any::<u64>()) {
            let game = random_game(seed, 300);
            let bytes = game.encode().unwrap();
            let read = PackedGame::decode(&bytes);
            prop_assert_eq!(read.as_ref(), Ok(&game));
            let mut scored = 0;
            game.replay(|position, ply| {
                assert!(position.is_legal(ply.mv));
                scored += 1;
            }).unwrap();
            prop_assert_eq!(scored, game.plies.len());
            let (mut replayed, mut visited) = (Vec::new(), Vec::new());
            game.replay(|position, ply| replayed.push((position.clone(), *ply))).unwrap();
            PackedGame::decode_and_visit(&bytes, |so_far, position, ply| {
                assert_eq!((so_far.plies.len(), so_far.result), (visited.len(), game.result));
                visited.push((position.clone(), *ply));
            }).unwrap();
            prop_assert_eq!(visited, replayed);
        }

        #[test]
        fn no_part_of_a_game_is_a_game(seed in any::<u64>()) {
            let bytes = random_game(seed, 40).encode().unwrap();
            for length in 0..bytes.len() {
                prop_assert!(PackedGame::decode(&bytes[..length]).is_err());
            }
            let more = [&bytes[..], &[0]].concat();
            prop_assert_eq!(PackedGame::decode(&more), Err(RecordError::Trailing));
        }

        #[test]
        fn any_bytes_are_a_game_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(game) = PackedGame::decode(&bytes) {
                let again = game.encode().unwrap();
                prop_assert!(again.len() <= bytes.len());
                prop_assert_eq!(PackedGame::decode(&again), Ok(game));
            }
        }

        #[test]
        fn a_changed_bit_is_survived(seed in any::<u64>(), place in any::<usize>()) {
            let mut bytes = random_game(seed, 100).encode().unwrap();
            let bit = place % (bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok(game) = PackedGame::decode(&bytes) {
                prop_assert!(game.encode().is_ok());
            }
        }
    }

    fn scholars_mate() -> PackedGame {
        let mut position = Position::start();
        let mut play = |text: &str| {
            let mv = position.parse_uci(text).unwrap();
            position.play(mv).unwrap();
            mv
        };
        let opening = ["e2e4", "e7e5"].map(&mut play).to_vec();
        let rest = [("d1h5", 20), ("b8c6", 12), ("f1c4", 17), ("g8f6", 31_995), ("h5f7", 31_999)];
        PackedGame {
            start: 518,
            opening,
            plies: rest.map(|(text, score)| Ply { mv: play(text), score }).to_vec(),
            result: GameResult::White,
            termination: Termination::Checkmate,
        }
    }

    /// Files that were written once must be readable for ever: the order of moves may not change.
    #[test]
    fn the_format_stands_still() {
        let bytes = scholars_mate().encode().unwrap();
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, GOLDEN);
    }

    const GOLDEN: &str = "81aa2809c471efd356001f3c95c7c0";

    #[test]
    fn nonsense_has_a_name() {
        let game = scholars_mate();
        let bad_start = PackedGame { start: 960, ..game.clone() };
        assert_eq!(bad_start.encode(), Err(RecordError::Start(960)));
        let mut illegal = game.clone();
        illegal.plies.remove(1);
        assert_eq!(illegal.encode(), Err(RecordError::Move { ply: 3 }));
        assert_eq!(illegal.replay(|_, _| ()), Err(RecordError::Move { ply: 3 }));
        assert_eq!(PackedGame::decode(&[]), Err(RecordError::Truncated));
        assert_eq!(PackedGame::decode(&[0xFF; 40]), Err(RecordError::Result(3)));
    }
}
