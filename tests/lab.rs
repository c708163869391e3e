//! The laboratory, as a user goes.

mod program;

use program::{output, text};
use serde_json::Value;

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
    let again = output(&["lab", "run", "see-example", "geometry", "--quick", "--dir", dir]);
    assert_eq!(text(&again.stdout), shown);

    let json = output(&["lab", "run", "see-example", "--quick", "--dir", dir, "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("one JSON object");
    let exact = &json["see-example"]["findings"]["figures"]["exact"]["values"];
    assert_eq!(exact, &serde_json::json!([4.0, -400.0]));
    for file in ["see-example.quick.json", "see-example.quick.table-4-1.csv"] {
        assert!(directory.path().join("results").join(file).exists(), "{file}");
    }

    let report = output(&["lab", "report", "--dir", dir]);
    assert!(report.status.success());
    let page = std::fs::read_to_string(text(&report.stdout).trim()).expect("a page");
    assert!(page.contains("An exchange, step by step"));
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

    std::fs::write(&file, "{\"half\": ").expect("written");
    let damaged = run();
    assert_eq!(damaged.status.code(), Some(1));
    assert!(text(&damaged.stderr).contains("delete it to measure again"));
}

#[test]
fn bad_words_are_told() {
    for (args, told) in [
        (&["lab", "run", "nonsense"][..], "there is no experiment \"nonsense\""),
        (&["lab", "check", "nobody-1900"], "there is no work \"nobody-1900\""),
        (&["lab", "specimen", "nothing"], "is not a specimen"),
        (&["lab", "run"], "EXPERIMENT"),
    ] {
        let done = output(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert!(text(&done.stderr).contains(told), "{}", text(&done.stderr));
    }
}
