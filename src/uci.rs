//! `tabiya` without a verb: an engine that speaks UCI.

use crate::Outcome;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use tabiya_chess::Game;
use tabiya_engine::bench::{DEFAULT_DEPTH, bench};
use tabiya_engine::{Analyst, Assessment, Engine, NetworkInUse};
use tabiya_protocol::server::{Extra, UciServer};

pub(crate) fn run(out: &mut dyn Write) -> Outcome {
    let engine = Engine::new()?;
    let network = engine.network_in_use();
    if io::stdin().is_terminal() {
        writeln!(out, "{} by {}. `help` tells what can be said.", engine.name(), engine.author())?;
        out.flush()?;
    }
    UciServer::new(Box::new(engine), io::stdout())
        .with(Extra {
            name: "eval",
            help: "what the classical evaluation and the network see in the position",
            run: Box::new(move |game, _, say| explain(game, &network, say)),
        })
        .with(Extra {
            name: "bench",
            help: "search a fixed set of positions [DEPTH]",
            run: Box::new(run_bench),
        })
        .run(io::stdin());
    Ok(ExitCode::SUCCESS)
}

fn explain(game: &Game, network: &NetworkInUse, say: &mut dyn FnMut(&str)) {
    let assessment = Assessment::new(game.position(), network.get().as_deref());
    assessment.to_string().lines().for_each(say);
}

fn run_bench(_: &Game, words: &[&str], say: &mut dyn FnMut(&str)) {
    let depth = words.first().and_then(|word| word.parse().ok()).unwrap_or(DEFAULT_DEPTH);
    match Engine::new().and_then(|mut engine| bench(&mut engine, depth, |_, _| ())) {
        Ok(total) => say(&format!("{} nodes {} nps", total.nodes, total.speed())),
        Err(error) => say(&error.to_string()),
    }
}
