//! The moves of a node, put in order while they are generated, as the thesis's program does, or afterwards.

use super::board::{Board, MAN, Move, PAWN};
use super::exchange::gain;
use super::generate::{self, CastlingRule};
use super::memory::Memory;
use super::order::{Captures, History, Order};
use arrayvec::ArrayVec;
use std::cmp::Reverse;

/// No position has as many.
const MOST: usize = 256;

/// Which moves are generated, and for what.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// How many plies the node is below the root.
    pub ply: usize,
    /// The first place that a remembered move may take: on the last principal variation, the first is not free.
    pub first: usize,
    /// Only the moves of the man on this cell.
    pub man: Option<u8>,
    /// How castling is tested.
    pub castling: CastlingRule,
}

/// The moves of a node.
#[derive(Clone)]
pub struct List {
    moves: [Move; MOST],
    /// How many there are.
    pub len: usize,
    /// How many of them a heuristic has put in front.
    pub front: usize,
}

impl Default for List {
    fn default() -> List {
        List { moves: [Move::default(); MOST], len: 0, front: 0 }
    }
}

impl List {
    /// The move at a place.
    #[inline]
    pub fn at(&self, place: usize) -> Move {
        self.moves[place]
    }

    /// All moves.
    #[inline]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..self.len]
    }

    /// Swaps two moves.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.moves[..self.len].swap(a, b);
    }

    /// Where a move between the same squares is.
    pub fn find(&self, mv: Move) -> Option<usize> {
        self.moves().iter().position(|known| known.is_like(mv))
    }

    /// Generates moves and orders them.
    pub fn fill(&mut self, board: &Board, order: &Order, memory: &Memory, wanted: Wanted) {
        (self.len, self.front) = (0, 0);
        if order.is_variant() {
            self.generate(board, wanted, |list, mv| list.append(mv));
            self.sort(board, order, memory, wanted);
        } else {
            let mut best = Best::default();
            self.generate(board, wanted, |list, mv| {
                let place = slot(mv, order, memory, wanted, &mut best);
                list.insert(board, mv, order.captures.is_some(), place);
            });
        }
    }

    /// Generates captures only, for the quiescence search. They are sorted by their victims in any case: what is
    /// compared is the order of the search above it.
    pub fn fill_captures(&mut self, board: &Board, order: &Order, castling: CastlingRule) {
        (self.len, self.front) = (0, 0);
        let wanted = Wanted { ply: 0, first: 0, man: None, castling };
        self.generate(board, wanted, |list, mv| {
            if mv.takes() {
                list.append(mv);
            }
        });
        let captures = order.captures.unwrap_or(Captures::Victim);
        self.moves[..self.len].sort_by_key(|&mv| capture_key(board, captures, mv));
    }

    #[inline]
    fn generate(&mut self, board: &Board, wanted: Wanted, mut add: impl FnMut(&mut List, Move)) {
        match wanted.man {
            None => generate::all(board, wanted.castling, |mv| add(self, mv)),
            Some(man) => generate::of_man(board, man, wanted.castling, |mv| add(self, mv)),
        }
    }

    #[inline]
    fn append(&mut self, mv: Move) {
        if self.len < MOST {
            self.moves[self.len] = mv;
            self.len += 1;
        }
    }

    /// Puts a move where the thesis's program puts it. A capture goes before those that take less, and what
    /// stood there makes room by going one place on and pushing the next to the end of the captures; a move
    /// that is remembered takes its place in the same way. So captures are ordered "loosely", and remembered
    /// moves can push one behind those in front.
    #[inline]
    fn insert(&mut self, board: &Board, mv: Move, captures: bool, slot: Option<usize>) {
        let len = self.len;
        if len + 1 >= MOST {
            return;
        }
        let moves = &mut self.moves;
        let mut place = len;
        if captures && mv.takes() {
            let front = self.front;
            moves[len] = moves[front];
            let value = board.value(mv.prey & MAN);
            place = 0;
            while place < len && value < board.value(moves[place].prey & MAN) {
                place += 1;
            }
            if place + 1 < front {
                moves[front] = moves[place + 1];
                moves[place + 1] = moves[place];
            } else {
                moves[front] = moves[place];
            }
            self.front += 1;
        }
        if let Some(slot) = slot
            && slot < len
            && slot + 1 != self.front
        {
            if slot + 1 < len {
                moves[place] = moves[slot + 1];
                moves[slot + 1] = moves[slot];
            } else {
                moves[place] = moves[slot];
            }
            place = slot;
            if self.front == slot {
                self.front += 1;
            }
        }
        moves[place] = mv;
        self.len = len + 1;
    }

    /// Sorts all moves: what is remembered of the ply, then captures, then the rest by history if that is
    /// sorted in full, and captures that lose material last.
    fn sort(&mut self, board: &Board, order: &Order, memory: &Memory, wanted: Wanted) {
        const REMEMBERED: i64 = 0;
        const CAPTURE: i64 = 1;
        const TOP: i64 = 2;
        const REST: i64 = 3;
        const LOSING: i64 = 4;
        let ply = wanted.ply;
        let (killers, single) = (memory.killers(ply), memory.single(ply));
        let sorted = memory.uses(History::Full);
        let mut keyed: ArrayVec<(i64, i64, Move), MOST> = self
            .moves()
            .iter()
            .map(|&mv| {
                let killer = killers.iter().position(|known| known.is_same(mv));
                let remembered =
                    if order.has_single() && single.is_same(mv) { Some(0) } else { killer };
                let (group, within) = match (remembered, order.captures) {
                    (Some(place), _) => (REMEMBERED, place as i64),
                    (None, Some(captures)) if mv.takes() => {
                        let loses = captures == Captures::Exchange && gain(board, mv) < 0;
                        let group = if loses { LOSING } else { CAPTURE };
                        (group, i64::from(capture_key(board, captures, mv)))
                    }
                    _ if sorted => match memory.points(mv, ply) {
                        0 => (REST, 0),
                        points => (TOP, -i64::from(points)),
                    },
                    _ => (REST, 0),
                };
                (group, within, mv)
            })
            .collect();
        if memory.uses(History::TopTwo) {
            for _ in 0..2 {
                let rest = |&(_, entry): &(usize, &(i64, i64, Move))| entry.0 == REST;
                let points = |&(i, entry): &(usize, &(i64, i64, Move))| {
                    (memory.points(entry.2, ply), Reverse(i))
                };
                let best = keyed.iter().enumerate().filter(rest).max_by_key(points);
                match best.map(|(i, entry)| (i, memory.points(entry.2, ply))) {
                    Some((i, points)) if points > 0 => {
                        (keyed[i].0, keyed[i].1) = (TOP, -i64::from(points));
                    }
                    _ => break,
                }
            }
        }
        keyed.sort_by_key(|&(group, within, _)| (group, within));
        self.front = keyed.iter().filter(|entry| entry.0 < REST).count();
        for (place, (_, _, mv)) in keyed.into_iter().enumerate() {
            self.moves[place] = mv;
        }
    }

    /// Puts the move of the last principal variation first; the first goes where it was.
    pub fn lead_with(&mut self, mv: Move) {
        if let Some(place) = self.find(mv)
            && place > 0
        {
            self.moves[place] = self.moves[0];
            self.moves[0] = mv;
        }
    }

    /// Takes out a move that has been searched; the last one fills the gap.
    pub fn remove(&mut self, mv: Move) {
        if let Some(place) = self.find(mv) {
            self.len -= 1;
            self.moves[place] = self.moves[self.len];
        }
    }
}

/// The smaller, the earlier.
fn capture_key(board: &Board, captures: Captures, mv: Move) -> i32 {
    // Kings take last.
    const ATTACKERS: [i32; 8] = [0, 6, 5, 4, 3, 2, 1, 0];
    let victim = -board.value(mv.prey & MAN) * 8;
    match captures {
        Captures::Victim => victim,
        Captures::VictimAttacker | Captures::Exchange => {
            victim + ATTACKERS[usize::from(board.at(mv.from) & 7)]
        }
    }
}

const _: () = assert!(PAWN == 6, "the order of attackers is that of the kinds");

/// The two best scores of history so far.
#[derive(Default)]
struct Best {
    highest: u32,
    second: u32,
}

/// The place that is meant for a move when it is generated, if any.
#[inline]
fn slot(
    mv: Move,
    order: &Order,
    memory: &Memory,
    wanted: Wanted,
    best: &mut Best,
) -> Option<usize> {
    let (ply, first) = (wanted.ply, wanted.first);
    let mut slot = None;
    if let Some(place) = memory.killers(ply).iter().position(|killer| killer.is_same(mv)) {
        slot = Some(first + place);
    }
    if memory.uses(History::TopTwo) {
        let points = memory.points(mv, ply);
        if points > best.second {
            if points > best.highest {
                (best.second, best.highest) = (best.highest, points);
                slot = Some(first);
            } else {
                best.second = points;
                slot = Some(first + 1);
            }
        }
    } else if order.has_single() && memory.single(ply).is_same(mv) {
        slot = Some(first);
    }
    slot
}
