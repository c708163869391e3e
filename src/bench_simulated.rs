//! `tabiya bench --simulate`: what more processors would be worth.

use crate::Outcome;
use crate::bench_parallel::{geometric_mean, median, spread};
use crate::progress::progress_bar;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use tabiya_chart::{Chart, Curve, Drawing, LineChart, Point, YScale};
use tabiya_engine::Engine;
use tabiya_engine::scaling::{jobs, vary};
use tabiya_engine::simulate::{Simulated, Simulator};
use tabiya_engine::ybwc::Latencies;
use tabiya_files::write;

/// How many processors, and what they are like.
#[derive(clap::Args)]
pub(crate) struct SimulationArgs {
    /// Simulate P processors instead, in virtual time, with the real search.
    #[arg(long, value_name = "P,...", value_delimiter = ',', conflicts_with = "threads", value_parser = clap::value_parser!(u16).range(1..=1024))]
    simulate: Vec<u16>,
    /// Draw the simulation's curves to this file.
    #[arg(long, value_name = "SVG", requires = "simulate")]
    plot: Option<PathBuf>,
    /// Bring back defects of the thesis's program: D4 (a move twice), D5 (alpha not shared), D6 (the
    /// root not split, and owners taken away).
    #[arg(
        long,
        value_name = "D,...",
        value_delimiter = ',',
        requires = "simulate",
        ignore_case = true
    )]
    defects: Vec<Defect>,
    /// Nanoseconds that a node, a split, a wake-up, a join, a merge and a stop take.
    #[arg(long, value_name = "NS,NS,NS,NS,NS,NS", requires = "simulate", value_parser = latencies)]
    latencies: Option<Latencies>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Defect {
    D4,
    D5,
    D6,
}

fn latencies(text: &str) -> Result<Latencies, String> {
    /// A second.
    const LONGEST: u64 = 1_000_000_000;
    let numbers: Result<Vec<u64>, _> = text.split(',').map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[node, split, wake, join, merge, stop])
            if node > 0
                && [node, split, wake, join, merge, stop].iter().all(|&ns| ns <= LONGEST) =>
        {
            Ok(Latencies { node, split, wake, join, merge, stop })
        }
        _ => Err(format!(
            "this should be six whole numbers up to {LONGEST}, the first of them not 0"
        )),
    }
}

impl SimulationArgs {
    /// Is any of this asked for?
    pub(crate) fn is_wanted(&self) -> bool {
        !self.simulate.is_empty()
    }

    /// Simulates, with engines made ready by `ready`.
    pub(crate) fn run(
        &self,
        depth: u32,
        hash: usize,
        repetitions: u16,
        ready: &dyn Fn() -> Result<Engine, Box<dyn std::error::Error>>,
        out: &mut dyn Write,
    ) -> Outcome {
        let jobs = jobs(depth);
        let rounds = usize::from(repetitions) * (1 + self.simulate.len());
        let bar = progress_bar((rounds * jobs.len()) as u64, "positions");
        // Every repetition has a search of its own, and that with one processor to compare with.
        let (mut simulators, mut program) = (Vec::new(), None);
        for repetition in 0..repetitions {
            let mut engine = ready()?;
            (0..repetition).try_for_each(|_| vary(&mut engine))?;
            simulators.push(self.simulator(&engine, hash));
            program.get_or_insert_with(|| engine.program());
        }
        let mut search = |processors: u16| {
            beside_each_other(&mut simulators, |simulator| {
                let each = jobs.iter().map(|job| {
                    let many = usize::from(processors);
                    let simulated = simulator.run(&job.position, job.depth, many);
                    bar.inc(1);
                    simulated
                });
                each.collect()
            })
        };
        let alone = search(1)?;
        if let Some(program) = program {
            writeln!(out, "{program}")?;
        }
        writeln!(
            out,
            "simulated: ten positions to depth {depth}; memory and caches cost nothing\n\
             all ratios are to one processor: median (least to greatest) of {repetitions}"
        )?;
        writeln!(
            out,
            "{:>10}{:>14}{:>22}{:>22}{:>22}{:>8}{:>10}{:>8}{:>13}",
            "processors",
            "nodes",
            "tree",
            "time to depth",
            "by position",
            "idle %",
            "splits",
            "cut %",
            "superfluous"
        )?;
        let mut curves =
            [("time to depth", false), ("tree growth", false), ("thesis: tree", true)].map(
                |(name, reference)| Curve { name: name.to_owned(), reference, points: Vec::new() },
            );
        for &processors in &self.simulate {
            let rounds: Vec<Round> = alone
                .iter()
                .zip(search(processors)?)
                .map(|(alone, many)| Round { alone: alone.clone(), many })
                .collect();
            let of_rounds = |get: fn(&Round) -> f64| rounds.iter().map(get).collect::<Vec<f64>>();
            let total = |get: fn(&Simulated) -> u64| -> f64 {
                rounds.iter().map(|round| sum(get, &round.many)).sum()
            };
            let (tree, time) = (of_rounds(Round::tree), of_rounds(Round::time));
            let (splits, cutoffs) = (total(|s| s.counts.splits), total(|s| s.counts.cutoffs));
            let idle = total(|s| s.parked) / (f64::from(processors) * total(|s| s.time));
            writeln!(
                out,
                "{processors:>10}{:>14.0}{:>22}{:>22}{:>22}{:>8.1}{:>10.0}{:>8.1}{:>13.1}",
                total(|s| s.nodes) / f64::from(repetitions),
                spread(&tree),
                spread(&time),
                spread(&of_rounds(Round::mean_time)),
                100.0 * idle,
                splits / f64::from(repetitions),
                100.0 * cutoffs / splits.max(1.0),
                total(|s| s.counts.superfluous) / cutoffs.max(1.0),
            )?;
            let p = f64::from(processors);
            let heights = [median(&time), median(&tree), 1.0 + 0.10 * (p - 1.0)];
            for (line, y) in curves.iter_mut().zip(heights) {
                line.points.push(Point::exact(p, y));
            }
        }
        bar.finish_and_clear();
        if let Some(path) = &self.plot {
            let chart = Chart {
                title: "Simulated processors".to_owned(),
                subtitle: format!("ten positions to depth {depth}, as ratios to one processor"),
                drawing: Drawing::Lines(LineChart {
                    x: "processors".to_owned(),
                    y: "ratio".to_owned(),
                    axis: YScale::FromZero,
                    curves: curves.into(),
                }),
            };
            write(path, chart.svg().as_bytes())?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn simulator(&self, engine: &Engine, hash: usize) -> Simulator {
        let mut simulator = Simulator::of(engine, hash);
        simulator.latencies = self.latencies.unwrap_or_default();
        let has = |defect| self.defects.contains(&defect);
        let rules = &mut simulator.rules;
        // Where a move is searched twice at a time, its full-window search cannot be tracked.
        (rules.repeats_move, rules.pause) = (has(Defect::D4), rules.pause && !has(Defect::D4));
        rules.private_alpha = has(Defect::D5);
        (rules.whole_root, rules.captured_owner) = (has(Defect::D6), has(Defect::D6));
        simulator
    }
}

/// Has all simulators work at a time, on as many cores as there are: virtual time does not mind what runs
/// beside it.
fn beside_each_other(
    simulators: &mut [Simulator],
    work: impl Fn(&mut Simulator) -> io::Result<Vec<Simulated>> + Sync,
) -> io::Result<Vec<Vec<Simulated>>> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let share = simulators.len().div_ceil(cores).max(1);
    let work = &work;
    thread::scope(|scope| {
        let shares: Vec<_> = simulators
            .chunks_mut(share)
            .map(|some| scope.spawn(move || some.iter_mut().map(work).collect()))
            .collect();
        let results = shares.into_iter().map(|share| -> io::Result<Vec<Vec<Simulated>>> {
            share.join().map_err(|_| io::Error::other("a simulation failed; this is a bug"))?
        });
        results.collect::<io::Result<Vec<_>>>().map(|each| each.concat())
    })
}

/// All positions by several processors, and by one.
struct Round {
    alone: Vec<Simulated>,
    many: Vec<Simulated>,
}

impl Round {
    fn tree(&self) -> f64 {
        sum(|s| s.nodes, &self.many) / sum(|s| s.nodes, &self.alone)
    }

    fn time(&self) -> f64 {
        sum(|s| s.time, &self.alone) / sum(|s| s.time, &self.many)
    }

    /// The geometric mean of the positions.
    fn mean_time(&self) -> f64 {
        let both = self.alone.iter().zip(&self.many);
        geometric_mean(both.map(|(one, many)| one.time as f64 / many.time as f64))
    }
}

fn sum(get: fn(&Simulated) -> u64, of: &[Simulated]) -> f64 {
    of.iter().map(get).sum::<u64>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_are_six_numbers() {
        assert_eq!(latencies("1,2,3,4,5,6").unwrap().merge, 5);
        assert!(latencies("0,2,3,4,5,6").is_err() && latencies("1,2").is_err());
        assert!(latencies("").is_err());
    }
}
