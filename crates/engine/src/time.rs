//! Time management: how long to search.
//!
//! Two limits come from the clock: a soft one, scaled after each iteration by how the search goes, and
//! a hard one that nothing moves. What was searched on the opponent's time counts towards the soft limit,
//! since it need not be thought again, but not towards the hard one, since it cost nothing.
//!
//! Time may be counted in nodes instead ([`NodesPerMs`]), which makes games with clocks repeatable.

use crate::analyst::{Clock, Limits};
use crate::lock;
use crate::params::Params;
use crate::value::Value;
use core::num::NonZeroU64;
use core::ops::RangeInclusive;
use core::time::Duration;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use tabiya_chess::Move;

/// Longer times are all the same, and would overflow.
const LONGEST: Duration = Duration::from_secs(10 * 365 * 24 * 3600);
/// Even without any time there must be a move.
const SHORTEST: Duration = Duration::from_millis(1);

/// Nodes that count as a millisecond: the option `nodestime`.
pub(crate) type NodesPerMs = NonZeroU64;

/// What the iterations have shown so far: how stable the best move and its score are.
#[derive(Default)]
pub(crate) struct RootStability {
    best: Option<Move>,
    stable_for: i32,
    average: Option<Value>,
}

impl RootStability {
    /// By how much the soft limit is scaled after an iteration: by the share of nodes below the best move,
    /// by how long it has been the best, and by a falling score.
    pub(crate) fn time_scale(
        &mut self,
        params: &Params,
        best: Move,
        value: Value,
        node_share: f64,
    ) -> f64 {
        self.stable_for = if self.best == Some(best) { self.stable_for + 1 } else { 0 };
        self.best = Some(best);
        let fall = self.average.unwrap_or(0) - value;
        let memory = params.time_fall_memory;
        let mixed = |average| (average * (1000 - memory) + value * memory) / 1000;
        self.average = Some(self.average.map_or(value, mixed));
        let by_nodes =
            permille(params.time_nodes_base) - permille(params.time_nodes_slope) * node_share;
        let stable_for = self.stable_for.min(params.time_stable_max);
        let by_stability = permille(params.time_stable_base)
            - permille(params.time_stable_step) * f64::from(stable_for);
        let by_fall = (1.0 + f64::from(fall) / f64::from(params.time_fall_unit))
            .clamp(permille(params.time_fall_min), permille(params.time_fall_max));
        by_nodes * by_stability * by_fall
    }
}

/// A share that is kept in thousandths.
fn permille(share: i32) -> f64 {
    f64::from(share) / 1000.0
}

/// What one search may use.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Budget {
    soft: Duration,
    hard: Duration,
}

/// The time manager of one search.
pub(crate) struct TimeManager {
    start: Instant,
    /// When the own clock began to run: the start, or the ponder hit.
    begin: Mutex<Instant>,
    /// How many nodes had been searched by then.
    begin_nodes: AtomicU64,
    pace: Option<NodesPerMs>,
    pondering: AtomicBool,
    /// Is the soft limit reached, so that a ponder hit ends the search?
    satisfied: AtomicBool,
    budget: Option<Budget>,
    move_time: Option<Duration>,
    /// The soft limit is never scaled beyond these.
    scale: RangeInclusive<f64>,
}

impl TimeManager {
    pub(crate) fn new(
        limits: &Limits,
        overhead: Duration,
        pace: Option<NodesPerMs>,
        params: &Params,
        start: Instant,
    ) -> TimeManager {
        // Nodes do not get lost on the way to the clock.
        let overhead = if pace.is_some() { Duration::ZERO } else { overhead };
        let clock = limits.clock.filter(|_| !limits.infinite);
        TimeManager {
            start,
            begin: Mutex::new(start),
            begin_nodes: AtomicU64::new(0),
            pace,
            pondering: AtomicBool::new(limits.ponder),
            satisfied: AtomicBool::new(false),
            budget: clock.map(|clock| Budget::for_move(clock, overhead, params)),
            move_time: limits.move_time.map(|time| time.saturating_sub(overhead).max(SHORTEST)),
            scale: permille(params.time_scale_min)..=permille(params.time_scale_max),
        }
    }

    /// Time since the start, for reports.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Ponder hit: the pondered move was played, after `nodes` nodes, and the clock runs from now. Without
    /// pondering it runs already.
    pub(crate) fn ponder_hit(&self, nodes: u64) {
        if !self.is_pondering() {
            return;
        }
        *lock(&self.begin) = Instant::now();
        self.begin_nodes.store(nodes, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Release);
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// How many of a search's nodes count for the own clock; none if the opponent never made the move
    /// that was pondered on.
    pub(crate) fn own_nodes(&self, nodes: u64) -> Option<u64> {
        let before = self.begin_nodes.load(Ordering::Relaxed);
        (!self.is_pondering()).then(|| nodes.saturating_sub(before))
    }

    /// What the own clock has run.
    fn on_clock(&self, nodes: u64) -> Duration {
        match self.pace {
            Some(pace) => in_time(self.own_nodes(nodes).unwrap_or(0), pace),
            None => lock(&self.begin).elapsed(),
        }
    }

    /// Total time searched, pondering included.
    fn searched(&self, nodes: u64) -> Duration {
        self.pace.map_or_else(|| self.elapsed(), |pace| in_time(nodes, pace))
    }

    /// Is there any limit of time?
    pub(crate) fn is_timed(&self) -> bool {
        self.budget.is_some() || self.move_time.is_some()
    }

    /// Must the search end now, after `nodes` nodes?
    pub(crate) fn is_over(&self, nodes: u64) -> bool {
        if !self.is_timed() || self.is_pondering() {
            return false;
        }
        if self.satisfied.load(Ordering::Relaxed) {
            return true;
        }
        let used = self.on_clock(nodes);
        self.budget.is_some_and(|budget| used >= budget.hard)
            || self.move_time.is_some_and(|limit| used >= limit)
    }

    /// Is another iteration not worth beginning, when the soft limit is scaled so? While pondering there
    /// always is one: time costs nothing.
    pub(crate) fn is_enough(&self, scale: f64, nodes: u64) -> bool {
        let scale = scale.clamp(*self.scale.start(), *self.scale.end());
        let enough =
            self.budget.is_some_and(|budget| self.searched(nodes) >= budget.soft.mul_f64(scale));
        self.satisfied.store(enough, Ordering::Relaxed);
        enough && !self.is_pondering()
    }
}

/// The time that a number of nodes counts as.
fn in_time(nodes: u64, pace: NodesPerMs) -> Duration {
    Duration::from_nanos(nodes.saturating_mul(1_000_000) / pace)
}

impl Budget {
    fn for_move(clock: Clock, overhead: Duration, params: &Params) -> Budget {
        let remaining = clock.remaining.min(LONGEST).saturating_sub(overhead);
        let increment = clock.increment.min(LONGEST).as_secs_f64();
        let hard_share = permille(params.time_hard_share);
        let (base, most) = match clock.moves_to_go {
            Some(moves) => {
                let moves = moves.clamp(1, params.time_moves_to_go_max as u32);
                // Each of the moves to go loses its overhead, too; but keeping back more than half
                // would be playing by the clock instead of with it.
                let most_lost = remaining.mul_f64(permille(params.time_overhead_share));
                let lost = overhead.saturating_mul(moves - 1).min(most_lost);
                let usable = (remaining - lost).max(SHORTEST).as_secs_f64();
                let share = usable / (f64::from(moves) + permille(params.time_spare_moves));
                let last_share = permille(params.time_last_move_share);
                (share, if moves == 1 { last_share } else { hard_share })
            }
            None => {
                let share = permille(params.time_share);
                (remaining.max(SHORTEST).as_secs_f64() * share, hard_share)
            }
        };
        let remaining = remaining.max(SHORTEST).as_secs_f64();
        // A busy machine may let a program wait for several hundredths of a second.
        let cushion = permille(params.time_cushion);
        let increment_share = permille(params.time_increment_share);
        let spent_increment = increment * increment_share * remaining / (remaining + cushion);
        let soft = (base + spent_increment).min(remaining * most);
        let hard = (soft * permille(params.time_hard_factor)).min(remaining * most);
        Budget { soft: Duration::from_secs_f64(soft), hard: Duration::from_secs_f64(hard) }
    }
}

/// A clock that is counted in nodes over a whole game: what the GUI's own clock shows depends on the
/// machine, so it is looked at only when a game or a time control begins.
#[derive(Default)]
pub(crate) struct NodeClock {
    left: Option<Duration>,
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// The limits as this clock has them.
    pub(crate) fn adjust(&mut self, limits: &mut Limits) {
        let Some(clock) = &mut limits.clock else { return };
        let new_control = clock.moves_to_go > self.moves_to_go;
        self.moves_to_go = clock.moves_to_go;
        match self.left {
            Some(left) if !new_control => clock.remaining = left,
            _ => self.left = Some(clock.remaining),
        }
    }

    /// A move was made after `nodes` nodes.
    pub(crate) fn charge(&mut self, clock: Clock, nodes: u64, pace: NodesPerMs) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(in_time(nodes, pace)).saturating_add(clock.increment);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go }
    }

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Budget {
        Budget::for_move(clock(remaining, increment, moves_to_go), OVERHEAD, &Params::DEFAULT)
    }

    #[test]
    fn never_more_than_there_is() {
        for remaining in [0, 1, 5, 10, 11, 20, 100, 1_000, 60_000, 10_000_000, u64::MAX] {
            for increment in [0, 1, 100, 10_000, 1_000_000, u64::MAX] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(1000), Some(u32::MAX)]
                {
                    for overhead in [0, 10, 5000] {
                        let clock = clock(remaining, increment, moves);
                        let budget = Budget::for_move(clock, ms(overhead), &Params::DEFAULT);
                        let left = ms(remaining.saturating_sub(overhead).max(1));
                        assert!(budget.soft <= budget.hard);
                        assert!(budget.hard <= left, "{remaining} {increment} {moves:?}");
                        assert!(budget.soft > Duration::ZERO);
                    }
                }
            }
        }
    }

    #[test]
    fn the_longest_times_there_are_do_not_overflow() {
        let clock = Clock { remaining: Duration::MAX, increment: Duration::MAX, moves_to_go: None };
        for moves_to_go in [None, Some(1), Some(1000)] {
            let limits =
                Limits { clock: Some(Clock { moves_to_go, ..clock }), ..Limits::default() };
            let manager =
                TimeManager::new(&limits, Duration::MAX, None, &Params::DEFAULT, Instant::now());
            manager.is_enough(f64::MAX, u64::MAX);
            let manager = TimeManager::new(
                &limits,
                OVERHEAD,
                NodesPerMs::new(u64::MAX),
                &Params::DEFAULT,
                Instant::now(),
            );
            assert!(!manager.is_over(u64::MAX));
        }
    }

    #[test]
    fn the_last_move_before_more_time_may_use_most_of_it() {
        assert!(budget(10_000, 0, Some(1)).hard > Duration::from_secs(8));
        assert!(budget(10_000, 0, Some(40)).soft < ms(400));
    }

    #[test]
    fn every_move_to_go_has_its_overhead() {
        // Ten moves lose 100 of the 140 milliseconds on the way: 50 are kept back at most.
        let hurried = budget(140, 0, Some(10));
        assert!(hurried.soft < ms(8), "{hurried:?}");
    }

    /// Plays a game in which every move takes as long as the hard limit allows at times, as long as the
    /// soft one at others, and some lag.
    fn least_left(start: u64, increment: u64, lag: Duration) -> Duration {
        let mut left = ms(start);
        let mut least = left;
        for move_number in 0..400 {
            let clock = Clock { remaining: left, increment: ms(increment), moves_to_go: None };
            let budget = Budget::for_move(clock, OVERHEAD, &Params::DEFAULT);
            let used = if move_number % 10 == 0 { budget.hard } else { budget.soft };
            left = left.saturating_sub(used + lag);
            least = least.min(left);
            left += ms(increment);
        }
        least
    }

    #[test]
    fn a_third_of_a_second_lasts_for_ever() {
        // A quick machine keeps enough for a stall of some hundredths; a slow one still does not lose.
        assert!(least_left(300, 3, ms(0)) > ms(35), "{:?}", least_left(300, 3, ms(0)));
        assert!(least_left(300, 3, ms(1)) > ms(20), "{:?}", least_left(300, 3, ms(1)));
        assert!(least_left(300, 3, ms(2)) > ms(5), "{:?}", least_left(300, 3, ms(2)));
    }

    #[test]
    fn pondering_counts_as_thinking_but_not_on_the_clock() {
        let limits =
            Limits { clock: Some(clock(1000, 0, None)), ponder: true, ..Limits::default() };
        let pace = NodesPerMs::new(100);
        let manager = TimeManager::new(&limits, OVERHEAD, pace, &Params::DEFAULT, Instant::now());
        // A hundred nodes are a millisecond; the soft limit is 26 of them.
        assert!(!manager.is_over(1_000_000));
        assert!(!manager.is_enough(1.0, 2_500));
        manager.ponder_hit(2_500);
        assert!(!manager.is_over(2_600));
        assert!(manager.is_enough(1.0, 2_700));

        let manager = TimeManager::new(&limits, OVERHEAD, pace, &Params::DEFAULT, Instant::now());
        // Long enough, but it costs nothing to go on.
        assert!(!manager.is_enough(1.0, 1_000_000));
        assert!(!manager.is_over(1_000_512));
        manager.ponder_hit(1_000_512);
        assert!(manager.is_over(1_001_024));
    }

    #[test]
    fn a_ponder_hit_out_of_the_blue_gives_no_more_time() {
        let limits = Limits { clock: Some(clock(1000, 0, None)), ..Limits::default() };
        let manager = TimeManager::new(
            &limits,
            OVERHEAD,
            NodesPerMs::new(100),
            &Params::DEFAULT,
            Instant::now(),
        );
        manager.ponder_hit(50_000);
        assert!(manager.is_over(60_000));
    }

    #[test]
    fn only_nodes_after_the_hit_are_charged() {
        let limits =
            Limits { clock: Some(clock(1000, 0, None)), ponder: true, ..Limits::default() };
        let manager = TimeManager::new(
            &limits,
            OVERHEAD,
            NodesPerMs::new(100),
            &Params::DEFAULT,
            Instant::now(),
        );
        assert_eq!(manager.own_nodes(7_000), None);
        manager.ponder_hit(7_000);
        assert_eq!(manager.own_nodes(7_300), Some(300));
    }

    #[test]
    fn a_clock_of_nodes_goes_its_own_way() {
        let pace = NodesPerMs::new(10).unwrap();
        let mut own = NodeClock::default();
        let mut ask = |gui: u64, moves_to_go| {
            let given = clock(gui, 5, moves_to_go);
            let mut limits = Limits { clock: Some(given), ..Limits::default() };
            own.adjust(&mut limits);
            own.charge(given, 1000, pace);
            limits.clock.unwrap().remaining
        };
        // A thousand nodes are a hundred milliseconds, whatever the GUI thinks it was.
        assert_eq!(ask(1000, None), ms(1000));
        assert_eq!(ask(700, None), ms(905));
        assert_eq!(ask(650, None), ms(810));
        // A new time control.
        assert_eq!(ask(5000, Some(40)), ms(5000));
        assert_eq!(ask(1, Some(39)), ms(4905));
        assert_eq!(ask(5000, Some(40)), ms(5000));
    }
}
