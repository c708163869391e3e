//! Adjudication: ending games early by what both players say or by what tables know, if the user asks for it.

mod tables;

pub use tables::Tables;

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use tabiya_chess::{Color, Excerpt, GameResult, Position};
use tabiya_engine::{Score, ScoreRule, Umpire};
use thiserror::Error;

/// When to end a game early; never, unless set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Adjudication {
    /// When a game is called a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// When a game is given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// Who knows how endings end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables: Option<Tables>,
}

/// A draw once the scores of both players have been near zero for a number of moves in a row.
///
/// ```
/// use tabiya_arena::adjudication::DrawRule;
/// let rule: DrawRule = "score=10 moves=8 after=40".parse()?;
/// assert_eq!(rule, DrawRule { score: 10, moves: 8, after: 40 });
/// # Ok::<(), tabiya_arena::adjudication::RuleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The most that counts as nothing, in centipawns.
    pub score: u32,
    /// For how many moves of each player.
    pub moves: u32,
    /// Not before this move of the game.
    pub after: u32,
}

/// A loss once the scores of both players have agreed on it for a number of moves in a row. The score of the
/// player who is ahead counts too, so that a broken evaluation cannot give games away alone.
///
/// ```
/// use tabiya_arena::adjudication::ResignRule;
/// let rule: ResignRule = "score=600 moves=4".parse()?;
/// assert_eq!(rule, ResignRule { score: 600, moves: 4 });
/// # Ok::<(), tabiya_arena::adjudication::RuleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// The least that counts as lost, in centipawns.
    pub score: u32,
    /// For how many moves of each player.
    pub moves: u32,
}

/// Why a text is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    /// Not an assignment of a number that the rule has.
    #[error("{word} has no place in this rule; it is written {example}")]
    Word {
        /// What was written.
        word: Excerpt,
        /// What would be right.
        example: &'static str,
    },
    /// Something is left open.
    #[error("{name} is missing; the rule is written {example}")]
    Missing {
        /// What is missing.
        name: &'static str,
        /// What would be right.
        example: &'static str,
    },
    /// For no move at all.
    #[error("moves=0 would end every game at once; moves counts from 1")]
    NoMoves,
}

/// What a rule decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    ByScores(GameResult),
    ByTables(GameResult),
}

/// Ends a game by its rules: asks the tables, and has the umpire hear what the players say.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator<'a> {
    rules: &'a Adjudication,
    umpire: Umpire,
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(rules: &'a Adjudication) -> Self {
        // Players take turns, so moves of each in a row are twice as many plies in a row.
        let rule = |score, moves: u32| ScoreRule { score, plies: moves.saturating_mul(2) };
        let win = rules.resign.map(|ResignRule { score, moves }| rule(score, moves));
        let draw = rules.draw.map(|DrawRule { score, moves, .. }| rule(score, moves));
        Self { rules, umpire: Umpire::new(win, draw) }
    }

    /// Takes note of a move that led to a position, and of what its player said with it.
    pub(crate) fn judge(&mut self, reached: &Position, score: Option<Score>) -> Option<Ruling> {
        let known = self.rules.tables.as_ref().and_then(|tables| tables.result(reached));
        if let Some(result) = known {
            return Some(Ruling::ByTables(result));
        }
        let mover = !reached.side_to_move();
        self.umpire.hear(score.map(as_number).map(|score| match mover {
            Color::White => score,
            Color::Black => -score,
        }));
        // Once Black has moved, the number has gone up.
        let move_number = reached.move_number() - u32::from(mover == Color::Black);
        let late_enough = self.rules.draw.is_some_and(|rule| move_number >= rule.after);
        self.umpire.result(late_enough).map(Ruling::ByScores)
    }
}

/// A mate is worth more than any number of pawns.
fn as_number(score: Score) -> i64 {
    match score {
        Score::Centipawns(value) => value.into(),
        Score::Mate(moves) if moves > 0 => i64::MAX,
        Score::Mate(_) => -i64::MAX,
    }
}

/// Reads `name=number` words: each name once, in any order.
fn numbers<const N: usize>(
    text: &str,
    names: [&'static str; N],
    example: &'static str,
) -> Result<[u32; N], RuleError> {
    let mut values = [None; N];
    for word in text.split_whitespace() {
        let refused = || RuleError::Word { word: Excerpt::of(word), example };
        let (name, value) = word.split_once('=').ok_or_else(refused)?;
        let place = names.iter().position(|known| *known == name).ok_or_else(refused)?;
        let value: u32 = value.parse().map_err(|_| refused())?;
        if values[place].replace(value).is_some() {
            return Err(refused());
        }
    }
    let mut found = [0; N];
    for ((found, value), name) in found.iter_mut().zip(values).zip(names) {
        *found = value.ok_or(RuleError::Missing { name, example })?;
    }
    Ok(found)
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names = ["score", "moves", "after"];
        let [score, moves, after] = numbers(text, names, "score=10 moves=8 after=40")?;
        if moves == 0 {
            return Err(RuleError::NoMoves);
        }
        Ok(Self { score, moves, after })
    }
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let [score, moves] = numbers(text, ["score", "moves"], "score=600 moves=4")?;
        if moves == 0 {
            return Err(RuleError::NoMoves);
        }
        Ok(Self { score, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where it is somebody's turn, in the move of this number.
    fn position(turn: Color, move_number: u32) -> Position {
        let turn = if turn == Color::White { 'w' } else { 'b' };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        Position::from_fen(&format!("{start} {turn} KQkq - 0 {move_number}")).unwrap()
    }

    /// Feeds scores, White's first, in moves from `first_move` on, and tells at which ply a rule struck.
    fn struck(rules: &Adjudication, first_move: u32, scores: &[i32]) -> Option<(usize, Ruling)> {
        let mut adjudicator = Adjudicator::new(rules);
        let judge = |(ply, score): (usize, &i32)| {
            let reached =
                position(Color::ALL[(ply + 1) % 2], first_move + (ply as u32).div_ceil(2));
            let ruling = adjudicator.judge(&reached, Some(Score::Centipawns(*score)))?;
            Some((ply, ruling))
        };
        scores.iter().enumerate().find_map(judge)
    }

    fn draw(text: &str) -> Adjudication {
        Adjudication { draw: Some(text.parse().unwrap()), ..Adjudication::default() }
    }

    fn resign(text: &str) -> Adjudication {
        Adjudication { resign: Some(text.parse().unwrap()), ..Adjudication::default() }
    }

    #[test]
    fn a_draw_takes_both_players_and_enough_moves() {
        let rule = draw("score=10 moves=2 after=3");
        assert_eq!(struck(&rule, 1, &[0; 20]), Some((4, Ruling::ByScores(GameResult::Draw))));
        assert_eq!(struck(&rule, 40, &[0; 20]), Some((3, Ruling::ByScores(GameResult::Draw))));
        assert_eq!(
            struck(&rule, 40, &[0, 0, 11, 0, 10, -10, 10]),
            Some((6, Ruling::ByScores(GameResult::Draw)))
        );
        assert_eq!(struck(&rule, 40, &[0, 50, 0, 50, 0, 50, 0, 50]), None);
    }

    #[test]
    fn a_game_is_given_up_only_if_both_agree() {
        let rule = resign("score=500 moves=2");
        let white = Some((3, Ruling::ByScores(GameResult::White)));
        assert_eq!(struck(&rule, 1, &[600, -600, 600, -600]), white);
        let black = Some((3, Ruling::ByScores(GameResult::Black)));
        assert_eq!(struck(&rule, 1, &[-500, 500, -500, 500]), black);
        assert_eq!(struck(&rule, 1, &[0, -900, 0, -900, 0, -900, 0, -900]), None);
        assert_eq!(struck(&rule, 1, &[600, 600, 600, 600, 600, 600]), None);
        assert_eq!(struck(&rule, 1, &[600, -600, 600, -499, 600, -600]), None);
    }

    #[test]
    fn mates_count_and_silence_does_not() {
        let [white, black] = [Color::White, Color::Black].map(|mover| position(!mover, 2));
        let rules = resign("score=500 moves=1");
        let mut adjudicator = Adjudicator::new(&rules);
        assert_eq!(adjudicator.judge(&white, Some(Score::Mate(3))), None);
        let ruling = adjudicator.judge(&black, Some(Score::Mate(-2)));
        assert_eq!(ruling, Some(Ruling::ByScores(GameResult::White)));

        let rules = draw("score=500 moves=1 after=0");
        let mut adjudicator = Adjudicator::new(&rules);
        assert_eq!(adjudicator.judge(&white, Some(Score::Mate(3))), None);
        assert_eq!(adjudicator.judge(&white, None), None);
    }

    #[test]
    fn without_rules_nothing_is_decided() {
        assert_eq!(struck(&Adjudication::default(), 100, &[0; 200]), None);
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        for (text, message) in [
            ("", "score is missing; the rule is written score=600 moves=4"),
            ("score=600", "moves is missing"),
            ("score=-5 moves=4", "\"score=-5\" has no place"),
            ("score=5 moves=4 score=6", "\"score=6\" has no place"),
            ("score=5 moves=4 after=6", "\"after=6\" has no place"),
            ("score=5 moves=0", "moves counts from 1"),
        ] {
            let error = text.parse::<ResignRule>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
