//! Matches that were never played, for testing what measures real ones.

use super::elo::{self, NORMALIZED_ELO_PER_DEVIATION};
use super::pentanomial::Pentanomial;
use crate::results::PlayerResult;
use tabiya_chess::rng::SplitMix64;

/// Further apart than any two engines; the search for a strength starts from here.
const FAR: f64 = 3000.0;

/// Chances to lose, draw and win a game in the model of Rao and Kupper, known among chess players
/// as that of BayesElo: `lead` is the player's advantage, and the draws take what lies between
/// −`draw_elo` and +`draw_elo`.
pub(crate) fn game_chances(lead: f64, draw_elo: f64) -> [f64; 3] {
    let win = elo::expected_score(lead - draw_elo);
    let loss = elo::expected_score(-lead - draw_elo);
    [loss, 1.0 - win - loss, win]
}

/// One game in that model.
pub(crate) fn game(lead: f64, draw_elo: f64, random: &mut SplitMix64) -> PlayerResult {
    let [loss, draw, _] = game_chances(lead, draw_elo);
    match random.unit() {
        u if u < loss => PlayerResult::Loss,
        u if u < loss + draw => PlayerResult::Draw,
        _ => PlayerResult::Win,
    }
}

/// Two engines that play pairs from openings of which some favour White more than others: this is
/// what makes the two games of a pair depend on each other.
pub(crate) struct PairModel {
    chances: [f64; 5],
}

impl PairModel {
    /// Engines whose expected score is that of `elo`.
    pub(crate) fn logistic(elo: f64, draw_elo: f64, openings: &[f64]) -> Self {
        Self::solve(draw_elo, openings, |model| elo::from_score(model.mean()) - elo)
    }

    /// Engines whose lead is `elo` on the normalised scale.
    pub(crate) fn normalized(elo: f64, draw_elo: f64, openings: &[f64]) -> Self {
        Self::solve(draw_elo, openings, |model| model.normalized_elo() - elo)
    }

    fn solve(draw_elo: f64, openings: &[f64], excess: impl Fn(&Self) -> f64) -> Self {
        let (mut low, mut high) = (-FAR, FAR);
        for _ in 0..100 {
            let middle = (low + high) / 2.0;
            if excess(&Self::from_lead(middle, draw_elo, openings)) > 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        Self::from_lead((low + high) / 2.0, draw_elo, openings)
    }

    fn from_lead(lead: f64, draw_elo: f64, openings: &[f64]) -> Self {
        let mut chances = [0.0; 5];
        for &bias in openings {
            let white = game_chances(lead + bias, draw_elo);
            let black = game_chances(lead - bias, draw_elo);
            for (i, p) in white.into_iter().enumerate() {
                for (j, q) in black.into_iter().enumerate() {
                    chances[i + j] += p * q / openings.len() as f64;
                }
            }
        }
        Self { chances }
    }

    pub(crate) fn chances(&self) -> [f64; 5] {
        self.chances
    }

    pub(crate) fn mean(&self) -> f64 {
        self.chances.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum()
    }

    pub(crate) fn normalized_elo(&self) -> f64 {
        let mean = self.mean();
        let variance: f64 =
            self.chances.iter().enumerate().map(|(i, p)| p * (i as f64 / 4.0 - mean).powi(2)).sum();
        NORMALIZED_ELO_PER_DEVIATION * (mean - 0.5) / (2.0 * variance).sqrt()
    }

    /// The score of one pair, in half points.
    pub(crate) fn pair(&self, random: &mut SplitMix64) -> usize {
        let mut rest = random.unit();
        for (score, chance) in self.chances[..4].iter().enumerate() {
            if rest < *chance {
                return score;
            }
            rest -= chance;
        }
        4
    }

    pub(crate) fn play(&self, pairs: u32, random: &mut SplitMix64) -> Pentanomial {
        let mut counts = [0; 5];
        for _ in 0..pairs {
            counts[self.pair(random)] += 1;
        }
        Pentanomial::new(counts)
    }
}

/// The published chances of equal engines for draw Elo 327 and openings of −90 and +200.
#[test]
fn the_model_agrees_with_published_chances() {
    let model = PairModel::logistic(0.0, 327.0, &[-90.0, 200.0]);
    for (chance, published) in
        model.chances().into_iter().zip([0.0159, 0.2189, 0.5303, 0.2189, 0.0159])
    {
        assert!((chance - published).abs() < 1e-4, "{:?}", model.chances());
    }
}
