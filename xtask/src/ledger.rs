//! `cargo xtask ledger`: what each technique of the search is worth, by games of the engine against the
//! engine without it.

use std::fs;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::workspace;

/// A technique, and the margin that switches it off.
struct Technique {
    name: &'static str,
    off: &'static str,
}

const TECHNIQUES: &[Technique] = &{
    const fn by(off: &'static str, name: &'static str) -> Technique {
        Technique { name, off }
    }
    [
        by("delta_margin=30000", "quiescence: futility"),
        by("order_table=0", "ordering: the table's move first"),
        by("order_killer=0", "ordering: the killer"),
        by("order_capture=0", "ordering: history of captures"),
        by("order_own=0", "ordering: history of quiet moves, by threats"),
        by("order_pawns=0", "ordering: history under the same pawns"),
        by("order_after_1=0", "ordering: continuations of the last move"),
        by("order_after_2=0", "ordering: continuations of the last own move"),
        by("order_after_4=0", "ordering: continuations of four plies"),
        by("order_after_6=0", "ordering: continuations of six plies"),
        by("order_check=0", "ordering: checks that lose nothing"),
        by("order_escape=0", "ordering: escapes from lesser men"),
        by("table_cut_bonus=0", "history: marks for cutoffs by the table"),
        by("fail_low_bonus=0", "history: marks for the move before a node that fails low"),
        by("eval_bonus=0", "history: marks by the change of the evaluation"),
        by("research_bonus=0", "history: marks after a second search"),
        by("aspiration_depth=128", "aspiration windows"),
        by("razor_base=30000", "razoring"),
        by("rfp_depth=0", "reverse futility"),
        by("nmp_depth=128", "null move"),
        by("nmp_verify_depth=128", "null move: verification"),
        by("probcut_depth=128", "ProbCut"),
        by("iir_depth=128", "internal iterative reductions"),
        by("lmp_base=1000", "late-move pruning"),
        by("futility_depth=0", "futility"),
        by("history_depth=0", "history pruning"),
        by("see_quiet=30000", "exchange pruning of quiet moves"),
        by("see_capture=30000", "exchange pruning of captures"),
        by("singular_depth=128", "singular extensions, with double, negative and multi-cut"),
        by("double_margin=30000", "double extensions"),
        by("lmr_depth=128", "late-move reductions"),
        by("lmr_cut_node=0", "reductions: more at cut nodes"),
        by("lmr_not_improving=0", "reductions: more if nothing improves"),
        by("lmr_was_pv=0", "reductions: less for a former principal variation"),
        by("lmr_check=0", "reductions: less for checks"),
        by("lmr_table_capture=0", "reductions: more if the table's move is a capture"),
        by("lmr_doubt=0", "reductions: less where the evaluation was put right"),
        by("hindsight=128", "hindsight"),
        by("correction_pawns=0", "corrections: pawns"),
        by("correction_pieces=0", "corrections: pieces of each side"),
        by("correction_minors=0", "corrections: minor pieces"),
        by("correction_moves=0", "corrections: the last two moves"),
        by("fifty_damping=30000", "fading by the fifty-move rule"),
    ]
};

/// Plays for every technique whose name or margin holds one of the words, or for all of them, and prints
/// the rows of the table in docs/search.md. What was played is kept, and not played again.
pub(crate) fn run(games: u32, nodes: u32, concurrency: u32, words: &[String]) -> Result<(), Error> {
    let holds = |technique: &Technique, word: &String| {
        technique.name.contains(word) || technique.off.contains(word)
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
            .arg(format!("tabiya option.Hash=8 option.{off}"))
            .args(["--nodes", &nodes.to_string(), "--games", &games.to_string()])
            .args(["--concurrency", &concurrency.to_string()])
            .args(["--sprt", "elo0=0", "elo1=10"])
            .args(["--resign", "score=600", "moves=4"])
            .args(["--draw", "score=10", "moves=8", "after=40"])
            .arg("--journal")
            .arg(kept.join(format!("{off}.journal")));
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
        let told = String::from_utf8_lossy(&output.stdout);
        let (played, elo) = figures(&told);
        println!("| {name} | `{off}` | {played} | {elo} | {verdict} |");
    }
    Ok(())
}

/// The number of games and the lead, from what a match says.
fn figures(told: &str) -> (&str, &str) {
    let between = |before: &str, after: &str| {
        let rest = told.split_once(before)?.1;
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
        let told = "new against old: +148 =108 -144 in 400 games, 50.5 %\n\
                    Elo +3.5 ± 17.7, normalised +6.7 ± 34.0, likelihood of superiority 65.0 %\n";
        assert_eq!(figures(told), ("400", "+3.5 ± 17.7"));
        assert_eq!(figures("nothing"), ("?", "?"));
    }

    #[test]
    fn a_word_that_no_technique_holds_is_told() {
        let refused = run(2, 1, 1, &["razoring".to_owned(), "nonsense".to_owned()]);
        assert!(matches!(refused, Err(Error::NoSuchTechnique { word, .. }) if word == "nonsense"));
    }

    #[test]
    fn no_margin_stands_twice() {
        let mut margins: Vec<_> = TECHNIQUES.iter().map(|technique| technique.off).collect();
        margins.sort_unstable();
        assert!(margins.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
