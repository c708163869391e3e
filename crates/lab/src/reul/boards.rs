//! Every board plays the same chess.

use super::WORK;
use crate::boards::backend::BACKENDS;
use crate::boards::suite::{CLOSED, FULL, OPEN, QUICK};
use crate::frame::experiment::{Card, Experiment, Halt, Lab, known_position};
use crate::frame::findings::Findings;
use crate::frame::table::{Cell, Origin, Table};
use tabiya_chess::perft;

pub(super) struct Boards;

impl Experiment for Boards {
    fn card(&self) -> Card {
        Card {
            id: "boards",
            work: WORK,
            title: "Every board plays the same chess",
            question: "Before anything is timed: do the padded mailbox, the bitboards with six kinds of \
                       look-ups and the simple boards count the same positions, by the bare generator \
                       (basic recursion) and by staged picking with legality tests (advanced)?",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let suite = lab.effort.pick(QUICK, FULL);
        let mut findings = Findings::default();
        let mut columns = vec![("position", Origin::Label), ("depth", Origin::Label)];
        columns.push(("leaves", Origin::Counted));
        columns.extend(BACKENDS.iter().map(|backend| (backend.name, Origin::Counted)));
        let mut table = Table::new("suite", "Leaves, by both recursions", &columns);
        let mut failures = 0;
        for entry in suite {
            let position = known_position(entry.fen)?;
            let mut row =
                vec![entry.name.into(), Cell::from(entry.depth.to_string()), entry.leaves.into()];
            for backend in BACKENDS {
                let name = format!("{} on {}", entry.name, backend.name);
                let [basic, advanced]: [u64; 2] = lab.step(&name, |_| {
                    Ok([
                        (backend.basic)(&position, entry.depth),
                        (backend.advanced)(&position, entry.depth),
                    ])
                })?;
                let right = [basic, advanced] == [entry.leaves; 2];
                failures += usize::from(!right);
                row.push(if right { "the same".into() } else { basic.max(advanced).into() });
            }
            table.row(row);
        }
        findings.tables.push(table);
        findings.number("boards that count wrongly", failures as f64);
        findings.number("boards", BACKENDS.len() as f64);
        for (name, fen) in [("closed", CLOSED), ("open", OPEN)] {
            let position = known_position(fen)?;
            let depths: Vec<u64> = lab.step(&format!("perft of the {name} position"), |_| {
                Ok((1..=6).map(|depth| perft(&position, depth)).collect())
            })?;
            findings.numbers(name, depths.into_iter().map(|leaves| leaves as f64));
        }
        Ok(findings)
    }
}
