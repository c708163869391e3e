//! `tabiya lab ordering play`: a game against the thesis's program.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use tabiya_chess::{CastlingStyle, Color, Game, Move, Outcome as Ended, Position};
use tabiya_lab::fixafan::watch::unwatched;
use tabiya_lab::fixafan::{Record, Settings, search};

use super::{Manner, ORDERS, USUAL_DEPTH};
use crate::Outcome;
use crate::position_arg::{self, Given};

/// Play a game against FIXAFAN.
///
/// Moves are entered as in `e2e4`, `e7e8q` or `Nf3`; `quit` ends the game. It knows no draws, but they end the
/// game all the same.
#[derive(clap::Args)]
#[command(after_help = ORDERS)]
pub(super) struct Args {
    /// Where the game begins: a FEN, or `startpos`.
    #[arg(value_parser = position_arg::parse, default_value = "startpos")]
    position: Given,
    #[command(flatten)]
    manner: Manner,
    /// Your color.
    #[arg(long, default_value = "white")]
    you: Side,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

/// The program resigns below this score, in pawns.
const RESIGNS_AT: i32 = -50;

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let settings = args.manner.settings(USUAL_DEPTH);
    let you = match args.you {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let mut game = Game::new(args.position.position()?.clone());
    loop {
        writeln!(out, "\n{}", game.position().diagram())?;
        if let Some(ended) = game.outcome() {
            writeln!(out, "{}", ending_text(ended, you))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mv = if game.position().side_to_move() == you {
            match ask(game.position(), out)? {
                Some(mv) => mv,
                None => return Ok(ExitCode::SUCCESS),
            }
        } else {
            match answer(game.position(), &settings, out)? {
                Some(mv) => mv,
                None => return Ok(ExitCode::SUCCESS),
            }
        };
        game.play(mv)?;
    }
}

fn ending_text(ended: Ended, you: Color) -> &'static str {
    match ended {
        Ended::Checkmate { winner } if winner == you => "Checkmate: you win.",
        Ended::Checkmate { .. } => "Checkmate: FIXAFAN wins.",
        Ended::Stalemate => "Stalemate: a draw.",
        Ended::InsufficientMaterial => "Insufficient material: a draw.",
        Ended::FivefoldRepetition => "The same position for the fifth time: a draw.",
        Ended::SeventyFiveMoves => "Seventy-five moves without progress: a draw.",
        Ended::Claimed(_) => "A draw, claimed.",
    }
}

/// Asks the user for a move; none if he has had enough.
fn ask(position: &Position, out: &mut dyn Write) -> io::Result<Option<Move>> {
    loop {
        write!(out, "your move: ")?;
        out.flush()?;
        let Some(line) = super::read_line()? else {
            writeln!(out)?;
            return Ok(None);
        };
        let word = line.trim();
        if word.eq_ignore_ascii_case("quit") || word.eq_ignore_ascii_case("q") {
            return Ok(None);
        }
        match position.parse_uci(word).or_else(|_| position.parse_san(word)) {
            Ok(mv) => return Ok(Some(mv)),
            Err(error) => writeln!(out, "{error}; a move is e2e4 or Nf3, quit ends the game")?,
        }
    }
}

/// The program's move; none if it resigns.
fn answer(
    position: &Position,
    settings: &Settings,
    out: &mut dyn Write,
) -> io::Result<Option<Move>> {
    let record = search(position, settings, &mut unwatched);
    let unit = settings.evaluation.worth().unit;
    let best = legal(position, &record);
    let score = f64::from(record.score()) / f64::from(unit);
    if record.score() < RESIGNS_AT * unit {
        writeln!(out, "FIXAFAN resigns: you win.")?;
        return Ok(None);
    }
    let line = record.iterations.last().map_or_else(String::new, |last| last.line.join(" "));
    if let Some(mv) = best {
        let uci = mv.uci(position, CastlingStyle::KingToTarget);
        writeln!(out, "FIXAFAN plays {uci} (score {score}, {} nodes, {line})", record.nodes)?;
    }
    Ok(best)
}

/// Its best move, or any: to a depth of one ply it does not see that its king is taken.
fn legal(position: &Position, record: &Record) -> Option<Move> {
    let best = record.best.and_then(|mv| position.parse_uci(&mv.uci()).ok());
    best.or_else(|| position.legal_moves().first().copied())
}
