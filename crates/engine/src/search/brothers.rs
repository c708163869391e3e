//! Nodes whose younger brothers are searched by several threads: the search's side of [`crate::split`].

use super::node::{NodeKind, Pv, Root, Zero};
use super::root::RootMove;
use super::sofar::{Facts, Merit, Sofar, Turn};
use super::worker::{Frame, Line, Path, Shared, Worker};
use crate::history::Setting;
use crate::picker::Picker;
use crate::split::{
    Cost, Crew, Effect, Flag, Hand, Offer, Rules, Runtime, Searcher, SharedFlag, Split,
    Turn as SplitTurn,
};
use crate::value::{INFINITE, MATE_BOUND, Value};
use core::cmp::Reverse;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::Arc;
use tabiya_chess::{Move, Position};

/// A worker's place in a crew.
pub(crate) struct Place {
    crew: Arc<dyn Team>,
    shared: Arc<Shared>,
    me: usize,
    /// Would anyone take up an offer?
    wanted: SharedFlag,
    rules: Rules,
}

/// A crew as a worker sees it, whatever it runs on.
trait Team: Send + Sync {
    fn split(
        self: Arc<Self>,
        me: usize,
        worker: &mut Worker,
        offer: Offer<SharedNode, Box<Work>, Turn>,
    ) -> Result<Box<Work>, Box<Work>>;

    fn charge(&self, me: usize, nodes: u64);

    fn now(&self, me: usize) -> u64;
}

impl<R: Runtime<Flag = SharedFlag>> Team for Crew<R, Worker> {
    fn split(
        self: Arc<Self>,
        me: usize,
        worker: &mut Worker,
        offer: Offer<SharedNode, Box<Work>, Turn>,
    ) -> Result<Box<Work>, Box<Work>> {
        Crew::split(&self, me, worker, offer)
    }

    fn charge(&self, me: usize, nodes: u64) {
        self.runtime().charge(me, Cost::Nodes(nodes));
    }

    fn now(&self, me: usize) -> u64 {
        self.runtime().now(me)
    }
}

impl Place {
    /// Of one of a crew's processors, in a search.
    pub(crate) fn new<R: Runtime<Flag = SharedFlag>>(
        crew: &Arc<Crew<R, Worker>>,
        shared: &Arc<Shared>,
        me: usize,
    ) -> Place {
        Place {
            shared: Arc::clone(shared),
            me,
            wanted: crew.wanted(me).clone(),
            rules: *crew.rules(),
            crew: Arc::clone(crew) as Arc<dyn Team>,
        }
    }

    /// Nodes were searched.
    pub(super) fn charge(&self, nodes: u64) {
        self.crew.charge(self.me, nodes);
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Root,
    Pv,
    Zero,
}

/// What a helper must know of a node.
pub(crate) struct SharedNode {
    kind: Kind,
    position: Position,
    facts: Facts,
    frames: Vec<Frame>,
    path: SharedPath,
    helped: Arc<Helped>,
}

/// What the owner of a node is told by those who came.
#[derive(Default)]
struct Helped {
    nodes: AtomicU64,
    selective_depth: AtomicUsize,
}

/// How a node was reached.
pub(super) struct SharedPath {
    pub(super) keys: Vec<u64>,
    pub(super) root_keys: usize,
    pub(super) after_null: usize,
    pub(super) no_null_before: usize,
    pub(super) root_depth: i32,
    pub(super) first_root_move: usize,
}

/// What those at a node change in turn.
pub(crate) struct Work {
    picker: Picker,
    /// Are quiet moves still worth a look?
    quiets: bool,
    sofar: Sofar,
    /// How many moves have been given a value since the split.
    given: usize,
    /// While the exact value of a move is searched for, no other is taken up.
    pauses: bool,
    /// The moves whose exact values are searched for: few at a time, since others would be measured by an
    /// alpha that is about to rise.
    promising: Vec<Move>,
    /// Moves that seemed better than alpha meanwhile, by what they seemed worth: to be tried again.
    rivals: Vec<(Value, Turn)>,
    line: Line,
    /// At the root: what is known of its moves.
    root_moves: Vec<RootMove>,
}

impl Work {
    /// May there be moves left to be tried?
    fn has_more(&self) -> bool {
        self.picker.has_more(self.quiets) || !self.rivals.is_empty()
    }

    /// Do the others wait for a move that is measured?
    fn is_paused(&self) -> bool {
        self.pauses && !self.promising.is_empty()
    }

    /// Is there something to do that nobody may take up while so many moves are measured?
    fn is_held_up(&self, most_measured: usize) -> bool {
        self.is_paused() || !self.rivals.is_empty() && self.promising.len() >= most_measured
    }

    /// The move that is to be tried again first: the one that seemed best raises alpha for the others.
    fn take_rival(&mut self, most_measured: usize) -> Option<Turn> {
        if self.promising.len() >= most_measured {
            return None;
        }
        let best = (0..self.rivals.len()).max_by_key(|&i| (self.rivals[i].0, Reverse(i)))?;
        let (_, rival) = self.rivals.remove(best);
        Some(self.sofar.turn_again(rival))
    }

    /// A move has reached a value. May its exact value be searched for, now that alpha is to be beaten?
    /// If not, it will be tried again: what it reached is the least that it is worth, and if alpha is
    /// more than that by now, nothing is known of the one beside the other.
    fn may_measure(&mut self, turn: Turn, value: Value, alpha: Value, most: usize) -> bool {
        let may = value > alpha && self.promising.len() < most;
        if may {
            self.promising.push(turn.mv);
        } else {
            self.rivals.push((value, turn));
        }
        may
    }
}

/// What came of a move.
pub(super) struct Given {
    pub(super) turn: Turn,
    pub(super) value: Value,
    pub(super) tactical: bool,
    /// In nodes, whoever helped.
    pub(super) spent: u64,
    /// Of these, the thread's own.
    pub(super) own: u64,
}

/// A place at a split as the search of its moves sees it.
pub(super) trait Brothers {
    /// The next move, if there is anything left to do.
    fn take(&mut self, worker: &mut Worker, judged_by: Option<&Setting>) -> Option<Turn>;

    /// It has reached a value against what there was to beat then. If its exact value may be searched for
    /// now, here is what it has to beat; if not, somebody takes it again later.
    fn measure(&mut self, worker: &mut Worker, reached: Given) -> Option<Value>;

    /// What came of it.
    fn give(&mut self, worker: &mut Worker, given: Given);

    /// It was given up after so many nodes.
    fn abandon(&mut self, spent: u64);
}

impl<R: Runtime<Flag = SharedFlag>> Brothers for Hand<'_, R, Worker> {
    fn take(&mut self, worker: &mut Worker, judged_by: Option<&Setting>) -> Option<Turn> {
        let SharedNode { kind, position, facts, .. } = &self.split().node;
        let rules = *self.crew().rules();
        let turn = Hand::take(self, |work| {
            work.quiets &= judged_by.is_some();
            let judged_by = judged_by.filter(|_| work.quiets);
            if work.is_paused() {
                return None;
            }
            if let Some(rival) = work.take_rival(rules.most_measured) {
                return Some(rival);
            }
            let Work { picker, sofar, root_moves, .. } = &mut **work;
            match kind {
                Kind::Root => {
                    std::mem::swap(&mut worker.root_moves, root_moves);
                    let excluded = facts.excluded;
                    let turn =
                        worker.next_move::<Root>(position, excluded, judged_by, picker, sofar);
                    std::mem::swap(&mut worker.root_moves, root_moves);
                    turn
                }
                _ => worker.next_move::<Zero>(position, facts.excluded, judged_by, picker, sofar),
            }
        });
        let SplitTurn { item, alpha } = turn?;
        Some(Turn { alpha, ..item })
    }

    fn measure(&mut self, worker: &mut Worker, reached: Given) -> Option<Value> {
        let is_root = matches!(self.split().node.kind, Kind::Root);
        let most = self.crew().rules().most_measured;
        let Given { turn, value, spent, own, .. } = reached;
        // What a cutoff has made superfluous need not be measured.
        Hand::with(self, own, |work, alpha| {
            let measures = work.may_measure(turn, value, alpha, most);
            if !measures && is_root {
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
                worker.note_root_nodes(turn.mv, spent);
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
            }
            measures.then_some(alpha)
        })
        .flatten()
    }

    fn give(&mut self, worker: &mut Worker, given: Given) {
        let SharedNode { kind, facts, .. } = &self.split().node;
        let Given { turn, value, tactical, spent, own } = given;
        let Turn { mv, number, .. } = turn;
        let most = self.crew().rules().most_measured;
        Hand::give(self, value, own, |work| {
            work.given += 1;
            let was_held_up = work.is_held_up(most);
            work.promising.retain(|&promising| promising != mv);
            if matches!(kind, Kind::Root) {
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
                worker.note_root_nodes(mv, spent);
                worker.note_root_move(mv, value, work.sofar.alpha, facts.beta, number);
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
            }
            let merit = work.sofar.add(mv, value, facts.beta, tactical);
            if merit != Merit::None && !matches!(kind, Kind::Zero) {
                work.line.set(mv, &worker.lines[facts.ply + 1]);
            }
            // Of what is left, this thread takes up the first itself.
            let calls = work.rivals.len() > 1 || work.picker.has_more(work.quiets);
            match merit {
                Merit::Cutoff => Effect::Cuts,
                _ if was_held_up && !work.is_held_up(most) && calls => Effect::Resumes,
                _ => Effect::Nothing,
            }
        });
    }

    fn abandon(&mut self, spent: u64) {
        Hand::abandon(self, spent);
    }
}

impl<R: Runtime<Flag = SharedFlag>> Searcher<R> for Worker {
    type Node = SharedNode;
    type Work = Box<Work>;
    type Item = Turn;

    fn alpha(work: &Self::Work) -> i32 {
        work.sofar.alpha
    }

    fn has_more(work: &Self::Work) -> bool {
        work.has_more()
    }

    fn help(&mut self, hand: &mut Hand<'_, R, Worker>) {
        let split: &Split<R, Worker> = hand.split();
        let (stopped, is_owner) = (split.stopped().clone(), hand.is_owner());
        self.help_with(&split.node, stopped, is_owner, hand);
    }
}

impl Worker {
    /// Is it time to offer a node's moves? Not by someone who searches alone.
    #[inline(always)]
    pub(super) fn may_split<N: NodeKind>(&self, facts: &Facts, sofar: &Sofar) -> bool {
        sofar.depth >= self.least_split_depth && self.is_wanted::<N>(facts, sofar)
    }

    fn is_wanted<N: NodeKind>(&self, facts: &Facts, sofar: &Sofar) -> bool {
        let Some(Place { wanted, rules, .. }) = &self.place else { return false };
        let Sofar { depth, number, best, .. } = *sofar;
        let Facts { cut_node, table_move, excluded, .. } = *facts;
        let is_time = if best > -INFINITE {
            number >= if cut_node { rules.patience } else { 1 }
        } else {
            // A move from the table is an eldest, whatever is expected.
            let equals = !N::PV && !cut_node && table_move.is_none() && excluded.is_none();
            rules.all_at_once && equals && number == 0
        };
        is_time && (depth >= rules.standing_depth || wanted.get()) && !(N::ROOT && rules.whole_root)
    }

    /// Takes its place in a crew, or goes back to searching alone.
    pub(crate) fn take_place(&mut self, place: Option<Place>) {
        self.least_split_depth = place.as_ref().map_or(i32::MAX, |place| place.rules.least_depth);
        self.place = place;
    }

    /// Offers the moves of a node that are left. Were they taken, by whoever came or by this thread?
    /// Then none are left.
    #[cold]
    pub(super) fn split<N: NodeKind>(
        &mut self,
        position: &Position,
        facts: &Facts,
        quiets: bool,
        picker: Picker,
        sofar: Sofar,
        last: Option<Turn>,
    ) -> (bool, Picker, Sofar) {
        let Some(Place { crew, shared, me, rules, .. }) = &self.place else {
            return (false, picker, sofar);
        };
        let (crew, shared, me, rules) = (Arc::clone(crew), Arc::clone(shared), *me, *rules);
        let begun = crew.now(me);
        self.tell_nodes(&shared);
        let ply = facts.ply;
        let kind = match (N::ROOT, N::PV) {
            (true, _) => Kind::Root,
            (false, true) => Kind::Pv,
            (false, false) => Kind::Zero,
        };
        let node = SharedNode {
            kind,
            position: position.clone(),
            facts: *facts,
            frames: self.frames_to(ply),
            path: self.shared_path(),
            helped: Arc::default(),
        };
        let helped = Arc::clone(&node.helped);
        let line = if N::PV { self.lines[ply].clone() } else { Line::default() };
        let root_moves = if N::ROOT { std::mem::take(&mut self.root_moves) } else { Vec::new() };
        let depth = sofar.depth;
        let (had_eldest, taken) = (sofar.best > -INFINITE, sofar.number);
        let work = Box::new(Work {
            picker,
            quiets,
            sofar,
            given: 0,
            // Only where there is something to do below the move.
            pauses: rules.pauses && depth > rules.least_depth,
            promising: Vec::new(),
            rivals: Vec::new(),
            line,
            root_moves,
        });
        let result = crew.split(me, self, Offer { node, work, last, depth, begun });
        let split = result.is_ok();
        self.nodes_of_helpers += helped.nodes.load(Ordering::Relaxed);
        let deepest = helped.selective_depth.load(Ordering::Relaxed);
        self.selective_depth = self.selective_depth.max(deepest);
        let (Ok(work) | Err(work)) = result;
        let mut work = *work;
        // Moves were passed over in the belief that the eldest is not mated. It is, but they need not be:
        // nothing is known but that none reached alpha.
        let Work { given, quiets, sofar, .. } = &mut work;
        let passed_over = *given < sofar.number - taken || !*quiets;
        if !had_eldest && passed_over && sofar.best <= -MATE_BOUND && sofar.best < sofar.alpha {
            sofar.best = sofar.alpha;
        }
        // A helper may have left its move unfinished after this thread had run out of moves: what was
        // found is half a result then, and nobody may believe it.
        self.aborted = shared.is_over() || self.brothers_stopped.get();
        if N::ROOT {
            self.root_moves = work.root_moves;
        }
        if N::PV {
            self.lines[ply] = work.line;
        }
        (split, work.picker, work.sofar)
    }

    fn help_with(
        &mut self,
        node: &SharedNode,
        stopped: SharedFlag,
        is_owner: bool,
        brothers: &mut dyn Brothers,
    ) {
        let Some(place) = &self.place else { return };
        let shared = Arc::clone(&place.shared);
        let before = std::mem::replace(&mut self.brothers_stopped, stopped);
        self.aborted = false;
        if is_owner {
            self.search_brothers(&shared, node, brothers);
        } else {
            let ledger = (self.nodes, self.nodes_elsewhere, self.nodes_of_helpers);
            let before = self.nodes_here();
            let mut aside = self.aside.pop().unwrap_or_else(|| Path::beside(self));
            self.swap_path(&mut aside);
            self.follow(&node.path, &node.frames, &node.position);
            self.search_brothers(&shared, node, brothers);
            node.helped.selective_depth.fetch_max(self.selective_depth, Ordering::Relaxed);
            self.swap_path(&mut aside);
            self.aside.push(aside);
            node.helped.nodes.fetch_add(self.nodes_here() - before, Ordering::Relaxed);
            // None of it was for the move that this thread waits for itself.
            let (nodes, elsewhere, of_helpers) = ledger;
            self.nodes_elsewhere = elsewhere + (self.nodes - nodes);
            self.nodes_of_helpers = of_helpers;
        }
        self.tell_nodes(&shared);
        self.brothers_stopped = before;
        self.aborted = false;
    }

    fn search_brothers(&mut self, shared: &Shared, node: &SharedNode, brothers: &mut dyn Brothers) {
        let SharedNode { kind, position, facts, .. } = node;
        let nothing = Sofar::new(0, 0);
        match kind {
            Kind::Root => {
                self.search_moves::<Root>(shared, position, facts, nothing, Some(brothers))
            }
            Kind::Pv => self.search_moves::<Pv>(shared, position, facts, nothing, Some(brothers)),
            Kind::Zero => {
                self.search_moves::<Zero>(shared, position, facts, nothing, Some(brothers))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::Stage;

    fn turn(from_to: &str) -> Turn {
        let mv = Position::start().parse_uci(from_to).unwrap();
        Turn { mv, stage: Stage::Quiets, number: 2, alpha: 0, best: 0, depth: 9, is_rival: false }
    }

    fn work(alpha: Value) -> Work {
        Work {
            picker: Picker::all(None, None),
            quiets: true,
            sofar: Sofar::new(alpha, 9),
            given: 0,
            pauses: true,
            promising: Vec::new(),
            rivals: Vec::new(),
            line: Line::default(),
            root_moves: Vec::new(),
        }
    }

    #[test]
    fn what_was_better_than_an_alpha_of_before_is_tried_again() {
        let mut work = work(50);
        // It reached 20 when 0 was to be beaten: at least 20, which may well be more than 50.
        assert!(!work.may_measure(turn("e2e4"), 20, 50, 2));
        let again = work.take_rival(2).unwrap();
        assert_eq!((again.mv, again.alpha, again.is_rival), (turn("e2e4").mv, 50, true));
        assert!(work.may_measure(again, 60, 50, 2));
    }

    #[test]
    fn what_waits_for_a_place_is_held_up_where_nobody_pauses() {
        let mut work = Work { pauses: false, ..work(0) };
        assert!(work.may_measure(turn("e2e4"), 20, 0, 1));
        assert!(!work.is_held_up(1));
        assert!(!work.may_measure(turn("d2d4"), 30, 0, 1));
        assert!(work.is_held_up(1) && !work.is_held_up(2));
        work.promising.clear();
        assert!(!work.is_held_up(1) && work.has_more());
    }

    #[test]
    fn few_are_measured_at_once_and_the_best_of_the_others_next() {
        let mut work = work(0);
        assert!(work.may_measure(turn("e2e4"), 20, 0, 1));
        for (name, value) in [("d2d4", 30), ("c2c4", 40), ("g1f3", 40)] {
            assert!(!work.may_measure(turn(name), value, 0, 1));
        }
        assert!(work.take_rival(1).is_none());
        work.promising.clear();
        let order: Vec<_> = std::iter::from_fn(|| work.take_rival(1).map(|turn| turn.mv)).collect();
        assert_eq!(order, ["c2c4", "g1f3", "d2d4"].map(|name| turn(name).mv));
    }
}
