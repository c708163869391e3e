//! The engine over pipes, as a GUI has it: every rule of UCI that can be seen from outside.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_chess::{CastlingStyle, Position};
use tabiya_engine::Engine;
use tabiya_protocol::server::UciServer;
use tabiya_protocol::uci::option::OptionLine;

/// Longer than any machine takes, however busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// Long enough for something to be said that should not be.
const A_WHILE: Duration = Duration::from_millis(300);

const MATE: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const MATE_IN_TWO: &str = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";

/// A conversation with the engine in a process of its own.
struct Gui {
    engine: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Gui {
    fn new() -> Gui {
        let mut engine = Command::new(env!("CARGO_BIN_EXE_tabiya"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = engine.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                if sender.send(line.expect("the engine speaks UTF-8")).is_err() {
                    break;
                }
            }
        });
        Gui { input: engine.stdin.take(), engine, lines }
    }

    fn send(&mut self, text: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(text.as_ref()).expect("the engine listens");
        input.write_all(b"\n").expect("the engine listens");
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("the engine says more")
    }

    /// All lines up to the first that begins so.
    fn until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.next());
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// What is said until the engine is ready.
    fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The answer to a `go`, with all that comes before.
    fn think(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.until("bestmove")
    }

    /// The move that a `go` ends with.
    fn best(&mut self, go: &str) -> String {
        let answer = self.think(go).pop().expect("an answer");
        answer.split(' ').nth(1).expect("a move").to_owned()
    }

    fn expect_silence(&self) {
        // Thoughts are no answer.
        let begin = Instant::now();
        while let Some(left) = A_WHILE.checked_sub(begin.elapsed()) {
            match self.lines.recv_timeout(left) {
                Ok(line) => assert!(line.starts_with("info depth"), "{line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has ended"),
            }
        }
    }

    /// Closes the input; the rest of what is said. The engine must end by itself and without fault.
    fn hang_up(mut self) -> Vec<String> {
        drop(self.input.take());
        let said = self.lines.iter().collect();
        let done = self.engine.wait_with_output().expect("it ends");
        assert!(done.status.success(), "{:?}", done.status);
        assert_eq!(String::from_utf8_lossy(&done.stderr), "");
        said
    }
}

fn bestmoves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

/// The word after a word.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

fn number(line: &str, name: &str) -> i64 {
    let text = field(line, name).unwrap_or_else(|| panic!("no {name} in {line}"));
    text.parse().unwrap_or_else(|_| panic!("{name} is no whole number in {line}"))
}

#[test]
fn the_introduction_names_the_engine_and_its_options() {
    let mut gui = Gui::new();
    gui.send("uci");
    let lines = gui.until("uciok");
    // As `tabiya --version`: the version, the commit, the network and the CPU path.
    let name = lines[0].strip_prefix("id name ").expect("a name");
    let version = Command::new(env!("CARGO_BIN_EXE_tabiya")).arg("--version").output();
    assert_eq!(name, String::from_utf8_lossy(&version.expect("it starts").stdout).trim_end());
    let identity = Engine::new().expect("an engine").program();
    let hash = identity.network.expect("a network");
    assert!(name.starts_with(&format!("Tabiya {} (commit ", identity.version)), "{name}");
    let parts = format!(", network {}, cpu {})", &hash[..8], identity.cpu);
    assert!(name.ends_with(&parts), "{name}: {parts}");
    let commit = name.split("(commit ").nth(1).and_then(|rest| rest.split(',').next());
    assert!(commit.is_some_and(|commit| commit.len() >= 7), "{name}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    // Some programs stumble over anything else between these lines.
    let (_, options) = lines[2..].split_last().expect("options");
    assert!(options.iter().all(|line| line.starts_with("option name ")), "{lines:?}");
    let engine = Engine::new().expect("an engine");
    let server = UciServer::new(Box::new(engine), std::io::sink());
    let registry: Vec<String> = server.options().map(|spec| OptionLine(spec).to_string()).collect();
    assert_eq!(options, registry);
    // What GUIs look for by name.
    for name in ["Hash", "Threads", "Clear Hash", "MultiPV", "Ponder", "UCI_Chess960"] {
        let line = format!("option name {name} type ");
        assert!(options.iter().any(|option| option.starts_with(&line)), "no {line:?}");
    }
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn nothing_is_said_before_it_is_asked() {
    let gui = Gui::new();
    gui.expect_silence();
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn what_fastchess_checks() {
    let mut gui = Gui::new();
    gui.send("uci");
    gui.until("uciok");
    gui.send("ucinewgame");
    assert_eq!(gui.ready(), [""; 0]);
    for position in ["position startpos", &format!("position fen {MATE_IN_TWO}")] {
        gui.send(position);
        for go in [
            "go wtime 100",
            "go btime 100",
            "go wtime 100 btime 100",
            "go btime 100 wtime 100",
            "go wtime 100 winc 100 btime 100 binc 100",
            "go winc 100 wtime 100 binc 100 btime 100",
            "go btime 100 binc 100 wtime 100 winc 100",
            "go wtime 1000 btime 1000 movestogo 40",
            "go movetime 50",
            "go depth 5",
            "go nodes 2000",
        ] {
            let lines = gui.think(go);
            let (answer, thoughts) = lines.split_last().expect("an answer");
            let mv = field(answer, "bestmove").expect("a move");
            assert!(mv != "0000" && mv != "(none)" && mv.len() >= 4, "{answer}");
            let last = thoughts.last().expect("a thought before the answer");
            for name in ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull"] {
                number(last, name);
            }
            assert!(last.contains(" score cp ") || last.contains(" score mate "), "{last}");
            assert_eq!(field(last, "pv"), Some(mv), "{go}: {last}, {answer}");
        }
    }
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn the_last_thought_comes_just_before_the_answer() {
    let mut gui = Gui::new();
    for (lines_of_play, go) in [(1, "go nodes 30000"), (3, "go nodes 30000"), (3, "go infinite")] {
        gui.send(format!("setoption name MultiPV value {lines_of_play}"));
        gui.send(go);
        let mut said = Vec::new();
        if go == "go infinite" {
            said = gui.until("info depth 5 ");
            gui.send("stop");
        }
        said.extend(gui.until("bestmove"));
        let answer = said.last().expect("an answer");
        let last = &said[said.len() - 1 - lines_of_play..said.len() - 1];
        for (i, line) in last.iter().enumerate() {
            assert_eq!(number(line, "multipv"), i as i64 + 1, "{said:?}");
            assert_eq!(number(line, "nodes"), number(&last[0], "nodes"), "{said:?}");
        }
        assert_eq!(field(&last[0], "pv"), field(answer, "bestmove"));
        if go != "go infinite" {
            assert_eq!(number(&last[0], "nodes"), 30_000, "{said:?}");
        }
    }
}

#[test]
fn several_lines_are_told_together_and_differ() {
    let mut gui = Gui::new();
    gui.send("setoption name MultiPV value 4");
    let said = gui.think("go depth 6");
    let lines: Vec<&String> = said.iter().filter(|line| line.starts_with("info depth")).collect();
    assert_eq!(lines.len() % 4, 0, "{lines:?}");
    for group in lines.chunks(4) {
        let numbers: Vec<i64> = group.iter().map(|line| number(line, "multipv")).collect();
        assert_eq!(numbers, [1, 2, 3, 4]);
        let mut moves: Vec<_> = group.iter().map(|line| field(line, "pv")).collect();
        let scores: Vec<i64> = group.iter().map(|line| number(line, "cp")).collect();
        assert!(scores.is_sorted_by(|a, b| a >= b), "{group:?}");
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 4, "{group:?}");
    }
    // No more lines than moves.
    gui.send("position fen k7/8/1K6/8/8/8/8/1R6 b - - 0 1");
    let said = gui.think("go depth 3");
    assert!(said.iter().all(|line| !line.contains("multipv 2")), "{said:?}");
}

#[test]
fn chances_are_told_when_asked_for() {
    let mut gui = Gui::new();
    assert!(gui.think("go depth 2").iter().all(|line| !line.contains(" wdl ")));
    gui.send("setoption name uci_showwdl value TRUE");
    let said = gui.think("go depth 2");
    let line = &said[said.len() - 2];
    let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "wdl").collect();
    let sum: i64 = words[1..4].iter().map(|word| word.parse::<i64>().expect("a number")).sum();
    assert_eq!(sum, 1000, "{line}");
}

#[test]
fn endless_searches_end_only_when_told() {
    let mut gui = Gui::new();
    for position in [
        "position startpos".to_owned(),
        format!("position fen {MATE}"),
        format!("position fen {MATE_IN_TWO}"),
    ] {
        gui.send(&position);
        for go in ["go infinite", "go", "go ponder wtime 20 btime 20", "go infinite depth 1"] {
            gui.send(go);
            gui.expect_silence();
            gui.send("stop");
            assert_eq!(bestmoves(&gui.until("bestmove")), 1, "{go} in {position}");
        }
    }
    gui.expect_silence();
}

#[test]
fn a_ponder_hit_starts_the_clock() {
    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4");
    gui.send("go ponder wtime 300 btime 300");
    gui.expect_silence();
    gui.send("ponderhit");
    assert!(gui.until("bestmove").iter().any(|line| line.contains(" pv ")));
    // Without a search both are empty words.
    gui.send("ponderhit");
    gui.send("stop");
    assert_eq!(gui.ready(), [""; 0]);
}

#[test]
fn roots_without_moves_are_scored_and_have_none() {
    let mut gui = Gui::new();
    gui.send("setoption name UCI_ShowWDL value true");
    for (fen, score) in [(MATE, "mate 0 wdl 0 0 1000"), (STALEMATE, "cp 0 wdl 0 1000 0")] {
        gui.send(format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 20", "go wtime 100 btime 100", "go mate 2"] {
            let said = gui.think(go);
            let [info, answer] = &said[..] else { panic!("{said:?}") };
            let start = format!("info depth 0 seldepth 0 multipv 1 score {score} nodes 0 ");
            assert!(info.starts_with(&start), "{info}");
            assert!(info.contains(" time 0") && !info.contains(" pv"), "{info}");
            assert_eq!(answer, "bestmove (none)");
        }
    }
}

#[test]
fn mates_are_found_and_counted_in_moves() {
    let mut gui = Gui::new();
    gui.send(format!("position fen {MATE_IN_TWO}"));
    let said = gui.think("go mate 2");
    assert!(said[said.len() - 2].contains(" score mate 2 "), "{said:?}");
    assert!(said[said.len() - 1].starts_with("bestmove a1a6"), "{said:?}");
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut gui = Gui::new();
    assert_eq!(gui.best("go depth 4 searchmoves a2a3"), "a2a3");
    let either = gui.best("go searchmoves a2a3 h2h3 depth 4");
    assert!(either == "a2a3" || either == "h2h3", "{either}");
    // Illegal ones are named and left out.
    let said = gui.think("go depth 3 searchmoves e2e5 a2a3");
    assert!(said[0].starts_with("info string go searchmoves: ") && said[0].contains("e2e5"));
    assert!(said[said.len() - 1].starts_with("bestmove a2a3"), "{said:?}");
    let said = gui.think("go depth 3 searchmoves e2e5");
    assert!(said[said.len() - 1].starts_with("bestmove "), "{said:?}");
}

#[test]
fn unknown_words_are_skipped_and_the_rest_obeyed() {
    let mut gui = Gui::new();
    gui.send("joho debug off");
    gui.send("position now startpos quickly moves e2e4");
    gui.send("go hurry depth 2 please");
    let said = gui.until("bestmove");
    let notes = said.iter().filter(|line| line.starts_with("info string ")).count();
    assert_eq!(notes, 3, "{said:?}");
    let answer = field(said.last().expect("an answer"), "bestmove").expect("a move");
    assert!(answer.as_bytes()[1] >= b'7', "Black is to move: {answer}");
    gui.send("xyzzy");
    assert_eq!(gui.ready(), [r#"info string unknown command "xyzzy"; try help"#]);
    for silent in ["", "   ", "# remark", "xboard", "register later"] {
        gui.send(silent);
    }
    assert_eq!(gui.ready(), ["info string register: there is nothing to register"]);
}

#[test]
fn a_bad_position_is_named_in_full_and_the_one_before_kept() {
    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4");
    for (bad, named) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("position startpos moves e2e4 e7e5 e4e5", "e4e5"),
        ("position startpos moves 0000", "0000"),
        ("position startpos moves e7e8q", "e7e8q"),
        ("position fen not a position at all", "not a position at all"),
        ("position", "startpos or fen"),
    ] {
        gui.send(bad);
        let said = gui.ready();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(
            said[0].starts_with("info string position: ") && said[0].contains(named),
            "{said:?}"
        );
    }
    gui.send("d");
    let drawn = gui.until("Checkers:");
    let fen = drawn.iter().find(|line| line.starts_with("Fen: ")).expect("a FEN");
    assert_eq!(fen, "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

#[test]
fn castling_is_written_as_the_option_has_it_and_read_both_ways() {
    let mut gui = Gui::new();
    let position = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    for (chess960, written) in [("false", "e1g1"), ("true", "e1h1")] {
        gui.send(format!("setoption name UCI_Chess960 value {chess960}"));
        for asked in ["e1g1", "e1h1"] {
            gui.send(position);
            assert_eq!(gui.best(&format!("go depth 1 searchmoves {asked}")), written);
            gui.send(format!("{position} moves {asked} e8e7"));
            assert_eq!(gui.ready(), [""; 0]);
        }
    }
}

#[test]
fn any_bytes_of_any_length_change_nothing() {
    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4");
    gui.send(b"\xff\xfe\0\x01 quit \x1b[2J");
    gui.send(vec![b'x'; 100_000_000]);
    gui.send([b"position startpos moves ".to_vec(), b"d2d4 ".repeat(20_000_000)].concat());
    let said = gui.ready();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said.iter().all(|line| line.starts_with("info string ") && line.len() < 1200));
    gui.send("d");
    assert!(gui.until("Checkers:").iter().any(|line| line.contains("/4P3/8/PPPP1PPP/")));
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn orders_during_a_search() {
    let mut gui = Gui::new();
    gui.send("go infinite");
    // Answered at once, many times.
    for _ in 0..20 {
        let said = gui.ready();
        assert_eq!(bestmoves(&said), 0, "{said:?}");
    }
    gui.send("uci");
    assert_eq!(bestmoves(&gui.until("uciok")), 0);
    let notes = |said: Vec<String>| -> Vec<String> {
        said.into_iter().filter(|line| !line.starts_with("info depth")).collect()
    };
    gui.send("setoption name Hash value 2");
    assert_eq!(notes(gui.ready()), ["info string setoption: Hash is set when the search is over"]);
    gui.send("setoption name Hash value none");
    assert!(notes(gui.ready())[0].contains("\"none\" does not fit"));
    gui.send("position startpos moves e2e4");
    assert!(notes(gui.ready())[0].contains("kept for the next search"));
    gui.send("debug on");
    gui.send("debug off");
    // A second question is answered after the first.
    gui.send("go depth 2");
    let first = notes(gui.until("bestmove"));
    assert_eq!(bestmoves(&first), 1, "{first:?}");
    let second = gui.until("bestmove");
    let answer = field(second.last().expect("an answer"), "bestmove").expect("a move");
    assert!(answer.as_bytes()[1] >= b'7', "Black is to move: {answer}");
    gui.send("go infinite");
    gui.send("ucinewgame");
    gui.send("isready");
    let said = gui.until("readyok");
    assert_eq!(bestmoves(&said), 1, "{said:?}");
}

#[test]
fn every_go_has_its_own_answer() {
    let mut gui = Gui::new();
    for _ in 0..20 {
        gui.send("go infinite");
    }
    gui.send("stop");
    gui.send("stop");
    for _ in 0..10 {
        gui.send("go nodes 100");
    }
    let said = gui.hang_up();
    assert_eq!(bestmoves(&said), 30, "{said:?}");
}

#[test]
fn quit_and_the_end_of_input_end_it_at_once() {
    for end in ["quit", ""] {
        let mut gui = Gui::new();
        gui.send("go infinite");
        gui.until("info depth 3 ");
        let begin = Instant::now();
        gui.send(end);
        let said = gui.hang_up();
        assert_eq!(bestmoves(&said), 1, "{said:?}");
        assert!(begin.elapsed() < PATIENCE);
    }
    // Nothing after it is heard, not even while it is still open.
    let mut gui = Gui::new();
    gui.send("quit\nisready");
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn options_take_what_fits_and_say_what_does_not() {
    let mut gui = Gui::new();
    for fitting in [
        "setoption name Hash value 1",
        "setoption name hash value 4",
        "setoption name Clear Hash",
        "setoption name clear   hash",
        "setoption name Move Overhead value 0",
        "setoption name MultiPV value 256",
        "setoption name Ponder value true",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Hash File value <empty>",
        "setoption name nodestime value 0",
    ] {
        gui.send(fitting);
        assert_eq!(gui.ready(), [""; 0], "{fitting}");
    }
    for (bad, reason) in [
        ("setoption name Hash value 0", "from 1 to"),
        ("setoption name Hash value 99999999999999999999", "from 1 to"),
        ("setoption name Hash", "from 1 to"),
        ("setoption name Ponder value perhaps", "true or false"),
        ("setoption name Nullmove value true", "there is no option \"Nullmove\""),
        ("setoption value 3", "the option is missing"),
        ("setoption name Load Hash", "option Hash File has to name the file first"),
    ] {
        gui.send(bad);
        let said = gui.ready();
        assert!(said.len() == 1 && said[0].contains(reason), "{bad}: {said:?}");
    }
    gui.send("setoption name MultiPV value 1");
    assert_eq!(bestmoves(&gui.think("go depth 2")), 1);
}

#[test]
fn the_table_is_kept_in_a_file() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    let name = |name: &str| format!("setoption name Hash File value {}", file(name).display());
    let mut gui = Gui::new();
    gui.send(name("my table"));
    gui.send("setoption name Hash value 2");
    gui.think("go depth 8");
    gui.send("setoption name Save Hash");
    assert_eq!(gui.ready(), [""; 0]);
    gui.hang_up();
    let saved = std::fs::read(file("my table")).expect("the file");
    assert_eq!(saved.len(), (2 << 20) + 48);
    assert!(saved[48..].iter().any(|&byte| byte != 0));

    // Another process has the same table, which has the size of the one that was saved.
    let mut gui = Gui::new();
    gui.send(name("my table"));
    gui.send("setoption name Load Hash");
    gui.send(name("copy"));
    gui.send("setoption name Save Hash");
    assert_eq!(gui.ready(), [""; 0]);
    assert!(std::fs::read(file("copy")).expect("the copy") == saved);
    // A damaged one is refused, and the table in use stays.
    let mut damaged = saved.clone();
    damaged[100_000] ^= 1;
    std::fs::write(file("my table"), damaged).expect("written");
    gui.send(name("my table"));
    gui.send("setoption name Load Hash");
    let said = gui.ready();
    assert!(said.len() == 1 && said[0].contains("is damaged: its checksum is wrong"), "{said:?}");
    gui.send(name("another copy"));
    gui.send("setoption name Save Hash");
    assert_eq!(gui.ready(), [""; 0]);
    assert!(std::fs::read(file("another copy")).expect("the copy") == saved);
    gui.send("setoption name Hash File value /no/such/folder/x");
    gui.send("setoption name Save Hash");
    let said = gui.ready();
    assert!(said.len() == 1 && said[0].contains("/no/such/folder/x: "), "{said:?}");
}

/// A named pipe without a writer.
#[cfg(unix)]
fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
}

#[test]
#[cfg(unix)]
fn what_is_no_regular_file_is_refused_at_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    fifo(&file("fifo"));
    std::fs::create_dir(file("folder")).expect("a folder");
    std::os::unix::fs::symlink("fifo", file("link")).expect("a link");
    let mut gui = Gui::new();
    for (name, kind) in [("fifo", "a FIFO"), ("link", "a FIFO"), ("folder", "a folder")] {
        let path = file(name).display().to_string();
        gui.send(format!("setoption name Hash File value {path}"));
        for button in ["Load Hash", "Save Hash"] {
            gui.send(format!("setoption name {button}"));
            let said = gui.ready();
            let reason = format!("{path}: it is {kind}");
            assert!(said.len() == 1 && said[0].contains(&reason), "{button} {name}: {said:?}");
        }
        gui.send(format!("setoption name EvalFile value {path}"));
        let said = gui.ready();
        let reason = format!("the network file cannot be read: it is {kind}");
        assert!(said.len() == 1 && said[0].contains(&reason), "{name}: {said:?}");
    }
    gui.hang_up();
    let kind = |name: &str| std::fs::symlink_metadata(file(name)).expect("still there").file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_fifo(&kind("fifo")));
    assert!(kind("link").is_symlink() && kind("folder").is_dir());
    assert_eq!(std::fs::read_dir(directory.path()).expect("the directory").count(), 3);
}

#[test]
#[cfg(unix)]
fn a_table_is_saved_to_what_a_link_leads_to() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    std::fs::write(file("target"), "an older one").expect("written");
    std::os::unix::fs::symlink("target", file("link")).expect("a link");
    std::os::unix::fs::symlink("new", file("dangling")).expect("a link");
    let mut gui = Gui::new();
    gui.send("setoption name Hash value 1");
    for (link, target) in [("link", "target"), ("dangling", "new")] {
        gui.send(format!("setoption name Hash File value {}", file(link).display()));
        gui.send("setoption name Save Hash");
        gui.send("setoption name Load Hash");
        assert_eq!(gui.ready(), [""; 0]);
        assert!(std::fs::symlink_metadata(file(link)).expect("the link").is_symlink());
        assert_eq!(std::fs::metadata(file(target)).expect("the file").len(), (1 << 20) + 48);
    }
}

#[test]
fn a_clock_of_nodes_makes_games_repeatable() {
    let game = || {
        let mut gui = Gui::new();
        gui.send("setoption name nodestime value 20");
        gui.send("ucinewgame");
        let mut moves = String::new();
        let mut counts = Vec::new();
        for turn in 0..12 {
            gui.send(format!("position startpos moves{moves}"));
            // What the GUI's clock shows plays no part after the first move.
            let shown = 2000 - 100 * turn - i64::from(std::process::id() % 50);
            let shown = if turn == 0 { 2000 } else { shown };
            let said = gui.think(&format!("go wtime {shown} btime {shown} winc 10 binc 10"));
            let (answer, thoughts) = said.split_last().expect("an answer");
            counts.push(number(thoughts.last().expect("a thought"), "nodes"));
            moves = format!("{moves} {}", field(answer, "bestmove").expect("a move"));
        }
        (moves, counts)
    };
    let (moves, counts) = game();
    assert_eq!(game(), (moves, counts.clone()));
    // 2000 milliseconds and 12 increments of 10 are 42,400 nodes.
    assert!(counts.iter().sum::<i64>() < 42_400, "{counts:?}");
    assert!(counts.iter().any(|&count| count > 500), "{counts:?}");
}

#[test]
fn whatever_the_clock_shows_there_is_a_move() {
    let mut gui = Gui::new();
    for go in [
        "go wtime 1 btime 1",
        "go wtime 0 btime 0",
        "go wtime -500 btime -500 winc -3 binc -3",
        "go wtime 5 btime 5 movestogo 1",
        "go wtime 5 btime 5 movestogo 1000",
        "go wtime 200 btime 200 movestogo 1",
        "go wtime 9 btime 9 winc 3 binc 3",
        "go movetime 0",
        "go movetime -5",
        "go wtime 99999999999999999999 btime 1 depth 3",
        "go btime 50",
        "go wtime",
    ] {
        if go == "go wtime" {
            // No time at all: it thinks until it is stopped.
            gui.send(go);
            gui.send("stop");
            gui.until("bestmove");
            continue;
        }
        let begin = Instant::now();
        let said = gui.think(go);
        assert!(said.iter().any(|line| line.starts_with("info depth")), "{go}: {said:?}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{go}");
    }
    // An overhead larger than the time.
    gui.send("setoption name Move Overhead value 5000");
    assert_eq!(bestmoves(&gui.think("go wtime 1000 btime 1000")), 1);
}

#[test]
fn games_of_six_thousand_plies() {
    // Knights shuffle, and a pawn moves before fifty moves of each side have passed.
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
    let pawns = ["a2a3 a7a6 ", "b2b3 b7b6 ", "c2c3 c7c6 ", "d2d3 d7d6 ", "e2e3 e7e6 "];
    let mut moves = String::new();
    for pawn in pawns {
        moves.push_str(&shuffle.repeat(24));
        moves.push_str(pawn);
    }
    let count = moves.split_whitespace().count();
    moves.push_str(&shuffle.repeat((6_000 - count).div_ceil(4)));
    assert!(moves.split_whitespace().count() >= 6_000);
    let mut gui = Gui::new();
    for _ in 0..3 {
        gui.send(format!("position startpos moves {moves}"));
        assert_eq!(gui.ready(), [""; 0]);
        let said = gui.think("go depth 4");
        assert!(said[said.len() - 1].starts_with("bestmove "), "{said:?}");
    }
}

#[test]
fn orders_for_people() {
    let mut gui = Gui::new();
    gui.send("help");
    let help = gui.until("quit");
    for order in ["position", "go", "setoption", "go perft", "d ", "eval", "bench"] {
        assert!(help.iter().any(|line| line.starts_with(order)), "{order}: {help:?}");
    }
    gui.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    gui.send("d");
    let drawn = gui.until("Checkers:");
    assert!(drawn.contains(&"  2  . . . . r . . .".to_owned()), "{drawn:?}");
    assert!(drawn.iter().any(|line| line.starts_with("Key: ")), "{drawn:?}");
    assert_eq!(drawn.last().map(String::as_str), Some("Checkers: e2"));
    gui.send("position startpos");
    gui.send("eval");
    assert!(gui.ready().len() > 5);
    gui.send("go perft 3");
    assert!(gui.until("Nodes searched: 8902").contains(&"e2e4: 600".to_owned()));
    assert_eq!(gui.next(), "", "the count ends with an empty line");
    gui.send("bench 2");
    let said = gui.next();
    assert!(said.ends_with(" nps"), "{said:?}");
}

/// Far more than any machine can do while a test waits.
const ENDLESS_BENCH: &str = "bench 100";
const BENCH_STOPPED: &str = "info string bench: stopped";

#[test]
fn the_engine_listens_during_a_bench() {
    let mut gui = Gui::new();
    gui.send(ENDLESS_BENCH);
    for _ in 0..20 {
        assert_eq!(gui.ready(), [""; 0]);
    }
    gui.send("eval");
    assert!(gui.ready().len() > 5);
    gui.expect_silence();
    gui.send("stop");
    assert_eq!(gui.next(), BENCH_STOPPED);
    // Nothing is left of it.
    gui.send("stop");
    assert_eq!(gui.ready(), [""; 0]);

    gui.send(ENDLESS_BENCH);
    let said = gui.think("go depth 2");
    let notes = ["info string go: the search under way is stopped first", BENCH_STOPPED];
    assert_eq!(said[..2], notes, "{said:?}");
    assert_eq!(bestmoves(&said), 1, "{said:?}");

    gui.send("go infinite");
    gui.send("bench 2");
    let said = gui.until("bestmove");
    assert!(
        said.contains(&"info string bench: the search under way is stopped first".to_owned()),
        "{said:?}"
    );
    assert!(gui.next().ends_with(" nps"));

    let begin = Instant::now();
    gui.send(ENDLESS_BENCH);
    gui.send("quit");
    assert_eq!(gui.hang_up(), [BENCH_STOPPED]);
    assert!(begin.elapsed() < PATIENCE);
}

/// Whether that is before a position, within one, between two or after them all.
#[test]
fn a_bench_can_be_stopped_at_any_time() {
    let mut gui = Gui::new();
    let begin = Instant::now();
    gui.send("bench 4");
    assert!(gui.next().ends_with(" nps"));
    let whole = begin.elapsed();
    let mut stopped = 0;
    for share in 0..40 {
        gui.send("bench 4");
        thread::sleep(whole * share / 32);
        gui.send("stop");
        let said = gui.next();
        assert!(said == BENCH_STOPPED || said.ends_with(" nps"), "{said}");
        stopped += usize::from(said == BENCH_STOPPED);
    }
    assert!(stopped > 0);
    assert_eq!(gui.ready(), [""; 0]);
    assert_eq!(gui.hang_up(), [""; 0]);
}

#[test]
fn a_bench_of_no_depth_is_refused() {
    let mut gui = Gui::new();
    for word in ["nonsense", "0", "246", "99999", "-3", "4.5", "99999999999999999999"] {
        gui.send(format!("bench {word}"));
        let refusal = format!(
            "info string bench: {word:?} does not fit; the depth is a whole number from 1 to 245"
        );
        assert_eq!(gui.ready(), [refusal]);
    }
}

/// What the network says of the position.
fn network_line(gui: &mut Gui) -> String {
    gui.send("eval");
    let said = gui.ready();
    let line = said.iter().find(|line| line.starts_with("Network: "));
    line.unwrap_or_else(|| panic!("no network in {said:?}")).clone()
}

#[test]
fn a_bad_network_is_refused_and_the_one_in_use_stays() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str| directory.path().join(name);
    let nets = Path::new(env!("CARGO_MANIFEST_DIR")).join("nets");
    let sound = std::fs::read(nets.join("default.nnue")).expect("the network");
    let mut damaged = sound.clone();
    damaged[1_000..100_000].fill(1);
    std::fs::write(file("damaged"), &damaged).expect("written");
    std::fs::write(file("cut"), &sound[..sound.len() / 2]).expect("written");
    std::fs::write(file("foreign"), "a poem").expect("written");
    std::fs::write(file("sound"), &sound).expect("written");

    let mut gui = Gui::new();
    gui.send("position startpos moves e2e4");
    let built_in = network_line(&mut gui);
    for (name, reason) in [
        ("missing", "the network file cannot be read"),
        ("damaged", "the network file is damaged"),
        ("cut", "the network file is cut off"),
        ("foreign", "this is not a network file"),
    ] {
        gui.send(format!("setoption name EvalFile value {}", file(name).display()));
        let said = gui.ready();
        let start = format!("info string setoption: option EvalFile: {reason}");
        assert!(said.len() == 1 && said[0].starts_with(&start), "{name}: {said:?}");
        assert_eq!(network_line(&mut gui), built_in, "{name}");
    }
    gui.send(format!("setoption name EvalFile value {}", file("sound").display()));
    assert_eq!(gui.ready(), [""; 0]);
    assert_eq!(network_line(&mut gui), built_in);
}

#[test]
fn the_reply_to_ponder_on_is_the_second_move_of_the_last_line() {
    let mut gui = Gui::new();
    let mut pondered = 0;
    for (chess960, fen) in [
        (false, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        (false, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        (false, MATE_IN_TWO),
        (true, "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"),
    ] {
        gui.send(format!("setoption name UCI_Chess960 value {chess960}"));
        gui.send(format!("position fen {fen}"));
        for go in ["go depth 6", "go nodes 20000", "go movetime 50"] {
            let said = gui.think(go);
            let [.., last, answer] = &said[..] else { panic!("{said:?}") };
            let line: Vec<&str> = last.split(' ').skip_while(|word| *word != "pv").collect();
            assert_eq!(field(answer, "bestmove"), line.get(1).copied(), "{said:?}");
            assert_eq!(field(answer, "ponder"), line.get(2).copied(), "{said:?}");
            let Some(reply) = field(answer, "ponder") else { continue };
            pondered += 1;
            let mut position = Position::from_fen(fen).expect("a position");
            let best = position.parse_uci(line[1]).expect("a legal move");
            position.play(best).expect("a legal move");
            let legal = position.parse_uci(reply).expect("a legal reply");
            let style =
                if chess960 { CastlingStyle::KingTakesRook } else { CastlingStyle::KingToTarget };
            assert_eq!(legal.uci(&position, style).to_string(), reply);
        }
    }
    assert!(pondered >= 6, "{pondered}");
}

#[test]
fn current_moves_are_shown_after_a_second() {
    let mut gui = Gui::new();
    let root =
        Position::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .expect("a position");
    gui.send(format!("position fen {}", root.fen()));
    assert!(gui.think("go movetime 300").iter().all(|line| !line.contains("currmove")));
    let begin = Instant::now();
    gui.send("go movetime 2500");
    let mut current_moves = 0;
    loop {
        let line = gui.next();
        if line.starts_with("bestmove") {
            break;
        }
        if let Some(mv) = field(&line, "currmove") {
            assert!(begin.elapsed() >= Duration::from_secs(1), "{line}");
            assert!(root.parse_uci(mv).is_ok(), "{line}");
            let most = root.legal_moves().len() as i64;
            assert!((1..=most).contains(&number(&line, "currmovenumber")), "{line}");
            assert!(number(&line, "depth") > 0, "{line}");
            current_moves += 1;
        }
    }
    assert!(current_moves > 0);
}

#[test]
fn with_debug_on_a_position_is_echoed() {
    let mut gui = Gui::new();
    gui.send("debug on");
    gui.send("position startpos moves e2e4");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(gui.ready(), [format!("info string position: {fen}")]);
    gui.send("debug off");
    gui.send("position startpos moves d2d4");
    assert_eq!(gui.ready(), [""; 0]);
}

#[test]
fn registering_ends_nothing() {
    let mut gui = Gui::new();
    let registrations =
        ["register later", "register name x code y", "register name stop code quit", "register"];
    for register in registrations {
        gui.send(register);
        assert_eq!(gui.ready(), ["info string register: there is nothing to register"]);
    }
    gui.send("go infinite");
    for register in registrations {
        gui.send(register);
        let said = gui.ready();
        assert!(said.iter().any(|line| line.starts_with("info string register")), "{said:?}");
    }
    gui.expect_silence();
    gui.send("stop");
    assert_eq!(bestmoves(&gui.until("bestmove")), 1);
}

#[test]
fn castling_by_the_files_of_the_rooks() {
    let mut gui = Gui::new();
    gui.send("setoption name UCI_Chess960 value true");
    for (fen, castlings, played, after) in [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
            ["e1h1", "e1a1"],
            "e1h1 e8a8",
            "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2",
        ),
        // No king on the e-file, no rook in a corner.
        (
            "1r1k2r1/1p1p2p1/8/8/8/8/1P1P2P1/1R1K2R1 w GBgb - 0 1",
            ["d1g1", "d1b1"],
            "d1b1 d8g8",
            "1r3rk1/1p1p2p1/8/8/8/8/1P1P2P1/2KR2R1 w - - 2 2",
        ),
    ] {
        gui.send(format!("position fen {fen}"));
        assert_eq!(gui.ready(), [""; 0], "{fen}");
        gui.send("go perft 1");
        let moves = gui.until("Nodes searched: ");
        for castling in castlings {
            assert!(moves.contains(&format!("{castling}: 1")), "{castling} in {moves:?}");
            assert_eq!(gui.best(&format!("go depth 2 searchmoves {castling}")), castling);
        }
        gui.send(format!("position fen {fen} moves {played}"));
        assert_eq!(gui.ready(), [""; 0], "{played}");
        gui.send("d");
        let drawn = gui.until("Checkers:");
        assert!(drawn.contains(&format!("Fen: {after}")), "{drawn:?}");
    }
}

/// `script` gives the engine a terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_greeted() {
    let mut script = Command::new("script")
        .args(["-qec", env!("CARGO_BIN_EXE_tabiya"), "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script starts");
    let mut input = script.stdin.take().expect("piped");
    let mut lines = BufReader::new(script.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    let greeting = next();
    assert!(greeting.starts_with("Tabiya ") && greeting.contains("`help`"), "{greeting}");
    input.write_all(b"d\nquit\n").expect("it listens");
    while !next().contains("Fen: rnbqkbnr/") {}
    assert!(script.wait().expect("it ends").success());
}

fn python() -> Option<PathBuf> {
    let venv = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/venv/bin/python");
    [venv, "python3".into()].into_iter().find(|python| {
        let mut command = Command::new(python);
        command.args(["-c", "import chess.engine"]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

/// The Python package `chess` plays a game and analyses, if it is installed.
#[test]
fn the_python_package_drives_a_game_and_an_analysis() {
    const SCRIPT: &str = "
import chess, chess.engine, sys
with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=60) as engine:
    assert engine.id['name'].startswith('Tabiya')
    engine.configure({'Hash': 8, 'Move Overhead': 0, 'UCI_ShowWDL': True})

    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 60:
        clock = chess.engine.Limit(white_clock=2, black_clock=2, white_inc=0.01, black_inc=0.01)
        result = engine.play(board, clock, info=chess.engine.INFO_ALL, ponder=True)
        assert result.move in board.legal_moves
        assert result.info['score'].relative is not None and result.info['nodes'] > 0
        board.push(result.move)
    assert board.ply() >= 20

    kiwipete = chess.Board('r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1')
    infos = engine.analyse(kiwipete, chess.engine.Limit(depth=8), multipv=3)
    assert [info['multipv'] for info in infos] == [1, 2, 3]
    assert len({info['pv'][0] for info in infos}) == 3
    assert all(info['wdl'].relative.total() == 1000 for info in infos)

    with engine.analysis(chess.Board(), root_moves=[chess.Move.from_uci('a2a3')]) as analysis:
        for info in analysis:
            if info.get('depth', 0) >= 6:
                break
    assert analysis.wait().move == chess.Move.from_uci('a2a3')

    chess960 = chess.Board.from_chess960_pos(0)
    assert engine.play(chess960, chess.engine.Limit(nodes=3000)).move in chess960.legal_moves

    mate = chess.Board('7k/6Q1/5K2/8/8/8/8/8 b - - 0 1')
    assert engine.analyse(mate, chess.engine.Limit(depth=3))['score'].relative == chess.engine.Mate(0)
print('done')
";
    let Some(python) = python() else {
        println!("note: the Python package chess is not installed, and drives nothing");
        return;
    };
    let mut command = Command::new(python);
    let done = command.args(["-c", SCRIPT, env!("CARGO_BIN_EXE_tabiya")]).output().expect("starts");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.stdout, b"done\n");
}
