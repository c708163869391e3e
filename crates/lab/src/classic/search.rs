//! The search of one thread.

use super::parallel::Thinker;
use super::place::{Entry, List};
use super::table::{Bound, MATE};
use super::values::{PAWN, worth};
use super::words::Word;
use super::{PLY, Playable, add_unguarded, history_place};
use core::sync::atomic::Ordering;
use tabiya_engine::ybwc::{Flag, Runtime, SharedFlag};

const DRAW: i32 = 0;

/// Half of the window around the last iteration's value.
const ASPIRATION: i32 = PAWN / 3;

/// Whoever has less than this besides pawns does not try to do nothing.
const LEAST_FOR_NULL_MOVE: i32 = 6 * PAWN;

/// From this depth on a null move reduces by three plies, below by two.
const DEEP: i32 = 7 * PLY;

/// No line gets longer.
pub(super) const LONGEST: usize = 99;

/// What a node is to be searched with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: i32,
    /// May the side to move do nothing?
    pub(super) null_move: bool,
    /// By how much the line has been extended so far.
    pub(super) extended: i32,
}

/// What was found at a node so far.
#[derive(Clone, Debug)]
pub(super) struct Sofar {
    pub(super) list: List,
    /// The place of the next move.
    pub(super) next: usize,
    pub(super) alpha: i32,
    /// The move that raised alpha last.
    pub(super) best: Word,
    /// The value that cut off.
    pub(super) cutoff: Option<i32>,
    /// Nodes counted when this move began, and those of others since: only the root asks.
    pub(super) spent: u64,
}

impl Sofar {
    fn new(list: List, alpha: i32) -> Sofar {
        Sofar { list, next: 0, alpha, best: Word::NONE, cutoff: None, spent: 0 }
    }

    /// Takes a move's value into account, and tells whether it cuts off.
    pub(super) fn add(&mut self, word: Word, value: i32, beta: i32) -> bool {
        if value <= self.alpha {
            return false;
        }
        self.best = word;
        if value >= beta {
            self.cutoff = Some(value);
        } else {
            self.alpha = value;
        }
        self.cutoff.is_some()
    }
}

impl<B: Playable, R: Runtime<Flag = SharedFlag>> Thinker<B, R> {
    /// Searches deeper and deeper, and tells the best move and its value.
    pub(super) fn iterate(&mut self, depth: u32) -> (Word, i32) {
        let mut list = self.place.legal_moves();
        let mut value = self.place.balance();
        let mut best = Word::NONE;
        if list.len() == 0 {
            return (best, value);
        }
        for depth in 1..=depth as i32 {
            self.shared.iteration.store(depth * PLY, Ordering::Relaxed);
            let (alpha, beta) = (value - ASPIRATION, value + ASPIRATION);
            let first = self.root(&mut list, alpha, beta, depth * PLY);
            (value, best) = (first.0, if first.1 == Word::NONE { best } else { first.1 });
            if value <= alpha || value >= beta {
                let again = self.root(&mut list, -MATE, MATE, depth * PLY);
                (value, best) = (again.0, if again.1 == Word::NONE { best } else { again.1 });
            }
        }
        self.charge();
        (best, value)
    }

    /// The root's moves are ordered by how many nodes they took last time.
    fn root(&mut self, list: &mut List, alpha: i32, beta: i32, depth: i32) -> (i32, Word) {
        let task = Task { alpha, beta, depth, ply: 0, null_move: false, extended: 0 };
        let mut sofar = Sofar::new(core::mem::take(list), alpha);
        while sofar.next < sofar.list.len() {
            let place = sofar.next;
            let entry = sofar.list.best_from(place);
            sofar.next += 1;
            let before = self.size();
            let Some(value) = self.try_move(entry, &task, sofar.alpha, place == 0) else {
                continue;
            };
            sofar.spent = self.size();
            let raises = value > sofar.alpha;
            sofar.list.set_score(place, self.score_of_size(if raises { 0 } else { before }));
            if sofar.add(entry.word, value, beta) {
                self.counters.cutoffs += 1;
                self.counters.first_cutoffs += u64::from(place == 0);
                self.learn(entry.word, &task);
                break;
            }
            if self.may_split(depth, true) {
                sofar = self.split(&task, sofar, entry);
                if sofar.cutoff.is_some() {
                    self.counters.cutoffs += 1;
                    self.learn(sofar.best, &task);
                    break;
                }
            }
        }
        self.keep(&task, &sofar);
        *list = sofar.list;
        (sofar.cutoff.unwrap_or(sofar.alpha), sofar.best)
    }

    /// Nodes so far, those of quiescence twice.
    pub(super) fn size(&self) -> u64 {
        self.counters.nodes + self.counters.quiescent
    }

    fn score_of_size(&self, before: u64) -> i32 {
        i32::try_from(self.size() - before).unwrap_or(i32::MAX)
    }

    /// The value of a node for the side to move.
    fn search(&mut self, task: Task) -> i32 {
        let Task { alpha, beta, mut depth, ply, null_move, mut extended } = task;
        self.count_node();
        if self.place.is_draw() {
            return DRAW;
        }

        // 1. Extensions.
        let in_check = self.place.in_check();
        let dead = self.shared.settings.defects.dead_pawn_extension;
        let mut extension = self.place.extension(in_check, ply, dead);
        extension = extension.min(ply * PLY - extended);
        if ply * PLY > 2 * self.shared.iteration.load(Ordering::Relaxed) {
            extension /= 2;
        }
        depth += extension;
        extended += extension;
        if depth < PLY || ply as usize >= LONGEST {
            return self.quiescence(alpha, beta, ply);
        }

        // 2. The table.
        let (turn, key) = (self.place.side(), self.place.key());
        let found = self.shared.table.probe(turn, key, depth, ply, (alpha, beta));
        self.counters.probes += 1;
        self.counters.hits += found.hits;
        if let Some(value) = found.value {
            return value;
        }

        // 3. The null move.
        if null_move && !in_check && self.place.pieces_worth() >= LEAST_FOR_NULL_MOVE {
            let reduction = if depth >= DEEP { 3 * PLY } else { 2 * PLY };
            let undo = self.place.null_move();
            let value = -self.search(Task {
                alpha: -beta,
                beta: 1 - beta,
                depth: depth - PLY - reduction,
                ply: ply + 1,
                null_move: false,
                extended,
            });
            self.place.take_back_pass(undo);
            if self.stopped.get() {
                return DRAW;
            }
            if value >= beta {
                let place = (depth, ply);
                self.shared.table.store(turn, key, place, Bound::Lower, value, Word::NONE);
                return value;
            }
        }

        // 4. The moves.
        let task = Task { depth, extended, ..task };
        let mut list = self.place.moves();
        self.score_moves(&mut list, ply as usize, found.word);
        let mut sofar = Sofar::new(list, alpha);
        let mut legal = 0;
        while sofar.next < sofar.list.len() {
            let is_first = sofar.next == 0;
            let entry = sofar.list.best_from(sofar.next);
            sofar.next += 1;
            let Some(value) = self.try_move(entry, &task, sofar.alpha, is_first) else {
                continue;
            };
            legal += 1;
            if self.stopped.get() {
                return DRAW;
            }
            if sofar.add(entry.word, value, beta) {
                self.counters.cutoffs += 1;
                self.counters.first_cutoffs += u64::from(legal == 1);
                self.learn(entry.word, &task);
                break;
            }
            if self.may_split(depth, false) {
                sofar = self.split(&task, sofar, entry);
                if self.stopped.get() {
                    return DRAW;
                }
                if sofar.cutoff.is_some() {
                    self.counters.cutoffs += 1;
                    self.learn(sofar.best, &task);
                    break;
                }
            }
        }

        // 5. Mate and stalemate.
        if legal == 0 {
            sofar.alpha = if in_check { ply - MATE } else { DRAW };
        }
        self.keep(&task, &sofar);
        sofar.cutoff.unwrap_or(sofar.alpha)
    }

    /// Searches a move, the first of a node with the whole window, others with an empty one before. Nothing if it
    /// is illegal.
    #[inline]
    pub(super) fn try_move(
        &mut self,
        entry: Entry,
        task: &Task,
        alpha: i32,
        is_first: bool,
    ) -> Option<i32> {
        let undo = self.place.make(entry)?;
        let next = Task {
            alpha: -task.beta,
            beta: -alpha,
            depth: task.depth - PLY,
            ply: task.ply + 1,
            null_move: true,
            extended: task.extended,
        };
        let value = if is_first {
            -self.search(next)
        } else {
            let value = -self.search(Task { alpha: -alpha - 1, ..next });
            let must_know = value > alpha && value < task.beta && !self.stopped.get();
            if must_know { -self.search(next) } else { value }
        };
        self.place.unmake(entry, undo);
        Some(value)
    }

    /// Puts what was found at a node into the table.
    fn keep(&self, task: &Task, sofar: &Sofar) {
        let (bound, value, word) = match sofar.cutoff {
            Some(value) => (Bound::Lower, value, sofar.best),
            None if sofar.best != Word::NONE => (Bound::Exact, sofar.alpha, sofar.best),
            None => (Bound::Upper, sofar.alpha, Word::NONE),
        };
        let (turn, key) = (self.place.side(), self.place.key());
        self.shared.table.store(turn, key, (task.depth, task.ply), bound, value, word);
    }

    /// A quiet move that cut off is tried earlier in future.
    fn learn(&mut self, word: Word, task: &Task) {
        if !word.is_quiet() {
            return;
        }
        let plies = task.depth / PLY;
        let place = history_place(self.place.side(), word);
        add_unguarded(&self.shared.history[place], plies * plies);
        let killers = &mut self.killers[task.ply as usize];
        if killers[0] != word {
            *killers = [word, killers[0]];
        }
    }

    fn score_moves(&mut self, list: &mut List, ply: usize, best: Word) {
        const BEST: i32 = 100_000_000;
        const CAPTURE: i32 = 1_000_000;
        const KILLERS: [i32; 2] = [100_000, 50_000];
        let side = self.place.side();
        for entry in list.iter_mut() {
            let word = entry.word;
            entry.score = if word == best {
                BEST
            } else if !word.is_quiet() {
                let worth = self.capture_worth(entry);
                if worth >= 0 { worth + CAPTURE } else { worth - CAPTURE }
            } else if let Some(i) = self.killers[ply].iter().position(|killer| *killer == word) {
                KILLERS[i]
            } else {
                self.shared.history[history_place(side, word)].load(Ordering::Relaxed)
            };
        }
    }

    /// What a promotion becomes, or what the exchange wins that a capture begins.
    #[inline]
    fn capture_worth(&mut self, entry: &Entry) -> i32 {
        match entry.word.promoted() {
            0 => self.place.exchange(entry.mv),
            promoted => worth(promoted),
        }
    }

    /// Captures and promotions that do not lose anything, until nobody wants to take any more.
    fn quiescence(&mut self, mut alpha: i32, beta: i32, ply: i32) -> i32 {
        let stand = self.place.evaluate();
        if stand >= beta || ply as usize >= 2 * LONGEST {
            return stand;
        }
        alpha = alpha.max(stand);
        let mut list = self.place.captures();
        for entry in list.iter_mut() {
            entry.score = self.capture_worth(entry);
        }
        let balance = self.place.balance();
        for i in 0..list.len() {
            let entry = list.best_from(i);
            if entry.score < 0 || balance + entry.score + PAWN <= alpha {
                break;
            }
            self.count_node();
            self.counters.quiescent += 1;
            let Some(undo) = self.place.make(entry) else { continue };
            let value = -self.quiescence(-beta, -alpha, ply + 1);
            self.place.unmake(entry, undo);
            if value >= beta {
                return value;
            }
            alpha = alpha.max(value);
            if self.stopped.get() {
                return DRAW;
            }
        }
        alpha
    }
}
