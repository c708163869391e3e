//! The move picker: one move after the other, the promising ones first, none generated before it is wanted.
//!
//! | stage         | moves                                             |
//! |---------------|---------------------------------------------------|
//! | TT move       | the transposition table's move                    |
//! | good captures | MVV and capture history, if SEE says they win     |
//! | killer        | the quiet move that refuted a sibling             |
//! | quiets        | by main, pawn and continuation history            |
//! | bad captures  | those that lose material by SEE                   |

use crate::history::{Histories, OrderingContext, QuietIndex};
use arrayvec::ArrayVec;
use tabiya_chess::{Bitboard, Move, MoveKind, MoveList, PieceKind, Position, attacks};

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PickStage {
    TtMove,
    GenerateCaptures,
    GoodCaptures,
    Killer,
    GenerateQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// Hands out the moves of a node.
pub(crate) struct MovePicker {
    stage: PickStage,
    tt_move: Option<Move>,
    killer: Option<Move>,
    /// Captures must win this much to be good.
    threshold: i32,
    moves: ArrayVec<Scored, { MoveList::CAPACITY }>,
    next: usize,
    bad: ArrayVec<Move, { MoveList::CAPACITY }>,
    next_bad: usize,
}

impl MovePicker {
    /// All moves of a node, with the TT's legal move first. The killer need not fit.
    pub(crate) fn all(tt_move: Option<Move>, killer: Option<Move>) -> MovePicker {
        MovePicker::new(tt_move, killer, 0)
    }

    /// Captures and promotions that win at least `threshold`, with the TT's legal move first if it
    /// is one.
    pub(crate) fn captures(
        position: &Position,
        tt_move: Option<Move>,
        threshold: i32,
    ) -> MovePicker {
        MovePicker::new(tt_move.filter(|&mv| is_tactical(position, mv)), None, threshold)
    }

    fn new(tt_move: Option<Move>, killer: Option<Move>, threshold: i32) -> MovePicker {
        MovePicker {
            stage: if tt_move.is_some() { PickStage::TtMove } else { PickStage::GenerateCaptures },
            tt_move,
            killer: killer.filter(|_| killer != tt_move),
            threshold,
            moves: ArrayVec::new_const(),
            next: 0,
            bad: ArrayVec::new_const(),
            next_bad: 0,
        }
    }

    /// The stage that the last move came from.
    pub(crate) fn stage(&self) -> PickStage {
        self.stage
    }

    /// May there be a next move? As long as moves are not generated, there may.
    pub(crate) fn has_more(&self, quiets: bool) -> bool {
        let bad = self.next_bad < self.bad.len();
        match self.stage {
            PickStage::TtMove | PickStage::GenerateCaptures | PickStage::GoodCaptures => true,
            PickStage::Killer | PickStage::GenerateQuiets => quiets || bad,
            PickStage::Quiets => quiets && self.next < self.moves.len() || bad,
            PickStage::BadCaptures => bad,
            PickStage::Done => false,
        }
    }

    /// The next move. Without an ordering context quiet moves are skipped, from then on.
    #[inline]
    pub(crate) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        quiets: Option<&OrderingContext>,
    ) -> Option<Move> {
        let see_values = histories.see_values();
        loop {
            match self.stage {
                PickStage::TtMove => {
                    self.stage = PickStage::GenerateCaptures;
                    return self.tt_move;
                }
                PickStage::GenerateCaptures => {
                    self.generate_captures(position, histories);
                    self.stage = PickStage::GoodCaptures;
                }
                PickStage::GoodCaptures => {
                    while let Some(Scored { mv, score }) = self.best() {
                        // A capture with a good record is given some credit.
                        let record = score - mvv_score(position, mv, histories);
                        let threshold = self.threshold - record / histories.capture_credit();
                        if position.see_ge(mv, threshold, see_values) {
                            return Some(mv);
                        }
                        self.bad.push(mv);
                    }
                    self.stage = PickStage::Killer;
                }
                PickStage::Killer => {
                    self.stage = PickStage::GenerateQuiets;
                    self.killer = self.killer.filter(|&mv| {
                        quiets.is_some() && !is_tactical(position, mv) && position.is_legal(mv)
                    });
                    if self.killer.is_some() {
                        return self.killer;
                    }
                }
                PickStage::GenerateQuiets => {
                    if let Some(context) = quiets {
                        self.generate_quiets(position, histories, context);
                    }
                    self.stage = PickStage::Quiets;
                }
                PickStage::Quiets => {
                    if quiets.is_some()
                        && let Some(Scored { mv, .. }) = self.best()
                    {
                        return Some(mv);
                    }
                    self.stage = PickStage::BadCaptures;
                }
                PickStage::BadCaptures => match self.bad.get(self.next_bad) {
                    Some(&mv) => {
                        self.next_bad += 1;
                        return Some(mv);
                    }
                    None => self.stage = PickStage::Done,
                },
                PickStage::Done => return None,
            }
        }
    }

    fn generate_captures(&mut self, position: &Position, histories: &Histories) {
        let mut list = MoveList::new();
        position.add_captures(&mut list);
        for &mv in list.iter().filter(|&&mv| Some(mv) != self.tt_move) {
            let score = mvv_score(position, mv, histories) + histories.capture(position, mv);
            self.moves.push(Scored { mv, score });
        }
    }

    fn generate_quiets(
        &mut self,
        position: &Position,
        histories: &Histories,
        context: &OrderingContext,
    ) {
        let mut list = MoveList::new();
        position.add_quiets(&mut list);
        self.moves.clear();
        self.next = 0;
        let lesser = LesserAttacks::of(position);
        let quarters = histories.escape_quarters();
        for &mv in list.iter() {
            if Some(mv) == self.tt_move || Some(mv) == self.killer {
                continue;
            }
            let mut score =
                histories.quiet(&QuietIndex::new(position, context, mv), &context.previous);
            if let Some(piece) = position.kind_at(mv.from()) {
                if context.checks.squares(piece).contains(mv.to())
                    && position.see_ge(mv, -histories.check_risk(), histories.see_values())
                {
                    score += histories.check_bonus();
                }
                score += lesser.escape(piece, mv, quarters) * histories.escape_bonus() / 4;
            }
            self.moves.push(Scored { mv, score });
        }
    }

    /// Takes the best of the rest: the first few are all that most nodes look at, so sorting them all
    /// would be waste.
    fn best(&mut self) -> Option<Scored> {
        let rest = self.moves.get_mut(self.next..)?;
        const LAST: usize = MoveList::CAPACITY - 1;
        const _: () = assert!(LAST <= 0xFFFF);
        // Score and place in one number: the greatest is found without a branch to guess at.
        let ranked = |(place, scored): (usize, &Scored)| {
            i64::from(scored.score) << 16 | (LAST - place) as i64
        };
        let best = rest.iter().enumerate().map(ranked).max()?;
        rest.swap(0, LAST - (best & 0xFFFF) as usize);
        self.next += 1;
        Some(rest[0])
    }
}

/// What the opponent's lesser pieces attack: a piece that stands there is in danger, and one that goes
/// there puts itself in danger.
struct LesserAttacks {
    pawns: Bitboard,
    minors: Bitboard,
    rooks: Bitboard,
}

impl LesserAttacks {
    fn of(position: &Position) -> LesserAttacks {
        let them = !position.side_to_move();
        let occupied = position.occupied();
        let pawns = position.colored_pieces(them, PieceKind::Pawn).forward(them);
        let pawns = pawns.east() | pawns.west();
        let reach = |piece: PieceKind, attacks: fn(tabiya_chess::Square, Bitboard) -> Bitboard| {
            position
                .colored_pieces(them, piece)
                .into_iter()
                .fold(Bitboard::EMPTY, |sum, square| sum | attacks(square, occupied))
        };
        let minors = pawns
            | reach(PieceKind::Knight, |square, _| attacks::knight(square))
            | reach(PieceKind::Bishop, attacks::bishop);
        LesserAttacks { pawns, minors, rooks: minors | reach(PieceKind::Rook, attacks::rook) }
    }

    /// What the move takes away of the piece's danger, or adds. `quarters` are the dangers of a rook and a queen,
    /// and the result, in quarters of a minor piece's.
    fn escape(&self, piece: PieceKind, mv: Move, quarters: [i32; 2]) -> i32 {
        let [rook, queen] = quarters;
        let (danger, weight) = match piece {
            PieceKind::Knight | PieceKind::Bishop => (self.pawns, 4),
            PieceKind::Rook => (self.minors, rook),
            PieceKind::Queen => (self.rooks, queen),
            PieceKind::Pawn | PieceKind::King => return 0,
        };
        let at = |square| i32::from(danger.contains(square));
        weight * (at(mv.from()) - at(mv.to()))
    }
}

/// Is it a capture or a promotion?
#[inline(always)]
pub(crate) fn is_tactical(position: &Position, mv: Move) -> bool {
    match mv.kind() {
        MoveKind::Normal => position.piece_at(mv.to()).is_some(),
        MoveKind::Promotion | MoveKind::EnPassant => true,
        MoveKind::Castling => false,
    }
}

/// Most valuable victim (MVV) first, and a new queen as if she had been captured.
#[inline(always)]
fn mvv_score(position: &Position, mv: Move, histories: &Histories) -> i32 {
    let values = histories.see_values();
    let taken = match mv.kind() {
        MoveKind::EnPassant => Some(PieceKind::Pawn),
        _ => position.kind_at(mv.to()),
    };
    let victim = taken.map_or(0, |piece| values.0[piece.index()]);
    let promoted = match mv.promoted() {
        Some(PieceKind::Queen) => values.0[PieceKind::Queen.index()],
        // Hardly ever better than a queen.
        Some(_) => -values.0[PieceKind::Queen.index()],
        None => 0,
    };
    histories.mvv_weight() * (victim + promoted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::PieceTo;
    use crate::params::Params;
    use tabiya_chess::perft;
    use tabiya_chess::rng::SplitMix64;

    /// Perft through the search's own picker: Reul's advanced recursion. The table's move and the
    /// killer are moves of other nodes, as in a search, so that most of them do not fit.
    struct AdvancedRecursion {
        histories: Histories,
        /// What is learned of each move; nothing without.
        bonuses: Option<SplitMix64>,
        stray: Option<Move>,
        /// How many captures were put off as losing.
        put_off: u64,
    }

    impl AdvancedRecursion {
        fn new(bonuses: Option<SplitMix64>) -> AdvancedRecursion {
            let histories = Histories::new(&Params::DEFAULT);
            AdvancedRecursion { histories, bonuses, stray: None, put_off: 0 }
        }

        fn leaves(&mut self, position: &Position, depth: u8) -> u64 {
            if depth == 0 {
                return 1;
            }
            let context = OrderingContext::new(position, [PieceTo::NOTHING; 4]);
            let tt_move = self.stray.filter(|&mv| position.is_legal(mv));
            let mut picker = MovePicker::all(tt_move, position.legal_moves().last().copied());
            let mut leaves = 0;
            while let Some(mv) = picker.next(position, &self.histories, Some(&context)) {
                self.put_off += u64::from(picker.stage() == PickStage::BadCaptures);
                self.learn(position, &context, mv);
                let mut next = position.clone();
                next.play_unchecked(mv);
                self.stray = Some(mv);
                leaves += self.leaves(&next, depth - 1);
            }
            leaves
        }

        /// In the middle of a node, as other threads do it.
        fn learn(&mut self, position: &Position, context: &OrderingContext, mv: Move) {
            let Some(bonuses) = &mut self.bonuses else { return };
            const LARGEST: i32 = 1 << 14;
            let bonus = bonuses.below(2 * LARGEST as u64) as i32 - LARGEST;
            if is_tactical(position, mv) {
                self.histories.update_capture(position, mv, bonus);
            } else {
                let name = QuietIndex::new(position, context, mv);
                self.histories.update_quiet(&name, &context.previous, bonus);
            }
        }
    }

    const ROOTS: [(&str, u8); 5] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4),
        ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 3),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3),
    ];

    /// In the first the king castles to where he stands, or far beyond his rook; in the second to where
    /// his rook stands.
    const CHESS960_ROOTS: [(&str, u8); 2] = [
        ("r1k1r3/pp1q1ppp/2n5/3pb3/3PB3/2N5/PP1Q1PPP/R1K1R3 w EAea - 0 1", 3),
        ("1r2k1r1/p1p1p1p1/8/2n2b2/2N2B2/8/P1P1P1P1/1R2K1R1 b GBgb - 0 1", 3),
    ];

    fn count_alike(recursion: &mut AdvancedRecursion, roots: &[(&str, u8)]) {
        for &(fen, depth) in roots {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(recursion.leaves(&position, depth), perft(&position, depth), "{fen}");
        }
    }

    #[test]
    fn every_legal_move_once() {
        count_alike(&mut AdvancedRecursion::new(None), &ROOTS);
    }

    #[test]
    fn every_legal_move_once_whatever_was_learned() {
        let mut unlearned = AdvancedRecursion::new(None);
        count_alike(&mut unlearned, &ROOTS);
        for seed in 0..3 {
            let mut learning = AdvancedRecursion::new(Some(SplitMix64::stream(seed, 0)));
            count_alike(&mut learning, &ROOTS);
            // The record of a capture decides on what it has to win.
            assert_ne!(learning.put_off, unlearned.put_off);
        }
    }

    #[test]
    fn every_chess960_castling_once() {
        for (fen, _) in CHESS960_ROOTS {
            let castlings = Position::from_fen(fen).unwrap().legal_moves();
            let castlings = castlings.iter().filter(|mv| mv.kind() == MoveKind::Castling);
            assert_eq!(castlings.count(), 2, "{fen}");
        }
        for bonuses in [None, Some(SplitMix64::stream(4, 0))] {
            count_alike(&mut AdvancedRecursion::new(bonuses), &CHESS960_ROOTS);
        }
    }
}
