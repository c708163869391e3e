//! Who plays whom, with which color, from which opening.
//!
//! A schedule is a formula, not a list: the n-th game is computed when it is asked for. An
//! interrupted tournament goes on with the number of the next game, and a million games take no memory.
//!
//! Two games in a row always form a pair: the same two players, the same opening, colors swapped. In
//! one *cycle* every encounter is played once, as one pair; the opening belongs to the cycle. So all
//! encounters are played from the same openings, and none meets an opening twice before the openings
//! run out.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::results::MAX_PLAYERS;

/// Who is to meet whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone.
    RoundRobin,
    /// The first players meet all the others, who do not meet each other.
    Gauntlet {
        /// How many of the first players run the gauntlet.
        challengers: usize,
    },
}

/// One game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledGame {
    /// The number of the game, from 0.
    pub index: u64,
    /// The number of the pair it belongs to, from 0.
    pub pair: u64,
    /// The number of its opening, from 0; the list of openings starts again where it ends.
    pub opening: u64,
    /// Who plays White.
    pub white: usize,
    /// Who plays Black.
    pub black: usize,
}

/// Why there can be no such schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// A game needs two players.
    #[error("{0} players are too few; a schedule needs 2 at least")]
    TooFewPlayers(usize),
    /// Too many players.
    #[error("{0} players are too many; a schedule takes up to {MAX_PLAYERS}")]
    TooManyPlayers(usize),
    /// No challenger runs the gauntlet, or no opponent is left.
    #[error("{challengers} challengers among {players} players should be from 1 to {}", .players - 1)]
    WrongChallengers {
        /// How many were to run the gauntlet.
        challengers: usize,
        /// How many players there are.
        players: usize,
    },
    /// There is nothing to play.
    #[error("a schedule needs one cycle at least")]
    NoCycles,
}

/// All games of a match or tournament, in order.
///
/// ```
/// use tabiya_arena::pairing::{Format, Schedule};
///
/// // A match is a tournament of two.
/// let schedule = Schedule::new(Format::RoundRobin, 2, 50)?;
/// assert_eq!(schedule.games(), 100);
/// let [first, second] = [6, 7].map(|index| schedule.game(index).unwrap());
/// assert_eq!((first.white, first.black), (second.black, second.white));
/// assert_eq!((first.opening, second.opening), (3, 3));
/// # Ok::<(), tabiya_arena::pairing::ScheduleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawSchedule")]
pub struct Schedule {
    format: Format,
    players: usize,
    cycles: u32,
}

#[derive(Deserialize)]
struct RawSchedule {
    format: Format,
    players: usize,
    cycles: u32,
}

impl TryFrom<RawSchedule> for Schedule {
    type Error = ScheduleError;

    fn try_from(raw: RawSchedule) -> Result<Self, Self::Error> {
        Self::new(raw.format, raw.players, raw.cycles)
    }
}

impl Schedule {
    /// A schedule in which every encounter is played `cycles` times, as a pair of games each time.
    ///
    /// # Errors
    /// If there are too few or too many players, or nothing to play.
    pub fn new(format: Format, players: usize, cycles: u32) -> Result<Self, ScheduleError> {
        if players < 2 {
            return Err(ScheduleError::TooFewPlayers(players));
        }
        if players > MAX_PLAYERS {
            return Err(ScheduleError::TooManyPlayers(players));
        }
        if let Format::Gauntlet { challengers } = format
            && !(1..players).contains(&challengers)
        {
            return Err(ScheduleError::WrongChallengers { challengers, players });
        }
        if cycles == 0 {
            return Err(ScheduleError::NoCycles);
        }
        Ok(Self { format, players, cycles })
    }

    /// How many games there are in all.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * u64::from(self.cycles) * self.encounters() as u64
    }

    /// How many different encounters there are.
    #[must_use]
    pub fn encounters(&self) -> usize {
        match self.format {
            Format::RoundRobin => self.players * (self.players - 1) / 2,
            Format::Gauntlet { challengers } => challengers * (self.players - challengers),
        }
    }

    /// The game with this number; nothing after the last.
    #[must_use]
    pub fn game(&self, index: u64) -> Option<ScheduledGame> {
        if index >= self.games() {
            return None;
        }
        let pair = index / 2;
        let encounters = self.encounters() as u64;
        let (cycle, encounter) = (pair / encounters, pair % encounters);
        let (one, other) = self.encounter(encounter as usize);
        // Who begins with White alternates, so that an interrupted schedule is fair too.
        let swapped = (cycle + encounter + index) % 2 == 1;
        let (white, black) = if swapped { (other, one) } else { (one, other) };
        Some(ScheduledGame { index, pair, opening: cycle, white, black })
    }

    /// The games from this number on.
    pub fn games_from(&self, index: u64) -> impl Iterator<Item = ScheduledGame> + '_ {
        (index..self.games()).filter_map(|index| self.game(index))
    }

    fn encounter(&self, number: usize) -> (usize, usize) {
        match self.format {
            Format::RoundRobin => self.round_robin(number),
            Format::Gauntlet { challengers } => {
                (number % challengers, challengers + number / challengers)
            }
        }
    }

    /// The circle method: all players but one sit at a round table that turns by one seat a round,
    /// and play the player opposite; the one left over plays the one in the middle, or, if their
    /// number is odd, rests.
    fn round_robin(&self, number: usize) -> (usize, usize) {
        let seats = if self.players.is_multiple_of(2) { self.players - 1 } else { self.players };
        let boards = self.players / 2;
        let (round, board) = (number / boards, number % boards);
        // With an even number of players board 0 is that of the one in the middle.
        let distance = if self.players.is_multiple_of(2) { board } else { board + 1 };
        if distance == 0 {
            (round, self.players - 1)
        } else {
            ((round + distance) % seats, (round + seats - distance) % seats)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn schedules() -> impl Iterator<Item = Schedule> {
        (2..=13).flat_map(|players| {
            let formats = std::iter::once(Format::RoundRobin)
                .chain((1..players).map(|challengers| Format::Gauntlet { challengers }));
            formats.flat_map(move |format| {
                [1, 2, 5].map(|cycles| Schedule::new(format, players, cycles).unwrap())
            })
        })
    }

    fn should_meet(schedule: &Schedule, a: usize, b: usize) -> bool {
        match schedule.format {
            Format::RoundRobin => a != b,
            Format::Gauntlet { challengers } => (a < challengers) != (b < challengers),
        }
    }

    #[test]
    fn everyone_meets_everyone_equally_with_both_colors() {
        for schedule in schedules() {
            let mut count = BTreeMap::new();
            for game in schedule.games_from(0) {
                *count.entry((game.white, game.black)).or_insert(0) += 1;
            }
            for white in 0..schedule.players {
                for black in 0..schedule.players {
                    let games = count.remove(&(white, black)).unwrap_or(0);
                    let expected =
                        if should_meet(&schedule, white, black) { schedule.cycles } else { 0 };
                    assert_eq!(games, expected, "{schedule:?}: {white} against {black}");
                }
            }
            assert!(count.is_empty());
        }
    }

    #[test]
    fn games_come_in_pairs_with_colors_swapped() {
        for schedule in schedules() {
            let games: Vec<_> = schedule.games_from(0).collect();
            assert_eq!(games.len() as u64, schedule.games());
            for (number, pair) in games.chunks(2).enumerate() {
                assert_eq!((pair[0].white, pair[0].black), (pair[1].black, pair[1].white));
                assert_eq!(pair[0].opening, pair[1].opening);
                assert_eq!((pair[0].pair, pair[1].pair), (number as u64, number as u64));
            }
        }
    }

    #[test]
    fn no_encounter_meets_an_opening_twice() {
        for schedule in schedules() {
            let mut seen = BTreeSet::new();
            for game in schedule.games_from(0) {
                assert!(seen.insert((game.white, game.black, game.opening)), "{schedule:?}");
            }
        }
    }

    #[test]
    fn in_a_round_nobody_plays_twice() {
        for players in 2..=13 {
            let schedule = Schedule::new(Format::RoundRobin, players, 1).unwrap();
            let games: Vec<_> = schedule.games_from(0).collect();
            for round in games.chunks(2 * (players / 2)) {
                let busy: BTreeSet<_> = round.iter().flat_map(|g| [g.white, g.black]).collect();
                assert_eq!(busy.len(), 2 * (players / 2), "{players} players: {round:?}");
            }
        }
    }

    /// Wherever the schedule is cut off between pairs, colors are level; within one, off by one.
    #[test]
    fn colors_are_level_at_every_cut() {
        for schedule in schedules() {
            let mut lead = vec![0i32; schedule.players];
            for game in schedule.games_from(0) {
                lead[game.white] += 1;
                lead[game.black] -= 1;
                let most = lead.iter().map(|l| l.abs()).max();
                assert_eq!(most, Some(i32::from(game.index % 2 == 0)), "{schedule:?}");
            }
        }
    }

    #[test]
    fn any_game_can_be_asked_for_and_the_rest_goes_on_from_there() {
        for schedule in schedules() {
            let all: Vec<_> = schedule.games_from(0).collect();
            for (index, game) in all.iter().enumerate() {
                assert_eq!(schedule.game(index as u64).as_ref(), Some(game));
            }
            let middle = all.len() / 3;
            assert!(schedule.games_from(middle as u64).eq(all[middle..].iter().copied()));
            assert_eq!(schedule.game(schedule.games()), None);
            assert_eq!(schedule.games_from(u64::MAX).next(), None);
        }
    }

    #[test]
    fn the_longest_schedule_can_be_counted() {
        let schedule = Schedule::new(Format::RoundRobin, MAX_PLAYERS, u32::MAX).unwrap();
        let last = schedule.game(schedule.games() - 1).unwrap();
        assert!(last.white < MAX_PLAYERS && last.black < MAX_PLAYERS);
        assert_eq!(last.opening, u64::from(u32::MAX) - 1);
    }

    #[test]
    fn impossible_schedules_are_refused_with_a_reason() {
        use Format::{Gauntlet, RoundRobin};
        let error = |format, players, cycles| Schedule::new(format, players, cycles).unwrap_err();
        assert_eq!(error(RoundRobin, 1, 1), ScheduleError::TooFewPlayers(1));
        assert_eq!(error(RoundRobin, 1001, 1), ScheduleError::TooManyPlayers(1001));
        assert_eq!(error(RoundRobin, 2, 0), ScheduleError::NoCycles);
        for challengers in [0, 4] {
            let error = error(Gauntlet { challengers }, 4, 1);
            assert_eq!(error, ScheduleError::WrongChallengers { challengers, players: 4 });
            assert!(error.to_string().ends_with("should be from 1 to 3"), "{error}");
        }
        let text = serde_json::to_string(&Schedule::new(RoundRobin, 3, 1).unwrap()).unwrap();
        assert!(serde_json::from_str::<Schedule>(&text.replace('3', "0")).is_err());
    }
}
