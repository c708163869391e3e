//! The simulator: the real search with the real YBWC protocol, on virtual processors.
//!
//! The result is the same every time: tree growth, time to depth and idle time, if a node and each step of
//! the protocol took exactly its latency, and memory and caches took no time.

use crate::analyst::Limits;
use crate::engine::Engine;
use crate::evaluation::EvalSource;
use crate::history::Sharing;
use crate::params::Params;
use crate::search::{SharedContext, ThreadData};
use crate::smp::local_search::SearchTask;
use crate::smp::pool;
use crate::smp::ybwc::SplitMember;
use crate::smp::ybwc::{Latencies, SplitCounts, SplitPool, SplitRules, VirtualTime};
use crate::smp::{SplitPolicy, ThreadSlot, share_histories};
use crate::sync::lock;
use crate::tt::TranspositionTable;
use core::sync::atomic::Ordering;
use std::io;
use std::sync::{Arc, Mutex};
use tabiya_chess::{Game, Position};

/// How many nodes a processor may be ahead of another before it has to wait.
const GRAIN: u64 = 16;

/// Virtual processors that share one TT.
pub struct Simulator {
    slots: Vec<ThreadSlot>,
    source: EvalSource,
    params: Params,
    /// Megabytes of the table.
    pub hash: usize,
    /// How long things take.
    pub latencies: Latencies,
    /// What may be split, and how.
    pub rules: SplitRules,
    /// Which histories the processors share.
    pub sharing: Sharing,
    /// At most this many processors share correction history alone, and offer nothing while none is idle.
    pub few: usize,
}

/// What a simulated search came to.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Simulated {
    /// How many virtual processors there were.
    pub processors: usize,
    /// Nodes of all of them.
    pub nodes: u64,
    /// Nanoseconds of virtual time until the depth was reached.
    pub time: u64,
    /// Nanoseconds that they were parked, all together.
    pub parked: u64,
    /// What happened at the splits.
    pub counts: SplitCounts,
}

impl Simulator {
    /// Processors that search as an engine does, with a TT of `hash` megabytes.
    pub fn of(engine: &Engine, hash: usize) -> Simulator {
        let params = engine.params();
        let SplitPolicy { rules, sharing, few } = SplitPolicy::of(&params);
        Simulator {
            slots: Vec::new(),
            source: engine.eval_source(),
            hash,
            latencies: Latencies::default(),
            rules,
            sharing,
            few,
            params,
        }
    }

    /// Searches a position to a depth with `processors` processors, whose TT and histories are empty.
    pub fn run(
        &mut self,
        position: &Position,
        depth: u32,
        processors: usize,
    ) -> io::Result<Simulated> {
        let processors = processors.max(1);
        while self.slots.len() < processors {
            let mut thread = ThreadData::new(self.params.clone());
            thread.evaluate_by(self.source.clone());
            self.slots.push(Arc::new(Mutex::new(thread)));
        }
        let &mut Simulator { rules, sharing, few, latencies, .. } = self;
        let SplitPolicy { rules, sharing, .. } =
            SplitPolicy { rules, sharing, few }.among(processors);
        share_histories(&self.slots, sharing);
        self.slots.iter().for_each(|slot| lock(slot).new_game());
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let table = Arc::new(TranspositionTable::new(self.hash).map_err(io::Error::other)?);
        let shared = Arc::new(SharedContext::untimed(table, limits, GRAIN));
        let task = SearchTask::new(&Game::new(position.clone()), &[], 1);
        let slots = self.slots[..processors].to_vec();
        let first = std::thread::Builder::new()
            .stack_size(pool::STACK)
            .spawn(move || search(&slots, &shared, &task, latencies, rules))?;
        first.join().map_err(|_| io::Error::other("the simulated search failed; this is a bug"))
    }
}

fn search(
    slots: &[ThreadSlot],
    shared: &Arc<SharedContext>,
    task: &SearchTask,
    latencies: Latencies,
    rules: SplitRules,
) -> Simulated {
    let processors = slots.len();
    let time = VirtualTime::new(processors, latencies);
    let pool = SplitPool::new(Arc::clone(&time), processors, rules);
    for (who, slot) in slots.iter().enumerate().skip(1) {
        let (slot, shared, task) = (Arc::clone(slot), Arc::clone(shared), task.clone());
        pool.employ(who, move |server| {
            let mut thread = lock(&slot);
            thread.prepare(&task.game, &task.moves);
            thread.join_pool(Some(SplitMember::new(server.pool(), &shared, who)));
            server.serve(&mut thread);
            thread.join_pool(None);
        });
    }
    let mut thread = lock(&slots[0]);
    thread.prepare(&task.game, &task.moves);
    thread.join_pool(Some(SplitMember::new(&pool, shared, 0)));
    thread.iterative_deepening(shared, task.game.position(), task.lines);
    let (took, _) = time.clock(0);
    shared.end();
    pool.finish(0);
    thread.join_pool(None);
    Simulated {
        processors,
        nodes: shared.nodes.load(Ordering::Relaxed),
        time: took,
        parked: (0..processors).map(|who| time.clock(who).1).sum(),
        counts: pool.counts(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyst::{Analyst, RunOn};

    const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";

    /// Processors without a network, so that tests without optimisation take less time.
    fn by_rules() -> Simulator {
        let mut engine = Engine::new().unwrap();
        engine.set_option("Eval Mode", "classical").unwrap();
        Simulator::of(&engine, 4)
    }

    #[test]
    fn one_processor_is_the_sequential_search() {
        let position = Position::from_fen(MIDDLE).unwrap();
        let mut engine = Engine::new().unwrap();
        let limits = Limits { depth: Some(12), ..Limits::default() };
        let game = Game::new(position.clone());
        let result = engine.search(&game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap();
        let mut simulator = Simulator::of(&engine, 16);
        let alone = simulator.run(&position, 12, 1).unwrap();
        assert_eq!(alone.nodes, result.info.unwrap().nodes);
        assert_eq!(alone.time, alone.nodes * simulator.latencies.node);
        assert_eq!(alone.counts, SplitCounts::default());
    }

    #[test]
    fn the_protocol_s_rules_are_those_of_the_margins() {
        assert_eq!(SplitPolicy::of(&Params::DEFAULT).rules, SplitRules::DEFAULT);
    }

    #[test]
    fn offers_that_nobody_may_take_up_change_nothing() {
        let position = Position::from_fen(MIDDLE).unwrap();
        let mut simulator = by_rules();
        let alone = simulator.run(&position, 12, 1).unwrap();
        simulator.rules.max_threads = 1;
        simulator.few = 0;
        (simulator.rules.min_depth, simulator.rules.standing_depth) = (1, 1);
        let offering = simulator.run(&position, 12, 2).unwrap();
        assert_eq!(offering.nodes, alone.nodes);
        assert!(offering.counts.splits == 0 && offering.counts.vain > 1000, "{offering:?}");
    }

    #[test]
    fn every_run_is_the_same_and_more_processors_are_quicker() {
        let position = Position::from_fen(MIDDLE).unwrap();
        let mut simulator = by_rules();
        simulator.rules.min_depth = 3;
        let alone = simulator.run(&position, 13, 1).unwrap();
        for processors in [2, 7] {
            let first = simulator.run(&position, 13, processors).unwrap();
            let again = simulator.run(&position, 13, processors).unwrap();
            assert_eq!(first, again);
            assert!(first.time < alone.time, "{first:?} {alone:?}");
            assert!(first.counts.splits > 0 && first.counts.joins > 0);
            assert!(first.parked < processors as u64 * first.time, "{first:?}");
        }
    }

    #[test]
    fn a_root_move_is_credited_with_what_all_spent_on_it() {
        let position = Position::from_fen(MIDDLE).unwrap();
        let mut simulator = by_rules();
        simulator.rules.min_depth = 2;
        for processors in [1, 2, 7] {
            let simulated = simulator.run(&position, 13, processors).unwrap();
            let thread = lock(&simulator.slots[0]);
            let credited: u64 = thread.root_moves.iter().map(|root_move| root_move.nodes).sum();
            // What a cutoff at the root made superfluous was spent on nothing; it is little.
            let superfluous = simulated.nodes - credited;
            let most = if processors == 1 { 0 } else { simulated.nodes / 8 };
            assert!(superfluous <= most, "{superfluous} {simulated:?}");
            assert!(thread.root_moves[0].selective_depth >= thread.root_moves[0].line.len());
        }
    }

    #[test]
    fn every_defect_can_be_brought_back() {
        let position = Position::from_fen(MIDDLE).unwrap();
        let mut simulator = by_rules();
        let sound = SplitRules { min_depth: 3, ..SplitRules::default() };
        simulator.rules = sound;
        let best = simulator.run(&position, 11, 4).unwrap();
        for rules in [
            SplitRules { repeats_move: true, ..sound },
            SplitRules { private_alpha: true, ..sound },
            SplitRules { whole_root: true, ..sound },
            SplitRules { captured_owner: true, ..sound },
        ] {
            simulator.rules = rules;
            let with_defect = simulator.run(&position, 11, 4).unwrap();
            assert_ne!(with_defect, best, "{rules:?}");
            assert_eq!(simulator.run(&position, 11, 4).unwrap(), with_defect, "{rules:?}");
        }
    }
}
