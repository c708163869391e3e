//! Where results are kept: a directory with a file for each experiment, and a journal of what has been
//! measured so far for each that was interrupted.

use super::experiment::{Card, Effort, Experiment, Halt, Lab, Progress, Stop};
use super::findings::Findings;
use super::machine::{Machine, today};
use super::works::Library;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabiya_files::{
    FileError, FileProblem, LockFile, make_folder, read_if_there, remove, write as write_file,
};

/// No file of results is larger.
const MOST_BYTES: u64 = 1 << 28;

/// Why results cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file or directory.
    #[error(transparent)]
    File(#[from] FileError),
    /// Not what this program writes.
    #[error("{} does not hold results of this program; delete it to measure again", .0.display())]
    Form(PathBuf, #[source] serde_json::Error),
    /// Somebody else measures into the directory.
    #[error(
        "another run is measuring into {}; wait for it, or keep results elsewhere with --dir", .0.display()
    )]
    Busy(PathBuf),
}

/// What came out of an experiment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The experiment.
    pub experiment: String,
    /// How much time could be spent.
    pub effort: Effort,
    /// On what.
    pub machine: Machine,
    /// When.
    pub date: String,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What was found.
    pub findings: Findings,
}

impl Outcome {
    /// Has it a figure, or a reason why there is none, for every claim that the experiment decides? What an
    /// older version of the experiment found may not.
    pub fn is_whole(&self, library: &Library) -> bool {
        let Findings { figures, missing, .. } = &self.findings;
        let claims = library.works.iter().flat_map(|work| &work.claims);
        let mut wanted = claims.filter(|claim| claim.experiment == self.experiment);
        wanted
            .all(|claim| figures.contains_key(&claim.figure) || missing.contains_key(&claim.figure))
    }
}

/// A directory of results.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    machine: Machine,
}

impl Store {
    /// The results in a directory, which is made when something is kept, and the machine that measures what is
    /// missing.
    pub fn new(directory: &Path, machine: Machine) -> Store {
        Store { directory: directory.to_owned(), machine }
    }

    /// The machine that measures.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    fn file(&self, experiment: &str, effort: Effort, what: &str) -> PathBuf {
        self.directory.join(format!("{experiment}.{}.{what}", effort.name()))
    }

    /// What an experiment found before.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn outcome(&self, experiment: &str, effort: Effort) -> Result<Option<Outcome>, StoreError> {
        let path = self.file(experiment, effort, "json");
        let outcome = read::<Outcome>(&path)?;
        let fault = outcome.as_ref().and_then(|outcome| {
            if (outcome.experiment.as_str(), outcome.effort) != (experiment, effort) {
                Some("it holds another experiment, or another form of this one")
            } else if !outcome.findings.is_sound() {
                Some("a table, plot or figure in it cannot be shown")
            } else {
                None
            }
        });
        match fault {
            Some(fault) => Err(StoreError::Form(path, serde::de::Error::custom(fault))),
            None => Ok(outcome),
        }
    }

    /// The best there is of an experiment: the full run, or else the quick one.
    ///
    /// # Errors
    /// When there is a file that cannot be read.
    pub fn best(&self, experiment: &str) -> Result<Option<Outcome>, StoreError> {
        match self.outcome(experiment, Effort::Full)? {
            Some(outcome) => Ok(Some(outcome)),
            None => self.outcome(experiment, Effort::Quick),
        }
    }

    /// Runs an experiment, or goes on with it where it was interrupted, and keeps what it finds: as JSON,
    /// its tables as CSV and its plots as SVG.
    ///
    /// # Errors
    /// What ended it early.
    pub fn run(
        &self,
        experiment: &dyn Experiment,
        effort: Effort,
        library: &Library,
        program: Option<&Path>,
        stop: &Stop<'_>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<Outcome, Halt> {
        let card = experiment.card();
        let _alone = self.lock()?;
        let journal = self.journal(&card, effort)?;
        let path = journal.path.clone();
        let begin = Instant::now();
        let before = journal.entries.seconds;
        let mut lab = Lab {
            effort,
            program: program.map(Path::to_owned),
            library,
            stop,
            progress,
            journal,
            card,
            done: 0,
        };
        let findings = experiment.run(&mut lab)?;
        // What could not be read back must not be kept.
        if !findings.is_sound() {
            let why = format!("{} found something that is no number, or cannot be shown", card.id);
            return Err(Halt::Wrong(why));
        }
        let outcome = Outcome {
            experiment: card.id.to_owned(),
            effort,
            machine: self.machine.clone(),
            date: today(),
            seconds: before + begin.elapsed().as_secs_f64(),
            findings,
        };
        self.keep(&outcome)?;
        remove(&path).map_err(StoreError::from)?;
        Ok(outcome)
    }

    /// Sees to it that nobody else measures into the directory: two at once would slow each other down and
    /// overwrite each other's journals.
    ///
    /// Where the file system knows no locks, it is up to the user.
    fn lock(&self) -> Result<Option<LockFile>, StoreError> {
        make_folder(&self.directory)?;
        match LockFile::claim(&self.directory.join(".lock")) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) if error.is_in_use() => Err(StoreError::Busy(self.directory.clone())),
            Err(FileError { problem: FileProblem::Io { error, .. }, .. })
                if error.kind() == io::ErrorKind::Unsupported =>
            {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn keep(&self, outcome: &Outcome) -> Result<(), StoreError> {
        let Outcome { experiment, effort, findings, .. } = outcome;
        write(&self.file(experiment, *effort, "json"), outcome)?;
        for table in &findings.tables {
            let path = self.file(experiment, *effort, &format!("{}.csv", table.id));
            write_file(&path, table.csv().as_bytes())?;
        }
        for plot in &findings.plots {
            let path = self.file(experiment, *effort, &format!("{}.svg", plot.id));
            write_file(&path, plot.svg().as_bytes())?;
        }
        Ok(())
    }

    /// Forgets what was found and measured.
    ///
    /// # Errors
    /// When a file cannot be deleted, or somebody else measures into the directory.
    pub fn forget(&self, experiment: &str, effort: Effort) -> Result<(), StoreError> {
        let _alone = self.lock()?;
        for what in ["json", "journal"] {
            remove(&self.file(experiment, effort, what))?;
        }
        Ok(())
    }

    /// The journal of an experiment; what another machine or version measured does not count.
    fn journal(&self, card: &Card, effort: Effort) -> Result<Journal, StoreError> {
        let path = self.file(card.id, effort, "journal");
        let machine = self.machine.clone();
        let kept: Option<Entries> = read(&path)?;
        let entries = kept.filter(|entries| entries.machine.is_like(&machine));
        let entries = entries.unwrap_or(Entries { machine, seconds: 0.0, steps: BTreeMap::new() });
        Ok(Journal { path, entries, begin: Instant::now() })
    }
}

/// The steps that have been done.
pub(super) struct Journal {
    path: PathBuf,
    entries: Entries,
    begin: Instant,
}

#[derive(Serialize, Deserialize)]
struct Entries {
    machine: Machine,
    /// How long the steps took.
    seconds: f64,
    steps: BTreeMap<String, serde_json::Value>,
}

impl Journal {
    pub(super) fn recall<T: DeserializeOwned>(&self, step: &str) -> Option<T> {
        serde_json::from_value(self.entries.steps.get(step)?.clone()).ok()
    }

    pub(super) fn keep(&mut self, step: &str, result: &impl Serialize) -> Result<(), StoreError> {
        let form = |error| StoreError::Form(self.path.clone(), error);
        let value = serde_json::to_value(result).map_err(form)?;
        self.entries.steps.insert(step.to_owned(), value);
        self.entries.seconds += self.begin.elapsed().as_secs_f64();
        self.begin = Instant::now();
        write(&self.path, &self.entries)
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, StoreError> {
    let Some(bytes) = read_if_there(path, MOST_BYTES)? else { return Ok(None) };
    let form = |error| StoreError::Form(path.to_owned(), error);
    serde_json::from_slice(&bytes).map(Some).map_err(form)
}

fn write(path: &Path, value: &impl Serialize) -> Result<(), StoreError> {
    let form = |error| StoreError::Form(path.to_owned(), error);
    let text = serde_json::to_string_pretty(value).map_err(form)? + "\n";
    Ok(write_file(path, text.as_bytes())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::fs;

    struct Counting;

    impl Experiment for Counting {
        fn card(&self) -> Card {
            Card { id: "counting", work: "reul-2009", title: "t", question: "q" }
        }

        fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
            let mut findings = Findings::default();
            for step in ["one", "two", "three"] {
                let length: usize = lab.step(step, |_| Ok(step.len()))?;
                findings.number(step, length as f64);
            }
            Ok(findings)
        }
    }

    #[test]
    fn an_interrupted_experiment_goes_on_where_it_stopped() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::new(&directory.path().join("results"), Machine::here(None));
        let library = Library::load().unwrap();
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 2;
        let mut seen = Vec::new();
        let mut note = |progress: Progress<'_>| seen.push(progress.step.to_owned());
        let run = |stop: &Stop<'_>, note: &mut dyn FnMut(Progress<'_>)| {
            store.run(&Counting, Effort::Quick, &library, None, stop, note)
        };
        assert!(matches!(run(&stop, &mut note), Err(Halt::Interrupted)));
        assert_eq!(seen, ["one", "two", "three"]);
        assert!(store.best("counting").unwrap().is_none());
        let asked_again = Cell::new(0);
        let count = || {
            asked_again.set(asked_again.get() + 1);
            false
        };
        let outcome = run(&count, &mut |_| ()).unwrap();
        assert_eq!(asked_again.get(), 1, "two steps had been done");
        assert_eq!(outcome.findings.figures["three"].values, [5.0]);
        let kept = store.best("counting").unwrap().unwrap();
        assert_eq!(kept.findings.figures, outcome.findings.figures);
        store.forget("counting", Effort::Quick).unwrap();
        assert!(store.best("counting").unwrap().is_none());
    }

    #[test]
    fn what_makes_no_sense_is_told_rather_than_shown() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::new(directory.path(), Machine::here(None));
        let machine = serde_json::to_string(&Machine::here(None)).unwrap();
        for (row, name, sound) in [
            (r#"["a", {"value": 1, "decimals": 0}]"#, "x", true),
            (r#"["a", {"value": 1, "decimals": 0}]"#, "y", false),
            (r#"["a"]"#, "x", false),
            (r#"["a", {"value": 1, "decimals": 4000000000}]"#, "x", false),
            (r#"["a", {"value": 1e300, "decimals": 0}]"#, "x", false),
        ] {
            let text = format!(
                r#"{{"experiment": "{name}", "effort": "quick", "machine": {machine}, "date": "", "seconds": 0,
                "findings": {{"notes": [], "plots": [], "figures": {{}}, "tables": [{{"id": "t",
                "title": "", "columns": [{{"name": "", "origin": "label"}},
                {{"name": "", "origin": "counted"}}], "rows": [{row}]}}]}}}}"#
            );
            fs::write(directory.path().join("x.quick.json"), text).unwrap();
            match store.best("x") {
                Ok(Some(outcome)) if sound => {
                    assert!(outcome.findings.tables[0].terminal().contains('a'));
                }
                Err(StoreError::Form(..)) if !sound => {}
                other => panic!("{row}: {other:?}"),
            }
        }
    }

    #[test]
    fn two_at_once_do_not_measure_into_one_directory() {
        struct Twice<'a>(&'a Store, &'a Library);

        impl Experiment for Twice<'_> {
            fn card(&self) -> Card {
                Counting.card()
            }

            fn run(&self, _: &mut Lab<'_>) -> Result<Findings, Halt> {
                let second =
                    self.0.run(&Counting, Effort::Quick, self.1, None, &|| false, &mut |_| ());
                assert!(matches!(second, Err(Halt::Store(StoreError::Busy(_)))));
                let forgotten = self.0.forget("counting", Effort::Quick);
                assert!(matches!(forgotten, Err(StoreError::Busy(_))));
                Ok(Findings::default())
            }
        }

        let directory = tempfile::tempdir().unwrap();
        let (store, library) =
            (Store::new(directory.path(), Machine::here(None)), Library::load().unwrap());
        let run = |experiment: &dyn Experiment| {
            store.run(experiment, Effort::Quick, &library, None, &|| false, &mut |_| ())
        };
        run(&Twice(&store, &library)).unwrap();
        run(&Counting).unwrap();
    }

    #[test]
    fn what_could_not_be_read_back_is_not_kept() {
        struct Nonsense;

        impl Experiment for Nonsense {
            fn card(&self) -> Card {
                Counting.card()
            }

            fn run(&self, _: &mut Lab<'_>) -> Result<Findings, Halt> {
                let mut findings = Findings::default();
                findings.number("share", f64::NAN);
                Ok(findings)
            }
        }

        let directory = tempfile::tempdir().unwrap();
        let (store, library) =
            (Store::new(directory.path(), Machine::here(None)), Library::load().unwrap());
        let run = store.run(&Nonsense, Effort::Quick, &library, None, &|| false, &mut |_| ());
        assert!(matches!(run, Err(Halt::Wrong(_))));
        assert!(store.best("counting").unwrap().is_none());
    }

    #[test]
    fn findings_that_answer_no_claim_are_not_whole() {
        let library = Library::load().unwrap();
        let mut outcome = Outcome {
            experiment: "list-order".to_owned(),
            effort: Effort::Quick,
            machine: Machine::here(None),
            date: today(),
            seconds: 0.0,
            findings: Findings::default(),
        };
        outcome.findings.number("games", 0.0);
        assert!(!outcome.is_whole(&library));
        for figure in ["example", "bitboards"] {
            outcome.findings.lacks(figure, "for a reason");
        }
        assert!(outcome.is_whole(&library));
    }
}
