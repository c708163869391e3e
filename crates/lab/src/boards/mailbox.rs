//! Reul's "new architecture": a padded mailbox, tables by square difference, split piece lists.

pub mod cells;
mod generate;
pub mod lists;
pub mod tally;

use super::{Board, BoardMove, Kind, Lifted, Moves, Placement, rights};
use cells::{BYTES, RELATIONS, WIDTH, cell, difference, flag, square};
use lists::{List, kind};
use tabiya_chess::{Color, Piece, PieceKind, Square};
use tally::{LegalityStep, Silent, Tally};

/// What castlings remain after a move from or to a cell.
static KEPT_RIGHTS: [u8; BYTES] = {
    let mut kept = [u8::MAX; BYTES];
    let mut i = 0;
    while i < 64 {
        kept[cell(Square::ALL[i]) as usize] = rights::kept(Square::ALL[i]);
        i += 1;
    }
    kept
};

/// The board.
///
/// ```
/// use tabiya_chess::Position;
/// use tabiya_lab::boards::{Board, Mailbox, recursion};
/// let mut board: Mailbox = Mailbox::new(&Position::start());
/// assert_eq!(recursion::basic(&mut board, 3), 8_902);
/// ```
#[derive(Clone, Debug)]
pub struct Mailbox<T = Silent> {
    pieces: [u8; BYTES],
    /// Per cell the slot of its piece in the piece list.
    slots: [u8; BYTES],
    lists: [[List; 6]; 2],
    kings: [u8; 2],
    turn: Color,
    rights: u8,
    /// The cell behind a pawn that has just made a double step, or 0.
    passed: u8,
    tally: T,
}

/// What a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    taken: u8,
    rights: u8,
    passed: u8,
}

/// Which list a piece is in; kings are in none.
#[inline(always)]
fn list_of(piece: u8, cell: u8) -> usize {
    match piece & flag::KIND {
        flag::PAWN => kind::PAWNS,
        flag::KNIGHT => kind::KNIGHTS,
        // Cell 33 is a1, which is dark, and neighbours differ.
        flag::BISHOP => kind::LIGHT_BISHOPS + usize::from(cell & 1),
        flag::ROOK => kind::ROOKS,
        _ => kind::QUEENS,
    }
}

fn flag_of(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Pawn => flag::PAWN,
        PieceKind::Knight => flag::KNIGHT,
        PieceKind::Bishop => flag::BISHOP,
        PieceKind::Rook => flag::ROOK,
        PieceKind::Queen => flag::QUEEN,
        PieceKind::King => flag::KING,
    }
}

#[inline(always)]
fn piece_of(piece: u8) -> Option<PieceKind> {
    match piece & flag::KIND {
        flag::PAWN => Some(PieceKind::Pawn),
        flag::KNIGHT => Some(PieceKind::Knight),
        flag::BISHOP => Some(PieceKind::Bishop),
        flag::ROOK => Some(PieceKind::Rook),
        flag::QUEEN => Some(PieceKind::Queen),
        flag::KING => Some(PieceKind::King),
        _ => None,
    }
}

#[inline(always)]
fn by(cell: u8, step: i32) -> u8 {
    (i32::from(cell) + step) as u8
}

/// The step of a pawn.
#[inline(always)]
fn forward(color: Color) -> i32 {
    match color {
        Color::White => WIDTH,
        Color::Black => -WIDTH,
    }
}

impl<T: Tally> Mailbox<T> {
    /// What was counted.
    pub fn tally(&self) -> &T {
        &self.tally
    }

    /// The six lists of a side: pawns, knights, bishops on light squares, on dark squares, rooks, queens.
    pub fn lists(&self, color: Color) -> &[List; 6] {
        &self.lists[color.index()]
    }

    /// The same position with all lists in the opposite order, as another way to it might have left them.
    pub fn reverse_lists(&mut self) {
        for list in self.lists.iter_mut().flatten() {
            list.reverse();
            for (slot, &cell) in (0..).zip(list.cells()) {
                self.slots[usize::from(cell)] = slot;
            }
        }
    }

    #[inline(always)]
    fn list(&self, color: Color, kind: usize) -> &[u8] {
        let cells = self.lists[color.index()][kind].cells();
        self.tally.list(cells.len());
        cells
    }

    #[inline(always)]
    fn add(&mut self, piece: u8, color: Color, cell: u8) {
        self.pieces[usize::from(cell)] = piece;
        let list = &mut self.lists[color.index()][list_of(piece, cell)];
        self.slots[usize::from(cell)] = list.push(cell);
    }

    #[inline(always)]
    fn remove(&mut self, piece: u8, color: Color, cell: u8) {
        let slot = self.slots[usize::from(cell)];
        let last = self.lists[color.index()][list_of(piece, cell)].swap_remove(slot);
        self.slots[usize::from(last)] = slot;
    }

    #[inline(always)]
    fn shift(&mut self, piece: u8, color: Color, from: u8, to: u8) {
        self.pieces[usize::from(from)] = flag::NONE;
        self.pieces[usize::from(to)] = piece;
        if piece & flag::KING != 0 {
            self.kings[color.index()] = to;
        } else {
            let slot = self.slots[usize::from(from)];
            self.slots[usize::from(to)] = slot;
            self.lists[color.index()][list_of(piece, from)].replace(slot, to);
        }
    }

    /// The first cell in a direction that is not empty.
    #[inline(always)]
    fn blocker(&self, from: u8, step: i8) -> u8 {
        let mut next = by(from, step.into());
        let mut empty = 0;
        while self.pieces[usize::from(next)] == flag::NONE {
            next = by(next, step.into());
            empty += 1;
        }
        self.tally.walk(empty);
        next
    }

    /// Does a slider on `from`, which moves like that, see the other cell? Walks towards the slider, so
    /// that the first piece on the way need only be compared with it.
    #[inline(always)]
    fn sees(&self, from: u8, to: u8, lines: u8) -> bool {
        let place = usize::from(difference(from, to));
        if RELATIONS.attackers[place] & lines == 0 {
            return false;
        }
        let step = -i32::from(RELATIONS.queen[place]);
        let mut next = by(to, step);
        let mut empty = 0;
        while self.pieces[usize::from(next)] == flag::NONE {
            next = by(next, step);
            empty += 1;
        }
        self.tally.walk_back(empty);
        next == from
    }

    /// The piece of a list that attacks a cell, if one does. The first in the list is found: that depends
    /// on the moves that were made before.
    #[inline(always)]
    fn slider_attacks(&self, kind: usize, lines: u8, cell: u8, by: Color) -> Option<u8> {
        self.list(by, kind).iter().copied().find(|&from| self.sees(from, cell, lines))
    }

    #[inline(always)]
    fn pawn_attacks(&self, cell: u8, color: Color) -> Option<u8> {
        let pawn = flag::PAWN | flag::COLORS[color.index()];
        let behind = -forward(color);
        [behind - 1, behind + 1]
            .map(|step| by(cell, step))
            .into_iter()
            .find(|&from| self.pieces[usize::from(from)] == pawn)
    }

    #[inline(always)]
    fn knight_attacks(&self, cell: u8, by: Color) -> Option<u8> {
        let leaps =
            |from: u8| RELATIONS.attackers[usize::from(difference(from, cell))] & flag::KNIGHT != 0;
        let mut knights = self.list(by, kind::KNIGHTS).iter().copied();
        knights.find(|&from| leaps(from) && self.pieces[usize::from(from)] != flag::NONE)
    }

    #[inline(always)]
    fn king_attacks(&self, cell: u8, by: Color) -> bool {
        let from = self.kings[by.index()];
        RELATIONS.attackers[usize::from(difference(from, cell))] & flag::KING != 0
            && self.pieces[usize::from(from)] != flag::NONE
    }

    /// The bishops that can reach a cell at all: those on squares of its color.
    #[inline(always)]
    fn bishops_for(cell: u8) -> usize {
        kind::LIGHT_BISHOPS + usize::from(cell & 1)
    }

    /// The thesis's test without a move being made. The side to move must not be in check, and kings and
    /// captures in passing are not its business.
    #[inline]
    pub fn keeps_king_covered(&self, from: u8, to: u8) -> bool {
        let us = self.turn;
        let king = self.kings[us.index()];
        let step = RELATIONS.queen[usize::from(difference(king, from))];
        if step == 0 {
            self.tally.legality(LegalityStep::NotAligned);
            return true;
        }
        if step == RELATIONS.queen[usize::from(difference(king, to))] {
            self.tally.legality(LegalityStep::StaysOnLine);
            return true;
        }
        if self.blocker(king, step) != from {
            self.tally.legality(LegalityStep::Covered);
            return true;
        }
        self.tally.legality(LegalityStep::LookedBehind);
        let behind = self.blocker(from, step);
        let piece = self.pieces[usize::from(behind)];
        // Only an enemy is surely on the board, where differences mean something.
        piece & flag::COLORS[(!us).index()] == 0
            || piece & RELATIONS.attackers[usize::from(difference(behind, king))] & flag::QUEEN == 0
    }
}

impl<T: Tally> Board for Mailbox<T> {
    const NAME: &'static str = "mailbox";

    type Undo = Undo;

    fn set_up(placement: &Placement) -> Self {
        let mut pieces = [flag::BORDER; BYTES];
        for square in Square::ALL {
            pieces[usize::from(cell(square))] = flag::NONE;
        }
        let mut board = Mailbox {
            pieces,
            slots: [0; BYTES],
            lists: Default::default(),
            kings: [0; 2],
            turn: placement.turn,
            rights: placement.rights,
            passed: placement.passed.map_or(0, cell),
            tally: T::default(),
        };
        for square in Square::ALL {
            let Some(piece) = placement.pieces[square.index()] else { continue };
            let color = piece.color();
            let flags = flag_of(piece.kind()) | flag::COLORS[color.index()];
            if piece.kind() == PieceKind::King {
                board.pieces[usize::from(cell(square))] = flags;
                board.kings[color.index()] = cell(square);
            } else {
                board.add(flags, color, cell(square));
            }
        }
        board
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn
    }

    fn captures(&self, moves: &mut Moves) {
        self.generate_captures(moves);
    }

    fn quiets(&self, moves: &mut Moves) {
        self.generate_quiets(moves);
    }

    #[inline]
    fn make(&mut self, mv: BoardMove) -> Undo {
        let (us, BoardMove { from, to, kind }) = (self.turn, mv);
        let taken = self.pieces[usize::from(to)];
        let undo = Undo { taken, rights: self.rights, passed: self.passed };
        self.passed = 0;
        self.rights &= KEPT_RIGHTS[usize::from(from)] & KEPT_RIGHTS[usize::from(to)];
        if taken != flag::NONE {
            self.remove(taken, !us, to);
        }
        let piece = self.pieces[usize::from(from)];
        match kind {
            Kind::Normal => self.shift(piece, us, from, to),
            Kind::DoubleStep => {
                self.shift(piece, us, from, to);
                self.passed = by(from, forward(us));
            }
            Kind::EnPassant => {
                let victim = by(to, -forward(us));
                self.remove(self.pieces[usize::from(victim)], !us, victim);
                self.pieces[usize::from(victim)] = flag::NONE;
                self.shift(piece, us, from, to);
            }
            Kind::ShortCastling => {
                self.shift(piece, us, from, to);
                let rook = self.pieces[usize::from(from + 3)];
                self.shift(rook, us, from + 3, from + 1);
            }
            Kind::LongCastling => {
                self.shift(piece, us, from, to);
                let rook = self.pieces[usize::from(from - 4)];
                self.shift(rook, us, from - 4, from - 1);
            }
            promotion => {
                self.remove(piece, us, from);
                self.pieces[usize::from(from)] = flag::NONE;
                let kind = promotion.promoted().unwrap_or(PieceKind::Queen);
                self.add(flag_of(kind) | flag::COLORS[us.index()], us, to);
            }
        }
        self.turn = !us;
        undo
    }

    #[inline]
    fn unmake(&mut self, mv: BoardMove, undo: Undo) {
        let (us, BoardMove { from, to, kind }) = (!self.turn, mv);
        self.turn = us;
        self.rights = undo.rights;
        self.passed = undo.passed;
        let piece = self.pieces[usize::from(to)];
        match kind {
            Kind::Normal | Kind::DoubleStep => self.shift(piece, us, to, from),
            Kind::EnPassant => {
                self.shift(piece, us, to, from);
                let pawn = flag::PAWN | flag::COLORS[(!us).index()];
                self.add(pawn, !us, by(to, -forward(us)));
            }
            Kind::ShortCastling => {
                self.shift(piece, us, to, from);
                let rook = self.pieces[usize::from(from + 1)];
                self.shift(rook, us, from + 1, from + 3);
            }
            Kind::LongCastling => {
                self.shift(piece, us, to, from);
                let rook = self.pieces[usize::from(from - 1)];
                self.shift(rook, us, from - 1, from - 4);
            }
            _ => {
                self.remove(piece, us, to);
                self.pieces[usize::from(to)] = flag::NONE;
                self.add(flag::PAWN | flag::COLORS[us.index()], us, from);
            }
        }
        if undo.taken != flag::NONE {
            self.add(undo.taken, !us, to);
        }
    }

    fn null_move(&mut self) -> Undo {
        let undo = Undo { taken: flag::NONE, rights: self.rights, passed: self.passed };
        self.passed = 0;
        self.turn = !self.turn;
        undo
    }

    fn take_back_pass(&mut self, undo: Undo) {
        self.passed = undo.passed;
        self.turn = !self.turn;
    }

    #[inline]
    fn each_piece(&self, mut call: impl FnMut(Square, Piece)) {
        const PIECES: [PieceKind; 6] = [
            PieceKind::Pawn,
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
        ];
        for color in Color::ALL {
            for (list, kind) in self.lists[color.index()].iter().zip(PIECES) {
                let piece = Piece::new(color, kind);
                list.cells().iter().for_each(|&cell| call(square(cell), piece));
            }
            call(square(self.kings[color.index()]), Piece::new(color, PieceKind::King));
        }
    }

    #[inline]
    fn count(&self, color: Color, kind: PieceKind) -> u32 {
        let lists = match kind {
            PieceKind::Pawn => kind::PAWNS..kind::KNIGHTS,
            PieceKind::Knight => kind::KNIGHTS..kind::LIGHT_BISHOPS,
            PieceKind::Bishop => kind::LIGHT_BISHOPS..kind::ROOKS,
            PieceKind::Rook => kind::ROOKS..kind::QUEENS,
            PieceKind::Queen => kind::QUEENS..kind::QUEENS + 1,
            PieceKind::King => return 1,
        };
        self.lists[color.index()][lists].iter().map(|list| list.cells().len() as u32).sum()
    }

    #[inline(always)]
    fn king(&self, color: Color) -> u8 {
        self.kings[color.index()]
    }

    #[inline]
    fn is_attacked(&self, cell: u8, by: Color) -> bool {
        self.pawn_attacks(cell, by).is_some()
            || self.knight_attacks(cell, by).is_some()
            || self.king_attacks(cell, by)
            || self.slider_attacks(Self::bishops_for(cell), flag::BISHOP, cell, by).is_some()
            || self.slider_attacks(kind::ROOKS, flag::ROOK, cell, by).is_some()
            || self.slider_attacks(kind::QUEENS, flag::QUEEN, cell, by).is_some()
    }

    #[inline(always)]
    fn kind_at(&self, cell: u8) -> Option<PieceKind> {
        piece_of(self.pieces[usize::from(cell)])
    }

    fn least_attacker(&self, cell: u8, by: Color) -> Option<(PieceKind, u8)> {
        let found = |kind, from: Option<u8>| from.map(|from| (kind, from));
        let slider = |kind, lines| self.slider_attacks(kind, lines, cell, by);
        found(PieceKind::Pawn, self.pawn_attacks(cell, by))
            .or_else(|| found(PieceKind::Knight, self.knight_attacks(cell, by)))
            .or_else(|| found(PieceKind::Bishop, slider(Self::bishops_for(cell), flag::BISHOP)))
            .or_else(|| found(PieceKind::Rook, slider(kind::ROOKS, flag::ROOK)))
            .or_else(|| found(PieceKind::Queen, slider(kind::QUEENS, flag::QUEEN)))
            .or_else(|| {
                let king = self.kings[by.index()];
                self.king_attacks(cell, by).then_some((PieceKind::King, king))
            })
    }

    #[inline(always)]
    fn lift(&mut self, cell: u8) -> Lifted {
        Lifted(std::mem::replace(&mut self.pieces[usize::from(cell)], flag::NONE))
    }

    #[inline(always)]
    fn put_back(&mut self, cell: u8, piece: Lifted) {
        self.pieces[usize::from(cell)] = piece.0;
    }

    #[inline]
    fn is_legal(&mut self, mv: BoardMove) -> bool {
        match mv.kind {
            Kind::EnPassant => super::leaves_king_safe(self, mv),
            _ if mv.from == self.kings[self.turn.index()] => super::leaves_king_safe(self, mv),
            _ => self.keeps_king_covered(mv.from, mv.to),
        }
    }

    fn square(cell: u8) -> Square {
        square(cell)
    }

    fn cell(square: Square) -> u8 {
        cell(square)
    }
}
