//! Pieces: one pass over a side's pieces, for mobility, outposts, attacks on the king, and what else follows
//! from where they stand.

use super::pair::Pair;
use super::pawns::PawnSummary;
use super::tally::{Tally, Tracer};
use super::view::{
    Attacks, CENTER, CENTER_RING, KingFrame, View, down, files, fill_down, fill_up, king_ring,
    pawn_attacks, ranks, up,
};
use tabiya_chess::attacks::{self, sliders::Sliders};
use tabiya_chess::{Bitboard, Color, File, Rank, Square};

/// Where a minor piece can be an outpost.
const OUTPOST_RANKS: Bitboard = ranks(Rank::Fourth, Rank::Sixth);

/// Where blocked pawns cramp a bishop most.
const MIDDLE_FILES: Bitboard = files(File::C, File::F);

/// A rook with no more squares than this may be locked in.
const LOCKED_IN: u32 = 3;

/// What the pass has found so far.
struct Survey<'v, 't, 'w, T> {
    view: &'v View,
    tally: &'t mut Tally<'w, T>,
    /// Squares that count as mobility.
    area: Bitboard,
    pinned: Bitboard,
    /// The squares around the enemy's king.
    ring: Bitboard,
    own_frame: KingFrame,
    enemy_frame: KingFrame,
    all: Bitboard,
    twice: Bitboard,
}

/// Adds up what a side's pieces are worth where they stand, and tells what they attack.
#[inline(always)]
pub(super) fn survey<S: Sliders, T: Tracer>(
    color: Color,
    view: &View,
    pawns: &PawnSummary,
    sliders: S,
    tally: &mut Tally<'_, T>,
) -> Attacks {
    let own = &view.own;
    let weights = tally.weights;
    let enemy_pawn_attacks = down(view.enemy.pawns.east() | view.enemy.pawns.west());
    let own_pawn_attacks = pawn_attacks(own.pawns);
    let king_attacks = attacks::king(own.king);
    let pinned = pinned(view);
    tally.endanger(&weights.danger_pin, pinned.len());

    // Pawns that are blocked or at home are no squares for pieces; others may step aside.
    let fixed_pawns = own.pawns & (down(view.occupied) | ranks(Rank::Second, Rank::Third));
    let mut survey = Survey {
        view,
        area: !(enemy_pawn_attacks | fixed_pawns | own.queens).with(own.king),
        pinned,
        ring: king_ring(view.enemy.king),
        own_frame: KingFrame::of(own.king),
        enemy_frame: KingFrame::of(view.enemy.king.flip_ranks()),
        all: own_pawn_attacks | king_attacks,
        twice: up(own.pawns.east()) & up(own.pawns.west()) | own_pawn_attacks & king_attacks,
        tally,
    };

    let occupied = view.occupied;
    let knights = survey.officers::<0, 9>(own.knights, &weights.knight_mobility, attacks::knight);
    // Sliders see through own pieces that move like them: together they press harder.
    let diagonal = occupied - own.queens - own.bishops;
    let bishops = survey.officers::<1, 14>(own.bishops, &weights.bishop_mobility, |square| {
        sliders.bishop(square, diagonal)
    });
    let orthogonal = occupied - own.queens - own.rooks;
    let rooks = survey.officers::<2, 15>(own.rooks, &weights.rook_mobility, |square| {
        sliders.rook(square, orthogonal)
    });
    let queens = survey.officers::<3, 28>(own.queens, &weights.queen_mobility, |square| {
        sliders.bishop(square, occupied) | sliders.rook(square, occupied)
    });
    let (all, twice) = (survey.all, survey.twice);

    let enemy_span = pawns.spans[(!color).index()].flip_ranks();
    minors(view, (own_pawn_attacks & OUTPOST_RANKS) - enemy_span, knights, tally);
    rook_files(view, tally);

    tally.add_times(&weights.center_attack[0], (own_pawn_attacks & CENTER).len());
    tally.add_times(&weights.center_ring_attack[0], (own_pawn_attacks & CENTER_RING).len());
    tally.add_times(&weights.center_occupation, (own.all & CENTER).without(own.king).len());
    Attacks {
        pawns: own_pawn_attacks,
        knights,
        bishops,
        rooks,
        queens,
        king: king_attacks,
        all,
        twice,
    }
}

impl<T: Tracer> Survey<'_, '_, '_, T> {
    /// Goes through the pieces of a kind, from knight 0 to queen 3, and joins what they attack.
    #[inline(always)]
    fn officers<const OFFICER: usize, const N: usize>(
        &mut self,
        pieces: Bitboard,
        mobility: &[Pair; N],
        reach_from: impl Fn(Square) -> Bitboard,
    ) -> Bitboard {
        let weights = self.tally.weights;
        let own_squares = &weights.own_king_squares[self.own_frame.home][OFFICER + 1];
        let enemy_squares = &weights.enemy_king_squares[self.enemy_frame.home][OFFICER + 1];
        let mut union = Bitboard::EMPTY;
        for square in pieces {
            let mut reach = reach_from(square);
            if self.pinned.contains(square) {
                reach &= attacks::line(self.view.own.king, square);
            }
            union |= reach;
            self.twice |= self.all & reach;
            self.all |= reach;

            let tally = &mut *self.tally;
            tally.add(&own_squares[self.own_frame.place(square)]);
            tally.add(&enemy_squares[self.enemy_frame.place(square)]);

            let free = (reach & self.area).len();
            tally.add(&mobility[free as usize]);

            let hits = (reach & self.ring).len();
            tally.menace(&weights.danger_attacker[OFFICER], u32::from(hits != 0));
            tally.menace(&weights.danger_attack, hits);

            tally.add_times(&weights.center_attack[OFFICER + 1], (reach & CENTER).len());
            tally.add_times(&weights.center_ring_attack[OFFICER + 1], (reach & CENTER_RING).len());

            if OFFICER < 2 {
                let steps = u32::from(self.view.own.king.distance(square));
                tally.add_times(&weights.king_distance[OFFICER], steps);
            }
            if OFFICER == 2 && free <= LOCKED_IN && locked_in(self.view.own.king, square) {
                tally.add(&weights.trapped_rook);
            }
        }
        union
    }
}

/// The own pieces that cannot leave the line between their king and an enemy slider.
#[inline(always)]
fn pinned(view: &View) -> Bitboard {
    let enemy = &view.enemy;
    let king = view.own.king;
    let snipers = attacks::rook_rays(king) & (enemy.rooks | enemy.queens)
        | attacks::bishop_rays(king) & (enemy.bishops | enemy.queens);
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers {
        let shields = attacks::between(king, sniper) & view.occupied;
        if !shields.has_several() {
            pinned |= shields & view.own.all;
        }
    }
    pinned
}

/// Does a rook stand between his king and the edge that the king is nearer to?
#[inline(always)]
fn locked_in(king: Square, rook: Square) -> bool {
    let (king, rook) = (king.file(), rook.file());
    if king >= File::E { rook > king } else { rook < king }
}

#[inline(always)]
fn minors<T: Tracer>(
    view: &View,
    outposts: Bitboard,
    knight_attacks: Bitboard,
    tally: &mut Tally<'_, T>,
) {
    let weights = tally.weights;
    let own = &view.own;
    tally.add_times(&weights.outpost[0], (own.knights & outposts).len());
    tally.add_times(&weights.outpost[1], (own.bishops & outposts).len());
    tally.add_times(&weights.reachable_outpost, ((knight_attacks & outposts) - own.all).len());
    let pawns = own.pawns | view.enemy.pawns;
    tally.add_times(&weights.minor_behind_pawn, (own.minors() & down(pawns)).len());

    let blocked = (own.pawns & down(view.occupied) & MIDDLE_FILES).len();
    for complex in [Bitboard::DARK, Bitboard::LIGHT] {
        let bishops = (own.bishops & complex).len();
        let pawns_on = (own.pawns & complex).len();
        tally.add_times(&weights.bad_bishop, bishops * pawns_on * (1 + blocked));
        // A pawn guards squares of its own color only: those on the other color leave this one to
        // the enemy's bishop.
        let conceded = bishops == 0 && view.enemy.bishops.intersects(complex);
        let elsewhere = (own.pawns - complex).len();
        tally.add_times(&weights.color_weakness, u32::from(conceded) * elsewhere);
    }
}

#[inline(always)]
fn rook_files<T: Tracer>(view: &View, tally: &mut Tally<'_, T>) {
    let weights = tally.weights;
    let rooks = view.own.rooks;
    let file_fill = |set: Bitboard| fill_up(set) | fill_down(set);
    let without_own = rooks - file_fill(view.own.pawns);
    let open = without_own - file_fill(view.enemy.pawns);
    tally.add_times(&weights.rook_open_file, open.len());
    tally.add_times(&weights.rook_half_open_file, (without_own - open).len());
    tally.add_times(&weights.rook_on_queen_file, (rooks & file_fill(view.enemy.queens)).len());

    const SEVENTH: Bitboard = Bitboard::rank(Rank::Seventh);
    let prey = view.enemy.king.rank() == Rank::Eighth || view.enemy.pawns.intersects(SEVENTH);
    tally.add_times(&weights.rook_seventh, u32::from(prey) * (rooks & SEVENTH).len());
}
