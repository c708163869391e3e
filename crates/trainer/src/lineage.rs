//! Where networks come from: every training, with what came of it, also of those that failed.

use crate::net::NetReport;
use crate::shard::{JsonReason, MAX_FILE};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use tabiya_chart::{Chart, Curve, Drawing, LineChart, Point, YScale};
use tabiya_engine::Identity;
use tabiya_files::{FileError, LockFile, read_if_there, write};

/// All trainings, in the order in which they were made.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lineage {
    /// The trainings.
    pub runs: Vec<Run>,
}

/// A training and what came of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// What the network is called.
    pub name: String,
    /// The SHA-256 of its file.
    pub sha256: String,
    /// The SHA-256 of the network that it began with, if it did not begin with chance.
    pub parent: Option<String>,
    /// The names of the directories of games.
    pub data: Vec<String>,
    /// Games that were read.
    pub games: u64,
    /// Training positions.
    pub positions: u64,
    /// Neurons of the hidden layer for each side.
    pub hidden: u32,
    /// Outputs.
    pub buckets: u32,
    /// How much results counted against scores.
    pub wdl_weight: f64,
    /// How much of a position's score came from the next.
    #[serde(default)]
    pub lambda: f64,
    /// How often all positions were gone through.
    pub epochs: u32,
    /// The validation loss.
    pub validation: f64,
    /// The tests that it was put to.
    pub gates: Vec<Gate>,
    /// Has it passed all of them?
    pub accepted: bool,
}

/// A test by games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// The SHA-256 of the other network; nothing if that was the classical evaluation.
    pub opponent: Option<String>,
    /// What the opponent is called.
    pub opponent_name: String,
    /// How long both thought.
    #[serde(rename = "pace")]
    pub limits: String,
    /// Was that a number of nodes?
    pub by_nodes: bool,
    /// The question.
    pub sprt: String,
    /// Games won, drawn and lost.
    pub games: [u64; 3],
    /// The lead in Elo.
    pub elo: f64,
    /// How uncertain it is, either way; nothing if it is unknown.
    pub error: Option<f64>,
    /// What came of it.
    pub verdict: GateVerdict,
    /// By which engine and from which openings; not known of the first tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// What a test was played with, and what it takes to judge it otherwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    /// The bench of the engine that played with either network, by its built-in one.
    pub bench: u64,
    /// The openings: `builtin`, or the SHA-256 of their file.
    pub openings: String,
    /// Where chance began that drew them.
    pub seed: u64,
    /// The program that played, with its built-in network; not known of old tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Identity>,
}

/// What came of a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GateVerdict {
    /// It is stronger.
    Passed,
    /// It is not.
    Failed,
    /// There were not enough games to tell.
    Undecided,
}

/// Why there is no lineage.
#[derive(Debug, thiserror::Error)]
pub enum LineageError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// It makes no sense.
    #[error("{}: the lineage makes no sense: {reason}", path.display())]
    Contents {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: JsonReason,
    },
}

impl Run {
    /// A training that has not been put to a test.
    pub fn new(name: String, report: &NetReport) -> Run {
        let recipe = &report.recipe;
        let name_of = |path: &Path| {
            path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
        };
        Run {
            name,
            sha256: report.sha256.clone(),
            parent: recipe.start.as_ref().and_then(|start| start.sha256.clone()),
            data: recipe.data.iter().map(|source| name_of(&source.directory)).collect(),
            games: report.games,
            positions: report.training,
            hidden: recipe.hidden,
            buckets: recipe.buckets,
            wdl_weight: recipe.wdl_weight,
            lambda: recipe.lambda,
            epochs: recipe.epochs,
            validation: report.epochs.last().map_or(f64::MAX, |errors| errors.validation),
            gates: Vec::new(),
            accepted: false,
        }
    }

    /// Takes in a test. One that goes on with an undecided one takes its place, and one whose games were
    /// all played before its own. A network is accepted that has passed both tests against the same
    /// opponent, and no later one undoes that.
    pub fn add_gate(&mut self, gate: Gate) {
        let goes_on = |old: &Gate| {
            (old.verdict == GateVerdict::Undecided || old.games == gate.games)
                && (&old.opponent, &old.opponent_name, &old.limits, &old.sprt)
                    == (&gate.opponent, &gate.opponent_name, &gate.limits, &gate.sprt)
        };
        self.gates.retain(|old| !goes_on(old));
        self.gates.push(gate);
        self.accepted |= self.has_passed();
    }

    /// Has it passed both tests, by nodes and by time, against the same opponent?
    pub fn has_passed(&self) -> bool {
        let passed = |by_nodes: bool| {
            let of_kind = move |gate: &&Gate| {
                gate.by_nodes == by_nodes && gate.verdict == GateVerdict::Passed
            };
            self.gates.iter().filter(of_kind).map(|gate| (&gate.opponent, &gate.opponent_name))
        };
        passed(true).any(|opponent| passed(false).any(|other| other == opponent))
    }

    /// The last test by nodes, or else by time.
    pub fn gate(&self, by_nodes: bool) -> Option<&Gate> {
        self.gates.iter().rev().find(|gate| gate.by_nodes == by_nodes)
    }
}

impl Lineage {
    /// Reads a lineage; where there is no file there are no trainings yet.
    ///
    /// # Errors
    /// If the file cannot be read or makes no sense.
    pub fn load(path: &Path) -> Result<Lineage, LineageError> {
        let Some(text) = read_if_there(path, MAX_FILE)? else { return Ok(Lineage::default()) };
        serde_json::from_slice(&text)
            .map_err(|error| LineageError::Contents { path: path.to_owned(), reason: error.into() })
    }

    /// Changes the lineage in a file, while others who would change it wait.
    ///
    /// # Errors
    /// If it cannot be read or written, or another keeps it for too long.
    pub fn update(path: &Path, change: impl FnOnce(&mut Lineage)) -> Result<(), LineageError> {
        let _lock = LockFile::beside(path)?;
        let mut lineage = Lineage::load(path)?;
        change(&mut lineage);
        lineage.save(path)
    }

    fn save(&self, path: &Path) -> Result<(), LineageError> {
        // Numbers and names only: nothing that JSON could refuse.
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        Ok(write(path, &text)?)
    }

    /// The training of a network, which is added if it is not there.
    pub fn enter(&mut self, run: Run) -> &mut Run {
        let known = self.runs.iter().position(|known| known.sha256 == run.sha256);
        let place = known.unwrap_or_else(|| {
            self.runs.push(run);
            self.runs.len() - 1
        });
        &mut self.runs[place]
    }

    /// How far each training is ahead of the classical evaluation by its tests at a number of nodes, and
    /// how uncertain that is; nothing for those without a test, or whose opponent has none.
    pub fn elo(&self) -> Vec<Option<(f64, f64)>> {
        let mut found: Vec<Option<(f64, f64)>> = vec![None; self.runs.len()];
        // A network that was tested against a later one has its Elo after it: as many rounds as there are runs are
        // enough, and a ring of tests has no end to begin with.
        for _ in 0..self.runs.len() {
            for (place, run) in self.runs.iter().enumerate() {
                let Some(gate) = run.gate(true) else { continue };
                let opponent = match &gate.opponent {
                    None => Some((0.0, 0.0)),
                    Some(hash) => {
                        let known = self.runs.iter().position(|other| other.sha256 == *hash);
                        known.filter(|&other| other != place).and_then(|other| found[other])
                    }
                };
                if let (None, Some((elo, error))) = (found[place], opponent) {
                    let own = gate.error.unwrap_or(0.0);
                    found[place] = Some((elo + gate.elo, (error * error + own * own).sqrt()));
                }
            }
        }
        found
    }

    /// The trainings that can be compared as a picture.
    pub fn svg(&self) -> String {
        let points = |accepted: bool| {
            let runs = (1..).zip(&self.runs).zip(self.elo());
            let chosen = runs.filter(|((_, run), _)| run.accepted == accepted);
            chosen
                .filter_map(|((number, _), elo)| {
                    elo.map(|(y, error)| Point { x: f64::from(number), y, error })
                })
                .collect()
        };
        let line = |name: &str, accepted| Curve {
            name: name.to_owned(),
            reference: false,
            points: points(accepted),
        };
        let curves = vec![line("accepted", true), line("not accepted", false)];
        let (x, y) = ("training".to_owned(), "Elo".to_owned());
        Chart {
            title: "Elo over the classical evaluation".to_owned(),
            subtitle: "at equal nodes, with 95 % intervals".to_owned(),
            drawing: Drawing::Lines(LineChart { x, y, axis: YScale::Close, curves }),
        }
        .svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(opponent: Option<&str>, elo: f64) -> Gate {
        Gate {
            opponent: opponent.map(str::to_owned),
            opponent_name: opponent.unwrap_or("classical").to_owned(),
            limits: "5000 nodes".into(),
            by_nodes: true,
            sprt: "elo0=0 elo1=10".into(),
            games: [5, 6, 7],
            elo,
            error: Some(3.0),
            verdict: GateVerdict::Passed,
            evidence: None,
        }
    }

    fn run(name: &str, gates: Vec<Gate>) -> Run {
        Run {
            name: name.into(),
            sha256: name.into(),
            parent: None,
            data: vec!["gen-1".into()],
            games: 10,
            positions: 1000,
            hidden: 64,
            buckets: 1,
            wdl_weight: 0.05,
            lambda: 0.0,
            epochs: 3,
            validation: 0.01,
            gates,
            accepted: true,
        }
    }

    #[test]
    fn a_network_is_accepted_that_has_passed_by_nodes_and_by_time() {
        let mut run = Run { accepted: false, ..run("a", Vec::new()) };
        let undecided = Gate { verdict: GateVerdict::Undecided, ..gate(Some("z"), 1.0) };
        run.add_gate(undecided);
        run.add_gate(gate(Some("z"), 2.0));
        assert_eq!(run.gates.len(), 1, "the test went on");
        run.add_gate(gate(Some("z"), 2.0));
        assert_eq!(run.gates.len(), 1, "they are the same games");
        let by_time = |opponent| Gate { by_nodes: false, limits: "1+0.01".into(), ..opponent };
        run.add_gate(by_time(gate(Some("y"), 3.0)));
        assert!(!run.accepted, "that was another opponent");
        run.add_gate(by_time(gate(Some("z"), 3.0)));
        assert!(run.accepted && run.has_passed());
        run.add_gate(Gate { verdict: GateVerdict::Failed, ..gate(Some("x"), -9.0) });
        assert!(run.accepted);
    }

    fn lineage() -> Lineage {
        let runs = vec![
            run("a", vec![gate(None, 50.0)]),
            run("b", vec![gate(Some("c"), 7.0)]),
            run("c", vec![gate(None, 999.0), gate(Some("a"), 20.0)]),
            run("d", vec![gate(Some("d"), 7.0)]),
            run("e", vec![]),
        ];
        Lineage { runs }
    }

    #[test]
    fn leads_add_up() {
        let elo: Vec<_> = lineage().elo().into_iter().map(|elo| elo.map(|(elo, _)| elo)).collect();
        assert_eq!(elo, [Some(50.0), Some(77.0), Some(70.0), None, None]);
        let (_, error) = lineage().elo()[2].unwrap();
        assert!((error - 18f64.sqrt()).abs() < 1e-9);
        assert_eq!(lineage().svg().matches("<circle").count(), 3);
    }

    #[test]
    fn a_lineage_is_read_as_it_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lineage.json");
        assert_eq!(Lineage::load(&path).unwrap(), Lineage::default());
        lineage().save(&path).unwrap();
        assert_eq!(Lineage::load(&path).unwrap(), lineage());
        std::fs::write(&path, "{\"runs\": 3}").unwrap();
        assert!(matches!(Lineage::load(&path), Err(LineageError::Contents { .. })));
    }

    #[test]
    fn changes_at_the_same_time_lose_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("lineage.json");
        std::thread::scope(|scope| {
            for writer in 0..8 {
                let path = &path;
                scope.spawn(move || {
                    for number in 0..10 {
                        let name = format!("{writer}-{number}");
                        Lineage::update(path, |lineage| {
                            lineage.enter(run(&name, vec![]));
                        })
                        .unwrap();
                    }
                });
            }
        });
        assert_eq!(Lineage::load(&path).unwrap().runs.len(), 80);
    }

    #[test]
    fn evidence_is_kept() {
        let evidence = Evidence {
            pairs: [1, 2, 3, 4, 5],
            bench: 6,
            openings: "builtin".into(),
            seed: 7,
            program: Some(Identity::of(None)),
        };
        let known = Gate { evidence: Some(evidence), ..gate(None, 1.0) };
        for gate in [known, gate(None, 1.0)] {
            let text = serde_json::to_string(&gate).unwrap();
            assert_eq!(text.contains("evidence"), gate.evidence.is_some());
            assert_eq!(serde_json::from_str::<Gate>(&text).unwrap(), gate);
        }
    }

    #[test]
    fn a_network_is_entered_once() {
        let mut lineage = lineage();
        lineage.enter(run("a", vec![])).accepted = false;
        assert_eq!((lineage.runs.len(), lineage.runs[0].accepted), (5, false));
        lineage.enter(run("f", vec![]));
        assert_eq!(lineage.runs.len(), 6);
    }
}
