//! `tabiya analyse` as its users type it.

mod program;

use program::tabiya;
use serde_json::Value;
use std::process::Output;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn analyse(args: &[&str]) -> Output {
    program::output(&[&["analyse"], args, &["--threads", "1"]].concat())
}

fn text(args: &[&str]) -> String {
    let output = analyse(args);
    assert!(output.status.success(), "{output:?}");
    program::text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&text(&[args, &["--json"]].concat())).expect("one JSON object")
}

#[test]
fn it_shows_lines_with_scores_for_white() {
    let shown = text(&[BACK_RANK, "--depth", "8", "--lines", "2"]);
    assert!(shown.contains("White to move. Depth 8/"), "{shown}");
    let best = shown.lines().find(|line| line.starts_with(" 1.")).expect("a best line");
    assert!(best.contains("#1") && best.ends_with("1. Rd8#"), "{best}");
    assert!(shown.lines().any(|line| line.starts_with(" 2.")), "{shown}");
    assert!(!shown.lines().any(|line| line.starts_with(" 3.")), "{shown}");

    // The same with Black to move: the score is White's all the same.
    let black = text(&["3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "--depth", "8", "--lines", "1"]);
    let best = black.lines().find(|line| line.starts_with(" 1.")).expect("a best line");
    assert!(best.contains("-#1") && best.ends_with("1... Rd1#"), "{best}");
}

#[test]
fn one_thread_gives_the_same_lines_every_time() {
    let lines = || json(&["--nodes", "20000"])["lines"].clone();
    let first = lines();
    assert_eq!(first.as_array().map(Vec::len), Some(3));
    assert_eq!(lines(), first);
}

#[test]
fn json_has_it_all() {
    let report = json(&[BACK_RANK, "--depth", "8", "--lines", "1"]);
    assert_eq!(report["fen"], BACK_RANK);
    assert_eq!(report["side_to_move"], "White");
    assert_eq!(report["interrupted"], false);
    let program = &report["program"];
    for part in ["version", "network", "cpu"] {
        assert!(program[part].is_string(), "{part}: {program}");
    }
    let best = &report["lines"][0];
    assert_eq!((best["mate"].as_i64(), best["san"].as_str()), (Some(1), Some("1. Rd8#")));
    assert_eq!(best["uci"], serde_json::json!(["d1d8"]));
    assert_eq!(best["wdl"], serde_json::json!({"white": 1000, "draw": 0, "black": 0}));
}

#[test]
fn moves_lead_to_the_position() {
    let report = json(&["startpos", "--moves", "e4 e7e5 Nf3", "--depth", "3"]);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
    assert_eq!(report["fen"], fen);
    let over = text(&["startpos", "--moves", "f3 e5 g4 Qh4", "--depth", "3"]);
    assert!(over.ends_with("The game is over: checkmate: Black has won.\n"), "{over}");
}

#[test]
fn what_makes_no_sense_is_refused_with_what_would_be_right() {
    for (args, reason) in [
        (&["nonsense"][..], "neither a piece"),
        (&["startpos", "--moves", "e4 e4"], "move 2: \"e4\" is not legal here"),
        (&["--time", "0"], "a number of seconds above 0"),
        (&["--lines", "0"], "1..=256"),
        (&["--infinite", "--depth", "3"], "cannot be used with"),
        (&["--option", "Hush=1"], "there is no option \"Hush\""),
    ] {
        let output = analyse(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(reason), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_shows_what_was_found() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use std::process::Stdio;
    use std::time::Duration;

    for (limit, code) in [(&["--infinite"][..], 0), (&["--time", "600"], 5)] {
        let running = tabiya(&["analyse", "--threads", "1"])
            .args(limit)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(1500));
        kill(Pid::from_raw(running.id() as i32), Signal::SIGINT).expect("it runs");
        let output = running.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{limit:?}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.lines().any(|line| line.starts_with(" 1.")), "{shown}");
    }
}

#[test]
fn bad_usage_says_what_would_be_right() {
    let failed = |args: &[&str]| {
        let output = program::output(&[&["analyse"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        program::text(&output.stderr)
    };
    for option in ["--depth", "--nodes"] {
        let error = failed(&["startpos", option, "0"]);
        assert!(error.contains("it should be a whole number from 1 to "), "{error}");
    }
    let error = failed(&["game.pgn"]);
    assert!(error.contains("game.pgn looks like a file; a FEN is expected here"), "{error}");
    // What shows only after parsing has the usage of the verb, too.
    let error = failed(&["startpos", "--moves", "e2e5"]);
    assert!(error.contains("--moves: move 1: "), "{error}");
    assert!(error.contains("Usage: tabiya analyse [OPTIONS]"), "{error}");
}

#[test]
fn a_fen_needs_no_quotes() {
    let fields: Vec<&str> = BACK_RANK.split(' ').collect();
    let report = json(&[&fields[..], &["--depth", "4", "--lines", "1"]].concat());
    assert_eq!(report["fen"], BACK_RANK);
    let perft = program::output(&[&["perft"], &fields[..4], &["1"]].concat());
    assert!(perft.status.success(), "{perft:?}");
    let see = program::output(&[&["see"], &fields[..], &["Rd8"]].concat());
    assert!(see.status.success(), "{see:?}");
}
