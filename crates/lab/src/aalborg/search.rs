//! A small searcher whose parts can be switched on one after the other: what the report has, what it
//! describes, and what it wishes for. Nothing in it depends on time or chance.
//!
//! It is written as negamax, which finds what minimax finds. Every set of methods with the same quiescence
//! comes to the same value: entries of the table count only at exactly the depth that is asked for, and how
//! soon a mate comes is told by the depth that is left.

use super::evaluation::Evaluation;
use crate::frame::experiment::{Halt, Stop};
use arrayvec::ArrayVec;
use tabiya_chess::{Move, MoveList, PieceKind, Position};
use tabiya_engine::eval::Evaluator;

/// What a mate costs.
pub(super) const MATE: i32 = 200_000;

/// More than any value.
const INFINITE: i32 = 1_000_000;

/// Calls between two questions whether to go on.
const PATIENCE: u64 = 1 << 14;

/// What is done at leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Quiescence {
    /// They are evaluated.
    Off,
    /// Captures, promotions and ways out of check are followed for so many plies.
    Plies(u32),
    /// They are followed until there are none.
    Whole,
}

/// The methods that are on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Methods {
    pub(super) alpha_beta: bool,
    pub(super) quiescence: Quiescence,
    pub(super) table: bool,
    /// Depth by depth; each begins with what the table holds of the one before.
    pub(super) deepening: bool,
    /// Captures of much by little first, then moves that refuted something at the same ply.
    pub(super) ordering: bool,
}

impl Methods {
    pub(super) const MINIMAX: Methods = Methods {
        alpha_beta: false,
        quiescence: Quiescence::Off,
        table: false,
        deepening: false,
        ordering: false,
    };

    /// What plays games: it comes to the move that plain alpha-beta comes to, sooner.
    pub(super) const PLAYER: Methods = Methods {
        alpha_beta: true,
        quiescence: Quiescence::Plies(1),
        ordering: true,
        ..Methods::MINIMAX
    };
}

/// Who says what a leaf is worth.
pub(super) enum Judge {
    /// The report's evaluation.
    Report(Evaluation),
    /// Today's classical evaluation, or some of its terms.
    Today(Box<Evaluator>),
}

impl Judge {
    fn value(&mut self, position: &Position) -> i32 {
        match self {
            Judge::Report(evaluation) => evaluation.value(position),
            Judge::Today(evaluator) => evaluator.evaluate(position),
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) value: i32,
    pub(super) best: Option<Move>,
    pub(super) nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    Lower,
    Upper,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    depth: u32,
    value: i32,
    bound: Bound,
    best: Option<Move>,
}

/// A side with at most this many pieces has few.
const FEW: u32 = 4;

const ENTRIES: usize = 1 << 20;

/// The deepest that is ever asked for; killers have so many plies.
const PLIES: usize = 64;

/// A searcher, with what it remembers during one search.
pub(super) struct Searcher {
    methods: Methods,
    judge: Judge,
    table: Vec<Option<Entry>>,
    killers: [[Option<Move>; 2]; PLIES],
    /// The keys of positions that were on the board, and those on the way to the node; none if repetitions do
    /// not count.
    path: Option<Vec<u64>>,
    nodes: u64,
}

impl Searcher {
    pub(super) fn new(methods: Methods, judge: Judge) -> Searcher {
        let table = if methods.table { vec![None; ENTRIES] } else { Vec::new() };
        Searcher { methods, judge, table, killers: [[None; 2]; PLIES], path: None, nodes: 0 }
    }

    /// Searches a position to a depth, as if there were no game before it: neither repetitions nor the clock
    /// count.
    ///
    /// # Errors
    /// When the user has had enough.
    pub(super) fn search(
        &mut self,
        position: &Position,
        depth: u32,
        stop: &Stop<'_>,
    ) -> Result<Found, Halt> {
        self.path = None;
        self.begin(position, depth, None, stop)
    }

    /// Searches a position of a game, given the keys of the positions before it: what has been on the board
    /// before, and a clock that has run out, is a draw.
    ///
    /// # Errors
    /// When the user has had enough.
    pub(super) fn search_game(
        &mut self,
        position: &Position,
        before: &[u64],
        depth: u32,
        stop: &Stop<'_>,
    ) -> Result<Found, Halt> {
        let mut path = self.path.take().unwrap_or_default();
        path.clear();
        path.extend_from_slice(before);
        self.path = Some(path);
        // A glance tells which move to try first: the rest is cut sooner, and the choice stays the same.
        let hint = if depth > 2 { self.begin(position, depth - 2, None, stop)?.best } else { None };
        self.begin(position, depth, hint, stop)
    }

    fn begin(
        &mut self,
        position: &Position,
        depth: u32,
        hint: Option<Move>,
        stop: &Stop<'_>,
    ) -> Result<Found, Halt> {
        self.nodes = 0;
        self.table.fill(None);
        self.killers = [[None; 2]; PLIES];
        let first = if self.methods.deepening { 1 } else { depth };
        let mut found = Found { value: 0, best: hint, nodes: 0 };
        for depth in first..=depth {
            let (value, best) = self.root(position, depth, found.best, stop)?;
            found = Found { value, best, nodes: self.nodes };
        }
        Ok(found)
    }

    /// Tries the hint first. Of moves with the same value the one that is generated first is chosen, so that no
    /// method changes the choice.
    fn root(
        &mut self,
        position: &Position,
        depth: u32,
        hint: Option<Move>,
        stop: &Stop<'_>,
    ) -> Result<(i32, Option<Move>), Halt> {
        self.count(stop)?;
        let generated = position.legal_moves();
        let place = |mv: Move| generated.iter().position(|&other| other == mv);
        let (mut best, mut value) = (None, -INFINITE);
        for mv in self.sorted(position, &generated, hint, 0) {
            let earlier = best.is_some_and(|best| place(mv) < place(best));
            let alpha =
                if self.methods.alpha_beta { value - i32::from(earlier) } else { -INFINITE };
            let score = -self.child(position, mv, depth - 1, 1, (-INFINITE, -alpha), stop)?;
            if score > value || earlier && score == value {
                (value, best) = (score, Some(mv));
            }
        }
        if best.is_none() {
            value = end_value(position, depth);
        }
        self.remember(position, depth, value, Bound::Exact, best);
        Ok((value, best))
    }

    fn child(
        &mut self,
        position: &Position,
        mv: Move,
        depth: u32,
        ply: usize,
        window: (i32, i32),
        stop: &Stop<'_>,
    ) -> Result<i32, Halt> {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if let Some(path) = &mut self.path {
            path.push(position.keys().position);
        }
        let value = self.node(&next, depth, ply, window, stop);
        if let Some(path) = &mut self.path {
            path.pop();
        }
        value
    }

    fn node(
        &mut self,
        position: &Position,
        depth: u32,
        ply: usize,
        (mut alpha, beta): (i32, i32),
        stop: &Stop<'_>,
    ) -> Result<i32, Halt> {
        if depth == 0 {
            let plies = match self.methods.quiescence {
                Quiescence::Off => 0,
                Quiescence::Plies(plies) => plies,
                Quiescence::Whole => u32::MAX,
            };
            return self.quiet(position, plies, (alpha, beta), stop);
        }
        self.count(stop)?;
        if self.is_drawn(position) {
            return Ok(0);
        }
        let (known, hint) = self.recall(position, depth);
        if let Some((value, bound)) = known {
            let enough = match bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if enough {
                return Ok(value);
            }
        }
        let moves = position.legal_moves();
        if moves.is_empty() {
            return Ok(end_value(position, depth));
        }
        let hint = hint.filter(|_| self.methods.deepening);
        let begin = alpha;
        let (mut value, mut best) = (-INFINITE, None);
        for mv in self.sorted(position, &moves, hint, ply) {
            let window =
                if self.methods.alpha_beta { (-beta, -alpha) } else { (-INFINITE, INFINITE) };
            let score = -self.child(position, mv, depth - 1, ply + 1, window, stop)?;
            if score > value {
                (value, best) = (score, Some(mv));
            }
            alpha = alpha.max(score);
            if self.methods.alpha_beta && alpha >= beta {
                if position.captured(mv).is_none() && self.killers[ply % PLIES][0] != Some(mv) {
                    let [first, second] = &mut self.killers[ply % PLIES];
                    *second = first.replace(mv);
                }
                break;
            }
        }
        let bound = match value {
            _ if value >= beta => Bound::Lower,
            _ if value > begin => Bound::Exact,
            _ => Bound::Upper,
        };
        self.remember(position, depth, value, bound, best);
        Ok(value)
    }

    /// The side to move may stop here, or take, or promote; a king in check must be helped.
    fn quiet(
        &mut self,
        position: &Position,
        plies: u32,
        (mut alpha, beta): (i32, i32),
        stop: &Stop<'_>,
    ) -> Result<i32, Halt> {
        self.count(stop)?;
        if self.is_drawn(position) {
            return Ok(0);
        }
        let in_check = position.in_check();
        // With many pieces on the board a stalemate is rarer than to look for it is worth.
        let few = position.colors(position.side_to_move()).len() <= FEW;
        if (in_check || few) && !position.has_legal_move() {
            return Ok(end_value(position, 0));
        }
        let mut value = -INFINITE;
        let mut moves = MoveList::new();
        if plies > 0 && in_check {
            position.add_legal_moves(&mut moves);
        } else {
            value = self.judge.value(position);
            if plies == 0 || self.methods.alpha_beta && value >= beta {
                return Ok(value);
            }
            alpha = alpha.max(value);
            position.add_captures(&mut moves);
        }
        for mv in self.sorted(position, &moves, None, PLIES - 1) {
            let window =
                if self.methods.alpha_beta { (-beta, -alpha) } else { (-INFINITE, INFINITE) };
            let mut next = position.clone();
            next.play_unchecked(mv);
            let score = -self.quiet(&next, plies - 1, window, stop)?;
            value = value.max(score);
            alpha = alpha.max(score);
            if self.methods.alpha_beta && alpha >= beta {
                break;
            }
        }
        Ok(value)
    }

    fn count(&mut self, stop: &Stop<'_>) -> Result<(), Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(PATIENCE) && stop() {
            return Err(Halt::Interrupted);
        }
        Ok(())
    }

    fn is_drawn(&self, position: &Position) -> bool {
        let Some(path) = &self.path else { return false };
        let clock = position.halfmove_clock() as usize;
        let key = position.keys().position;
        clock >= 100
            || position.is_insufficient_material()
            || path.iter().rev().take(clock).any(|&before| before == key)
    }

    fn recall(&self, position: &Position, depth: u32) -> (Option<(i32, Bound)>, Option<Move>) {
        let key = position.keys().position;
        let slot = key as usize & (ENTRIES - 1);
        match self.table.get(slot).copied().flatten().filter(|entry| entry.key == key) {
            Some(entry) => {
                let known = (entry.depth == depth).then_some((entry.value, entry.bound));
                (known, entry.best)
            }
            None => (None, None),
        }
    }

    fn remember(
        &mut self,
        position: &Position,
        depth: u32,
        value: i32,
        bound: Bound,
        best: Option<Move>,
    ) {
        let key = position.keys().position;
        if let Some(slot) = self.table.get_mut(key as usize & (ENTRIES - 1)) {
            *slot = Some(Entry { key, depth, value, bound, best });
        }
    }

    /// The hint first; then, if moves are ordered at all, captures and promotions by what they bring, then
    /// killers. The rest stay as they are generated.
    fn sorted(
        &self,
        position: &Position,
        moves: &MoveList,
        hint: Option<Move>,
        ply: usize,
    ) -> ArrayVec<Move, 256> {
        if hint.is_none() && !self.methods.ordering {
            return moves.iter().copied().collect();
        }
        let killers = self.killers[ply % PLIES];
        let rank = |mv: Move| {
            if Some(mv) == hint {
                return i32::MIN;
            }
            if !self.methods.ordering {
                return 0;
            }
            let worth =
                |piece: Option<PieceKind>| piece.map_or(0, |piece| piece.index() as i32 + 1);
            let gain = worth(position.captured(mv)) + worth(mv.promoted());
            if gain > 0 {
                return 8 * -gain + worth(position.kind_at(mv.from()));
            }
            let killer = killers.iter().position(|&killer| killer == Some(mv));
            killer.map_or(3, |place| 1 + place as i32)
        };
        let mut ranked: ArrayVec<(i32, usize, Move), 256> =
            moves.iter().enumerate().map(|(i, &mv)| (rank(mv), i, mv)).collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, _, mv)| mv).collect()
    }
}

/// What a position without moves is worth: the more depth is left, the sooner the mate.
fn end_value(position: &Position, depth: u32) -> i32 {
    if position.in_check() { -MATE - depth as i32 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::Settings;
    use super::*;

    fn searcher(methods: Methods) -> Searcher {
        Searcher::new(methods, Judge::Report(Evaluation::new(Settings::LAST)))
    }

    const POSITIONS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    ];

    #[test]
    fn every_method_comes_to_the_same_value() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            for quiescence in [Quiescence::Off, Quiescence::Plies(1)] {
                let minimax = Methods { quiescence, ..Methods::MINIMAX };
                let mut last = searcher(minimax).search(&position, 3, &|| false).unwrap();
                assert!(last.best.is_some());
                let value = last.value;
                let pruned = Methods { alpha_beta: true, ..minimax };
                for methods in [
                    pruned,
                    Methods { table: true, ..pruned },
                    Methods { table: true, deepening: true, ..pruned },
                    Methods { table: true, deepening: true, ordering: true, ..pruned },
                ] {
                    last = searcher(methods).search(&position, 3, &|| false).unwrap();
                    assert_eq!(last.value, value, "{fen} {methods:?}");
                }
            }
        }
    }

    #[test]
    fn who_plays_games_moves_as_plain_alpha_beta_does() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let plain = Methods { ordering: false, ..Methods::PLAYER };
            let plain = searcher(plain).search(&position, 3, &|| false).unwrap();
            let player =
                searcher(Methods::PLAYER).search_game(&position, &[], 3, &|| false).unwrap();
            assert_eq!((plain.value, plain.best), (player.value, player.best), "{fen}");
            let deeper = Methods { table: true, deepening: true, ..Methods::PLAYER };
            let deeper = searcher(deeper).search(&position, 3, &|| false).unwrap();
            assert_eq!((plain.value, plain.best), (deeper.value, deeper.best), "{fen}");
        }
    }

    #[test]
    fn mates_are_found_the_soonest_first() {
        let position = Position::from_fen(POSITIONS[4]).unwrap();
        let found = searcher(Methods::PLAYER).search(&position, 3, &|| false).unwrap();
        assert_eq!(found.best, position.parse_uci("d1d8").ok());
        assert_eq!(found.value, MATE + 2);
    }

    #[test]
    fn what_was_on_the_board_before_is_a_draw() {
        let position = Position::from_fen("7k/8/8/8/8/8/8/K4Q2 w - - 10 40").unwrap();
        let mut searcher = searcher(Methods::PLAYER);
        let fresh = searcher.search_game(&position, &[], 2, &|| false).unwrap();
        let mut after = position.clone();
        after.play_unchecked(fresh.best.unwrap());
        let before = [after.keys().position];
        let again = searcher.search_game(&position, &before, 2, &|| false).unwrap();
        assert_ne!(again.best, fresh.best);
        assert!(again.value > 9_000);
    }
}
