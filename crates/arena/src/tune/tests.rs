use super::*;
use crate::testing::{factory, nodes, spec};

fn plan(iterations: u64) -> TunePlan {
    TunePlan {
        player: spec("skill"),
        parameters: vec!["level, c=20, r=0.02".parse().unwrap()],
        iterations,
        pairs: 1,
        seed: 1,
        limits: Some(nodes()),
        rules: GameRules::default(),
        openings: Openings::builtin(1),
        concurrency: 1,
        journal: None,
    }
}

fn tuned(plan: &TunePlan) -> TuneStatus {
    tune(plan, &*factory(), &Interrupt::new(), &mut |_| ()).unwrap()
}

#[test]
fn a_parameter_that_matters_finds_its_way() {
    let status = tuned(&plan(60));
    assert_eq!((status.finished, status.games.games()), (60, 120));
    assert_eq!(status.parameters[0].name, "Level");
    assert!(status.parameters[0].value > 60.0, "{:?}", status.parameters);
    assert_eq!(status.faults, 0);
}

#[test]
fn iterations_may_have_several_pairs_and_be_played_side_by_side() {
    let several = TunePlan { pairs: 3, concurrency: 4, ..plan(10) };
    let status = tuned(&several);
    assert_eq!((status.finished, status.games.games()), (10, 60));
}

#[test]
fn an_interrupted_tuning_goes_on_as_if_nothing_had_happened() {
    let directory = tempfile::tempdir().unwrap();
    let whole = tuned(&plan(20));
    let plan = TunePlan { journal: Some(directory.path().join("journal")), ..plan(20) };
    let interrupt = Interrupt::new();
    let partial = tune(&plan, &*factory(), &interrupt, &mut |status| {
        if status.finished == 7 {
            interrupt.raise();
        }
    });
    assert_eq!(partial.unwrap().finished, 7);
    assert_eq!(tuned(&plan), whole);
    assert_eq!(tuned(&plan), whole, "and once more, with nothing left to play");

    let other = TunePlan { seed: 2, ..plan };
    let error = tune(&other, &*factory(), &Interrupt::new(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("seed was 1, is now 2"), "{error}");
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let error = |wish: &str| {
        let plan = TunePlan { parameters: vec![wish.parse().unwrap()], ..plan(1) };
        let status = tune(&plan, &*factory(), &Interrupt::new(), &mut |_| ());
        status.unwrap_err().to_string()
    };
    assert_eq!(error("Depth"), "skill has no option \"Depth\"");
    assert_eq!(error("Book"), "the option \"Book\" of skill is not a number");
    let range = "\"Level\" should stay between 0 and 100, as skill has it";
    assert_eq!(error("Level, max=200"), range);
    assert!(error("Level, value=20, min=30").contains("starts at 20"));
    for text in ["", "a, b", "a, value=x", "a, c=1, c=2", "a, speed=1"] {
        let error = text.parse::<ParameterWish>().unwrap_err().to_string();
        assert!(error.contains("is not a parameter"), "{text}: {error}");
    }
}
