//! A match of two engines: is one stronger, and by how much?
//!
//! Pairs of games count in the order of the schedule, whatever the order they finish in. So the verdict
//! depends on the games alone: not on how many were played at a time, nor on short games finishing first,
//! nor on whether the match was interrupted.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use tabiya_chess::Color;

use crate::game::Reason;
use crate::pairing::Format;
use crate::player::{OwnEngine, PlayerSpec};
use crate::results::{PlayerResult, Wdl};
use crate::runner::ArenaError;
use crate::series::{GameRecord, Series, SeriesPlan};
use crate::stats::pentanomial::{MatchStatistics, PairCounts};
use crate::stats::sprt::{self, Sprt};
use crate::watchdog::Interrupt;

/// A match: who, how many games, and what is asked.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The two engines; results are counted as the first sees them.
    pub players: [PlayerSpec; 2],
    /// The most pairs of games that are played.
    pub pairs: u32,
    /// The question, if the match is to stop as soon as it is answered.
    pub sprt: Option<Sprt>,
    /// All the rest.
    pub series: SeriesPlan,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchVerdict {
    /// All games were played; no question was asked.
    Finished,
    /// The lead is `elo0` rather than `elo1`: the change fails.
    AcceptH0,
    /// The lead is `elo1` rather than `elo0`: the change passes.
    AcceptH1,
    /// All games were played, and the question is still open.
    Undecided,
    /// It was interrupted, and may be taken up again.
    Interrupted,
}

/// A match as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchStatus {
    /// Both names.
    pub names: [String; 2],
    /// Finished pairs, as the first sees them.
    pub pairs: PairCounts,
    /// What they say; nothing before the first.
    pub statistics: Option<MatchStatistics>,
    /// The log-likelihood ratio, if a question was asked.
    pub llr: Option<f64>,
    /// Why games ended: how often, and in how many of these the first won, drew and lost.
    pub reasons: BTreeMap<Reason, Wdl>,
}

/// A match that is over, or was interrupted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// How it ended.
    pub verdict: MatchVerdict,
    /// What each engine calls itself, with all that tells its build from others.
    pub engines: [String; 2],
    /// How it stands.
    #[serde(flatten)]
    pub status: MatchStatus,
}

/// Plays a match, or what is left of it. `progress` is called after every game.
///
/// # Errors
/// If an engine cannot be started, or something cannot be written.
pub fn play_match(
    plan: &MatchPlan,
    own_engine: &OwnEngine,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(&MatchStatus, &GameRecord),
) -> Result<MatchReport, ArenaError> {
    let series = Series::open(
        &plan.series,
        &plan.players,
        (Format::RoundRobin, plan.pairs),
        plan.sprt,
        own_engine,
    )?;
    let names = [0, 1].map(|player| series.names()[player].clone());
    let engines = [0, 1].map(|player| series.identities()[player].clone());
    let mut tally = Tally::new(names, plan.sprt, plan.pairs);
    series.play(interrupt, &mut |record| {
        tally.add(record);
        progress(&tally.status(), record);
        Ok(match tally.verdict {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        })
    })?;
    Ok(MatchReport {
        verdict: tally.verdict.unwrap_or(MatchVerdict::Interrupted),
        engines,
        status: tally.status(),
    })
}

/// The results so far, in the order of the schedule.
struct Tally {
    names: [String; 2],
    sprt: Option<Sprt>,
    limit: u64,
    /// What has come before its turn, by the number of the game.
    waiting: BTreeMap<u64, GameRecord>,
    pairs: PairCounts,
    reasons: BTreeMap<Reason, Wdl>,
    verdict: Option<MatchVerdict>,
}

impl Tally {
    fn new(names: [String; 2], sprt: Option<Sprt>, limit: u32) -> Self {
        Self {
            names,
            sprt,
            limit: limit.into(),
            waiting: BTreeMap::new(),
            pairs: PairCounts::default(),
            reasons: BTreeMap::new(),
            verdict: None,
        }
    }

    fn add(&mut self, record: &GameRecord) {
        self.waiting.insert(record.game.index, record.clone());
        while self.verdict.is_none() && self.count_next_pair() {
            self.verdict = self.judge();
        }
    }

    /// Counts the next pair, if it is complete.
    fn count_next_pair(&mut self) -> bool {
        let first = 2 * self.pairs.pentanomial().pairs();
        let games = [first, first + 1];
        if !games.iter().all(|game| self.waiting.contains_key(game)) {
            return false;
        }
        let outcomes = games.map(|game| self.count_game(game));
        if let [Some(one), Some(other)] = outcomes {
            self.pairs.record(one, other);
        }
        true
    }

    /// Counts a game that is waiting, as the first player sees it.
    fn count_game(&mut self, game: u64) -> Option<PlayerResult> {
        let record = self.waiting.remove(&game)?;
        let color = if record.game.white == 0 { Color::White } else { Color::Black };
        let outcome = PlayerResult::of(record.ending.result, color);
        self.reasons.entry(record.ending.reason).or_default().record(outcome);
        Some(outcome)
    }

    fn judge(&self) -> Option<MatchVerdict> {
        let played = self.pairs.pentanomial();
        match self.sprt {
            None => (played.pairs() >= self.limit).then_some(MatchVerdict::Finished),
            Some(sprt) => match sprt.verdict(&played, Some(self.limit)) {
                sprt::Verdict::Continue => None,
                sprt::Verdict::AcceptH0 => Some(MatchVerdict::AcceptH0),
                sprt::Verdict::AcceptH1 => Some(MatchVerdict::AcceptH1),
                sprt::Verdict::Undecided => Some(MatchVerdict::Undecided),
            },
        }
    }

    fn status(&self) -> MatchStatus {
        MatchStatus {
            names: self.names.clone(),
            pairs: self.pairs,
            statistics: self.pairs.statistics(),
            llr: self.sprt.map(|sprt| sprt.llr(&self.pairs.pentanomial())),
            reasons: self.reasons.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
