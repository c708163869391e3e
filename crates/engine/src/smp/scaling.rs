//! Scaling with threads: node rate, tree growth and time to depth, which are three things.
//!
//! The positions are ten of Bratko and Kopec's, those of Rasmussen's thesis of 2004, whose figures these
//! are to stand beside.

use crate::analyst::{Analyst, AnalystError, Event, EventSink, Limits, RunOn};
use crate::bench::{BRATKO_KOPEC, DEEPEST, Stopper};
use crate::engine::Engine;
use crate::options::OptionError;
use crate::score::Bound;
use crate::search::ProbeCount;
use crate::smp::pool;
use crate::smp::ybwc::SplitCounts;
use core::time::Duration;
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::time::Instant;
use tabiya_chess::{Epd, Game, Position};

/// The ten of the suite that the thesis searched.
const OF_THE_THESIS: [&str; 10] =
    ["BK.03", "BK.09", "BK.10", "BK.11", "BK.12", "BK.13", "BK.17", "BK.19", "BK.23", "BK.24"];

/// A position and how deep to look into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalingJob {
    /// The position's name.
    pub name: String,
    /// The position.
    pub position: Position,
    /// How deep.
    pub depth: u32,
}

/// What a job took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Nodes of all threads.
    pub nodes: u64,
    /// From the start to the depth.
    pub time: Duration,
    /// What happened at the splits, if there were any.
    pub counts: SplitCounts,
    /// How the table answered.
    pub probes: ProbeCount,
}

/// The thesis's positions, all to one depth.
pub fn jobs(depth: u32) -> Vec<ScalingJob> {
    let suite = BRATKO_KOPEC.lines().filter_map(|line| line.parse::<Epd>().ok());
    suite
        .filter_map(|epd| {
            let name = epd.id()?.into_owned();
            let position = epd.position().clone();
            OF_THE_THESIS.contains(&name.as_str()).then_some(ScalingJob { name, position, depth })
        })
        .collect()
}

/// Does a job, with an empty table.
pub fn run(engine: &mut Engine, job: &ScalingJob) -> Result<Effort, AnalystError> {
    engine.new_game()?;
    let limits = Limits { depth: Some(job.depth), ..Limits::default() };
    let begin = Instant::now();
    let game = Game::new(job.position.clone());
    let search = engine.search(&game, &limits, RunOn::OwnThread, None)?;
    let result = search.wait()?;
    let time = begin.elapsed();
    let nodes = result.info.map_or(0, |info| info.nodes);
    Ok(Effort { nodes, time, counts: engine.split_counts(), probes: engine.probes() })
}

/// Lets a tunable engine search another tree from now on that is as good: a deep search is so chaotic that
/// one alone, lucky or not, proves nothing, and the window at the root being a little wider than before
/// is change enough.
pub fn vary(engine: &mut Engine) -> Result<(), OptionError> {
    let wider = engine.params().aspiration_window + 1;
    engine.set_option("aspiration_window", &wider.to_string())
}

/// Makes each job so deep that it takes so long.
pub fn deepen(
    engine: &mut Engine,
    jobs: &mut [ScalingJob],
    least: Duration,
) -> Result<(), AnalystError> {
    if least.is_zero() {
        return Ok(());
    }
    let limits = Limits { depth: Some(DEEPEST), ..Limits::default() };
    for job in jobs {
        engine.new_game()?;
        let stopper = Arc::new(Stopper::default());
        let (tell, depth_times) = channel();
        let (least_depth, enough) = (job.depth, Arc::clone(&stopper));
        // One search tells how long it took to each depth.
        let report = move |event: &Event| {
            if let Event::Info(info) = event
                && info.bound == Bound::Exact
                && info.depth >= least_depth
            {
                // Somebody listens as long as the search lasts.
                let _ = tell.send((info.depth, info.time));
                if info.time >= least {
                    enough.stop();
                }
            }
        };
        let (game, report): (_, EventSink) = (Game::new(job.position.clone()), Box::new(report));
        let search = engine.search(&game, &limits, RunOn::OwnThread, Some(report))?;
        stopper.follow(&search);
        search.wait()?;
        let depths: Vec<_> = depth_times.try_iter().collect();
        let enough = depths.iter().find(|(_, time)| *time >= least).or(depths.last());
        job.depth = enough.map_or(job.depth, |&(depth, _)| depth);
    }
    Ok(())
}

/// A job done by several engines at once, each for itself: what the machine has to give.
pub fn together(engines: &mut [Engine], job: &ScalingJob) -> Result<Vec<Effort>, AnalystError> {
    let barrier = Barrier::new(engines.len());
    std::thread::scope(|scope| {
        let work = |engine| {
            let barrier = &barrier;
            let work = move || {
                barrier.wait();
                run(engine, job)
            };
            let thread = std::thread::Builder::new().stack_size(pool::STACK);
            thread.spawn_scoped(scope, work).expect("a thread can be had")
        };
        let threads: Vec<_> = engines.iter_mut().map(work).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("an engine reports its own panics"))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_positions_are_there() {
        let names: Vec<_> = jobs(5).into_iter().map(|job| job.name).collect();
        assert_eq!(names, OF_THE_THESIS);
    }

    #[test]
    fn a_variant_is_another_tree() {
        let mut engine = Engine::tunable().unwrap();
        let job = &jobs(8)[0];
        let before = run(&mut engine, job).unwrap().nodes;
        vary(&mut engine).unwrap();
        let after = run(&mut engine, job).unwrap().nodes;
        assert_ne!(after, before);
        assert_eq!(run(&mut engine, job).unwrap().nodes, after);
    }

    #[test]
    fn efforts_are_of_the_depth_asked_for() {
        let mut engine = Engine::new().unwrap();
        let jobs = jobs(4);
        let shallow = run(&mut engine, &jobs[0]).unwrap();
        assert_eq!(shallow.nodes, run(&mut engine, &jobs[0]).unwrap().nodes);
        let mut deeper = jobs[..1].to_vec();
        // Far more than four plies take on any machine.
        deepen(&mut engine, &mut deeper, Duration::from_millis(500)).unwrap();
        assert!(deeper[0].depth > 4);
        assert!(run(&mut engine, &deeper[0]).unwrap().nodes > shallow.nodes);
        let mut engines = [Engine::new().unwrap(), Engine::new().unwrap()];
        let efforts = together(&mut engines, &jobs[0]).unwrap();
        assert!(efforts.iter().all(|effort| effort.nodes == shallow.nodes), "{efforts:?}");
    }
}
