//! Where games begin.
//!
//! Openings come from a file or from this program itself, in an order that a seed fixes. A file is one of
//!
//! | kind | known by | each opening is |
//! | --- | --- | --- |
//! | EPD | lines with the fields of a FEN | the position |
//! | PGN | tags in brackets, or numbered moves | the game up to its end, or up to a number of plies |
//! | lines of moves | moves as UCI writes them, from the usual start | the line |
//!
//! In EPD and in lines of moves, what follows a `#` at the beginning of a line is a remark.

mod random;
mod read;

use random::Builtin;
pub use random::{Balance, JudgedOpening, RandomOpenings, as_numbers, balanced};
pub use read::{OpeningPlace, OpeningsError};

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use tabiya_chess::{CastlingStyle, Game, Move, Position};

use tabiya_chess::rng::SplitMix64;
use tabiya_engine::lock;

/// A position to start from, and how it came about.
#[derive(Clone)]
pub struct Opening(Game);

impl Opening {
    /// The game so far.
    #[must_use]
    pub fn game(&self) -> Game {
        self.0.clone()
    }

    /// Where the moves begin.
    #[must_use]
    pub fn start(&self) -> &Position {
        self.0.start()
    }

    /// The moves that are given.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        self.0.moves()
    }

    /// Where play begins.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.0.position()
    }

    /// A number that tells openings apart, also those that lead to the same position.
    #[must_use]
    pub fn key(&self) -> u64 {
        let moves = self.moves().iter().map(|mv| u64::from(mv.bits()));
        moves.fold(self.start().keys().position, |so_far, mv| SplitMix64::new(so_far ^ mv).next())
    }
}

impl From<Game> for Opening {
    fn from(game: Game) -> Self {
        Self(game)
    }
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Opening({})", self.position().fen())
    }
}

/// Openings in the order in which they are played.
#[derive(Clone, Debug)]
pub struct Openings(Arc<Source>);

#[derive(Debug)]
enum Source {
    /// One at least.
    List(Vec<Arc<Opening>>),
    /// Made when they are asked for, and kept.
    Made(Mutex<(Builtin, Vec<Arc<Opening>>)>),
}

impl Openings {
    /// Openings in the order given; nothing if there are none.
    #[must_use]
    pub fn new(openings: impl IntoIterator<Item = Opening>) -> Option<Self> {
        let openings: Vec<_> = openings.into_iter().map(Arc::new).collect();
        (!openings.is_empty()).then(|| Self(Arc::new(Source::List(openings))))
    }

    /// Openings that this program has made, in the order that a seed fixes: some thousands of random ones
    /// that a search found level, and after them, without end, others that are level at a glance.
    #[must_use]
    pub fn builtin(seed: u64) -> Self {
        let made = Mutex::new((Builtin::new(seed), Vec::new()));
        Self(Arc::new(Source::Made(made)))
    }

    /// Reads a file; of games in PGN at most the first `plies` moves.
    ///
    /// # Errors
    /// If there is no such file, or what it says makes no sense.
    pub fn read(path: &Path, plies: Option<usize>) -> Result<Self, OpeningsError> {
        read::file(path, plies)
    }

    /// The same openings in the order that a seed fixes; those made here have such an order already.
    #[must_use]
    pub fn shuffled(&self, seed: u64) -> Self {
        let Source::List(openings) = &*self.0 else {
            return self.clone();
        };
        let mut openings = openings.clone();
        SplitMix64::new(seed).shuffle(&mut openings);
        Self(Arc::new(Source::List(openings)))
    }

    /// The opening of this number; after the last the first comes again.
    #[must_use]
    pub fn get(&self, number: u64) -> Arc<Opening> {
        match &*self.0 {
            Source::List(openings) => {
                Arc::clone(&openings[(number % openings.len() as u64) as usize])
            }
            Source::Made(made) => {
                let mut made = lock(made);
                let (stream, openings) = &mut *made;
                while openings.len() as u64 <= number {
                    openings.extend(stream.next().map(Arc::new));
                }
                Arc::clone(&openings[number as usize])
            }
        }
    }
}

/// Openings from the usual start as lines of moves, which [`Openings::read`] reads.
#[must_use]
pub fn as_lines<'a>(openings: impl IntoIterator<Item = &'a Opening>) -> String {
    let mut text = String::new();
    for opening in openings {
        let mut position = opening.start().clone();
        for (ply, &mv) in opening.moves().iter().enumerate() {
            let gap = if ply == 0 { "" } else { " " };
            let written = mv.uci(&position, CastlingStyle::KingToTarget);
            // Writing to a string cannot fail.
            let _ = write!(text, "{gap}{written}");
            position.play_unchecked(mv);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(openings: &Openings, count: u64) -> Vec<u64> {
        (0..count).map(|number| openings.get(number).key()).collect()
    }

    fn list(count: u64) -> Openings {
        let made = Openings::builtin(1);
        Openings::new((0..count).map(|number| (*made.get(number)).clone())).unwrap()
    }

    #[test]
    fn the_order_follows_from_the_seed_and_loses_nothing() {
        let original = list(50);
        let shuffled = |seed| keys(&original.shuffled(seed), 50);
        assert_eq!(shuffled(5), shuffled(5));
        assert_ne!(shuffled(5), shuffled(6));
        assert_ne!(shuffled(5), keys(&original, 50));
        let sorted = |mut keys: Vec<u64>| {
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(shuffled(5)), sorted(keys(&original, 50)));
    }

    #[test]
    fn after_the_last_comes_the_first() {
        let openings = list(3);
        assert!(Arc::ptr_eq(&openings.get(1), &openings.get(4)));
        assert!(Openings::new([]).is_none());
    }

    #[test]
    fn those_made_here_never_end_and_do_not_depend_on_who_asks() {
        let [one, other] = [(); 2].map(|()| Openings::builtin(7));
        let last = one.get(200).key();
        assert_eq!(keys(&other, 201)[200], last);
        assert!(Arc::ptr_eq(&one.get(200), &one.get(200)));
    }

    #[test]
    fn lines_of_moves_read_back() {
        let openings = list(40);
        let all: Vec<_> = (0..40).map(|number| openings.get(number)).collect();
        let text = as_lines(all.iter().map(|opening| &**opening));
        let again = read::parse(text.as_bytes(), None).unwrap();
        assert_eq!(keys(&again, 40), keys(&openings, 40));
    }

    #[test]
    fn the_key_tells_how_a_position_came_about() {
        let key = |text: &str| read::parse(text.as_bytes(), None).unwrap().get(0).key();
        assert_ne!(key("g1f3 g8f6 b1c3"), key("b1c3 g8f6 g1f3"));
        assert_eq!(key("g1f3 g8f6"), key("1. Nf3 Nf6 *"));
    }
}
