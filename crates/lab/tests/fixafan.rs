//! The program of Thé's thesis: as it was, it visits the nodes that the thesis prints; mended, its score does
//! not depend on the order of moves.

use std::collections::BTreeMap;
use tabiya_chess::Position;
use tabiya_lab::fixafan::order::{OTHERS, THESIS};
use tabiya_lab::fixafan::positions::{self, Test};
use tabiya_lab::fixafan::watch::unwatched;
use tabiya_lab::fixafan::{Evaluation, Order, Profile, Record, Settings, search};
use tabiya_lab::frame::works::Library;

fn run(test: &Test, settings: &Settings) -> Record {
    search(&test.position, settings, &mut unwatched)
}

fn order(text: &str) -> Order {
    text.parse().unwrap()
}

/// Positions whose printed total is met to the node.
const EXACT: [usize; 11] = [2, 7, 8, 9, 10, 14, 15, 17, 19, 20, 21];

/// Positions where the hash numbers, which are lost, make a difference of 0.3 % at most.
const CLOSE: [usize; 9] = [1, 5, 6, 11, 12, 13, 18, 22, 24];

#[test]
fn as_it_was_it_visits_the_nodes_that_are_printed() {
    let library = Library::load().unwrap();
    let printed = library.work("the-1992").unwrap().tables.iter().find(|t| t.id == "C").unwrap();
    for test in positions::all() {
        let board = test.number.to_string();
        let text = |column: &str| printed.cell(&board, column).text();
        let number = |column: &str| printed.number(&board, column).unwrap();
        let settings = Settings::new(Profile::Fixafan, order(&text("test")), test.depth);
        let record = run(test, &settings);
        let nodes: Vec<f64> = record.iterations.iter().map(|i| i.nodes as f64).collect();
        let expected: Vec<f64> = (1..=test.depth).map(|depth| number(&depth.to_string())).collect();
        assert_eq!(nodes.len(), expected.len(), "board {board}");
        let total = number("nodes");
        let error = (record.nodes as f64 / total - 1.0).abs();
        if EXACT.contains(&test.number) {
            assert_eq!(nodes, expected, "board {board}");
            if test.number != 17 {
                // Two digits of this position's hits are swapped in the scan, or in print.
                assert_eq!(record.hits as f64, number("hits"), "board {board}");
            }
            assert!((record.branching(true) - number("ABF")).abs() < 0.006, "board {board}");
            assert!((record.kills(true) - number("KA")).abs() < 0.006, "board {board}");
        } else if CLOSE.contains(&test.number) {
            assert!(error < 0.003, "board {board}: {} nodes, not {total}", record.nodes);
        }
        // Position 3 of the thesis is another one.
        if test.number != 3 {
            assert_eq!(nodes[..3], expected[..3], "board {board}");
            assert_eq!(record.iterations.last().unwrap().line[0], text("move"), "board {board}");
        }
        assert_eq!(f64::from(record.score()), number("score"), "board {board}");
    }
}

/// Orders that the thesis did not have.
const VARIANTS: [&str; 7] = [
    "h,history=full",
    "cbh,history=full",
    "c,captures=mvv-lva",
    "cb1,captures=see",
    "4",
    "d,dynamic=pure",
    "cbadhk12",
];

/// Scores of all orders on all positions, so many plies less deep than the thesis.
fn same_scores(less: usize, orders: &[&str], evaluation: Evaluation, quiescence: bool) {
    for test in positions::all() {
        let mut scores: BTreeMap<&str, Vec<i32>> = BTreeMap::new();
        for name in orders {
            let depth = test.depth - less;
            let settings = Settings {
                evaluation,
                quiescence,
                ..Settings::new(Profile::Sound, order(name), depth)
            };
            let record = run(test, &settings);
            scores.insert(name, record.iterations.iter().map(|i| i.score).collect());
        }
        let null = &scores["0"];
        for (name, score) in &scores {
            assert_eq!(score, null, "board {}: {name}", test.number);
        }
    }
}

#[test]
fn mended_its_score_does_not_depend_on_the_order() {
    let orders = [&THESIS[..], &OTHERS, &VARIANTS].concat();
    same_scores(2, &orders, Evaluation::Material, false);
}

#[test]
fn nor_with_another_evaluation() {
    same_scores(3, &["0", "c", "cb1", "h"], Evaluation::Positional, false);
    same_scores(3, &["0", "c", "cba", "cbh,history=full"], Evaluation::Positional, true);
}

#[test]
#[ignore = "takes minutes"]
fn nor_at_the_depths_of_the_thesis() {
    let orders = [&THESIS[..], &OTHERS, &VARIANTS].concat();
    same_scores(0, &orders, Evaluation::Material, false);
}

#[test]
fn nor_on_the_table() {
    for test in positions::all() {
        for name in ["0", "c", "cb1", "d"] {
            let with = Settings::new(Profile::Sound, order(name), test.depth - 3);
            let scores = [with.slots, 1000, 0].map(|slots| {
                let record = run(test, &Settings { slots, ..with });
                assert!(slots > 0 || record.hits == 0);
                record.iterations.iter().map(|i| i.score).collect::<Vec<_>>()
            });
            assert_eq!(scores[0], scores[1], "board {} {name}", test.number);
            assert_eq!(scores[0], scores[2], "board {} {name}", test.number);
        }
    }
}

/// All that is counted.
fn counts(record: &Record) -> String {
    let mut record = record.clone();
    for iteration in &mut record.iterations {
        iteration.seconds = 0.0;
    }
    serde_json::to_string(&record).unwrap()
}

#[test]
fn dynamic_with_the_last_two_is_dynamic() {
    for profile in [Profile::Fixafan, Profile::Sound] {
        for test in positions::all() {
            for (one, other) in [("d", "2d"), ("cd", "2cd")] {
                let of =
                    |name| counts(&run(test, &Settings::new(profile, order(name), test.depth - 2)));
                assert_eq!(of(one), of(other), "board {} {profile:?}", test.number);
            }
        }
    }
}

#[test]
fn counts_are_the_same_every_time() {
    for profile in [Profile::Fixafan, Profile::Sound] {
        for name in ["0", "cbh", "cbadhk12", "cbh,history=full,captures=see"] {
            let test = &positions::all()[11];
            let settings = Settings::new(profile, order(name), 5);
            assert_eq!(counts(&run(test, &settings)), counts(&run(test, &settings)));
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_and_told() {
    let test = &positions::all()[0];
    let settings =
        Settings { nodes: 5000, ..Settings::new(Profile::Sound, order("0"), test.depth) };
    let record = run(test, &settings);
    assert!(record.truncated && record.nodes <= 5000 && !record.iterations.is_empty());
}

#[test]
fn odd_positions_end_too() {
    for fen in [
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "QQQQQQ2/QQQ5/8/8/8/8/6PP/K5Bk w - - 0 1",
        "k7/2Q5/8/8/8/8/8/K7 b - - 0 1",
        "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
        "8/8/8/p7/P7/k7/p7/K7 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        for profile in [Profile::Fixafan, Profile::Sound] {
            for name in ["0", "cbadhk2", "cbh,history=full"] {
                let settings = Settings::new(profile, order(name), 4);
                let record = search(&position, &settings, &mut unwatched);
                assert!(!record.iterations.is_empty(), "{fen}");
            }
        }
    }
}
