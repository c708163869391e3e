//! Pawn endings solved exactly, where neither side can do more than push one pawn past bare kings: all
//! positions that can arise are listed, and those that White wins are found backwards.

use crate::frame::experiment::{Halt, Stop, go_on};
use std::collections::HashMap;
use tabiya_chess::{Colour, Move, Piece, Position};

/// More positions than this are too many.
const MOST: usize = 400_000;

/// What became of an ending.
pub(super) struct Solved {
    numbers: HashMap<u64, usize>,
    won: Vec<bool>,
}

/// A position whose value needs no moves: White cannot win without a pawn or a heavy piece; a heavy piece
/// wins against a bare king unless it is taken at once or leaves him without a move.
fn known(position: &Position) -> Option<bool> {
    let white = |piece| position.men(Colour::White, piece);
    let heavy = white(Piece::Queen) | white(Piece::Rook);
    if (heavy | white(Piece::Pawn)).is_empty() {
        return Some(false);
    }
    let bare = !position.colour(Colour::Black).has_several();
    if heavy.is_empty() || !bare {
        return None;
    }
    let moves = position.legal_moves();
    let safe = match position.turn() {
        Colour::White => true,
        Colour::Black if moves.is_empty() => position.in_check(),
        Colour::Black => !moves.iter().any(|mv| heavy.contains(mv.to())),
    };
    Some(safe)
}

/// Can this be solved: have only kings and pawns, and is every black pawn stopped for good by a white one?
fn is_simple(position: &Position) -> bool {
    let pawns = position.pieces(Piece::Pawn);
    let only_pawns = position.occupied() == pawns | position.pieces(Piece::King);
    let black = position.men(Colour::Black, Piece::Pawn);
    let stopped = black.forward(Colour::Black) & position.men(Colour::White, Piece::Pawn);
    only_pawns && pawns.len() <= 2 && stopped.len() == black.len()
}

impl Solved {
    /// Solves all that can come of a position.
    ///
    /// # Errors
    /// When it is not simple enough, or the user has had enough.
    pub(super) fn new(root: &Position, stop: &Stop<'_>) -> Result<Solved, Halt> {
        if !is_simple(root) {
            return Err(Halt::Wrong(format!("{} is too much for the solver", root.fen())));
        }
        let mut numbers = HashMap::from([(root.keys().position, 0)]);
        let mut positions = vec![root.clone()];
        let mut next: Vec<Vec<usize>> = Vec::new();
        let mut won = Vec::new();
        while next.len() < positions.len() {
            if positions.len() > MOST {
                return Err(Halt::Wrong("more positions than the solver was made for".to_owned()));
            }
            if next.len().is_multiple_of(4096) {
                go_on(stop)?;
            }
            let position = positions[next.len()].clone();
            let certain = known(&position);
            let moves = position.legal_moves();
            let mated = moves.is_empty() && position.in_check() && position.turn() == Colour::Black;
            won.push(certain.unwrap_or(mated));
            let moves: &[Move] = if certain.is_some() { &[] } else { &moves };
            let mut successors = Vec::with_capacity(moves.len());
            for &mv in moves {
                let mut after = position.clone();
                after.play_unchecked(mv);
                let fresh = positions.len();
                let number = *numbers.entry(after.keys().position).or_insert(fresh);
                if number == fresh {
                    positions.push(after);
                }
                successors.push(number);
            }
            next.push(successors);
        }
        loop {
            go_on(stop)?;
            let mut grown = false;
            for (i, successors) in next.iter().enumerate() {
                if won[i] || successors.is_empty() {
                    continue;
                }
                let wins = match positions[i].turn() {
                    Colour::White => successors.iter().any(|&number| won[number]),
                    Colour::Black => successors.iter().all(|&number| won[number]),
                };
                won[i] = wins;
                grown |= wins;
            }
            if !grown {
                return Ok(Solved { numbers, won });
            }
        }
    }

    /// Does White win? None if the position cannot arise.
    pub(super) fn is_won(&self, position: &Position) -> Option<bool> {
        self.numbers.get(&position.keys().position).map(|&number| self.won[number])
    }

    /// How many positions there are.
    pub(super) fn size(&self) -> usize {
        self.won.len()
    }

    /// The moves of White that win.
    pub(super) fn winners(&self, position: &Position) -> Vec<Move> {
        let wins = |mv: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            self.is_won(&after) == Some(true)
        };
        position.legal_moves().iter().copied().filter(wins).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(fen: &str) -> (Position, Solved) {
        let position = Position::from_fen(fen).unwrap();
        let solved = Solved::new(&position, &|| false).unwrap();
        (position, solved)
    }

    #[test]
    fn one_pawn_is_known() {
        for (fen, won) in [
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            ("4k3/8/8/3K4/4P3/8/8/8 b - - 0 1", true),
            ("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", false),
            ("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", true),
            ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", false),
        ] {
            let (position, solved) = solve(fen);
            assert_eq!(solved.is_won(&position), Some(won), "{fen}");
        }
    }

    #[test]
    fn the_end_of_the_sixth_test_is_won_by_two_moves() {
        let (position, solved) = solve("8/5k2/6p1/4K1P1/8/8/8/8 w - - 0 1");
        let mut winners: Vec<String> =
            solved.winners(&position).iter().map(|&mv| position.san(mv).to_string()).collect();
        winners.sort();
        assert_eq!(winners, ["Kd5", "Kd6"]);
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let position = Position::from_fen("8/6p1/3k4/8/3K1PP1/8/8/8 w - - 0 1").unwrap();
        assert!(Solved::new(&position, &|| false).is_err());
    }
}
