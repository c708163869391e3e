//! Small pawn endings solved: all positions of kings and pawns that can arise are listed, and those that White
//! wins are found backwards.
//!
//! Where a pawn is promoted, theory takes over: a queen that is not taken at once wins against a bare king, and
//! against a pawn that is not yet on its seventh rank. What theory does not say (both sides have queens, a pawn
//! is about to follow, several are far advanced) is counted once against White and once for him. Only where
//! both give the same is a position called solved. Promotions are to queens alone.

use crate::frame::experiment::{Halt, Stop, go_on};
use std::collections::HashMap;
use tabiya_chess::{Bitboard, Color, Move, PieceKind, Position, Rank};

/// More positions than this are too many.
const MOST: usize = 4_000_000;

/// What is known of a position before its moves are looked at.
enum Known {
    Won,
    NotWon,
    Unclear,
    /// There is one queen, and her opponent is to move: does theory know what comes of it if she is not taken?
    Queen(bool, Bitboard),
    No,
}

/// What theory says about a position, seen from White.
fn known(position: &Position) -> Known {
    let pieces = |color, piece| position.colored_pieces(color, piece);
    let (queen, other) =
        (pieces(Color::White, PieceKind::Queen), pieces(Color::Black, PieceKind::Queen));
    let black = pieces(Color::Black, PieceKind::Pawn);
    let far = |ranks: &[Rank]| {
        ranks.iter().fold(Bitboard::EMPTY, |set, &rank| set | black & Bitboard::rank(rank))
    };
    match (queen.is_empty(), other.is_empty(), position.side_to_move()) {
        (true, true, _) if pieces(Color::White, PieceKind::Pawn).is_empty() => Known::NotWon,
        (true, true, _) => Known::No,
        (false, false, _) => Known::Unclear,
        (false, true, Color::Black) => {
            // After Black's move the queen has hers; the pawn may then be a rank further.
            let near = !far(&[Rank::Second, Rank::Third]).is_empty()
                || black.has_several() && !far(&[Rank::Fourth]).is_empty();
            Known::Queen(!near, queen)
        }
        (false, true, Color::White) => Known::Won,
        (true, false, Color::White) => {
            let seventh = pieces(Color::White, PieceKind::Pawn) & Bitboard::rank(Rank::Seventh);
            Known::Queen(seventh.is_empty(), other)
        }
        (true, false, Color::Black) => Known::NotWon,
    }
}

/// Is this small enough: kings and pawns alone, so many pawns at most, or one more if two block each other?
fn is_small(position: &Position, most: u32) -> bool {
    let pawns = position.pieces(PieceKind::Pawn);
    let white = position.colored_pieces(Color::White, PieceKind::Pawn);
    let blocked =
        white.forward(Color::White) & position.colored_pieces(Color::Black, PieceKind::Pawn);
    let only_pawns = position.occupied() == pawns | position.pieces(PieceKind::King);
    only_pawns && pawns.len() <= most + blocked.len().min(1)
}

/// What became of an ending: per position whether White wins, counting what is unclear against and for him.
pub(super) struct Solved {
    numbers: HashMap<u64, u32>,
    won: [Vec<bool>; 2],
}

/// The graph of an ending while it is listed.
#[derive(Default)]
struct Graph {
    numbers: HashMap<u64, u32>,
    /// Where the successors of each position are.
    spans: Vec<(usize, usize)>,
    next: Vec<u32>,
    white: Vec<bool>,
    won: [Vec<bool>; 2],
}

impl Solved {
    /// Solves all that can come of a position with so many pawns at most, or one more if two block each other.
    ///
    /// # Errors
    /// When it is not small enough, or the user has had enough.
    pub(super) fn new(root: &Position, pawns: u32, stop: &Stop<'_>) -> Result<Solved, Halt> {
        if !is_small(root, pawns) {
            return Err(Halt::Wrong(format!("{} is too much for the solver", root.fen())));
        }
        let graph = Graph::list(root, stop)?;
        let mut won = graph.won.clone();
        let predecessors = graph.predecessors();
        for won in &mut won {
            graph.propagate(won, &predecessors);
        }
        Ok(Solved { numbers: graph.numbers, won })
    }

    /// Does White win? None if the position cannot arise, or theory leaves it open.
    pub(super) fn is_won(&self, position: &Position) -> Option<bool> {
        let number = *self.numbers.get(&position.keys().position)? as usize;
        let [against, for_him] = [&self.won[0], &self.won[1]].map(|won| won[number]);
        (against == for_him).then_some(against)
    }

    /// Can this position arise?
    pub(super) fn lists(&self, position: &Position) -> bool {
        self.numbers.contains_key(&position.keys().position)
    }

    /// How many positions there are.
    pub(super) fn size(&self) -> usize {
        self.numbers.len()
    }

    /// The moves of White that win.
    pub(super) fn winners(&self, position: &Position) -> Vec<Move> {
        let wins = |mv: &Move| self.is_won(&after(position, *mv)) == Some(true);
        position.legal_moves().iter().copied().filter(wins).collect()
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

impl Graph {
    fn list(root: &Position, stop: &Stop<'_>) -> Result<Graph, Halt> {
        let mut graph = Graph::default();
        let mut waiting = vec![root.clone()];
        let mut listed = 0usize;
        graph.number(root);
        while let Some(position) = waiting.pop() {
            if graph.numbers.len() > MOST {
                return Err(Halt::Wrong("more positions than the solver was made for".to_owned()));
            }
            listed += 1;
            if listed.is_multiple_of(4096) {
                go_on(stop)?;
            }
            let number = graph.number(&position).0 as usize;
            let moves = position.legal_moves();
            let white_to_move = position.side_to_move() == Color::White;
            let queen = match known(&position) {
                Known::Queen(_, queen) => queen,
                _ => Bitboard::EMPTY,
            };
            let takes = moves.iter().any(|mv| queen.contains(mv.to()));
            let values = match known(&position) {
                _ if moves.is_empty() => Some([!white_to_move && position.in_check(); 2]),
                Known::Won => Some([true; 2]),
                Known::NotWon => Some([false; 2]),
                Known::Unclear | Known::Queen(false, _) => Some([false, true]),
                // Whoever has no queen must take her, or theory has its way.
                Known::Queen(true, _) if !takes => Some([!white_to_move; 2]),
                Known::Queen(true, _) | Known::No => None,
            };
            if let Some(values) = values {
                for (won, value) in graph.won.iter_mut().zip(values) {
                    won[number] = value;
                }
                continue;
            }
            let begin = graph.next.len();
            for &mv in &moves {
                let lesser = mv.promoted().is_some_and(|piece| piece != PieceKind::Queen);
                if lesser || takes && !queen.contains(mv.to()) {
                    continue;
                }
                let next = after(&position, mv);
                let (number, fresh) = graph.number(&next);
                if fresh {
                    waiting.push(next);
                }
                graph.next.push(number);
            }
            graph.spans[number] = (begin, graph.next.len());
        }
        Ok(graph)
    }

    /// The number of a position, and whether it is new.
    fn number(&mut self, position: &Position) -> (u32, bool) {
        let fresh = self.white.len() as u32;
        let number = *self.numbers.entry(position.keys().position).or_insert(fresh);
        if number == fresh {
            self.white.push(position.side_to_move() == Color::White);
            self.spans.push((0, 0));
            for won in &mut self.won {
                won.push(false);
            }
        }
        (number, number == fresh)
    }

    /// For each position those that lead to it: where they begin, and all of them in a row.
    fn predecessors(&self) -> (Vec<usize>, Vec<u32>) {
        let mut begin = vec![0; self.white.len() + 1];
        for &next in &self.next {
            begin[next as usize + 1] += 1;
        }
        for i in 1..begin.len() {
            begin[i] += begin[i - 1];
        }
        let (mut free, mut all) = (begin.clone(), vec![0; self.next.len()]);
        for (number, &(from, to)) in self.spans.iter().enumerate() {
            for &next in &self.next[from..to] {
                all[free[next as usize]] = number as u32;
                free[next as usize] += 1;
            }
        }
        (begin, all)
    }

    /// Finds all that is won, given what is won at once: White needs one move that wins, Black must have no
    /// other.
    fn propagate(&self, won: &mut [bool], (begin, all): &(Vec<usize>, Vec<u32>)) {
        let mut escapes: Vec<u32> =
            self.spans.iter().map(|(from, to)| (to - from) as u32).collect();
        let mut waiting: Vec<u32> =
            (0..won.len() as u32).filter(|&number| won[number as usize]).collect();
        while let Some(number) = waiting.pop() {
            for &before in &all[begin[number as usize]..begin[number as usize + 1]] {
                let place = before as usize;
                escapes[place] -= 1;
                if !won[place] && (self.white[place] || escapes[place] == 0) {
                    won[place] = true;
                    waiting.push(before);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(fen: &str) -> (Position, Solved) {
        let position = Position::from_fen(fen).unwrap();
        let solved = Solved::new(&position, 2, &|| false).unwrap();
        (position, solved)
    }

    #[test]
    fn one_pawn_is_known() {
        for (fen, won) in [
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", true),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", true),
            ("4k3/4P3/4K3/8/8/8/8/8 b - - 0 1", false),
            ("4k3/8/8/3K4/4P3/8/8/8 b - - 0 1", false),
            ("4k3/8/4K3/8/4P3/8/8/8 b - - 0 1", true),
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
    fn a_race_that_both_win_is_left_open() {
        let (position, solved) = solve("8/P7/8/8/7k/8/7p/K7 w - - 0 1");
        assert_eq!(solved.is_won(&position), None);
    }

    #[test]
    fn what_is_too_much_is_refused() {
        let position = Position::from_fen("8/6pp/3k4/8/3K1PPP/8/8/8 w - - 0 1").unwrap();
        assert!(Solved::new(&position, 2, &|| false).is_err());
    }
}
