//! All ways to find attack sets, raced.

use super::WORK;
use crate::frame::experiment::{Card, Experiment, Halt, Lab, go_on};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::frame::timing::Race;
use crate::sliders::OCCUPANCIES;
use crate::sliders::contest::{CHAINS, Field, MAGIC, NOTHING, RAY_SCAN, WALK};
use crate::sliders::work::Pattern;

pub(super) struct SliderRace;

impl Experiment for SliderRace {
    fn card(&self) -> Card {
        Card {
            id: "sliders",
            work: WORK,
            title: "Attack sets against the clock",
            question: "A rook's or a bishop's attack set by walking, by chained tables, by ray scans, by subtraction, from \
                       rotated occupancies, by magic multiplication in several layouts and by bit \
                       extraction: each proved on every occupancy of every square, then timed on \
                       occupancies of real games and on random ones.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let (rounds, passes) = lab.effort.pick((9, 8), (41, 30));
        let field = Field::default();
        let right: Vec<u64> = lab.step("every occupancy", |stop| {
            go_on(stop)?;
            Ok(field.contenders(|_| true, true).iter().map(|c| c.right.unwrap_or(0)).collect())
        })?;
        let contenders = field.contenders(|_| true, false);
        let mut races = Vec::new();
        for pattern in Pattern::ALL {
            let race: Race = lab.step(pattern.name(), |stop| {
                // What the loop alone returns is nobody else's answer, so it is raced apart.
                let mut runs: Vec<Box<dyn FnMut() -> u64>> = Vec::new();
                for contender in contenders.iter().skip(1) {
                    runs.push(Box::new(move || (0..passes).fold(0, |_, _| contender.run(pattern))));
                }
                let mut race = Race::run(rounds, &mut runs, stop)?;
                let mut alone: Vec<Box<dyn FnMut() -> u64>> =
                    vec![Box::new(|| (0..passes).fold(0, |_, _| contenders[0].run(pattern)))];
                race.seconds.insert(0, Race::run(rounds, &mut alone, stop)?.seconds.remove(0));
                Ok(race)
            })?;
            races.push(race);
        }
        let find = |name: &str| contenders.iter().position(|contender| contender.name == name);
        let (Some(magic), Some(ray), Some(walk), Some(chains)) =
            (find(MAGIC), find(RAY_SCAN), find(WALK), find(CHAINS))
        else {
            return Err(Halt::Wrong("a contender is missing".to_owned()));
        };
        let mut findings = Findings::default();
        let mut columns = vec![
            ("way", Origin::Label),
            ("KiB", Origin::Counted),
            ("occupancies right", Origin::Counted),
        ];
        for pattern in Pattern::ALL {
            columns.push((pattern.name(), Origin::Timed));
        }
        columns.push(("games, against magic", Origin::Timed));
        let mut table = Table::new("times", "Nanoseconds per attack set", &columns);
        for (i, contender) in contenders.iter().enumerate() {
            let mut row: Vec<Cell> = vec![
                contender.name.into(),
                Cell::Number { value: contender.bytes.div_ceil(1024) as f64, decimals: 0 },
                if contender.name == NOTHING { Cell::none() } else { right[i].into() },
            ];
            for (pattern, race) in Pattern::ALL.into_iter().zip(&races) {
                let each = 1e9 / (passes * field.work().look_ups(pattern)) as f64;
                row.push(race.of(i).times(each).cell(2));
            }
            row.push(races[0].ratio(i, magic).cell(2));
            table.row(row);
        }
        let meanings: Vec<String> =
            Pattern::ALL.map(|pattern| format!("{}: {}", pattern.name(), pattern.meaning())).into();
        table.note = format!("Medians of {rounds} rounds, in turns. {}.", meanings.join("; "));
        findings.tables.push(table);
        let others: Vec<usize> = (1..contenders.len()).collect();
        let series = |pattern: usize| {
            let each = 1e9 / (passes * field.work().look_ups(Pattern::ALL[pattern])) as f64;
            let spreads = others.iter().map(|&i| races[pattern].of(i).times(each)).collect();
            Series::timed(Pattern::ALL[pattern].name(), spreads)
        };
        findings.plots.push(Plot::bars(
            "times",
            "One attack set",
            "Nanoseconds, loop included; whiskers show all rounds.",
            others.iter().map(|&i| contenders[i].name.to_owned()).collect(),
            (0..Pattern::ALL.len()).map(series).collect(),
            None,
        ));
        let wrong = right.iter().skip(1).filter(|&&right| right != OCCUPANCIES).count();
        findings.number("ways that are wrong somewhere", wrong as f64);
        for (pattern, race) in Pattern::ALL.into_iter().zip(&races) {
            let ratio = race.ratio(magic, ray).times(100.0);
            let name = format!("magic against ray scan, {}", pattern.name());
            findings.measured(&name, ratio.median, ratio.low, ratio.high);
        }
        let chained = races[0].ratio(chains, walk);
        findings.measured("chained tables over walk", chained.median, chained.low, chained.high);
        Ok(findings)
    }
}
