//! `tabiya lab ordering`: the thesis's program at work.

mod play;
mod search;
mod step;
mod tree;

use std::io::{self, BufRead, Read, Write};

use clap::{Subcommand, ValueEnum};
use tabiya_chess::Position;
use tabiya_lab::fixafan::table::SLOTS;
use tabiya_lab::fixafan::{Evaluation, MAX_DEPTH, Order, Profile, Settings, positions};

use crate::Outcome;
use crate::exit::usage;
use crate::position_arg::{self, Given};

pub(super) const ORDERS: &str = "\
Orders are letters, in any combination:
  a  the reply that refuted the same move before       h  moves that cut off often, by history
  b  the transposition table's move                    k  the move with the most cutoffs
  c  captures, the greatest victim first               1  the last killer of a ply
  d  killers of two plies deeper, while searching      2  the last two (up to 9)
  0  none
Variants follow after a comma: history=full, captures=mvv-lva, captures=see, dynamic=pure,
as in `cbh,history=full`.";

/// Watch FIXAFAN, the program of Thé's thesis on move ordering, at work.
///
/// It searches to a fixed depth with alpha-beta, an aspiration window and a transposition table, evaluates
/// by material alone, and orders moves as `--order` says.
#[derive(clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    Search(search::Args),
    Tree(tree::Args),
    Step(step::Args),
    Play(play::Args),
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    match &args.task {
        Task::Search(args) => search::run(args, out),
        Task::Tree(args) => tree::run(args, out),
        Task::Step(args) => step::run(args, out),
        Task::Play(args) => play::run(args, out),
    }
}

/// Which program.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ProfileName {
    /// As it was in 1992, errors included.
    Fixafan,
    /// With its errors mended.
    Sound,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Profile {
        match name {
            ProfileName::Fixafan => Profile::Fixafan,
            ProfileName::Sound => Profile::Sound,
        }
    }
}

/// How positions are judged.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum EvaluationName {
    /// By material alone.
    Material,
    /// By material and the squares that men stand on.
    Squares,
}

impl From<EvaluationName> for Evaluation {
    fn from(name: EvaluationName) -> Evaluation {
        match name {
            EvaluationName::Material => Evaluation::Material,
            EvaluationName::Squares => Evaluation::Positional,
        }
    }
}

/// How to search.
#[derive(clap::Args)]
struct Manner {
    /// The order of moves, as in `cb1`.
    #[arg(long, short, default_value = "0")]
    order: Order,
    /// How many plies. [default: the thesis's for its positions, 5 for others]
    #[arg(long, short, value_parser = clap::value_parser!(u8).range(1..=MAX_DEPTH as i64))]
    depth: Option<u8>,
    /// Which program.
    #[arg(long, default_value = "sound")]
    profile: ProfileName,
    /// How positions are judged.
    #[arg(long, default_value = "material")]
    evaluation: EvaluationName,
    /// Follow captures at the horizon, in the sound program.
    #[arg(long)]
    quiescence: bool,
    /// Half the width of the aspiration window, in pawns.
    #[arg(long, value_name = "PAWNS", default_value = "2", value_parser = clap::value_parser!(i32).range(1..=50))]
    window: i32,
    /// Search without a transposition table.
    #[arg(long)]
    no_table: bool,
    /// Stop after N interior nodes.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

impl Manner {
    fn settings(&self, usual_depth: usize) -> Settings {
        let depth = self.depth.map_or(usual_depth, usize::from);
        Settings {
            window: self.window,
            slots: if self.no_table { 0 } else { SLOTS },
            evaluation: self.evaluation.into(),
            quiescence: self.quiescence,
            nodes: self.nodes.unwrap_or(u64::MAX),
            ..Settings::new(self.profile.into(), self.order, depth)
        }
    }
}

/// What to search.
#[derive(clap::Args)]
struct Subject {
    /// The position: a FEN, or `startpos`.
    #[arg(value_parser = position_arg::parse, conflicts_with = "board")]
    position: Option<Given>,
    /// One of the thesis's positions, those of Bratko and Kopec: 1 to 24.
    #[arg(long, short, value_name = "N", default_value = "1")]
    board: usize,
}

/// The depth for positions that are not the thesis's.
const USUAL_DEPTH: usize = 5;

impl Subject {
    /// The position, and how deep it is usually searched.
    fn position(&self) -> Result<(Position, usize), Box<dyn std::error::Error>> {
        if let Some(given) = &self.position {
            return Ok((given.position()?.clone(), USUAL_DEPTH));
        }
        let test = positions::get(self.board);
        let test = test.ok_or_else(|| {
            usage(format!("there is no board {}; they go from 1 to 24", self.board))
        })?;
        Ok((test.position.clone(), test.depth))
    }
}

/// The longest line that anybody has to say; what is longer counts as several.
const LONGEST_LINE: u64 = 4096;

/// What the user says, whatever bytes it is made of; none at the end.
fn read_line() -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let read = io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
