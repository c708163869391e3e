//! `tabiya bench --threads`: what more threads are worth.

use crate::Outcome;
use crate::bench_simulated::SimulationArgs;
use crate::progress::progress_bar;
use indicatif::ProgressBar;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;
use tabiya_engine::scaling::{Effort, ScalingJob, deepen, jobs, run, together, vary};
use tabiya_engine::ybwc::SplitCounts;
use tabiya_engine::{Analyst, AnalystError, Engine, OptionError, OptionKind, ProbeCount};

/// How many threads, how they share the work, and what is to be known of it.
#[derive(clap::Args)]
pub(crate) struct ParallelArgs {
    /// Measure node rate, tree growth and time to depth with N threads, in ten positions.
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Vec<u16>,
    /// How the threads share the work: modes of the option Parallel Mode, or all of them.
    #[arg(
        long,
        value_name = "MODE,...",
        value_delimiter = ',',
        default_value = "all",
        requires = "threads"
    )]
    parallel: Vec<String>,
    /// How often everything is measured: each time with a slightly wider window at the root, for one
    /// thread and for many, since a search is chaotic and one alone proves nothing.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=40))]
    repetitions: u16,
    /// Look deeper, position by position, until one thread takes so long.
    #[arg(long, value_name = "SECONDS", default_value = "0", requires = "threads", value_parser = seconds)]
    least_time: Duration,
    #[command(flatten)]
    simulation: SimulationArgs,
}

fn seconds(text: &str) -> Result<Duration, String> {
    /// A day.
    const LONGEST: f64 = 86_400.0;
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(format!("this should be a number of seconds from 0 to {LONGEST}")),
    }
}

impl ParallelArgs {
    /// Is any of this asked for?
    pub(crate) fn is_wanted(&self) -> bool {
        !self.threads.is_empty() || self.simulation.is_wanted()
    }

    /// Measures or simulates, with engines made ready by `ready`.
    pub(crate) fn run(
        &self,
        depth: u32,
        hash: usize,
        ready: &dyn Fn() -> Result<Engine, Box<dyn std::error::Error>>,
        out: &mut dyn Write,
    ) -> Outcome {
        if self.threads.is_empty() {
            self.simulation.run(depth, hash, self.repetitions, ready, out)
        } else {
            self.measure(depth, ready, out)
        }
    }

    fn measure(
        &self,
        depth: u32,
        ready: &dyn Fn() -> Result<Engine, Box<dyn std::error::Error>>,
        out: &mut dyn Write,
    ) -> Outcome {
        let mut plain = ready()?;
        let modes = self.modes(&plain)?;
        let mut jobs = jobs(depth);
        deepen(&mut plain, &mut jobs, self.least_time)?;
        writeln!(out, "{}", plain.program())?;
        drop(plain);
        let depths: Vec<_> = jobs.iter().map(|job| format!("{} {}", job.name, job.depth)).collect();
        writeln!(out, "depths: {}", depths.join(", "))?;
        writeln!(
            out,
            "all ratios are to one thread in the same mode: median (least to greatest) of {}",
            self.repetitions
        )?;
        let bar = progress_bar(
            (self.threads.len() * usize::from(self.repetitions) * jobs.len()) as u64,
            "positions",
        );
        for &threads in &self.threads {
            let mut bench = Bench::new(&modes, threads, ready)?;
            let mut laps = Vec::new();
            for repetition in 0..self.repetitions {
                if repetition > 0 {
                    bench.vary()?;
                }
                laps.push(bench.lap(&jobs, usize::from(repetition), &bar)?);
            }
            tell(threads, &modes, &laps, out)?;
        }
        bar.finish_and_clear();
        Ok(ExitCode::SUCCESS)
    }

    fn modes(&self, engine: &Engine) -> Result<Vec<String>, clap::Error> {
        let mode = engine.options().iter().find(|option| option.name == "Parallel Mode");
        let Some(OptionKind::Combo { choices, .. }) = mode.map(|option| &option.kind) else {
            return Ok(Vec::new());
        };
        if self.parallel.iter().any(|mode| mode == "all") {
            return Ok(choices.clone());
        }
        match self.parallel.iter().find(|mode| !choices.contains(mode)) {
            None => Ok(self.parallel.clone()),
            Some(unknown) => Err(clap::Error::raw(
                clap::error::ErrorKind::InvalidValue,
                format!("--parallel takes {} or all, not {unknown:?}\n", choices.join(", ")),
            )),
        }
    }
}

/// The engines that are measured beside each other.
struct Bench {
    /// As many as there are threads, each for itself.
    apart: Vec<Engine>,
    /// For every mode with all threads, and with one where that is not the plain search.
    modes: Vec<(Option<Engine>, Engine)>,
}

/// Everything once: position by position, so that whatever slows the machine down slows all of it.
#[derive(Default)]
struct Lap {
    /// One engine alone, for every position.
    plain: Vec<Effort>,
    /// For every other position, one engine alone and as many at once as there are threads: all of their
    /// nodes in the time that these take at the sum of their rates.
    ceiling: [Vec<Effort>; 2],
    /// For every mode: with one thread, and with all.
    modes: Vec<[Vec<Effort>; 2]>,
}

impl Bench {
    fn new(
        modes: &[String],
        threads: u16,
        ready: &dyn Fn() -> Result<Engine, Box<dyn std::error::Error>>,
    ) -> Result<Bench, Box<dyn std::error::Error>> {
        let with = |mode: &str, threads: u16| -> Result<Engine, Box<dyn std::error::Error>> {
            let mut engine = ready()?;
            engine.set_option("Parallel Mode", mode)?;
            engine.set_option("Threads", &threads.to_string())?;
            Ok(engine)
        };
        Ok(Bench {
            apart: (0..threads).map(|_| ready()).collect::<Result<_, _>>()?,
            modes: modes
                .iter()
                .map(|mode| {
                    let alone = (mode == "deterministic").then(|| with(mode, 1)).transpose()?;
                    Ok((alone, with(mode, threads)?))
                })
                .collect::<Result<_, Box<dyn std::error::Error>>>()?,
        })
    }

    /// Another search that is as good, everywhere.
    fn vary(&mut self) -> Result<(), OptionError> {
        let of_modes = self.modes.iter_mut().flat_map(|(alone, all)| alone.iter_mut().chain([all]));
        self.apart.iter_mut().chain(of_modes).try_for_each(vary)
    }

    fn lap(
        &mut self,
        jobs: &[ScalingJob],
        number: usize,
        bar: &ProgressBar,
    ) -> Result<Lap, AnalystError> {
        let mut lap = Lap { modes: vec![Default::default(); self.modes.len()], ..Lap::default() };
        for (index, job) in jobs.iter().enumerate() {
            let plain = run(&mut self.apart[0], job)?;
            lap.plain.push(plain);
            // Rates hardly differ from position to position: in the next lap it is the others' turn.
            if (index + number).is_multiple_of(2) {
                let [alone, apart] = &mut lap.ceiling;
                alone.push(plain);
                apart.push(at_once(&together(&mut self.apart, job)?));
            }
            for ((alone, all), [one, many]) in self.modes.iter_mut().zip(&mut lap.modes) {
                one.push(alone.as_mut().map_or(Ok(plain), |alone| run(alone, job))?);
                many.push(run(all, job)?);
            }
            bar.inc(1);
        }
        Ok(lap)
    }
}

impl Lap {
    /// How many times the node rate of one engine several have that search at once.
    fn ceiling(&self) -> f64 {
        let [alone, apart] = &self.ceiling;
        Ratios::new(alone, apart).rate
    }
}

fn tell(threads: u16, modes: &[String], laps: &[Lap], out: &mut dyn Write) -> std::io::Result<()> {
    let of_laps = |get: &dyn Fn(&Lap) -> f64| laps.iter().map(get).collect::<Vec<f64>>();
    writeln!(out, "\n{threads} threads; ceiling {}", spread(&of_laps(&Lap::ceiling)))?;
    writeln!(
        out,
        "{:8}{:>24}{:>24}{:>24}{:>24}",
        "mode", "node rate", "of the ceiling", "tree", "time to depth"
    )?;
    for (index, mode) in modes.iter().enumerate() {
        let ratios = |lap: &Lap| {
            let [one, many] = &lap.modes[index];
            Ratios::new(one, many)
        };
        writeln!(
            out,
            "{mode:8}{:>24}{:>24}{:>24}{:>24}",
            spread(&of_laps(&|lap| ratios(lap).rate)),
            spread(&of_laps(&|lap| ratios(lap).rate / lap.ceiling())),
            spread(&of_laps(&|lap| ratios(lap).tree)),
            spread(&of_laps(&|lap| ratios(lap).time)),
        )?;
        writeln!(
            out,
            "        time to depth by geometric mean of the positions: {}",
            spread(&of_laps(&|lap| ratios(lap).mean_time))
        )?;
        // The others are the plain search when they are alone.
        let alone = |lap: &Lap| Ratios::new(&lap.plain, &lap.modes[index][0]);
        if laps.iter().any(|lap| alone(lap).tree != 1.0) {
            writeln!(
                out,
                "        one thread in this mode against the plain search: tree {}, time to depth {}",
                spread(&of_laps(&|lap| alone(lap).tree)),
                spread(&of_laps(&|lap| alone(lap).time)),
            )?;
        }
        let [one, many] =
            [0, 1].map(|which| laps.iter().flat_map(move |lap| &lap.modes[index][which]));
        let counts: SplitCounts = many.clone().map(|effort| effort.counts).sum();
        if counts.splits > 0 {
            let time: Duration = many.clone().map(|effort| effort.time).sum();
            tell_counts(&counts, time * u32::from(threads), out)?;
        }
        let [one, many] = [one.collect(), many.collect()].map(|efforts: Vec<&Effort>| {
            let sum = |get: fn(&ProbeCount) -> u64| -> u64 {
                efforts.iter().map(|effort| get(&effort.probes)).sum()
            };
            let (odd, asked) = (sum(|probes| probes.inconsistent), sum(|probes| probes.all));
            format!("{odd} of {asked} ({:.1e})", odd as f64 / f64::max(asked as f64, 1.0))
        });
        writeln!(
            out,
            "        the table's answers with a move that is illegal there: {many}, with one thread {one}"
        )?;
    }
    Ok(())
}

/// Searches that ran at once, as one.
fn at_once(efforts: &[Effort]) -> Effort {
    let nodes = efforts.iter().map(|effort| effort.nodes).sum();
    let seconds = nodes as f64 / efforts.iter().map(rate).sum::<f64>().max(1e-9);
    Effort { nodes, time: Duration::from_secs_f64(seconds), ..Effort::default() }
}

/// In nodes a second.
fn rate(effort: &Effort) -> f64 {
    effort.nodes as f64 / effort.time.as_secs_f64().max(1e-9)
}

/// Several threads beside one.
struct Ratios {
    rate: f64,
    tree: f64,
    time: f64,
    mean_time: f64,
}

impl Ratios {
    fn new(one: &[Effort], many: &[Effort]) -> Ratios {
        let nodes = |efforts: &[Effort]| efforts.iter().map(|e| e.nodes).sum::<u64>() as f64;
        let time = |efforts: &[Effort]| {
            efforts.iter().map(|e| e.time).sum::<Duration>().as_secs_f64().max(1e-9)
        };
        let seconds = |effort: &Effort| effort.time.as_secs_f64().max(1e-9);
        let each = one.iter().zip(many).map(|(one, many)| seconds(one) / seconds(many));
        Ratios {
            rate: nodes(many) / time(many) / (nodes(one) / time(one)),
            tree: nodes(many) / nodes(one),
            time: time(one) / time(many),
            mean_time: geometric_mean(each),
        }
    }
}

/// The statistics that the thesis wished for (8.1).
fn tell_counts(
    counts: &SplitCounts,
    processor_time: Duration,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let part = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    let processor_time = processor_time.as_nanos() as u64;
    writeln!(
        out,
        "        {} splits and {} offers in vain, {:.2} helpers each; splitting takes {:.1} us, {:.2} % of the time of all; \
         {:.1} % end in a cutoff, with {:.0} superfluous nodes each; threads idle {:.1} % of the time",
        counts.splits,
        counts.vain,
        part(counts.joins, counts.splits),
        part(counts.split_time, counts.splits + counts.vain) / 1000.0,
        100.0 * part(counts.split_time, processor_time),
        100.0 * part(counts.cutoffs, counts.splits),
        part(counts.superfluous, counts.cutoffs),
        100.0 * part(counts.idle_time, processor_time),
    )
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// The median, and the least and the greatest.
pub(crate) fn spread(values: &[f64]) -> String {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!("{:.2} ({least:.2} to {greatest:.2})", median(values))
}

pub(crate) fn geometric_mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, logs) = values.fold((0u32, 0.0), |(n, sum), value| (n + 1, sum + value.ln()));
    (logs / f64::from(count.max(1))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_and_ranges() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(spread(&[1.5, 1.0, 2.0]), "1.50 (1.00 to 2.00)");
        assert!((geometric_mean([2.0, 8.0].into_iter()) - 4.0).abs() < 1e-12);
    }

    #[test]
    fn time_is_rate_over_tree() {
        let effort =
            |nodes, ms| Effort { nodes, time: Duration::from_millis(ms), ..Effort::default() };
        let ratios = Ratios::new(&[effort(1000, 100)], &[effort(1200, 60)]);
        assert!((ratios.tree - 1.2).abs() < 1e-9 && (ratios.rate - 2.0).abs() < 1e-9);
        assert!((ratios.time - ratios.rate / ratios.tree).abs() < 1e-9);
    }

    #[test]
    fn searches_at_once_add_their_rates() {
        let effort =
            |nodes, ms| Effort { nodes, time: Duration::from_millis(ms), ..Effort::default() };
        let both = at_once(&[effort(1000, 100), effort(1000, 50)]);
        assert_eq!(both.nodes, 2000);
        assert!((rate(&both) - 30_000.0).abs() < 1e-3);
    }
}
