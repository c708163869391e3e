//! Tables 5.1 and 5.2: branching factors.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Curve, Drawing, Plot, Series};
use crate::frame::statistics::geometric_mean;
use crate::frame::table::{Cell, Origin, Table};
use crate::games;
use crate::thinking::{Depths, engine, think};
use tabiya_engine::{Limits, Score};

pub(super) struct Branching;

/// From which half-move on Loop's games count as opening and as middlegame.
const STAGES: [(&str, usize); 2] = [("opening", 14), ("middlegame", 50)];

/// The final position against Diep, in which Loop announced a mate.
const MATE_GAME: &str = "LOOP AMSTERDAM - DIEP";

impl Experiment for Branching {
    fn card(&self) -> Card {
        Card {
            id: "branching",
            work: WORK,
            title: "Branching factors",
            question: "How many times as much does one more ply take? The thesis shows what a tester found \
                       with a stopwatch for five engines of 2006. Here are today's nodes, which need no \
                       watch; the averages are geometric means, as the thesis's turn out to be.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, count) = lab.effort.pick((11, 4), (17, 12));
        let mut findings = Findings::default();
        let mut columns = vec![("engine", Origin::Label)];
        columns.extend(STAGES.map(|(name, _)| (name, Origin::Printed)));
        columns.extend(STAGES.map(|(name, _)| (name, Origin::Counted)));
        columns.extend(STAGES.map(|(name, _)| (name, Origin::Timed)));
        let mut table = Table::new(
            "table-5",
            "Tables 5.1 and 5.2: branching factors (geometric means)",
            &columns,
        );
        let engines: Vec<String> =
            ["Rybka 1.2f", "Rybka 1.1", "Shredder 10 UCI", "LOOP 2006", "Hiarcs x50 UCI"]
                .map(String::from)
                .into();
        let mut printed: Vec<[Option<f64>; 2]> = Vec::new();
        for engine in &engines {
            let means = ["5.1", "5.2"].map(|id| lab.printed(id).number(engine, "average"));
            printed.push(means);
            let mut row: Vec<Cell> = vec![engine.as_str().into()];
            row.extend(means.map(|mean| mean.map_or_else(Cell::none, Cell::from)));
            row.extend([Cell::none(), Cell::none(), Cell::none(), Cell::none()]);
            table.row(row);
        }
        let (mut by_nodes, mut by_time, mut curves) = (Vec::new(), Vec::new(), Vec::new());
        for (name, ply) in STAGES {
            let mut ratios = Vec::new();
            let mut seconds = Vec::new();
            let mut per_depth: Vec<Vec<f64>> = vec![Vec::new(); depth as usize + 1];
            let long_enough = games::played().iter().filter(|game| game.positions.len() > ply + 4);
            for game in long_enough.take(count) {
                let position = &game.positions[ply];
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                let step = format!("{name}: {}", game.title);
                let depths: Depths =
                    lab.step(&step, |stop| Ok(think(&mut engine()?, position, &limits, stop)?.0))?;
                for pair in depths.windows(2) {
                    let [(_, nodes, time), (next, more, later)] = [pair[0], pair[1]];
                    // The first plies are mostly table look-ups of the ones before.
                    if next + 5 > depth && more > nodes {
                        let ratio = more as f64 / nodes.max(1) as f64;
                        ratios.push(ratio);
                        seconds.push(later / time.max(1e-6));
                    }
                    if let Some(at_depth) = per_depth.get_mut(next as usize) {
                        at_depth.push(more as f64 / nodes.max(1) as f64);
                    }
                }
            }
            by_nodes.push(geometric_mean(ratios));
            by_time.push(geometric_mean(seconds));
            curves.push(Curve {
                name: name.to_owned(),
                printed: false,
                points: (4..=depth)
                    .filter(|&d| !per_depth[d as usize].is_empty())
                    .map(|d| (f64::from(d), geometric_mean(per_depth[d as usize].iter().copied())))
                    .collect(),
            });
        }
        let mut row: Vec<Cell> = vec!["Tabiya".into(), Cell::none(), Cell::none()];
        row.extend(by_nodes.iter().chain(&by_time).map(|&mean| Cell::from(mean)));
        table.row(row);
        table.note = format!(
            "Of the last five plies up to depth {depth}, from {count} of Loop's games each; the positions of \
             the thesis are not known. The timed columns are of this run."
        );
        let mut groups = engines;
        groups.push("Tabiya".to_owned());
        let bars = |stage: usize| {
            let mut values: Vec<Option<f64>> = printed.iter().map(|means| means[stage]).collect();
            values.push(None);
            values
        };
        let ours = |stage: usize| {
            let mut values = vec![None; printed.len()];
            values.push(Some(by_nodes[stage]));
            values
        };
        findings.plots.push(Plot::bars(
            "factors",
            "Branching factors, 2006 and today",
            "How many times as much one more ply takes: time as printed, nodes here.",
            groups,
            vec![
                Series::printed("opening, printed", bars(0)),
                Series::printed("middlegame, printed", bars(1)),
                Series::counted("opening, here", ours(0)),
                Series::counted("middlegame, here", ours(1)),
            ],
            None,
        ));
        findings.plots.push(Plot::new(
            "depths",
            "Today's branching factor, ply by ply",
            "Nodes until this depth divided by nodes until the one before, geometric means.",
            Drawing::Lines {
                x: "depth".to_owned(),
                y: "factor".to_owned(),
                logarithmic: false,
                curves,
            },
        ));
        findings.tables.push(table);
        findings.tables.extend(["5.1", "5.2"].map(|id| lab.printed(id).whole()));
        findings.numbers("today", by_nodes);
        mate(lab, &mut findings)?;
        Ok(findings)
    }
}

/// The mate that Loop announced at the end of its last game.
fn mate(lab: &mut Lab<'_>, findings: &mut Findings) -> Result<(), Halt> {
    const FIGURE: &str = "mate in the last position";
    /// In how many moves it was announced.
    const ANNOUNCED: i32 = 14;
    let Some(game) = games::played().iter().find(|game| game.title == MATE_GAME) else {
        findings.lacks(FIGURE, "the game is not at hand");
        return Ok(());
    };
    let position = &game.positions[game.positions.len() - 1];
    let limits =
        Limits { nodes: Some(lab.effort.pick(1_500_000, 60_000_000)), ..Limits::default() };
    let (moves, told): (Option<i32>, String) = lab.step("the mate that was announced", |stop| {
        let score = think(&mut engine()?, position, &limits, stop)?.1;
        let told = score.map_or_else(String::new, |score| score.to_string());
        Ok((score.and_then(moves_to_be_mated), told))
    })?;
    // A longer mate, or none, refutes nothing: more nodes might find a shorter one.
    match moves.filter(|&moves| moves <= ANNOUNCED) {
        Some(moves) => findings.number(FIGURE, f64::from(moves)),
        None => findings.lacks(
            FIGURE,
            &format!(
                "our engine sees no mate in {ANNOUNCED} within its nodes; it says {told} for the side to \
                 move, whom Loop wants to mate"
            ),
        ),
    }
    Ok(())
}

/// In how many moves the side to move is mated, if it is.
fn moves_to_be_mated(score: Score) -> Option<i32> {
    match score {
        Score::Mate(moves) if moves <= 0 => Some(-moves),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_being_mated_counts() {
        let told = [Score::Mate(-14), Score::Mate(3), Score::Mate(0), Score::Centipawns(-802)];
        assert_eq!(told.map(moves_to_be_mated), [Some(14), None, Some(0), None]);
    }
}
