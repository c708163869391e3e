//! The simplest boards: an array of pieces, gone through from one end to the other, and lines walked until
//! something is in the way. They differ in how the edge of the board is noticed.

use super::{Board, BoardMove, Kind, Lifted, Moves, Placement, rights};
use core::marker::PhantomData;
use tabiya_chess::{Color, Piece, PieceKind, Square};

/// How cells are numbered, and where the board ends.
pub trait Edges {
    /// What people call it.
    const NAME: &'static str;

    /// How many cells there are.
    const CELLS: usize;

    /// The cell of a square.
    fn cell(square: Square) -> u8;

    /// The square of a cell.
    fn square(cell: u8) -> Square;

    /// The next cell in a direction; nothing beyond the edge.
    fn step(cell: u8, direction: (i8, i8)) -> Option<u8>;
}

/// 16 x 8 cells, of which the right half does not exist: one `and` finds out.
#[derive(Clone, Copy, Debug)]
pub struct Grid0x88;

impl Edges for Grid0x88 {
    const NAME: &'static str = "0x88";
    const CELLS: usize = 128;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        let square = square as u8;
        square + (square & !7)
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::wrapping(u32::from(cell & 7 | (cell >> 4) << 3))
    }

    #[inline(always)]
    fn step(cell: u8, (files, ranks): (i8, i8)) -> Option<u8> {
        let next = cell.wrapping_add_signed(16 * ranks + files);
        (next & 0x88 == 0).then_some(next)
    }
}

/// 64 cells; file and rank are compared with the edges.
#[derive(Clone, Copy, Debug)]
pub struct Grid8x8;

impl Edges for Grid8x8 {
    const NAME: &'static str = "8 x 8";
    const CELLS: usize = 64;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        square as u8
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::wrapping(cell.into())
    }

    #[inline(always)]
    fn step(cell: u8, (files, ranks): (i8, i8)) -> Option<u8> {
        let (file, rank) = ((cell & 7) as i8 + files, (cell >> 3) as i8 + ranks);
        let inside = (0..8).contains(&file) && (0..8).contains(&rank);
        inside.then_some((8 * rank + file) as u8)
    }
}

/// 64 cells and one number for a step; a step that wraps round the edge changes the file by more than two.
#[derive(Clone, Copy, Debug)]
pub struct Grid64;

impl Edges for Grid64 {
    const NAME: &'static str = "64 in a row";
    const CELLS: usize = 64;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        square as u8
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        Square::wrapping(cell.into())
    }

    #[inline(always)]
    fn step(cell: u8, (files, ranks): (i8, i8)) -> Option<u8> {
        let next = cell.wrapping_add_signed(8 * ranks + files);
        (next < 64 && (next & 7).abs_diff(cell & 7) <= 2).then_some(next)
    }
}

/// 120 cells: the board in a border that is read to be noticed. The numbers are those of the Aalborg report,
/// a1 = 20 to h8 = 97, with both columns of the border on the right.
#[derive(Clone, Copy, Debug)]
pub struct Grid120;

/// Where the border is.
static BORDER: [bool; 120] = {
    let mut border = [true; 120];
    let mut square = 0;
    while square < 64 {
        border[20 + square / 8 * 10 + square % 8] = false;
        square += 1;
    }
    border
};

impl Edges for Grid120 {
    const NAME: &'static str = "120 with border";
    const CELLS: usize = 120;

    #[inline(always)]
    fn cell(square: Square) -> u8 {
        let square = square as u8;
        20 + square / 8 * 10 + square % 8
    }

    #[inline(always)]
    fn square(cell: u8) -> Square {
        let cell = cell.saturating_sub(20);
        Square::wrapping(u32::from(cell / 10 * 8 + cell % 10))
    }

    #[inline(always)]
    fn step(cell: u8, (files, ranks): (i8, i8)) -> Option<u8> {
        let next = cell.wrapping_add_signed(10 * ranks + files);
        // One step of a knight on a1 leads in front of the array: the report's border has a hole.
        let beyond = BORDER.get(usize::from(next)).is_none_or(|&border| border);
        (!beyond).then_some(next)
    }
}

const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Along ranks and files, then along diagonals.
const LINES: [(i8, i8); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// The board.
#[derive(Clone)]
pub struct Grid<E> {
    /// Large enough for either numbering.
    pieces: [Option<Piece>; 128],
    kings: [u8; 2],
    turn: Color,
    rights: u8,
    passed: Option<u8>,
    edges: PhantomData<E>,
}

/// What a move destroys.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    taken: Option<Piece>,
    rights: u8,
    passed: Option<u8>,
}

fn forward(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

fn directions(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Bishop => &LINES[4..],
        PieceKind::Rook => &LINES[..4],
        _ => &LINES,
    }
}

impl<E: Edges> Grid<E> {
    #[inline(always)]
    fn at(&self, cell: u8) -> Option<Piece> {
        self.pieces[usize::from(cell)]
    }

    fn rank(cell: u8) -> usize {
        E::square(cell).rank().index()
    }

    fn shift(&mut self, from: u8, to: u8) {
        let piece = self.pieces[usize::from(from)].take();
        if let Some(piece) = piece
            && piece.kind() == PieceKind::King
        {
            self.kings[piece.color().index()] = to;
        }
        self.pieces[usize::from(to)] = piece;
    }

    /// Calls with every cell a piece of the side to move can go to, pawns apart.
    fn targets(&self, from: u8, kind: PieceKind, mut call: impl FnMut(u8, Option<Piece>)) {
        match kind {
            PieceKind::Pawn => {}
            PieceKind::Knight | PieceKind::King => {
                let steps = if kind == PieceKind::King { &LINES } else { &KNIGHT };
                for &step in steps {
                    if let Some(to) = E::step(from, step) {
                        call(to, self.at(to));
                    }
                }
            }
            PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen => {
                for &step in directions(kind) {
                    let mut here = from;
                    while let Some(to) = E::step(here, step) {
                        call(to, self.at(to));
                        if self.at(to).is_some() {
                            break;
                        }
                        here = to;
                    }
                }
            }
        }
    }

    /// The pieces of the side to move.
    fn own(&self) -> impl Iterator<Item = (u8, PieceKind)> {
        let us = self.turn;
        let piece = |cell: usize| self.pieces[cell].map(|piece| (cell as u8, piece));
        let own = (0..E::CELLS).filter_map(piece).filter(move |(_, piece)| piece.color() == us);
        own.map(|(cell, piece)| (cell, piece.kind()))
    }

    /// The first piece of a side, of one of these kinds, that attacks a cell along its lines.
    fn line_attacker(&self, cell: u8, by: Color, kind: PieceKind) -> Option<u8> {
        directions(kind).iter().find_map(|&step| {
            let mut here = cell;
            loop {
                here = E::step(here, step)?;
                if let Some(piece) = self.at(here) {
                    return (piece == Piece::new(by, kind)).then_some(here);
                }
            }
        })
    }

    fn leap_attacker(&self, cell: u8, piece: Piece, steps: &[(i8, i8)]) -> Option<u8> {
        steps
            .iter()
            .filter_map(|&step| E::step(cell, step))
            .find(|&from| self.at(from) == Some(piece))
    }

    fn attacker(&self, cell: u8, by: Color, kind: PieceKind) -> Option<u8> {
        let piece = Piece::new(by, kind);
        match kind {
            PieceKind::Pawn => {
                let back = -forward(by);
                self.leap_attacker(cell, piece, &[(-1, back), (1, back)])
            }
            PieceKind::Knight => self.leap_attacker(cell, piece, &KNIGHT),
            PieceKind::King => self.leap_attacker(cell, piece, &LINES),
            PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen => {
                self.line_attacker(cell, by, kind)
            }
        }
    }
}

fn push(moves: &mut Moves, from: u8, to: u8, kind: Kind) {
    moves.push(BoardMove { from, to, kind });
}

impl<E: Edges> Board for Grid<E> {
    const NAME: &'static str = E::NAME;

    type Undo = Undo;

    fn set_up(placement: &Placement) -> Self {
        let mut pieces = [None; 128];
        let mut kings = [0; 2];
        for square in Square::ALL {
            let piece = placement.pieces[square.index()];
            pieces[usize::from(E::cell(square))] = piece;
            if let Some(piece) = piece.filter(|piece| piece.kind() == PieceKind::King) {
                kings[piece.color().index()] = E::cell(square);
            }
        }
        Grid {
            pieces,
            kings,
            turn: placement.turn,
            rights: placement.rights,
            passed: placement.passed.map(E::cell),
            edges: PhantomData,
        }
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn
    }

    fn captures(&self, moves: &mut Moves) {
        let us = self.turn;
        let last = if us == Color::White { 7 } else { 0 };
        for (from, kind) in self.own() {
            if kind != PieceKind::Pawn {
                self.targets(from, kind, |to, piece| {
                    if piece.is_some_and(|piece| piece.color() != us) {
                        push(moves, from, to, Kind::Normal);
                    }
                });
                continue;
            }
            for files in [-1, 0, 1] {
                let Some(to) = E::step(from, (files, forward(us))) else { continue };
                let goes = match self.at(to) {
                    Some(piece) => files != 0 && piece.color() != us,
                    None => files == 0 && Self::rank(to) == last,
                };
                if goes && Self::rank(to) == last {
                    for kind in Kind::PROMOTIONS {
                        push(moves, from, to, kind);
                    }
                } else if goes {
                    push(moves, from, to, Kind::Normal);
                } else if files != 0 && self.passed == Some(to) {
                    push(moves, from, to, Kind::EnPassant);
                }
            }
        }
    }

    fn quiets(&self, moves: &mut Moves) {
        let us = self.turn;
        let (home, last) = if us == Color::White { (1, 7) } else { (6, 0) };
        for (from, kind) in self.own() {
            if kind != PieceKind::Pawn {
                self.targets(from, kind, |to, piece| {
                    if piece.is_none() {
                        push(moves, from, to, Kind::Normal);
                    }
                });
                continue;
            }
            let empty = |cell: &u8| self.at(*cell).is_none();
            let Some(ahead) = E::step(from, (0, forward(us))).filter(empty) else { continue };
            if Self::rank(ahead) == last {
                continue;
            }
            push(moves, from, ahead, Kind::Normal);
            if Self::rank(from) == home
                && let Some(further) = E::step(ahead, (0, forward(us))).filter(empty)
            {
                push(moves, from, further, Kind::DoubleStep);
            }
        }
        super::castlings(self, self.rights, moves);
    }

    fn make(&mut self, mv: BoardMove) -> Undo {
        let (us, BoardMove { from, to, kind }) = (self.turn, mv);
        let undo = Undo { taken: self.at(to), rights: self.rights, passed: self.passed };
        self.passed = None;
        self.rights &= rights::kept(E::square(from)) & rights::kept(E::square(to));
        self.shift(from, to);
        match kind {
            Kind::Normal => {}
            Kind::DoubleStep => self.passed = E::step(from, (0, forward(us))),
            Kind::EnPassant => {
                if let Some(victim) = E::step(to, (0, -forward(us))) {
                    self.pieces[usize::from(victim)] = None;
                }
            }
            Kind::ShortCastling => self.shift(from + 3, from + 1),
            Kind::LongCastling => self.shift(from - 4, from - 1),
            promotion => {
                let promoted = promotion.promoted().unwrap_or(PieceKind::Queen);
                self.pieces[usize::from(to)] = Some(Piece::new(us, promoted));
            }
        }
        self.turn = !us;
        undo
    }

    fn unmake(&mut self, mv: BoardMove, undo: Undo) {
        let (us, BoardMove { from, to, kind }) = (!self.turn, mv);
        self.turn = us;
        self.rights = undo.rights;
        self.passed = undo.passed;
        self.shift(to, from);
        self.pieces[usize::from(to)] = undo.taken;
        match kind {
            Kind::Normal | Kind::DoubleStep => {}
            Kind::EnPassant => {
                if let Some(victim) = E::step(to, (0, -forward(us))) {
                    self.pieces[usize::from(victim)] = Some(Piece::new(!us, PieceKind::Pawn));
                }
            }
            Kind::ShortCastling => self.shift(from + 1, from + 3),
            Kind::LongCastling => self.shift(from - 1, from - 4),
            _ => self.pieces[usize::from(from)] = Some(Piece::new(us, PieceKind::Pawn)),
        }
    }

    fn null_move(&mut self) -> Undo {
        let undo = Undo { taken: None, rights: self.rights, passed: self.passed };
        self.passed = None;
        self.turn = !self.turn;
        undo
    }

    fn take_back_pass(&mut self, undo: Undo) {
        self.passed = undo.passed;
        self.turn = !self.turn;
    }

    fn each_piece(&self, mut call: impl FnMut(Square, Piece)) {
        for square in Square::ALL {
            if let Some(piece) = self.at(E::cell(square)) {
                call(square, piece);
            }
        }
    }

    fn count(&self, color: Color, kind: PieceKind) -> u32 {
        let wanted = Some(Piece::new(color, kind));
        self.pieces.iter().filter(|piece| **piece == wanted).count() as u32
    }

    #[inline(always)]
    fn king(&self, color: Color) -> u8 {
        self.kings[color.index()]
    }

    fn is_attacked(&self, cell: u8, by: Color) -> bool {
        PieceKind::ALL.into_iter().any(|kind| self.attacker(cell, by, kind).is_some())
    }

    fn kind_at(&self, cell: u8) -> Option<PieceKind> {
        self.at(cell).map(Piece::kind)
    }

    fn least_attacker(&self, cell: u8, by: Color) -> Option<(PieceKind, u8)> {
        PieceKind::ALL.into_iter().find_map(|kind| Some((kind, self.attacker(cell, by, kind)?)))
    }

    fn lift(&mut self, cell: u8) -> Lifted {
        let piece = self.pieces[usize::from(cell)].take();
        Lifted(piece.map_or(u8::MAX, |piece| piece.index() as u8))
    }

    fn put_back(&mut self, cell: u8, piece: Lifted) {
        self.pieces[usize::from(cell)] = Piece::ALL.get(usize::from(piece.0)).copied();
    }

    fn square(cell: u8) -> Square {
        E::square(cell)
    }

    fn cell(square: Square) -> u8 {
        E::cell(square)
    }
}
