//! Time, as fairly as a busy machine allows: what counts is the time that the processor gives to this
//! thread, contenders take turns, so that a slow moment meets all alike, and ratios are taken round by round.

use super::experiment::{Halt, Stop, go_on};
use super::table::Cell;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Measures the processor's time of this thread; where the system does not tell it, that of the clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts.
    pub fn start() -> Stopwatch {
        Stopwatch(now())
    }

    /// Seconds since then.
    pub fn seconds(self) -> f64 {
        now().saturating_sub(self.0).as_secs_f64()
    }
}

#[cfg(unix)]
fn now() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed()
}

/// The middle of several measurements, and their range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The lowest.
    pub low: f64,
    /// The highest.
    pub high: f64,
}

impl Spread {
    /// Of some numbers; of none, nothing but zeros.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Spread {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        match (sorted.first(), sorted.last()) {
            (Some(&low), Some(&high)) => Spread { median: sorted[sorted.len() / 2], low, high },
            _ => Spread { median: 0.0, low: 0.0, high: 0.0 },
        }
    }

    /// The same in other units.
    pub fn times(self, factor: f64) -> Spread {
        let Spread { median, low, high } = self;
        Spread { median: factor * median, low: factor * low, high: factor * high }
    }

    /// For a table.
    pub fn cell(self, places: usize) -> Cell {
        Cell::Range { median: self.median, low: self.low, high: self.high, places }
    }
}

/// Seconds of contenders that took turns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Race {
    /// Per contender, per round.
    pub seconds: Vec<Vec<f64>>,
}

impl Race {
    /// Lets all contenders run once untimed and then so many rounds. What they return must be the same for
    /// all.
    ///
    /// # Errors
    /// When they do not return the same, or the user has had enough.
    pub fn run(
        rounds: usize,
        contenders: &mut [Box<dyn FnMut() -> u64 + '_>],
        stop: &Stop<'_>,
    ) -> Result<Race, Halt> {
        let mut seconds = vec![Vec::with_capacity(rounds); contenders.len()];
        for round in 0..=rounds {
            let mut first = None;
            // Nobody always comes first.
            for turn in 0..contenders.len() {
                let i = (turn + round) % contenders.len();
                go_on(stop)?;
                let watch = Stopwatch::start();
                let result = contenders[i]();
                let took = watch.seconds();
                if round > 0 {
                    seconds[i].push(took);
                }
                let expected = *first.get_or_insert(result);
                if result != expected {
                    let why = format!("contenders disagree: {result} is not {expected}");
                    return Err(Halt::Wrong(why));
                }
            }
        }
        Ok(Race { seconds })
    }

    /// The seconds of a contender.
    pub fn of(&self, contender: usize) -> Spread {
        Spread::of(self.seconds[contender].iter().copied())
    }

    /// How many times as long as `other` a contender took, round by round.
    pub fn ratio(&self, contender: usize, other: usize) -> Spread {
        let pairs = self.seconds[contender].iter().zip(&self.seconds[other]);
        Spread::of(pairs.map(|(a, b)| a / b.max(1e-12)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races_are_fair_and_strict() {
        let stop = || false;
        let mut fair: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(|| 7), Box::new(|| 7)];
        let race = Race::run(3, &mut fair, &stop).unwrap();
        assert_eq!(race.seconds.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
        let order = std::cell::RefCell::new(String::new());
        let runner = |name: char| -> Box<dyn FnMut() -> u64 + '_> {
            let order = &order;
            Box::new(move || {
                order.borrow_mut().push(name);
                7
            })
        };
        Race::run(2, &mut [runner('a'), runner('b'), runner('c')], &stop).unwrap();
        assert_eq!(*order.borrow(), "abcbcacab");
        let mut unequal: Vec<Box<dyn FnMut() -> u64>> = vec![Box::new(|| 7), Box::new(|| 8)];
        assert!(matches!(Race::run(1, &mut unequal, &stop), Err(Halt::Wrong(_))));
        assert!(matches!(Race::run(1, &mut fair, &|| true), Err(Halt::Interrupted)));
    }

    #[test]
    fn sleep_is_nobody_s_work() {
        let watch = Stopwatch::start();
        std::thread::sleep(Duration::from_millis(30));
        assert!(!cfg!(unix) || watch.seconds() < 0.03);
    }

    #[test]
    fn spreads_are_ordered() {
        let spread = Spread::of([3.0, 1.0, 2.0]);
        assert_eq!(spread, Spread { median: 2.0, low: 1.0, high: 3.0 });
        assert_eq!(Spread::of([]).median, 0.0);
    }
}
