//! The verbs about attack sets and the multipliers behind them.

use serde_json::Value;
use std::process::{Command, Stdio};

/// The exit code, and what was printed.
fn tabiya(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    let done = command.args(args).stdin(Stdio::null()).output().expect("the program starts");
    let [out, err] = [done.stdout, done.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("the program prints UTF-8"));
    (done.status.code(), out, err)
}

fn json(args: &[&str]) -> (Option<i32>, Value) {
    let (code, out, err) = tabiya(args);
    assert_eq!(err, "", "{args:?}");
    (code, serde_json::from_str(&out).expect("one JSON object"))
}

#[test]
fn the_shipped_multipliers_are_found_again() {
    let (code, out, err) = tabiya(&["magic", "find", "--seed", "1", "--rust"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out, include_str!("../crates/chess/src/attacks/magics.rs"));
}

#[test]
fn what_is_found_for_a_square_serves_it() {
    for method in [
        &["--ones", "8"][..],
        &["--ones", "7", "--filter", "--seed", "5"],
        &["--exhaustive"],
        &["--bits", "11"],
    ] {
        let find = ["magic", "find", "--slider", "rook", "--square", "e4", "--json"];
        let (code, found) = json(&[&find, method].concat());
        assert_eq!(code, Some(0), "{method:?}");
        let rows = found["multipliers"].as_array().expect("a list");
        assert_eq!(rows.len(), 1, "{method:?}");
        let multiplier = rows[0]["multiplier"].as_str().expect("a number as text");
        let bits = rows[0]["bits"].to_string();
        let (code, verdict) =
            json(&["magic", "verify", "rook", "e4", multiplier, "--bits", &bits, "--json"]);
        assert_eq!(code, Some(0), "{method:?}");
        assert_eq!(verdict["serves"], true, "{method:?}");
        assert_eq!(verdict["slots_used"], rows[0]["slots_used"], "{method:?}");
    }
}

#[test]
fn a_number_that_does_not_serve_fails_the_check() {
    let (code, out, err) = tabiya(&["magic", "verify", "bishop", "a1", "0x1"]);
    assert_eq!((code, err.as_str()), (Some(1), ""));
    assert!(out.starts_with("0x0000000000000001 does not serve: "), "{out}");
    let (code, verdict) = json(&["magic", "verify", "bishop", "a1", "0x1", "--json"]);
    assert_eq!(code, Some(1));
    assert_eq!(verdict["serves"], false);
    assert_eq!(verdict["mixed_up"].as_array().map(Vec::len), Some(2));
}

#[test]
fn searches_that_cannot_succeed_say_why() {
    let (code, out, err) = tabiya(&["magic", "find", "--square", "d4", "--bits", "5"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("attack sets need 7 at least"), "{err}");
    let (code, out, err) = tabiya(&[
        "magic",
        "find",
        "--slider",
        "rook",
        "--square",
        "a8",
        "--exhaustive",
        "--ones",
        "3",
    ]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.starts_with("error: no multiplier with up to 3 one-bits"), "{err}");
    let (code, _, err) = tabiya(&["magic", "find", "--budget", "2"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("among 2 candidates"), "{err}");
}

#[test]
fn packing_saves_space() {
    let (code, report) = json(&["magic", "minimise", "--masked", "--width", "0", "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(report["plain_entries"], 107_648);
    assert!(report["entries"].as_u64().is_some_and(|entries| entries <= 65_536), "{report}");
    assert_eq!(report["tables"].as_array().map(Vec::len), Some(128));
}

#[test]
fn attacks_are_listed_and_drawn() {
    let (code, report) =
        json(&["attacks", "bishop", "c1", "--occupied", "k7/8/8/8/8/4p3/1P6/7K", "--json"]);
    assert_eq!(code, Some(0));
    assert_eq!(report["attacked"], serde_json::json!(["b2", "d2", "e3"]));
    assert_eq!(report["bitboard"], "0x0000000000100a00");
    let (code, out, err) = tabiya(&["attacks", "pawn", "a5", "--color", "black"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("\n5  p . . . . . . .\n4  . x . . . . . .\n"), "{out}");
    assert!(out.ends_with("pawn on a5 attacks 1 square\n"), "{out}");
    let (code, out, err) = tabiya(&["attacks", "rook", "i9"]);
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("i9"), "{err}");
}
