//! Games: the moves from a start, repetitions, claims of a draw, the ways a game ends, and its result.

use crate::rng::SplitMix64;
use crate::{Color, IllegalMove, Move, Position};
use core::fmt;

/// The result of a finished game.
///
/// ```
/// use tabiya_chess::{Color, GameResult};
/// assert_eq!(GameResult::win(Color::Black), GameResult::Black);
/// assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
/// assert_eq!(GameResult::Draw.white_points(), 0.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GameResult {
    /// White won.
    #[cfg_attr(feature = "serde", serde(rename = "1-0"))]
    White,
    /// A draw.
    #[cfg_attr(feature = "serde", serde(rename = "1/2-1/2"))]
    Draw,
    /// Black won.
    #[cfg_attr(feature = "serde", serde(rename = "0-1"))]
    Black,
}

impl GameResult {
    /// All results, best for White first.
    pub const ALL: [GameResult; 3] = [GameResult::White, GameResult::Draw, GameResult::Black];

    /// A win for this color.
    pub const fn win(winner: Color) -> GameResult {
        match winner {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// The color that won; nothing after a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::White => Some(Color::White),
            GameResult::Draw => None,
            GameResult::Black => Some(Color::Black),
        }
    }

    /// White's points: 1, a half or 0.
    pub const fn white_points(self) -> f64 {
        match self {
            GameResult::White => 1.0,
            GameResult::Draw => 0.5,
            GameResult::Black => 0.0,
        }
    }
}

/// As PGN writes it: `1-0`, `1/2-1/2` or `0-1`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::White => "1-0",
            GameResult::Draw => "1/2-1/2",
            GameResult::Black => "0-1",
        })
    }
}

/// How a game ended by the rules.
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
    /// A draw that a player could claim, taken as claimed; only [`Game::outcome_with_claims`] says so.
    Claimed(Claim),
}

impl Outcome {
    /// Who won.
    pub const fn result(self) -> GameResult {
        match self {
            Outcome::Checkmate { winner } => GameResult::win(winner),
            Outcome::Stalemate
            | Outcome::InsufficientMaterial
            | Outcome::FivefoldRepetition
            | Outcome::SeventyFiveMoves
            | Outcome::Claimed(_) => GameResult::Draw,
        }
    }
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

    /// A random opening: `plies` random legal moves from `start`. Nothing if the
    /// rules, or a claim of a draw, end the game by then.
    pub fn random(start: Position, plies: usize, random: &mut SplitMix64) -> Option<Game> {
        let mut game = Game::new(start);
        for _ in 0..plies {
            let moves = game.position.legal_moves();
            let mv = *moves.get(random.index(moves.len()))?;
            game.play(mv).ok()?;
        }
        game.outcome_with_claims().is_none().then_some(game)
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

    /// How the game has ended if every draw is claimed that can be, as arbiters of engine games do.
    pub fn outcome_with_claims(&self) -> Option<Outcome> {
        self.outcome().or_else(|| self.claim().map(Outcome::Claimed))
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
