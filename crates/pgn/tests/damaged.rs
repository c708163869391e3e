//! Damaged files: the good part is kept, the fault is named by game and move, the next game is read.

use tabiya_chess::GameResult;
use tabiya_pgn::{Fault, FaultKind, PgnReader, ReadGame, limits};

fn read(bytes: &[u8]) -> Vec<ReadGame> {
    PgnReader::new(bytes).collect::<Result<_, _>>().expect("bytes in memory")
}

fn movetext(game: &ReadGame) -> String {
    let text = game.game.to_string();
    text.split_once("\n\n").expect("tags and moves").1.replace('\n', " ").trim().to_owned()
}

fn faults(game: &ReadGame) -> Vec<String> {
    game.faults.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_damaged_is_named_and_the_rest_is_kept() {
    let table: &[(&str, &str, &[&str])] = &[
        ("1. e4 e5 2. Nf9 Nc6 1-0", "1. e4 e5 1-0", &["game 1, move 2: \"Nf9\" is not a move in"]),
        ("1. e4 Ke4 2. d4 1-0", "1. e4 1-0", &["game 1, move 1...: \"Ke4\" is not legal here"]),
        ("[FEN \"4k3/8/8/8/8/8/8/RN2KN1R w - - 0 1\"]\n\n1. Nd2 *", "*", &["may mean any of"]),
        (
            "1. e4 (1. d5 d5) (1. c4 c5) e5 *",
            "1. e4 (1. c4 c5) 1... e5 *",
            &["move 1 of a variation: \"d5\""],
        ),
        (
            "1. e4 (1. d4 Nz6 2. c4) e5 *",
            "1. e4 (1. d4) 1... e5 *",
            &["move 1... of a variation: \"Nz6\""],
        ),
        (
            "1. e4 +- e5 TN 2. d4 *",
            "1. e4 e5 2. d4 *",
            &["\"+-\" means nothing", "\"TN\" means nothing"],
        ),
        ("1. e4 $300 e5 !!! *", "1. e4 e5 *", &["\"$300\" is no NAG", "\"!!!\" is no NAG"]),
        ("$3 1. e4 e5 *", "1. e4 e5 *", &["\"$3\" is no NAG"]),
        ("1. e4 } e5 *", "1. e4 e5 *", &["a comment ends (with a brace) that did not begin"]),
        (
            "1. e4 {never ends 1... e5 *",
            "1. e4 {never ends 1... e5 *} *",
            &["does not end", "without a result"],
        ),
        ("1. e4 e5) 2. d4 *", "1. e4 e5 2. d4 *", &["a variation ends that did not begin"]),
        ("(1. d4) 1. e4 *", "1. e4 *", &["a variation without a move before it"]),
        (
            "1. e4 (1. d4 d5",
            "1. e4 (1. d4 d5) *",
            &["a variation does not end", "without a result"],
        ),
        ("1. e4 (1. d4 0-1) e5 *", "1. e4 (1. d4) 1... e5 *", &["the result 0-1 in a variation"]),
        ("1. e4 1-0 e5 2. d4", "1. e4 1-0", &["what follows the result is left out"]),
        ("1. e4 1-0 (1. d4) {end}", "1. e4 {end} 1-0", &["what follows the result is left out"]),
        ("1. e4 e5", "1. e4 e5 *", &["the game ends without a result"]),
        ("[Result \"1-0\"]\n1. e4 e5", "1. e4 e5 1-0", &["the game ends without a result"]),
        ("[Result \"1-0\"]\n1. e4 0-1", "1. e4 0-1", &["the tag says 1-0, the moves end in 0-1"]),
        ("[Result \"won\"]\n1. e4 0-1", "1. e4 0-1", &["its Result tag: \"won\" is none of"]),
        (
            "[Event]\n[Site \"a]\n[Round \"2\"]\n*",
            "*",
            &["\"[Event]\" is not a tag", "\"[Site \\\"a]\" is not a tag"],
        ),
        ("[White \"a\"]\n[White \"b\"]\n*", "*", &["(a - ?): the tag \"White\" comes again"]),
        ("[FEN \"8/8 w\"]\n\n1. e4 *", "*", &["game 1: its FEN tag: "]),
        ("[Variant \"Atomic\"]\n\n1. e4 *", "*", &["\"Atomic\" is not a variant that is known"]),
        ("hello *", "*", &["game 1, move 1: \"hello\" is not a move"]),
        ("<html> 1. e4 *", "*", &["\"<html>\" is not a move"]),
        (
            "[Fen \"4k3/8/8/8/8/8/4q3/4K3 w - - 0 1\"]\n1. -- *",
            "*",
            &["a side in check cannot pass"],
        ),
        (
            "1. e4 (1. c4 (1. d5 d5) c5) e5 *",
            "1. e4 (1. c4 c5) 1... e5 *",
            &["move 1 of a variation"],
        ),
    ];
    let next = "\n\n[Event \"Next\"]\n[White \"Smith\"]\n\n1. d4 d5 1/2-1/2\n";
    for &(text, kept, expected) in table {
        for (text, games) in [(text.to_owned(), 1), (format!("{text}{next}"), 2)] {
            for text in [text.replace('\n', "\r\n"), text] {
                let read = read(text.as_bytes());
                assert_eq!(read.len(), games, "{text}");
                assert_eq!(movetext(&read[0]), kept, "{text}");
                let found = faults(&read[0]);
                assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
                for (found, expected) in found.iter().zip(expected) {
                    assert!(found.contains(expected), "{text}: {found}");
                    assert!(found.starts_with("game 1"), "{found}");
                }
                if let Some(next) = read.get(1) {
                    assert_eq!(movetext(next), "1. d4 d5 1/2-1/2");
                    assert_eq!(faults(next), [""; 0]);
                }
            }
        }
    }
}

#[test]
fn a_fault_names_game_players_and_move() {
    let text = "1. e4 *\n\n[White \"Smith\"]\n[Black \"Jones\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 23\"]\n\n23... Kf9 *";
    let games = read(text.as_bytes());
    let fault: &Fault = games[1].faults.iter().next().unwrap();
    let shown = fault.to_string();
    assert!(
        shown.starts_with("game 2 (Smith - Jones), move 23...: \"Kf9\" is not a move"),
        "{shown}"
    );
    assert!(matches!(fault.kind, FaultKind::Move(_)) && fault.ends_main_line());
    assert_eq!(games[1].line, 3);
}

#[test]
fn oddities_are_no_faults() {
    for (text, kept) in [
        ("\u{feff}1. e4 e5 1-0", "1. e4 e5 1-0"),
        ("% escape\n1. e4\n% {\ne5 1-0", "1. e4 e5 1-0"),
        ("1. e4\n\n\ne5\n \n2. d4 *", "1. e4 e5 2. d4 *"),
        ("1.e4!?e5?2.d4$5*", "1. e4 $5 e5 $2 2. d4 $5 *"),
        ("1e4 1...e5 2.0-0 *", "1. e4 e5 *"),
        ("1 e4 e5 2 Nf3 1/2", "1. e4 e5 2. Nf3 1/2-1/2"),
        ("1. e4 d5 2. e5 f5 3. exf6e.p. ½–½", "1. e4 d5 2. e5 f5 3. exf6 1/2-1/2"),
        ("1. e4 d5 2. e5 f5 3. exf6 e.p. *", "1. e4 d5 2. e5 f5 3. exf6 *"),
        ("1. e4 ; a } b\n1... e5 ;{\n*", "1. e4 {a ) b} 1... e5 {(} *"),
        ("1. e4 {a\n\nb {c\n% d} e5 *", "1. e4 {a b (c % d} 1... e5 *"),
        ("1. e4 {} ({x}) {y} e5 *", "1. e4 {x} {y} 1... e5 *"),
        ("1. e4 ({x} 1. d4 {y}) e5 *", "1. e4 ({x} 1. d4 {y}) 1... e5 *"),
        (
            "{start} 1. e4 {[%clk 0:00:59.9]} 1-0 {end}",
            "{start} 1. e4 {[%clk 0:00:59.9]} {end} 1-0",
        ),
        ("1. e4 (1. -- d5 (1... e5)) *", "1. e4 (1. -- d5 (1... e5)) *"),
        ("1. e2e4 e7-e5 2. Ng1-f3 ng8 *", "1. e4 e5 2. Nf3 *"),
        ("1. e4\0e5\x07 2. d4\0\0*", "1. e4 e5 2. d4 *"),
        ("[Event \"a\"] [Site \"b\"]\n*", "*"),
        (
            "{[Event \"no tag\"]\n[Event \"no tag\"]} 1. e4 *",
            "{[Event \"no tag\"] [Event \"no tag\"]} 1. e4 *",
        ),
    ] {
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 1, "{text}");
        let expected = usize::from(text.contains("0-0 ") || text.contains("ng8"));
        assert_eq!(faults(&games[0]).len(), expected, "{text}: {:?}", faults(&games[0]));
        assert_eq!(movetext(&games[0]), kept, "{text}");
    }
    for nothing in ["", "\n \r\n", "\u{feff}", "% only\n%", "\0\0"] {
        assert!(read(nothing.as_bytes()).is_empty(), "{nothing:?}");
    }
}

#[test]
fn games_are_kept_apart() {
    for (text, results) in [
        ("1. e4 1-0\n1. d4 0-1\n\n1. c4 *", "1-0 0-1 *"),
        ("1. e4 e5\n\n1. d4 d5\n", "* *"),
        ("[Event \"a\"]\n\n[Event \"b\"]\n\n*\n[Event \"c\"]\n[Result \"1-0\"]", "* * 1-0"),
        ("; preamble\n[Event \"a\"]\n{c} 1. e4 1-0\n", "1-0"),
        ("[Event \"a\"]\n1. e4 {open\n\n[Event \"b\"]\n1. d4 0-1", "* 0-1"),
        ("[Event \"a\"]\n1. e4 (1. d4 {\n\n[Event \"b\"]\n1. d4 0-1", "* 0-1"),
    ] {
        let found: Vec<_> =
            read(text.as_bytes()).iter().map(|game| game.game.result().to_string()).collect();
        assert_eq!(found.join(" "), results, "{text}");
    }
}

#[test]
fn latin_1_is_survived() {
    let games =
        read(b"[White \"M\xfcller\"]\n[Black \"\xc3\xa9t\xc3\xa9\"]\n\n1. e4 {sch\xf6n \x96} *");
    assert_eq!(games[0].game.tags().get("White"), Some("Müller"));
    assert_eq!(games[0].game.tags().get("Black"), Some("été"));
    assert_eq!(movetext(&games[0]), "1. e4 {schön –} *");
    assert!(games[0].faults.is_empty());
}

#[test]
fn bounds_are_kept_and_named() {
    let one = |text: String| {
        let mut games = read(text.as_bytes());
        assert_eq!(games.len(), 1);
        games.remove(0)
    };
    let long = "x".repeat(limits::COMMENT_CHARS);
    let game =
        one(format!("1. e4 {{{long}}} {{{long}x}} 1... e5 {{{}}} *", "\n".repeat(2_000_000)));
    assert_eq!(game.game.comments(game.game.main_line().next().unwrap()).len(), 1);
    assert_eq!(faults(&game).len(), 2);
    assert!(faults(&game).iter().all(|fault| fault.contains("comment of more than 65536")));

    let deep = limits::DEPTH + 5;
    let game = one(format!("1. e4 {}{} 1... e5 *", "(1. d4 ".repeat(deep), ")".repeat(deep)));
    assert_eq!(game.game.len(), limits::DEPTH + 2);
    assert_eq!(faults(&game).len(), 1);
    assert!(faults(&game)[0].contains("nested more than 100 deep"));

    let value = "\\\"".repeat(limits::TAG_BYTES);
    let game = one(format!("[A \"{value}\"]\n[B \"{value}x\"]\n[C \"{value}{value}\"]\n*"));
    assert_eq!(game.game.tags().get("A"), Some(&*"\"".repeat(limits::TAG_BYTES)));
    assert_eq!(faults(&game).len(), 2, "{:?}", faults(&game));
    assert!(faults(&game).iter().all(|fault| fault.contains("4096 bytes at most")));

    let tags: String = (0..300).map(|number| format!("[T{number} \"x\"]\n")).collect();
    let game = one(format!("{tags}1. e4 *"));
    assert_eq!(game.game.tags().iter().count(), limits::TAGS - 4);
    assert!(faults(&game)[0].contains("a game has 256 tags at most"));
    assert_eq!(game.game.main_line().count(), 1);

    let game = one("1. e4 ".to_owned() + &"}".repeat(1000) + " 1... e5 *");
    assert_eq!(
        (game.faults.iter().count(), game.faults.left_out()),
        (limits::FAULTS, 1000 - limits::FAULTS)
    );

    let word = "N".repeat(1 << 20);
    let game = one(format!("1. e4 {word} *"));
    assert!(faults(&game)[0].len() < 200);
}

#[test]
fn a_game_beyond_the_bound_ends_there_and_the_next_is_read() {
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat((limits::GAME_BYTES / 16) as usize + 2);
    let text = format!("{shuffle} 1-0\n\n[Event \"b\"]\n\n1. e4 0-1");
    let games = read(text.as_bytes());
    assert_eq!(games.len(), 2);
    assert!(games[0].game.main_line().count() as u64 >= limits::GAME_BYTES / 4);
    let long = games[0].faults.iter().next().unwrap();
    assert!(long.ends_main_line() && long.kind == FaultKind::LongGame);
    assert_eq!(games[1].game.result(), GameResult::Black.into());
}

/// What is kept must be found again when the game is read back.
#[test]
fn a_tag_whose_name_begins_with_a_digit_is_left_out_and_named() {
    for tag in ["[ 5White \"x\"]", "[\x015White \"x\"]", "[ _White \"x\"]"] {
        let [game] = &read(format!("{tag}\n\n1. e4 *").as_bytes())[..] else { panic!("{tag}") };
        assert_eq!(game.game.main_line().count(), 1);
        assert_eq!(faults(game).len(), 1, "{:?}", faults(game));
        assert!(faults(game)[0].contains("White"), "{:?}", faults(game));
        let again = read(game.game.to_string().as_bytes());
        assert!(again.iter().all(|game| faults(game).is_empty()), "{tag}");
    }
}

#[test]
fn a_stream_that_fails_says_so_once() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("unplugged"))
        }
    }
    let stream = std::io::Read::chain(&b"1. e4 *\n\n1. d4"[..], Broken);
    let mut reader = PgnReader::new(stream);
    assert!(reader.next().is_some_and(|read| read.is_ok()));
    assert_eq!(reader.next().unwrap().unwrap_err().to_string(), "unplugged");
    assert!(reader.next().is_none());
}
