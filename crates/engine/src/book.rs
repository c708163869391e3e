//! Opening books: moves that are played without a search.

use crate::analyst::{AnalystError, SearchHandle, SearchResult};
use tabiya_chess::{Game, Move};

/// Who knows moves by heart.
///
/// [`Engine::set_book`](crate::Engine::set_book) gives an engine one.
pub trait Book: Send + Sync {
    /// The move to play where a game stands; none if the book has none. The whole game is given, because a
    /// book may go by the moves as well as by the position. A move that is illegal counts as none.
    fn book_move(&self, game: &Game) -> Option<Move>;
}

/// A search that is over before it began: the book has the move.
pub(crate) struct BookSearch(pub(crate) Move);

impl SearchHandle for BookSearch {
    fn stop(&self) {}

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        Ok(SearchResult { best: Some(self.0), ..SearchResult::default() })
    }
}
