use super::*;
use crate::server::session::MAX_QUEUED_OPTIONS;
use crate::server::testing::{Dialogue, Failure, Paper, PaperTask, first_line};
use crate::server::{Command, CommandKind};
use crate::testing::word_soup;
use proptest::{collection, prelude::*};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tabiya_chess::Position;
use tabiya_engine::{Bound, Event, Info, Score, Wdl};

/// What is said to a text that is all there is.
fn answers(text: &str) -> Vec<String> {
    let mut dialogue = Dialogue::with(Paper::default());
    dialogue.send(text);
    dialogue.hang_up()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_introduction() {
    assert_eq!(
        answers("uci"),
        [
            "id name Paper 3",
            "id author A. Smith",
            "option name Hash type spin default 16 min 1 max 1024",
            "option name Hash File type string default <empty>",
            "option name Clear Hash type button",
            "option name Style type combo default Calm var Calm var Wild",
            "option name Ponder type check default false",
            "option name UCI_Chess960 type check default false",
            "option name UCI_ShowWDL type check default false",
            "option name UCI_AnalyseMode type check default false",
            "uciok"
        ]
    );
}

#[test]
fn lines_and_their_answers() {
    let unknown = |line: &str| format!("info string unknown command {line:?}; try help");
    let start = first_line(&Position::start());
    let table: &[(&str, &[&str])] = &[
        // Silence is the answer to much.
        ("", &[]),
        ("   \t ", &[]),
        ("# a comment", &[]),
        ("xboard", &[]),
        ("stop", &[]),
        ("ponderhit", &[]),
        ("ucinewgame", &[]),
        ("position startpos moves e2e4", &[]),
        ("debug off", &[]),
        ("setoption name Hash value 32", &[]),
        ("isready", &["readyok"]),
        ("\tisready  ", &["readyok"]),
        ("isready\r", &["readyok"]),
        // What is not understood is said to be so.
        ("hello", &[&unknown("hello")]),
        ("please quit", &[&unknown("please quit")]),
        ("\u{1}\u{fffd}", &[&unknown("\u{1}\u{fffd}")]),
        (
            "joho isready",
            &["info string \"joho isready\": all before isready is left out", "readyok"],
        ),
        ("debug", &["info string debug: on or off should follow"]),
        ("register later", &["info string register: there is nothing to register"]),
        (
            "setoption Hash value 3",
            &[
                "info string setoption: the option is missing: setoption name <option> [value <value>]",
            ],
        ),
        ("setoption name Cash value 3", &["info string setoption: there is no option \"Cash\""]),
        (
            "setoption name Hash value 0",
            &[
                "info string setoption: option Hash: \"0\" does not fit; it takes a whole number from \
                 1 to 1024",
            ],
        ),
        (
            "setoption name UCI_Chess960 value maybe",
            &[
                "info string setoption: option UCI_Chess960: \"maybe\" does not fit; it takes true or \
                 false",
            ],
        ),
        ("position", &["info string position: startpos or fen should follow, not \"\""]),
        (
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            &[
                "info string position: illegal FEN \"8/8/8/8/8/8/8/8 w - - 0 1\": White has 0 kings; \
                 each side has exactly one",
            ],
        ),
        (
            "position startpos moves e2e4 e2e4",
            &[
                "info string position: e2e4 is illegal here: no piece stands on e2 (move 2 of the list, \
                 in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1)",
            ],
        ),
        ("go depth 1 fast", &["info string go: \"fast\" is unknown and left out", &start]),
        ("go perft 99", &["info string go perft: 99 is too deep; 30 is the most"]),
        // And this is what it is all about.
        ("go depth 1", &[&start]),
        ("go nodes 100", &[&start]),
        ("go movetime 1", &[&start]),
        ("go wtime 100", &[&start]),
        ("go winc 0 wtime 100 binc 0 btime 100", &[&start]),
        ("go mate 2", &[&start]),
        ("go infinite", &[&start]),
    ];
    for (line, expected) in table {
        assert_eq!(answers(line), *expected, "{line:?}");
    }
}

#[test]
fn a_bad_position_leaves_the_one_before() {
    let mut dialogue = Dialogue::with(Paper::default());
    dialogue.send("position startpos moves e2e4");
    let mut after_e4 = Position::start();
    after_e4.play(after_e4.parse_uci("e2e4").unwrap()).unwrap();
    for bad in [
        "position fen nonsense",
        "position startpos moves e2e4 e7e9",
        "position startpos moves d2d4 0000",
        "position here",
    ] {
        dialogue.send(bad);
        assert!(dialogue.next().starts_with("info string position: "));
    }
    dialogue.send("go depth 1");
    dialogue.expect(&first_line(&after_e4));
}

#[test]
fn no_moves_are_answered_with_none() {
    for fen in [
        // Mate and stalemate.
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    ] {
        let said = answers(&format!("position fen {fen}\ngo depth 3"));
        assert_eq!(said, ["bestmove (none)"], "{fen}");
    }
}

#[test]
fn endless_thinking_ends_only_when_it_may() {
    for (go, release) in [
        ("go infinite", "stop"),
        ("go", "stop"),
        ("go infinite depth 3", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        ("go ponder wtime 1000 btime 1000", "stop"),
        ("go ponder depth 2", "ponderhit"),
    ] {
        // Even if the analyst has nothing left to think about.
        for hasty in [false, true] {
            let mut dialogue = Dialogue::with(Paper { hasty, ..Paper::default() });
            dialogue.send(go);
            dialogue.send("isready");
            dialogue.expect("readyok");
            dialogue.expect_silence();
            dialogue.send(release);
            dialogue.expect(&first_line(&Position::start()));
            dialogue.send("stop");
            assert_eq!(dialogue.hang_up(), [""; 0], "{go}");
        }
    }
}

#[test]
fn a_ponder_hit_does_not_end_what_is_infinite() {
    let mut dialogue = Dialogue::with(Paper { hasty: true, ..Paper::default() });
    dialogue.send("go ponder infinite");
    dialogue.send("ponderhit");
    dialogue.expect_silence();
    dialogue.send("stop");
    dialogue.expect(&first_line(&Position::start()));
}

#[test]
fn commands_during_a_search() {
    let paper = Paper::default();
    let log = Arc::clone(&paper.log);
    let mut dialogue = Dialogue::with(paper);
    dialogue.send("go infinite");
    dialogue.send("position startpos moves e2e4");
    dialogue.expect("info string position: kept for the next search; the one under way goes on");
    dialogue.send("setoption name hash value 64");
    dialogue.expect("info string setoption: Hash is set when the search is over");
    dialogue.send("setoption name Hash value 128");
    dialogue.expect("info string setoption: Hash is set when the search is over");
    dialogue.send("setoption name Hash value 0");
    assert!(dialogue.next().contains("does not fit"));
    dialogue.send("setoption name UCI_ShowWDL value true");
    dialogue.send("isready");
    dialogue.expect("readyok");
    dialogue.send("go depth 1");
    dialogue.expect("info string go: the search under way is stopped first");
    // The answer to the first question, then that to the second.
    dialogue.expect(&first_line(&Position::start()));
    assert!(dialogue.next().starts_with("bestmove "));
    dialogue.send("go infinite");
    dialogue.send("ucinewgame");
    dialogue.expect("info string ucinewgame: the search under way is stopped first");
    assert!(dialogue.next().starts_with("bestmove "));
    assert_eq!(dialogue.hang_up(), [""; 0]);
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let expected = [
        format!("start {START}"),
        "Hash=128".to_owned(),
        format!("start {after_e4}"),
        format!("start {after_e4}"),
        "new game".to_owned(),
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn no_more_wait_for_the_end_of_a_search_than_there_is_room_for() {
    let paper = Paper::default();
    let log = Arc::clone(&paper.log);
    let mut dialogue = Dialogue::with(paper);
    dialogue.send("go infinite");
    for number in 0..=MAX_QUEUED_OPTIONS {
        dialogue.send(["setoption name Clear Hash", "setoption name Hash value 64"][number % 2]);
        let said = dialogue.next();
        assert_eq!(said.contains("is left out"), number >= MAX_QUEUED_OPTIONS, "{number}: {said}");
    }
    dialogue.send("stop");
    assert_eq!(dialogue.hang_up().len(), 1);
    assert_eq!(log.lock().unwrap().len(), 1 + MAX_QUEUED_OPTIONS);
}

#[test]
fn what_waits_for_the_end_of_a_search_is_not_forgotten() {
    for last in [&["stop", "quit"][..], &["quit"], &[]] {
        let paper = Paper::default();
        let log = Arc::clone(&paper.log);
        let mut dialogue = Dialogue::with(paper);
        dialogue.send("go infinite");
        for value in ["64", "32"] {
            dialogue.send(format!("setoption name Hash value {value}"));
            dialogue.expect("info string setoption: Hash is set when the search is over");
        }
        last.iter().for_each(|line| dialogue.send(line));
        let rest = dialogue.hang_up();
        assert!(rest.len() == 1 && rest[0].starts_with("bestmove "), "{rest:?}");
        assert_eq!(*log.lock().unwrap(), [format!("start {START}"), "Hash=32".to_owned()]);
    }
}

#[test]
fn options_go_where_they_belong() {
    let paper = Paper::default();
    let log = Arc::clone(&paper.log);
    let mut dialogue = Dialogue::with(paper);
    for line in [
        "setoption name Hash value 32",
        "setoption name hash file value /tmp/a  b",
        "setoption name Clear Hash",
        "setoption name style value wild",
        "setoption name ponder value true",
        "setoption name UCI_AnalyseMode value true",
        "setoption name UCI_Chess960 value true",
    ] {
        dialogue.send(line);
    }
    assert_eq!(dialogue.hang_up(), [""; 0]);
    // An option is set to the words of its list.
    let expected = ["Hash=32", "Hash File=/tmp/a  b", "Clear Hash=", "Style=Wild", "Ponder=true"];
    assert_eq!(*log.lock().unwrap(), expected);
}

#[test]
fn castling_as_the_option_has_it() {
    // The only legal moves are the king's, and castling is not the first of them.
    let castle = Position::from_fen("r3k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let info = Info { pv: vec![castle.parse_uci("e1g1").unwrap()], ..some_info() };
    for (option, written) in [("false", "e1g1"), ("true", "e1h1")] {
        let events = vec![Event::Info(info.clone())];
        let mut dialogue = Dialogue::with(Paper { events, ..Paper::default() });
        dialogue.send(format!("setoption name UCI_Chess960 value {option}"));
        dialogue.send("position fen r3k3/8/8/8/8/8/8/4K2R w K - 0 1");
        dialogue.send("go depth 1");
        let line = dialogue.next();
        assert!(line.ends_with(&format!(" pv {written}")), "{line}");
    }
}

fn some_info() -> Info {
    Info {
        depth: 7,
        selective_depth: 11,
        line: 1,
        score: Score::Centipawns(-20),
        bound: Bound::Upper,
        wdl: Some(Wdl { win: 100, draw: 700, loss: 200 }),
        nodes: 3000,
        time: Duration::from_millis(2),
        hash_full: Some(4),
        tablebase_hits: 0,
        pv: Vec::new(),
    }
}

#[test]
fn events_as_guis_like_them() {
    let start = Position::start();
    let mv = start.parse_uci("e2e4").unwrap();
    let events = vec![
        Event::CurrentMove { depth: 7, mv, number: 1 },
        Event::Info(Info { pv: vec![mv], ..some_info() }),
        Event::Note("two\nlines".to_owned()),
    ];
    let mut dialogue = Dialogue::with(Paper { events, ..Paper::default() });
    dialogue.send("go depth 7");
    // The current move is left out: a second has not passed.
    dialogue.expect(
        "info depth 7 seldepth 11 multipv 1 score cp -20 upperbound nodes 3000 nps 1500000 \
         hashfull 4 tbhits 0 time 2 pv e2e4",
    );
    dialogue.expect("info string two lines");
    dialogue.expect(&first_line(&start));
    dialogue.send("setoption name UCI_ShowWDL value true");
    dialogue.send("go depth 7");
    assert!(dialogue.next().contains(" score cp -20 upperbound wdl 100 700 200 nodes "));
}

#[test]
fn a_failing_analyst_still_leaves_a_move() {
    for failure in [Failure::AtOnce, Failure::Later] {
        let mut dialogue = Dialogue::with(Paper { fails: Some(failure), ..Paper::default() });
        dialogue.send("go depth 1");
        dialogue.expect("info string Paper has ended: torn; this is just any legal move");
        let line = dialogue.next();
        let mv = line.strip_prefix("bestmove ").unwrap();
        assert!(Position::start().parse_uci(mv).is_ok(), "{line}");
        dialogue.send("isready");
        dialogue.expect("readyok");
    }
}

#[test]
fn any_bytes_of_any_length() {
    let mut dialogue = Dialogue::with(Paper::default());
    dialogue.send("position startpos moves e2e4");
    dialogue.send([b"position startpos moves ", &b"d2d4 ".repeat(300_000)[..]].concat());
    dialogue.expect(
        "info string a line of more than 1048576 bytes is left out; it begins with \
         \"position startpos moves …\"",
    );
    dialogue.send(b"\xff\xfe\0\x1b[31m quit");
    assert!(dialogue.next().starts_with("info string unknown command "));
    dialogue.send("x".repeat(500_000));
    assert!(dialogue.next().len() < 1200);
    dialogue.send("d");
    let drawn: Vec<String> = (0..13).map(|_| dialogue.next()).collect();
    assert!(drawn.iter().any(|line| line.starts_with("Fen: ") && line.contains("/4P3/")));
}

#[test]
fn the_board_for_people() {
    let said = answers("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 3 9\nd");
    assert_eq!(said[0], "  8  . . . . k . . .");
    assert_eq!(said[9..11], ["     a b c d e f g h", ""]);
    assert_eq!(said[11], "Fen: 4k3/8/8/8/8/8/4r3/4K3 w - - 3 9");
    assert!(said[12].starts_with("Key: "));
    assert_eq!(said[13], "Checkers: e2");
}

#[test]
fn debugging() {
    let said = answers(
        "debug on\nposition fen 4k3/8/8/8/4P3/8/8/4K3 b K e3 0 1\nsetoption name Hash value 8",
    );
    assert_eq!(
        said,
        [
            "info string position: no pawn can capture en passant on e3: ignored; no king and rook to \
             castle with on h1: ignored",
            "info string position: 4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
            "info string setoption: Hash is 8"
        ]
    );
}

#[test]
fn counting() {
    let mut dialogue = Dialogue::with(Paper::default());
    dialogue.send("go perft 3");
    let mut said: VecDeque<String> = (0..23).map(|_| dialogue.next()).collect();
    said.truncate(22);
    assert_eq!(said.pop_back().as_deref(), Some("Nodes searched: 8902"));
    assert!(said.contains(&"e2e4: 600".to_owned()));
    dialogue.send("go perft 0");
    let said: Vec<String> = (0..3).map(|_| dialogue.next()).collect();
    assert_eq!(said, ["", "Nodes searched: 1", ""]);
    // A count without end is stopped like a search.
    dialogue.send("go perft 20");
    dialogue.send("isready");
    dialogue.expect("readyok");
    dialogue.send("stop");
    dialogue.send("isready");
    let rest = dialogue.hang_up();
    assert!(rest.contains(&"info string perft 20: stopped".to_owned()), "{rest:?}");
}

#[test]
fn commands_beyond_the_protocol() {
    let echo = Command {
        name: "echo",
        help: "say it again",
        kind: CommandKind::Immediate(Box::new(|game, words, say| {
            say(&format!("{} moves", game.moves().len()));
            for word in words {
                say(word);
            }
        })),
    };
    let mut dialogue = Dialogue::beyond(Paper::default(), vec![echo]);
    dialogue.send("position startpos moves e2e4\necho one  two");
    for line in ["1 moves", "one", "two"] {
        dialogue.expect(line);
    }
    dialogue.send("help");
    let help = dialogue.hang_up();
    assert!(help.iter().any(|line| line.starts_with("echo ") && line.ends_with("say it again")));
    // Not in the middle of other words.
    assert!(answers("please d").iter().all(|line| line.contains("unknown command")));
}

/// A conversation with a server that has a background command: `errand WORDS` says the words, `errand
/// endless` waits to be stopped, and `errand` alone is an error.
fn with_tasks() -> Dialogue {
    let command = Command {
        name: "errand",
        help: "go somewhere",
        kind: CommandKind::Background(Box::new(|_, words| match words {
            [] => Err("where to?".into()),
            _ => Ok(Arc::new(PaperTask::new(words))),
        })),
    };
    Dialogue::beyond(Paper::default(), vec![command])
}

#[test]
fn background_tasks_run_while_the_server_reads_on() {
    let mut dialogue = with_tasks();
    dialogue.send("errand to  town");
    dialogue.expect("to town");
    dialogue.send("errand");
    dialogue.expect("info string errand: where to?");
    dialogue.send("errand endless");
    dialogue.send("isready");
    dialogue.expect("readyok");
    // What is refused ends nothing.
    dialogue.send("errand");
    dialogue.expect("info string errand: where to?");
    dialogue.send("ponderhit");
    dialogue.expect_silence();
    dialogue.send("setoption name Hash value 64");
    dialogue.expect("info string setoption: Hash is set when the search is over");
    dialogue.send("stop");
    dialogue.expect("info string errand: stopped");
    // What is no longer under way is not spoken of.
    dialogue.send("stop\nsetoption name Hash value 32\ngo depth 1");
    dialogue.expect(&first_line(&Position::start()));
    assert_eq!(dialogue.hang_up(), [""; 0]);
}

#[test]
fn a_search_and_a_background_task_end_each_other() {
    let mut dialogue = with_tasks();
    let bestmove = first_line(&Position::start());
    dialogue.send("go infinite\nerrand endless");
    dialogue.expect("info string errand: the search under way is stopped first");
    dialogue.expect(&bestmove);
    dialogue.send("go depth 1");
    dialogue.expect("info string go: the search under way is stopped first");
    dialogue.expect("info string errand: stopped");
    dialogue.expect(&bestmove);
    dialogue.send("errand endless\nucinewgame");
    dialogue.expect("info string ucinewgame: the search under way is stopped first");
    dialogue.expect("info string errand: stopped");
    assert_eq!(dialogue.hang_up(), [""; 0]);
}

#[test]
fn background_tasks_wait_for_each_other() {
    let mut dialogue = with_tasks();
    dialogue.send("errand endless\nerrand one\nerrand two\nstop");
    dialogue.expect("info string errand: stopped before it began");
    dialogue.expect("info string errand: stopped before it began");
    dialogue.expect("info string errand: stopped");
    dialogue.send("errand endless");
    dialogue.send("errand late\n".repeat(1001));
    dialogue
        .expect("info string errand: left out, because 1000 orders wait already; stop ends them");
    dialogue.send("quit");
    let said = dialogue.hang_up();
    assert_eq!(said.len(), 1001);
    assert_eq!(said.last().map(String::as_str), Some("info string errand: stopped"));
    // At the end of the input all of them are done.
    let mut dialogue = with_tasks();
    dialogue.send("errand one\nerrand two\nerrand three");
    assert_eq!(dialogue.hang_up(), ["one", "two", "three"]);
}

#[test]
fn quit_and_the_end_of_input_stop_the_search_and_answer_it() {
    for end in ["quit", "isready\nquit", ""] {
        let said = answers(&format!("go infinite\n{end}"));
        assert_eq!(said.last(), Some(&first_line(&Position::start())), "{end:?}");
    }
    // Nothing after it is heard.
    assert_eq!(answers("quit\nisready"), [""; 0]);
}

#[test]
fn the_output_is_closed() {
    struct Deaf;
    impl Write for Deaf {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    // The input never ends, but the server does.
    let input = "isready\n".bytes().cycle();
    UciServer::new(Box::new(Paper::default()), Deaf).run(Endless(input));
}

struct Endless<I>(I);

impl<I: Iterator<Item = u8>> Read for Endless<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        for (slot, byte) in buffer.iter_mut().zip(&mut self.0) {
            *slot = byte;
            length += 1;
        }
        Ok(length)
    }
}

#[test]
fn six_thousand_plies() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(1500);
    let said = answers(&format!("position startpos moves {shuffle}\ngo depth 1"));
    assert_eq!(said, [first_line(&Position::start())]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn after_any_lines_it_is_ready(
        soup in collection::vec(word_soup(&[
            "uci", "debug", "isready", "setoption", "ucinewgame", "position", "go", "stop", "on",
            "ponderhit", "name", "value", "Hash", "startpos", "fen", "moves", "depth", "infinite",
            "ponder", "perft", "searchmoves", "wtime", "help", "d",
        ]), 0..20),
        bytes in collection::vec(any::<u8>(), 0..300),
    ) {
        let mut dialogue = Dialogue::with(Paper::default());
        for line in soup.iter().filter(|line| !line.starts_with("quit")) {
            dialogue.send(line);
        }
        dialogue.send(bytes);
        dialogue.send("stop\nucinewgame\nposition startpos\ngo depth 1");
        let last = dialogue.hang_up().pop().unwrap();
        prop_assert_eq!(last, first_line(&Position::start()));
    }
}
