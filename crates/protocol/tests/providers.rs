//! Another part of the program gives the engine a book and an option for it. That is all it takes to see the
//! option in a GUI, to set it, and to get the book's moves.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tabiya_chess::{Game, Move};
use tabiya_engine::{Book, Engine, OptionRegistry};
use tabiya_protocol::server::UciServer;

/// Knows one line of moves.
struct Line(&'static [&'static str]);

impl Book for Line {
    fn book_move(&self, game: &Game) -> Option<Move> {
        let played = game.moves().len();
        let mut known = Game::new(game.start().clone());
        for mv in &self.0[..played.min(self.0.len())] {
            known.play(known.position().parse_uci(mv).ok()?).ok()?;
        }
        let next = self.0.get(played).filter(|_| known.moves() == game.moves())?;
        known.position().parse_uci(next).ok()
    }
}

/// What a provider adds: an option that opens and closes its book.
fn add_book(options: &mut OptionRegistry<Engine>) {
    let book: Arc<dyn Book> = Arc::new(Line(&["a2a3", "h7h6", "h2h4"]));
    options.check("OwnBook", false, "Plays from a book.", move |engine, on| {
        engine.set_book(on.then(|| Arc::clone(&book)));
        Ok(())
    });
}

#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the engine says to these lines, with the book's option.
fn said_to(input: &str) -> String {
    let mut engine = Engine::new().unwrap();
    engine.extend_options(add_book);
    let text = Text::default();
    UciServer::new(Box::new(engine), text.clone()).run(input.as_bytes());
    let bytes = text.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_providers_option_is_listed_behind_the_engines_own() {
    let said = said_to("uci");
    let options: Vec<&str> = said.lines().filter(|line| line.starts_with("option ")).collect();
    let own = options.iter().position(|line| line.contains(" Eval Terms ")).unwrap();
    assert_eq!(options[own + 1], "option name OwnBook type check default false");
    let refused = said_to("setoption name OwnBook value maybe");
    let expected =
        "info string setoption: option OwnBook: \"maybe\" does not fit; it takes true or false\n";
    assert_eq!(refused, expected);
}

#[test]
fn the_book_plays_while_it_knows_a_move_and_only_in_games() {
    let on = "setoption name ownbook value true\n";
    let searched = |input: &str| said_to(input).contains("info depth");
    assert_eq!(said_to(&format!("{on}go depth 1")), "bestmove a2a3\n");
    assert_eq!(said_to(&format!("{on}go wtime 1000 btime 1000")), "bestmove a2a3\n");
    let third = format!("{on}position startpos moves a2a3 h7h6\ngo nodes 100");
    assert_eq!(said_to(&third), "bestmove h2h4\n");
    // Without the option, out of the book, and where the user wants to analyse.
    for input in [
        "go depth 1",
        &format!("{on}setoption name OwnBook value false\ngo depth 1"),
        &format!("{on}position startpos moves e2e4\ngo depth 1"),
        &format!("{on}position startpos moves a2a3 h7h6 h2h4\ngo depth 1"),
        &format!("{on}go depth 1 searchmoves e2e4"),
        &format!("{on}setoption name MultiPV value 2\ngo depth 1"),
        &format!("{on}go mate 1 depth 1"),
    ] {
        assert!(searched(input), "{input}");
    }
}

/// Says that a move is in the book which is legal in no position.
struct Wrong;

impl Book for Wrong {
    fn book_move(&self, _: &Game) -> Option<Move> {
        Some(Move::normal(tabiya_chess::Square::A1, tabiya_chess::Square::B3))
    }
}

#[test]
fn an_illegal_move_in_a_book_is_left_out() {
    let mut engine = Engine::new().unwrap();
    engine.set_book(Some(Arc::new(Wrong)));
    let text = Text::default();
    UciServer::new(Box::new(engine), text.clone()).run(&b"go depth 1"[..]);
    let said = String::from_utf8(text.0.lock().unwrap().clone()).unwrap();
    assert!(said.contains("info depth 1 "), "{said}");
    assert!(!said.contains("bestmove a1b3"), "{said}");
}
