use super::*;
use crate::client::testing::{Answer, IMPATIENT, Paper, TIMEOUTS, lines_until, say};
use std::sync::Mutex;
use std::sync::mpsc::Receiver;
use tabiya_engine::{Clock, Score};

const INTRODUCTION: &str = "tellics say hello\n\
    feature done=0\n\
    feature myname=\"Paper 2\" ping=1 setboard=1 usermove=1 san=1 memory=1\n\
    feature variants=\"normal,fischerandom\" option=\"Resign -check 0\"\n\
    feature done=1\n";

/// Answers as an engine should, and to `go` as the test says.
fn polite(
    introduction: &'static str,
    answer: &'static str,
) -> impl FnMut(&str) -> Answer + Send + 'static {
    move |line| match line.split(' ').collect::<Vec<_>>()[..] {
        ["protover", "2"] => say(introduction),
        ["ping", number] => say(format!("pong {number}\n")),
        ["go"] => say(answer),
        ["quit"] => Answer::Exit,
        _ => say(""),
    }
}

fn connect(paper: Paper) -> (CecpClient, Receiver<String>) {
    let Paper { reader, writer, heard } = paper;
    (CecpClient::connect("paper", reader, writer, TIMEOUTS).unwrap(), heard)
}

fn engine(answer: &'static str) -> (CecpClient, Receiver<String>) {
    connect(Paper::engine(polite(INTRODUCTION, answer)))
}

fn game(moves: &[&str]) -> Game {
    let mut game = Game::new(Position::start());
    for text in moves {
        game.play(game.position().parse_uci(text).unwrap()).unwrap();
    }
    game
}

fn clock(milliseconds: u64) -> Limits {
    let clock = |milliseconds| Clock {
        remaining: Duration::from_millis(milliseconds),
        increment: Duration::from_millis(100),
        moves_to_go: None,
    };
    Limits {
        clock: Some(clock(milliseconds)),
        opponent_clock: Some(clock(5000)),
        ..Limits::default()
    }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// A search from the start with an engine that answers `go` like this.
fn search(answer: &'static str) -> Arc<RemoteSearch> {
    let (mut client, _heard) = engine(answer);
    let search = client.remote_search(&game(&[]), &depth(1), None).unwrap();
    let _ = search.wait();
    search
}

fn protocol_fault(error: Option<AnalystError>) -> String {
    match error {
        Some(AnalystError::Protocol { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_introduces_itself_and_is_told_what_we_take() {
    let (client, heard) = engine("");
    assert_eq!(client.name(), "Paper 2");
    let names: Vec<String> = client.options().iter().map(|spec| spec.name.clone()).collect();
    assert_eq!(names, [HASH, "Resign"]);
    let answers = lines_until(&heard, "accepted option");
    assert!(answers.contains(&"rejected san".to_owned()), "{answers:?}");
    assert!(answers.contains(&"accepted usermove".to_owned()), "{answers:?}");
    drop(client);
    lines_until(&heard, "quit");
}

#[test]
fn a_game_is_fed_move_by_move() {
    let (mut client, heard) = engine("move e7e5\n");
    client.new_game().unwrap();
    lines_until(&heard, "accepted option");
    client.search(&game(&["e2e4"]), &clock(8000), RunOn::OwnThread, None).unwrap().wait().unwrap();
    client.search(&game(&["e2e4", "e7e5", "g1f3"]), &clock(7500), RunOn::OwnThread, None).unwrap();
    let lines = lines_until(&heard, "go");
    assert_eq!(
        lines.iter().filter(|line| !line.starts_with("accepted")).collect::<Vec<_>>(),
        [
            "new",
            "force",
            "post",
            "easy",
            "level 0 0:08 0.1",
            "usermove e2e4",
            "ping 1",
            "time 800",
            "otim 500",
            "go"
        ]
    );
    // Its own move is on its board already.
    let expected = ["force", "usermove g1f3", "ping 2", "time 750", "otim 500", "go"];
    assert_eq!(lines_until(&heard, "go"), expected);
}

#[test]
fn another_game_is_set_up_anew() {
    let (mut client, heard) = engine("move b1c3\n");
    client.search(&game(&[]), &depth(3), RunOn::OwnThread, None).unwrap().wait().unwrap();
    let other = "4k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1";
    let other = Game::new(Position::from_fen(other).unwrap());
    client.search(&other, &depth(3), RunOn::OwnThread, None).unwrap().wait().unwrap();
    lines_until(&heard, "go");
    let expected = [
        "new",
        "force",
        "post",
        "easy",
        "st 86400",
        "sd 3",
        "setboard 4k3/8/8/8/8/8/4P3/1N2K3 w - - 0 1",
        "ping 2",
        "time 8640000",
        "otim 8640000",
        "go",
    ];
    assert_eq!(lines_until(&heard, "go"), expected);
}

#[test]
fn an_old_engine_gets_plain_moves_and_only_the_usual_start() {
    // Fairy-Max has neither setboard nor usermove.
    let introduction = "feature setboard=0 ping=1 done=1\n";
    let (mut client, heard) = connect(Paper::engine(polite(introduction, "move e7e5\n")));
    client.search(&game(&["e2e4"]), &depth(1), RunOn::OwnThread, None).unwrap().wait().unwrap();
    assert!(lines_until(&heard, "go").contains(&"e2e4".to_owned()));
    let other = Game::new(Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap());
    let fault = protocol_fault(client.search(&other, &depth(1), RunOn::OwnThread, None).err());
    assert_eq!(fault, "it has no setboard, so it cannot begin at 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
}

#[test]
fn an_engine_without_features_is_waited_for_no_longer_than_allowed() {
    let timeouts = Timeouts { handshake: Duration::from_secs(1), ..TIMEOUTS };
    let Paper { reader, writer, .. } = Paper::engine(polite("", "My move is: e4\n"));
    let mut client = CecpClient::connect("paper", reader, writer, timeouts).unwrap();
    assert_eq!(client.name(), "paper");
    assert!(client.search(&game(&[]), &depth(1), RunOn::OwnThread, None).unwrap().wait().is_ok());

    // This one began, and never came to the end.
    let Paper { reader, writer, .. } = Paper::engine(polite("feature done=0\n", ""));
    let error = CecpClient::connect("paper", reader, writer, timeouts).err();
    assert!(matches!(error, Some(AnalystError::Silent { .. })), "{error:?}");
}

#[test]
fn moves_in_either_notation() {
    let e4 = Position::start().parse_uci("e2e4").ok();
    for answer in ["move e2e4\n", "move e4\n", "noise\n\n\u{0}\nmove\te2-e4 now\n"] {
        assert_eq!(search(answer).wait().unwrap().best, e4, "{answer:?}");
    }
}

#[test]
fn chess960_castles_with_letters() {
    let introduction = "feature variants=\"normal,fischerandom\" setboard=1 ping=1 done=1\n";
    let (mut client, heard) = connect(Paper::engine(polite(introduction, "move O-O\n")));
    let start = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1";
    let mut game = Game::new(Position::from_fen(start).unwrap());
    game.play(game.position().parse_uci("e1b1").unwrap()).unwrap();
    let result = client.search(&game, &depth(1), RunOn::OwnThread, None).unwrap().wait().unwrap();
    assert!(result.best.unwrap().is_castling());
    let lines = lines_until(&heard, "go");
    assert!(lines.contains(&"variant fischerandom".to_owned()), "{lines:?}");
    assert!(lines.contains(&"O-O-O".to_owned()), "{lines:?}");
}

#[test]
fn thinking_is_passed_on() {
    let answer = "# comment\n 1 15 0 3 e2e4\n 2 -4 12 50 e4 e5\ntelluser hello there\nmove e4\n";
    let (mut client, _heard) = engine(answer);
    let events = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&events);
    let report = Box::new(move |event: &Event| kept.lock().unwrap().push(event.clone()));
    let result = client
        .search(&game(&[]), &depth(2), RunOn::OwnThread, Some(report))
        .unwrap()
        .wait()
        .unwrap();
    let info = result.info.unwrap();
    assert_eq!((info.score, info.pv.len()), (Score::Centipawns(-4), 2));
    let events = events.lock().unwrap();
    let [Event::Info(_), Event::Info(_), Event::Note(note)] = &events[..] else {
        panic!("{events:?}");
    };
    assert_eq!(note, "telluser hello there");
}

#[test]
fn gestures_with_a_move_and_instead_of_one() {
    let resigned = search("resign\n");
    assert_eq!(resigned.wait().unwrap().best, None);
    assert_eq!(resigned.gesture(), Some(Gesture::Resigns));
    let offered = search("offer draw\nmove e2e4\n");
    assert!(offered.wait().unwrap().best.is_some());
    assert_eq!(offered.gesture(), Some(Gesture::OffersDraw));
    let claimed = search("1/2-1/2 {Draw by repetition}\n");
    assert_eq!(claimed.wait().unwrap().best, None);
    let words = "1/2-1/2 {Draw by repetition}".to_owned();
    assert_eq!(claimed.gesture(), Some(Gesture::Claims(words)));
    // A comment on its own move.
    let commented = search("move e2e4\n1-0 {White will win}\n");
    assert!(commented.wait().unwrap().best.is_some());
    assert_eq!(commented.gesture(), None);
}

#[test]
fn illegal_moves_of_either_side() {
    let fault = protocol_fault(search("move e2e5\n").wait().err());
    assert_eq!(
        fault,
        "move: \"e2e5\" is not legal here (in \
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1)"
    );
    // Noticed before it is asked to think.
    let script = |line: &str| match line.split(' ').next() {
        Some("protover") => say("feature ping=1 done=1\n"),
        Some("easy") => say("Illegal move: easy\nError (unknown command): post\n"),
        Some("e2e4") => say("Illegal move: e2e4\n"),
        Some("ping") => say("pong 1\n"),
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let fault =
        protocol_fault(client.search(&game(&["e2e4"]), &depth(1), RunOn::OwnThread, None).err());
    assert_eq!(fault, "it refuses a legal move: \"Illegal move: e2e4\"");
    // One that would not think as it is asked to.
    let script = |line: &str| match line.split(' ').next() {
        Some("protover") => say("feature ping=1 done=1\n"),
        Some("sd") => say("Illegal move: sd 4\n"),
        Some("ping") => say("pong 1\n"),
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let fault = protocol_fault(client.search(&game(&[]), &depth(4), RunOn::OwnThread, None).err());
    assert_eq!(fault, "it does not understand what it has to: \"Illegal move: sd 4\"");
    // And by an engine that cannot be asked whether it has read all.
    let script = |line: &str| match line {
        "protover 2" => say("feature done=1\n"),
        "go" => say("Illegal move (not your turn): e2e4\n"),
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let search = client.search(&game(&["e2e4"]), &depth(1), RunOn::OwnThread, None).unwrap();
    assert!(protocol_fault(search.wait().err()).contains("not your turn"));
}

#[test]
fn limits_without_a_word_for_them_are_refused() {
    let (mut client, _heard) = engine("move e2e4\n");
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let fault = protocol_fault(client.search(&game(&[]), &limits, RunOn::OwnThread, None).err());
    assert_eq!(fault, "CECP engines cannot be limited by nodes");
}

#[test]
fn options_in_the_words_of_the_protocol() {
    let (mut client, heard) = engine("move e2e4\n");
    lines_until(&heard, "accepted option");
    client.set_option("hash", "64").unwrap();
    client.set_option("Resign", "true").unwrap();
    assert!(matches!(client.set_option("Resign", "1"), Err(OptionError::Unfit { .. })));
    let lines = lines_until(&heard, "option");
    assert_eq!(lines[1..], ["memory 64", "option Resign=1"]);
}

#[test]
fn one_that_plays_one_game_only_says_so_at_the_second() {
    let introduction = "feature reuse=0 done=1\n";
    let (mut client, _heard) = connect(Paper::engine(polite(introduction, "move e2e4\n")));
    assert_eq!(client.new_game(), Ok(()));
    assert!(matches!(client.new_game(), Err(AnalystError::Gone { .. })));
}

#[test]
fn move_now() {
    let script = |line: &str| match line {
        "protover 2" => say("feature done=1\n"),
        "?" => say("move d2d4\n"),
        _ => say(""),
    };
    let (mut client, _heard) = connect(Paper::engine(script));
    let search = client.remote_search(&game(&[]), &Limits::default(), None).unwrap();
    assert_eq!(search.wait_for(Duration::from_millis(20)), None);
    search.stop();
    assert_eq!(search.wait().unwrap().best, Position::start().parse_uci("d2d4").ok());
}

#[test]
fn silence_and_the_end() {
    let Paper { reader, writer, .. } = Paper::engine(polite(INTRODUCTION, ""));
    let mut client = CecpClient::connect("paper", reader, writer, IMPATIENT).unwrap();
    let search = client.search(&game(&[]), &depth(1), RunOn::OwnThread, None).unwrap();
    search.stop();
    assert!(matches!(search.wait(), Err(AnalystError::Silent { .. })));
    drop(client);
    assert!(matches!(search.wait(), Err(AnalystError::Gone { .. })));
}
