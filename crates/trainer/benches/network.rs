//! How many positions a second a network learns from, on one thread: by width, in tiles and without,
//! and, where Python has PyTorch, against a network of the same shape there that learns from the same
//! positions in batches of the same size, by an embedding bag and AdamW.
//!
//! `cargo bench -p tabiya-trainer [-- DIRECTORY]` takes positions of self-play games there, and without
//! a directory those of random games. Times are the processor's where the system tells them, so that
//! other work on the machine matters less.
//!
//! On Debian, `apt-get install --no-install-recommends python3-torch` brings PyTorch.

#![allow(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use tabiya_chess::rng::SplitMix64;
use tabiya_chess::{GameResult, Position};
use tabiya_trainer::net::gauge::{BATCH, Gauge, Tiling, features};
use tabiya_trainer::net::{DataSource, NetFilter, NetSamples, Sample, TdLambda};
use tempfile::NamedTempFile;

const POSITIONS: usize = 1 << 17;
const ROUNDS: usize = 3;

/// PyTorch is slow enough to be timed with fewer.
const TORCH_POSITIONS: usize = 8 * BATCH;

/// Tiles should be so much faster at a width of 512.
const TILING_BAR: f64 = 1.5;

/// PyTorch should be slower by so much.
const TORCH_BAR: f64 = 10.0;

fn main() {
    let directory = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let samples = directory.map_or_else(random_samples, |directory| read(Path::new(&directory)));
    let features: usize = samples.iter().map(|sample| sample.pieces()).sum();
    let pieces = features as f64 / samples.len() as f64;
    println!("{} positions with {pieces:.1} pieces in the mean", samples.len());
    let torch = Torch::find(&samples[..TORCH_POSITIONS.min(samples.len())]);
    if torch.is_none() {
        println!(
            "PyTorch is not there to compare with; Debian has it: \
             apt-get install --no-install-recommends python3-torch"
        );
    }
    for hidden in [64, 128, 256, 512] {
        let [speed] = speeds(&samples, hidden, [Tiling::Usual]);
        let torch = torch.as_ref().map_or_else(String::new, |torch| {
            let theirs = torch.speed(hidden);
            format!("; PyTorch {theirs:.0}, {}", judged(speed / theirs, TORCH_BAR))
        });
        println!("width {hidden:>4}: {speed:>8.0} positions a second{torch}");
    }
    let [tiled, whole] = speeds(&samples, 512, [Tiling::Usual, Tiling::Whole]);
    println!(
        "width 512 in tiles {tiled:.0}, without {whole:.0}: {}",
        judged(tiled / whole, TILING_BAR)
    );
}

fn judged(ratio: f64, bar: f64) -> String {
    let verdict = if ratio >= bar { "passes" } else { "FAILS" };
    format!("{ratio:.2} times as fast, {verdict} the bar of {bar}")
}

/// Positions a second, the best of some rounds that take turns.
fn speeds<const N: usize>(samples: &[Sample], hidden: usize, tilings: [Tiling; N]) -> [f64; N] {
    let mut gauges = tilings.map(|tiling| Gauge::new(samples, hidden, tiling));
    let mut best = [0f64; N];
    for _ in 0..ROUNDS {
        for (gauge, best) in gauges.iter_mut().zip(&mut best) {
            let began = Stopwatch::start();
            let error = gauge.learn();
            assert!(error.is_finite());
            *best = best.max(samples.len() as f64 / began.seconds());
        }
    }
    best
}

/// The time that this thread has had.
struct Stopwatch {
    wall: Instant,
    busy: Option<u64>,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), busy: busy_nanoseconds() }
    }

    fn seconds(&self) -> f64 {
        match (self.busy, busy_nanoseconds()) {
            (Some(from), Some(to)) => (to - from) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

fn busy_nanoseconds() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn read(directory: &Path) -> Vec<Sample> {
    let source = DataSource { directory: directory.to_owned(), manifest_sha256: None };
    let filter = NetFilter::default();
    let ahead = TdLambda::NONE;
    let samples = NetSamples::load(&mut [source], &filter, ahead, 1, &|| false, &mut |_, _| ());
    let mut training = samples.expect("the directory holds games").training;
    training.truncate(POSITIONS);
    training
}

/// Random moves take about as many pieces off the board as a game does.
fn random_samples() -> Vec<Sample> {
    let mut chance = SplitMix64::stream(1, 1);
    let mut samples = Vec::with_capacity(POSITIONS);
    while samples.len() < POSITIONS {
        let mut position = Position::start();
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() || samples.len() == POSITIONS {
                break;
            }
            position.play_unchecked(moves[chance.index(moves.len())]);
            let score = chance.below(600) as i16 - 300;
            samples.push(Sample::new(&position, score, GameResult::Draw));
        }
    }
    samples
}

/// A Python that has PyTorch, and the positions for it.
struct Torch {
    python: &'static str,
    positions: NamedTempFile,
}

impl Torch {
    /// Looks in the path first, and then where Debian's Python is: it alone has Debian's packages.
    fn find(samples: &[Sample]) -> Option<Torch> {
        let has_torch = |python: &&str| {
            let output = Command::new(python).args(["-c", "import torch"]).output();
            output.is_ok_and(|output| output.status.success())
        };
        let python = ["python3", "/usr/bin/python3"].into_iter().find(has_torch)?;
        let mut positions = NamedTempFile::new().expect("a temporary file");
        let bytes: Vec<u8> = features(samples).into_iter().flat_map(u16::to_ne_bytes).collect();
        positions.write_all(&bytes).expect("room for a temporary file");
        Some(Torch { python, positions })
    }

    /// Positions a second of the same training.
    fn speed(&self, hidden: usize) -> f64 {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/torch_bag.py");
        let output = Command::new(self.python)
            .arg(script)
            .args([hidden.to_string(), BATCH.to_string()])
            .arg(self.positions.path())
            .output()
            .expect("Python was there a moment ago");
        let (answer, complaint) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        answer.trim().parse().unwrap_or_else(|_| panic!("the script failed: {complaint}"))
    }
}
