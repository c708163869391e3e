//! `tabiya see`: what an exchange on a square wins or loses.

use crate::exit::usage;
use crate::position_arg::{self, Given};
use crate::{Outcome, json};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;
use tabiya_chess::{
    ExchangeEnd, ExchangeStep, ExchangeTrace, ExchangeValues, Move, MoveKind, Position,
};

/// Show what a capture wins or loses when both sides go on capturing on the square.
///
/// Each side takes with its least valuable piece, and stops when that suits it; pins are not looked at. A pawn
/// counts 100, a knight or a bishop 325, a rook 500, a queen 1000.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The position: a FEN, `startpos`, or `chess960:NUMBER`.
    #[arg(value_parser = position_arg::parse)]
    position: Given,
    /// The move that begins, as in `Rxb6` or `b3b6`; without one, all captures are judged.
    #[arg(value_name = "MOVE")]
    mv: Option<String>,
    /// Follow the exchange only until it is clear whether it is worth this much.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    threshold: Option<i32>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    fen: String,
    exchanges: Vec<Exchange>,
}

#[derive(Serialize)]
struct Exchange {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten)]
    trace: ExchangeTrace,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let position = args.position.position()?;
    let moves = match &args.mv {
        Some(text) => vec![parse_move(position, text)?],
        None => captures(position),
    };
    let values = ExchangeValues::default();
    let mut exchanges: Vec<Exchange> = moves
        .into_iter()
        .map(|mv| Exchange {
            mv: position.san(mv).to_string(),
            trace: position.see_trace(mv, &values, args.threshold),
        })
        .collect();
    exchanges.sort_by_key(|exchange| std::cmp::Reverse(exchange.trace.value));
    match (&*exchanges, &args.mv) {
        _ if args.json => json::print(out, &Report { fen: position.fen(), exchanges })?,
        ([exchange], Some(_)) => explain(out, exchange, args.threshold)?,
        ([], _) => writeln!(out, "There is nothing to capture.")?,
        (exchanges, _) => list(out, exchanges)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn parse_move(position: &Position, text: &str) -> Result<Move, clap::Error> {
    let as_squares = position.parse_uci(text);
    let either = as_squares.or_else(|_| position.parse_san(text));
    either.map_err(usage)
}

fn captures(position: &Position) -> Vec<Move> {
    let takes = |mv: &Move| match mv.kind() {
        MoveKind::EnPassant => true,
        MoveKind::Castling => false,
        MoveKind::Normal | MoveKind::Promotion => position.kind_at(mv.to()).is_some(),
    };
    position.legal_moves().iter().copied().filter(takes).collect()
}

/// One exchange as a table.
fn explain(out: &mut dyn Write, exchange: &Exchange, threshold: Option<i32>) -> io::Result<()> {
    let Exchange { mv, trace } = exchange;
    writeln!(out, "{mv}\n")?;
    let [side, with, takes] = ["side", "with", "takes"];
    writeln!(out, " #  {side:<5}  {with:<9}  {takes:<6}  balance   alpha    beta")?;
    for (number, step) in (1..).zip(&trace.steps) {
        let ExchangeStep { color, piece, from, taken, balance, alpha, beta } = step;
        let with = format!("{piece} {from}");
        let taken = taken.map_or("-", |piece| piece.name());
        let alpha = alpha.map_or("-∞".to_owned(), |alpha| format!("{alpha:+}"));
        writeln!(
            out,
            "{number:>2}  {:<5}  {with:<9}  {taken:<6}  {balance:>+7} {alpha:>7} {beta:>+7}",
            color.to_string(),
        )?;
    }
    let end = match trace.end {
        ExchangeEnd::NoAttacker => "no piece can take any more",
        ExchangeEnd::Pointless => "the last capture is no better than stopping before",
        ExchangeEnd::Settled => "the threshold is settled",
    };
    let value = trace.value;
    match threshold {
        None => writeln!(out, "\n{end}; worth {value:+}"),
        Some(least) if value >= least => writeln!(out, "\n{end}; worth at least {least:+}"),
        Some(least) => writeln!(out, "\n{end}; worth less than {least:+}"),
    }
}

/// Several exchanges, a line each.
fn list(out: &mut dyn Write, exchanges: &[Exchange]) -> io::Result<()> {
    for Exchange { mv, trace } in exchanges {
        let steps = trace.steps.len();
        let captures = if steps == 1 { "1 capture" } else { &format!("{steps} captures") };
        writeln!(out, "{mv:<8} {:>+6}   {captures}", trace.value)?;
    }
    Ok(())
}
