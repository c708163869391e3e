//! `tabiya perft`: counts what legal play reaches.

use crate::position_arg::{self, Given};
use crate::progress::percent_bar;
use crate::{Outcome, json};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;
use tabiya_chess::{CastlingStyle, Perft, Position};

/// Count the move sequences of a given length: the proof of a move generator, and its race track.
///
/// The count goes to standard output; on a terminal a long run shows its progress.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position: a FEN, `startpos`, or `chess960:NUMBER`.
    #[arg(value_parser = position_arg::parse)]
    position: Given,
    /// How many plies deep.
    depth: u8,
    /// Also print the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// How many threads count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Megabytes for a table of positions that come again; 0 for none.
    #[arg(long, value_name = "MB", default_value_t = 0)]
    hash: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    depth: u8,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Share>>,
}

#[derive(Serialize)]
struct Share {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let position = args.position.position()?;
    let threads = NonZeroUsize::new(args.threads.into()).unwrap_or(NonZeroUsize::MIN);
    let means = Perft::new().threads(threads).hash(args.hash)?;
    let bar = percent_bar();
    let begin = Instant::now();
    let counts = means.divide(position, args.depth, |done, parts| {
        bar.set_length(parts as u64);
        bar.set_position(done as u64);
        true
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    bar.finish_and_clear();

    let nodes = if args.depth == 0 { 1 } else { counts.iter().map(|(_, nodes)| nodes).sum() };
    let mut shares: Vec<_> = counts
        .into_iter()
        .map(|(mv, nodes)| Share { mv: mv.uci(position, style(position)).to_string(), nodes })
        .collect();
    shares.sort_by(|a, b| a.mv.cmp(&b.mv));
    let nodes_per_second = nodes as f64 / seconds.max(1e-9);
    if args.json {
        let divide = args.divide.then_some(shares);
        let depth = args.depth;
        let report =
            Report { fen: position.fen(), depth, nodes, seconds, nodes_per_second, divide };
        json::print(out, &report)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.divide {
        for Share { mv, nodes } in shares {
            writeln!(out, "{mv}: {nodes}")?;
        }
        writeln!(out)?;
    }
    writeln!(out, "{nodes}")?;
    if std::io::stderr().is_terminal() {
        let mut err = std::io::stderr().lock();
        writeln!(err, "{seconds:.3} s, {:.1} million a second", nodes_per_second / 1e6)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How castling is written: as the king's move in ordinary chess, as king takes rook where that would
/// not tell which castling is meant.
fn style(position: &Position) -> CastlingStyle {
    if position.is_chess960() { CastlingStyle::KingTakesRook } else { CastlingStyle::KingToTarget }
}
