//! Pentanomial: the result of a match played in pairs of games, and what it says about strength.
//!
//! Each opening is played twice with colors swapped. The two games are not independent (an opening
//! that favours White tends to give each side its win), so the unit of evidence is the *pair*, whose
//! score has five possible values. Counting those five gives an honest variance; counting single
//! games overstates it, and so wastes games.
//!
//! # Zeros
//!
//! After a handful of pairs some of the five counts are still zero, and a variance taken from them
//! alone would be too small, at the extreme zero, and claim certainty. Other programs put a
//! thousandth of a pair into every empty cell, which keeps the formulae finite but the claims just
//! as bold. Here the *spread* (never the mean) is taken as if one more pair had been played, in which
//! both games were decided by tossing a coin: LL ¼, even ½, WW ¼. That dominates when there is next
//! to no evidence and vanishes with the number of pairs. A perfect score keeps a finite Elo by
//! counting as a quarter of a point less, half of the least that could have been dropped.

use serde::{Deserialize, Serialize};

use super::elo::{self, Estimate, NORMALIZED_ELO_PER_DEVIATION};
use super::normal;
use crate::results::{PlayerResult, Wdl};

/// The score per game of each kind of pair, in the order of the counts.
const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// One pair of coin-tossed games, added when the spread is measured.
const COIN_TOSSED_PAIR: [f64; 5] = [0.25, 0.0, 0.5, 0.0, 0.25];

/// Half of half a point: what a perfect score is short of perfection.
const LEAST_UNSEEN_LOSS: f64 = 0.25;

/// Finished pairs of games, by their two results, as the first player sees them.
///
/// The order within a pair does not matter: `wd` counts both a win then a draw and a draw then a win.
///
/// ```
/// use tabiya_arena::results::PlayerResult::{Draw, Loss, Win};
/// use tabiya_arena::stats::pentanomial::PairCounts;
///
/// let mut pairs = PairCounts::default();
/// pairs.record(Win, Draw);
/// pairs.record(Loss, Win);
/// pairs.record(Draw, Draw);
/// assert_eq!(pairs.pentanomial().counts(), [0, 0, 2, 1, 0]);
/// assert_eq!(pairs.wdl().draws, 3);
/// let statistics = pairs.statistics().expect("three pairs were played");
/// assert!((statistics.score - 3.5 / 6.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts {
    /// Lost both.
    pub ll: u32,
    /// Lost one, drew the other.
    pub ld: u32,
    /// Drew both.
    pub dd: u32,
    /// Won one, lost the other.
    pub wl: u32,
    /// Won one, drew the other.
    pub wd: u32,
    /// Won both.
    pub ww: u32,
}

impl PairCounts {
    /// Counts one more finished pair.
    pub fn record(&mut self, one: PlayerResult, other: PlayerResult) {
        use PlayerResult::{Draw, Loss, Win};
        let count = match (one, other) {
            (Loss, Loss) => &mut self.ll,
            (Loss, Draw) | (Draw, Loss) => &mut self.ld,
            (Draw, Draw) => &mut self.dd,
            (Win, Loss) | (Loss, Win) => &mut self.wl,
            (Win, Draw) | (Draw, Win) => &mut self.wd,
            (Win, Win) => &mut self.ww,
        };
        *count = count.saturating_add(1);
    }

    /// The pairs by their score alone.
    #[must_use]
    pub fn pentanomial(&self) -> Pentanomial {
        Pentanomial([self.ll, self.ld, self.dd.saturating_add(self.wl), self.wd, self.ww])
    }

    /// The games one by one.
    #[must_use]
    pub fn wdl(&self) -> Wdl {
        let sum = |twice: u32, once: [u32; 2]| {
            once.into_iter().fold(twice.saturating_mul(2), u32::saturating_add)
        };
        Wdl {
            wins: sum(self.ww, [self.wd, self.wl]),
            draws: sum(self.dd, [self.wd, self.ld]),
            losses: sum(self.ll, [self.ld, self.wl]),
        }
    }

    /// Everything there is to say about the match; nothing before the first pair is finished.
    #[must_use]
    pub fn statistics(&self) -> Option<MatchStatistics> {
        let pentanomial = self.pentanomial();
        Some(MatchStatistics {
            pairs: pentanomial.pairs(),
            games: self.wdl(),
            pentanomial,
            score: pentanomial.moments()?.mean,
            pair_variance: pentanomial.moments()?.variance,
            elo: pentanomial.elo()?,
            normalized_elo: pentanomial.normalized_elo()?,
            superiority: pentanomial.superiority()?,
            draw_rate: self.wdl().draw_rate()?,
            pair_ratio: pentanomial.pair_ratio(),
        })
    }
}

/// What a match says, ready to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchStatistics {
    /// Finished pairs.
    pub pairs: u64,
    /// Their games.
    pub games: Wdl,
    /// The pairs by score.
    pub pentanomial: Pentanomial,
    /// Points per game.
    pub score: f64,
    /// Variance of a pair's points per game, regularised.
    pub pair_variance: f64,
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub normalized_elo: Estimate,
    /// The likelihood that the first player is the stronger one.
    pub superiority: f64,
    /// The share of drawn games.
    pub draw_rate: f64,
    /// Pairs won to pairs lost; absent while none is lost.
    pub pair_ratio: Option<f64>,
}

/// Pairs of games counted by their score: 0, ½, 1, 1½ and 2 points.
///
/// ```
/// use tabiya_arena::stats::pentanomial::Pentanomial;
///
/// let match_result = Pentanomial::new([34, 54, 63, 64, 75]);
/// assert_eq!(match_result.elo().unwrap().to_string(), "+55.6 ± 27.7");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial([u32; 5]);

/// The distribution of a pair's score per game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairMoments {
    pub(crate) pairs: f64,
    /// The plain mean: the points made per game.
    pub(crate) mean: f64,
    /// The variance, with the coin-tossed pair.
    pub(crate) variance: f64,
}

impl Pentanomial {
    /// The counts of pairs that scored 0, ½, 1, 1½ and 2 points.
    #[must_use]
    pub fn new(counts: [u32; 5]) -> Self {
        Self(counts)
    }

    /// The five counts, from lost twice to won twice.
    #[must_use]
    pub fn counts(self) -> [u32; 5] {
        self.0
    }

    /// How many pairs were finished.
    #[must_use]
    pub fn pairs(self) -> u64 {
        self.0.into_iter().map(u64::from).sum()
    }

    /// Points per game, from 0 to 1; like all the rest, nothing before the first pair.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        Some(self.moments()?.mean)
    }

    /// Elo on the logistic scale. The interval comes from the normal approximation of the score.
    #[must_use]
    pub fn elo(self) -> Option<Estimate> {
        let moments = self.moments()?;
        let margin = normal::TWO_SIDED_95 * (moments.variance / moments.pairs).sqrt();
        let least = LEAST_UNSEEN_LOSS / (2.0 * moments.pairs);
        let bound = |score: f64| (score > 0.0 && score < 1.0).then(|| elo::from_score(score));
        Some(Estimate {
            value: elo::from_score(moments.mean.clamp(least, 1.0 - least)),
            low: bound(moments.mean - margin),
            high: bound(moments.mean + margin),
        })
    }

    /// Elo on the normalised scale: the lead in standard deviations of a game's score.
    ///
    /// It measures how many games it takes to see the difference, so unlike logistic Elo it hardly
    /// depends on how drawish the openings and the time control are. The interval follows from the
    /// first four moments of the pairs' scores, for a lopsided score is skewed.
    #[must_use]
    pub fn normalized_elo(self) -> Option<Estimate> {
        let moments = self.moments()?;
        let deviation = moments.variance.sqrt();
        let t = (moments.mean - 0.5) / deviation;
        let skewness = self.central_moment(3) / deviation.powi(3);
        let kurtosis = self.central_moment(4) / deviation.powi(4);
        let spread = 1.0 - t * skewness + t * t * (kurtosis - 1.0) / 4.0;
        let margin = normal::TWO_SIDED_95 * (spread.max(0.0) / moments.pairs).sqrt();
        // A pair's mean of two games has 1/√2 of a game's standard deviation.
        let scale = NORMALIZED_ELO_PER_DEVIATION / 2f64.sqrt();
        Some(Estimate {
            value: scale * t,
            low: Some(scale * (t - margin)),
            high: Some(scale * (t + margin)),
        })
    }

    /// The likelihood that the first player is the stronger one.
    #[must_use]
    pub fn superiority(self) -> Option<f64> {
        let moments = self.moments()?;
        Some(normal::cumulative((moments.mean - 0.5) / (moments.variance / moments.pairs).sqrt()))
    }

    /// Pairs won to pairs lost; nothing while none is lost.
    #[must_use]
    pub fn pair_ratio(self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0.map(f64::from);
        (ll + ld > 0.0).then(|| (wd + ww) / (ll + ld))
    }

    pub(crate) fn moments(self) -> Option<PairMoments> {
        let pairs = self.pairs() as f64;
        (pairs > 0.0).then(|| PairMoments {
            pairs,
            mean: self.points() / pairs,
            variance: self.central_moment(2),
        })
    }

    /// The sum of the pairs' scores per game.
    fn points(self) -> f64 {
        self.0.into_iter().zip(PAIR_SCORES).map(|(count, score)| f64::from(count) * score).sum()
    }

    /// The mean power of the distance from the mean, with the coin-tossed pair.
    fn central_moment(self, power: i32) -> f64 {
        let pairs = self.pairs() as f64 + 1.0;
        let center = (self.points() + 0.5) / pairs;
        let weights = self.0.into_iter().zip(COIN_TOSSED_PAIR).map(|(n, coin)| f64::from(n) + coin);
        weights.zip(PAIR_SCORES).map(|(w, x)| w * (x - center).powi(power)).sum::<f64>() / pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::simulation::PairModel;
    use tabiya_chess::rng::SplitMix64;

    fn near(actual: f64, expected: f64, tolerance: f64) {
        assert!((actual - expected).abs() <= tolerance, "{actual} is not {expected} ± {tolerance}");
    }

    /// What fastchess prints for these matches (its published test values, with WL and DD joined).
    #[test]
    fn agrees_with_published_matches() {
        let one = Pentanomial::new([34, 54, 63, 64, 75]);
        near(one.elo().unwrap().value, 55.58, 0.01);
        near(one.elo().unwrap().error().unwrap(), 27.65, 0.03);
        near(one.normalized_elo().unwrap().value, 57.94, 0.05);
        near(one.superiority().unwrap(), 1.0, 1e-4);

        let two = Pentanomial::new([332, 433, 498, 333, 334]);
        near(two.elo().unwrap().value, -8.64, 0.01);
        near(two.elo().unwrap().error().unwrap(), 10.33, 0.01);
        near(two.normalized_elo().unwrap().value, -9.17, 0.01);
        near(two.normalized_elo().unwrap().error().unwrap(), 10.96, 0.1);
        near(two.superiority().unwrap(), 0.0505, 1e-4);

        let three = Pentanomial::new([7895, 8757, 5685, 568, 9999]);
        near(three.elo().unwrap().value, -21.04, 0.01);
        near(three.elo().unwrap().error().unwrap(), 2.95, 0.01);
        near(three.normalized_elo().unwrap().value, -19.01, 0.01);
        near(three.normalized_elo().unwrap().error().unwrap(), 2.65, 0.05);
    }

    #[test]
    fn pairs_and_games_tell_the_same_story() {
        let pairs = PairCounts { ll: 1, ld: 2, dd: 3, wl: 4, wd: 5, ww: 6 };
        let games = pairs.wdl();
        assert_eq!(games, Wdl { wins: 21, draws: 13, losses: 8 });
        assert_eq!(games.games(), 2 * pairs.pentanomial().pairs());
        let statistics = pairs.statistics().unwrap();
        near(statistics.score, games.score().unwrap(), 1e-12);
        near(statistics.draw_rate, 13.0 / 42.0, 1e-12);
        near(statistics.pair_ratio.unwrap(), 11.0 / 3.0, 1e-12);
    }

    #[test]
    fn nothing_played_says_nothing() {
        assert_eq!(PairCounts::default().statistics(), None);
        assert_eq!(Pentanomial::default().elo(), None);
        assert_eq!(Pentanomial::default().pair_ratio(), None);
    }

    #[test]
    fn perfect_scores_stay_finite_and_modest() {
        let swept = Pentanomial::new([0, 0, 0, 0, 5]);
        let elo = swept.elo().unwrap();
        near(elo.value, elo::from_score(0.975), 1e-9);
        assert_eq!(elo.high, None);
        assert!(elo.low.is_some_and(|low| low > 100.0 && low < 300.0), "{elo}");
        assert!(swept.superiority().unwrap() < 1.0);

        let lost = Pentanomial::new([5, 0, 0, 0, 0]);
        near(lost.elo().unwrap().value, -elo.value, 1e-9);
        assert_eq!(lost.elo().unwrap().low, None);

        let drawn = Pentanomial::new([0, 0, 5, 0, 0]);
        near(drawn.elo().unwrap().value, 0.0, 1e-9);
        assert!(drawn.elo().unwrap().error().unwrap() > 50.0);
        near(drawn.superiority().unwrap(), 0.5, 1e-12);
    }

    #[test]
    fn the_largest_counts_are_no_trouble() {
        let pairs = PairCounts { ll: u32::MAX, dd: u32::MAX, wl: u32::MAX, ..Default::default() };
        assert!(pairs.statistics().unwrap().elo.value.is_finite());
    }

    #[test]
    fn statistics_survive_being_written_and_read() {
        let statistics = PairCounts { ww: 3, ..Default::default() }.statistics().unwrap();
        let text = serde_json::to_string(&statistics).unwrap();
        assert!(text.contains("\"pentanomial\":[0,0,0,0,3]"), "{text}");
        assert_eq!(serde_json::from_str::<MatchStatistics>(&text).unwrap(), statistics);
    }

    /// Over many simulated matches the 95 % intervals hold the truth in about 95 of 100.
    #[test]
    fn error_bars_cover_the_truth() {
        const MATCHES: u32 = 20_000;
        // The last is short and lopsided: there the normal approximation is at its weakest.
        for (elo, pairs, least, most) in
            [(0.0, 200, 0.94, 0.96), (30.0, 200, 0.94, 0.96), (150.0, 40, 0.94, 0.98)]
        {
            let model = PairModel::logistic(elo, 250.0, &[-90.0, 200.0]);
            let mut random = SplitMix64::new(2024);
            let (mut logistic, mut normalized) = (0, 0);
            for _ in 0..MATCHES {
                let result = model.play(pairs, &mut random);
                let holds = |estimate: Estimate, truth: f64| {
                    estimate.low.is_none_or(|low| low <= truth)
                        && estimate.high.is_none_or(|high| truth <= high)
                };
                logistic += u32::from(holds(result.elo().unwrap(), elo));
                normalized +=
                    u32::from(holds(result.normalized_elo().unwrap(), model.normalized_elo()));
            }
            let share = |count| f64::from(count) / f64::from(MATCHES);
            println!(
                "{elo} Elo, {pairs} pairs: logistic bars hold {:.4}, normalised {:.4}",
                share(logistic),
                share(normalized)
            );
            assert!((least..=most).contains(&share(logistic)));
            assert!((least..=most).contains(&share(normalized)));
        }
    }
}
