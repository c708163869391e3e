//! Works and experiments belong together.

use std::collections::{BTreeMap, BTreeSet};
use tabiya_lab::experiments;
use tabiya_lab::frame::experiment::Effort;
use tabiya_lab::frame::machine::Machine;
use tabiya_lab::frame::report::html;
use tabiya_lab::frame::store::{Outcome, Store};
use tabiya_lab::frame::verdict::{Counts, Verdict, judge};
use tabiya_lab::frame::works::Library;

#[test]
fn every_numbered_item_has_a_claim_and_every_claim_an_experiment() {
    let library = Library::load().unwrap();
    let known: BTreeSet<&str> = experiments().iter().map(|e| e.card().id).collect();
    assert_eq!(known.len(), experiments().len(), "no two experiments share a word");
    for work in &library.works {
        let items: BTreeSet<&str> = work.items.iter().map(String::as_str).collect();
        let claimed: BTreeSet<&str> =
            work.claims.iter().flat_map(|claim| claim.items.iter().map(String::as_str)).collect();
        assert_eq!(items, claimed, "{}", work.id);
        let ids: BTreeSet<&str> = work.claims.iter().map(|claim| claim.id.as_str()).collect();
        assert_eq!(ids.len(), work.claims.len(), "no two claims of {} share a word", work.id);
        for claim in &work.claims {
            let tested = claim.untestable.is_none();
            assert_eq!(known.contains(claim.experiment.as_str()), tested, "claim {}", claim.id);
        }
    }
    for experiment in experiments() {
        let card = experiment.card();
        assert!(library.work(card.work).is_some(), "{}", card.id);
        let claims = library.works.iter().flat_map(|work| &work.claims);
        assert!(claims.into_iter().any(|claim| claim.experiment == card.id), "{}", card.id);
    }
}

/// Runs experiments quickly, and returns what they found.
fn measure(wanted: impl Fn(&str) -> bool) -> BTreeMap<String, Outcome> {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::new(directory.path(), Machine::here(None));
    let library = Library::load().unwrap();
    let mut found = BTreeMap::new();
    for experiment in experiments().into_iter().filter(|e| wanted(e.card().id)) {
        let outcome =
            store.run(experiment, Effort::Quick, &library, None, &|| false, &mut |_| ()).unwrap();
        let csv = std::fs::read_dir(directory.path()).unwrap();
        let csv = csv.filter(|file| {
            file.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "csv")
        });
        assert!(csv.count() >= outcome.findings.tables.len(), "{}", outcome.experiment);
        found.insert(outcome.experiment.clone(), outcome);
    }
    found
}

/// Each claim about what was measured has its figure, or a reason why not.
fn is_whole(found: &BTreeMap<String, Outcome>) {
    let library = Library::load().unwrap();
    for claim in library.works.iter().flat_map(|work| &work.claims) {
        let Some(outcome) = found.get(&claim.experiment) else { continue };
        let findings = &outcome.findings;
        assert!(
            findings.figures.contains_key(&claim.figure)
                || findings.missing.contains_key(&claim.figure),
            "claim {}: {} finds no {:?}",
            claim.id,
            claim.experiment,
            claim.figure
        );
    }
}

/// Verdicts that no machine can change.
const CERTAIN: &[(&str, &[(&str, Verdict)])] = &[
    ("the-1992", &[("2.6a", Verdict::Holds), ("2.6b", Verdict::Holds)]),
    (
        "rasmussen-2004",
        &[
            ("A1a", Verdict::Holds),
            ("A2b", Verdict::Holds),
            ("A3d", Verdict::Holds),
            ("A1e", Verdict::DoesNotHold),
            ("7.2.1", Verdict::Holds),
            ("7.2.3c", Verdict::DoesNotHold),
            ("7.2.5a", Verdict::DoesNotHold),
            ("8a", Verdict::Holds),
            ("D11", Verdict::DoesNotHold),
        ],
    ),
    (
        "reul-2009",
        &[
            ("N1c", Verdict::Holds),
            ("N3", Verdict::Holds),
            ("N4a", Verdict::Holds),
            ("N4b", Verdict::Holds),
            ("N6", Verdict::Holds),
            ("N11", Verdict::CannotBeTested),
            ("2.1a", Verdict::Holds),
            ("2.3c", Verdict::DoesNotHold),
            ("2.3g", Verdict::Holds),
            ("2.4e", Verdict::DoesNotHold),
            ("2.4f", Verdict::DoesNotHold),
            ("2.5f", Verdict::DoesNotHold),
            ("4.1a", Verdict::Holds),
            ("4.1b", Verdict::Holds),
            ("4.1c", Verdict::Holds),
            ("4.1d", Verdict::Holds),
            ("4.3e", Verdict::DoesNotHold),
            ("4.3g", Verdict::Holds),
            ("N1d", Verdict::Holds),
            ("N6b", Verdict::Holds),
            ("2.3i", Verdict::Holds),
            ("3.1c", Verdict::Holds),
            ("C5", Verdict::Holds),
            ("C7", Verdict::Holds),
            ("5.1a", Verdict::Holds),
            ("C3", Verdict::Holds),
            ("Fa", Verdict::Holds),
        ],
    ),
    (
        "aalborg-2012",
        &[
            ("E2", Verdict::Holds),
            ("E3", Verdict::Holds),
            ("E4", Verdict::DoesNotHold),
            ("E5", Verdict::Holds),
            ("E6", Verdict::Holds),
            ("U1b", Verdict::Holds),
            ("U2a", Verdict::Holds),
            ("U2b", Verdict::DoesNotHold),
            ("U3a", Verdict::Holds),
            ("U4", Verdict::DoesNotHold),
            ("G1", Verdict::DoesNotHold),
            ("G2", Verdict::DoesNotHold),
            ("V1", Verdict::DoesNotHold),
            ("V3", Verdict::Holds),
            ("R2", Verdict::DoesNotHold),
            ("H1", Verdict::DoesNotHold),
            ("H2", Verdict::Holds),
            ("H3", Verdict::DoesNotHold),
        ],
    ),
    (
        "algobrain-2019",
        &[
            ("A2", Verdict::DoesNotHold),
            ("A2b", Verdict::Holds),
            ("A4b", Verdict::Holds),
            ("A4c", Verdict::Holds),
            ("A4d", Verdict::DoesNotHold),
            ("A6", Verdict::Holds),
            ("A8", Verdict::DoesNotHold),
        ],
    ),
];

#[test]
fn what_needs_no_time_is_judged_the_same_everywhere() {
    let quick = [
        "ordering-theory",
        "thesis-tables",
        "geometry",
        "arithmetic",
        "see-example",
        "numbers",
        "ratings",
        "centre-table",
        "paper",
    ];
    let found = measure(|id| quick.contains(&id));
    assert_eq!(found.len(), quick.len());
    is_whole(&found);
    let library = Library::load().unwrap();
    let judgments: Vec<_> = library.works.iter().flat_map(|work| judge(work, &found)).collect();
    for &(id, verdicts) in CERTAIN {
        let judgments = judge(library.work(id).unwrap(), &found);
        for &(claim, verdict) in verdicts {
            let judgment = judgments.iter().find(|j| j.claim == claim).unwrap();
            assert_eq!(judgment.verdict, verdict, "{judgment}");
        }
    }
    let counts = Counts::of(&judgments);
    let claims: usize = library.works.iter().map(|work| work.claims.len()).sum();
    assert_eq!(counts.hold + counts.do_not_hold + counts.cannot_be_tested, claims);

    let cards: Vec<_> = experiments().iter().map(|experiment| experiment.card()).collect();
    let works: Vec<_> = library.works.iter().collect();
    let page = html(&works, &cards, &found);
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<li class=\"holds\"><span").count(), counts.hold);
    for work in &library.works {
        assert!(page.contains(&work.title));
    }
    // Besides the name of SVG's vocabulary nothing points out of the page.
    assert_eq!(page.matches("http").count(), page.matches("<svg").count());
    for outside in [" src=", "<link", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

/// All of it; minutes in a release build.
#[test]
#[ignore = "takes minutes"]
fn every_claim_has_its_figure() {
    let found = measure(|_| true);
    assert_eq!(found.len(), experiments().len());
    is_whole(&found);
}
