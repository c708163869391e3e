//! Against real engines, as Debian packages them. Who is not installed is left out, with a note; `cargo
//! xtask setup` installs all of them.

#![expect(clippy::print_stdout, reason = "a test that is left out must say so")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tabiya_arena::clock::PlayerLimits;
use tabiya_arena::game::GameRules;
use tabiya_arena::match_run::{MatchPlan, MatchVerdict, play_match};
use tabiya_arena::openings::Openings;
use tabiya_arena::pairing::Format;
use tabiya_arena::player::{OwnEngine, PlayerSpec};
use tabiya_arena::series::SeriesPlan;
use tabiya_arena::solve::{read_suite, solve};
use tabiya_arena::tournament::{TournamentPlan, play_tournament};
use tabiya_arena::watchdog::Interrupt;

/// Programs with their arguments; what they speak has to be found out.
const ENGINES: [&str; 6] =
    ["stockfish", "ethereal-chess", "toga2", "gnuchess --uci", "phalanx", "fairymax"];

const NO_ENGINE: &OwnEngine = &|_| Err("this test has no engine of its own".into());

/// Where Debian has its engines; they are not on everybody's search path.
fn installed(engine: &str) -> Option<PlayerSpec> {
    let command = format!("/usr/games/{engine}");
    let program = command.split(' ').next().unwrap_or_default();
    if !Path::new(program).exists() {
        println!("note: {program} is not installed, and is left out");
        return None;
    }
    Some(command.parse().unwrap())
}

fn series(limits: &str, directory: &Path) -> SeriesPlan {
    let limits: PlayerLimits = limits.parse().unwrap();
    SeriesPlan {
        event: "Real engines".into(),
        limits: Some(limits),
        // The machine may be busy with other tests.
        rules: GameRules { margin: Duration::from_secs(20), ..GameRules::default() },
        openings: Openings::builtin(3),
        concurrency: 2,
        pgn: Some(directory.join("games.pgn")),
        journal: Some(directory.join("games.journal")),
    }
}

fn play_all(limits: &str) {
    let players: Vec<PlayerSpec> = ENGINES.iter().filter_map(|name| installed(name)).collect();
    if players.len() < 2 {
        println!("note: a tournament needs two engines; skipped");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let plan = TournamentPlan {
        players,
        format: Format::Gauntlet { challengers: 1 },
        cycles: 1,
        anchor: None,
        series: series(limits, directory.path()),
    };
    let mut faults = Vec::new();
    let report = play_tournament(&plan, NO_ENGINE, &Interrupt::new(), &mut |_, record| {
        faults.extend(record.ending.fault.clone());
    })
    .unwrap();
    assert!(report.is_finished());
    assert_eq!(faults, [""; 0]);
    let games = Openings::read(&directory.path().join("games.pgn"), Some(10)).unwrap();
    assert_eq!(games.get(0).moves().len(), 10, "an independent reader takes the moves apart");
    read_by_python(&directory.path().join("games.pgn"), report.scheduled);
}

#[test]
fn all_of_them_play_in_a_given_time() {
    play_all("movetime=20");
}

#[test]
fn all_of_them_play_by_the_clock() {
    play_all("tc=1+0.02");
}

#[test]
fn a_match_by_nodes_is_the_same_every_time() {
    let Some(engine) = installed("stockfish") else { return };
    let reports = [1, 2].map(|concurrency| {
        let directory = tempfile::tempdir().unwrap();
        let mut strong = engine.clone();
        strong.limits = Some("nodes=400".parse().unwrap());
        let plan = MatchPlan {
            players: [strong, engine.clone()],
            pairs: 3,
            sprt: None,
            series: SeriesPlan { concurrency, ..series("nodes=100", directory.path()) },
        };
        play_match(&plan, NO_ENGINE, &Interrupt::new(), &mut |_, _| ()).unwrap()
    });
    assert_eq!(reports[0].verdict, MatchVerdict::Finished);
    assert_eq!(reports[0].status.names, ["Stockfish 15.1", "Stockfish 15.1 (2)"].map(String::from));
    assert_eq!(reports[0], reports[1]);
}

#[test]
fn an_engine_of_either_protocol_finds_a_mate() {
    let suite = tempfile::NamedTempFile::new().unwrap();
    let text = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; dm 1; id \"back rank\";\n\
        r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#;\n";
    std::fs::write(suite.path(), text).unwrap();
    let problems = read_suite(suite.path()).unwrap();
    for engine in ["stockfish", "phalanx"].iter().filter_map(|name| installed(name)) {
        let limits = Some("movetime=200".parse().unwrap());
        let report =
            solve(&engine, &problems, limits, 2, NO_ENGINE, &Interrupt::new(), &mut |_| ())
                .unwrap();
        let moves: Vec<_> = report.attempts.iter().map(|a| a.answer.as_deref()).collect();
        assert_eq!(moves, [Some("Ra8#"), Some("Qxf7#")], "{report:?}");
    }
}

/// Has the Python package `chess` read all games, if it is installed.
fn read_by_python(pgn: &Path, games: u64) {
    const SCRIPT: &str = "
import chess.pgn, sys
games = 0
while (game := chess.pgn.read_game(sys.stdin)) is not None:
    assert not game.errors, game.errors
    board = game.end().board()
    assert game.headers['Result'] in ('1-0', '0-1', '1/2-1/2'), game.headers
    assert int(game.headers['PlyCount']) == game.end().ply() - game.board().ply()
    if board.is_checkmate():
        assert board.result() == game.headers['Result']
    games += 1
print(games)
";
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/venv/bin/python");
    let has_chess = |python: &PathBuf| {
        let mut command = Command::new(python);
        command.args(["-c", "import chess.pgn"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let Some(python) = [venv, "python3".into()].into_iter().find(has_chess) else {
        println!("note: the Python package chess is not installed, and does not read the games");
        return;
    };
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let text = std::fs::read(pgn).unwrap();
    child.stdin.take().unwrap().write_all(&text).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), games.to_string());
}
