//! The options of the engine itself, one entry each.

use super::Engine;
use crate::eval::Terms;
use crate::evaluation::{EvalMode, built_in};
use crate::nnue::Network;
use crate::options::OptionRegistry;
use crate::params::Params;
use crate::smp::ParallelMode;
use crate::time::{NodeClock, NodesPerMs};
use crate::tt::TranspositionTable;
use core::time::Duration;
use std::path::Path;
use std::sync::Arc;

/// Megabytes of the TT.
pub(super) const DEFAULT_HASH: usize = 16;
const LARGEST_HASH: i64 = 1 << 25;
const MOST_THREADS: i64 = 1024;
/// Milliseconds kept back for what lies between the engine and the clock.
pub(super) const DEFAULT_OVERHEAD: u64 = 10;

/// What every engine offers.
pub(super) fn registry() -> OptionRegistry<Engine> {
    let mut options = OptionRegistry::default();
    add_memory_and_threads(&mut options);
    add_search(&mut options);
    add_evaluation(&mut options);
    options
}

fn add_memory_and_threads(options: &mut OptionRegistry<Engine>) {
    options.spin(
        "Hash",
        DEFAULT_HASH as i64,
        1..=LARGEST_HASH,
        "Megabytes of the transposition table (TT). The longer you analyse, the more it helps.",
        |engine, megabytes| {
            let table = TranspositionTable::new(megabytes as usize);
            engine.replace_table(table.map_err(|error| error.to_string())?);
            Ok(())
        },
    );
    options.spin(
        "Threads",
        1,
        1..=MOST_THREADS,
        "Threads that search. Give it as many as the machine has free cores.",
        |engine, threads| engine.arrange(threads as usize, engine.pool.mode()),
    );
    options.combo(
        "Parallel Mode",
        &ParallelMode::ALL.map(ParallelMode::name),
        "How threads share the work: lazy SMP, split points (YBWC), or repeatable. See parallel.md.",
        |engine, mode| {
            let mode = ParallelMode::named(mode).unwrap_or_default();
            engine.arrange(engine.pool.threads(), mode)
        },
    );
    options.button("Clear Hash", "Empties the transposition table.", |engine| {
        engine.finish();
        engine.clear_table();
        Ok(())
    });
    options.text("Hash File", "", "The file for the next two buttons.", |engine, path| {
        engine.hash_file = path.into();
        Ok(())
    });
    options.button("Save Hash", "Writes the transposition table to that file.", |engine| {
        engine.use_hash_file(true)
    });
    options.button(
        "Load Hash",
        "Takes the transposition table from that file, in the size it was saved with.",
        |engine| engine.use_hash_file(false),
    );
}

fn add_search(options: &mut OptionRegistry<Engine>) {
    options.spin(
        "MultiPV",
        1,
        1..=256,
        "How many lines of play are shown, the best first.",
        |engine, lines| {
            engine.lines = lines as usize;
            Ok(())
        },
    );
    options.spin(
        "Move Overhead",
        DEFAULT_OVERHEAD as i64,
        0..=5000,
        "Milliseconds kept back on every move for what lies between engine and clock. Over a network \
         take 100 or more.",
        |engine, milliseconds| {
            engine.overhead = Duration::from_millis(milliseconds as u64);
            Ok(())
        },
    );
    options.spin(
        "nodestime",
        0,
        0..=10_000,
        "If not 0, this many nodes count as a millisecond. Games with clocks then repeat exactly.",
        |engine, nodes| {
            engine.finish();
            engine.pace = NodesPerMs::new(nodes as u64);
            engine.node_clock = NodeClock::default();
            Ok(())
        },
    );
}

fn add_evaluation(options: &mut OptionRegistry<Engine>) {
    options.text(
        "EvalFile",
        "",
        "A network (NNUE) to evaluate by, instead of the one inside the program.",
        |engine, path| {
            engine.network = if path.is_empty() {
                built_in()
            } else {
                let network = Network::load(Path::new(path)).map_err(|error| error.to_string())?;
                Some(Arc::new(network))
            };
            engine.choose_evaluation();
            Ok(())
        },
    );
    options.combo(
        "Eval Mode",
        &EvalMode::ALL.map(EvalMode::name),
        "Evaluation by the network, by the classical terms that `eval` shows, or by material alone.",
        |engine, mode| {
            engine.eval_mode = EvalMode::named(mode).unwrap_or_default();
            engine.choose_evaluation();
            Ok(())
        },
    );
    options.text(
        "Eval Terms",
        "all",
        "Which terms of the classical evaluation count: names with commas between them, or what to \
         leave out, as in `-mobility,-space`. It has an effect with `Eval Mode` classical.",
        |engine, terms| {
            // GUIs write an empty text for the default.
            let terms = if terms.is_empty() { "all" } else { terms };
            engine.eval_terms = terms.parse::<Terms>().map_err(|error| error.to_string())?;
            engine.choose_evaluation();
            Ok(())
        },
    );
}

/// The search's margins, for the tuner.
pub(super) fn add_params(options: &mut OptionRegistry<Engine>) {
    for spec in Params::SPECS {
        let range = spec.min.into()..=spec.max.into();
        let name = spec.name;
        options.spin(name, spec.default.into(), range, spec.help, move |engine, value| {
            engine.finish();
            let params = engine.tunable.get_or_insert(Params::DEFAULT);
            params.set(name, value as i32);
            let params = params.clone();
            engine.pool.each(move |thread| thread.set_params(params.clone()));
            Ok(())
        });
    }
}
