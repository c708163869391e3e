//! Sums that are kept from one position to the next.

use super::change::Change;
use super::cpu::{self, Cpu, Registers};
use super::feature::{is_mirrored, seen};
use super::lanes::Lanes;
use super::network::Network;
use crate::value::{MAX_PLY, Value};
use arrayvec::ArrayVec;
use std::sync::Arc;
use tabiya_chess::{Bitboard, Colour, Man, Position, Square};

/// Evaluates the positions along a line of play, each from the sums of an earlier one.
///
/// A move changes a few features, so that its sums are those before it with a few rows more and less.
/// Going on to a position only notes what changed; the sums are done when its value is wanted, from the
/// nearest position before it that has them. When a king crosses the middle of the board all of his
/// side's features change; then the sums start from those of the last position that had him on that
/// half, which differs by the men that have moved since.
///
/// ```
/// # use tabiya_engine::nnue::{FEATURES, Network, Weights};
/// # let weights = Weights {
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
/// let mut next = start.clone();
/// next.play(start.parse_san("Nf3").unwrap()).unwrap();
///
/// accumulators.push(&start, &next);
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
    /// The last position refreshed, by side and by the half on which the king stands.
    refreshed: [[Refreshed; 2]; 2],
}

#[derive(Clone, Default, Debug)]
struct Ply {
    /// From the position before.
    change: Change,
    /// Is a side's board mirrored?
    mirrored: [bool; 2],
    /// Are a side's sums done?
    done: [bool; 2],
}

/// Sums, and the men that they are for.
#[derive(Clone, Debug)]
struct Refreshed {
    men: [Bitboard; Man::COUNT],
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
        // With no men the sums are the biases.
        let nobody = Refreshed { men: [Bitboard::EMPTY; Man::COUNT], sums: network.biases.clone() };
        let half = [nobody.clone(), nobody];
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

    /// Starts anew at a root.
    pub fn reset(&mut self, root: &Position) {
        self.current = 0;
        self.plies[0] = Ply {
            change: Change::default(),
            mirrored: Colour::ALL.map(|side| is_mirrored(root.king(side))),
            done: [false; 2],
        };
    }

    /// Goes on from the current position to one that is a legal move, or a pass, away.
    #[inline]
    pub fn push(&mut self, from: &Position, to: &Position) {
        let mut mirrored = self.plies[self.current].mirrored;
        let change = Change::between(from, to);
        if change.moves_king {
            mirrored[from.turn().index()] = is_mirrored(to.king(from.turn()));
        }
        self.current += 1;
        if self.current == self.plies.len() {
            self.plies.push(Ply::default());
            self.make_room();
        }
        self.plies[self.current] = Ply { change, mirrored, done: [false; 2] };
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
            Cpu::Portable => self.evaluate_with::<Lanes>(position),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2(avx2) => self.evaluate_wide(position, avx2),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn evaluate_wide(&mut self, position: &Position, _: cpu::Avx2) -> Value {
        #[target_feature(enable = "avx2,bmi1,popcnt")]
        fn compiled_for_it(accumulators: &mut Accumulators, position: &Position) -> Value {
            accumulators.evaluate_with::<cpu::avx2::Wide>(position)
        }
        // SAFETY: an `Avx2` exists only where the processor has the features.
        unsafe { compiled_for_it(self, position) }
    }

    #[inline(always)]
    fn evaluate_with<V: Registers>(&mut self, position: &Position) -> Value {
        self.bring_up_to_date::<V>(Colour::White, position);
        self.bring_up_to_date::<V>(Colour::Black, position);
        let bucket = self.network.bucket(position);
        let own = self.row(self.current, position.turn());
        let opponent = self.row(self.current, !position.turn());
        let output = V::output([own, opponent], self.network.output_rows(bucket));
        self.network.value(bucket, output)
    }

    /// Room for the sums of every ply.
    #[cold]
    fn make_room(&mut self) {
        let lanes = self.plies.len() * 2 * self.network.lanes;
        self.sums.resize(lanes, Lanes::ZERO);
    }

    #[inline(always)]
    fn row(&self, ply: usize, side: Colour) -> &[Lanes] {
        let lanes = self.network.lanes;
        &self.sums[(2 * ply + side.index()) * lanes..][..lanes]
    }

    #[inline(always)]
    fn bring_up_to_date<V: Registers>(&mut self, side: Colour, position: &Position) {
        let index = side.index();
        let mirrored = self.plies[self.current].mirrored[index];
        let mut ready = self.current;
        while !self.plies[ready].done[index] {
            if ready == 0 || self.plies[ready - 1].mirrored[index] != mirrored {
                return self.refresh::<V>(side, position);
            }
            ready -= 1;
        }
        for ply in ready + 1..=self.current {
            self.step::<V>(side, ply);
        }
    }

    /// Does a ply's sums from those of the ply before.
    #[inline(always)]
    fn step<V: Registers>(&mut self, side: Colour, ply: usize) {
        let lanes = self.network.lanes;
        let Ply { change, mirrored, done } = &mut self.plies[ply];
        done[side.index()] = true;
        let view = View { network: &self.network, side, mirrored: mirrored[side.index()] };
        let (before, after) = self.sums.split_at_mut(2 * ply * lanes);
        let from = &before[(2 * (ply - 1) + side.index()) * lanes..][..lanes];
        let to = &mut after[side.index() * lanes..][..lanes];
        match (&*change.added, &*change.removed) {
            ([a], [r]) => cpu::update::<V, 1, 1>(from, to, [view.row(a)], [view.row(r)]),
            ([a], [r, s]) => {
                cpu::update::<V, 1, 2>(from, to, [view.row(a)], [view.row(r), view.row(s)]);
            }
            ([a, b], [r, s]) => {
                let (added, removed) = ([view.row(a), view.row(b)], [view.row(r), view.row(s)]);
                cpu::update::<V, 2, 2>(from, to, added, removed);
            }
            // A pass.
            _ => to.copy_from_slice(from),
        }
    }

    /// Does the current sums from the last position that had the king on the same half.
    #[cold]
    #[inline(never)]
    fn refresh<V: Registers>(&mut self, side: Colour, position: &Position) {
        let mirrored = self.plies[self.current].mirrored[side.index()];
        let refreshed = &mut self.refreshed[side.index()][usize::from(mirrored)];
        let mut added = ArrayVec::<u16, 32>::new();
        let mut removed = ArrayVec::<u16, 32>::new();
        for (man, before) in Man::ALL.into_iter().zip(&mut refreshed.men) {
            let now = position.men(man.colour(), man.piece());
            for square in now - *before {
                added.push(seen(side, mirrored, man, square) as u16);
            }
            for square in *before - now {
                removed.push(seen(side, mirrored, man, square) as u16);
            }
            *before = now;
        }
        V::apply(&self.network, &mut refreshed.sums, &added, &removed);
        let lanes = self.network.lanes;
        let to = &mut self.sums[(2 * self.current + side.index()) * lanes..][..lanes];
        to.copy_from_slice(&refreshed.sums);
        self.plies[self.current].done[side.index()] = true;
    }
}

/// How a side sees the board.
struct View<'a> {
    network: &'a Network,
    side: Colour,
    mirrored: bool,
}

impl<'a> View<'a> {
    /// The weights of a man on a square.
    #[inline(always)]
    fn row(&self, &(man, square): &(Man, Square)) -> &'a [Lanes] {
        self.network.row(seen(self.side, self.mirrored, man, square))
    }
}
