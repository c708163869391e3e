//! What depends on pawns and kings alone, and can therefore be remembered.

use super::layout::Weights;
use super::pair::Pair;
use super::tally::{Tally, Tracer};
use super::view::{
    KingFrame, View, above, below, down, edge, files, fill_down, fill_up, half_square,
    pawn_attacks, up,
};
use tabiya_chess::{Bitboard, Color, File, Square};

/// The part of an evaluation that pawns and kings decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PawnSummary {
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
    /// Per color, in its own view: squares that its pawns attack, or can come to attack.
    pub(super) spans: [Bitboard; 2],
    /// White's score less Black's.
    pub(super) score: Pair,
    /// The danger to each color's king.
    pub(super) danger: [Pair; 2],
}

/// Works out the summary of a position.
#[inline(always)]
pub(super) fn summarize<T: Tracer>(
    views: &[View; 2],
    weights: &Weights,
    tracer: &mut T,
) -> PawnSummary {
    let mut summary = PawnSummary {
        passed: Bitboard::EMPTY,
        spans: [Bitboard::EMPTY; 2],
        score: Pair::ZERO,
        danger: [Pair::ZERO; 2],
    };
    for color in Color::ALL {
        let view = &views[color.index()];
        let mut tally = Tally::new(weights, color, tracer);
        let sets = PawnSets::of(view);
        structure(view, &sets, &mut tally);
        passed_pawns(view, &sets, &mut tally);
        placement(view, &mut tally);
        shelter(view, &mut tally);
        summary.danger[color.index()] = tally.danger;
        summary.spans[color.index()] = sets.span;
        match color {
            Color::White => {
                summary.score += tally.score;
                summary.passed |= sets.passed;
            }
            Color::Black => {
                summary.score -= tally.score;
                summary.passed |= sets.passed.flip_ranks();
            }
        }
    }
    summary
}

/// Sets of squares that several terms want, in the view of the side whose pawns they describe.
struct PawnSets {
    own: Bitboard,
    enemy: Bitboard,
    attacks: Bitboard,
    enemy_attacks: Bitboard,
    /// Squares that own pawns attack, or can come to attack.
    span: Bitboard,
    /// Own pawns with no enemy pawn ahead on their file.
    open: Bitboard,
    /// Own pawns with an own pawn ahead on their file.
    doubled: Bitboard,
    passed: Bitboard,
}

impl PawnSets {
    #[inline(always)]
    fn of(view: &View) -> PawnSets {
        let (own, enemy) = (view.own.pawns, view.enemy.pawns);
        let attacks = pawn_attacks(own);
        let enemy_attacks = down(enemy.east() | enemy.west());
        let open = own - fill_down(down(enemy));
        let doubled = own & fill_down(down(own));
        PawnSets {
            own,
            enemy,
            attacks,
            enemy_attacks,
            span: fill_up(attacks),
            open,
            doubled,
            passed: open - fill_down(enemy_attacks) - doubled,
        }
    }
}

#[inline(always)]
fn structure<T: Tracer>(view: &View, sets: &PawnSets, tally: &mut Tally<'_, T>) {
    let weights = tally.weights;
    let own_files = fill_up(sets.own) | fill_down(sets.own);
    let isolated = sets.own - (own_files.east() | own_files.west());
    tally.add_times(&weights.isolated_pawn[0], (isolated - sets.open).len());
    tally.add_times(&weights.isolated_pawn[1], (isolated & sets.open).len());
    tally.add_times(&weights.doubled_pawn, sets.doubled.len());

    let lost_stops = (up(sets.own) & sets.enemy_attacks) - sets.span;
    let backward = down(lost_stops) - isolated;
    tally.add_times(&weights.backward_pawn[0], (backward - sets.open).len());
    tally.add_times(&weights.backward_pawn[1], (backward & sets.open).len());

    by_rank(sets.own & (sets.own.east() | sets.own.west()), &weights.phalanx_pawn, tally);
    by_rank(sets.own & sets.attacks, &weights.supported_pawn, tally);
    by_rank(sets.own & down(view.enemy.pawns), &weights.rammed_pawn, tally);

    let first_rank = fill_down(sets.own).0 & 0xFF;
    let islands = (first_rank & !(first_rank << 1)).count_ones();
    tally.add_times(&weights.pawn_island, islands.saturating_sub(1));
}

#[inline(always)]
fn by_rank<T: Tracer>(pawns: Bitboard, weights: &[Pair; 8], tally: &mut Tally<'_, T>) {
    for pawn in pawns {
        tally.add(&weights[pawn.rank().index()]);
    }
}

#[inline(always)]
fn passed_pawns<T: Tracer>(view: &View, sets: &PawnSets, tally: &mut Tally<'_, T>) {
    let weights = tally.weights;
    let passed_files = fill_up(sets.passed) | fill_down(sets.passed);
    let connected = sets.passed & (passed_files.east() | passed_files.west());
    by_rank(sets.passed, &weights.passed_pawn, tally);
    by_rank(sets.passed & sets.attacks, &weights.passed_pawn_protected, tally);
    by_rank(connected, &weights.passed_pawn_connected, tally);
    for pawn in sets.passed {
        let rank = pawn.rank().index();
        let stop = Square::wrapping(pawn as u32 + 8);
        let own = usize::from(view.own.king.distance(stop));
        let enemy = usize::from(view.enemy.king.distance(stop));
        tally.add(&weights.passed_pawn_file[edge(pawn)]);
        tally.add(&weights.passed_pawn_own_king[rank][own]);
        tally.add(&weights.passed_pawn_enemy_king[rank][enemy]);
    }
    for pawn in sets.open - sets.passed - sets.doubled {
        let beside = |set: Bitboard| set.east() | set.west();
        let helpers = sets.own & beside(below(pawn).with(pawn));
        let sentries = sets.enemy & beside(above(pawn));
        if helpers.len() >= sentries.len() {
            tally.add(&weights.candidate_pawn[pawn.rank().index()]);
        }
    }
}

#[inline(always)]
fn placement<T: Tracer>(view: &View, tally: &mut Tally<'_, T>) {
    let weights = tally.weights;
    let own_frame = KingFrame::of(view.own.king);
    let enemy_frame = KingFrame::of(view.enemy.king.flip_ranks());
    for pawn in view.own.pawns {
        tally.add(&weights.own_king_squares[own_frame.home][0][own_frame.place(pawn)]);
        tally.add(&weights.enemy_king_squares[enemy_frame.home][0][enemy_frame.place(pawn)]);
    }
    tally.add(&weights.king_squares[half_square(view.own.king)]);
}

/// The files that a king lives on.
#[inline(always)]
pub(super) const fn king_flank(king: Square) -> Bitboard {
    match king.file() {
        File::A | File::B | File::C => files(File::A, File::D),
        File::D | File::E => files(File::C, File::F),
        File::F | File::G | File::H => files(File::E, File::H),
    }
}

#[inline(always)]
fn shelter<T: Tracer>(view: &View, tally: &mut Tally<'_, T>) {
    let weights = tally.weights;
    let king = view.own.king;
    if king_flank(king).is_disjoint(view.own.pawns | view.enemy.pawns) {
        tally.add(&weights.pawnless_flank);
    }
    // The king's rank and all above: pawns behind him neither cover nor storm.
    let ahead = Bitboard(u64::MAX << (8 * king.rank().index()));
    let middle = king.file().index().clamp(1, 6);
    for file in File::ALL[middle - 1..=middle + 1].iter().copied() {
        let file_set = Bitboard::file(file) & ahead;
        let from_edge = edge(Square::wrapping(file as u32));
        // No pawn is written as the first rank, where none can stand.
        let nearest = |pawns: Bitboard| (pawns & file_set).first().map_or(0, |p| p.rank().index());
        let own = nearest(view.own.pawns);
        let enemy = nearest(view.enemy.pawns);
        let held = usize::from(own != 0 && own + 1 == enemy);
        tally.add(&weights.shelter[from_edge][own]);
        tally.endanger(&weights.danger_shelter[from_edge][own], 1);
        tally.add(&weights.storm[held][enemy]);
        tally.endanger(&weights.danger_storm[held][enemy], 1);
    }
}
