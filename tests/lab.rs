//! The laboratory, as a user goes.

mod program;

use program::{output, tabiya, text};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

#[test]
fn experiments_are_listed_measured_judged_and_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path().join("results");
    let dir = dir.to_str().expect("UTF-8");

    let list = output(&["lab", "list", "--dir", dir]);
    assert!(list.status.success());
    assert!(text(&list.stdout).contains("see-example"), "{}", text(&list.stdout));

    let early = output(&["lab", "report", "--dir", dir]);
    assert_eq!(early.status.code(), Some(1));
    assert!(text(&early.stderr).contains("nothing has been measured yet"));

    let run = output(&["lab", "run", "see-example", "geometry", "--quick", "--dir", dir]);
    assert_eq!((run.status.code(), text(&run.stderr).as_str()), (Some(0), ""));
    let shown = text(&run.stdout);
    assert!(shown.contains("Table 4.1") && shown.contains("−1,075"), "{shown}");
    let twice = ["lab", "run", "see-example", "geometry", "see-example", "--quick", "--dir", dir];
    let again = output(&twice);
    assert_eq!(text(&again.stdout), shown);

    let json = output(&["lab", "run", "see-example", "--quick", "--dir", dir, "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("one JSON object");
    let program = &json["see-example"]["machine"]["program"];
    assert!(program["network"].is_string() && program["cpu"].is_string(), "{program}");
    let exact = &json["see-example"]["findings"]["figures"]["exact"]["values"];
    assert_eq!(exact, &serde_json::json!([4.0, -400.0]));
    for file in ["see-example.quick.json", "see-example.quick.table-4-1.csv"] {
        assert!(directory.path().join("results").join(file).exists(), "{file}");
    }

    let report = output(&["lab", "report", "--dir", dir]);
    assert!(report.status.success());
    let page = std::fs::read_to_string(text(&report.stdout).trim()).expect("a page");
    assert!(page.contains("An exchange, step by step"));
    assert!(page.contains("Chess Engine"));
    let one = output(&["lab", "report", "reul-2009", "--dir", dir]);
    let page = std::fs::read_to_string(text(&one.stdout).trim()).expect("a page");
    assert!(page.contains("An exchange, step by step") && !page.contains("Chess Engine"));
    let unknown = output(&["lab", "report", "reul-2010", "--dir", dir]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("reul-2009"), "{}", text(&unknown.stderr));
    let nowhere = output(&["lab", "report", "--dir", dir, "--out", "/nowhere/page.html"]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(text(&nowhere.stderr).contains("/nowhere/page.html"), "{}", text(&nowhere.stderr));
}

#[test]
fn what_an_older_version_found_is_measured_again() {
    let directory = tempfile::tempdir().expect("a directory");
    let dir = directory.path().to_str().expect("UTF-8");
    let run = || output(&["lab", "run", "see-example", "--quick", "--dir", dir, "--json"]);
    let file = directory.path().join("see-example.quick.json");
    let read = || -> Value {
        serde_json::from_slice(&std::fs::read(&file).expect("results")).expect("JSON")
    };
    assert!(run().status.success());
    let mut old = read();
    let figures = old["findings"]["figures"].as_object_mut().expect("figures");
    figures.remove("exact").expect("a figure");
    std::fs::write(&file, old.to_string()).expect("written");
    assert!(run().status.success());
    assert!(read()["findings"]["figures"]["exact"].is_object());

    let mut foreign = read();
    foreign["machine"]["processor"] = "an abacus".into();
    std::fs::write(&file, foreign.to_string()).expect("written");
    let taken = run();
    assert!(text(&taken.stderr).contains("another machine"), "{}", text(&taken.stderr));
    assert_eq!(read()["machine"]["processor"], "an abacus");

    for damage in [&b"{\"half\": "[..], b"\xFF\xFE", b"[]"] {
        std::fs::write(&file, damage).expect("written");
        let damaged = run();
        assert_eq!(damaged.status.code(), Some(1));
        assert!(text(&damaged.stderr).contains("delete it to measure again"));
    }
}

#[test]
fn bad_words_are_named() {
    for (args, message) in [
        (&["lab", "run", "nonsense"][..], "there is no experiment \"nonsense\""),
        (&["lab", "run", "all", "nonsense"], "there is no experiment \"nonsense\""),
        (&["lab", "check", "unknown-1900"], "there is no work \"unknown-1900\""),
        (&["lab", "specimen", "nothing"], "is not a specimen"),
        (&["lab", "run"], "EXPERIMENT"),
        (&["lab", "run", "ordering", "--order", "x"], "is not a heuristic"),
        (&["lab", "run", "geometry", "--order", "c"], "for the experiment `ordering` alone"),
        (&["lab", "ordering", "search", "--board", "25"], "they go from 1 to 24"),
        (&["lab", "ordering", "search", "--depth", "99"], "1..=32"),
    ] {
        let done = output(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(message), "{}", text(&done.stderr));
    }
}

#[test]
fn the_program_of_the_thesis_can_be_watched() {
    let fixafan = ["--board", "7", "--order", "c1", "--profile", "fixafan"];
    let with = |words: &[&'static str]| {
        let done = output(&[&["lab", "ordering"], words, &fixafan].concat());
        assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(0), ""));
        text(&done.stdout)
    };
    let sheet = with(&["search", "--depth", "5"]);
    assert!(sheet.contains("7,283 interior nodes") && sheet.contains("Iterations:"), "{sheet}");
    let tree = with(&["tree", "--iteration", "3"]);
    assert!(
        tree.starts_with("iteration 3\n") && tree.contains(" AB") && tree.contains("=> "),
        "{tree}"
    );
    let short = with(&["tree", "--iteration", "3", "--lines", "20"]);
    assert!(short.lines().count() < 30 && short.contains("--lines shows more"), "{short}");
    let steps = with(&["step", "--iteration", "2"]);
    assert!(steps.contains("left") && steps.contains("score"), "{steps}");

    let compared = ["lab", "run", "ordering", "--order", "cb1", "--depth", "3"];
    let compared = [(); 2].map(|()| text(&output(&compared).stdout));
    assert!(compared[0].contains("CB1 nodes") && compared[0].contains("geometric mean"));
    assert_eq!(compared[0], compared[1], "counts are the same every time");
    let cut = output(&["lab", "run", "ordering", "--order", "c", "--depth", "4", "--nodes", "500"]);
    assert!(text(&cut.stdout).contains("were cut short"), "{}", text(&cut.stdout));

    // Standard input is empty: the game ends.
    let mate = "7k/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let game = output(&["lab", "ordering", "play", mate, "--you", "black", "--depth", "3"]);
    assert!(text(&game.stdout).contains("a1a8") && text(&game.stdout).contains("FIXAFAN wins"));
}

#[test]
fn whatever_is_typed_the_game_goes_on() {
    let mut game = tabiya(&["lab", "ordering", "play", "--you", "white", "--depth", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let typed = [&b"\xFF\xFE\n"[..], &[b'e'; 9000], b"\nquit\n"].concat();
    game.stdin.take().unwrap().write_all(&typed).unwrap();
    let done = game.wait_with_output().unwrap();
    assert!(done.status.success());
    assert_eq!(text(&done.stdout).matches("quit ends the game").count(), 4);
}
