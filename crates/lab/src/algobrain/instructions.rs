//! Instructions per attack set.

use super::WORK;
use crate::frame::callgrind::Request;
use crate::frame::experiment::{Card, Experiment, Halt, Lab};
use crate::frame::findings::Findings;
use crate::frame::plot::{Plot, Series};
use crate::frame::table::{Cell, Origin, Table};
use crate::sliders::contest::{Field, MAGIC, NOTHING, PACKED, RAY_SCAN};
use crate::sliders::work::Pattern;
use crate::specimen::REGION;

pub(super) struct Instructions;

const PATTERNS: [Pattern; 2] = [Pattern::Games, Pattern::Random];
const FIGURES: [&str; 3] =
    ["ray scan over magic", "instructions of a ray scan", "instructions of a magic look-up"];

impl Experiment for Instructions {
    fn card(&self) -> Card {
        Card {
            id: "instructions",
            work: WORK,
            title: "Attack sets in instructions",
            question: "The paper compares code by counting instructions: 47 for the classical ray scan, 15 \
                       for magic. Here the instructions are counted that are executed, per attack set, \
                       less those of the loop around it.",
        }
    }

    fn run(&self, lab: &mut Lab<'_>) -> Result<Findings, Halt> {
        let mut findings = Findings::default();
        let field = Field::default();
        // Packing would take minutes under the counter.
        let contenders = field.contenders(|name| name != PACKED, false);
        let names: Vec<&str> = contenders.iter().map(|contender| contender.name).collect();
        let cases: Vec<(String, String)> = names
            .iter()
            .flat_map(|name| PATTERNS.map(|pattern| (*name, pattern.name())))
            .map(|(name, pattern)| {
                (format!("{name}, {pattern}"), format!("sliders:{name}:{pattern}"))
            })
            .collect();
        let args: Vec<[&str; 3]> =
            cases.iter().map(|(_, specimen)| ["lab", "specimen", specimen]).collect();
        let requests: Vec<(&str, Request<'_>)> = cases
            .iter()
            .zip(&args)
            .map(|((step, _), args)| {
                (step.as_str(), Request { args, region: Some(REGION), calls: None })
            })
            .collect();
        let profiles = match lab.count(&requests)? {
            Ok(profiles) => profiles,
            Err(why) => {
                for figure in FIGURES {
                    findings.lacks(figure, &why);
                }
                findings.note(format!("No instructions were counted: {why}."));
                return Ok(findings);
            }
        };
        let look_ups = PATTERNS.map(|pattern| field.work().look_ups(pattern) as f64);
        let each =
            |profile: usize, pattern: usize| profiles[profile].total as f64 / look_ups[pattern];
        let counts: Vec<[f64; 2]> =
            (0..names.len()).map(|i| [each(2 * i, 0), each(2 * i + 1, 1)]).collect();
        let of = |wanted: &str| {
            names.iter().position(|name| *name == wanted).map_or([0.0; 2], |i| counts[i])
        };
        let alone = of(NOTHING);
        let net = |counts: [f64; 2]| [counts[0] - alone[0], counts[1] - alone[1]];
        let columns = [
            ("way", Origin::Label),
            ("as compiled", Origin::Printed),
            ("executed, games", Origin::Counted),
            ("executed, random", Origin::Counted),
        ];
        let mut table = Table::new("instructions", "Instructions per attack set", &columns);
        for (name, counts) in names.iter().zip(&counts) {
            let printed = lab.printed("results").cell(name, "instructions");
            let [games, random] = if *name == NOTHING { *counts } else { net(*counts) };
            let cell = |value| Cell::Number { value, decimals: 1 };
            table.row(vec![(*name).into(), printed, cell(games), cell(random)]);
        }
        table.note = "The paper counts the instructions of its compiled functions; a ray scan with ifs \
                      executes fewer or more of them as rays are free or not. The loop's own are taken off \
                      all others."
            .to_owned();
        findings.tables.push(table);
        let (ray, magic) = (net(of(RAY_SCAN)), net(of(MAGIC)));
        findings.number(FIGURES[0], ray[0] / magic[0].max(1e-9));
        findings.number(FIGURES[1], ray[0]);
        findings.number(FIGURES[2], magic[0]);
        let ways: Vec<usize> = (0..names.len()).filter(|&i| names[i] != NOTHING).collect();
        findings.plots.push(Plot::bars(
            "executed",
            "Instructions per attack set",
            "Executed, less those of the loop; the same on every run of the same program.",
            ways.iter().map(|&i| names[i].to_owned()).collect(),
            PATTERNS
                .iter()
                .enumerate()
                .map(|(p, pattern)| {
                    let values = ways.iter().map(|&i| Some(net(counts[i])[p])).collect();
                    Series::counted(pattern.name(), values)
                })
                .collect(),
            None,
        ));
        Ok(findings)
    }
}
