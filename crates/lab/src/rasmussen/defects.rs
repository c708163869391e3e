//! How much of the tree's growth was the algorithm, and how much what the program did wrong.

use super::{Means, WORK, simulate_all};
use crate::classic::{Defects, Settings, Thought};
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};

pub(super) struct WithDefects;

/// The program as it was, as it was meant, with each defect mended, and with each one of the parallel search alone:
/// defects can hide each other.
fn programs() -> Vec<(&'static str, Defects)> {
    let (all, none) = (Defects::ALL, Defects::NONE);
    vec![
        ("as it was", all),
        ("as it was meant", none),
        ("without D1", Defects { dead_pawn_extension: false, ..all }),
        ("without D2", Defects { lost_demotions: false, ..all }),
        ("without D4", Defects { repeats_move: false, ..all }),
        ("without D5", Defects { private_alpha: false, ..all }),
        ("without D6, root split", Defects { whole_root: false, ..all }),
        ("without D6, owners helped", Defects { captured_owner: false, ..all }),
        ("with D4 alone", Defects { repeats_move: true, ..none }),
        ("with D5 alone", Defects { private_alpha: true, ..none }),
        ("with D6 alone, whole root", Defects { whole_root: true, ..none }),
        ("with D6 alone, owners taken", Defects { captured_owner: true, ..none }),
    ]
}

impl Experiment for WithDefects {
    fn card(&self) -> Card {
        Card {
            id: "defects",
            work: WORK,
            title: "The tripled tree",
            question: "With 20 processors the thesis's tree is three times that of one, which it puts down to Young \
                       Brothers Wait: cut nodes are split in vain. How much of it is left when the program's \
                       defects are mended, one by one and all together? On simulated processors, so that every \
                       run is the same.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (depth, counts): (u32, &[usize]) = lab.effort.pick((5, &[20]), (9, &[2, 8, 20]));
        let mut findings = Findings::default();
        let mut columns = vec![("program", Origin::Label), ("nodes of one", Origin::Counted)];
        let names: Vec<[String; 2]> =
            counts.iter().map(|n| [format!("tree × {n}"), format!("time × {n}")]).collect();
        for name in names.iter().flatten() {
            columns.push((name, Origin::Counted));
        }
        let title = format!("Defects mended, depth {depth}, simulated");
        let mut table = Table::new("defects", &title, &columns);
        let mut growth = Vec::new();
        for (name, defects) in programs() {
            let settings = Settings { defects, ..Settings::default() };
            let mut search = |processors: usize| -> Result<Means, Halt> {
                let step = format!("{name}, {processors} processors");
                let thoughts: Vec<Thought> =
                    lab.step(&step, |stop| simulate_all(depth, processors, settings, stop))?;
                Ok(Means::of(&thoughts))
            };
            let alone = search(1)?;
            let mut cells: Vec<Cell> =
                vec![name.into(), Cell::Number { value: alone.nodes, decimals: 0 }];
            let mut last = (0.0, 0.0);
            for &processors in counts {
                let [_, tree, time] = search(processors)?.against(&alone);
                cells.extend([tree.into(), time.into()]);
                findings.number(&format!("{name}: tree at {processors}"), tree);
                findings.number(&format!("{name}: time at {processors}"), time);
                last = (tree, time);
            }
            growth.push((name, last));
            table.row(cells);
        }
        table.note = "Each program against itself with one processor. D3 cannot happen where one processor runs \
                      at a time."
            .to_owned();
        findings.tables.push(table);
        let (was, meant) = (growth[0].1.0 - 1.0, growth[1].1.0 - 1.0);
        let share = 100.0 * (meant / was.max(1e-9)).min(9.99);
        findings.number("growth that is the algorithm's, %", share);
        for (name, (tree, time)) in growth.iter().skip(1) {
            findings.number(&format!("{name}: time lost"), growth[1].1.1 / time.max(1e-9));
            let saved = 100.0 * (was - (tree - 1.0)) / was.max(1e-9);
            findings.number(&format!("{name}: growth saved, %"), saved);
            findings.number(&format!("{name}: time gained"), time / growth[0].1.1.max(1e-9));
        }
        findings.note(format!(
            "Of the growth of {:.2} times with 20 processors, {share:.0} % remains when every defect is mended: so \
             much is Young Brothers Wait itself, and the rest was the implementation.",
            growth[0].1.0
        ));
        findings.plots.push(Plot::bars(
            "growth",
            "The tree of twenty processors",
            "Nodes, times one processor's; simulated. The thesis's is about 3.",
            growth.iter().map(|(name, _)| (*name).to_owned()).collect(),
            vec![Series::counted(
                "here",
                growth.iter().map(|(_, (tree, _))| Some(*tree)).collect(),
            )],
            Some(1.0),
        ));
        Ok(findings)
    }
}
