use super::*;
use crate::journal::JournalError;
use crate::testing::{factory, plan, spec};
use std::fs;
use std::path::Path;

fn match_plan(names: [&str; 2], pairs: u32) -> MatchPlan {
    MatchPlan { players: names.map(spec), pairs, sprt: None, series: plan() }
}

fn in_directory(mut plan: MatchPlan, directory: &Path, concurrency: usize) -> MatchPlan {
    plan.series.pgn = Some(directory.join("games.pgn"));
    plan.series.journal = Some(directory.join("games.journal"));
    plan.series.concurrency = concurrency;
    plan
}

fn play(plan: &MatchPlan) -> MatchReport {
    play_match(plan, &*factory(), &Interrupt::new(), &mut |_, _| ()).unwrap()
}

/// Plays until `games` games are known, those played before included, and is interrupted then.
fn play_some(plan: &MatchPlan, games: usize) -> MatchReport {
    let interrupt = Interrupt::new();
    let mut seen = 0;
    let report = play_match(plan, &*factory(), &interrupt, &mut |_, _| {
        seen += 1;
        if seen >= games {
            interrupt.raise();
        }
    });
    report.unwrap()
}

/// The games of a file in the order of their rounds, without what no two runs share.
fn games(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let timeless =
        |line: &&str| !["[Date", "[UTC", "[GameDuration"].iter().any(|tag| line.starts_with(tag));
    let mut games: Vec<String> = text
        .split("[Event")
        .skip(1)
        .map(|game| {
            let lines: Vec<&str> = game.lines().filter(timeless).collect();
            let lines = lines.join(" ");
            // What is left of a remark without its time.
            let words = lines.split_whitespace().filter(|word| !word.ends_with("s}"));
            words.collect::<Vec<_>>().join(" ")
        })
        .collect();
    games.sort();
    games
}

#[test]
fn a_match_is_counted_by_pairs() {
    let report = play(&match_plan(["greedy", "random"], 10));
    assert_eq!(report.verdict, MatchVerdict::Finished);
    let statistics = report.status.statistics.unwrap();
    assert_eq!(statistics.pairs, 10);
    assert_eq!(statistics.games.games(), 20);
    assert!(statistics.score > 0.6, "{statistics:?}");
    let ended: u64 = report.status.reasons.values().map(|wdl| wdl.games()).sum();
    assert_eq!(ended, 20);
    assert_eq!(report.status.names, ["greedy", "random"]);
}

#[test]
fn who_misbehaves_loses_and_the_match_goes_on() {
    for (trick, reason) in [
        ("illegal", Reason::IllegalMove),
        ("crash", Reason::Crash),
        ("panic", Reason::Crash),
        ("silent", Reason::Hang),
        ("refuse", Reason::Nonsense),
    ] {
        let name = format!("random {trick}@3");
        let report = play(&match_plan([&name, "random:1"], 3));
        let lost = Wdl { losses: 6, ..Wdl::default() };
        assert_eq!(report.status.reasons, BTreeMap::from([(reason, lost)]), "{trick}");
        assert_eq!(report.status.pairs.ll, 3);
    }
}

#[test]
fn the_same_player_twice_has_two_names() {
    let report = play(&match_plan(["random", "random"], 1));
    assert_eq!(report.status.names, ["random", "random (2)"]);
}

#[test]
fn a_test_stops_when_it_is_decided() {
    let sprt: Sprt = "elo0=0 elo1=50".parse().unwrap();
    let question = |names| MatchPlan { sprt: Some(sprt), ..match_plan(names, 500) };
    let passed = play(&question(["greedy", "random"]));
    assert_eq!(passed.verdict, MatchVerdict::AcceptH1);
    assert!(passed.status.llr.unwrap() >= sprt.bounds().1);
    assert!(passed.status.statistics.unwrap().pairs < 400);
    let failed = play(&question(["random", "greedy"]));
    assert_eq!(failed.verdict, MatchVerdict::AcceptH0);

    let open = MatchPlan {
        sprt: Some("elo0=0 elo1=1".parse().unwrap()),
        ..match_plan(["random", "random:1"], 5)
    };
    assert_eq!(play(&open).verdict, MatchVerdict::Undecided);
}

#[test]
fn the_verdict_does_not_depend_on_how_many_play_at_a_time() {
    let sprt = Some("elo0=0 elo1=50".parse().unwrap());
    let reports = [1, 2, 5].map(|concurrency| {
        let mut plan = match_plan(["greedy", "random"], 500);
        plan.sprt = sprt;
        plan.series.concurrency = concurrency;
        play(&plan)
    });
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

#[test]
fn an_interrupted_match_goes_on_as_if_nothing_had_happened() {
    for concurrency in [1, 3] {
        let [whole, broken] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let plan = || match_plan(["greedy", "random crash@20"], 12);
        let uninterrupted = play(&in_directory(plan(), whole.path(), concurrency));

        let plan = in_directory(plan(), broken.path(), concurrency);
        for known in [5, 6, 13] {
            let report = play_some(&plan, known);
            assert_eq!(report.verdict, MatchVerdict::Interrupted);
        }
        assert_eq!(play(&plan), uninterrupted);
        let [one, other] = [&whole, &broken].map(|place| games(&place.path().join("games.pgn")));
        assert_eq!(one.len(), 24);
        assert_eq!(one, other);
    }
}

#[test]
fn a_finished_match_is_told_without_being_played_again() {
    let directory = tempfile::tempdir().unwrap();
    let plan = in_directory(match_plan(["greedy", "random"], 4), directory.path(), 2);
    let report = play(&plan);
    let before = fs::read(directory.path().join("games.pgn")).unwrap();
    assert_eq!(play(&plan), report);
    assert_eq!(fs::read(directory.path().join("games.pgn")).unwrap(), before);

    let longer = MatchPlan { pairs: 6, ..plan };
    assert_eq!(play(&longer).status.statistics.unwrap().pairs, 6);
    assert_eq!(games(&directory.path().join("games.pgn")).len(), 12);
}

#[test]
fn another_match_does_not_go_on_with_the_results_of_this_one() {
    let directory = tempfile::tempdir().unwrap();
    let plan = in_directory(match_plan(["greedy", "random"], 2), directory.path(), 1);
    play(&plan);
    let refused = |plan: &MatchPlan| {
        let report = play_match(plan, &*factory(), &Interrupt::new(), &mut |_, _| ());
        match report {
            Err(ArenaError::Journal(error @ JournalError::OtherRecipe { .. })) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let mut other = plan.clone();
    other.players[1] = spec("random:2");
    assert!(refused(&other).contains("names.2 was \"random\", is now \"random:2\""));
    let mut other = plan.clone();
    other.series.limits = Some("nodes=2".parse().unwrap());
    assert!(refused(&other).contains("limits.1 was \"nodes=1\", is now \"nodes=2\""));
    let mut other = plan.clone();
    other.series.openings = crate::openings::Openings::builtin(2);
    assert!(refused(&other).contains("game 1 had another opening"));
    let mut other = plan.clone();
    other.sprt = Some("elo0=0 elo1=5".parse().unwrap());
    assert!(refused(&other).contains("sprt was null"));
}

#[test]
fn a_game_that_was_half_written_is_written_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.pgn");
    fs::write(&path, "[Event \"older\"]\n\n1. e4 *\n\n").unwrap();
    let plan = in_directory(match_plan(["greedy", "random"], 3), directory.path(), 1);
    play_some(&plan, 3);
    let whole = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{whole}[Event \"Test\"]\n[Site")).unwrap();
    play(&plan);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&whole));
    assert_eq!(text.matches("[Event \"").count(), 7);
    assert_eq!(text.matches("[Site \"").count(), 6);

    fs::write(&path, "").unwrap();
    let report = play_match(&plan, &*factory(), &Interrupt::new(), &mut |_, _| ());
    let error = report.unwrap_err().to_string();
    assert!(error.contains("has lost games since"), "{error}");
}

#[test]
fn what_cannot_start_is_told_before_anything_is_played() {
    let error = |plan: &MatchPlan| {
        let report = play_match(plan, &*factory(), &Interrupt::new(), &mut |_, _| ());
        report.unwrap_err().to_string()
    };
    let message = error(&match_plan(["random", "broken"], 1));
    assert!(message.contains("broken cannot be made ready"), "{message}");
    let mut wrong = match_plan(["random", "random"], 1);
    wrong.players[0].options = vec![("Level".into(), "101".into())];
    let message = error(&wrong);
    assert!(message.contains("it takes a whole number from 0 to 100"), "{message}");
    let mut endless = match_plan(["random", "random"], 1);
    endless.series.limits = None;
    assert!(error(&endless).contains("nothing limits the thinking"));
    assert!(error(&match_plan(["random", "random"], 0)).contains("one cycle at least"));
}
