//! Limits in the words of CECP.

use std::fmt::{Arguments, Write};
use std::time::Duration;
use tabiya_engine::{Clock, Limits};

/// As good as without end.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What takes back a limit of depth, for engines that keep it beyond a new game: more than they reach,
/// but not more than they have room for.
pub(super) const NO_DEPTH: &str = "sd 60\n";

/// What an engine is sent of its limits. Most of it is sent once a game, and there is no way to take
/// that back but a new game.
#[derive(Clone, Debug)]
pub(super) struct Control {
    time: Time,
    depth: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
enum Time {
    /// What is left, and what the opponent has left.
    Clocks(Clock, Clock),
    EachMove(Duration),
}

impl Control {
    /// What CECP can say of these limits, or the name of one for which it has no word.
    pub(super) fn new(limits: &Limits) -> Result<Control, &'static str> {
        let unknown = [
            (limits.nodes.or(limits.soft_nodes).is_some(), "nodes"),
            (limits.mate.is_some(), "a mate to find"),
            (!limits.search_moves.is_empty(), "moves to search"),
            (limits.ponder, "pondering"),
        ];
        if let Some((_, limit)) = unknown.into_iter().find(|(set, _)| *set) {
            return Err(limit);
        }
        let time = match (limits.clock, limits.move_time) {
            // An engine that gets no limit of time takes the time that it likes.
            _ if limits.infinite => Time::EachMove(A_DAY),
            (None, None) => Time::EachMove(A_DAY),
            (None, Some(time)) => Time::EachMove(time),
            (Some(clock), Some(time)) => Time::EachMove(time.min(clock.remaining)),
            (Some(clock), None) => Time::Clocks(clock, limits.opponent_clock.unwrap_or(clock)),
        };
        Ok(Control { time, depth: limits.depth })
    }

    pub(super) fn limits_depth(&self) -> bool {
        self.depth.is_some()
    }

    /// Can one search follow another under these two without a new game?
    pub(super) fn is_like(&self, other: &Control) -> bool {
        let same_time = match (self.time, other.time) {
            // The clock goes down from move to move, and its moves too.
            (Time::Clocks(one, _), Time::Clocks(other, _)) => {
                one.increment == other.increment
                    && one.moves_to_go.is_some() == other.moves_to_go.is_some()
            }
            (Time::EachMove(one), Time::EachMove(other)) => one == other,
            _ => false,
        };
        same_time && self.depth == other.depth
    }

    /// The lines that set it for a game.
    pub(super) fn for_game(&self) -> String {
        let mut lines = String::new();
        match self.time {
            Time::Clocks(clock, _) => {
                let moves = clock.moves_to_go.unwrap_or(0);
                let increment = decimal(clock.increment);
                add_level(&mut lines, moves, clock.remaining.as_secs(), &increment);
            }
            Time::EachMove(time) if time.subsec_nanos() == 0 => {
                add(&mut lines, format_args!("st {}", time.as_secs()));
            }
            // Fractions of a second are unknown to `st`, and engines go wrong in all possible ways;
            // but one move can be all that a clock is for.
            Time::EachMove(time) => add_level(&mut lines, 1, time.as_secs() + 1, "0"),
        }
        if let Some(depth) = self.depth {
            add(&mut lines, format_args!("sd {depth}"));
        }
        lines
    }

    /// The lines that say what is on the clocks before a move, in hundredths of a second.
    pub(super) fn for_move(&self) -> String {
        let mut lines = String::new();
        let (own, opponent) = match self.time {
            Time::Clocks(own, opponent) => (own.remaining, opponent.remaining),
            Time::EachMove(time) => (time, time),
        };
        add(&mut lines, format_args!("time {}", own.as_millis() / 10));
        add(&mut lines, format_args!("otim {}", opponent.as_millis() / 10));
        lines
    }
}

fn add(lines: &mut String, line: Arguments<'_>) {
    writeln!(lines, "{line}").expect("a string takes any text");
}

/// `level`: a number of moves in a number of seconds; 0 moves means the whole game.
fn add_level(lines: &mut String, moves: u32, seconds: u64, increment: &str) {
    // The engine gets what is left before each move, but a clock that begins with nothing is not
    // understood.
    let seconds = seconds.max(1);
    let (minutes, seconds) = (seconds / 60, seconds % 60);
    add(lines, format_args!("level {moves} {minutes}:{seconds:02} {increment}"));
}

/// Seconds, with a fraction only if there is one: old engines read whole numbers.
fn decimal(time: Duration) -> String {
    let thousandths = time.subsec_millis();
    if thousandths == 0 {
        return time.as_secs().to_string();
    }
    let seconds = format!("{}.{thousandths:03}", time.as_secs());
    seconds.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_game(limits: &Limits) -> String {
        Control::new(limits).unwrap().for_game()
    }

    fn for_move(limits: &Limits) -> String {
        Control::new(limits).unwrap().for_move()
    }

    fn with_clock(milliseconds: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(milliseconds),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    fn with_time(milliseconds: u64) -> Limits {
        Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
    }

    #[test]
    fn clocks() {
        assert_eq!(for_game(&with_clock(300_000, 2000, None)), "level 0 5:00 2\n");
        assert_eq!(for_game(&with_clock(8000, 80, Some(40))), "level 40 0:08 0.08\n");
        assert_eq!(for_game(&with_clock(10, 0, None)), "level 0 0:01 0\n");
        let mut limits = with_clock(12_345, 0, None);
        assert_eq!(for_move(&limits), "time 1234\notim 1234\n");
        limits.opponent_clock =
            Some(Clock { remaining: Duration::from_secs(7), ..Clock::default() });
        assert_eq!(for_move(&limits), "time 1234\notim 700\n");
    }

    #[test]
    fn times_and_depths() {
        assert_eq!(for_game(&with_time(3000)), "st 3\n");
        assert_eq!(for_game(&with_time(1500)), "level 1 0:02 0\n");
        assert_eq!(for_move(&with_time(1500)), "time 150\notim 150\n");
        let both = Limits { depth: Some(7), ..with_time(2000) };
        assert_eq!(for_game(&both), "st 2\nsd 7\n");
        assert_eq!(for_game(&Limits::default()), "st 86400\n");
        let infinite = Limits { infinite: true, ..with_clock(10, 0, None) };
        assert_eq!(for_game(&infinite), "st 86400\n");
    }

    #[test]
    fn a_clock_that_runs_down_is_like_itself() {
        let control = |limits: Limits| Control::new(&limits).unwrap();
        let full = control(with_clock(8000, 80, Some(40)));
        assert!(full.is_like(&control(with_clock(7000, 80, Some(39)))));
        assert!(!full.is_like(&control(with_clock(7000, 90, Some(39)))));
        assert!(!full.is_like(&control(with_clock(7000, 80, None))));
        assert!(!full.is_like(&control(with_time(8000))));
        let deep = Limits { depth: Some(3), ..with_clock(8000, 80, Some(40)) };
        assert!(!full.is_like(&control(deep)));
    }

    #[test]
    fn limits_that_cecp_has_no_word_for() {
        let nodes = Limits { nodes: Some(100), ..Limits::default() };
        assert_eq!(Control::new(&nodes).err(), Some("nodes"));
        let ponder = Limits { ponder: true, ..with_clock(1, 0, None) };
        assert_eq!(Control::new(&ponder).err(), Some("pondering"));
    }
}
