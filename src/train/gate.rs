//! `tabiya train gate`: is a new network stronger than what there was?

use std::error::Error;
use std::io::Write;
use std::num::{NonZeroU32, NonZeroU64};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tabiya_arena::clock::{PlayerLimits, TimeControl};
use tabiya_arena::match_run::{MatchPlan, MatchReport, MatchStatus, MatchVerdict, play_match};
use tabiya_arena::player::{EngineSpec, PlayerSpec};
use tabiya_arena::series::{GameRecord, SeriesPlan};
use tabiya_arena::stats::sprt::Sprt;
use tabiya_arena::watchdog::Interrupt;
use tabiya_files::{read, remove};
use tabiya_trainer::lineage::{Evidence, Gate, GateVerdict, Lineage, Run};
use tabiya_trainer::manifest::Origin;
use tabiya_trainer::net::{NetReport, file_sha256};
use tabiya_trainer::recipe::Evaluation;

use super::lineage::DEFAULT_LINEAGE;
use super::{MAX_JSON, short_hash};
use crate::Outcome;
use crate::arena_args::{BUILT_IN_OPENINGS, GameArgs, joined};
use crate::exit::{INTERRUPTED, usage};
use crate::identity::{COMMIT, identity};
use crate::json;
use crate::players::{interrupt_on_ctrl_c, own_engine};
use crate::progress::progress_bar;

/// The word for the evaluation without a network.
const CLASSICAL: &str = "classical";

const EXIT_CODES: &str = "\
Exit codes:
  0  the new network has passed
  1  the games could not be played
  2  bad usage
  3  it has failed
  4  all games were played, and a test is undecided
  5  interrupted; the same command goes on where it stopped";

/// Let a new network play against an old one, and remember the result.
///
/// First both have the same number of nodes for a move; a network that passes then plays by the clock. One
/// that passes both is accepted. What came of it goes into the lineage, for networks that fail too.
/// Where a test is undecided, the same command with more `--games` goes on with it.
#[derive(clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Args {
    /// The new network, with its .json file beside it unless the lineage knows it already.
    new: PathBuf,
    /// The old one, or `classical` for the evaluation without a network.
    old: PathBuf,
    /// Nodes for each move of the first test.
    #[arg(long, value_name = "N", default_value = "5000", value_parser = crate::numbers::positive::<NonZeroU64>)]
    nodes: NonZeroU64,
    /// The clock for the second test, as in 8+0.08.
    #[arg(long, default_value = "1+0.01")]
    tc: TimeControl,
    /// The question.
    #[arg(long, value_name = "TEST", num_args = 1..=5, default_values = ["elo0=0", "elo1=10"])]
    sprt: Vec<String>,
    /// No test takes more games.
    #[arg(long, value_name = "N", default_value = "4000", value_parser = crate::numbers::positive::<NonZeroU32>)]
    games: NonZeroU32,
    /// Where the result goes.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_LINEAGE)]
    lineage: PathBuf,
    #[command(flatten)]
    play: GameArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// A test of the two.
struct Test {
    limits: PlayerLimits,
    limit: String,
    by_nodes: bool,
    journal: PathBuf,
}

impl Args {
    /// The tests, in the order in which they are made. Their journals bear the new network's name, the
    /// beginnings of both hashes, the limits, the question and the engine's bench, lest the games of one test
    /// be taken for those of another.
    fn tests(&self, sprt: &Sprt, bench: u64, hash: &str, opponent: Option<&str>) -> [Test; 2] {
        let opponent = opponent.map_or(CLASSICAL, short_hash);
        let journal = |limits: &str| {
            let question = sprt.to_string().replace(' ', "-");
            let (hash, limits) = (short_hash(hash), limits.replace('/', "in"));
            let test = format!("{hash}-{opponent}.{limits}.{question}.bench-{bench}.journal");
            self.new.with_extension(test)
        };
        let nodes = self.nodes.get();
        let by_nodes = Test {
            limits: PlayerLimits { nodes: Some(nodes), ..PlayerLimits::default() },
            limit: format!("{nodes} nodes a move"),
            by_nodes: true,
            journal: journal(&format!("{nodes}n")),
        };
        let by_time = Test {
            limits: PlayerLimits { control: Some(self.tc), ..PlayerLimits::default() },
            limit: self.tc.to_string(),
            by_nodes: false,
            journal: journal(&self.tc.to_string()),
        };
        [by_nodes, by_time]
    }

    fn is_against_classical(&self) -> bool {
        self.old == Path::new(CLASSICAL)
    }

    fn players(&self) -> [PlayerSpec; 2] {
        let player = |path: &Path, name: String, classical: bool| PlayerSpec {
            name: Some(name),
            engine: EngineSpec::Own,
            options: vec![if classical {
                ("Eval Mode".into(), CLASSICAL.into())
            } else {
                ("EvalFile".into(), path.display().to_string())
            }],
            limits: None,
        };
        let [new, old] = self.names();
        [player(&self.new, new, false), player(&self.old, old, self.is_against_classical())]
    }

    fn names(&self) -> [String; 2] {
        let [new, old] = [&self.new, &self.old].map(|path| net_name(path));
        // A later version of a network often has the name of the one before, elsewhere.
        if new == old { [format!("{new} (new)"), old] } else { [new, old] }
    }
}

/// What a network in a file is called.
pub(super) fn net_name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let sprt: Option<Sprt> = joined("--sprt", &args.sprt)?;
    let sprt = sprt.ok_or_else(|| usage("--sprt: a question should follow"))?;
    let hash = file_sha256(&args.new)?;
    let known = Lineage::load(&args.lineage)?.runs.into_iter().find(|run| run.sha256 == hash);
    let run = match known {
        Some(run) => run,
        None => Run::new(net_name(&args.new), &report_of(&args.new, &hash)?),
    };
    let opponent = if args.is_against_classical() { None } else { Some(file_sha256(&args.old)?) };
    let openings = match args.play.openings_file() {
        None => BUILT_IN_OPENINGS.to_owned(),
        Some(path) => file_sha256(path)?,
    };
    let bench = Origin::of_this_engine(&Evaluation::BuiltIn, COMMIT)?.bench;
    let program = Some(identity());
    let evidence = Evidence { pairs: [0; 5], bench, openings, seed: args.play.seed, program };
    let interrupt = interrupt_on_ctrl_c()?;
    let tests = args.tests(&sprt, bench, &hash, opponent.as_deref());
    let mut gates: Vec<Gate> = Vec::new();
    for test in &tests {
        let Some(gate) = put_to(args, test, sprt, &opponent, &evidence, &interrupt)? else {
            return Ok(ExitCode::from(INTERRUPTED));
        };
        let verdict = gate.verdict;
        gates.push(gate);
        if verdict != GateVerdict::Passed {
            break;
        }
    }
    let verdict = gates.last().map_or(GateVerdict::Undecided, |gate| gate.verdict);
    Lineage::update(&args.lineage, |lineage| {
        let entry = lineage.enter(run);
        gates.iter().for_each(|gate| entry.add_gate(gate.clone()));
    })?;
    // What is undecided may be gone on with.
    if verdict != GateVerdict::Undecided {
        for test in &tests {
            remove(&test.journal)?;
        }
    }
    if args.json {
        json::print(out, &gates)?;
    } else {
        for gate in &gates {
            writeln!(out, "{}", described(gate))?;
        }
    }
    Ok(ExitCode::from(match verdict {
        GateVerdict::Passed => 0,
        GateVerdict::Failed => 3,
        GateVerdict::Undecided => 4,
    }))
}

/// What is known of a network's training, from the file beside it.
fn report_of(network: &Path, hash: &str) -> Result<NetReport, Box<dyn Error>> {
    let path = network.with_extension("json");
    let report: NetReport = serde_json::from_slice(&read(&path, MAX_JSON)?)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    if hash != report.sha256 {
        return Err(format!(
            "{}: SHA-256 is {hash}; the file beside it says {}",
            network.display(),
            report.sha256
        )
        .into());
    }
    Ok(report)
}

/// Puts the network to a test; nothing if that was interrupted.
fn put_to(
    args: &Args,
    test: &Test,
    sprt: Sprt,
    opponent: &Option<String>,
    evidence: &Evidence,
    interrupt: &Interrupt,
) -> Result<Option<Gate>, Box<dyn Error>> {
    let pairs = args.games.get().div_ceil(2);
    let plan = MatchPlan {
        players: args.players(),
        pairs,
        sprt: Some(sprt),
        series: SeriesPlan {
            event: "Tabiya gate".into(),
            limits: Some(test.limits),
            rules: args.play.rules()?,
            openings: args.play.openings()?,
            concurrency: args.play.concurrency(),
            pgn: None,
            journal: Some(test.journal.clone()),
        },
    };
    let bar = progress_bar(2 * u64::from(pairs), "games");
    let mut progress = |status: &MatchStatus, _: &GameRecord| {
        bar.set_position(status.pairs.wdl().games());
        let elo = status.statistics.map_or_else(String::new, |all| format!("Elo {} ", all.elo));
        let llr = status.llr.map_or_else(String::new, |llr| format!("LLR {llr:.2}"));
        bar.set_message(format!("{}: {elo}{llr}", test.limit));
    };
    let report = play_match(&plan, &own_engine, interrupt, &mut progress)?;
    bar.finish_and_clear();
    Ok(gate_of(&report, test, opponent, evidence, sprt.to_string()))
}

fn gate_of(
    report: &MatchReport,
    test: &Test,
    opponent: &Option<String>,
    evidence: &Evidence,
    sprt: String,
) -> Option<Gate> {
    let verdict = match report.verdict {
        MatchVerdict::AcceptH1 => GateVerdict::Passed,
        MatchVerdict::AcceptH0 => GateVerdict::Failed,
        MatchVerdict::Finished | MatchVerdict::Undecided => GateVerdict::Undecided,
        MatchVerdict::Interrupted => return None,
    };
    let statistics = report.status.statistics?;
    let games = statistics.games;
    Some(Gate {
        opponent: opponent.clone(),
        opponent_name: report.status.names[1].clone(),
        limits: test.limit.clone(),
        by_nodes: test.by_nodes,
        sprt,
        games: [games.wins, games.draws, games.losses].map(u64::from),
        elo: statistics.elo.value,
        error: statistics.elo.error(),
        verdict,
        evidence: Some(Evidence {
            pairs: report.status.pairs.pentanomial().counts().map(u64::from),
            ..evidence.clone()
        }),
    })
}

fn described(gate: &Gate) -> String {
    let [wins, draws, losses] = gate.games;
    let error = gate.error.map_or_else(String::new, |error| format!(" ± {error:.1}"));
    let verdict = match gate.verdict {
        GateVerdict::Passed => "passed",
        GateVerdict::Failed => "failed",
        GateVerdict::Undecided => "undecided",
    };
    format!(
        "against {} with {}: +{wins} ={draws} -{losses}, Elo {:+.1}{error}: {verdict} ({})",
        gate.opponent_name, gate.limits, gate.elo, gate.sprt
    )
}
