//! Nodes per second by the network, by the classical evaluation, and of another engine: the bench's
//! positions, one thread each, turn by turn.
//!
//! ```sh
//! cargo xtask quiet -- cargo bench --bench engine_speed
//! ```
//!
//! The other engine is Debian's Stockfish (`apt-get install stockfish`) with its hand-written evaluation,
//! unless the first argument names another program.

#![expect(clippy::print_stdout, reason = "the figures are what this is for")]

use std::error::Error;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tabiya_chess::Game;
use tabiya_engine::bench::positions;
use tabiya_engine::{Analyst, Limits, RunOn};
use tabiya_protocol::client::{Timeouts, UciClient};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// How long each engine thinks about each position.
const THINKING: Duration = Duration::from_millis(400);

/// The network should leave so much of the classical engine's speed.
const NETWORK_BAR: f64 = 0.8;

fn main() -> Result<()> {
    let other = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let other = other.unwrap_or_else(|| "/usr/games/stockfish".to_owned());
    let own = env!("CARGO_BIN_EXE_tabiya");
    let mut engines = [
        Engine::start(own, "network", &[("Eval Mode", "network")])?,
        Engine::start(own, "classical", &[("Eval Mode", "classical")])?,
        Engine::start(&other, "by rules", &[("Use NNUE", "false")])?,
    ];
    let limits = Limits { move_time: Some(THINKING), ..Limits::default() };
    for (turn, position) in positions().into_iter().enumerate() {
        let game = Game::new(position);
        // Each engine comes first in turn.
        for place in 0..engines.len() {
            let engine = &mut engines[(turn + place) % 3];
            engine.client.new_game()?;
            let search = engine.client.search(&game, &limits, RunOn::OwnThread, None)?;
            let info = search.wait()?.info.ok_or("an engine sent no info of its search")?;
            engine.speeds.push(info.nodes as f64 / info.time.as_secs_f64().max(1e-3));
        }
    }
    for Engine { client, mode, speeds, .. } in &engines {
        let speed = geometric_mean(speeds.iter().copied());
        println!("{:<24} {mode:<10} {speed:>9.0} nodes per second", client.name());
    }
    let [network, classical, other] = &engines;
    println!("ratios, geometric means of {} positions", network.speeds.len());
    let by_network = network.ratio(classical);
    let verdict = if by_network >= NETWORK_BAR { "passes" } else { "FAILS" };
    println!("network / classical  {by_network:.2}, {verdict} the bar of {NETWORK_BAR}");
    println!("network / other      {:.2}", network.ratio(other));
    println!("classical / other    {:.2}", classical.ratio(other));
    for engine in &mut engines {
        engine.process.kill()?;
        engine.process.wait()?;
    }
    Ok(())
}

struct Engine {
    process: Child,
    client: UciClient,
    /// What it evaluates by.
    mode: &'static str,
    /// For each position.
    speeds: Vec<f64>,
}

impl Engine {
    /// Starts a program and sets those of the options that it has.
    fn start(program: &str, mode: &'static str, options: &[(&str, &str)]) -> Result<Engine> {
        let spawned = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut process = spawned.map_err(|error| format!("{program} does not start: {error}"))?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (writer, reader) = pipes.ok_or("an engine without pipes")?;
        let mut client = UciClient::connect(program, reader, writer, Timeouts::default())?;
        for (name, value) in options {
            if client.options().iter().any(|option| option.name == *name) {
                client.set_option(name, value)?;
            }
        }
        Ok(Engine { process, client, mode, speeds: Vec::new() })
    }

    /// How much faster it is than another, over all positions.
    fn ratio(&self, other: &Engine) -> f64 {
        geometric_mean(self.speeds.iter().zip(&other.speeds).map(|(own, other)| own / other))
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
