//! Nodes per second beside another engine: the bench's positions, one thread each, turn by turn.
//!
//! ```sh
//! cargo xtask quiet -- cargo bench --bench engine_speed
//! ```
//!
//! The other engine is Debian's Stockfish with its hand-written evaluation, unless the first argument
//! names another program.

#![expect(clippy::print_stdout, reason = "the figures are what this is for")]

use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tabiya_chess::Game;
use tabiya_engine::bench::positions;
use tabiya_engine::{Analyst, Limits};
use tabiya_protocol::client::{Timeouts, UciClient};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How long each engine thinks about each position.
const THINKING: Duration = Duration::from_millis(400);

fn main() -> Result<()> {
    let other = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let other = other.unwrap_or_else(|| "/usr/games/stockfish".to_owned());
    let mut engines = [start(env!("CARGO_BIN_EXE_tabiya"))?, start(&other)?];
    // By rules both: the network of either is another question.
    engines[0].client.set_option("Eval Mode", "classical")?;
    if engines[1].client.options().iter().any(|option| option.name == "Use NNUE") {
        engines[1].client.set_option("Use NNUE", "false")?;
    }
    let limits = Limits { move_time: Some(THINKING), ..Limits::default() };
    let mut ratios = Vec::new();
    for position in positions() {
        let game = Game::new(position);
        for engine in &mut engines {
            engine.client.new_game()?;
            let search = engine.client.start(&game, &limits, Box::new(|_| ()))?;
            let info = search.wait()?.info.ok_or("an engine told nothing of its search")?;
            engine.speeds.push(info.nodes as f64 / info.time.as_secs_f64().max(1e-3));
        }
        let [own, other] = &engines;
        ratios.push(own.speeds[own.speeds.len() - 1] / other.speeds[other.speeds.len() - 1]);
    }
    for Engine { client, speeds, .. } in &engines {
        println!("{:<24} {:>9.0} nodes per second", client.name(), geometric_mean(speeds));
    }
    println!("ratio {:.2} (geometric mean of {} positions)", geometric_mean(&ratios), ratios.len());
    for engine in &mut engines {
        engine.process.kill()?;
        engine.process.wait()?;
    }
    Ok(())
}

struct Engine {
    process: Child,
    client: UciClient,
    speeds: Vec<f64>,
}

fn start(program: &str) -> Result<Engine> {
    let mut process = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let pipes = process.stdin.take().zip(process.stdout.take());
    let (writer, reader) = pipes.ok_or("an engine without pipes")?;
    let client = UciClient::connect(program, reader, writer, Timeouts::default())?;
    Ok(Engine { process, client, speeds: Vec::new() })
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}
