//! How long a player may think, and the clocks that see to it.
//!
//! Time is measured with the monotonic clock and accounted in full, to the last microsecond; what a
//! player has overdrawn is a debt, and the next increment pays it off before anything else. The *time
//! margin* is how deep that debt may be: enough to forgive the operating system its scheduling, never
//! enough to live on, since it is granted once and not with every move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabiya_chess::Excerpt;
use tabiya_engine::{Clock, Limits};
use thiserror::Error;

/// Nobody plays longer games, and sums of such times stay far from overflow.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Who has less than this, or debts, is told this much: engines take zero for "no clock".
const LEAST_TOLD: Duration = Duration::from_millis(1);

/// Time for a game or for so many moves, and what each move adds to it.
///
/// ```
/// use std::time::Duration;
/// use tabiya_arena::clock::TimeControl;
///
/// let blitz: TimeControl = "40/1:00+0.6".parse()?;
/// assert_eq!(blitz.moves(), Some(40));
/// assert_eq!(blitz.base(), Duration::from_secs(60));
/// assert_eq!(blitz.to_string(), "40/60+0.6");
/// # Ok::<(), tabiya_arena::clock::PlayerLimitsError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    moves: Option<u32>,
    base: Duration,
    increment: Duration,
}

/// Why a text does not say how long to think.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerLimitsError {
    /// Not a time control.
    #[error(
        "{0} is not a time control; write seconds+increment as in 8+0.08, or moves/seconds+increment as in 40/60+0.6"
    )]
    NotATimeControl(Excerpt),
    /// A time that is no number of seconds.
    #[error(
        "{0} is not a time; write seconds to the millisecond, as in 8 or 0.08, or minutes:seconds as in 1:30"
    )]
    NotATime(Excerpt),
    /// More than a game can last.
    #[error("{0} is too long; 30 days are the most")]
    TooLong(Excerpt),
    /// No time at all.
    #[error("{0} leaves no time to think")]
    NoTime(Excerpt),
    /// A count that is no number from 1 on.
    #[error("{name}={value} should be a whole number from 1 to {most}")]
    NotACount {
        /// What was to be set.
        name: &'static str,
        /// What it was to be set to.
        value: Excerpt,
        /// The most it takes.
        most: u64,
    },
    /// Something that is not a limit.
    #[error(
        "{0} is not a limit; limits are tc=8+0.08, movetime=100 (milliseconds), nodes=2000 and depth=8"
    )]
    Unknown(Excerpt),
    /// The same limit again.
    #[error("{0} is given twice")]
    GivenTwice(&'static str),
    /// Thinking without end.
    #[error(
        "nothing limits the thinking; give one of tc=8+0.08, movetime=100, nodes=2000 or depth=8"
    )]
    Unlimited,
}

/// Eight seconds and 0.08 for each move, which engine testers like: short, and not yet a matter of chance.
impl Default for TimeControl {
    fn default() -> Self {
        Self { moves: None, base: Duration::from_secs(8), increment: Duration::from_millis(80) }
    }
}

impl TimeControl {
    /// So many moves until the base time comes again; none if it is for the whole game.
    #[must_use]
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// The time at the start.
    #[must_use]
    pub fn base(&self) -> Duration {
        self.base
    }

    /// What each move adds.
    #[must_use]
    pub fn increment(&self) -> Duration {
        self.increment
    }
}

impl FromStr for TimeControl {
    type Err = PlayerLimitsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (moves, time) = match text.split_once('/') {
            None => (None, text),
            Some((moves, time)) => {
                let not_a_control = |_| PlayerLimitsError::NotATimeControl(Excerpt::of(text));
                let moves = count("moves", moves, u32::MAX.into()).map_err(not_a_control)?;
                (Some(moves as u32), time)
            }
        };
        let (base, increment) = match time.split_once('+') {
            None => (seconds(time)?, Duration::ZERO),
            Some((base, increment)) => (seconds(base)?, seconds(increment)?),
        };
        if base + increment == Duration::ZERO {
            return Err(PlayerLimitsError::NoTime(Excerpt::of(text)));
        }
        Ok(Self { moves, base, increment })
    }
}

/// A time such as `8`, `0.08` or `1:30.5`.
fn seconds(text: &str) -> Result<Duration, PlayerLimitsError> {
    let not_a_time = || PlayerLimitsError::NotATime(Excerpt::of(text));
    let number = |digits: &str| -> Result<u64, PlayerLimitsError> {
        let well_formed = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        if !well_formed {
            return Err(not_a_time());
        }
        digits.parse().map_err(|_| PlayerLimitsError::TooLong(Excerpt::of(text)))
    };
    let (minutes, rest) = match text.split_once(':') {
        None => (0, text),
        Some((minutes, rest)) => (number(minutes)?, rest),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    if fraction.len() > 3 {
        return Err(not_a_time());
    }
    let whole = number(whole)?;
    let milliseconds = number(fraction)? * 10u64.pow(3 - fraction.len() as u32);
    let total = minutes
        .checked_mul(60)
        .and_then(|seconds| seconds.checked_add(whole))
        .and_then(|seconds| seconds.checked_mul(1000)?.checked_add(milliseconds));
    match total.map(Duration::from_millis) {
        Some(time) if time <= LONGEST => Ok(time),
        _ => Err(PlayerLimitsError::TooLong(Excerpt::of(text))),
    }
}

/// Whole seconds, with as many digits behind the point as it takes.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.as_secs())?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            milliseconds => {
                let digits = format!("{milliseconds:03}");
                write!(f, ".{}", digits.trim_end_matches('0'))
            }
        }
    }
}

/// As [`TimeControl::from_str`] reads it and PGN has it.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base))?;
        match self.increment {
            Duration::ZERO => Ok(()),
            increment => write!(f, "+{}", Seconds(increment)),
        }
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> String {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = PlayerLimitsError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// All that limits a player's thinking; what is set holds at once.
///
/// ```
/// use tabiya_arena::clock::PlayerLimits;
///
/// let limits: PlayerLimits = "tc=8+0.08 depth=20".parse()?;
/// assert_eq!(limits.depth, Some(20));
/// assert!("".parse::<PlayerLimits>().is_err(), "a text has to set a limit");
/// # Ok::<(), tabiya_arena::clock::PlayerLimitsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PlayerLimits {
    /// The clock.
    pub control: Option<TimeControl>,
    /// So long for each move.
    pub move_time: Option<Duration>,
    /// So many nodes for each move.
    pub nodes: Option<u64>,
    /// To this depth.
    pub depth: Option<u32>,
}

impl PlayerLimits {
    /// Sets the limit of this name, `tc`, `movetime`, `nodes` or `depth`.
    ///
    /// # Errors
    /// If there is no such limit, it is set already, or the value does not fit.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), PlayerLimitsError> {
        match name {
            "tc" => put(&mut self.control, PlayerLimitsError::GivenTwice("tc"), value.parse()?),
            "movetime" => {
                let most = LONGEST.as_millis() as u64;
                let time = Duration::from_millis(count("movetime", value, most)?);
                put(&mut self.move_time, PlayerLimitsError::GivenTwice("movetime"), time)
            }
            "nodes" => put(
                &mut self.nodes,
                PlayerLimitsError::GivenTwice("nodes"),
                count("nodes", value, u64::MAX)?,
            ),
            "depth" => {
                let depth = count("depth", value, u32::MAX.into())? as u32;
                put(&mut self.depth, PlayerLimitsError::GivenTwice("depth"), depth)
            }
            _ => Err(PlayerLimitsError::Unknown(Excerpt::of(name))),
        }
    }

    /// Is there no limit at all?
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

/// Fills what is empty, or else says what is wrong.
pub(crate) fn put<T, E>(slot: &mut Option<T>, taken: E, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(taken),
    }
}

fn count(name: &'static str, value: &str, most: u64) -> Result<u64, PlayerLimitsError> {
    match value.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(PlayerLimitsError::NotACount { name, value: Excerpt::of(value), most }),
    }
}

impl FromStr for PlayerLimits {
    type Err = PlayerLimitsError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut limits = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word
                .split_once('=')
                .ok_or_else(|| PlayerLimitsError::Unknown(Excerpt::of(word)))?;
            limits.set(name, value)?;
        }
        if limits.is_unlimited() {
            return Err(PlayerLimitsError::Unlimited);
        }
        Ok(limits)
    }
}

/// The words that [`PlayerLimits::from_str`] reads.
impl fmt::Display for PlayerLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.control.map(|control| format!("tc={control}")),
            self.move_time.map(|time| format!("movetime={}", time.as_millis())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        let words: Vec<String> = words.into_iter().flatten().collect();
        f.write_str(&words.join(" "))
    }
}

impl From<PlayerLimits> for String {
    fn from(limits: PlayerLimits) -> String {
        limits.to_string()
    }
}

impl TryFrom<String> for PlayerLimits {
    type Error = PlayerLimitsError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// One player's clock during a game.
#[derive(Clone, Debug)]
pub struct GameClock {
    limits: PlayerLimits,
    /// In microseconds, and below zero in debt; only a [`TimeControl`] ever changes it.
    left: i64,
    moves_to_go: Option<u32>,
}

/// A move came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{:.1} ms used of {:.1} ms", 1e3 * used.as_secs_f64(), 1e3 * allowed.as_secs_f64())]
pub struct Late {
    /// How long the move took.
    pub used: Duration,
    /// How long it might have taken, the margin left out.
    pub allowed: Duration,
}

impl GameClock {
    /// A clock at the start of a game.
    #[must_use]
    pub fn new(limits: PlayerLimits) -> Self {
        let control = limits.control;
        Self {
            limits,
            left: control.map_or(0, |control| micros(control.base) + first_increment(&control)),
            moves_to_go: control.and_then(|control| control.moves),
        }
    }

    /// What an engine is told before it moves against this opponent.
    #[must_use]
    pub fn limits(&self, opponent: &GameClock) -> Limits {
        Limits {
            clock: self.told(),
            opponent_clock: opponent.told(),
            move_time: self.limits.move_time,
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            ..Limits::default()
        }
    }

    /// How long the next move may take, the margin left out; nothing if there is no clock.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let on_the_clock = self.limits.control.map(|_| self.left());
        match (on_the_clock, self.limits.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// Takes the time of a move off the clock and adds what the move earns.
    ///
    /// # Errors
    /// If the move took longer than was left and the margin forgives.
    pub fn charge(&mut self, used: Duration, margin: Duration) -> Result<(), Late> {
        let late = |allowed| Late { used, allowed };
        if let Some(time) = self.limits.move_time
            && used > time + margin
        {
            return Err(late(time));
        }
        let Some(control) = self.limits.control else {
            return Ok(());
        };
        let left = self.left - micros(used);
        if left < -micros(margin) {
            return Err(late(self.left()));
        }
        self.left = left + micros(control.increment);
        if let Some(to_go) = self.moves_to_go {
            self.moves_to_go = match to_go {
                1 => {
                    self.left += micros(control.base);
                    control.moves
                }
                _ => Some(to_go - 1),
            };
        }
        Ok(())
    }

    fn left(&self) -> Duration {
        Duration::from_micros(self.left.max(0) as u64)
    }

    fn told(&self) -> Option<Clock> {
        self.limits.control.map(|control| Clock {
            remaining: self.left().max(LEAST_TOLD),
            increment: control.increment,
            moves_to_go: self.moves_to_go,
        })
    }
}

/// A clock that starts at nothing but increments must begin with one, or nobody could ever move.
fn first_increment(control: &TimeControl) -> i64 {
    match control.base {
        Duration::ZERO => micros(control.increment),
        _ => 0,
    }
}

fn micros(time: Duration) -> i64 {
    time.min(LONGEST).as_micros() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn clock(text: &str) -> GameClock {
        GameClock::new(text.parse().unwrap())
    }

    fn left(clock: &GameClock) -> i64 {
        clock.left / 1000
    }

    #[test]
    fn time_controls_read_as_they_are_written() {
        for (text, written) in [
            ("8+0.08", "8+0.08"),
            ("40/60+0.6", "40/60+0.6"),
            ("40/60", "40/60"),
            ("5:00+3", "300+3"),
            ("1:30.5", "90.5"),
            ("0+1", "0+1"),
            ("0.001", "0.001"),
            ("10.250", "10.25"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), written);
            assert_eq!(written.parse(), Ok(control));
        }
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        let error = |text: &str| text.parse::<PlayerLimits>().unwrap_err().to_string();
        for (text, message) in [
            ("tc=x", "\"x\" is not a time;"),
            ("tc=", "\"\" is not a time;"),
            ("tc=8+", "\"\" is not a time;"),
            ("tc=-1", "\"-1\" is not a time;"),
            ("tc=1e3", "\"1e3\" is not a time;"),
            ("tc=0.0001", "\"0.0001\" is not a time;"),
            ("tc=8+0.08+1", "\"0.08+1\" is not a time;"),
            ("tc=0/60", "\"0/60\" is not a time control;"),
            ("tc=0", "\"0\" leaves no time"),
            ("tc=99999999999999999999999", "is too long; 30 days"),
            ("tc=40/2592001", "is too long; 30 days"),
            ("tc=18446744073709551615:59", "is too long; 30 days"),
            ("nodes=0", "nodes=\"0\" should be a whole number from 1 to 18446744073709551615"),
            ("depth=4294967296", "should be a whole number from 1 to 4294967295"),
            ("movetime=-5", "should be a whole number"),
            ("nodes=1 nodes=1", "nodes is given twice"),
            ("knots=5", "\"knots\" is not a limit;"),
            ("2000", "\"2000\" is not a limit;"),
            ("", "nothing limits the thinking;"),
        ] {
            let error = error(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn a_pace_survives_being_written_and_read() {
        let limits: PlayerLimits = "tc=40/60+0.6 movetime=100 nodes=2000 depth=8".parse().unwrap();
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(text, "\"tc=40/60+0.6 movetime=100 nodes=2000 depth=8\"");
        assert_eq!(serde_json::from_str::<PlayerLimits>(&text).unwrap(), limits);
    }

    #[test]
    fn increments_come_after_the_move() {
        let mut clock = clock("tc=1+0.1");
        assert_eq!(clock.allowance(), Some(1000 * MS));
        clock.charge(400 * MS, Duration::ZERO).unwrap();
        assert_eq!(left(&clock), 700);
        let late = clock.charge(701 * MS, Duration::ZERO).unwrap_err();
        assert_eq!(late.allowed, 700 * MS);
    }

    #[test]
    fn the_base_time_comes_again_after_so_many_moves() {
        let mut clock = clock("tc=2/1+0.1");
        let to_go = |clock: &GameClock| clock.told().unwrap().moves_to_go;
        assert_eq!(to_go(&clock), Some(2));
        clock.charge(500 * MS, Duration::ZERO).unwrap();
        assert_eq!((left(&clock), to_go(&clock)), (600, Some(1)));
        clock.charge(500 * MS, Duration::ZERO).unwrap();
        assert_eq!((left(&clock), to_go(&clock)), (1200, Some(2)));
    }

    #[test]
    fn the_margin_is_lent_and_not_given() {
        let mut clock = clock("tc=0.1+0.01");
        let margin = 50 * MS;
        clock.charge(130 * MS, margin).unwrap();
        assert_eq!(left(&clock), -20);
        assert_eq!(clock.told().unwrap().remaining, LEAST_TOLD);
        assert_eq!(clock.allowance(), Some(Duration::ZERO));
        clock.charge(30 * MS, margin).unwrap();
        assert_eq!(left(&clock), -40);
        assert!(clock.charge(11 * MS, margin).is_err());
    }

    #[test]
    fn a_time_for_each_move_is_forgiven_the_margin_and_no_more() {
        let mut clock = clock("movetime=100");
        assert_eq!(clock.allowance(), Some(100 * MS));
        assert!(clock.charge(150 * MS, 50 * MS).is_ok());
        assert!(clock.charge(151 * MS, 50 * MS).is_err());
    }

    #[test]
    fn without_a_clock_no_move_is_late() {
        let mut timeless = clock("nodes=2000");
        assert_eq!(timeless.allowance(), None);
        assert!(timeless.charge(LONGEST, Duration::ZERO).is_ok());
        let limits = timeless.limits(&clock("tc=1+1"));
        assert_eq!((limits.nodes, limits.clock), (Some(2000), None));
        assert_eq!(limits.opponent_clock.unwrap().remaining, 1000 * MS);
    }

    #[test]
    fn a_clock_of_increments_alone_begins_with_one() {
        let mut clock = clock("tc=0+0.1");
        clock.charge(90 * MS, Duration::ZERO).unwrap();
        assert_eq!(left(&clock), 110);
    }
}
