//! `tabiya` without a verb: an engine that speaks UCI.

use crate::Outcome;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use tabiya_chess::Game;
use tabiya_engine::bench::{DEFAULT_DEPTH, bench};
use tabiya_engine::eval::Evaluator;
use tabiya_engine::{Analyst, Engine};
use tabiya_protocol::server::{Extra, UciServer};

pub(crate) fn run(out: &mut dyn Write) -> Outcome {
    let engine = Engine::new()?;
    if io::stdin().is_terminal() {
        writeln!(out, "{} by {}. `help` tells what can be said.", engine.name(), engine.author())?;
        out.flush()?;
    }
    UciServer::new(Box::new(engine), io::stdout())
        .with(Extra {
            name: "eval",
            help: "what the classical evaluation sees in the position",
            run: Box::new(explain),
        })
        .with(Extra {
            name: "bench",
            help: "search a fixed set of positions [DEPTH]",
            run: Box::new(run_bench),
        })
        .run(io::stdin());
    Ok(ExitCode::SUCCESS)
}

fn explain(game: &Game, _: &[&str], say: &mut dyn FnMut(&str)) {
    let explanation = Evaluator::default().explain(game.position()).to_string();
    for line in explanation.lines() {
        say(line);
    }
}

fn run_bench(_: &Game, words: &[&str], say: &mut dyn FnMut(&str)) {
    let depth = words.first().and_then(|word| word.parse().ok()).unwrap_or(DEFAULT_DEPTH);
    match Engine::new().and_then(|mut engine| bench(&mut engine, depth, |_, _| ())) {
        Ok(total) => say(&format!("{} nodes {} nps", total.nodes, total.speed())),
        Err(error) => say(&error.to_string()),
    }
}
