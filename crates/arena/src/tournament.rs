//! Many engines: everybody against everybody, or a few against all others.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::game::Reason;
use crate::pairing::Format;
use crate::player::{OwnEngine, PlayerSpec};
use crate::results::{PlayerResult, ResultTable, ResultTableError};
use crate::runner::ArenaError;
use crate::series::{GameRecord, Series, SeriesPlan};
use crate::watchdog::Interrupt;

/// A tournament: who, in which form, how often.
#[derive(Clone, Debug)]
pub struct TournamentPlan {
    /// The engines; in a gauntlet those who run it come first.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub format: Format,
    /// How often every encounter is played, as a pair of games each time.
    pub cycles: u32,
    /// The name of an engine that must be among them, for the others will be rated by it.
    pub anchor: Option<String>,
    /// All the rest.
    pub series: SeriesPlan,
}

/// A tournament as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TournamentReport {
    /// What each engine of the table calls itself, with all that tells its build from others.
    pub engines: Vec<String>,
    /// How many games there are in all.
    pub scheduled: u64,
    /// The results.
    pub table: ResultTable,
    /// Why games ended, and how often.
    pub reasons: BTreeMap<Reason, u64>,
    /// By name, how often who lost without being beaten.
    pub faults: BTreeMap<String, BTreeMap<Reason, u64>>,
}

/// Plays a tournament, or what is left of it. `progress` is called after every game.
///
/// # Errors
/// If an engine cannot be started, or something cannot be written.
pub fn play_tournament(
    plan: &TournamentPlan,
    own_engine: &OwnEngine,
    interrupt: &Interrupt,
    progress: &mut dyn FnMut(&TournamentReport, &GameRecord),
) -> Result<TournamentReport, ArenaError> {
    let shape = (plan.format, plan.cycles);
    let series = Series::open(&plan.series, &plan.players, shape, None, own_engine)?;
    if let Some(anchor) = &plan.anchor
        && !series.names().contains(anchor)
    {
        let (name, names) = (anchor.clone(), series.names().join(", "));
        return Err(ArenaError::NoSuchAnchor { name, names });
    }
    let mut report = TournamentReport {
        engines: series.identities().to_vec(),
        scheduled: series.games(),
        table: ResultTable::new(series.names())?,
        reasons: BTreeMap::new(),
        faults: BTreeMap::new(),
    };
    series.play(interrupt, &mut |record| {
        report.count(record)?;
        progress(&report, record);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(report)
}

impl TournamentReport {
    /// How many games have been played.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.reasons.values().sum()
    }

    /// Have all games been played?
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.played() >= self.scheduled
    }

    fn count(&mut self, record: &GameRecord) -> Result<(), ResultTableError> {
        let (white, black) = (record.game.white, record.game.black);
        let outcome = record.outcome_for_white();
        self.table.record(white, black, outcome)?;
        let reason = record.ending.reason;
        *self.reasons.entry(reason).or_default() += 1;
        if reason.is_fault() {
            let loser = if outcome == PlayerResult::Loss { white } else { black };
            let name = self.table.players()[loser].clone();
            let faults = self.faults.entry(name).or_default();
            *faults.entry(reason).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
