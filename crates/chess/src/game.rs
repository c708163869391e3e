//! Games: the moves from a start, repetitions, claims of a draw, and the ways a game ends.

use crate::{Color, IllegalMove, Move, Position};

/// How a game ended by the rules alone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// Checkmate.
    Checkmate {
        /// The side that gave it.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// No sequence of legal moves leads to mate by material alone.
    InsufficientMaterial,
    /// The same position for the fifth time.
    FivefoldRepetition,
    /// Seventy-five moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
}

/// Why the player to move may claim a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Claim {
    /// The same position for the third time.
    ThreefoldRepetition,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
}

/// A game: where it began, what was played, and where it stands.
///
/// ```
/// use tabiya_chess::{Claim, Game, Position};
/// let mut game = Game::new(Position::start());
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
///     let mv = game.position().parse_uci(text).unwrap();
///     game.play(mv).unwrap();
/// }
/// assert_eq!(game.claim(), Some(Claim::ThreefoldRepetition));
/// assert_eq!(game.outcome(), None);
/// ```
#[derive(Clone)]
pub struct Game {
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// The keys of all positions before the present one.
    keys: Vec<u64>,
}

impl Game {
    /// A game from a position on.
    pub fn new(start: Position) -> Game {
        Game { position: start.clone(), start, moves: Vec::new(), keys: Vec::new() }
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// What was played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position keys before each move that was played.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Plays a move, if it is legal; if not, nothing changes.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let key = self.position.keys().position;
        self.position.play(mv)?;
        self.keys.push(key);
        self.moves.push(mv);
        Ok(())
    }

    /// How often the present position has stood on the board, this time included.
    pub fn repetitions(&self) -> usize {
        let key = self.position.keys().position;
        // Nothing from before a capture or pawn move can come again.
        let reversible = self.position.halfmove_clock() as usize;
        1 + self.keys.iter().rev().take(reversible).filter(|&&earlier| earlier == key).count()
    }

    /// How the game has ended, if the rules alone end it here. Mate goes before all draws.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate { winner: !position.side_to_move() }
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        if self.repetitions() >= 5 {
            return Some(Outcome::FivefoldRepetition);
        }
        (position.halfmove_clock() >= 150).then_some(Outcome::SeventyFiveMoves)
    }

    /// The draw that the side to move may claim.
    pub fn claim(&self) -> Option<Claim> {
        if self.repetitions() >= 3 {
            return Some(Claim::ThreefoldRepetition);
        }
        let fifty = self.position.halfmove_clock() >= 100 && !self.position.is_checkmate();
        fifty.then_some(Claim::FiftyMoves)
    }
}
