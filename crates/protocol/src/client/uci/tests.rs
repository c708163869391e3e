use super::*;
use crate::client::Gesture;
use crate::client::testing::{Answer, IMPATIENT, Paper, TIMEOUTS, lines_until, say};
use std::io;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tabiya_chess::Position;
use tabiya_engine::{Clock, Event, OptionKind, Score};

const INTRODUCTION: &str = "Paper 1.0 by A. Smith\n\
    id name Paper 1.0\n\
    id author A. Smith\n\
    option name Hash type spin default 16 min 1 max 1024\n\
    option name Clear Hash type button\n\
    option name Book type string default <empty>\n\
    option name UCI_Chess960 type check default false\n\
    option nonsense\n\
    uciok\n";

/// Answers as an engine should, and to `go` as the test says.
fn polite(answer: impl Into<Vec<u8>>) -> impl FnMut(&str) -> Answer + Send + 'static {
    let answer = answer.into();
    move |line| match line.split(' ').next() {
        Some("uci") => say(INTRODUCTION),
        Some("isready") => say("readyok\n"),
        Some("go") => say(answer.clone()),
        Some("quit") => Answer::Exit,
        _ => say(""),
    }
}

fn connect(paper: Paper) -> (UciClient, Receiver<String>) {
    connect_with(paper, TIMEOUTS)
}

fn connect_with(paper: Paper, timeouts: Timeouts) -> (UciClient, Receiver<String>) {
    let Paper { reader, writer, heard } = paper;
    (UciClient::connect("paper", reader, writer, timeouts).unwrap(), heard)
}

fn from_start() -> Game {
    Game::new(Position::start())
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// The fault that is found in an engine that answers `go` like this.
fn fault(answer: &str) -> AnalystError {
    let (mut client, _heard) = connect(Paper::engine(polite(answer)));
    let search = client.search(&from_start(), &depth(1), RunOn::OwnThread, None).unwrap();
    search.wait().unwrap_err()
}

fn protocol_fault(answer: &str) -> String {
    match fault(answer) {
        AnalystError::Protocol { name, what } => {
            assert_eq!(name, "paper");
            what
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_name_ends_where_the_build_begins() {
    let introduces = |line: &str| match line {
        "uci" => say("id name Paper 2.0 (commit 9c50120, network 6d0e612d, cpu avx2)\nuciok\n"),
        "quit" => Answer::Exit,
        _ => say(""),
    };
    let (client, _heard) = connect(Paper::engine(introduces));
    assert_eq!(client.name(), "Paper 2.0");
    assert_eq!(client.identity(), "Paper 2.0 (commit 9c50120, network 6d0e612d, cpu avx2)");
}

#[test]
fn it_introduces_itself() {
    let (client, heard) = connect(Paper::engine(polite("")));
    assert_eq!(client.name(), "Paper 1.0");
    assert_eq!(client.author(), "A. Smith");
    let names: Vec<String> = client.options().iter().map(|spec| spec.name.clone()).collect();
    assert_eq!(names, ["Hash", "Clear Hash", "Book", "UCI_Chess960"]);
    assert_eq!(client.options()[0].kind, OptionKind::Spin { default: 16, min: 1, max: 1024 });
    drop(client);
    assert_eq!(lines_until(&heard, "quit"), ["uci", "stop", "quit"]);
}

#[test]
fn a_move_with_all_that_led_to_it() {
    let answer = "info depth 1 score cp 20 nodes 21 time 1 pv e2e4\n\
        info depth 2 multipv 2 score cp 9 nodes 70 time 2 pv d2d4\n\
        info string hello\n\
        bestmove e2e4 ponder e7e5\n";
    let (mut client, heard) = connect(Paper::engine(polite(answer)));
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let report = Box::new(move |event: &Event| kept.lock().unwrap().push(event.clone()));
    let search = client.search(&from_start(), &depth(2), RunOn::OwnThread, Some(report)).unwrap();
    let result = search.wait().unwrap();

    let start = Position::start();
    assert_eq!(result.best, start.parse_uci("e2e4").ok());
    assert!(result.ponder.is_some());
    assert_eq!(result.info.unwrap().score, Score::Centipawns(20));
    let events = events.lock().unwrap();
    let [Event::Info(_), Event::Info(second), Event::Note(note)] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!((second.line, note.as_str()), (2, "hello"));
    let lines = lines_until(&heard, "go");
    assert_eq!(lines, ["uci", "isready", "position startpos", "go depth 2"]);
}

#[test]
fn the_whole_game_is_sent_and_all_limits() {
    let (mut client, heard) = connect(Paper::engine(polite("bestmove e7e5\n")));
    client.new_game().unwrap();
    let mut game = from_start();
    game.play(game.position().parse_uci("e2e4").unwrap()).unwrap();
    let clock = |seconds, moves| Clock {
        remaining: Duration::from_secs(seconds),
        increment: Duration::from_millis(20),
        moves_to_go: moves,
    };
    let limits = Limits {
        clock: Some(clock(3, Some(7))),
        opponent_clock: Some(clock(4, Some(7))),
        nodes: Some(500),
        ..Limits::default()
    };
    client.search(&game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap();
    let lines = lines_until(&heard, "go");
    assert_eq!(
        lines[1..],
        [
            "ucinewgame",
            "isready",
            "position startpos moves e2e4",
            "go wtime 4000 btime 3000 winc 20 binc 20 movestogo 7 nodes 500"
        ]
    );
}

#[test]
fn chess960_is_switched_on_and_off_as_the_game_needs() {
    let (mut client, heard) = connect(Paper::engine(polite("bestmove b1a3\n")));
    // Both castle with knights on b1 in standard chess and in this one.
    let start =
        Position::from_fen("rn2k1r1/pppppppp/8/8/8/8/PPPPPPPP/RN2K1R1 w GAga - 0 1").unwrap();
    for game in [Game::new(start), from_start()] {
        client.search(&game, &depth(1), RunOn::OwnThread, None).unwrap().wait().unwrap();
    }
    let lines = lines_until(&heard, "position startpos");
    assert_eq!(
        lines[1..],
        [
            "setoption name UCI_Chess960 value true",
            "isready",
            "position fen rn2k1r1/pppppppp/8/8/8/8/PPPPPPPP/RN2K1R1 w GAga - 0 1",
            "go depth 1",
            "setoption name UCI_Chess960 value false",
            "isready",
            "position startpos"
        ]
    );
}

#[test]
fn options_are_checked_here_and_sent_as_the_engine_spells_them() {
    let (mut client, heard) = connect(Paper::engine(polite("bestmove e2e4\n")));
    client.set_option("hash", "64").unwrap();
    client.set_option("clear hash", "").unwrap();
    client.set_option("Book", "").unwrap();
    assert!(matches!(client.set_option("Hash", "0"), Err(OptionError::Unfit { .. })));
    assert!(matches!(client.set_option("Cash", "1"), Err(OptionError::Unknown(_))));
    let injected = client.set_option("Book", "x\nquit").unwrap_err();
    assert!(injected.to_string().contains("one line"), "{injected}");
    client.search(&from_start(), &depth(1), RunOn::OwnThread, None).unwrap().wait().unwrap();
    assert_eq!(
        lines_until(&heard, "position")[1..],
        [
            "setoption name Hash value 64",
            "setoption name Clear Hash",
            "setoption name Book value <empty>",
            "isready",
            "position startpos"
        ]
    );
}

#[test]
fn wrong_moves_are_named_with_their_position() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (answer, what) in [
        ("E2E4", "bestmove \"E2E4\" is in upper case; UCI writes it e2e4"),
        ("e2e5", "bestmove: e2e5 is illegal here: the pawn on e2 cannot go to e5"),
        ("(none)", "bestmove \"(none)\", though there are legal moves"),
        ("", "bestmove without a move"),
    ] {
        let fault = protocol_fault(&format!("bestmove {answer}\n"));
        assert_eq!(fault, format!("{what} (in {fen})"));
    }
}

#[test]
fn no_move_in_stalemate_is_right() {
    let (mut client, _heard) = connect(Paper::engine(polite("bestmove (none)\n")));
    let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let search = client.search(&Game::new(stalemate), &depth(1), RunOn::OwnThread, None).unwrap();
    assert_eq!(search.wait(), Ok(SearchResult::default()));
}

#[test]
fn garbage_of_any_size_between_the_lines() {
    let mut answer = vec![b'x'; 3_000_000];
    answer.extend_from_slice(b"\n\xff\xfe\0\r\ninfo \xff depth 3 score cp 5\ninfo string ");
    answer.extend_from_slice(&[b'y'; 1_000_000]);
    answer.extend_from_slice(b"\n\n\nbestmoves\nbestmove\tg1f3\n");
    let (mut client, _heard) = connect(Paper::engine(polite(answer)));
    let search = client.search(&from_start(), &depth(1), RunOn::OwnThread, None).unwrap();
    let result = search.wait().unwrap();
    assert_eq!(result.best, Position::start().parse_uci("g1f3").ok());
    assert_eq!(result.info.unwrap().depth, 3);
}

#[test]
fn an_engine_that_dies_is_gone() {
    let script = |line: &str| match line {
        "uci" => say(INTRODUCTION),
        "isready" => say("readyok\n"),
        line if line.starts_with("go") => Answer::Exit,
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let search = client.search(&from_start(), &depth(1), RunOn::OwnThread, None).unwrap();
    assert!(matches!(search.wait(), Err(AnalystError::Gone { .. })));
    assert!(matches!(client.new_game(), Err(AnalystError::Gone { .. })));
    let again = client.search(&from_start(), &depth(1), RunOn::OwnThread, None);
    assert!(matches!(again.err(), Some(AnalystError::Gone { .. })));
}

#[test]
fn a_move_before_death_counts() {
    let script = |line: &str| match line {
        "uci" => say(INTRODUCTION),
        "isready" => say("readyok\n"),
        line if line.starts_with("position") => say("bestmove e2e4"),
        line if line.starts_with("go") => Answer::Exit,
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let search = client.search(&from_start(), &depth(1), RunOn::OwnThread, None).unwrap();
    assert!(search.wait().unwrap().best.is_some());
}

#[test]
fn an_engine_that_never_introduces_itself_is_silent() {
    let timeouts = Timeouts { handshake: Duration::from_millis(50), ..TIMEOUTS };
    let Paper { reader, writer, .. } = Paper::engine(|_| say("hello\n"));
    let error = UciClient::connect("paper", reader, writer, timeouts).err();
    let after = Duration::from_millis(50);
    assert_eq!(error, Some(AnalystError::Silent { name: "paper".to_owned(), after }));
}

#[test]
fn an_engine_that_closes_at_once_is_gone() {
    let Paper { reader, writer, .. } = Paper::engine(|_| Answer::Exit);
    let error = UciClient::connect("paper", reader, writer, TIMEOUTS).err();
    assert!(matches!(error, Some(AnalystError::Gone { .. })), "{error:?}");
}

#[test]
fn silence_after_stop_and_after_the_time_is_over() {
    let (mut client, _heard) = connect_with(Paper::engine(polite("")), IMPATIENT);
    let search = client.search(&from_start(), &depth(50), RunOn::OwnThread, None).unwrap();
    search.stop();
    let silent = |after| Err(AnalystError::Silent { name: "paper".to_owned(), after });
    assert_eq!(search.wait(), silent(IMPATIENT.answer));
    // It still owes an answer, so it cannot be asked again.
    let again = client.search(&from_start(), &depth(1), RunOn::OwnThread, None);
    assert!(matches!(again.err(), Some(AnalystError::Silent { .. })));

    let (mut client, _heard) = connect_with(Paper::engine(polite("")), IMPATIENT);
    let time = Duration::from_millis(20);
    let limits = Limits { move_time: Some(time), ..Limits::default() };
    let search = client.search(&from_start(), &limits, RunOn::OwnThread, None).unwrap();
    assert_eq!(search.wait(), silent(time + IMPATIENT.answer));
}

/// Thinks until it is stopped.
fn patient(line: &str) -> Answer {
    match line {
        "uci" => say(INTRODUCTION),
        "isready" => say("readyok\n"),
        "stop" => say("bestmove a2a3\n"),
        "ponderhit" => say("bestmove h2h3\n"),
        line if line.starts_with("go") => say("info depth 1 score cp 1 pv a2a3\n"),
        _ => say(""),
    }
}

#[test]
fn a_search_can_be_looked_in_on_stopped_and_replaced() {
    let (mut client, heard) = connect(Paper::engine(patient));
    let first = client.remote_search(&from_start(), &Limits::default(), None).unwrap();
    assert_eq!(first.wait_for(Duration::from_millis(20)), None);
    assert_eq!(first.thinking_time(), None);
    let second = client.remote_search(&from_start(), &Limits::default(), None).unwrap();
    assert!(first.wait_for(Duration::ZERO).unwrap().is_ok());
    assert!(first.thinking_time().unwrap() >= Duration::from_millis(20));
    second.stop();
    second.stop();
    assert!(second.wait().is_ok());
    assert_eq!(second.gesture(), None::<Gesture>);
    drop(client);
    let lines = lines_until(&heard, "quit");
    // The good-bye has a stop of its own.
    assert_eq!(lines.iter().filter(|line| *line == "stop").count(), 3);
    assert_eq!(lines.iter().filter(|line| *line == "go infinite").count(), 2);
}

#[test]
fn the_clock_stands_still_while_it_ponders() {
    let answer = Duration::from_secs(1);
    let timeouts = Timeouts { answer, ..TIMEOUTS };
    let (mut client, heard) = connect_with(Paper::engine(patient), timeouts);
    let clock = Clock { remaining: Duration::from_millis(1), ..Clock::default() };
    let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    let search = client.remote_search(&from_start(), &limits, None).unwrap();
    // Far longer than the clock and the time-out together.
    assert_eq!(search.wait_for(answer + Duration::from_millis(100)), None);
    search.ponder_hit();
    let result = search.wait().unwrap();
    assert_eq!(result.best, Position::start().parse_uci("h2h3").ok());
    assert!(search.thinking_time().unwrap() < answer);
    let lines = lines_until(&heard, "ponderhit");
    assert!(lines.contains(&"go wtime 1 btime 1 ponder".to_owned()), "{lines:?}");
}

#[test]
fn a_report_may_stop_its_own_search() {
    let (mut client, _heard) = connect(Paper::engine(patient));
    let (give, take) = channel::<Arc<dyn SearchHandle>>();
    let report = Box::new(move |_: &Event| take.recv().unwrap().stop());
    let search =
        client.search(&from_start(), &Limits::default(), RunOn::OwnThread, Some(report)).unwrap();
    give.send(Arc::clone(&search)).unwrap();
    assert!(search.wait().is_ok());
}

#[test]
fn the_time_is_that_of_the_line_not_of_the_one_who_waits() {
    let (mut client, _heard) =
        connect(Paper::engine(polite("info depth 1 score cp 1 pv e2e4\nbestmove e2e4\n")));
    let slow = Duration::from_secs(1);
    let report = Box::new(move |_: &Event| thread::sleep(slow));
    let search = client.remote_search(&from_start(), &depth(1), Some(report)).unwrap();
    let start = Instant::now();
    search.wait().unwrap();
    assert!(start.elapsed() >= slow / 2);
    assert!(search.thinking_time().unwrap() < slow);
}

#[test]
fn an_engine_that_reads_nothing_holds_up_nobody() {
    let (_never_read, writer) = io::pipe().unwrap();
    let (reader, _never_written) = io::pipe().unwrap();
    let desk = Arc::new(Desk::new("deaf", Known::default()));
    let outbox = Outbox::open(&desk, writer).unwrap();
    listen(&desk, reader, |_| {}).unwrap();
    let flood = (0..3000).map(|_| outbox.send("x".repeat(1000))).find(Result::is_err);
    let fault = flood.unwrap().unwrap_err().to_string();
    assert_eq!(fault, "deaf broke the protocol: it does not read what it is sent");
}

#[test]
fn a_panic_in_a_report_ends_the_search_and_no_more() {
    let (mut client, _heard) = connect(Paper::engine(patient));
    let report = Box::new(|_: &Event| panic!("this panic is part of a test"));
    let search =
        client.search(&from_start(), &Limits::default(), RunOn::OwnThread, Some(report)).unwrap();
    assert!(matches!(search.wait(), Err(AnalystError::Gone { .. })));
}
