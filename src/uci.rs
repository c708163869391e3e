//! `tabiya` without a verb: an engine that speaks UCI.

use crate::Outcome;
use crate::identity::COMMIT;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use tabiya_chess::{Excerpt, Game};
use tabiya_engine::bench::{DEEPEST, DEFAULT_DEPTH, Stopper, bench_until};
use tabiya_engine::{Analyst, Engine, EvalInUse};
use tabiya_protocol::server::{BackgroundTask, Command, CommandError, CommandKind, UciServer};

pub(crate) fn run(out: &mut dyn Write) -> Outcome {
    let engine = Engine::new()?.built_from(COMMIT);
    let eval = engine.eval_in_use();
    if io::stdin().is_terminal() {
        writeln!(
            out,
            "{} by {}. `help` tells what can be said.",
            engine.identity(),
            engine.author()
        )?;
        out.flush()?;
    }
    UciServer::new(Box::new(engine), io::stdout())
        .with(Command {
            name: "eval",
            help: "what the classical evaluation and the network see in the position",
            kind: CommandKind::Immediate(Box::new(move |game, _, say| explain(game, &eval, say))),
        })
        .with(Command {
            name: "bench",
            help: "search a fixed set of positions [DEPTH]",
            kind: CommandKind::Background(Box::new(|_, words| {
                Ok(Arc::new(Bench { depth: bench_depth(words)?, stopper: Stopper::default() }))
            })),
        })
        .run(io::stdin());
    Ok(ExitCode::SUCCESS)
}

fn explain(game: &Game, eval: &EvalInUse, say: &mut dyn FnMut(&str)) {
    eval.assess(game.position()).to_string().lines().for_each(say);
}

/// The bench, with an engine of its own.
struct Bench {
    depth: u32,
    stopper: Stopper,
}

#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("{0} does not fit; the depth is a whole number from 1 to {DEEPEST}")]
    Depth(Excerpt),
    #[error("stopped")]
    Stopped,
}

fn bench_depth(words: &[&str]) -> Result<u32, BenchError> {
    let Some(word) = words.first() else { return Ok(DEFAULT_DEPTH) };
    let depth = word.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    depth.ok_or_else(|| BenchError::Depth(Excerpt::of(word)))
}

impl BackgroundTask for Bench {
    fn run(&self) -> Result<String, CommandError> {
        let total = bench_until(&mut Engine::new()?, self.depth, &self.stopper, |_, _| ())?;
        if self.stopper.is_stopped() {
            return Err(BenchError::Stopped.into());
        }
        Ok(format!("{} nodes {} nps", total.nodes, total.speed()))
    }

    fn stop(&self) {
        self.stopper.stop();
    }
}
