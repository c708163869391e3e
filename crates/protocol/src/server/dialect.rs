//! The words of one protocol, for all that a server says unasked.

use crate::BestMove;
use core::fmt;
use tabiya_chess::{Move, Position};
use tabiya_engine::Info;

/// How a protocol words what the session says. Each method appends whole lines, ends included, to
/// `lines`: one, several, or none where the protocol has no word for it.
///
/// Threads other than the one that reads the GUI's lines say things too, so a dialect does not change. Where
/// a setting of the conversation changes its words, the front end gives the output another one.
pub(super) trait Dialect: Send + Sync {
    /// The command that ends a search, as remarks quote it.
    fn stop_command(&self) -> &'static str;

    /// A remark for the user, of one line.
    fn note(&self, note: &str, lines: &mut String) -> fmt::Result;

    /// How a search of `root` stands.
    fn info(&self, info: &Info, root: &Position, lines: &mut String) -> fmt::Result;

    /// The root move that is being searched.
    fn current_move(&self, current: CurrentMove<'_>, lines: &mut String) -> fmt::Result;

    /// What a search of `root` decided.
    fn best_move(&self, decision: BestMove, root: &Position, lines: &mut String) -> fmt::Result;
}

/// The root move that is being searched.
#[derive(Clone, Copy)]
pub(super) struct CurrentMove<'a> {
    /// The iteration's depth.
    pub(super) depth: u32,
    pub(super) mv: Move,
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) root: &'a Position,
}
