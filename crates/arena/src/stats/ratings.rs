//! Where everybody in a tournament stands.
//!
//! # The model
//!
//! Bradley and Terry's: a lead of d Elo promises the score 1/(1 + 10^(−d/400)), and a draw is half a
//! win and half a loss. The ratings are those under which the games played are likeliest; they are
//! also those under which everybody's expected points are the points really made.
//!
//! # Error bars
//!
//! The inverse of the Fisher information alone would be too wide, since with draws a game's score
//! varies less than a coin of the same mean. So the information is put around the variance that the
//! games really showed (the "sandwich" H⁻¹VH⁻¹). An encounter of few games says little about its own
//! variance and is helped out by that of the whole tournament, which in turn counts one coin-tossed
//! game, so that a tournament of nothing but draws does not claim certainty. Games are taken as
//! independent; where openings are played with both colors the truth is a little better.
//!
//! # Perfect scores
//!
//! If the players fall into two camps of which one never took half a point from the other, the
//! likelihood has no maximum: the leading camp would be infinitely ahead. Then, and only then,
//! everybody is given half a virtual game, drawn, spread over the opponents really met in proportion
//! to the games against them; [`Ratings::regularised`] tells so.

mod linear;

use linear::Factored;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::{ELO_PER_NAT, expected_score};
use super::normal;
use crate::results::ResultTable;

/// The virtual games each player gets where the likelihood has no maximum.
const VIRTUAL_GAMES: f64 = 0.5;

/// How many of the tournament's average games an encounter's own variance is mixed with.
const BORROWED_GAMES: f64 = 10.0;

/// The variance of a coin-tossed game.
const COIN_VARIANCE: f64 = 0.25;

/// Newton's method needs about ten steps; more than this says that the numbers have failed.
const MAX_STEPS: usize = 200;

/// The largest step taken at once, in Elo, lest the first ones overshoot.
const MAX_STEP: f64 = 400.0;

/// Ratings are settled when a step is below this many Elo.
const SETTLED: f64 = 1e-7;

/// What fixes the level of the ratings, since the games only tell differences.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Anchor {
    /// The mean of all ratings is this. Errors are then about the field's mean.
    Average(f64),
    /// This player's rating is known. Errors are then about the distance to it.
    Player {
        /// The player's number in the table.
        player: usize,
        /// Its rating.
        rating: f64,
    },
}

/// The place of one player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRating {
    /// The player's name.
    pub name: String,
    /// Its rating, in Elo.
    pub rating: f64,
    /// Half of the 95 % interval; absent for the anchor, which has none.
    pub error: Option<f64>,
}

/// The ratings of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratings {
    /// In the order of the table's players.
    pub players: Vec<PlayerRating>,
    /// `superiority[a][b]` is the likelihood that a is stronger than b.
    pub superiority: Vec<Vec<f64>>,
    /// Whether somebody's score was perfect, so that virtual games had to be added.
    pub regularised: bool,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RatingError {
    /// One player has nobody to be compared with.
    #[error("ratings need two players at least, and games between them")]
    TooFewPlayers,
    /// The anchor is not among the players.
    #[error("the anchor is player number {player}, but there are only {players}, counted from 0")]
    UnknownAnchor {
        /// The number asked for.
        player: usize,
        /// How many players there are.
        players: usize,
    },
    /// The anchor's rating is not a number to count from.
    #[error("the anchor's rating {0} should be an ordinary number, for example 2800")]
    AnchorNotFinite(f64),
    /// Groups that never met cannot be compared.
    #[error(
        "these groups never met, so their ratings cannot be compared: {}; let one of each play",
        describe_groups(.0)
    )]
    Disconnected(Vec<Vec<String>>),
    /// The numbers are beyond what can be computed.
    #[error("the ratings did not settle; the results are too lopsided to compute with")]
    NoConvergence,
}

/// How many names of a group are spelt out in a message.
const NAMES_SHOWN: usize = 5;

fn describe_groups(groups: &[Vec<String>]) -> String {
    let describe = |group: &Vec<String>| {
        let shown = group.iter().take(NAMES_SHOWN).map(String::as_str).collect::<Vec<_>>();
        match group.len().saturating_sub(NAMES_SHOWN) {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    };
    groups.iter().map(|group| format!("[{}]", describe(group))).collect::<Vec<_>>().join(" ")
}

impl Ratings {
    /// Rates all players of a tournament.
    ///
    /// ```
    /// use tabiya_arena::results::{ResultTable, Wdl};
    /// use tabiya_arena::stats::ratings::{Anchor, Ratings};
    ///
    /// let mut table = ResultTable::new(["new", "old"])?;
    /// table.add(0, 1, Wdl { wins: 60, draws: 30, losses: 10 })?;
    /// let ratings = Ratings::fit(&table, Anchor::Player { player: 1, rating: 2000.0 })?;
    /// assert!((ratings.players[0].rating - 2190.85).abs() < 0.01);
    /// assert_eq!(ratings.players[1].error, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is nothing to compare, or the players fall into groups that never met.
    pub fn fit(table: &ResultTable, anchor: Anchor) -> Result<Self, RatingError> {
        let names = table.players();
        if names.len() < 2 {
            return Err(RatingError::TooFewPlayers);
        }
        let level = match anchor {
            Anchor::Average(rating) => rating,
            Anchor::Player { player, .. } if player >= names.len() => {
                return Err(RatingError::UnknownAnchor { player, players: names.len() });
            }
            Anchor::Player { rating, .. } => rating,
        };
        if !level.is_finite() {
            return Err(RatingError::AnchorNotFinite(level));
        }
        let groups = groups(names.len(), table);
        if groups.len() > 1 {
            let named = |group: &Vec<usize>| group.iter().map(|&p| names[p].clone()).collect();
            return Err(RatingError::Disconnected(groups.iter().map(named).collect()));
        }

        let regularised = !everyone_is_within_reach(names.len(), table);
        let duels = duels(table, regularised);
        let strengths = strengths(names.len(), &duels)?;
        let covariance = covariance(&strengths, &duels)?;

        let (origin, anchored) = match anchor {
            Anchor::Average(_) => (mean(&strengths), None),
            Anchor::Player { player, .. } => (strengths[player], Some(player)),
        };
        let deviation = |player| match anchored {
            Some(anchor) => covariance.of_difference(player, anchor),
            None => covariance.of_distance_to_mean(player),
        };
        let players = (0..names.len())
            .map(|player| PlayerRating {
                name: names[player].clone(),
                rating: level + ELO_PER_NAT * (strengths[player] - origin),
                error: (anchored != Some(player))
                    .then(|| normal::TWO_SIDED_95 * ELO_PER_NAT * deviation(player)),
            })
            .collect();
        let likelihood = |a: usize, b: usize| {
            if a == b {
                return 0.5;
            }
            normal::cumulative((strengths[a] - strengths[b]) / covariance.of_difference(a, b))
        };
        let superiority =
            (0..names.len()).map(|a| (0..names.len()).map(|b| likelihood(a, b)).collect());
        Ok(Self { players, superiority: superiority.collect(), regularised })
    }

    /// The players' numbers, strongest first.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|&a, &b| self.players[b].rating.total_cmp(&self.players[a].rating));
        order
    }
}

/// The games of two players, as the likelihood sees them.
struct Duel {
    first: usize,
    second: usize,
    /// Games, the virtual ones included.
    games: f64,
    /// Points of the first, the virtual ones included.
    points: f64,
    /// Games that were really won, drawn and lost by the first.
    wdl: [f64; 3],
}

impl Duel {
    fn expected(&self, strengths: &[f64]) -> f64 {
        expected_score(ELO_PER_NAT * (strengths[self.first] - strengths[self.second]))
    }
}

fn duels(table: &ResultTable, regularised: bool) -> Vec<Duel> {
    let mut games_of = vec![0.0; table.players().len()];
    for encounter in table.encounters() {
        games_of[encounter.first] += encounter.games.games() as f64;
        games_of[encounter.second] += encounter.games.games() as f64;
    }
    let played = table.encounters().iter().filter(|encounter| encounter.games.games() > 0);
    played
        .map(|encounter| {
            let games = encounter.games.games() as f64;
            let share = games / games_of[encounter.first] + games / games_of[encounter.second];
            let drawn = if regularised { VIRTUAL_GAMES * share / 2.0 } else { 0.0 };
            Duel {
                first: encounter.first,
                second: encounter.second,
                games: games + drawn,
                points: encounter.games.points() + drawn / 2.0,
                wdl: [encounter.games.wins, encounter.games.draws, encounter.games.losses]
                    .map(f64::from),
            }
        })
        .collect()
}

/// The players who are linked by games, directly or through others.
fn groups(players: usize, table: &ResultTable) -> Vec<Vec<usize>> {
    let mut opponents = vec![Vec::new(); players];
    for encounter in table.encounters().iter().filter(|e| e.games.games() > 0) {
        opponents[encounter.first].push(encounter.second);
        opponents[encounter.second].push(encounter.first);
    }
    let mut groups = Vec::new();
    let mut grouped = vec![false; players];
    for start in 0..players {
        if !grouped[start] {
            let group = reachable(start, &opponents);
            group.iter().for_each(|&player| grouped[player] = true);
            groups.push(group);
        }
    }
    groups
}

/// Whether the likelihood has a maximum: from everyone there is a chain of players, each of whom took
/// half a point or more from the next, to everyone else.
fn everyone_is_within_reach(players: usize, table: &ResultTable) -> bool {
    let mut took_from = vec![Vec::new(); players];
    let mut gave_to = vec![Vec::new(); players];
    for encounter in table.encounters() {
        let (first, second) = (encounter.first, encounter.second);
        if encounter.games.points() > 0.0 {
            took_from[first].push(second);
            gave_to[second].push(first);
        }
        if encounter.games.reversed().points() > 0.0 {
            took_from[second].push(first);
            gave_to[first].push(second);
        }
    }
    reachable(0, &took_from).len() == players && reachable(0, &gave_to).len() == players
}

fn reachable(start: usize, edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![start];
    seen[start] = true;
    while let Some(player) = open.pop() {
        for &next in &edges[player] {
            if !seen[next] {
                seen[next] = true;
                open.push(next);
            }
        }
    }
    (0..edges.len()).filter(|&player| seen[player]).collect()
}

/// The likeliest strengths, in natural units with the first player at 0, by Newton's method with
/// limited steps. The likelihood is concave, so a step is only ever too long, never wrong.
fn strengths(players: usize, duels: &[Duel]) -> Result<Vec<f64>, RatingError> {
    let log_likelihood = |strengths: &[f64]| -> f64 {
        duels
            .iter()
            .map(|duel| {
                let lead = strengths[duel.first] - strengths[duel.second];
                // ln of the expected score, and of its complement, without ever taking ln 0.
                -duel.points * softplus(-lead) - (duel.games - duel.points) * softplus(lead)
            })
            .sum()
    };
    let mut strengths = vec![0.0; players];
    let mut likelihood = log_likelihood(&strengths);
    for _ in 0..MAX_STEPS {
        let mut gradient = vec![0.0; players];
        for duel in duels {
            let surplus = duel.points - duel.games * duel.expected(&strengths);
            gradient[duel.first] += surplus;
            gradient[duel.second] -= surplus;
        }
        let information = information(&strengths, duels)?;
        let mut step = information.solve(&gradient[1..]);
        let longest = step.iter().fold(0.0f64, |most, change| most.max(change.abs()));
        if !longest.is_finite() {
            return Err(RatingError::NoConvergence);
        }
        let limit = MAX_STEP / ELO_PER_NAT;
        if longest > limit {
            step.iter_mut().for_each(|change| *change *= limit / longest);
        }
        let settled = longest * ELO_PER_NAT < SETTLED;
        loop {
            let moved: Vec<f64> = std::iter::once(0.0)
                .chain(strengths[1..].iter().zip(&step).map(|(strength, change)| strength + change))
                .collect();
            let better = log_likelihood(&moved);
            if better >= likelihood || settled {
                strengths = moved;
                likelihood = better;
                break;
            }
            step.iter_mut().for_each(|change| *change /= 2.0);
            if step.iter().all(|change| change.abs() * ELO_PER_NAT < SETTLED) {
                // The likelihood is flat to the last digit: nothing better can be told apart.
                return Ok(strengths);
            }
        }
        if settled {
            return Ok(strengths);
        }
    }
    Err(RatingError::NoConvergence)
}

/// ln(1 + eˣ), without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The Fisher information about the strengths of all players but the first.
fn information(strengths: &[f64], duels: &[Duel]) -> Result<Factored, RatingError> {
    let weights = duels.iter().map(|duel| {
        let expected = duel.expected(strengths);
        (duel.first, duel.second, duel.games * expected * (1.0 - expected))
    });
    Factored::new(laplacian(strengths.len(), weights)).ok_or(RatingError::NoConvergence)
}

/// How the strengths vary together, from the variance that the games really showed.
fn covariance(strengths: &[f64], duels: &[Duel]) -> Result<Covariance, RatingError> {
    // Per duel: the squared distances of the results from the expected score, and what they would
    // be without draws.
    let spreads: Vec<[f64; 2]> = duels
        .iter()
        .map(|duel| {
            let expected = duel.expected(strengths);
            let played: f64 = duel.wdl.iter().sum();
            let squares = [1.0, 0.5, 0.0].map(|score: f64| (score - expected).powi(2));
            let shown = duel.wdl.iter().zip(squares).map(|(n, square)| n * square).sum();
            [shown, played * expected * (1.0 - expected)]
        })
        .collect();
    let total = |index: usize| spreads.iter().map(|spread| spread[index]).sum::<f64>();
    let usual = (total(0) + COIN_VARIANCE) / (total(1) + COIN_VARIANCE);

    let weights = duels.iter().zip(&spreads).map(|(duel, [shown, binomial])| {
        let played: f64 = duel.wdl.iter().sum();
        let own = played / (played + BORROWED_GAMES);
        (duel.first, duel.second, own * shown + (1.0 - own) * usual * binomial)
    });
    let variance = laplacian(strengths.len(), weights);
    let information = information(strengths, duels)?;
    // H⁻¹V, column by column, and then H⁻¹(H⁻¹V)ᵀ: V is symmetric.
    let half: Vec<Vec<f64>> = variance.iter().map(|column| information.solve(column)).collect();
    let matrix: Vec<Vec<f64>> = (0..half.len())
        .map(|row| information.solve(&half.iter().map(|column| column[row]).collect::<Vec<_>>()))
        .collect();
    Ok(Covariance(matrix))
}

/// The matrix Σ w(eᵢ−eⱼ)(eᵢ−eⱼ)ᵀ without the row and column of the first player.
fn laplacian(players: usize, weights: impl Iterator<Item = (usize, usize, f64)>) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; players - 1]; players - 1];
    for (first, second, weight) in weights {
        // Of two different players the second is never number 0: duels are sorted.
        matrix[second - 1][second - 1] += weight;
        if first > 0 {
            matrix[first - 1][first - 1] += weight;
            matrix[first - 1][second - 1] -= weight;
            matrix[second - 1][first - 1] -= weight;
        }
    }
    matrix
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The covariance of all strengths but the first player's, which is 0 by definition.
struct Covariance(Vec<Vec<f64>>);

impl Covariance {
    fn get(&self, a: usize, b: usize) -> f64 {
        if a == 0 || b == 0 { 0.0 } else { self.0[a - 1][b - 1] }
    }

    /// The standard deviation of the difference of two strengths.
    fn of_difference(&self, a: usize, b: usize) -> f64 {
        (self.get(a, a) + self.get(b, b) - 2.0 * self.get(a, b)).max(0.0).sqrt()
    }

    /// The standard deviation of a player's distance to the mean of all.
    fn of_distance_to_mean(&self, player: usize) -> f64 {
        let players = (self.0.len() + 1) as f64;
        let with_mean = (0..=self.0.len()).map(|other| self.get(player, other)).sum::<f64>();
        let of_mean = self.0.iter().flatten().sum::<f64>() / players;
        (self.get(player, player) + (of_mean - 2.0 * with_mean) / players).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests;
