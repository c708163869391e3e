use super::*;
use crate::stats::ratings::{Anchor, Ratings};
use crate::testing::{factory, plan, spec};

fn tournament(names: &[&str], format: Format, cycles: u32) -> TournamentPlan {
    TournamentPlan {
        players: names.iter().map(|name| spec(name)).collect(),
        format,
        cycles,
        anchor: None,
        series: plan(),
    }
}

fn play(plan: &TournamentPlan) -> TournamentReport {
    play_tournament(plan, &*factory(), &Interrupt::new(), &mut |_, _| ()).unwrap()
}

const FIELD: [&str; 4] = ["greedy", "random", "random:1 crash@9", "random:2"];

#[test]
fn everybody_plays_everybody() {
    let report = play(&tournament(&FIELD, Format::RoundRobin, 2));
    assert_eq!((report.played(), report.scheduled), (24, 24));
    assert!(report.is_finished());
    for player in 0..4 {
        assert_eq!(report.table.total(player).games(), 12);
    }
    let crashes = BTreeMap::from([(Reason::Crash, 12)]);
    assert_eq!(report.faults, BTreeMap::from([(FIELD[2].to_owned(), crashes)]));
    assert_eq!(report.table.total(2).losses, 12);
    let ratings = Ratings::fit(&report.table, Anchor::Average(0.0)).unwrap();
    assert_eq!(ratings.ranking().last(), Some(&2));
}

#[test]
fn a_gauntlet_is_run_by_the_first() {
    let report = play(&tournament(&FIELD, Format::Gauntlet { challengers: 1 }, 3));
    assert_eq!(report.played(), 18);
    assert_eq!(report.table.between(1, 2).games(), 0);
    assert_eq!(report.table.between(0, 3).games(), 6);
}

#[test]
fn few_engines_run_at_a_time_and_the_result_stays_the_same() {
    let mut several = tournament(&FIELD, Format::RoundRobin, 2);
    several.series.concurrency = 3;
    assert_eq!(play(&several), play(&tournament(&FIELD, Format::RoundRobin, 2)));
}

#[test]
fn an_interrupted_tournament_goes_on_as_if_nothing_had_happened() {
    let directory = tempfile::tempdir().unwrap();
    let mut plan = tournament(&FIELD, Format::RoundRobin, 2);
    let uninterrupted = play(&plan);
    plan.series.journal = Some(directory.path().join("journal"));
    let interrupt = Interrupt::new();
    let partial = play_tournament(&plan, &*factory(), &interrupt, &mut |report, _| {
        if report.played() == 10 {
            interrupt.raise();
        }
    });
    let partial = partial.unwrap();
    assert!(!partial.is_finished());
    assert_eq!(partial.played(), 10);
    assert_eq!(play(&plan), uninterrupted);
}
