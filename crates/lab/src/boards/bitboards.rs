//! Bitboards: a set of squares for each kind and color, and what stands on each square.
//!
//! One program, whatever its look-ups are: so nothing else differs between rotated and magic bitboards.

mod lines;
pub mod scan;

pub use lines::{Lines, Plain, Rotated, Source};

use super::{Board, BoardMove, Kind, Lifted, Moves, Placement, rights};
use core::marker::PhantomData;
use scan::{Native, Scan};
use tabiya_chess::{Bitboard, Color, Piece, PieceKind, Rank, Square, attacks};

/// With the project's magic multipliers.
pub type Magic = Plain<lines::MagicSource>;
/// With parallel bit extraction.
pub type Pext = Plain<lines::PextSource>;
/// With the same multipliers, and parts of one size.
pub type HomogeneousMagic = Plain<lines::HomogeneousSource>;
/// With hyperbola quintessence.
pub type Hyperbola = Plain<lines::HyperbolaSource>;
/// With ray scans.
pub type RayScans = Plain<lines::RaySource>;

/// What a square holds when it holds nothing.
const NOBODY: u8 = 6;

/// The board.
#[derive(Clone)]
pub struct Bitboards<L, S = Native> {
    kinds: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// Per square the index of its piece.
    pieces: [u8; 64],
    lines: L,
    turn: Color,
    rights: u8,
    passed: Option<Square>,
    scan: PhantomData<S>,
}

/// What a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    taken: u8,
    rights: u8,
    passed: Option<Square>,
}

#[inline(always)]
fn at(cell: u8) -> Square {
    Square::wrapping(cell.into())
}

#[inline(always)]
fn piece(index: u8) -> Option<PieceKind> {
    PieceKind::ALL.get(usize::from(index)).copied()
}

/// Pushes a move for each target.
#[inline(always)]
fn push<S: Scan>(moves: &mut Moves, from: Square, targets: Bitboard) {
    for to in S::squares(targets) {
        moves.push(BoardMove { from: from as u8, to: to as u8, kind: Kind::Normal });
    }
}

/// Pushes pawn moves to targets that lie a step away.
#[inline(always)]
fn push_pawns<S: Scan>(moves: &mut Moves, targets: Bitboard, step: i8, kind: Kind) {
    for to in S::squares(targets) {
        moves.push(BoardMove { from: (to as i8 - step) as u8, to: to as u8, kind });
    }
}

#[inline(always)]
fn push_promotions<S: Scan>(moves: &mut Moves, targets: Bitboard, step: i8) {
    for to in S::squares(targets) {
        let from = (to as i8 - step) as u8;
        for kind in Kind::PROMOTIONS {
            moves.push(BoardMove { from, to: to as u8, kind });
        }
    }
}

impl<L: Lines, S: Scan> Bitboards<L, S> {
    #[inline(always)]
    fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    #[inline(always)]
    fn diagonal(&self, color: Color) -> Bitboard {
        let kinds = self.kinds[PieceKind::Bishop.index()] | self.kinds[PieceKind::Queen.index()];
        kinds & self.colors[color.index()]
    }

    #[inline(always)]
    fn orthogonal(&self, color: Color) -> Bitboard {
        let kinds = self.kinds[PieceKind::Rook.index()] | self.kinds[PieceKind::Queen.index()];
        kinds & self.colors[color.index()]
    }

    #[inline(always)]
    fn flip(&mut self, color: Color, index: u8, square: Square) {
        let bit = Bitboard::square(square);
        self.kinds[usize::from(index)] ^= bit;
        self.colors[color.index()] ^= bit;
        self.lines.flip(square);
    }

    #[inline(always)]
    fn shift(&mut self, color: Color, index: u8, from: Square, to: Square) {
        self.flip(color, index, from);
        self.flip(color, index, to);
        self.pieces[from.index()] = NOBODY;
        self.pieces[to.index()] = index;
    }

    /// All pieces of a side that attack a square.
    #[inline(always)]
    fn attackers(&self, square: Square, by: Color) -> Bitboard {
        let leapers = attacks::pawn(!by, square) & self.kinds[PieceKind::Pawn.index()]
            | attacks::knight(square) & self.kinds[PieceKind::Knight.index()]
            | attacks::king(square) & self.kinds[PieceKind::King.index()];
        leapers & self.colors[by.index()]
            | self.lines.bishop(square) & self.diagonal(by)
            | self.lines.rook(square) & self.orthogonal(by)
    }

    #[inline(always)]
    fn pieces(&self, moves: &mut Moves, allowed: Bitboard) {
        let us = self.turn;
        for from in S::squares(self.of(us, PieceKind::Knight)) {
            push::<S>(moves, from, attacks::knight(from) & allowed);
        }
        for from in S::squares(self.diagonal(us)) {
            push::<S>(moves, from, self.lines.bishop(from) & allowed);
        }
        for from in S::squares(self.orthogonal(us)) {
            push::<S>(moves, from, self.lines.rook(from) & allowed);
        }
        for from in S::squares(self.of(us, PieceKind::King)) {
            push::<S>(moves, from, attacks::king(from) & allowed);
        }
    }

    /// Squares a step forward, a step of pawns, and the rank they promote on.
    #[inline(always)]
    fn pawn_facts(&self) -> (Bitboard, i8, Bitboard) {
        let us = self.turn;
        let step = if us == Color::White { 8 } else { -8 };
        let last = Bitboard::rank(Rank::Eighth.relative_to(us));
        (self.of(us, PieceKind::Pawn), step, last)
    }
}

impl<L: Lines, S: Scan> Board for Bitboards<L, S> {
    const NAME: &'static str = L::NAME;

    type Undo = Undo;

    fn set_up(placement: &Placement) -> Self {
        let mut board = Bitboards {
            kinds: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            pieces: [NOBODY; 64],
            lines: L::empty(),
            turn: placement.turn,
            rights: placement.rights,
            passed: placement.passed,
            scan: PhantomData,
        };
        for square in Square::ALL {
            if let Some(piece) = placement.pieces[square.index()] {
                board.flip(piece.color(), piece.kind() as u8, square);
                board.pieces[square.index()] = piece.kind() as u8;
            }
        }
        board
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn
    }

    fn captures(&self, moves: &mut Moves) {
        let us = self.turn;
        let enemies = self.colors[(!us).index()];
        let (pawns, step, last) = self.pawn_facts();
        let ahead = pawns.forward(us) - self.lines.occupied();
        push_promotions::<S>(moves, ahead & last, step);
        for (targets, step) in
            [(pawns.west().forward(us), step - 1), (pawns.east().forward(us), step + 1)]
        {
            push_promotions::<S>(moves, targets & enemies & last, step);
            push_pawns::<S>(moves, (targets & enemies) - last, step, Kind::Normal);
            if let Some(passed) = self.passed {
                push_pawns::<S>(moves, targets & Bitboard::square(passed), step, Kind::EnPassant);
            }
        }
        self.pieces(moves, enemies);
    }

    fn quiets(&self, moves: &mut Moves) {
        let us = self.turn;
        let empty = !self.lines.occupied();
        let (pawns, step, last) = self.pawn_facts();
        let ahead = pawns.forward(us) & empty;
        push_pawns::<S>(moves, ahead - last, step, Kind::Normal);
        let third = Bitboard::rank(Rank::Third.relative_to(us));
        push_pawns::<S>(moves, (ahead & third).forward(us) & empty, 2 * step, Kind::DoubleStep);
        self.pieces(moves, empty);
        super::castlings(self, self.rights, moves);
    }

    #[inline]
    fn make(&mut self, mv: BoardMove) -> Undo {
        let us = self.turn;
        let (from, to) = (at(mv.from), at(mv.to));
        let taken = self.pieces[to.index()];
        let undo = Undo { taken, rights: self.rights, passed: self.passed };
        self.passed = None;
        self.rights &= rights::kept(from) & rights::kept(to);
        if taken != NOBODY {
            self.flip(!us, taken, to);
        }
        let index = self.pieces[from.index()];
        match mv.kind {
            Kind::Normal => self.shift(us, index, from, to),
            Kind::DoubleStep => {
                self.shift(us, index, from, to);
                self.passed = Some(at((mv.from + mv.to) / 2));
            }
            Kind::EnPassant => {
                let victim = Square::from_coords(to.file(), from.rank());
                self.flip(!us, PieceKind::Pawn as u8, victim);
                self.pieces[victim.index()] = NOBODY;
                self.shift(us, index, from, to);
            }
            Kind::ShortCastling => {
                self.shift(us, index, from, to);
                self.shift(us, PieceKind::Rook as u8, at(mv.from + 3), at(mv.from + 1));
            }
            Kind::LongCastling => {
                self.shift(us, index, from, to);
                self.shift(us, PieceKind::Rook as u8, at(mv.from - 4), at(mv.from - 1));
            }
            promotion => {
                self.flip(us, index, from);
                self.pieces[from.index()] = NOBODY;
                let promoted = promotion.promoted().unwrap_or(PieceKind::Queen) as u8;
                self.flip(us, promoted, to);
                self.pieces[to.index()] = promoted;
            }
        }
        self.turn = !us;
        undo
    }

    #[inline]
    fn unmake(&mut self, mv: BoardMove, undo: Undo) {
        let us = !self.turn;
        let (from, to) = (at(mv.from), at(mv.to));
        self.turn = us;
        self.rights = undo.rights;
        self.passed = undo.passed;
        let index = self.pieces[to.index()];
        match mv.kind {
            Kind::Normal | Kind::DoubleStep => self.shift(us, index, to, from),
            Kind::EnPassant => {
                self.shift(us, index, to, from);
                let victim = Square::from_coords(to.file(), from.rank());
                self.flip(!us, PieceKind::Pawn as u8, victim);
                self.pieces[victim.index()] = PieceKind::Pawn as u8;
            }
            Kind::ShortCastling => {
                self.shift(us, index, to, from);
                self.shift(us, PieceKind::Rook as u8, at(mv.from + 1), at(mv.from + 3));
            }
            Kind::LongCastling => {
                self.shift(us, index, to, from);
                self.shift(us, PieceKind::Rook as u8, at(mv.from - 1), at(mv.from - 4));
            }
            _ => {
                self.flip(us, index, to);
                self.pieces[to.index()] = NOBODY;
                self.flip(us, PieceKind::Pawn as u8, from);
                self.pieces[from.index()] = PieceKind::Pawn as u8;
            }
        }
        if undo.taken != NOBODY {
            self.flip(!us, undo.taken, to);
            self.pieces[to.index()] = undo.taken;
        }
    }

    fn null_move(&mut self) -> Undo {
        let undo = Undo { taken: NOBODY, rights: self.rights, passed: self.passed };
        self.passed = None;
        self.turn = !self.turn;
        undo
    }

    fn take_back_pass(&mut self, undo: Undo) {
        self.passed = undo.passed;
        self.turn = !self.turn;
    }

    #[inline]
    fn each_piece(&self, mut call: impl FnMut(Square, Piece)) {
        for color in Color::ALL {
            for square in S::squares(self.colors[color.index()]) {
                if let Some(kind) = piece(self.pieces[square.index()]) {
                    call(square, Piece::new(color, kind));
                }
            }
        }
    }

    #[inline(always)]
    fn count(&self, color: Color, kind: PieceKind) -> u32 {
        S::count(self.of(color, kind).0)
    }

    #[inline(always)]
    fn king(&self, color: Color) -> u8 {
        S::lowest(self.of(color, PieceKind::King)).map_or(0, |square| square as u8)
    }

    #[inline]
    fn is_attacked(&self, cell: u8, by: Color) -> bool {
        !self.attackers(at(cell), by).is_empty()
    }

    #[inline(always)]
    fn kind_at(&self, cell: u8) -> Option<PieceKind> {
        piece(self.pieces[usize::from(cell)])
    }

    fn least_attacker(&self, cell: u8, by: Color) -> Option<(PieceKind, u8)> {
        let attackers = self.attackers(at(cell), by) & self.lines.occupied();
        if attackers.is_empty() {
            return None;
        }
        let least = |kind: PieceKind| S::lowest(attackers & self.kinds[kind.index()]);
        PieceKind::ALL.into_iter().find_map(|kind| Some((kind, least(kind)? as u8)))
    }

    #[inline(always)]
    fn lift(&mut self, cell: u8) -> Lifted {
        self.lines.flip(at(cell));
        Lifted(self.pieces[usize::from(cell)])
    }

    #[inline(always)]
    fn put_back(&mut self, cell: u8, _piece: Lifted) {
        self.lines.flip(at(cell));
    }

    #[inline]
    fn is_legal(&mut self, mv: BoardMove) -> bool {
        let us = self.turn;
        let (king, from, to) = (at(self.king(us)), at(mv.from), at(mv.to));
        if from == king || mv.kind == Kind::EnPassant {
            return super::leaves_king_safe(self, mv);
        }
        let lines = attacks::rook_rays(king) | attacks::bishop_rays(king);
        if !lines.contains(from) || attacks::line(king, from).contains(to) {
            return true;
        }
        let mut after = self.lines;
        after.flip(from);
        if self.pieces[to.index()] == NOBODY {
            after.flip(to);
        }
        let seen =
            after.bishop(king) & self.diagonal(!us) | after.rook(king) & self.orthogonal(!us);
        seen.without(to).is_empty()
    }

    fn square(cell: u8) -> Square {
        at(cell)
    }

    fn cell(square: Square) -> u8 {
        square as u8
    }
}
