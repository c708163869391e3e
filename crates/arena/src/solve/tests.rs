use super::*;
use crate::testing::{factory, nodes, spec};

fn suite(text: &str) -> Result<Vec<Problem>, SolveError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    read_suite(file.path())
}

fn attempts(name: &str, text: &str, concurrency: usize) -> SolveReport {
    let problems = suite(text).unwrap();
    let own_engine = factory();
    let interrupt = Interrupt::new();
    let limits = Some(nodes());
    let report =
        solve(&spec(name), &problems, limits, concurrency, &*own_engine, &interrupt, &mut |_| ());
    report.unwrap()
}

const SUITE: &str = "\
# Three to be found by looking for captures, and one that is not.
6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id \"back rank\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5;
4k3/8/8/3q4/4P3/8/8/4K3 w - - am exd5; id \"gift\";

4k3/8/8/3q4/4P3/8/8/4K3 w - - am e5; id \"avoided\";
6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1; id \"no mate is announced\";
";

#[test]
fn solved_is_what_is_asked() {
    for concurrency in [1, 3] {
        let report = attempts("greedy", SUITE, concurrency);
        let solved: Vec<_> = report.attempts.iter().map(|a| (a.id.as_str(), a.solved)).collect();
        let expected = [
            ("back rank", true),
            ("2", true),
            ("gift", false),
            ("avoided", true),
            ("no mate is announced", false),
        ];
        assert_eq!(solved, expected);
        assert_eq!((report.solved, report.problems), (3, 5));
        assert!(report.is_complete());
        assert_eq!(report.attempts[0].answer.as_deref(), Some("Ra8#"));
        assert_eq!(report.attempts[0].question, "bm Ra8#");
        assert_eq!(report.attempts[0].nodes_to_solution, Some(1));
        assert_eq!(report.attempts[2].nodes_to_solution, None);
    }
}

#[test]
fn a_failure_is_told_and_the_suite_goes_on() {
    let report = attempts("greedy crash@1", SUITE, 2);
    assert_eq!((report.solved, report.attempts.len()), (0, 5));
    let failure = report.attempts[3].failure.as_deref().unwrap();
    assert!(failure.contains("greedy crash@1 has ended"), "{failure}");
}

#[test]
fn the_solution_must_stand_at_the_end() {
    let problem = &suite("6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#;").unwrap()[0];
    let mv = |text| problem.position.parse_san(text).unwrap();
    let info = |text, nodes, line| Info {
        depth: 1,
        selective_depth: 1,
        line,
        score: Score::Centipawns(0),
        bound: tabiya_engine::Bound::Exact,
        wdl: None,
        nodes,
        time: Duration::ZERO,
        hash_full: None,
        tablebase_hits: 0,
        pv: vec![mv(text)],
    };
    let mut found = Found::default();
    let mut hear = |text, nodes, line| {
        found.hear(problem, &info(text, nodes, line), Duration::from_secs(nodes));
        found.since.map(|(_, nodes)| nodes)
    };
    assert_eq!(hear("Ra8", 1, 1), Some(1));
    assert_eq!(hear("Ra8", 2, 1), Some(1));
    assert_eq!(hear("Ra7", 3, 1), None);
    assert_eq!(hear("Ra8", 4, 2), None, "only the best line counts");
    assert_eq!(hear("Ra8", 5, 1), Some(5));
}

#[test]
fn mates_are_judged_by_their_length() {
    let problem = &suite("6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 2;").unwrap()[0];
    let mv = problem.position.parse_san("Ra8").unwrap();
    let solved = |score| problem.is_solved_by(Some(&mv), Some(score));
    assert!(solved(Score::Mate(2)) && solved(Score::Mate(1)));
    assert!(!solved(Score::Mate(3)) && !solved(Score::Mate(-1)) && !solved(Score::Centipawns(900)));
}

#[test]
fn nonsense_is_refused_with_its_place() {
    for (text, message) in [
        ("", "has no positions"),
        ("\n\nhello\n", "line 3 of"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";", "nothing is asked"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - bm Nf3;", "bm: "),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - bm Kg8;", "bm: "),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - dm 1;", "there is no legal move"),
    ] {
        let error = suite(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text:?}: {error}");
    }
    let error = read_suite(Path::new("/no/such/suite")).unwrap_err().to_string();
    assert!(error.contains("/no/such/suite: cannot be read: "), "{error}");
    let problems = suite(SUITE).unwrap();
    let clock = Some("tc=8+0.08".parse().unwrap());
    let solved =
        solve(&spec("greedy"), &problems, clock, 1, &*factory(), &Interrupt::new(), &mut |_| ());
    assert!(matches!(solved, Err(SolveError::Clock)));
}
