//! From nothing to fitted weights, as a user goes.

use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

/// The exit code, and what was printed.
fn train(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.arg("train").args(args).stdin(Stdio::null());
    let done = command.output().expect("the program starts");
    let [out, err] = [done.stdout, done.stderr]
        .map(|bytes| String::from_utf8(bytes).expect("the program prints UTF-8"));
    (done.status.code(), out, err)
}

const RECIPE: &str = r#"{
    "seed": 1, "games_per_shard": 40, "hash": 1, "soft_nodes": 20, "hard_nodes": 100,
    "opening": {"chess960": false, "plies": 8, "nodes": 20, "limit": 300},
    "adjudication": {"win_score": 1500, "win_plies": 4, "draw_score": 8, "draw_plies": 10,
        "draw_from": 70, "longest": 100}
}"#;

#[test]
fn games_are_played_verified_and_learnt_from() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name).to_str().expect("UTF-8").to_owned();
    let (games, recipe, weights) = (file("games"), file("recipe.json"), file("weights.rs"));
    fs::write(&recipe, RECIPE).expect("the recipe");
    let again = || {
        let play = ["selfplay", &games, "--games", "40", "--recipe", &recipe, "--json"];
        let (code, out, err) = train(&play);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        serde_json::from_str::<Value>(&out).expect("one JSON object")
    };
    let report = again();
    assert_eq!((&report["games"], &report["recipe"]["hard_nodes"]), (&40.into(), &100.into()));
    let positions = report["positions"].as_f64().expect("a number");
    let bytes = report["bytes"].as_f64().expect("a number");
    assert!(bytes / positions < 2.5, "{bytes} bytes for {positions} positions");
    assert_eq!(again(), report, "all games are there already");
    for part in ["engine", "network", "cpu"] {
        assert!(report["origin"][part].is_string(), "{part}: {report}");
    }

    let (code, out, err) = train(&["verify", &games, "--games", "5"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("40 games with") && out.contains("5 of them were played again"), "{out}");

    let (code, out, err) = train(&["classical", &games, "-o", &weights, "--epochs", "1"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.contains("before") && out.contains("after"), "{out}");
    let text = fs::read_to_string(weights).expect("the weights");
    assert!(text.contains("pub const DEFAULT: Weights"), "{text}");

    a_network_is_trained_and_tested(&games, &file);
    any_evaluation_can_play(&recipe, &file);

    let (code, out, err) = train(&["selfplay", &games, "--seed", "2"]);
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(err.contains("holds games made with"), "{err}");
}

fn a_network_is_trained_and_tested(games: &str, file: &dyn Fn(&str) -> String) {
    let [one, other, lineage, svg] = ["a.net", "b.net", "lineage.json", "all.svg"].map(file);
    // A file that is replaced, not written over, keeps what it had under another name.
    for (output, kept) in [("a.net", "old.net"), ("a.json", "old.json"), ("a.svg", "old.svg")] {
        fs::write(file(output), "old").expect("a file");
        fs::hard_link(file(output), file(kept)).expect("another name");
    }
    let (code, out, err) = train(&[
        "fit",
        games,
        "-o",
        &one,
        "--hidden",
        "32",
        "--epochs",
        "2",
        "--hold-out-every",
        "4",
    ]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("40 games, ") && out.contains("rounding: "), "{out}");
    let report = fs::read_to_string(file("a.json")).expect("the report");
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["epochs"].as_array().map(Vec::len), Some(2));
    assert!(fs::read_to_string(file("a.svg")).expect("a picture").starts_with("<svg "));
    assert!(!fs::exists(file("a.checkpoint")).expect("the directory"));
    for kept in ["old.net", "old.json", "old.svg"] {
        assert_eq!(fs::read(file(kept)).expect("what was there"), b"old");
    }
    outputs_are_judged_before_the_work(games, file);

    let again = ["fit", "--recipe", &file("a.json"), "-o", &other, "--threads", "3", "--json"];
    let (code, out, err) = train(&again);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(serde_json::from_str::<Value>(&out).expect("JSON"), report);
    assert_eq!(fs::read(&one).expect("a network"), fs::read(&other).expect("a network"));

    let gate = |old: &str| {
        train(&["gate", &one, old, "--nodes", "50", "--games", "4", "--lineage", &lineage])
    };
    let (code, out, err) = gate("classical");
    assert_eq!((code, err.as_str()), (Some(4), ""));
    assert!(out.starts_with("against classical with 50 nodes a move: +"), "{out}");
    let (code, out, _) = gate(&other);
    assert_eq!(code, Some(4));
    assert!(out.contains("against b with"), "{out}");
    let (code, out, err) = train(&["lineage", &lineage, "--svg", &svg]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.lines().count() == 2 && out.contains("(not accepted)"), "{out}");
    assert!(fs::read_to_string(svg).expect("a picture").starts_with("<svg "));
    let (_, out, _) = train(&["lineage", &lineage, "--json"]);
    let printed: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(printed["runs"][0]["gates"].as_array().map(Vec::len), Some(2));
    assert_eq!(printed["runs"][0]["sha256"], report["sha256"]);
}

fn outputs_are_judged_before_the_work(games: &str, file: &dyn Fn(&str) -> String) {
    let folder = file("folder.net");
    fs::create_dir(&folder).expect("a folder");
    let (code, _, err) = train(&["fit", games, "-o", &folder]);
    assert_eq!(code, Some(1));
    assert!(err.contains("folder.net: it is a folder; a regular file is needed"), "{err}");
    let (code, _, err) = train(&["classical", games, "-o", &folder]);
    assert_eq!(code, Some(1));
    assert!(err.contains("folder.net: it is a folder; a regular file is needed"), "{err}");
    let (network, report) = (file("c.net"), file("c.json"));
    let (code, _, err) = train(&["fit", games, "-o", &network, "--lineage", &report]);
    assert_eq!(code, Some(2));
    assert!(err.contains("it is named twice, for its report and --lineage"), "{err}");
}

/// From material alone to games of a network in a file, without building anything.
fn any_evaluation_can_play(recipe: &str, file: &dyn Fn(&str) -> String) {
    let network = file("a.net");
    for evaluation in ["material", "classical", &network] {
        let games = file("others");
        let play = ["selfplay", &games, "--games", "40", "--recipe", recipe];
        let (code, _, err) = train(&[&play[..], &["--evaluation", evaluation]].concat());
        assert_eq!((code, err.as_str()), (Some(0), ""));
        let (code, _, err) = train(&["verify", &games, "--games", "2"]);
        assert_eq!((code, err.as_str()), (Some(0), ""));
        // Those of the network that comes with the program would be others.
        let (code, _, err) = train(&play);
        assert_eq!(code, Some(1));
        assert!(err.contains("holds games made with"), "{err}");
        if evaluation == network {
            fs::write(&network, "another").expect("a file");
            let (code, _, err) = train(&["verify", &games, "--games", "2"]);
            assert_eq!(code, Some(1));
            assert!(err.contains("SHA-256"), "{err}");
        }
        fs::remove_dir_all(games).expect("the games");
    }
}

#[test]
fn bad_usage_is_told() {
    let directory = tempfile::tempdir().expect("a directory");
    let games = directory.path().join("games");
    let there = games.to_str().expect("UTF-8");
    for (args, word) in [
        (&["selfplay", there, "--soft-nodes", "9", "--hard-nodes", "8"][..], "hard_nodes"),
        (&["selfplay", there, "--recipe", "/no/such/file"], "/no/such/file"),
        (&["selfplay", there, "--evaluation", "/no/such/net"], "/no/such/net"),
        (&["classical", there, "-o", "x", "--wdl", "2"], "wdl_weight"),
        (&["classical", there], "--out"),
        (&["verify"], "DIRECTORY"),
        (&["fit", there, "-o", "x.net", "--hidden", "33"], "hidden is 33"),
        (&["fit", there, "-o", "x.json"], ".net"),
        (&["fit", there, "-o", "/no/such/directory/x.net"], "--out"),
        (&["fit", "-o", "x.net"], "DIRECTORIES"),
        (&["gate", "x.net"], "OLD"),
    ] {
        let (code, out, err) = train(args);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{args:?}: {err}");
        assert!(err.contains(word), "{args:?}: {err}");
    }
    let (code, _, err) = train(&["verify", there]);
    assert_eq!(code, Some(1));
    assert!(err.contains("manifest.json: cannot be read"), "{err}");
    assert!(!games.exists());
}
