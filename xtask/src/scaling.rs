//! `cargo xtask scaling`: how much the engine gains from depth, beside Stockfish by its rules.
//!
//! Both engines think for the same number of nodes a move. An engine that gains less from depth than the
//! other falls back from one number of nodes to the next. The slope says by how much.

use std::fs;

use crate::error::Error;
use crate::games;
use crate::workspace;

/// Nodes a move and games: each step has four times the nodes of the one before. The last is the dearest.
const STEPS: [(u32, u32); 3] = [(10_000, 1000), (40_000, 1000), (160_000, 600)];

/// Plays all steps and prints the table. What was played is kept in `target/scaling` by the engine's
/// identity: the same command goes on where it stopped. `share` scales the numbers of games, in percent.
pub(crate) fn run(share: u32, concurrency: u32, options: &[String]) -> Result<(), Error> {
    let program = games::build()?;
    let kept = workspace::target().join("scaling");
    fs::create_dir_all(&kept).map_err(Error::file("create", &kept))?;
    let identity = games::identity(&program)?;
    let own: Vec<String> = options.iter().map(|option| format!(" option.{option}")).collect();
    let own = format!("tabiya option.Hash=16{}", own.concat());
    println!("| nodes a move | games | Elo against Stockfish by rules |");
    println!("| --- | --- | --- |");
    let mut points = Vec::new();
    for (nodes, games) in STEPS {
        let games = (games * share / 100).max(2);
        let suffix: String = own.chars().filter(char::is_ascii_alphanumeric).collect();
        let journal = kept.join(format!("{identity}-{suffix}-{nodes}-{games}.journal"));
        let args = [
            own.clone(),
            "stockfish name=rules option.Hash=16 'option.Use NNUE=false'".to_owned(),
            format!("--nodes={nodes}"),
            format!("--games={games}"),
            format!("--concurrency={concurrency}"),
            format!("--journal={}", journal.display()),
        ];
        let report = games::play(&program, &args)?;
        let (played, elo) = report.figures();
        println!("| {nodes} | {played} | {elo} |");
        if let Some(elo) = report.statistics.as_ref().map(|statistics| &statistics.elo)
            && let Some(value) = elo.value
        {
            points.push((f64::from(nodes), value, elo.error()));
        }
    }
    if let Some((slope, error)) = slope(&points) {
        println!("\nslope: {slope:+.1} ± {error:.1} Elo for four times the nodes");
    }
    Ok(())
}

/// The slope of Elo over log4 of the nodes, by least squares with the points' errors (of 95 %), and its own
/// error.
fn slope(points: &[(f64, f64, f64)]) -> Option<(f64, f64)> {
    if points.len() < 2 || points.iter().any(|(_, _, error)| !error.is_finite() || *error <= 0.0) {
        return None;
    }
    let weighted = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(nodes, elo, error)| of(nodes.log(4.0), elo) / (error * error)).sum()
    };
    let sum = weighted(&|_, _| 1.0);
    let mean = weighted(&|x, _| x) / sum;
    let spread = weighted(&|x, _| (x - mean) * (x - mean));
    Some((weighted(&|x, elo| (x - mean) * elo) / spread, spread.sqrt().recip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_a_line() {
        let line = [(10_000.0, 130.0, 20.0), (40_000.0, 80.0, 20.0), (160_000.0, 30.0, 20.0)];
        let (slope, error) = slope(&line).expect("three points");
        assert!((slope + 50.0).abs() < 1e-9, "{slope}");
        // The ends are two steps apart: their difference has an error of 20 * sqrt(2).
        assert!((error - 20.0 / 2.0_f64.sqrt()).abs() < 1e-9, "{error}");
    }

    #[test]
    fn a_point_without_an_error_gives_no_slope() {
        assert!(slope(&[(10_000.0, 130.0, 20.0)]).is_none());
        assert!(slope(&[(10_000.0, 130.0, f64::INFINITY), (40_000.0, 80.0, 20.0)]).is_none());
    }
}
