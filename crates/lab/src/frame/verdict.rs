//! Verdicts: what became of each claim.

use super::claim::Claim;
use super::store::Outcome;
use super::works::Work;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// What became of a claim.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// It cannot be tested.
    CannotBeTested,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::CannotBeTested => "cannot be tested",
        })
    }
}

/// A claim with its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Judgment<'a> {
    /// The work.
    pub work: &'a str,
    /// The claim.
    pub claim: &'a str,
    /// Where it is made.
    pub source: &'a str,
    /// What it says.
    pub says: &'a str,
    /// The experiment that decides; none if it cannot be tested.
    pub experiment: &'a str,
    /// The verdict.
    pub verdict: Verdict,
    /// What was asked for, and what was found; or why nothing can be.
    pub why: String,
}

impl fmt::Display for Judgment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Judgment { claim, source, says, verdict, why, .. } = self;
        write!(f, "{verdict:<17}{claim:<7}{source}: {says} [{why}]")
    }
}

/// How many claims came to which end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Those that hold.
    pub hold: usize,
    /// Those that do not.
    pub do_not_hold: usize,
    /// Those that cannot be tested.
    pub cannot_be_tested: usize,
}

impl Counts {
    /// Of some judgments.
    pub fn of<'a>(judgments: impl IntoIterator<Item = &'a Judgment<'a>>) -> Counts {
        let mut counts = Counts::default();
        for judgment in judgments {
            match judgment.verdict {
                Verdict::Holds => counts.hold += 1,
                Verdict::DoesNotHold => counts.do_not_hold += 1,
                Verdict::CannotBeTested => counts.cannot_be_tested += 1,
            }
        }
        counts
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { hold, do_not_hold, cannot_be_tested } = self;
        let all = hold + do_not_hold + cannot_be_tested;
        write!(
            f,
            "{all} claims: {hold} hold, {do_not_hold} do not hold, {cannot_be_tested} cannot be tested"
        )
    }
}

/// Judges all claims of a work by what was found; outcomes by the word of their experiment.
pub fn judge<'a>(work: &'a Work, outcomes: &BTreeMap<String, Outcome>) -> Vec<Judgment<'a>> {
    work.claims.iter().map(|claim| judge_one(work, claim, outcomes)).collect()
}

fn judge_one<'a>(
    work: &'a Work,
    claim: &'a Claim,
    outcomes: &BTreeMap<String, Outcome>,
) -> Judgment<'a> {
    let (verdict, why) = match (&claim.untestable, outcomes.get(&claim.experiment)) {
        (Some(why), _) => (Verdict::CannotBeTested, why.clone()),
        (None, None) => {
            let how = format!("not measured yet; `tabiya lab run {}` does", claim.experiment);
            (Verdict::CannotBeTested, how)
        }
        (None, Some(outcome)) => by_figure(claim, outcome),
    };
    Judgment {
        work: &work.id,
        claim: &claim.id,
        source: &claim.source,
        says: &claim.says,
        experiment: &claim.experiment,
        verdict,
        why,
    }
}

fn by_figure(claim: &Claim, outcome: &Outcome) -> (Verdict, String) {
    let findings = &outcome.findings;
    match (findings.figures.get(&claim.figure), findings.missing.get(&claim.figure)) {
        (Some(figure), _) => {
            let verdict = if claim.accepts(figure) { Verdict::Holds } else { Verdict::DoesNotHold };
            (verdict, format!("claimed {}; here {}", claim.expectation(), claim.found(figure)))
        }
        (None, Some(why)) => (Verdict::CannotBeTested, why.clone()),
        (None, None) => {
            let figure = &claim.figure;
            (Verdict::CannotBeTested, format!("the experiment found no figure {figure:?}"))
        }
    }
}
