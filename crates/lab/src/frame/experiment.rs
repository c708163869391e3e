//! What an experiment is, and what it works with.

use super::callgrind::{self, CountError, Profile, Request};
use super::findings::Findings;
use super::labor::{side_by_side, threads_here};
use super::store::{Journal, StoreError};
use super::works::{Library, PrintedTable};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;
use tabiya_chess::Position;

/// How much time may be spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Enough to see where things stand: all of them in a few minutes.
    Quick,
    /// Enough to quote.
    Full,
}

impl Effort {
    /// One of two values.
    pub fn pick<T>(self, quick: T, full: T) -> T {
        match self {
            Effort::Quick => quick,
            Effort::Full => full,
        }
    }

    /// A word for it.
    pub fn name(self) -> &'static str {
        self.pick("quick", "full")
    }
}

/// What is told of an experiment before it runs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Card {
    /// The word by which it is asked for.
    pub id: &'static str,
    /// The work whose experiment it is.
    pub work: &'static str,
    /// A title.
    pub title: &'static str,
    /// What it asks, and how.
    pub question: &'static str,
}

/// Something that can be measured.
pub trait Experiment: Sync {
    /// What it is.
    fn card(&self) -> Card;

    /// Measures it. Whatever takes long is a [step](Lab::step), so that it can be interrupted and resumed.
    ///
    /// # Errors
    /// [`Halt`] when the user has had enough, or when something is not as it should be.
    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt>;
}

/// Why an experiment ended without findings.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// The user had enough; what was measured is kept.
    #[error("interrupted")]
    Interrupted,
    /// What is measured turned out to be wrong.
    #[error("{0}")]
    Wrong(String),
    /// Something could not be kept or read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Counting instructions did not work.
    #[error(transparent)]
    Count(#[from] CountError),
}

/// What somebody who waits wants to know.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Which experiment runs.
    pub experiment: &'a str,
    /// What it does.
    pub step: &'a str,
    /// How many steps are done.
    pub done: usize,
}

/// What to ask whether to go on.
pub type Stop<'a> = dyn Fn() -> bool + 'a;

/// Where experiments take place.
pub struct Lab<'a> {
    /// How much time may be spent.
    pub effort: Effort,
    /// The program itself, for counting its instructions.
    pub program: Option<PathBuf>,
    /// The works.
    pub library: &'a Library,
    /// Asked between measurements.
    pub stop: &'a Stop<'a>,
    /// Told what is going on.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
    pub(super) journal: Journal,
    pub(super) card: Card,
    pub(super) done: usize,
}

impl Lab<'_> {
    /// Does a piece of work, unless it was done before an interruption.
    ///
    /// # Errors
    /// What the work returns, or that its result could not be kept.
    pub fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        name: &str,
        work: impl FnOnce(&Stop<'_>) -> Result<T, Halt>,
    ) -> Result<T, Halt> {
        (self.progress)(Progress { experiment: self.card.id, step: name, done: self.done });
        let result = match self.journal.recall(name) {
            Some(result) => result,
            None => {
                go_on(self.stop)?;
                let result = work(self.stop)?;
                self.journal.keep(name, &result)?;
                result
            }
        };
        self.done += 1;
        Ok(result)
    }

    /// A table as the work prints it.
    ///
    /// # Panics
    /// If there is none: experiments and works belong together, and a test sees to it.
    pub fn printed(&self, table: &str) -> &PrintedTable {
        let work = self.library.work(self.card.work);
        let tables = work.into_iter().flat_map(|work| &work.tables);
        let mut tables = tables.filter(|printed| printed.id == table);
        tables.next().unwrap_or_else(|| panic!("{} has no table {table}", self.card.work))
    }

    /// Counts the instructions of this program with other arguments, or says why that is not possible. Each
    /// request has the name of its step, and several are counted at a time: other than times, counts do not
    /// mind company.
    ///
    /// # Errors
    /// [`Halt`] when counting broke off, or the user had enough.
    pub fn count(
        &mut self,
        requests: &[(&str, Request<'_>)],
    ) -> Result<Result<Vec<Profile>, String>, Halt> {
        let Some(program) = self.program.clone() else {
            return Ok(Err("the program itself is not at hand".to_owned()));
        };
        let mut profiles = Vec::new();
        for some in requests.chunks(threads_here()) {
            let is_new = |(step, _): &&(&str, Request<'_>)| {
                self.journal.recall::<Result<Profile, String>>(step).is_none()
            };
            let new: Vec<&(&str, Request<'_>)> = some.iter().filter(is_new).collect();
            if let Some((step, _)) = new.first() {
                (self.progress)(Progress { experiment: self.card.id, step, done: self.done });
            }
            let counted = side_by_side(new.len(), self.stop, |i, stop| {
                callgrind::count(&program, &new[i].1, stop)
            })?;
            let mut counted = counted.into_iter();
            for (step, _) in some {
                let counted = self.step(step, |_| match counted.next() {
                    Some(Ok(profile)) => Ok(Ok(profile)),
                    Some(Err(CountError::Stopped)) | None => Err(Halt::Interrupted),
                    // A counter that is not there, or that does not know this processor's instructions, must
                    // not keep everything else from being measured.
                    Some(Err(why @ (CountError::Missing | CountError::Failed(_)))) => {
                        Ok(Err(why.to_string()))
                    }
                    Some(Err(other)) => Err(other.into()),
                })?;
                match counted {
                    Ok(profile) => profiles.push(profile),
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        Ok(Ok(profiles))
    }
}

/// Nothing, unless the user has had enough.
pub(crate) fn go_on(stop: &Stop<'_>) -> Result<(), Halt> {
    if stop() { Err(Halt::Interrupted) } else { Ok(()) }
}

/// A position that the program knows.
pub(crate) fn known_position(fen: &str) -> Result<Position, Halt> {
    Position::from_fen(fen).map_err(|error| Halt::Wrong(format!("{fen}: {error}")))
}
