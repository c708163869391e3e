//! `cargo xtask clock-test`: does the engine ever lose on time?
//!
//! Two games at a time on two cores, no margin, and a burner beside them: a thread that burns a core for 30
//! to 200 ms at random moments, as other programs on a user's machine do.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::games;
use crate::workspace;

/// A clock, and games by it.
const CLOCKS: [(&str, u32); 2] = [("1+0.01", 2000), ("0.3+0.003", 500)];

/// `go movetime` so many milliseconds, so many times.
const MOVE_TIME: u32 = 100;
const MOVES: usize = 300;

/// Plays the games and prints who lost on time; then measures `go movetime` without the burner.
pub(crate) fn run(share: u32, opponent: &str) -> Result<(), Error> {
    let program = games::build()?;
    let kept = workspace::target().join("clock-test");
    fs::create_dir_all(&kept).map_err(Error::file("create", &kept))?;
    let identity = games::identity(&program)?;
    println!("| clock | games | Elo | lost on time | opponent lost on time | other faults |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (clock, games) in CLOCKS {
        let games = (games * share / 100).max(2);
        let args = [
            "tabiya option.Hash=16".to_owned(),
            format!("{opponent} option.Hash=16"),
            format!("--tc={clock}"),
            format!("--games={games}"),
            "--concurrency=2".to_owned(),
            "--margin=0".to_owned(),
            format!(
                "--journal={}",
                kept.join(format!("{identity}-{clock}-{games}.journal")).display()
            ),
        ];
        let report = burning(|| games::play(&program, &args))?;
        let (played, elo) = report.figures();
        let late = report.ended_by("time-forfeit");
        let faults: u64 = ["illegal-move", "crash", "hang", "nonsense"]
            .iter()
            .map(|reason| report.ended_by(reason).losses)
            .sum();
        println!("| {clock} | {played} | {elo} | {} | {} | {faults} |", late.losses, late.wins);
    }
    let mut took = move_times(&program)?;
    took.sort_unstable();
    let at = |percent: usize| took[(took.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    println!(
        "\ngo movetime {MOVE_TIME}, {MOVES} times: median {:.1} ms, 99th percentile {:.1} ms, most {:.1} ms",
        at(50),
        at(99),
        at(100)
    );
    Ok(())
}

/// Does something while a burner runs.
fn burning<T>(work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| burn(&over));
        let result = work();
        over.store(true, Ordering::Relaxed);
        result
    })
}

/// Burns for 30 to 200 ms, then rests for 100 ms to 2 s, until it is over.
fn burn(over: &AtomicBool) {
    // An xorshift generator: the moments need not be good chance, only unlike each other.
    let mut state = 0x9e37_79b9_u32;
    let mut between = |low: u32, high: u32| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        Duration::from_millis(u64::from(low + state % (high - low + 1)))
    };
    while !over.load(Ordering::Relaxed) {
        let until = Instant::now() + between(30, 200);
        while Instant::now() < until {
            std::hint::spin_loop();
        }
        thread::sleep(between(100, 2000));
    }
}

/// How long answers to `go movetime` take, from the line that is sent to the line that comes back.
fn move_times(program: &Path) -> Result<Vec<Duration>, Error> {
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let spelled = workspace::spelled(&command);
    let mut engine =
        command.spawn().map_err(|source| Error::Start { command: spelled.clone(), source })?;
    let mut to = engine.stdin.take().expect("standard input is piped");
    let mut from = BufReader::new(engine.stdout.take().expect("standard output is piped"));
    let mut talk = || -> std::io::Result<Vec<Duration>> {
        let mut took = Vec::with_capacity(MOVES);
        writeln!(to, "uci\nposition startpos moves e2e4 e7e5 g1f3 b8c6")?;
        for _ in 0..MOVES {
            let start = Instant::now();
            writeln!(to, "go movetime {MOVE_TIME}")?;
            let mut line = String::new();
            while !line.starts_with("bestmove") {
                line.clear();
                if from.read_line(&mut line)? == 0 {
                    return Err(std::io::ErrorKind::UnexpectedEof.into());
                }
            }
            took.push(start.elapsed());
        }
        writeln!(to, "quit")?;
        Ok(took)
    };
    let took = talk().map_err(|source| Error::Talk { command: spelled.clone(), source });
    if took.is_err() {
        // It may already have ended, which is as good.
        let _ = engine.kill();
    }
    engine.wait().map_err(|source| Error::Wait { command: spelled, source })?;
    took
}
