//! Accumulators: the first layer's sums, kept from one position to the next (incremental update).

use super::change::{Change, Played};
use super::cpu::{self, Cpu, Output, Portable, Simd};
use super::feature::{Perspective, PieceSquare};
use super::lanes::Lanes;
use super::network::Network;
use crate::value::{MAX_PLY, Value};
use arrayvec::ArrayVec;
use std::sync::Arc;
#[cfg(target_arch = "x86_64")]
use tabiya_chess::cpu::Avx2;
use tabiya_chess::{Bitboard, Color, Move, Piece, Position};

/// Evaluates the positions along a line of play, each from the sums of an earlier one.
///
/// A move changes a few features, so that its sums are those before it with a few rows more and less.
/// Going on to a position only notes what changed; the sums are done when its value is wanted, from the
/// nearest position before it that has them. When a king crosses the middle of the board all of his
/// side's features change; then the sums start from those of the last position that had him on that
/// half, which differs by the pieces that have moved since.
///
/// ```
/// # use tabiya_engine::nnue::{FEATURES, Network, NetworkWeights};
/// # let weights = NetworkWeights {
/// #     features: (0..FEATURES * 32).map(|i| (i % 89) as i16 - 44).collect(),
/// #     biases: vec![10; 32],
/// #     output: (0..64).collect(),
/// #     output_biases: vec![0],
/// # };
/// # let network = std::sync::Arc::new(Network::new(32, 1, &weights).unwrap());
/// use tabiya_chess::Position;
/// use tabiya_engine::nnue::Accumulators;
///
/// let start = Position::start();
/// let mut accumulators = Accumulators::new(network.clone(), &start);
/// let mv = start.parse_san("Nf3").unwrap();
/// let mut next = start.clone();
/// next.play(mv).unwrap();
///
/// accumulators.push(&start, Some(mv));
/// assert_eq!(accumulators.evaluate(&next), network.evaluate(&next));
/// accumulators.pop();
/// assert_eq!(accumulators.evaluate(&start), network.evaluate(&start));
/// ```
#[derive(Clone, Debug)]
pub struct Accumulators {
    network: Arc<Network>,
    cpu: Cpu,
    /// The root and the positions after it, of which those beyond the current one are left over.
    plies: Vec<Ply>,
    /// The sums of each ply: a row for White and one for Black.
    sums: Vec<Lanes>,
    current: usize,
    /// The Finny table: the last position refreshed, by side and by the half on which the king stands.
    refreshed: [[Refreshed; 2]; 2],
}

#[derive(Clone, Default, Debug)]
struct Ply {
    /// How it came about.
    played: Played,
    /// The perspective of each side.
    views: [Perspective; 2],
    /// Are a side's sums done?
    done: [bool; 2],
}

impl Ply {
    #[inline(always)]
    fn is_done(&self) -> bool {
        self.done == [true; 2]
    }
}

/// An entry of the Finny table (refresh cache): sums, and the pieces that they are for.
#[derive(Clone, Debug)]
struct Refreshed {
    pieces: [Bitboard; Piece::COUNT],
    sums: Vec<Lanes>,
}

impl Accumulators {
    /// At a root, with the sums done as suits the processor.
    pub fn new(network: Arc<Network>, root: &Position) -> Accumulators {
        Accumulators::with_cpu(network, root, Cpu::best())
    }

    /// The same without regard to what the processor has beyond others of its kind: slower, with the
    /// same values.
    pub fn portable(network: Arc<Network>, root: &Position) -> Accumulators {
        Accumulators::with_cpu(network, root, Cpu::Portable)
    }

    fn with_cpu(network: Arc<Network>, root: &Position, cpu: Cpu) -> Accumulators {
        // With no pieces the sums are the biases.
        let empty =
            Refreshed { pieces: [Bitboard::EMPTY; Piece::COUNT], sums: network.biases.clone() };
        let half = [empty.clone(), empty];
        let mut accumulators = Accumulators {
            cpu,
            plies: vec![Ply::default(); MAX_PLY + 1],
            sums: Vec::new(),
            current: 0,
            refreshed: [half.clone(), half],
            network,
        };
        accumulators.make_room();
        accumulators.reset(root);
        accumulators
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts anew at a root. Its sums are done at once: whether or not anyone asks for its value, all
    /// positions after it are near it then, and need not be fetched from afar.
    pub fn reset(&mut self, root: &Position) {
        self.current = 0;
        self.plies[0] = Ply {
            played: Played::default(),
            views: Color::ALL.map(|side| Perspective::new(side, root.king(side))),
            done: [false; 2],
        };
        match self.cpu {
            Cpu::Portable => self.catch_up(root, Portable),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(avx2) => self.catch_up_wide(root, avx2),
        }
    }

    /// Goes on from the current position by a legal move, or by a pass.
    #[inline]
    pub fn push(&mut self, position: &Position, mv: Option<Move>) {
        let played = mv.map_or_else(Played::default, |mv| Played::new(position, mv));
        let mut views = self.plies[self.current].views;
        if played.moves_king()
            && let Some(king) = played.target()
        {
            views[position.side_to_move().index()] =
                Perspective::new(position.side_to_move(), king);
        }
        self.current += 1;
        if self.current == self.plies.len() {
            self.plies.push(Ply::default());
            self.make_room();
        }
        self.plies[self.current] = Ply { played, views, done: [false; 2] };
    }

    /// Goes back to the position before; at the root it stays there.
    #[inline]
    pub fn pop(&mut self) {
        self.current = self.current.saturating_sub(1);
    }

    /// What the current position is worth to the side to move, as [`Network::evaluate`] has it.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Value {
        match self.cpu {
            Cpu::Portable => {
                if !self.is_near() {
                    self.catch_up(position, Portable);
                }
                self.evaluate_near(position, Portable)
            }
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(avx2) => self.evaluate_wide(position, avx2),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn evaluate_wide(&mut self, position: &Position, avx2: Avx2) -> Value {
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn evaluate_near(
            accumulators: &mut Accumulators,
            position: &Position,
            avx2: Avx2,
        ) -> Value {
            accumulators.evaluate_near(position, avx2)
        }
        if !self.is_near() {
            self.catch_up_wide(position, avx2);
        }
        // SAFETY: an `Avx2` exists only where the processor has the features.
        unsafe { evaluate_near(self, position, avx2) }
    }

    #[cfg(target_arch = "x86_64")]
    #[cold]
    fn catch_up_wide(&mut self, position: &Position, avx2: Avx2) {
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn catch_up(accumulators: &mut Accumulators, position: &Position, avx2: Avx2) {
            accumulators.catch_up(position, avx2);
        }
        // SAFETY: as in `evaluate_wide`.
        unsafe { catch_up(self, position, avx2) }
    }

    /// Are the current sums done, or those of the ply before, from which no king has crossed?
    #[inline(always)]
    fn is_near(&self) -> bool {
        let (before, now) = self.plies[..=self.current].split_at(self.current);
        now[0].is_done()
            || before.last().is_some_and(|before| before.is_done() && before.views == now[0].views)
    }

    /// The value, where the current sums are done or those of the ply before.
    #[inline(always)]
    fn evaluate_near(&mut self, position: &Position, simd: impl Simd) -> Value {
        let network = &*self.network;
        let lanes = network.lanes;
        let bucket = network.bucket(position);
        let mut weights = network.output_rows(bucket);
        if position.side_to_move() == Color::Black {
            weights.reverse();
        }
        let mut output = simd.no_output();
        let ply = &mut self.plies[self.current];
        let (before, after) = self.sums.split_at_mut(2 * self.current * lanes);
        if ply.is_done() {
            let (white, black) = after[..2 * lanes].split_at(lanes);
            cpu::take_in(&mut output, white, weights[0]);
            cpu::take_in(&mut output, black, weights[1]);
        } else {
            ply.done = [true; 2];
            let from = before[before.len() - 2 * lanes..].split_at(lanes);
            let to = after[..2 * lanes].split_at_mut(lanes);
            let steps = [
                Step { network, view: ply.views[0], from: from.0, to: to.0 },
                Step { network, view: ply.views[1], from: from.1, to: to.1 },
            ];
            go_both(simd, steps, ply.played.change(), weights, &mut output);
        }
        network.value(bucket, output.total())
    }

    /// Does the current sums, from however far they have to be fetched.
    #[inline(always)]
    fn catch_up(&mut self, position: &Position, simd: impl Simd) {
        for side in Color::ALL {
            let index = side.index();
            let view = self.plies[self.current].views[index];
            let mut ready = self.current;
            while ready > 0
                && !self.plies[ready].done[index]
                && self.plies[ready - 1].views[index] == view
            {
                ready -= 1;
            }
            if self.plies[ready].done[index] {
                for ply in ready + 1..=self.current {
                    self.step(simd, side, ply);
                }
            } else {
                self.refresh(simd, side, position);
            }
        }
    }

    /// Does a side's sums of a ply from those of the ply before.
    #[inline(always)]
    fn step(&mut self, simd: impl Simd, side: Color, ply: usize) {
        let network = &*self.network;
        let lanes = network.lanes;
        let Ply { played, views, done } = &mut self.plies[ply];
        done[side.index()] = true;
        let (before, after) = self.sums.split_at_mut(2 * ply * lanes);
        let from = &before[(2 * (ply - 1) + side.index()) * lanes..][..lanes];
        let to = &mut after[side.index() * lanes..][..lanes];
        Step { network, view: views[side.index()], from, to }.go(simd, played.change());
    }

    /// Does the current sums from the last position that had the king on the same half.
    #[inline(always)]
    fn refresh(&mut self, simd: impl Simd, side: Color, position: &Position) {
        let view = self.plies[self.current].views[side.index()];
        let refreshed = &mut self.refreshed[side.index()][usize::from(view.is_mirrored())];
        let mut added = ArrayVec::<u16, 32>::new();
        let mut removed = ArrayVec::<u16, 32>::new();
        for (piece, before) in Piece::ALL.into_iter().zip(&mut refreshed.pieces) {
            let now = position.colored_pieces(piece.color(), piece.kind());
            for square in now - *before {
                added.push(view.feature(PieceSquare::new(piece, square)) as u16);
            }
            for square in *before - now {
                removed.push(view.feature(PieceSquare::new(piece, square)) as u16);
            }
            *before = now;
        }
        cpu::apply(simd, &self.network, &mut refreshed.sums, &added, &removed);
        let lanes = self.network.lanes;
        let to = &mut self.sums[(2 * self.current + side.index()) * lanes..][..lanes];
        to.copy_from_slice(&refreshed.sums);
        self.plies[self.current].done[side.index()] = true;
    }

    /// Room for the sums of every ply.
    #[cold]
    fn make_room(&mut self) {
        let lanes = self.plies.len() * 2 * self.network.lanes;
        self.sums.resize(lanes, Lanes::ZERO);
    }
}

/// From one position to the next, for one side.
struct Step<'a> {
    network: &'a Network,
    view: Perspective,
    from: &'a [Lanes],
    to: &'a mut [Lanes],
}

/// Does both sides' sums, and what comes out of them on the same way.
#[inline(always)]
fn go_both<S: Simd>(
    simd: S,
    [white, black]: [Step; 2],
    change: Change,
    [white_weights, black_weights]: [&[Lanes]; 2],
    output: &mut S::Output,
) {
    match change {
        Change::Nothing => {
            white.update(simd, [], [], Some((white_weights, output)));
            black.update(simd, [], [], Some((black_weights, output)));
        }
        Change::Step { added, removed } => {
            white.update(simd, [added], [removed], Some((white_weights, output)));
            black.update(simd, [added], [removed], Some((black_weights, output)));
        }
        Change::Capture { added, removed } => {
            white.update(simd, [added], removed, Some((white_weights, output)));
            black.update(simd, [added], removed, Some((black_weights, output)));
        }
        Change::Castling { added, removed } => {
            white.update(simd, added, removed, Some((white_weights, output)));
            black.update(simd, added, removed, Some((black_weights, output)));
        }
    }
}

impl<'a> Step<'a> {
    #[inline(always)]
    fn go(self, simd: impl Simd, change: Change) {
        match change {
            Change::Nothing => self.update(simd, [], [], None),
            Change::Step { added, removed } => self.update(simd, [added], [removed], None),
            Change::Capture { added, removed } => self.update(simd, [added], removed, None),
            Change::Castling { added, removed } => self.update(simd, added, removed, None),
        }
    }

    #[inline(always)]
    fn update<S: Simd, const A: usize, const R: usize>(
        self,
        simd: S,
        added: [PieceSquare; A],
        removed: [PieceSquare; R],
        output: Option<(&[Lanes], &mut S::Output)>,
    ) {
        let (added, removed) = (self.rows(added), self.rows(removed));
        cpu::update(simd, self.from, self.to, added, removed, output);
    }

    /// The weights of pieces on squares.
    #[inline(always)]
    fn rows<const N: usize>(&self, places: [PieceSquare; N]) -> [&'a [Lanes]; N] {
        let mut rows = [&[] as &[Lanes]; N];
        for (row, place) in rows.iter_mut().zip(places) {
            *row = self.network.row(self.view.feature(place));
        }
        rows
    }
}
