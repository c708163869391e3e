//! Openings that the program makes for itself.

use std::collections::HashSet;

use tabiya_chess::{Colour, ExchangeValues, Game, Piece, Position};
use tabiya_engine::{Analyst, AnalystError, Limits, Score};

use super::Opening;
use crate::game::ending_by_rule;
use crate::random::SplitMix64;

/// The fewest plies. One more in half of the openings gives Black the first move as often as White.
const PLIES: usize = 8;

/// An endless stream of different openings, eight or nine random plies deep, with nothing amiss that a
/// glance can see: as much wood on both sides, no check, nothing to be won at once and no mate in one.
///
/// ```
/// use tabiya_arena::openings::RandomOpenings;
///
/// let openings: Vec<_> = RandomOpenings::new(1).take(10).collect();
/// assert!(openings.iter().all(|opening| [8, 9].contains(&opening.moves().len())));
/// ```
#[derive(Debug)]
pub struct RandomOpenings {
    seed: u64,
    attempt: u64,
    seen: HashSet<u64>,
}

impl RandomOpenings {
    /// The stream that a seed names.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, attempt: 0, seen: HashSet::new() }
    }
}

impl Iterator for RandomOpenings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        loop {
            let mut random = SplitMix64::stream(self.seed, self.attempt);
            self.attempt += 1;
            let Some(game) = wander(&mut random) else {
                continue;
            };
            let key = game.position().keys().position;
            if is_level(game.position()) && self.seen.insert(key) {
                return Some(game.into());
            }
        }
    }
}

/// Random legal moves from the usual start; nothing if they end the game.
fn wander(random: &mut SplitMix64) -> Option<Game> {
    let mut game = Game::new(Position::start());
    for _ in 0..PLIES + random.below(2) {
        let moves = game.position().legal_moves();
        let mv = *moves.get(random.below(moves.len().max(1)))?;
        game.play(mv).ok()?;
    }
    ending_by_rule(&game).is_none().then_some(game)
}

fn is_level(position: &Position) -> bool {
    let mut passed = position.clone();
    wood(position, Colour::White) == wood(position, Colour::Black)
        // Passing is impossible in check.
        && passed.pass()
        && !wins_something(position)
        && !wins_something(&passed)
}

/// What a side's men are worth, in pawns, as children learn it.
fn wood(position: &Position, colour: Colour) -> u32 {
    let count = |piece| position.men(colour, piece).len();
    count(Piece::Pawn)
        + 3 * (count(Piece::Knight) + count(Piece::Bishop))
        + 5 * count(Piece::Rook)
        + 9 * count(Piece::Queen)
}

/// Can the side to move take something for nothing, or mate?
fn wins_something(position: &Position) -> bool {
    let values = ExchangeValues::default();
    position.legal_moves().iter().any(|&mv| {
        let mates = || {
            let mut next = position.clone();
            next.play_unchecked(mv);
            next.is_checkmate()
        };
        position.see_reaches(mv, 1, &values) || position.gives_check(mv) && mates()
    })
}

/// What a search must say of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// How many nodes the search gets.
    pub nodes: u64,
    /// The most that either side may be ahead, in centipawns.
    pub band: u32,
}

/// So many openings of the stream that a seed names, of those that a search finds level.
///
/// `progress` is told after each opening how many there are and how many were looked at.
///
/// # Errors
/// If the analyst fails.
pub fn balanced(
    seed: u64,
    count: usize,
    analyst: &mut dyn Analyst,
    balance: Balance,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<Opening>, AnalystError> {
    let limits = Limits { nodes: Some(balance.nodes), ..Limits::default() };
    let mut found = Vec::new();
    for (looked_at, opening) in (1..).zip(RandomOpenings::new(seed)) {
        if found.len() == count {
            break;
        }
        // What was learnt from one opening must not colour the next, or the order would matter.
        analyst.new_game()?;
        let search = analyst.start(&opening.0, &limits, Box::new(|_| ()))?;
        let level = search.wait()?.info.is_some_and(|info| match info.score {
            Score::Centipawns(value) => value.unsigned_abs() <= balance.band,
            Score::Mate(_) => false,
        });
        if level {
            found.push(opening);
        }
        progress(found.len(), looked_at);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_stream() {
        let keys = |seed| -> Vec<u64> {
            let openings = RandomOpenings::new(seed).take(100);
            openings.map(|o| o.position().keys().position).collect()
        };
        assert_eq!(keys(1), keys(1));
        assert_ne!(keys(1), keys(2));
        let different: HashSet<u64> = keys(1).into_iter().collect();
        assert_eq!(different.len(), 100);
    }

    #[test]
    fn both_colours_get_to_move_first() {
        let white = RandomOpenings::new(3)
            .take(400)
            .filter(|opening| opening.position().turn() == Colour::White)
            .count();
        // Five standard deviations around the half.
        assert!((150..=250).contains(&white), "{white} of 400");
    }

    #[test]
    fn what_is_amiss_at_a_glance_is_seen() {
        let level = |fen: &str| is_level(&Position::from_fen(fen).unwrap());
        assert!(level("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        // A rook short; a queen to be taken, by either side; in check; a fool's mate.
        assert!(!level("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"));
        assert!(!level("rnb1kbnr/pppp1ppp/8/4p1q1/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(!level("rnb1kbnr/pppp1ppp/8/4p1q1/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"));
        assert!(!level("rnbqk1nr/pppp1ppp/8/4p3/1b1P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(!level("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"));
    }
}
