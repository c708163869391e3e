//! `go`: how far to think.

use super::next_number;
use crate::words::Words;
use std::fmt::Write;
use std::time::Duration;
use tabiya_chess::{CastlingStyle, Color, Excerpt, Move, Position, UciMoveError};
use tabiya_engine::{Clock, Limits};

/// Everything that may follow `go`.
const KEYWORDS: [&str; 13] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
];

/// At most this many faults are noted: a line of a million wrong words is one fault.
const MOST_FAULTS: usize = 8;

/// What a `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// How far to think.
    pub limits: Limits,
    /// Not to think at all, but to count positions to this depth.
    pub perft: Option<u32>,
    /// What was left out because it made no sense.
    pub faults: Vec<GoFault>,
}

/// A part of `go` that made no sense and was left out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GoFault {
    /// Not a word of this command.
    #[error("go: {0} is unknown and left out")]
    Unknown(Excerpt),
    /// A word that wants a number, and there is none.
    #[error("go: {word} is left out: a whole number should follow it, not {found}")]
    NotANumber {
        /// The word.
        word: &'static str,
        /// What follows it.
        found: Excerpt,
    },
    /// A word that wants a number, at the end.
    #[error("go: {0} is left out: a whole number should follow it")]
    NoNumber(&'static str),
    /// A move to search that is none.
    #[error("go searchmoves: a move is left out: {0}")]
    Move(UciMoveError),
    /// A clock for the opponent alone.
    #[error("go: no time for the side to move: it is taken to have as much as the other")]
    NoOwnTime,
}

/// Reads what follows `go`. Whatever makes no sense is left out and noted, and the rest holds.
///
/// ```
/// use std::time::Duration;
/// use tabiya_chess::Position;
/// use tabiya_protocol::uci::go;
///
/// let go = go::parse("wtime 60000 btime 50000 winc 100 depth 12 foo", &Position::start());
/// assert_eq!(go.limits.clock.unwrap().remaining, Duration::from_secs(60));
/// assert_eq!(go.limits.depth, Some(12));
/// assert_eq!(go.faults[0].to_string(), r#"go: "foo" is unknown and left out"#);
/// ```
pub fn parse(text: &str, position: &Position) -> Go {
    let mut reader =
        Reader { go: Go::default(), words: Words::of(text), clocks: [None; 2], moves_to_go: None };
    while let Some(word) = reader.words.next() {
        reader.take(word, position);
    }
    reader.finish(position.side_to_move())
}

struct Reader<'a> {
    go: Go,
    words: Words<'a>,
    clocks: [Option<Clock>; 2],
    moves_to_go: Option<u32>,
}

impl Reader<'_> {
    fn take(&mut self, word: &str, position: &Position) {
        match KEYWORDS.into_iter().find(|&keyword| keyword == word) {
            None => self.fault(GoFault::Unknown(Excerpt::of(word))),
            Some("searchmoves") => self.take_moves(position),
            Some("ponder") => self.go.limits.ponder = true,
            Some("infinite") => self.go.limits.infinite = true,
            Some(keyword) => {
                if let Some(number) = self.take_number(keyword) {
                    self.set(keyword, number);
                }
            }
        }
    }

    fn set(&mut self, keyword: &'static str, number: i64) {
        // GUIs do send negative times when a flag has fallen: as good as nothing is left.
        let time = Duration::from_millis(u64::try_from(number).unwrap_or(1));
        let at_least_one = u64::try_from(number).unwrap_or(0).max(1);
        let small = u32::try_from(at_least_one).unwrap_or(u32::MAX);
        let limits = &mut self.go.limits;
        match keyword {
            "wtime" => self.clock(Color::White).remaining = time,
            "btime" => self.clock(Color::Black).remaining = time,
            "winc" => self.clock(Color::White).increment = time,
            "binc" => self.clock(Color::Black).increment = time,
            // Zero is how some GUIs write "all there is".
            "movestogo" => self.moves_to_go = (number > 0).then_some(small),
            "depth" => limits.depth = Some(small),
            "nodes" => limits.nodes = Some(at_least_one),
            "mate" => limits.mate = Some(small),
            "movetime" => limits.move_time = Some(time),
            "perft" => self.go.perft = Some(u32::try_from(number.max(0)).unwrap_or(u32::MAX)),
            _ => unreachable!("every keyword with a number is above"),
        }
    }

    fn clock(&mut self, color: Color) -> &mut Clock {
        self.clocks[color.index()].get_or_insert_default()
    }

    fn take_number(&mut self, word: &'static str) -> Option<i64> {
        let number = next_number(&mut self.words);
        if number.is_none() {
            match self.words.peek() {
                Some(next) if !KEYWORDS.contains(&next) => {
                    self.words.next();
                    let found = Excerpt::of(next);
                    self.fault(GoFault::NotANumber { word, found });
                }
                _ => self.fault(GoFault::NoNumber(word)),
            }
        }
        number
    }

    fn take_moves(&mut self, position: &Position) {
        while let Some(word) = self.words.peek()
            && !KEYWORDS.contains(&word)
        {
            self.words.next();
            let chosen = &mut self.go.limits.search_moves;
            match position.parse_uci(word) {
                Ok(mv) if chosen.contains(&mv) => {}
                Ok(mv) => chosen.push(mv),
                Err(error) => self.fault(GoFault::Move(error)),
            }
        }
    }

    fn fault(&mut self, fault: GoFault) {
        if self.go.faults.len() < MOST_FAULTS {
            self.go.faults.push(fault);
        }
    }

    fn finish(mut self, turn: Color) -> Go {
        // Some GUIs send zeros along with another limit, and some the increments alone: no clock is meant.
        let limits = &self.go.limits;
        let limited = limits.infinite
            || limits.move_time.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some();
        let runs = |clock: &Clock| clock.remaining > Duration::ZERO;
        let is_meant = !limited || self.clocks.iter().flatten().any(runs);
        let clock = |side: Color| self.clocks[side.index()].filter(|_| is_meant);
        let (mut own, opponent) = (clock(turn), clock(!turn));
        if own.is_none() && opponent.is_some() {
            // Thinking without end would be the other way to read it, and cost the game.
            self.fault(GoFault::NoOwnTime);
            own = opponent;
        }
        let with_moves = |clock: Clock| Clock { moves_to_go: self.moves_to_go, ..clock };
        self.go.limits.clock = own.map(with_moves);
        self.go.limits.opponent_clock = opponent.map(with_moves);
        self.go
    }
}

/// Writes a `go` for a position, without the end of the line.
///
/// ```
/// use tabiya_chess::{CastlingStyle, Position};
/// use tabiya_engine::Limits;
/// use tabiya_protocol::uci::go;
///
/// let limits = Limits { depth: Some(9), ..Limits::default() };
/// assert_eq!(go::write(&limits, &Position::start(), CastlingStyle::KingToTarget), "go depth 9");
/// ```
pub fn write(limits: &Limits, position: &Position, style: CastlingStyle) -> String {
    let mut line = String::from("go");
    let mut add = |word: &str, value: u64| {
        write!(line, " {word} {value}").expect("a string takes any text");
    };
    if let Some(own) = limits.clock {
        let other = limits.opponent_clock.unwrap_or(own);
        let (white, black) = match position.side_to_move() {
            Color::White => (own, other),
            Color::Black => (other, own),
        };
        add("wtime", milliseconds(white.remaining));
        add("btime", milliseconds(black.remaining));
        if white.increment > Duration::ZERO || black.increment > Duration::ZERO {
            add("winc", white.increment.as_millis() as u64);
            add("binc", black.increment.as_millis() as u64);
        }
        if let Some(moves) = own.moves_to_go {
            add("movestogo", moves.into());
        }
    }
    for (word, limit) in [
        ("movetime", limits.move_time.map(milliseconds)),
        ("depth", limits.depth.map(u64::from)),
        ("nodes", limits.nodes.or(limits.soft_nodes)),
        ("mate", limits.mate.map(u64::from)),
    ] {
        if let Some(limit) = limit {
            add(word, limit);
        }
    }
    if limits.infinite || line == "go" {
        line.push_str(" infinite");
    }
    if limits.ponder {
        line.push_str(" ponder");
    }
    // Last, since some engines take all that follows for moves.
    write_moves(&mut line, &limits.search_moves, position, style);
    line
}

fn write_moves(line: &mut String, moves: &[Move], position: &Position, style: CastlingStyle) {
    for (i, mv) in moves.iter().enumerate() {
        let separator = if i == 0 { " searchmoves " } else { " " };
        write!(line, "{separator}{}", mv.uci(position, style)).expect("a string takes any text");
    }
}

/// Never zero, which several engines take for no limit.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn start(text: &str) -> Go {
        parse(text, &Position::start())
    }

    fn after_e4(text: &str) -> Go {
        let mut position = Position::start();
        position.play(position.parse_uci("e2e4").unwrap()).unwrap();
        parse(text, &position)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn each_side_has_its_own_clock() {
        let text = "wtime 1000 btime 2000 winc 10 binc 20 movestogo 5";
        let white = Clock { remaining: ms(1000), increment: ms(10), moves_to_go: Some(5) };
        let black = Clock { remaining: ms(2000), increment: ms(20), moves_to_go: Some(5) };
        let limits = start(text).limits;
        assert_eq!((limits.clock, limits.opponent_clock), (Some(white), Some(black)));
        let limits = after_e4(text).limits;
        assert_eq!((limits.clock, limits.opponent_clock), (Some(black), Some(white)));
    }

    #[test]
    fn the_other_sides_clock_alone_is_taken_for_both() {
        let go = start("btime 500");
        assert_eq!(go.limits.clock.unwrap().remaining, ms(500));
        assert_eq!(go.faults, [GoFault::NoOwnTime]);
    }

    #[test]
    fn negative_and_huge_numbers() {
        let go = start("wtime -350 depth 99999999999999999999 nodes 0 movestogo 0");
        let clock = go.limits.clock.unwrap();
        assert_eq!((clock.remaining, clock.moves_to_go), (ms(1), None));
        assert_eq!((go.limits.depth, go.limits.nodes), (Some(u32::MAX), Some(1)));
        assert_eq!(go.faults, []);
    }

    #[test]
    fn zeros_beside_another_limit_are_no_clock() {
        for text in ["depth 9 winc 0 binc 0", "movetime 50 wtime 0 btime 0 winc 0 binc 0"] {
            let go = start(text);
            assert_eq!((go.limits.clock, go.limits.opponent_clock), (None, None), "{text}");
            assert_eq!(go.faults, []);
        }
        assert_eq!(start("wtime 0 btime 0").limits.clock, Some(Clock::default()));
        assert_eq!(start("wtime 5 btime 0 depth 9").limits.clock.unwrap().remaining, ms(5));
        // A fallen flag beside a clock that runs.
        let go = start("wtime 0 btime 900 depth 9");
        assert_eq!((go.limits.clock, go.faults.len()), (Some(Clock::default()), 0));
    }

    #[test]
    fn search_moves_end_at_the_next_keyword() {
        let go = start("searchmoves e2e4 e2e4 d2d4 depth 3");
        let moves = go.limits.search_moves.iter().map(|mv| format!("{mv:?}"));
        assert_eq!(moves.collect::<Vec<_>>(), ["e2e4", "d2d4"]);
        assert_eq!(go.limits.depth, Some(3));
    }

    #[test]
    fn what_makes_no_sense_is_left_out_and_named() {
        let faults = |text| {
            let go = start(text);
            go.faults.iter().map(GoFault::to_string).collect::<Vec<_>>()
        };
        assert_eq!(faults("quickly depth 3"), [r#"go: "quickly" is unknown and left out"#]);
        assert_eq!(
            faults("depth three"),
            [r#"go: depth is left out: a whole number should follow it, not "three""#]
        );
        assert_eq!(
            faults("depth infinite"),
            ["go: depth is left out: a whole number should follow it"]
        );
        assert_eq!(
            faults("searchmoves e2e5"),
            [
                "go searchmoves: a move is left out: e2e5 is illegal here: the pawn on e2 cannot go to e5"
            ]
        );
        assert!(start("depth infinite").limits.infinite);
        assert_eq!(faults(&"x ".repeat(10_000)).len(), MOST_FAULTS);
    }

    #[test]
    fn no_limit_at_all_is_written_as_infinite() {
        let write =
            |limits: &Limits| write(limits, &Position::start(), CastlingStyle::KingToTarget);
        assert_eq!(write(&Limits::default()), "go infinite");
        let limits = Limits { move_time: Some(Duration::ZERO), ..Limits::default() };
        assert_eq!(write(&limits), "go movetime 1");
    }

    fn a_clock() -> impl Strategy<Value = Clock> {
        (1_u64..1 << 40, 0_u64..1 << 20).prop_map(|(remaining, increment)| Clock {
            remaining: ms(remaining),
            increment: ms(increment),
            moves_to_go: None,
        })
    }

    prop_compose! {
        fn any_limits()(
            clocks in proptest::option::of((a_clock(), a_clock(), proptest::option::of(1_u32..99))),
            move_time in proptest::option::of(1_u64..1 << 40),
            depth in proptest::option::of(1_u32..),
            nodes in proptest::option::of(1_u64..1 << 62),
            mate in proptest::option::of(1_u32..),
            moves in 0_usize..20,
            infinite in any::<bool>(),
            ponder in any::<bool>(),
        ) -> Limits {
            let with = |clock: Clock, moves_to_go| Clock { moves_to_go, ..clock };
            let limits = Limits {
                clock: clocks.map(|(own, _, moves)| with(own, moves)),
                opponent_clock: clocks.map(|(_, other, moves)| with(other, moves)),
                move_time: move_time.map(ms),
                depth,
                nodes,
                soft_nodes: None,
                mate,
                search_moves: Position::start().legal_moves().into_iter().take(moves).collect(),
                infinite,
                ponder,
            };
            let none = Limits { search_moves: Vec::new(), ponder: false, ..limits.clone() };
            Limits { infinite: infinite || none == Limits::default(), ..limits }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(limits in any_limits()) {
            let line = write(&limits, &Position::start(), CastlingStyle::KingToTarget);
            let go = start(line.strip_prefix("go").unwrap());
            prop_assert_eq!(go.faults, []);
            prop_assert_eq!(go.limits, limits);
        }

        #[test]
        fn no_text_is_too_strange(text in any::<String>(), words in crate::testing::word_soup(&KEYWORDS)) {
            start(&text);
            after_e4(&words);
        }
    }
}
