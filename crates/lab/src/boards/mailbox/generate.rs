//! Pseudo-legal moves on the mailbox.

use super::cells::{LEAPS, STEPS, flag};
use super::lists::kind;
use super::tally::Tally;
use super::{Mailbox, by, forward};
use crate::boards::{BoardMove, Kind, Moves, castlings};

/// The rows on which pawns promote and from which they make double steps, as ranges of cells.
const LAST: [core::ops::RangeInclusive<u8>; 2] = [138..=145, 33..=40];
const HOME: [core::ops::RangeInclusive<u8>; 2] = [48..=55, 123..=130];

/// The sliders' lists with their directions.
const SLIDERS: [(usize, &[i8]); 4] = [
    (kind::LIGHT_BISHOPS, STEPS.split_at(4).1),
    (kind::DARK_BISHOPS, STEPS.split_at(4).1),
    (kind::ROOKS, STEPS.split_at(4).0),
    (kind::QUEENS, &STEPS),
];

#[inline(always)]
fn push(moves: &mut Moves, from: u8, to: u8, kind: Kind) {
    moves.push(BoardMove { from, to, kind });
}

impl<T: Tally> Mailbox<T> {
    pub(super) fn generate_captures(&self, moves: &mut Moves) {
        let us = self.turn;
        let enemy = flag::COLORS[(!us).index()];
        let takes = |to: u8| self.pieces[usize::from(to)] & enemy != 0;
        for &from in self.list(us, kind::PAWNS) {
            let ahead = by(from, forward(us));
            let promotes = LAST[us.index()].contains(&ahead);
            if promotes && self.pieces[usize::from(ahead)] == flag::NONE {
                promotions(moves, from, ahead);
            }
            for to in [ahead - 1, ahead + 1] {
                if takes(to) {
                    if promotes {
                        promotions(moves, from, to);
                    } else {
                        push(moves, from, to, Kind::Normal);
                    }
                } else if to == self.passed {
                    push(moves, from, to, Kind::EnPassant);
                }
            }
        }
        for &from in self.list(us, kind::KNIGHTS) {
            for to in LEAPS.map(|leap| by(from, leap.into())) {
                if takes(to) {
                    push(moves, from, to, Kind::Normal);
                }
            }
        }
        for (list, steps) in SLIDERS {
            for &from in self.list(us, list) {
                for &step in steps {
                    let to = self.blocker(from, step);
                    if takes(to) {
                        push(moves, from, to, Kind::Normal);
                    }
                }
            }
        }
        let from = self.kings[us.index()];
        for to in STEPS.map(|step| by(from, step.into())) {
            if takes(to) {
                push(moves, from, to, Kind::Normal);
            }
        }
    }

    pub(super) fn generate_quiets(&self, moves: &mut Moves) {
        let us = self.turn;
        let empty = |to: u8| self.pieces[usize::from(to)] == flag::NONE;
        for &from in self.list(us, kind::PAWNS) {
            let ahead = by(from, forward(us));
            if !empty(ahead) || LAST[us.index()].contains(&ahead) {
                continue;
            }
            push(moves, from, ahead, Kind::Normal);
            let further = by(ahead, forward(us));
            if HOME[us.index()].contains(&from) && empty(further) {
                push(moves, from, further, Kind::DoubleStep);
            }
        }
        for &from in self.list(us, kind::KNIGHTS) {
            for to in LEAPS.map(|leap| by(from, leap.into())) {
                if empty(to) {
                    push(moves, from, to, Kind::Normal);
                }
            }
        }
        for (list, steps) in SLIDERS {
            for &from in self.list(us, list) {
                for &step in steps {
                    let mut to = by(from, step.into());
                    let mut walked = 0;
                    while empty(to) {
                        push(moves, from, to, Kind::Normal);
                        to = by(to, step.into());
                        walked += 1;
                    }
                    self.tally.walk(walked);
                }
            }
        }
        let from = self.kings[us.index()];
        for to in STEPS.map(|step| by(from, step.into())) {
            if empty(to) {
                push(moves, from, to, Kind::Normal);
            }
        }
        castlings(self, self.rights, moves);
    }
}

#[inline(always)]
fn promotions(moves: &mut Moves, from: u8, to: u8) {
    for kind in Kind::PROMOTIONS {
        push(moves, from, to, kind);
    }
}
