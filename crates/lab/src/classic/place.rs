//! A position in the tree, and the way to it.

use super::keys::Keys;
use super::values::{EXCHANGE, places, worth};
use super::words::Word;
use super::{PLY, Playable};
use crate::boards::{BoardMove, Kind, Moves, Placement, exchange, rights};
use arrayvec::ArrayVec;
use tabiya_chess::{Color, ExchangeValues, PieceKind, Position, Square};

/// A move with what orders it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) word: Word,
    /// The higher the sooner.
    pub(super) score: i32,
    pub(super) mv: BoardMove,
    /// When the thesis's generator would have made it: of moves with equal scores that decides.
    order: u32,
}

/// The moves of a position. The best is looked for when it is needed.
#[derive(Clone, Default, Debug)]
pub(super) struct List(ArrayVec<Entry, 256>);

impl List {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Brings the best move from a place on to that place, and tells what it is.
    #[inline]
    pub(super) fn best_from(&mut self, start: usize) -> Entry {
        let mut best = start;
        for i in start + 1..self.0.len() {
            if self.0[i].score > self.0[best].score {
                best = i;
            }
        }
        self.0.swap(start, best);
        self.0[start]
    }

    pub(super) fn set_score(&mut self, place: usize, score: i32) {
        self.0[place].score = score;
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.0.iter_mut()
    }

    /// Puts moves into the generator's order. Bitboards nearly make them in it.
    fn arrange(&mut self) {
        let moves = &mut self.0;
        for i in 1..moves.len() {
            let entry = moves[i];
            let mut place = i;
            while place > 0 && moves[place - 1].order > entry.order {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = entry;
        }
    }
}

/// A step of the way.
#[derive(Clone, Copy, Debug)]
struct Past {
    key: u64,
    word: Word,
    clock: u32,
    rights: u8,
    passed: Option<Square>,
}

/// A position, and the way from the root to it.
#[derive(Clone)]
pub(super) struct Place<B> {
    pub(super) board: B,
    keys: &'static Keys,
    key: u64,
    material: [i32; 2],
    /// Moves since something irreversible.
    clock: u32,
    rights: u8,
    passed: Option<Square>,
    way: Vec<Past>,
}

/// The longest way there is room for without asking for more.
const ROOM: usize = 100;

/// What is copied of a position for a helper.
pub(super) enum Luggage<B> {
    /// The board and all.
    Copied(Place<B>),
    /// Who stands where; the board is built anew.
    Described(Box<(Placement, Place<()>)>),
}

impl<B: Playable> Luggage<B> {
    pub(super) fn pack(place: &Place<B>, describe: bool) -> Luggage<B> {
        if describe {
            Luggage::Described(Box::new((place.placement(), place.with_board(()))))
        } else {
            Luggage::Copied(place.clone())
        }
    }

    pub(super) fn unpack(&self) -> Place<B> {
        match self {
            Luggage::Copied(place) => place.clone(),
            Luggage::Described(description) => {
                let (placement, rest) = &**description;
                rest.with_board(B::set_up(placement))
            }
        }
    }
}

impl<B> Place<B> {
    fn with_board<C>(&self, board: C) -> Place<C> {
        Place {
            board,
            keys: self.keys,
            key: self.key,
            material: self.material,
            clock: self.clock,
            rights: self.rights,
            passed: self.passed,
            way: self.way.clone(),
        }
    }
}

impl<B: Playable> Place<B> {
    pub(super) fn new(position: &Position, keys: &'static Keys) -> Place<B> {
        let board = B::new(position);
        let (rights, passed) = (rights::of(position), position.double_step());
        let mut key = keys.passed[passed.map_or(0, Square::index)];
        let mut material = [0; 2];
        board.each_piece(|square, piece| {
            let (side, kind) = (piece.color().index(), piece.kind().index());
            key ^= keys.pieces[side][kind][square.index()];
            material[side] += worth(kind + 1);
        });
        for side in 0..2 {
            key ^= keys.rights[side][usize::from(rights >> (2 * side) & 3)];
        }
        // The thesis's positions have no clocks, and a game before them is not known.
        let (clock, way) = (0, Vec::with_capacity(ROOM));
        Place { board, keys, key, material, clock, rights, passed, way }
    }

    /// Bytes that a copy takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Place<B>>() + size_of_val(&*self.way)
    }

    fn placement(&self) -> Placement {
        let mut pieces = [None; 64];
        self.board.each_piece(|square, piece| pieces[square.index()] = Some(piece));
        Placement {
            pieces,
            turn: self.board.side_to_move(),
            rights: self.rights,
            passed: self.passed,
        }
    }

    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// The side to move: 0 or 1.
    pub(super) fn side(&self) -> usize {
        self.board.side_to_move().index()
    }

    /// The last move and the one before; at the root's first moves there is none before.
    pub(super) fn last_two(&self) -> (Word, Word) {
        let from_end = |n: usize| {
            let past = self.way.len().checked_sub(n).and_then(|i| self.way.get(i));
            past.map_or(Word::NONE, |past| past.word)
        };
        (from_end(1), from_end(2))
    }

    /// Is the king of the side to move attacked?
    #[inline]
    pub(super) fn in_check(&self) -> bool {
        let us = self.board.side_to_move();
        self.board.is_attacked(self.board.king(us), !us)
    }

    /// Could the king be taken of the side that has just moved?
    #[inline]
    fn is_illegal(&self) -> bool {
        let them = self.board.side_to_move();
        self.board.is_attacked(self.board.king(!them), them)
    }

    /// A draw by repetition or by fifty moves.
    pub(super) fn is_draw(&self) -> bool {
        if self.clock == 0 {
            return false;
        }
        if self.clock >= 100 {
            return true;
        }
        let now = self.way.len();
        let oldest = now.saturating_sub(self.clock as usize);
        let (mut in_tree, mut in_game) = (0, 0);
        let mut i = now;
        while i >= oldest + 2 {
            i -= 2;
            if self.way[i].key == self.key {
                // The root belongs to the game.
                if i > 0 { in_tree += 1 } else { in_game += 1 }
            }
        }
        if in_game == 0 { in_tree > 0 } else { in_game + in_tree >= 2 }
    }

    /// The balance of material for the side to move.
    pub(super) fn balance(&self) -> i32 {
        let us = self.side();
        self.material[us] - self.material[1 - us]
    }

    /// What the side to move has besides pawns.
    pub(super) fn pieces_worth(&self) -> i32 {
        let us = self.board.side_to_move();
        self.material[us.index()] - worth(1) * self.board.count(us, PieceKind::Pawn) as i32
    }

    /// Material and where it stands, for the side to move.
    pub(super) fn evaluate(&self) -> i32 {
        let places = places();
        let mut score = self.material[0] - self.material[1];
        self.board.each_piece(|square, piece| score += places[piece.index()][square.index()]);
        if self.side() == 0 { score } else { -score }
    }

    /// The worth of an exchange that a move begins.
    pub(super) fn exchange(&mut self, mv: BoardMove) -> i32 {
        exchange::iterative(&mut self.board, mv, &ExchangeValues(EXCHANGE))
    }

    /// All moves, in the generator's order.
    pub(super) fn moves(&self) -> List {
        let mut moves = Moves::new();
        self.board.captures(&mut moves);
        self.board.quiets(&mut moves);
        self.listed(&moves, false)
    }

    /// Captures and promotions, in the order of the generator for quiescence.
    pub(super) fn captures(&self) -> List {
        let mut moves = Moves::new();
        self.board.captures(&mut moves);
        self.listed(&moves, true)
    }

    fn listed(&self, moves: &Moves, promotions_first: bool) -> List {
        let mut list = List::default();
        for &mv in moves {
            let castling = matches!(mv.kind, Kind::ShortCastling | Kind::LongCastling);
            if castling && self.board.is_attacked(mv.to, !self.board.side_to_move()) {
                continue;
            }
            let word = self.word(mv);
            let order = order(word, mv.kind, promotions_first);
            list.0.push(Entry { word, score: 0, mv, order });
        }
        list.arrange();
        list
    }

    #[inline]
    fn word(&self, mv: BoardMove) -> Word {
        let taken = match mv.kind {
            Kind::EnPassant => Some(PieceKind::Pawn),
            _ => self.board.kind_at(mv.to),
        };
        let kind = self.board.kind_at(mv.from);
        Word::new(B::square(mv.from), B::square(mv.to), kind, taken, mv.kind.promoted())
    }

    /// The legal moves, in the order in which the thesis's program leaves them after it has sorted out the rest.
    pub(super) fn legal_moves(&mut self) -> List {
        let mut list = self.moves();
        let mut i = 0;
        while i < list.len() {
            let entry = list.0[i];
            if self.is_legal(entry) {
                i += 1;
            } else {
                list.0.swap_remove(i);
            }
        }
        list
    }

    /// Is there exactly one legal move?
    pub(super) fn has_one_reply(&mut self) -> bool {
        let list = self.moves();
        list.0.iter().filter(|entry| self.is_legal(**entry)).take(2).count() == 1
    }

    fn is_legal(&mut self, entry: Entry) -> bool {
        crate::boards::leaves_king_safe(&mut self.board, entry.mv)
    }

    /// Plays a move, unless it leaves the king to be taken.
    #[inline]
    pub(super) fn make(&mut self, entry: Entry) -> Option<B::Undo> {
        let us = self.board.side_to_move();
        let undo = self.board.make(entry.mv);
        if self.is_illegal() {
            self.board.unmake(entry.mv, undo);
            return None;
        }
        self.note(entry.word);
        self.update(us, entry);
        Some(undo)
    }

    /// Takes a move back.
    #[inline]
    pub(super) fn unmake(&mut self, entry: Entry, undo: B::Undo) {
        self.board.unmake(entry.mv, undo);
        let (us, Entry { word, mv, .. }) = (self.board.side_to_move(), entry);
        self.material[us.index()] -= worth(word.promoted()) - promotion_cost(mv.kind);
        self.material[(!us).index()] += worth(word.taken());
        self.recall();
    }

    /// Does nothing.
    pub(super) fn null_move(&mut self) -> B::Undo {
        self.note(Word::NONE);
        self.clock += 1;
        self.set_passed(None);
        self.board.null_move()
    }

    /// Takes back that nothing was done.
    pub(super) fn take_back_pass(&mut self, undo: B::Undo) {
        self.board.take_back_pass(undo);
        self.recall();
    }

    fn note(&mut self, word: Word) {
        let Place { key, clock, rights, passed, .. } = *self;
        self.way.push(Past { key, word, clock, rights, passed });
    }

    fn recall(&mut self) {
        let Some(past) = self.way.pop() else { return };
        Past { key: self.key, clock: self.clock, rights: self.rights, passed: self.passed, .. } =
            past;
    }

    fn set_passed(&mut self, passed: Option<Square>) {
        let place = |square: Option<Square>| square.map_or(0, Square::index);
        self.key ^= self.keys.passed[place(self.passed)] ^ self.keys.passed[place(passed)];
        self.passed = passed;
    }

    /// Keeps the key, the material and the rest up to date with a move that the board has made.
    #[inline]
    fn update(&mut self, us: Color, entry: Entry) {
        let Entry { word, mv, .. } = entry;
        let (from, to) = (B::square(mv.from), B::square(mv.to));
        let (side, other) = (us.index(), (!us).index());
        let kind = word.piece() - 1;
        let is_pawn = kind == PieceKind::Pawn.index();
        self.clock = if is_pawn || word.taken() != 0 { 0 } else { self.clock + 1 };
        let pieces = &self.keys.pieces;
        let arrives = word.promoted().checked_sub(1).unwrap_or(kind);
        let mut key = pieces[side][kind][from.index()] ^ pieces[side][arrives][to.index()];
        if let Some(taken) = word.taken().checked_sub(1) {
            let where_from = match mv.kind {
                Kind::EnPassant => Square::from_coords(to.file(), from.rank()),
                _ => to,
            };
            key ^= pieces[other][taken][where_from.index()];
        }
        let rook = &pieces[side][PieceKind::Rook.index()];
        match mv.kind {
            Kind::ShortCastling => key ^= rook[to.index() + 1] ^ rook[to.index() - 1],
            Kind::LongCastling => key ^= rook[to.index() - 2] ^ rook[to.index() + 1],
            _ => {}
        }
        self.key ^= key;
        self.material[side] += worth(word.promoted()) - promotion_cost(mv.kind);
        self.material[other] -= worth(word.taken());
        let passed = (mv.kind == Kind::DoubleStep)
            .then(|| Square::wrapping((from.index() + to.index()) as u32 / 2));
        self.set_passed(passed);
        let rights = self.rights & rights::kept(from) & rights::kept(to);
        if rights != self.rights {
            for side in 0..2 {
                let of = |rights: u8| usize::from(rights >> (2 * side) & 3);
                self.key ^=
                    self.keys.rights[side][of(self.rights)] ^ self.keys.rights[side][of(rights)];
            }
            self.rights = rights;
        }
    }

    /// By how much a move prolongs the search of what comes after it.
    pub(super) fn extension(&mut self, in_check: bool, ply: i32, pawn_defect: bool) -> i32 {
        const EACH: i32 = PLY * 3 / 4;
        let mut extension = 0;
        if in_check {
            extension += EACH;
            if self.has_one_reply() {
                extension += EACH;
            }
        }
        let (last, before) = self.last_two();
        if last.piece() == 1 && !pawn_defect {
            // Whoever is to move did not make the last move.
            let rank = last.to() / 8;
            let about_to_promote = if self.side() == 0 { rank <= 1 } else { rank >= 6 };
            if about_to_promote {
                extension += EACH;
            }
        }
        let recapture = last.to() == before.to() && worth(last.taken()) == worth(before.taken());
        if ply > 1 && recapture {
            extension += EACH;
        }
        extension
    }
}

/// What is lost when a pawn becomes something: the pawn.
fn promotion_cost(kind: Kind) -> i32 {
    if kind.promoted().is_some() { worth(1) } else { 0 }
}

/// Captures before quiet moves, each by pieces from the pawn to the king; pawns by direction and target, others by
/// origin and target.
#[inline]
fn order(word: Word, kind: Kind, promotions_first: bool) -> u32 {
    let (from, to) = (word.from() as u32, word.to() as u32);
    let piece = word.piece() as u32 - 1;
    let promotion = kind.promoted().map_or(0, |kind| 5 - kind.index() as u32);
    let is_capture = word.taken() != 0;
    let class = match (is_capture, promotions_first) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => 2,
    };
    let (group, rest) = match kind {
        Kind::ShortCastling => (1, 0),
        Kind::LongCastling => (1, 1),
        _ if piece != 0 => (0, from << 6 | to),
        _ if is_capture => (u32::from(to & 7 > from & 7), to << 3 | promotion),
        _ => (u32::from(kind == Kind::DoubleStep), to << 3 | promotion),
    };
    class << 20 | piece << 16 | group << 12 | rest
}
