//! The verbs that play games.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

mod program;

use program::{output, tabiya, text};

/// Runs a command that is to end with this code and say nothing on standard error.
fn result(args: &[&str], code: i32) -> String {
    let done = output(args);
    assert_eq!(done.status.code(), Some(code), "{args:?}: {}", text(&done.stderr));
    assert_eq!(text(&done.stderr), "", "{args:?}");
    text(&done.stdout)
}

fn json(args: &[&str], code: i32) -> Value {
    let printed = result(args, code);
    assert_eq!(printed.lines().count(), 1, "one object: {printed}");
    serde_json::from_str(&printed).expect("JSON")
}

const PLAYERS: [&str; 3] = ["match", "tabiya name=one nodes=60", "tabiya name=other nodes=20"];

fn with<'a>(args: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [args, more].concat()
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a readable path")
}

#[test]
fn a_match_tells_what_it_proves() {
    let printed = result(&with(&PLAYERS, &["--games", "4", "--concurrency", "2"]), 0);
    // Which program played, which builds its engines are, then the result.
    let mut lines = printed.lines();
    let program = lines.next().unwrap_or_default();
    assert!(program.starts_with("Tabiya ") && program.contains(", cpu "), "{printed}");
    assert!(lines.next().is_some_and(|line| line.starts_with("one against other: +")), "{printed}");
    for part in
        ["in 4 games", "Elo ", "Pairs with 0, ½, 1, 1½ and 2 points:", "All games were played."]
    {
        assert!(printed.contains(part), "{printed}");
    }
    let report = json(&with(&PLAYERS, &["--games", "3", "--json"]), 0);
    assert_eq!(report["verdict"], "finished");
    assert_eq!(report["statistics"]["pairs"], 2);
    assert_eq!(report["names"][1], "other");
    for part in ["version", "network", "cpu"] {
        assert!(report["program"][part].is_string(), "{part}: {report}");
    }
    assert_eq!(report["engines"][1], program);
}

#[test]
fn the_exit_code_is_the_verdict() {
    let sprt = ["--sprt", "elo0=0", "elo1=5", "--games", "2", "--json"];
    let open = json(&with(&PLAYERS, &sprt), 4);
    assert_eq!(open["verdict"], "undecided");
    assert!(open["llr"].is_number());

    // One ply against many nodes: it takes a few pairs only.
    let [strong, weak] = ["tabiya name=strong nodes=3000", "tabiya name=weak depth=1"];
    let test = ["--sprt", "elo0=0", "elo1=300", "--games", "200", "--json"];
    assert_eq!(json(&with(&["match", strong, weak], &test), 0)["verdict"], "accept-h1");
    assert_eq!(json(&with(&["match", weak, strong], &test), 3)["verdict"], "accept-h0");
}

#[test]
fn a_match_goes_on_where_it_stopped() {
    let directory = tempfile::tempdir().expect("a directory");
    let pgn = directory.path().join("games.pgn");
    let keep = ["--pgn", path(&pgn), "--json"];
    let first = json(&with(&PLAYERS, &with(&["--games", "4"], &keep)), 0);
    assert_eq!(json(&with(&PLAYERS, &with(&["--games", "4"], &keep)), 0), first);
    let longer = json(&with(&PLAYERS, &with(&["--games", "6"], &keep)), 0);
    assert_eq!(longer["statistics"]["pairs"], 3);
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Event ").count(), 6);

    let other = output(&with(&PLAYERS, &with(&["--games", "4", "--seed", "9"], &keep)));
    assert_eq!(other.status.code(), Some(1));
    let message = text(&other.stderr);
    assert!(message.contains("game 1 had another opening"), "{message}");
}

/// A command that is refused with this code; what it says.
fn refused(args: &[&str], code: i32) -> String {
    let done = output(args);
    assert_eq!((done.status.code(), text(&done.stdout)), (Some(code), String::new()), "{args:?}");
    text(&done.stderr)
}

#[test]
fn a_file_has_one_role() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("file");
    let file = path(&file);
    let tournament = with(&["tournament"], &PLAYERS[1..]);
    let tune = ["tune", PLAYERS[1]];
    for (verb, first, second) in [
        (&PLAYERS[..], "--pgn", "--journal"),
        (&tournament, "--pgn", "--svg"),
        (&tournament, "--journal", "--svg"),
        (&tune, "--params", "--journal"),
    ] {
        let message = refused(&with(verb, &[first, file, second, file]), 2);
        let reason = format!("file: it is named twice, for {first} and {second}; name two files");
        assert!(message.contains(&reason), "{message}");
        assert!(!fs::exists(file).expect("the directory"));
    }
    fs::write(file, "g1f3 g8f6\n").expect("openings");
    let message = refused(&with(&PLAYERS, &["--openings", file, "--pgn", file]), 2);
    assert!(message.contains("for --openings and --pgn"), "{message}");
}

#[test]
fn files_are_judged_before_the_games() {
    let directory = tempfile::tempdir().expect("a directory");
    let folder = path(directory.path());
    let message = refused(&with(&["tournament"], &with(&PLAYERS[1..], &["--svg", folder])), 1);
    assert!(message.contains("it is a folder; a regular file is needed"), "{message}");
    let message = refused(&with(&PLAYERS, &["--openings", folder]), 1);
    assert!(message.contains("it is a folder; a regular file is needed"), "{message}");
    let long = directory.path().join("long");
    fs::write(&long, "# \n".repeat(1 << 19)).expect("written");
    let message = refused(&["tune", PLAYERS[1], "--params", path(&long)], 2);
    assert!(message.contains("long: it is larger than 1048576 bytes, the limit here"), "{message}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_match_cleanly() {
    let directory = tempfile::tempdir().expect("a directory");
    let pgn = directory.path().join("games.pgn");
    let keep = ["--pgn", path(&pgn), "--games", "100000", "--json"];
    let mut command = tabiya(&with(&PLAYERS, &keep));
    let child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
    let journal = directory.path().join("games.pgn.journal");
    let played = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while played() < 4 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let done = child.wait_with_output().expect("it ends");
    assert_eq!(done.status.code(), Some(5));
    let report: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    assert_eq!(report["verdict"], "interrupted");
    let games = fs::read_to_string(&pgn).expect("games");
    assert_eq!(games.matches("[Event ").count(), played() - 1);
    assert!(games.ends_with("\n\n"), "the last game is whole");
}

#[test]
fn a_tournament_rates_everybody() {
    let directory = tempfile::tempdir().expect("a directory");
    let svg = directory.path().join("ratings.svg");
    let players =
        ["tournament", "tabiya name=a nodes=90", "tabiya name=b nodes=30", "tabiya name=c depth=1"];
    let printed = result(&with(&players, &["--svg", path(&svg), "--anchor", "b=2000"]), 0);
    assert!(printed.contains("2000.0"), "{printed}");
    assert_eq!(printed.lines().filter(|line| line.contains("Points")).count(), 1);
    assert!(fs::read_to_string(&svg).expect("a picture").starts_with("<svg"));

    let gauntlet = json(&with(&players, &["--format", "gauntlet", "--json"]), 0);
    assert_eq!((&gauntlet["finished"], &gauntlet["scheduled"]), (&true.into(), &4.into()));
    assert_eq!(gauntlet["ratings"]["players"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_suite_is_solved() {
    let directory = tempfile::tempdir().expect("a directory");
    let suite = directory.path().join("suite.epd");
    let mates = "6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";\n\
        6k1/5ppp/8/8/8/8/8/R5K1 w - - am Ra8#; id \"wrong\";\n";
    fs::write(&suite, mates).expect("a file");
    let printed = result(&["solve", path(&suite), "--nodes", "2000"], 0);
    assert!(printed.contains("\nback rank  Ra8#      bm Ra8#   0."), "{printed}");
    assert!(printed.contains("\nwrong      Ra8#      am Ra8#   not solved\n"), "{printed}");
    let strict = ["solve", path(&suite), "--nodes", "2000", "--json", "--require", "2"];
    let report = json(&strict, 1);
    assert_eq!((&report["solved"], &report["problems"]), (&1.into(), &2.into()));
}

#[test]
fn openings_are_made_and_read_back() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("openings.txt");
    let made = result(&["openings", "--count", "3", "--nodes", "500"], 0);
    assert_eq!(made, result(&["openings", "--count", "3", "--nodes", "500"], 0));
    assert_eq!(made.lines().count(), 4, "{made}");
    fs::write(&file, &made).expect("a file");
    let report = json(&with(&PLAYERS, &["--games", "2", "--openings", path(&file), "--json"]), 0);
    assert_eq!(report["statistics"]["pairs"], 1);
}

#[test]
fn who_fails_is_named_with_what_it_did() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = directory.path().join("engine.sh");
    let crashes = "while read -r word rest; do case $word in uci) echo uciok ;; isready) echo readyok ;; \
        go) echo 'out of luck' >&2; exit 9 ;; esac; done";
    fs::write(&script, crashes).expect("a file");
    let engine = format!("sh '{}' name=crasher proto=uci", path(&script));
    let args = ["match", &engine, "tabiya", "--nodes", "20", "--games", "2"];
    let printed = result(&args, 0);
    let what = "crasher crashed: it closed its output (exit status: 9); its last words were \
        \"out of luck\"";
    assert!(printed.contains("crasher lost 2 by crash"), "{printed}");
    assert!(printed.contains(&format!("  game 1: {what}\n  game 2: {what}\n")), "{printed}");
    let report = json(&with(&args, &["--json"]), 0);
    assert_eq!(report["failures"][1], format!("game 2: {what}"));
}

#[test]
fn bad_usage_ends_with_code_two_before_anything_is_played() {
    for (args, message) in [
        (&["match", "tabiya", ""][..], "no engine is named"),
        (&["match", "tabiya", "x speed=1"], "is not a setting"),
        (&["match", "tabiya", "tabiya", "--tc", "fast"], "is not a time"),
        (&["match", "tabiya", "tabiya", "--nodes", "0"], "it should be a whole number from 1 to "),
        (&["match", "tabiya", "tabiya", "--sprt", "elo0=5", "elo1=0"], "should be less than"),
        (&["match", "tabiya", "tabiya", "--resign", "score=5"], "moves is missing"),
        (&["tournament", "tabiya"], "required"),
        (&["tournament", "tabiya", "tabiya", "--anchor", "x"], "as in Stockfish=3500"),
        (&["tune", "tabiya"], "nothing to tune is named"),
        (&["tune", "tabiya", "--param", "Hash, c=x"], "is not a parameter"),
    ] {
        let done = output(args);
        let printed = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{args:?}: {printed}");
        assert!(printed.contains(message), "{args:?}: {printed}");
        assert_eq!(text(&done.stdout), "", "{args:?}");
    }
}

#[test]
fn what_cannot_be_done_ends_with_code_one_and_says_why() {
    for (args, message) in [
        (&["match", "tabiya", "/no/such/engine"][..], "/no/such/engine cannot be started"),
        (&["match", "tabiya", "tabiya option.Wings=2"], "there is no option \"Wings\""),
        (&["match", "tabiya", "tabiya", "--openings", "/no/such/file"], "cannot be read"),
        (&["match", "tabiya", "tabiya", "--tablebases", "/no/such/tables"], "cannot be read"),
        (&["match", "tabiya", "tabiya", "--tablebases", "src"], "there are no tablebases in src"),
        (&["match", "tabiya", "tabiya", "--pgn", "/no/such/games"], "/no/such/games"),
        (
            &["tournament", "tabiya", "tabiya", "--svg", "/no/such/chart"],
            "/no/such/chart: cannot be written: ",
        ),
        (&["tournament", "tabiya", "tabiya", "--anchor", "x=1"], "x, whose rating is to be the"),
        (&["solve", "/no/such/suite"], "/no/such/suite: cannot be read: "),
        (&["tune", "tabiya", "--param", "Wings"], "has no option \"Wings\""),
    ] {
        let done = output(args);
        let printed = text(&done.stderr);
        assert_eq!(done.status.code(), Some(1), "{args:?}: {printed}");
        assert!(printed.starts_with("error: ") && printed.contains(message), "{args:?}: {printed}");
    }
}
