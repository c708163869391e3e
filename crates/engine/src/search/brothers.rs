//! Nodes whose younger brothers are searched by several threads: the search's side of [`crate::split`].

use super::node::{Facts, Merit, NodeKind, Pv, Root, Sofar, Turn, Zero};
use super::root::RootMove;
use super::worker::{Frame, Line, Path, Shared, Worker};
use crate::history::Setting;
use crate::picker::Picker;
use crate::split::{
    Cost, Crew, Flag, Hand, Offer, Rules, Runtime, Searcher, SharedFlag, Split, Turn as SplitTurn,
};
use crate::value::{INFINITE, MATE_BOUND, Value};
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
    /// The moves whose exact values are searched for: few at a time, since others would be measured by an
    /// alpha that is about to rise.
    promising: Vec<Move>,
    /// Moves that seemed better than alpha meanwhile, to be tried again.
    rivals: Vec<Turn>,
    line: Line,
    /// At the root: what is known of its moves.
    root_moves: Vec<RootMove>,
}

/// What came of a move.
pub(super) struct Given {
    pub(super) mv: Move,
    pub(super) value: Value,
    pub(super) tactical: bool,
    pub(super) number: usize,
    /// In nodes.
    pub(super) spent: u64,
}

/// A place at a split as the search of its moves sees it.
pub(super) trait Brothers {
    /// The next move, if there is anything left to do.
    fn take(&mut self, worker: &mut Worker, judged_by: Option<&Setting>) -> Option<Turn>;

    /// What it has to beat by now.
    fn alpha(&mut self) -> Value;

    /// May its exact value be searched for now? If not, somebody takes it again later.
    fn may_measure(&mut self, turn: Turn) -> bool;

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
            let Work { picker, sofar, root_moves, promising, rivals, .. } = &mut **work;
            if promising.len() < rules.most_measured
                && let Some(rival) = rivals.pop()
            {
                return Some(sofar.turn_again(rival));
            }
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

    fn alpha(&mut self) -> Value {
        Hand::alpha(self)
    }

    fn may_measure(&mut self, turn: Turn) -> bool {
        let most = self.crew().rules().most_measured;
        let measures = Hand::with(self, |work| {
            let is_free = work.promising.len() < most;
            if is_free {
                work.promising.push(turn.mv);
            } else {
                work.rivals.push(turn);
            }
            is_free
        });
        // What a cutoff has made superfluous need not be measured.
        measures.unwrap_or(false)
    }

    fn give(&mut self, worker: &mut Worker, given: Given) {
        let SharedNode { kind, facts, .. } = &self.split().node;
        let Given { mv, value, tactical, number, spent } = given;
        Hand::give(self, value, spent, |work| {
            if matches!(kind, Kind::Root) {
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
                worker.note_root_move(mv, value, work.sofar.alpha, facts.beta, number, spent);
                std::mem::swap(&mut worker.root_moves, &mut work.root_moves);
            }
            work.given += 1;
            work.promising.retain(|&promising| promising != mv);
            let merit = work.sofar.add(mv, value, facts.beta, tactical);
            if merit != Merit::None && !matches!(kind, Kind::Zero) {
                work.line.set(mv, &worker.lines[facts.ply + 1]);
            }
            merit == Merit::Cutoff
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
        work.picker.has_more(work.quiets) || !work.rivals.is_empty()
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

    /// Does it search a tree together with others?
    pub(super) fn is_in_crew(&self) -> bool {
        self.place.is_some()
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
        let Some(Place { crew, shared, me, .. }) = &self.place else {
            return (false, picker, sofar);
        };
        let (crew, shared, me) = (Arc::clone(crew), Arc::clone(shared), *me);
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
        };
        let line = if N::PV { self.lines[ply].clone() } else { Line::default() };
        let root_moves = if N::ROOT { std::mem::take(&mut self.root_moves) } else { Vec::new() };
        let depth = sofar.depth;
        let (had_eldest, taken) = (sofar.best > -INFINITE, sofar.number);
        let work = Box::new(Work {
            picker,
            quiets,
            sofar,
            given: 0,
            promising: Vec::new(),
            rivals: Vec::new(),
            line,
            root_moves,
        });
        let result = crew.split(me, self, Offer { node, work, last, depth, begun });
        let split = result.is_ok();
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
            let mut aside = self.aside.pop().unwrap_or_else(|| Path::beside(self));
            self.swap_path(&mut aside);
            self.follow(&node.path, &node.frames, &node.position);
            self.search_brothers(&shared, node, brothers);
            self.swap_path(&mut aside);
            self.aside.push(aside);
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
