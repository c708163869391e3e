//! The generator for processors with AVX2 and quick PEXT: all lines of the board at once.
//!
//! A vector of four 64-bit lanes holds one set for each axis: file, rank, rising diagonal, falling
//! diagonal. Lanes shift by the axis's own step, so that a parallel-prefix fill runs all sliders of a
//! side along all axes in some thirty instructions without a branch, however many sliders there are.
//! In one direction no two sliders reach the same square, so that the fills can be counted as they
//! are, without listing the moves.

use super::cpu::{Counter, MovegenCpu};
use super::generate::{Visitor, castlings, diagonal_east, diagonal_west, generate};
use super::stage::{All, MoveStage};
use crate::attacks::sliders::{Pext, Sliders};
use crate::attacks::{self, RAYS_DOWN, RAYS_UP, pawn_attacks_east, pawn_attacks_west};
use crate::board::Board;
use crate::side::Side;
use crate::{Bitboard, File, Square};
use core::arch::x86_64::*;

/// A [`Pext`] exists only where the processor has all the features that this module is compiled for.
#[derive(Clone, Copy)]
pub(crate) struct MovegenWide<'a>(pub(crate) Pext<'a>);

impl Sliders for MovegenWide<'_> {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.rook(square, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        self.0.bishop(square, occupied)
    }

    #[inline(always)]
    fn union(self, diagonal: Bitboard, orthogonal: Bitboard, occupied: Bitboard) -> Bitboard {
        // SAFETY: a `MovegenWide` has a `Pext`, which has a token of the features.
        unsafe { union(diagonal.0, orthogonal.0, occupied.0) }
    }
}

impl MovegenCpu for MovegenWide<'_> {
    #[inline(always)]
    fn generate<S: Side>(self, board: &Board, stage: &impl MoveStage, visitor: &mut impl Visitor) {
        // SAFETY: a `MovegenWide` has a `Pext`, which has a token of the features.
        unsafe { generate_wide::<S>(self, board, stage, visitor) }
    }

    #[inline(always)]
    fn count<S: Side>(self, board: &Board) -> u64 {
        // SAFETY: a `MovegenWide` has a `Pext`, which has a token of the features.
        unsafe { count::<S>(self, board) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn generate_wide<S: Side>(
    cpu: MovegenWide<'_>,
    board: &Board,
    stage: &impl MoveStage,
    visitor: &mut impl Visitor,
) {
    generate::<S, _>(board, cpu, stage, visitor);
}

/// In check few moves are legal and lines matter one by one, so the generator proper counts.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_evasions<S: Side>(cpu: MovegenWide<'_>, board: &Board) -> u64 {
    let mut counter = Counter(0);
    generate::<S, _>(board, cpu, &All, &mut counter);
    counter.0
}

const NOT_A: i64 = !Bitboard::file(File::A).0 as i64;
const NOT_H: i64 = !Bitboard::file(File::H).0 as i64;
const NOT_AB: i64 = NOT_A & !(Bitboard::file(File::B).0 as i64);
const NOT_GH: i64 = NOT_H & !(Bitboard::file(File::G).0 as i64);

/// A set for each axis, in one direction and in the other.
#[derive(Clone, Copy)]
struct Fills {
    up: __m256i,
    down: __m256i,
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(set: u64) -> __m256i {
    _mm256_set1_epi64x(set as i64)
}

/// The sliders of each axis.
#[inline]
#[target_feature(enable = "avx2")]
fn by_axis(diagonal: u64, orthogonal: u64) -> __m256i {
    _mm256_blend_epi32::<0b1111_0000>(splat(orthogonal), splat(diagonal))
}

/// The union of all lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn merge(lanes: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    (_mm_cvtsi128_si64(halves) | _mm_extract_epi64::<1>(halves)) as u64
}

/// The squares that sliders attack along each axis.
#[inline]
#[target_feature(enable = "avx2")]
fn slide(sliders: __m256i, occupied: u64) -> Fills {
    let step = _mm256_set_epi64x(7, 9, 1, 8);
    let step2 = _mm256_slli_epi64::<1>(step);
    let step4 = _mm256_slli_epi64::<2>(step);
    // Squares that a step cannot have come to, since it would have gone around the board's edge.
    let up_edge = _mm256_set_epi64x(NOT_H, NOT_A, NOT_A, !0);
    let down_edge = _mm256_set_epi64x(NOT_A, NOT_H, NOT_H, !0);
    let empty = splat(!occupied);

    let mut open = _mm256_and_si256(empty, up_edge);
    let mut up = sliders;
    up = _mm256_or_si256(up, _mm256_and_si256(open, _mm256_sllv_epi64(up, step)));
    open = _mm256_and_si256(open, _mm256_sllv_epi64(open, step));
    up = _mm256_or_si256(up, _mm256_and_si256(open, _mm256_sllv_epi64(up, step2)));
    open = _mm256_and_si256(open, _mm256_sllv_epi64(open, step2));
    up = _mm256_or_si256(up, _mm256_and_si256(open, _mm256_sllv_epi64(up, step4)));
    up = _mm256_and_si256(up_edge, _mm256_sllv_epi64(up, step));

    let mut open = _mm256_and_si256(empty, down_edge);
    let mut down = sliders;
    down = _mm256_or_si256(down, _mm256_and_si256(open, _mm256_srlv_epi64(down, step)));
    open = _mm256_and_si256(open, _mm256_srlv_epi64(open, step));
    down = _mm256_or_si256(down, _mm256_and_si256(open, _mm256_srlv_epi64(down, step2)));
    open = _mm256_and_si256(open, _mm256_srlv_epi64(open, step2));
    down = _mm256_or_si256(down, _mm256_and_si256(open, _mm256_srlv_epi64(down, step4)));
    down = _mm256_and_si256(down_edge, _mm256_srlv_epi64(down, step));

    Fills { up, down }
}

/// The squares that knights attack, a lane for each of four jumps upwards and four downwards.
#[inline]
#[target_feature(enable = "avx2")]
fn jump(knights: u64) -> Fills {
    let jumps = _mm256_set_epi64x(17, 15, 10, 6);
    let up_edge = _mm256_set_epi64x(NOT_A, NOT_H, NOT_AB, NOT_GH);
    let down_edge = _mm256_set_epi64x(NOT_H, NOT_A, NOT_GH, NOT_AB);
    let knights = splat(knights);
    Fills {
        up: _mm256_and_si256(up_edge, _mm256_sllv_epi64(knights, jumps)),
        down: _mm256_and_si256(down_edge, _mm256_srlv_epi64(knights, jumps)),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn union(diagonal: u64, orthogonal: u64, occupied: u64) -> Bitboard {
    let Fills { up, down } = slide(by_axis(diagonal, orthogonal), occupied);
    Bitboard(merge(_mm256_or_si256(up, down)))
}

/// How many bits are set in each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn ones_by_byte(lanes: __m256i) -> __m256i {
    let ones = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
    );
    let nibble = _mm256_set1_epi8(0xF);
    let low = _mm256_and_si256(lanes, nibble);
    let high = _mm256_and_si256(_mm256_srli_epi16::<4>(lanes), nibble);
    _mm256_add_epi8(_mm256_shuffle_epi8(ones, low), _mm256_shuffle_epi8(ones, high))
}

#[inline]
#[target_feature(enable = "avx2")]
fn count_bits(sets: [__m256i; 4]) -> u64 {
    let [a, b, c, d] = sets.map(|set| ones_by_byte(set));
    let bytes = _mm256_add_epi8(_mm256_add_epi8(a, b), _mm256_add_epi8(c, d));
    let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    let halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    (_mm_cvtsi128_si64(halves) + _mm_extract_epi64::<1>(halves)) as u64
}

/// How many legal moves there are.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count<S: Side>(cpu: MovegenWide<'_>, board: &Board) -> u64 {
    let occupied = board.occupied();
    let us = board.colors(S::COLOR);
    let them = board.colors(S::Other::COLOR);
    let king = board.king(S::COLOR);
    let (diagonal, orthogonal) = (board.diagonal(), board.orthogonal());
    let pawns = board.pawns();
    let knights = board.knights();

    let enemy = slide(by_axis((diagonal & them).0, (orthogonal & them).0), occupied.0);
    let enemy_jumps = jump((knights & them).0);
    let danger = Bitboard(merge(_mm256_or_si256(
        _mm256_or_si256(enemy.up, enemy.down),
        _mm256_or_si256(enemy_jumps.up, enemy_jumps.down),
    ))) | pawn_attacks_east(pawns & them, S::Other::COLOR)
        | pawn_attacks_west(pawns & them, S::Other::COLOR)
        | attacks::king(board.king(S::Other::COLOR));
    if danger.contains(king) {
        return count_evasions::<S>(cpu, board);
    }

    // A piece is pinned where a line from the king meets an enemy's line from the other side.
    let lines = by_axis(cpu.bishop(king, occupied).0, cpu.rook(king, occupied).0);
    // SAFETY: each row is four 64-bit words, and the loads ask for no alignment.
    let (rays_up, rays_down) = unsafe {
        (
            _mm256_loadu_si256(RAYS_UP[king.index()].as_ptr().cast()),
            _mm256_loadu_si256(RAYS_DOWN[king.index()].as_ptr().cast()),
        )
    };
    let pins = _mm256_and_si256(
        _mm256_and_si256(lines, splat(us.0)),
        _mm256_or_si256(
            _mm256_and_si256(enemy.up, rays_down),
            _mm256_and_si256(enemy.down, rays_up),
        ),
    );
    let pinned = Bitboard(merge(pins));

    // A pinned slider may move along the axis of its pin.
    let own = by_axis((diagonal & us).0, (orthogonal & us).0);
    let own =
        _mm256_or_si256(_mm256_andnot_si256(splat(pinned.0), own), _mm256_and_si256(own, pins));
    let sliding = slide(own, occupied.0);
    let jumping = jump(((knights & us) - pinned).0);
    let targets = splat(!us.0);
    let mut moves = count_bits([
        _mm256_and_si256(sliding.up, targets),
        _mm256_and_si256(sliding.down, targets),
        _mm256_and_si256(jumping.up, targets),
        _mm256_and_si256(jumping.down, targets),
    ]);

    moves += u64::from((attacks::king(king) - us - danger).len());
    if board.castling.intersects(S::HOME) {
        castlings::<S>(board, king, danger, pinned, |_| moves += 1);
    }

    let pawns = pawns & us;
    let free = pawns - pinned;
    let single = (free | pawns & Bitboard::file(king.file())).forward(S::COLOR) - occupied;
    let double = (single & S::THIRD).forward(S::COLOR) - occupied;
    let east = pawn_attacks_east(free | pawns & diagonal_east::<S>(king), S::COLOR) & them;
    let west = pawn_attacks_west(free | pawns & diagonal_west::<S>(king), S::COLOR) & them;
    // Single and double steps never share a target: the one's pawn would stand in the other's way.
    moves += u64::from((single | double).len() + east.len() + west.len());
    if pawns.intersects(S::SEVENTH) {
        let promoting = (single & S::LAST).len() + (east & S::LAST).len() + (west & S::LAST).len();
        moves += 3 * u64::from(promoting);
    }
    if let Some(to) = board.en_passant {
        for from in attacks::pawn(S::Other::COLOR, to) & pawns {
            moves += u64::from(board.en_passant_is_legal::<S>(cpu, from, to));
        }
    }
    moves
}
