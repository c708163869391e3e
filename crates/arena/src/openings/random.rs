//! Openings that the program makes for itself.

use std::collections::HashSet;

use tabiya_chess::{Color, ExchangeValues, Game, PieceKind, Position};
use tabiya_engine::{Analyst, AnalystError, Limits, RunOn, Score};

use super::Opening;
use tabiya_chess::rng::SplitMix64;

/// The fewest plies. One more in half of the openings gives Black the first move as often as White.
const PLIES: usize = 8;

const NUMBERS_IN_A_LINE: usize = 40;

/// The openings that the program has made, as [`as_numbers`] writes them.
const BUILTIN: &str = include_str!("../../../../data/openings.txt");

/// An endless stream of different openings, eight or nine random plies deep, with nothing amiss that a
/// glance can see: as much wood on both sides, no check, nothing to be won at once and no mate in one.
/// Each has a number, from which it can be made again: how many were tried before it.
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

    /// The number of the opening that came last.
    fn last_number(&self) -> u64 {
        self.attempt.saturating_sub(1)
    }

    /// The opening of a number, unless it is amiss or there was one like it. Going on from here, the
    /// stream has what comes after it.
    fn at(&mut self, number: u64) -> Option<Opening> {
        self.attempt = self.attempt.max(number.saturating_add(1));
        let mut random = SplitMix64::stream(self.seed, number);
        let plies = PLIES + random.index(2);
        let game = Game::random(Position::start(), plies, &mut random)?;
        let key = game.position().keys().position;
        (is_level(game.position()) && self.seen.insert(key)).then(|| game.into())
    }
}

impl Iterator for RandomOpenings {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        loop {
            if let Some(opening) = self.at(self.attempt) {
                return Some(opening);
            }
        }
    }
}

/// The openings that are built in, in the order that a seed fixes, and after them as many more as anyone
/// wants, which no search has judged: a match must not play the same games twice.
#[derive(Debug)]
pub(super) struct Builtin {
    listed: std::vec::IntoIter<u64>,
    stream: RandomOpenings,
}

impl Builtin {
    pub(super) fn new(seed: u64) -> Self {
        let (stream, mut numbers) = parse_numbers(BUILTIN);
        SplitMix64::new(seed).shuffle(&mut numbers);
        Self { listed: numbers.into_iter(), stream: RandomOpenings::new(stream) }
    }
}

impl Iterator for Builtin {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        self.listed.find_map(|number| self.stream.at(number)).or_else(|| self.stream.next())
    }
}

/// The seed of a stream, and the numbers of openings in it: the first, and then how much larger each is
/// than the one before.
fn parse_numbers(text: &str) -> (u64, Vec<u64>) {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace).map(|word| word.parse().unwrap_or(0));
    let seed = words.next().unwrap_or(0);
    let sum = |so_far: &mut u64, gap: u64| {
        *so_far += gap;
        Some(*so_far)
    };
    (seed, words.scan(0, sum).collect())
}

/// The same, written: what this program has built in is such a text.
#[must_use]
pub fn as_numbers(seed: u64, openings: &[JudgedOpening]) -> String {
    let mut text = format!("{seed}\n");
    let mut before = 0;
    for line in openings.chunks(NUMBERS_IN_A_LINE) {
        let gaps: Vec<String> = line
            .iter()
            .map(|judged| {
                let gap = judged.number - before;
                before = judged.number;
                gap.to_string()
            })
            .collect();
        text.push_str(&gaps.join(" "));
        text.push('\n');
    }
    text
}

fn is_level(position: &Position) -> bool {
    let mut passed = position.clone();
    wood(position, Color::White) == wood(position, Color::Black)
        // Passing is impossible in check.
        && passed.null_move()
        && !wins_something(position)
        && !wins_something(&passed)
}

/// What a side's pieces are worth, in pawns, as children learn it.
fn wood(position: &Position, color: Color) -> u32 {
    let count = |piece| position.colored_pieces(color, piece).len();
    count(PieceKind::Pawn)
        + 3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
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
        position.see_ge(mv, 1, &values) || position.gives_check(mv) && mates()
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

/// An opening that a search has found level.
#[derive(Clone, Debug)]
pub struct JudgedOpening {
    /// Its number in the stream.
    pub number: u64,
    /// The opening.
    pub opening: Opening,
}

/// Openings of the stream that a seed names, as many as asked for, of those that a search finds level.
///
/// `progress` is called after each opening with how many there are and how many were looked at.
///
/// # Errors
/// If the analyst fails.
pub fn balanced(
    seed: u64,
    count: usize,
    analyst: &mut dyn Analyst,
    balance: Balance,
    mut progress: impl FnMut(usize, usize),
) -> Result<Vec<JudgedOpening>, AnalystError> {
    let limits = Limits { nodes: Some(balance.nodes), ..Limits::default() };
    let mut found = Vec::new();
    let mut stream = RandomOpenings::new(seed);
    let mut looked_at = 0;
    while found.len() < count
        && let Some(opening) = stream.next()
    {
        // What was learnt from one opening must not color the next, or the order would matter.
        analyst.new_game()?;
        let result = analyst.search(&opening.0, &limits, RunOn::Waiter, None)?.wait()?;
        let level = result.info.is_some_and(|info| match info.score {
            Score::Centipawns(value) => value.unsigned_abs() <= balance.band,
            Score::Mate(_) => false,
        });
        if level {
            found.push(JudgedOpening { number: stream.last_number(), opening });
        }
        looked_at += 1;
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
    fn what_is_built_in_is_what_chance_made() {
        let (seed, numbers) = parse_numbers(BUILTIN);
        assert!(numbers.len() >= 4000, "{} openings", numbers.len());
        assert!(numbers.is_sorted_by(|one, next| one < next), "each is named once, in order");
        let mut listed = RandomOpenings::new(seed);
        let made: Vec<_> = numbers.iter().map(|&number| listed.at(number)).collect();
        assert!(made.iter().all(Option::is_some), "all are level at a glance, and no two the same");

        // The stream has the first of them, whatever a search has left out in between.
        let mut stream = RandomOpenings::new(seed);
        for (number, opening) in numbers.iter().zip(made).take(100) {
            let same = std::iter::from_fn(|| Some((stream.next()?, stream.last_number())))
                .find(|(_, passed)| passed >= number);
            let key = |opening: Option<Opening>| opening.map(|opening| opening.key());
            assert_eq!(key(same.map(|(opening, _)| opening)), key(opening));
        }
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        let (seed, numbers) = parse_numbers(BUILTIN);
        let judged: Vec<_> = numbers
            .iter()
            .map(|&number| JudgedOpening { number, opening: Game::new(Position::start()).into() })
            .collect();
        let body: String =
            BUILTIN.split_inclusive('\n').filter(|line| !line.starts_with('#')).collect();
        assert_eq!(as_numbers(seed, &judged), body);
    }

    #[test]
    fn after_the_built_in_openings_come_others() {
        let (_, numbers) = parse_numbers(BUILTIN);
        let keys: Vec<u64> = Builtin::new(5)
            .take(numbers.len() + 200)
            .map(|opening| opening.position().keys().position)
            .collect();
        let different: HashSet<u64> = keys.iter().copied().collect();
        assert_eq!(different.len(), keys.len());
        let [listed, others] = [&keys[..numbers.len()], &keys[numbers.len()..]];
        let again: Vec<u64> = Builtin::new(6)
            .take(keys.len())
            .map(|opening| opening.position().keys().position)
            .collect();
        assert_ne!(again[..numbers.len()], *listed, "another seed, another order");
        assert_eq!(again[numbers.len()..], *others);
    }

    #[test]
    fn both_colors_get_to_move_first() {
        let white = RandomOpenings::new(3)
            .take(400)
            .filter(|opening| opening.position().side_to_move() == Color::White)
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
