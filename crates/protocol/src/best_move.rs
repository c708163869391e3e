//! What an engine decided on, in no protocol's words.

use tabiya_chess::Move;

/// What an engine decided on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BestMove {
    /// The move; none in mate and stalemate.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
}
