//! `cargo xtask ledger`: what each technique of the search is worth, by games of the engine against the
//! engine without it.

use std::fs;

use crate::error::Error;
use crate::games;
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
    let program = games::build()?;
    let kept = workspace::target().join("ledger");
    fs::create_dir_all(&kept).map_err(Error::file("create", &kept))?;
    println!("| technique | switched off by | games | Elo | verdict |");
    println!("| --- | --- | --- | --- | --- |");
    let wanted = |technique: &&Technique| {
        words.is_empty() || words.iter().any(|word| holds(technique, word))
    };
    for Technique { name, off } in TECHNIQUES.iter().filter(wanted) {
        let sprt = ["--sprt", "elo0=0", "elo1=10", "--resign", "score=600", "moves=4"];
        let draw = ["--draw", "score=10", "moves=8", "after=40"];
        let args: Vec<String> = [
            "tabiya option.Hash=8".to_owned(),
            format!("tabiya option.Hash=8 option.{}", off.join(" option.")),
            format!("--nodes={nodes}"),
            format!("--games={games}"),
            format!("--concurrency={concurrency}"),
            format!("--journal={}", kept.join(format!("{}.journal", off.join("+"))).display()),
        ]
        .into_iter()
        .chain(sprt.into_iter().chain(draw).map(str::to_owned))
        .collect();
        let report = games::play(&program, &args)?;
        let verdict = match report.verdict.as_str() {
            "accept-h1" => "passed",
            "accept-h0" => "failed",
            _ => "undecided",
        };
        let (played, elo) = report.figures();
        println!("| {name} | `{}` | {played} | {elo} | {verdict} |", off.join("`, `"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_no_technique_holds_is_named() {
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
