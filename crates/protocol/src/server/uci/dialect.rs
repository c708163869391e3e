//! UCI's words for what a session says.

use crate::BestMove;
use crate::server::dialect::{CurrentMove, Dialect};
use crate::uci::bestmove::BestMoveLine;
use crate::uci::info::{CurrentMoveLine, InfoLine};
use core::fmt::{self, Write};
use tabiya_chess::{CastlingStyle, Position};
use tabiya_engine::Info;

/// UCI, with the options that change its words.
#[derive(Clone, Copy)]
pub(super) struct UciDialect {
    /// How castling is written (`UCI_Chess960`).
    pub(super) style: CastlingStyle,
    /// `UCI_ShowWDL`.
    pub(super) show_wdl: bool,
}

impl Dialect for UciDialect {
    fn stop_command(&self) -> &'static str {
        "stop"
    }

    fn note(&self, note: &str, lines: &mut String) -> fmt::Result {
        writeln!(lines, "info string {note}")
    }

    fn info(&self, info: &Info, root: &Position, lines: &mut String) -> fmt::Result {
        let UciDialect { style, show_wdl } = *self;
        writeln!(lines, "{}", InfoLine { info, root, style, show_wdl })
    }

    fn current_move(&self, current: CurrentMove<'_>, lines: &mut String) -> fmt::Result {
        let CurrentMove { depth, mv, number, root } = current;
        writeln!(lines, "{}", CurrentMoveLine { depth, mv, number, root, style: self.style })
    }

    fn best_move(&self, decision: BestMove, root: &Position, lines: &mut String) -> fmt::Result {
        writeln!(lines, "{}", BestMoveLine { decision, root, style: self.style })
    }
}
