//! `cargo xtask ledger`: what each technique of the search is worth, by games of the engine against the
//! engine without it.

use std::fs;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::workspace;

/// A technique or a bundle of small ones, and the margins that switch it off.
struct Technique {
    name: &'static str,
    off: &'static [&'static str],
}

const TECHNIQUES: &[Technique] = &{
    const fn by(name: &'static str, off: &'static [&'static str]) -> Technique {
        Technique { name, off }
    }
    [
        by("delta pruning (qsearch)", &["delta_margin=30000"]),
        by("ordering: TT move first", &["order_tt=0"]),
        by("ordering: killer", &["order_killer=0"]),
        by("ordering: capture history", &["order_capture=0"]),
        by("ordering: main (butterfly) history, by threats", &["order_main=0"]),
        by("ordering: pawn history", &["order_pawns=0"]),
        by(
            "ordering: continuation history of one and two plies",
            &["order_cont_1=0", "order_cont_2=0"],
        ),
        by(
            "ordering: continuation history of four and six plies",
            &["order_cont_4=0", "order_cont_6=0"],
        ),
        by(
            "ordering: checks that lose nothing by SEE, escapes from lesser pieces",
            &["order_check=0", "order_escape=0"],
        ),
        by(
            "history bonus: for TT cutoffs, for the move before a fail low, by the change of the \
             static evaluation, after a re-search",
            &["tt_cut_bonus=0", "fail_low_bonus=0", "eval_bonus=0", "research_bonus=0"],
        ),
        by("aspiration windows", &["aspiration_depth=128"]),
        by("razoring", &["razor_base=30000"]),
        by("reverse futility pruning (RFP)", &["rfp_depth=0"]),
        by("null move pruning (NMP)", &["nmp_depth=128"]),
        by("NMP: verification search", &["nmp_verify_depth=128"]),
        by("ProbCut", &["probcut_depth=128"]),
        by("internal iterative reductions (IIR)", &["iir_depth=128"]),
        by("late move pruning (LMP)", &["lmp_base=1000"]),
        by("futility pruning", &["futility_depth=0"]),
        by("history pruning", &["history_depth=0"]),
        by("SEE pruning of quiet moves and captures", &["see_quiet=30000", "see_capture=30000"]),
        by(
            "singular extensions (SE), with double and negative extensions and multi-cut",
            &["singular_depth=128"],
        ),
        by("double extensions", &["double_margin=30000"]),
        by("late move reductions (LMR)", &["lmr_depth=128"]),
        by(
            "LMR: more at cut nodes and if not improving, less for a former PV node",
            &["lmr_cut_node=0", "lmr_not_improving=0", "lmr_tt_pv=0"],
        ),
        by(
            "LMR: less for checks and large corrections, more if the TT move is a capture",
            &["lmr_check=0", "lmr_tt_capture=0", "lmr_correction=0"],
        ),
        by("hindsight", &["hindsight_reduction=128"]),
        by(
            "correction history: pawns, non-pawns of each side, minor pieces, the last two moves",
            &[
                "correction_pawns=0",
                "correction_pieces=0",
                "correction_minors=0",
                "correction_moves=0",
            ],
        ),
        by("fifty-move scaling", &["fifty_move_scale=30000"]),
    ]
};

/// Plays for every technique whose name or margin holds one of the words, or for all of them, and prints
/// the rows of the table in docs/search.md. What was played is kept, and not played again.
pub(crate) fn run(games: u32, nodes: u32, concurrency: u32, words: &[String]) -> Result<(), Error> {
    let holds = |technique: &Technique, word: &String| {
        technique.name.contains(word) || technique.off.iter().any(|margin| margin.contains(word))
    };
    let nowhere = |word: &&String| !TECHNIQUES.iter().any(|technique| holds(technique, word));
    if let Some(word) = words.iter().find(nowhere) {
        let known: Vec<_> = TECHNIQUES.iter().map(|technique| technique.name).collect();
        return Err(Error::NoSuchTechnique { word: word.clone(), known: known.join(", ") });
    }
    workspace::run(&mut workspace::cargo(["build", "--release", "--quiet"]))?;
    let program = workspace::root().join("target/release/tabiya");
    let kept = workspace::target().join("ledger");
    fs::create_dir_all(&kept).map_err(Error::file("create", &kept))?;
    println!("| technique | switched off by | games | Elo | verdict |");
    println!("| --- | --- | --- | --- | --- |");
    let wanted = |technique: &&Technique| {
        words.is_empty() || words.iter().any(|word| holds(technique, word))
    };
    for Technique { name, off } in TECHNIQUES.iter().filter(wanted) {
        let mut command = Command::new(&program);
        command
            .args(["match", "tabiya option.Hash=8"])
            .arg(format!("tabiya option.Hash=8 option.{}", off.join(" option.")))
            .args(["--nodes", &nodes.to_string(), "--games", &games.to_string()])
            .args(["--concurrency", &concurrency.to_string()])
            .args(["--sprt", "elo0=0", "elo1=10"])
            .args(["--resign", "score=600", "moves=4"])
            .args(["--draw", "score=10", "moves=8", "after=40"])
            .arg("--journal")
            .arg(kept.join(format!("{}.journal", off.join("+"))));
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|source| Error::Start { command: workspace::spelled(&command), source })?;
        let verdict = match output.status.code() {
            Some(0) => "passed",
            Some(3) => "failed",
            Some(4) => "undecided",
            _ => {
                let command = workspace::spelled(&command);
                return Err(Error::Failed { command, status: output.status });
            }
        };
        let report = String::from_utf8_lossy(&output.stdout);
        let (played, elo) = figures(&report);
        println!("| {name} | `{}` | {played} | {elo} | {verdict} |", off.join("`, `"));
    }
    Ok(())
}

/// The number of games and the lead, from what a match says.
fn figures(report: &str) -> (&str, &str) {
    let between = |before: &str, after: &str| {
        let rest = report.split_once(before)?.1;
        Some(rest.split_once(after)?.0)
    };
    let unknown = "?";
    (between(" in ", " games").unwrap_or(unknown), between("Elo ", ",").unwrap_or(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found() {
        let report = "new against old: +148 =108 -144 in 400 games, 50.5 %\n\
                    Elo +3.5 ± 17.7, normalised +6.7 ± 34.0, likelihood of superiority 65.0 %\n";
        assert_eq!(figures(report), ("400", "+3.5 ± 17.7"));
        assert_eq!(figures("nothing"), ("?", "?"));
    }

    #[test]
    fn a_word_that_no_technique_holds_is_refused() {
        let refused = run(2, 1, 1, &["razoring".to_owned(), "nonsense".to_owned()]);
        assert!(matches!(refused, Err(Error::NoSuchTechnique { word, .. }) if word == "nonsense"));
    }

    #[test]
    fn no_margin_stands_twice() {
        let mut margins: Vec<_> = TECHNIQUES.iter().flat_map(|technique| technique.off).collect();
        margins.sort_unstable();
        assert!(margins.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
