//! The manners that every verb shares.

use std::io::{self, Write};
use std::process::{Command, Output, Stdio};
use tabiya_engine::nnue::{FEATURES, Network, NetworkWeights, QA, QB, SCALE};

mod program;

use program::{output, tabiya, text};

#[test]
fn completions_name_the_program_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = output(&["completions", shell]);
        assert_eq!(done.status.code(), Some(0), "{shell}");
        let script = text(&done.stdout);
        assert!(script.contains("tabiya") && script.contains("completions"), "{shell}: {script}");
        assert_eq!(text(&done.stderr), "", "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn bash_accepts_its_completions() {
    let script = output(&["completions", "bash"]).stdout;
    let mut bash =
        Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash starts");
    bash.stdin.take().expect("piped").write_all(&script).expect("bash reads its input");
    assert!(bash.wait().expect("bash ends").success());
}

#[test]
fn bad_usage_ends_with_code_two_and_says_so_on_standard_error() {
    for args in [&["no-such-verb"][..], &["completions", "no-such-shell"], &["--no-such-option"]] {
        let done = output(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&done.stdout), "", "{args:?}");
        let message = text(&done.stderr);
        assert!(message.starts_with("error: ") && message.contains("no-such"), "{message}");
    }
}

#[test]
fn help_and_version_are_results() {
    for (args, word) in [(["--help"], "Usage: tabiya"), (["--version"], env!("CARGO_PKG_VERSION"))]
    {
        let done = output(&args);
        assert_eq!(done.status.code(), Some(0), "{args:?}");
        assert!(text(&done.stdout).contains(word), "{args:?}");
        assert_eq!(text(&done.stderr), "", "{args:?}");
    }
}

#[test]
fn a_reader_that_went_away_ends_the_program_quietly() {
    for args in [&["completions", "bash"][..], &["--help"]] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let done = tabiya(args).stdout(writer).output().expect("the program starts");
        assert_eq!(done.status.code(), Some(0), "{args:?}");
        assert_eq!(text(&done.stderr), "", "{args:?}");
    }
}

/// `/dev/full` takes no byte: the write fails with something other than a broken pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_code_one() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let done = tabiya(&["completions", "bash"]).stdout(full).output().expect("the program starts");
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).starts_with("error: "), "{}", text(&done.stderr));
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn json(done: &Output) -> serde_json::Value {
    serde_json::from_slice(&done.stdout).expect("one JSON object")
}

#[test]
fn perft_counts_and_divides() {
    assert_eq!(text(&output(&["perft", "startpos", "4"]).stdout), "197281\n");
    let divided = text(&output(&["perft", "startpos", "2", "--divide"]).stdout);
    assert!(divided.starts_with("a2a3: 20\n") && divided.ends_with("\n400\n"), "{divided}");
    let means = ["--threads", "3", "--hash", "1", "--divide", "--json"];
    let report = json(&output(&[&["perft", KIWIPETE, "3"][..], &means].concat()));
    assert_eq!(report["nodes"], 97_862);
    assert_eq!(report["divide"].as_array().map(Vec::len), Some(48));
    // King takes rook, where the king's own square would not tell which castling is meant.
    let chess960 = "1k6/8/8/8/8/8/8/RK6 w A - 0 1";
    let divided = text(&output(&["perft", chess960, "1", "--divide"]).stdout);
    assert!(divided.contains("b1a1: 1\n"), "{divided}");
}

#[test]
fn perft_refuses_what_it_cannot_count() {
    let bare_kings = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
    let done = output(&["perft", bare_kings, "40", "--hash", "16"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).contains("ask for less depth"), "{}", text(&done.stderr));
}

#[test]
fn perft_takes_as_many_threads_as_the_engine() {
    for threads in ["0", "1025", "1000000"] {
        let done = output(&["perft", "startpos", "1", "--threads", threads]);
        assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(2), ""), "{threads}");
        let refusal = text(&done.stderr);
        assert!(refusal.contains(&format!("{threads} is not in 1..=1024")), "{refusal}");
    }
    let done = output(&["perft", "startpos", "3", "--threads", "1024"]);
    assert_eq!(text(&done.stdout), "8902\n");
}

#[test]
fn a_position_that_had_to_be_put_right_is_noted() {
    let done = output(&["perft", "4k3/8/8/8/8/8/8/4K3 w KQ e6 0 1", "1"]);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(0), "5\n"));
    let note = text(&done.stderr);
    assert!(note.starts_with("note: no pawn can capture en passant on e6"), "{note}");
}

#[test]
fn a_bad_position_is_explained() {
    for (position, reason) in [
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rank"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("chess960:960", "0 to 959"),
        ("", "board"),
    ] {
        let done = output(&["perft", position, "1"]);
        assert_eq!(done.status.code(), Some(2), "{position}");
        assert!(text(&done.stderr).contains(reason), "{}", text(&done.stderr));
    }
}

#[test]
fn a_reader_that_goes_away_from_json_is_no_error() {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    let args = ["perft", KIWIPETE, "2", "--divide", "--json"];
    let done = tabiya(&args).stdout(writer).output().expect("the program starts");
    assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(0), ""));
}

#[test]
fn attacks_are_drawn() {
    let drawn = text(&output(&["attacks", "knight", "b1"]).stdout);
    assert!(drawn.contains("3  x . x . . . . .\n"), "{drawn}");
    let report = json(&output(&["attacks", "rook", "a1", "--json"]));
    assert!(report.to_string().contains("a8"), "{report}");
}

#[test]
fn a_multiplier_is_verified() {
    // The thesis's own for the rook on a1, and one that cannot be right.
    let sound = output(&["magic", "verify", "rook", "a1", "0x0080004000802010"]);
    assert_eq!(sound.status.code(), Some(0), "{}", text(&sound.stderr));
    let colliding = output(&["magic", "verify", "rook", "a1", "1"]);
    assert_eq!(colliding.status.code(), Some(1), "{}", text(&colliding.stdout));
    let nonsense = output(&["magic", "verify", "rook", "z9", "1"]);
    assert_eq!(nonsense.status.code(), Some(2), "{}", text(&nonsense.stdout));
}

/// Reul's example: the rook takes a pawn that is protected twice.
const REUL: &str = "r1r5/3n1pbk/ppqppnpp/8/P2PP3/1RN1B2P/1QPN1PP1/4R1K1 w - - 0 22";

#[test]
fn an_exchange_is_shown_step_by_step() {
    let shown = text(&output(&["see", REUL, "Rxb6"]).stdout);
    let expected = "\
Rxb6

 #  side   with       takes   balance   alpha    beta
 1  White  rook b3    pawn       +100      -∞    +100
 2  Black  knight d7  rook       -400    -400    +100
 3  White  queen b2   knight      -75    -400     -75
 4  Black  queen c6   queen     -1075    -400     -75

no piece can take any more; worth -400
";
    assert_eq!(shown, expected);
    let settled = text(&output(&["see", REUL, "b3b6", "--threshold", "-50"]).stdout);
    assert!(settled.ends_with("the threshold is settled; worth less than -50\n"), "{settled}");
    let report = json(&output(&["see", REUL, "Rxb6", "--json"]));
    let exchange = &report["exchanges"][0];
    assert_eq!((&exchange["move"], &exchange["value"]), (&"Rxb6".into(), &(-400).into()));
    assert_eq!(exchange["steps"].as_array().map(Vec::len), Some(4));
    assert_eq!(exchange["steps"][0]["alpha"], serde_json::Value::Null);
}

#[test]
fn all_captures_are_judged_the_best_first() {
    let shown = text(&output(&["see", KIWIPETE]).stdout);
    let values: Vec<i32> = shown
        .lines()
        .map(|line| line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect(line))
        .collect();
    assert_eq!(values.len(), 8, "{shown}");
    assert!(values.is_sorted_by(|a, b| a >= b), "{shown}");
    assert_eq!(text(&output(&["see", "startpos"]).stdout), "There is nothing to capture.\n");
    let wrong = output(&["see", "startpos", "e2e5"]);
    assert_eq!((wrong.status.code(), text(&wrong.stdout).as_str()), (Some(2), ""));
    assert!(text(&wrong.stderr).contains("e2e5"), "{}", text(&wrong.stderr));
}

/// The node count, which ends the output together with a speed.
fn signature(printed: &str) -> u64 {
    let last: Vec<&str> = printed.lines().last().expect("a line").split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = last[..] else { panic!("{printed}") };
    speed.parse::<u64>().expect("a speed");
    nodes.parse().expect("a count")
}

#[test]
fn the_bench_counts_the_same_nodes_every_time() {
    let bench = || signature(&text(&output(&["bench", "4"]).stdout));
    let first = bench();
    assert!(first > 1000);
    assert_eq!(bench(), first);
    // Twice in one process, at the prompt.
    let mut engine = tabiya(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    engine.stdin.take().expect("piped").write_all(b"bench 4\nbench 4\n").expect("it listens");
    let said = text(&engine.wait_with_output().expect("it ends").stdout);
    assert_eq!(said.lines().map(signature).collect::<Vec<_>>(), [first; 2]);
}

#[test]
#[ignore = "compiles the program once more, for release"]
fn the_bench_does_not_depend_on_how_it_was_compiled() {
    let here = signature(&text(&output(&["bench", "5"]).stdout));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--release", "--", "bench", "5"]);
    let done = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    assert_eq!(signature(&text(&done.stdout)), here, "{}", text(&done.stderr));
}

/// A network to which every position is worth 1.50 to the side to move.
fn constant_network() -> Network {
    let weights = NetworkWeights {
        features: vec![0; FEATURES * 32],
        biases: vec![0; 32],
        output: vec![0; 64],
        output_biases: vec![(150 * QA * QB + SCALE / 2) / SCALE],
    };
    Network::new(32, 1, &weights).expect("a fit network")
}

#[test]
fn a_network_is_shown_beside_the_classical_terms() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("constant.nnue");
    std::fs::write(&path, constant_network().to_bytes()).expect("the file is written");
    let path = path.to_str().expect("a path in UTF-8");

    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let shown = text(&output(&["eval", black, "--net", path]).stdout);
    assert!(shown.contains("Network: -1.50 for White, 1.50 for the side to move"), "{shown}");
    assert!(shown.contains("mobility") && !shown.contains("does not ask"), "{shown}");

    let printed = json(&output(&["eval", black, "--net", path, "--json"]));
    assert_eq!(printed["network"]["value"], 150);
    // The file's network, not the one inside the program.
    let kept = tabiya_engine::Identity::of(None).network.expect("a network");
    assert!(printed["program"]["network"].as_str().is_some_and(|hash| hash != kept), "{printed}");
    assert_eq!(printed["network"]["white_value"], -150);
    assert!(printed["rows"].as_array().is_some_and(|rows| rows.len() > 5), "{printed}");

    let bare = text(&output(&["eval", "8/8/4k3/8/8/4K3/8/8 w - - 0 1", "--net", path]).stdout);
    assert!(bare.contains("A search does not ask the network here"), "{bare}");

    std::fs::write(path, "something else").expect("the file is written");
    let refused = output(&["eval", "startpos", "--net", path]);
    assert_eq!(refused.status.code(), Some(1));
    let reason = text(&refused.stderr);
    assert!(reason.contains("not a network file"), "{reason}");
}

#[test]
fn the_order_eval_follows_the_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("constant.nnue");
    std::fs::write(&path, constant_network().to_bytes()).expect("the file is written");
    let mut engine = tabiya(&[])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let orders = format!(
        "setoption name EvalFile value {}\neval\nsetoption name Eval Mode value classical\neval\nquit\n",
        path.display()
    );
    let mut stdin = engine.stdin.take().expect("piped");
    stdin.write_all(orders.as_bytes()).expect("the engine reads its input");
    let said = text(&engine.wait_with_output().expect("the engine ends").stdout);
    assert_eq!(said.matches("Network: 1.50 for White").count(), 1, "{said}");
    assert_eq!(said.matches("for the side to move (White)").count(), 3, "{said}");
}

#[test]
fn the_bench_tells_what_more_threads_are_worth() {
    let printed = text(&output(&["bench", "3", "--threads", "2", "--repetitions", "1"]).stdout);
    for part in ["2 threads; ceiling", "node rate", "tree", "time to depth"] {
        assert!(printed.contains(part), "{printed}");
    }
    for mode in ["lazy", "ybwc", "deterministic"] {
        assert!(printed.lines().any(|line| line.starts_with(mode)), "{printed}");
    }
    let wrong = output(&["bench", "3", "--threads", "2", "--parallel", "telepathy"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn the_bench_simulates_the_same_every_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let plot = folder.path().join("curves.svg");
    let plot_arg = plot.to_str().expect("a plain path");
    let simulate = || {
        let args =
            ["bench", "6", "--simulate", "1,3", "--option", "ybwc_depth=2", "--plot", plot_arg];
        let args = [&args[..], &["--repetitions", "2"]].concat();
        text(&output(&args).stdout)
    };
    let first = simulate();
    assert!(first.starts_with("Tabiya ") && first.contains(", network "), "{first}");
    assert_eq!(first.lines().count(), 6, "{first}");
    assert_eq!(simulate(), first);
    assert!(std::fs::read_to_string(&plot).expect("a picture").starts_with("<svg "));
    assert_eq!(output(&["bench", "--simulate", "0"]).status.code(), Some(2));
}
