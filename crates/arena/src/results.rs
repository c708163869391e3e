//! What happened on the board: the result of a game, of an encounter, of a tournament.

use serde::{Deserialize, Serialize};
use tabiya_chess::{Color, GameResult};
use thiserror::Error;

/// More players than any table, picture or matrix here is meant for.
pub const MAX_PLAYERS: usize = 1000;

/// How a game ended, as one of its two players sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayerResult {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// The whole point.
    Win,
}

impl PlayerResult {
    /// A game's result as the player of this color sees it.
    #[must_use]
    pub fn of(result: GameResult, color: Color) -> Self {
        match result.winner() {
            None => Self::Draw,
            Some(winner) if winner == color => Self::Win,
            Some(_) => Self::Loss,
        }
    }

    /// The same game as the opponent sees it.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Wins, draws and losses, as one player sees them.
///
/// ```
/// use tabiya_arena::results::{PlayerResult, Wdl};
///
/// let mut games = Wdl::default();
/// games.record(PlayerResult::Win);
/// games.record(PlayerResult::Draw);
/// assert_eq!(games.points(), 1.5);
/// assert_eq!(games.score(), Some(0.75));
/// assert_eq!(games.reversed().points(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Wdl {
    /// Counts one more game.
    pub fn record(&mut self, outcome: PlayerResult) {
        let count = match outcome {
            PlayerResult::Loss => &mut self.losses,
            PlayerResult::Draw => &mut self.draws,
            PlayerResult::Win => &mut self.wins,
        };
        *count = count.saturating_add(1);
    }

    /// Counts the games of `other` too.
    pub fn merge(&mut self, other: Self) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }

    /// The same games as the opponent sees them.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// How many games there were.
    #[must_use]
    pub fn games(self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// Points made: one for a win, half for a draw.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.wins) + 0.5 * f64::from(self.draws)
    }

    /// Points per game, from 0 to 1; nothing without games.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of games that were drawn; nothing without games.
    #[must_use]
    pub fn draw_rate(self) -> Option<f64> {
        (self.games() > 0).then(|| f64::from(self.draws) / self.games() as f64)
    }
}

/// All the games between two players of a [`ResultTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Encounter {
    /// The player with the lower index.
    pub first: usize,
    /// The player with the higher index.
    pub second: usize,
    /// The games, as `first` sees them.
    pub games: Wdl,
}

/// Why a result cannot be entered, or a table of results not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ResultTableError {
    /// Two players have the same name.
    #[error("two players are named \"{0}\"; every player needs a name of its own")]
    DuplicateName(String),
    /// Too many players.
    #[error("{0} players are too many; a table holds up to {MAX_PLAYERS}")]
    TooManyPlayers(usize),
    /// A player's number is out of range.
    #[error("there is no player number {player}: this table has {players}, counted from 0")]
    UnknownPlayer {
        /// The number asked for.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// A game needs two players.
    #[error("player \"{0}\" cannot play against itself")]
    SamePlayer(String),
}

/// The results of a tournament: who played whom, and how it went.
///
/// ```
/// use tabiya_arena::results::{PlayerResult, ResultTable};
///
/// let mut table = ResultTable::new(["Ada", "Bob", "Cyd"])?;
/// table.record(1, 0, PlayerResult::Win)?;
/// assert_eq!(table.between(1, 0).wins, 1);
/// assert_eq!(table.between(0, 1).losses, 1);
/// assert_eq!(table.total(1).points(), 1.0);
/// # Ok::<(), tabiya_arena::results::ResultTableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RawResultTable")]
pub struct ResultTable {
    players: Vec<String>,
    /// Sorted by `(first, second)`, `first < second`, one entry for every two who have met.
    encounters: Vec<Encounter>,
}

#[derive(Deserialize)]
struct RawResultTable {
    players: Vec<String>,
    encounters: Vec<Encounter>,
}

impl TryFrom<RawResultTable> for ResultTable {
    type Error = ResultTableError;

    fn try_from(raw: RawResultTable) -> Result<Self, Self::Error> {
        let mut table = Self::new(raw.players)?;
        for encounter in raw.encounters {
            table.add(encounter.first, encounter.second, encounter.games)?;
        }
        Ok(table)
    }
}

impl ResultTable {
    /// A table without games.
    ///
    /// # Errors
    /// If two names are the same, or there are more than [`MAX_PLAYERS`].
    pub fn new<N: Into<String>>(
        players: impl IntoIterator<Item = N>,
    ) -> Result<Self, ResultTableError> {
        let players: Vec<String> = players.into_iter().map(Into::into).collect();
        if players.len() > MAX_PLAYERS {
            return Err(ResultTableError::TooManyPlayers(players.len()));
        }
        let mut sorted: Vec<&String> = players.iter().collect();
        sorted.sort_unstable();
        if let Some(twins) = sorted.windows(2).find(|two| two[0] == two[1]) {
            return Err(ResultTableError::DuplicateName(twins[0].clone()));
        }
        Ok(Self { players, encounters: Vec::new() })
    }

    /// Counts one game of `player` against `opponent`.
    ///
    /// # Errors
    /// If one of them is not in the table, or they are the same.
    pub fn record(
        &mut self,
        player: usize,
        opponent: usize,
        outcome: PlayerResult,
    ) -> Result<(), ResultTableError> {
        let mut games = Wdl::default();
        games.record(outcome);
        self.add(player, opponent, games)
    }

    /// Counts many games of `player` against `opponent`.
    ///
    /// # Errors
    /// If one of them is not in the table, or they are the same.
    pub fn add(
        &mut self,
        player: usize,
        opponent: usize,
        games: Wdl,
    ) -> Result<(), ResultTableError> {
        let players = self.players.len();
        if let Some(player) = [player, opponent].into_iter().find(|&p| p >= players) {
            return Err(ResultTableError::UnknownPlayer { player, players });
        }
        if player == opponent {
            return Err(ResultTableError::SamePlayer(self.players[player].clone()));
        }
        let (first, second, games) = if player < opponent {
            (player, opponent, games)
        } else {
            (opponent, player, games.reversed())
        };
        match self.position(first, second) {
            Ok(found) => self.encounters[found].games.merge(games),
            Err(gap) => self.encounters.insert(gap, Encounter { first, second, games }),
        }
        Ok(())
    }

    /// The players' names, in the order of their numbers.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// Every two who have met, in order.
    #[must_use]
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// The games between two players, as `player` sees them; none if they have not met.
    #[must_use]
    pub fn between(&self, player: usize, opponent: usize) -> Wdl {
        let found = |first, second| {
            self.position(first, second)
                .map_or_else(|_| Wdl::default(), |index| self.encounters[index].games)
        };
        if player < opponent { found(player, opponent) } else { found(opponent, player).reversed() }
    }

    /// All games of one player.
    #[must_use]
    pub fn total(&self, player: usize) -> Wdl {
        let mut total = Wdl::default();
        for encounter in &self.encounters {
            if encounter.first == player {
                total.merge(encounter.games);
            } else if encounter.second == player {
                total.merge(encounter.games.reversed());
            }
        }
        total
    }

    /// The players' numbers, best score first; equal scores stay in the order of the table.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let scores: Vec<f64> = (0..self.players.len())
            .map(|player| self.total(player).score().unwrap_or(0.0))
            .collect();
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order
    }

    fn position(&self, first: usize, second: usize) -> Result<usize, usize> {
        self.encounters.binary_search_by_key(&(first, second), |e| (e.first, e.second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_seen_from_both_sides() {
        let mut table = ResultTable::new(["a", "b", "c"]).unwrap();
        table.add(2, 0, Wdl { wins: 3, draws: 2, losses: 1 }).unwrap();
        table.record(0, 2, PlayerResult::Win).unwrap();
        table.record(0, 1, PlayerResult::Draw).unwrap();
        assert_eq!(table.between(0, 2), Wdl { wins: 2, draws: 2, losses: 3 });
        assert_eq!(table.between(2, 0), Wdl { wins: 3, draws: 2, losses: 2 });
        assert_eq!(table.between(1, 2), Wdl::default());
        assert_eq!(table.total(0), Wdl { wins: 2, draws: 3, losses: 3 });
        assert_eq!(table.encounters().len(), 2);
        assert_eq!(table.ranking(), [2, 1, 0]);
    }

    #[test]
    fn impossible_tables_are_refused_with_a_reason() {
        assert_eq!(
            ResultTable::new(["a", "b", "a"]),
            Err(ResultTableError::DuplicateName("a".into()))
        );
        assert_eq!(
            ResultTable::new((0..=MAX_PLAYERS).map(|n| n.to_string())),
            Err(ResultTableError::TooManyPlayers(MAX_PLAYERS + 1))
        );
        let mut table = ResultTable::new(["a", "b"]).unwrap();
        assert_eq!(
            table.record(0, 2, PlayerResult::Win),
            Err(ResultTableError::UnknownPlayer { player: 2, players: 2 })
        );
        assert_eq!(
            table.record(1, 1, PlayerResult::Win),
            Err(ResultTableError::SamePlayer("b".into()))
        );
    }

    #[test]
    fn a_table_survives_being_written_and_read() {
        let mut table = ResultTable::new(["a", "b", "c"]).unwrap();
        table.add(2, 0, Wdl { wins: 3, draws: 2, losses: 1 }).unwrap();
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<ResultTable>(&text).unwrap(), table);

        let broken = text.replace("\"second\":2", "\"second\":7");
        let error = serde_json::from_str::<ResultTable>(&broken).unwrap_err().to_string();
        assert!(error.contains("no player number 7"), "{error}");
    }

    #[test]
    fn counts_stop_at_their_end_instead_of_overflowing() {
        let mut games = Wdl { wins: u32::MAX, draws: u32::MAX, losses: u32::MAX };
        games.record(PlayerResult::Win);
        games.merge(games);
        assert_eq!(games.wins, u32::MAX);
        assert_eq!(games.games(), 3 * u64::from(u32::MAX));
    }
}
