//! The search: iterative deepening with a window around the last score, a table, and moves in the order that
//! is to be measured.
//!
//! | step of a node | |
//! | --- | --- |
//! | 1 | a king that was taken ends the line |
//! | 2 | the table may end it, except on the last principal variation |
//! | 3 | with `b`, the table's move is searched before other moves are generated |
//! | 4 | moves are generated in order; without any, the game is drawn |
//! | 5 | at the horizon moves are only looked at, or a quiescence search begins |
//! | 6 | moves are searched; a cutoff is learnt from, unless the last move causes it |

use super::board::{Board, MAN, Move};
use super::generate::CastlingRule;
use super::list::{List, Wanted};
use super::memory::{MAX_DEPTH, Memory};
use super::order::Order;
use super::record::{CUTOFF_PLACES, Iteration, Ply, Record};
use super::table::{Bound, Replacement, SLOTS, Table};
use super::watch::{Event, Watch};
use super::worth::Evaluation;
use crate::frame::timing::Stopwatch;
use serde::{Deserialize, Serialize};
use tabiya_chess::Position;

/// Pawns that tell a mate from material.
const MATE: i32 = 50;
/// No score is as high, in pawns.
const INFINITE: i32 = 500;
/// After so many repetitions the window of an iteration is as wide as it can be.
const PATIENCE: usize = 4;
/// The quiescence search goes no deeper.
const QUIESCENCE_DEPTH: usize = 16;

/// Which program searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// The thesis's program as it was, errors included.
    Fixafan,
    /// The same with its errors mended: the score does not depend on the order of moves.
    #[default]
    Sound,
}

/// Where the thesis's program errs. The root never cuts off, and after a cutoff its parent does not test for
/// one; bounds have no direction; with the table's move or captures, the horizon does not see all captures;
/// castling asks for too much; the table never forgets; the best move of a node can be the wrong one.
impl Profile {
    fn is_sound(self) -> bool {
        self == Profile::Sound
    }

    fn castling(self) -> CastlingRule {
        if self.is_sound() { CastlingRule::Right } else { CastlingRule::AllSquares }
    }
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Which program.
    pub profile: Profile,
    /// In which order.
    pub order: Order,
    /// How many iterations, [`MAX_DEPTH`] at most.
    pub depth: usize,
    /// Half the window, in pawns.
    pub window: i32,
    /// How many positions the table holds; 0 for no table.
    pub slots: usize,
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// Whether captures are followed at the horizon; only in the sound program.
    pub quiescence: bool,
    /// The search ends after so many interior nodes.
    pub nodes: u64,
}

impl Settings {
    /// As the thesis did it.
    pub fn new(profile: Profile, order: Order, depth: usize) -> Settings {
        Settings {
            profile,
            order,
            depth,
            window: 2,
            slots: SLOTS,
            evaluation: Evaluation::Material,
            quiescence: false,
            nodes: u64::MAX,
        }
    }
}

/// How a node ended.
#[derive(Clone, Copy)]
enum Ended {
    /// With a score.
    Score(i32),
    /// By a cutoff: whatever its score, its parent does not want it.
    Cut,
}

#[derive(Clone, Default)]
struct Node {
    list: List,
    line: Vec<Move>,
    /// The move that is being searched.
    current: Move,
}

/// A search under way.
struct Search<'a, 'w> {
    settings: &'a Settings,
    board: Board,
    memory: Memory,
    table: Table,
    nodes: Vec<Node>,
    plies: Vec<Ply>,
    record: Record,
    /// The depth of this iteration.
    depth: usize,
    /// The window at the root.
    window: (i32, i32),
    /// The last principal variation, which is searched first.
    guide: Vec<Move>,
    unit: i32,
    stopped: bool,
    watch: &'a mut Watch<'w>,
}

/// Searches a position; `watch` is told what happens, and may end it.
pub fn search(position: &Position, settings: &Settings, watch: &mut Watch<'_>) -> Record {
    let settings = Settings { depth: settings.depth.clamp(1, MAX_DEPTH), ..*settings };
    let worth = settings.evaluation.worth();
    let replacement =
        if settings.profile.is_sound() { Replacement::Shallowest } else { Replacement::Never };
    let mut search = Search {
        settings: &settings,
        board: Board::new(position, worth),
        memory: Memory::new(settings.order),
        table: Table::new(settings.slots, replacement),
        nodes: vec![Node::default(); settings.depth + 1 + QUIESCENCE_DEPTH],
        plies: Vec::new(),
        record: Record { cutoffs: vec![0; CUTOFF_PLACES], ..Record::default() },
        depth: 0,
        window: (0, 0),
        guide: Vec::new(),
        unit: worth.unit,
        stopped: false,
        watch,
    };
    search.deepen();
    search.record
}

impl Search<'_, '_> {
    /// Tells whoever watches, who may have had enough.
    #[inline]
    fn tell(&mut self, event: Event<'_>) {
        if (self.watch)(event).is_break() {
            self.stopped = true;
        }
    }

    fn deepen(&mut self) {
        let watch = Stopwatch::start();
        let (unit, width) = (self.unit, self.settings.window * self.unit);
        let mut expected = self.board.worth();
        for depth in 1..=self.settings.depth {
            self.depth = depth;
            self.plies = vec![Ply::default(); depth];
            self.tell(Event::Iteration { depth });
            let mut fails = String::new();
            self.window = (expected - width, expected + width);
            let score = loop {
                let score = self.root(depth);
                if self.stopped {
                    self.record.truncated = true;
                    return;
                }
                let (low, high) = self.window;
                let widest = if fails.is_empty() { MATE } else { INFINITE } * unit;
                if score >= high && high < INFINITE * unit {
                    fails.push('H');
                    self.window = (expected + width - unit, widest);
                } else if score <= low && low > -INFINITE * unit {
                    fails.push('L');
                    self.window = (-widest, expected - width + unit);
                } else {
                    break score;
                }
                if fails.len() >= PATIENCE || self.window.0 >= self.window.1 {
                    self.window = (-INFINITE * unit, INFINITE * unit);
                }
                self.tell(Event::Again { low: self.window.0, high: self.window.1 });
            };
            expected = score;
            let line = self.nodes[0].line.clone();
            self.record.best = line.first().copied();
            let iteration = Iteration {
                nodes: self.record.nodes,
                score,
                line: line.iter().map(Move::to_string).collect(),
                fails,
                seconds: watch.seconds(),
                plies: self.plies.clone(),
            };
            self.tell(Event::Completed(&iteration));
            self.record.iterations.push(iteration);
            if score.abs() > MATE * unit {
                return;
            }
        }
    }

    /// Searches the root with the window of the moment. Its moves are generated in the first iteration and
    /// kept in the order that searching leaves them in.
    fn root(&mut self, depth: usize) -> i32 {
        if depth == 1 {
            self.generate(0, 0, None);
        } else {
            self.record.nodes += 1;
        }
        self.guide = if depth == 1 { Vec::new() } else { self.nodes[0].line.clone() };
        self.plies[0].nodes += 1;
        let (low, high) = self.window;
        match self.visit_prepared(0, low, high, depth > 1) {
            Ended::Score(score) => score,
            Ended::Cut => high,
        }
    }

    fn generate(&mut self, ply: usize, first: usize, man: Option<u8>) {
        self.record.nodes += 1;
        let castling = self.settings.profile.castling();
        let wanted = Wanted { ply, first, man, castling };
        self.nodes[ply].list.fill(&self.board, &self.settings.order, &self.memory, wanted);
    }

    /// Visits a node below the root. `alpha` is what the side to move has already, `beta` what the other side
    /// will not exceed.
    fn visit(&mut self, ply: usize, alpha: i32, beta: i32, guided: bool) -> Ended {
        // 1. A king that was taken ends the line; the sooner the better.
        if self.nodes[ply - 1].current.takes_king() {
            let score = self.board.worth() + self.unit * (ply as i32 - 1);
            self.tell(Event::KingTaken { score });
            return Ended::Score(score);
        }
        if guided {
            self.plies[ply].nodes += 1;
            self.generate(ply, 1, None);
            return self.visit_prepared(ply, alpha, beta, true);
        }

        // 2. The table.
        let height = self.depth - ply;
        let mut try_first = None;
        self.record.probes += 1;
        if let Some(entry) = self.table.find(self.board.key()) {
            self.record.matches += 1;
            let sound = self.settings.profile.is_sound();
            let usable = if sound {
                // Scores of mates count plies from the root: they are good in their own iteration only.
                usize::from(entry.height) == height
                    && (entry.score.abs() < MATE * self.unit
                        || usize::from(entry.iteration) == self.depth)
            } else {
                usize::from(entry.height) >= height
            };
            let ends = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if usable && ends {
                self.record.hits += 1;
                if entry.bound == Bound::Exact {
                    self.nodes[ply].line.clear();
                }
                self.tell(Event::TableHit { score: entry.score, bound: entry.bound });
                return Ended::Score(entry.score);
            }
            if self.settings.order.table {
                try_first = Some(Move { from: entry.from, to: entry.to, prey: 0 });
            }
        }
        self.plies[ply].nodes += 1;
        if self.record.nodes >= self.settings.nodes {
            self.stopped = true;
            return Ended::Cut;
        }

        // 3. The table's move; all moves of its man are generated, and no others.
        let horizon = height == 1;
        if let Some(wanted) = try_first.filter(|_| !(horizon && self.settings.profile.is_sound())) {
            self.generate(ply, 0, Some(wanted.from));
            if let Some(place) = self.nodes[ply].list.find(wanted) {
                self.nodes[ply].list.front = place + 1;
                if horizon {
                    return self.look(ply, alpha, beta, place);
                }
                return self.try_and_visit(ply, alpha, beta, place);
            }
            self.record.nodes -= 1;
        }

        // 4. All moves.
        self.generate(ply, 0, None);
        if self.nodes[ply].list.len == 0 {
            self.store(ply, 0, Bound::Exact, Move::default());
            return Ended::Score(0);
        }
        self.visit_prepared(ply, alpha, beta, false)
    }

    /// Goes on with a node whose moves have been generated.
    fn visit_prepared(&mut self, ply: usize, alpha: i32, beta: i32, guided: bool) -> Ended {
        if self.depth - ply == 1 {
            return self.look(ply, alpha, beta, 0);
        }
        let mut guided = guided;
        match self.guide.get(ply).copied() {
            Some(mv) if guided => self.nodes[ply].list.lead_with(mv),
            _ => guided = false,
        }
        let progress = Progress { score: alpha, place: 0, best: Move::default(), searched: 0 };
        self.search_moves(ply, alpha, beta, progress, guided)
    }

    /// Searches the table's move alone, and all others if that is not enough. Both count as one node.
    fn try_and_visit(&mut self, ply: usize, alpha: i32, beta: i32, place: usize) -> Ended {
        let mut progress =
            Progress { score: alpha, place, best: self.nodes[ply].list.at(place), searched: 0 };
        let tried = progress.best;
        if self.search_one(ply, beta, &mut progress, false) && progress.score >= beta {
            return self.cut(ply, &progress);
        }
        if self.stopped {
            return Ended::Cut;
        }
        self.record.nodes -= 1;
        self.generate(ply, 0, None);
        self.nodes[ply].list.remove(tried);
        progress.place = 0;
        if !self.settings.profile.is_sound() {
            progress.best = self.nodes[ply].list.at(0);
        }
        if self.nodes[ply].list.len == 0 {
            return self.finish(ply, alpha, beta, &progress);
        }
        self.reorder(ply, 0);
        self.search_moves(ply, alpha, beta, progress, false)
    }

    /// 6. Searches the moves of a node from a place on.
    fn search_moves(
        &mut self,
        ply: usize,
        alpha: i32,
        beta: i32,
        mut progress: Progress,
        guided: bool,
    ) -> Ended {
        let sound = self.settings.profile.is_sound();
        let mut guided = guided;
        if progress.best == Move::default() {
            progress.best = self.nodes[ply].list.at(progress.place);
        }
        loop {
            let scored = self.search_one(ply, beta, &mut progress, guided);
            guided = false;
            if self.stopped {
                return Ended::Cut;
            }
            let more = progress.place < self.nodes[ply].list.len;
            let cuts = progress.score >= beta && (sound || scored);
            if ply == 0 {
                self.tell(Event::RootMove {
                    mv: self.nodes[0].current,
                    score: progress.score,
                    left: self.nodes[0].list.len - progress.place,
                });
                if self.stopped {
                    return Ended::Cut;
                }
                if cuts && sound {
                    return Ended::Score(progress.score);
                }
            } else if more && cuts {
                return self.cut(ply, &progress);
            }
            if !more {
                return self.finish(ply, alpha, beta, &progress);
            }
            self.reorder(ply, progress.place);
        }
    }

    /// Searches the next move of a node; whether it came back with a score.
    fn search_one(&mut self, ply: usize, beta: i32, progress: &mut Progress, guided: bool) -> bool {
        let mv = self.nodes[ply].list.at(progress.place);
        self.nodes[ply].current = mv;
        let undo = self.board.make(mv);
        self.memory.made(mv, ply);
        self.tell(Event::Down { ply, mv });
        let ended = self.visit(ply + 1, -beta, -progress.score, guided);
        self.board.unmake(mv, undo);
        self.tell(Event::Up { ply });
        progress.place += 1;
        progress.searched += 1;
        self.plies[ply].branches += 1;
        match ended {
            Ended::Cut => false,
            Ended::Score(score) => {
                self.improve(ply, mv, -score, progress);
                true
            }
        }
    }

    /// Takes note of a score if it is the best so far.
    fn improve(&mut self, ply: usize, mv: Move, score: i32, progress: &mut Progress) {
        if score <= progress.score {
            return;
        }
        progress.score = score;
        progress.best = mv;
        let (low, high) = self.window;
        let limit = if ply.is_multiple_of(2) { high } else { -low };
        if score < limit {
            self.tell(Event::Better { ply, mv, score });
            let (node, below) = self.nodes.split_at_mut(ply + 1);
            let line = &mut node[ply].line;
            line.clear();
            line.push(mv);
            if self.depth - ply > 1 && !mv.takes_king() {
                line.extend_from_slice(&below[0].line);
            }
        }
    }

    /// A cutoff before the last move: something to learn.
    fn cut(&mut self, ply: usize, progress: &Progress) -> Ended {
        let mv = self.nodes[ply].current;
        self.memory.learn(mv, self.nodes[ply - 1].current, ply, self.depth);
        if progress.place <= self.nodes[ply].list.front {
            self.plies[ply].kills += 1;
        }
        let number = (progress.searched - 1).min(CUTOFF_PLACES - 1);
        self.record.cutoffs[number] += 1;
        self.tell(Event::Cutoff { ply });
        self.store(ply, progress.score, Bound::Lower, mv);
        Ended::Cut
    }

    /// All moves were searched.
    fn finish(&mut self, ply: usize, alpha: i32, beta: i32, progress: &Progress) -> Ended {
        let score = progress.score;
        let bound = match (score < beta && score != alpha, self.settings.profile) {
            (true, _) => Bound::Exact,
            (false, Profile::Sound) if score < beta => Bound::Upper,
            _ => Bound::Lower,
        };
        if ply > 0 {
            self.store(ply, score, bound, progress.best);
        }
        Ended::Score(score)
    }

    fn store(&mut self, ply: usize, score: i32, bound: Bound, best: Move) {
        self.table.store(self.board.key(), self.depth - ply, self.depth, score, bound, best);
    }

    /// DYNAMIC: before the next move of a node, a killer of two plies deeper is brought forward.
    fn reorder(&mut self, ply: usize, next: usize) {
        if self.settings.order.dynamic.is_none() || self.depth - ply <= 2 {
            return;
        }
        let [last, before] = self.memory.last_two(ply + 2);
        let list = &mut self.nodes[ply].list;
        let later = &list.moves()[next..];
        let found = later.iter().skip(1).position(|mv| mv.is_like(last)).map(|i| i + 1);
        let found = found.or_else(|| later.iter().position(|mv| mv.is_like(before)));
        if let Some(place) = found.filter(|&place| place > 0) {
            list.swap(next, next + place);
            if next >= list.front {
                list.front = next + 1;
            }
        }
    }

    /// 5. The horizon: moves are looked at, and the best capture counts for what it takes less a pawn.
    fn look(&mut self, ply: usize, alpha: i32, beta: i32, best: usize) -> Ended {
        self.record.horizon += 1;
        let sound = self.settings.profile.is_sound();
        let list = &self.nodes[ply].list;
        let captures = self.settings.order.captures.is_some() && !sound;
        let seen = if captures { list.front } else { list.len };
        let value = |place: usize| self.board.value(list.at(place).prey & MAN);
        let (mut most, mut place) = (value(0), 0);
        for i in 1..seen {
            if value(i) > most {
                (most, place) = (value(i), i);
            } else if captures && value(i) != 0 {
                break;
            }
        }
        self.plies[ply].branches += 1;
        self.plies[ply].kills += u64::from(most != 0);
        let mut progress = Progress { score: alpha, place, best: list.at(best), searched: 0 };
        let mv = list.at(place);
        if self.settings.quiescence && sound {
            let score = self.quiesce(ply, ply, alpha, beta);
            self.improve(ply, mv, score, &mut progress);
        } else {
            let gain = if most == 0 { 0 } else { most - self.unit };
            let score = self.board.worth() + gain;
            self.tell(Event::Leaf { score });
            self.improve(ply, mv, score, &mut progress);
        }
        self.finish(ply, alpha, beta, &progress)
    }

    /// Follows captures until none is worth it.
    fn quiesce(&mut self, ply: usize, root: usize, alpha: i32, beta: i32) -> i32 {
        self.record.quiescent += 1;
        let standing = self.board.worth();
        let mut best = standing;
        if best >= beta || ply >= root + QUIESCENCE_DEPTH {
            return best;
        }
        let castling = self.settings.profile.castling();
        // Not the node's own list: that of the root is kept.
        let mut list = std::mem::take(&mut self.nodes[ply + 1].list);
        list.fill_captures(&self.board, &self.settings.order, castling);
        for &mv in list.moves() {
            let score = if mv.takes_king() {
                standing + self.board.value(mv.prey) - self.unit * ply as i32
            } else {
                let undo = self.board.make(mv);
                let score = -self.quiesce(ply + 1, root, -beta, -alpha.max(best));
                self.board.unmake(mv, undo);
                score
            };
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        self.nodes[ply + 1].list = list;
        best
    }
}

/// How far a node has come.
struct Progress {
    score: i32,
    place: usize,
    best: Move,
    /// How many moves were searched.
    searched: usize,
}
