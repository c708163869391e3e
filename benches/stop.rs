//! How long it takes from `stop` to the best move, with many more threads than cores.
//!
//! ```sh
//! cargo xtask quiet -- cargo bench --bench stop
//! ```

#![expect(clippy::print_stdout, reason = "the figures are what this is for")]

use std::error::Error;
use std::time::{Duration, Instant};

use tabiya_engine::bench::positions;
use tabiya_engine::{Analyst, Engine, Limits, RunOn};

const THREADS: usize = 64;
const ROUNDS: usize = 4;
/// Long enough for all threads to be at work.
const THINKING: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn Error>> {
    for mode in ["lazy", "ybwc", "deterministic"] {
        let mut engine = Engine::new()?;
        engine.set_option("Parallel Mode", mode)?;
        engine.set_option("Threads", &THREADS.to_string())?;
        let limits = Limits { infinite: true, ..Limits::default() };
        let mut times = Vec::new();
        for position in positions().into_iter().cycle().take(25 * ROUNDS) {
            let game = tabiya_chess::Game::new(position);
            let search = engine.search(&game, &limits, RunOn::OwnThread, None)?;
            std::thread::sleep(THINKING);
            let begin = Instant::now();
            search.stop();
            search.wait()?;
            times.push(begin.elapsed());
        }
        times.sort();
        println!(
            "{mode:6} {THREADS} threads: median {:.1?}, worst {:.1?} of {} stops",
            times[times.len() / 2],
            times[times.len() - 1],
            times.len()
        );
    }
    Ok(())
}
