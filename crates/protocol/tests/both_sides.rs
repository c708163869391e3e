//! The client talks to the server: what one side writes the other understands.

use std::io::pipe;
use std::sync::{Arc, LazyLock};
use std::thread;
use tabiya_chess::{Game, Move, Position};
use tabiya_engine::{
    Analyst, AnalystError, Bound, Event, EventSink, Info, Limits, OptionError, OptionKind,
    OptionSetting, OptionSpec, RunOn, Score, SearchHandle, SearchResult,
};
use tabiya_protocol::client::{Timeouts, UciClient};
use tabiya_protocol::server::UciServer;

/// Plays any legal move, but castles as soon as it can; always the same in the same game.
struct Castler;

static OPTIONS: LazyLock<[OptionSpec; 1]> = LazyLock::new(|| {
    let kind = OptionKind::Text { default: "a  b".to_owned() };
    [OptionSpec { name: "Two Words".to_owned(), kind, help: String::new() }]
});

struct Decided(SearchResult);

impl SearchHandle for Decided {
    fn stop(&self) {}

    fn ponder_hit(&self) {}

    fn wait(&self) -> Result<SearchResult, AnalystError> {
        Ok(self.0.clone())
    }
}

fn choose(game: &Game) -> Option<Move> {
    let moves = game.position().legal_moves();
    let castling = moves.iter().copied().find(|mv| mv.is_castling());
    let any = || {
        let number = game.position().keys().position as usize;
        moves.get(number % moves.len().max(1)).copied()
    };
    castling.or_else(any)
}

impl Analyst for Castler {
    fn name(&self) -> String {
        "Castler".to_owned()
    }

    fn author(&self) -> String {
        "A. Smith".to_owned()
    }

    fn options(&self) -> &[OptionSpec] {
        &*OPTIONS
    }

    fn apply_option(&mut self, _: OptionSetting) -> Result<(), OptionError> {
        Ok(())
    }

    fn new_game(&mut self) -> Result<(), AnalystError> {
        Ok(())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError> {
        let best = choose(game);
        let info = Event::Info(Info {
            depth: limits.depth.unwrap_or(1),
            selective_depth: 9,
            line: 1,
            score: Score::Mate(-(game.moves().len() as i32)),
            bound: Bound::Lower,
            wdl: None,
            nodes: 77,
            time: std::time::Duration::ZERO,
            hash_full: None,
            tablebase_hits: 0,
            pv: best.into_iter().collect(),
        });
        if let Some(mut report) = report {
            report(&info);
        }
        Ok(Arc::new(Decided(SearchResult { best, ..SearchResult::default() })))
    }
}

fn client() -> UciClient {
    let (input, writer) = pipe().unwrap();
    let (reader, output) = pipe().unwrap();
    thread::spawn(move || UciServer::new(Box::new(Castler), output).run(input));
    UciClient::connect("castler", reader, writer, Timeouts::default()).unwrap()
}

#[test]
fn whole_games() {
    let mut client = client();
    let starts = [0, 99, 356, 518, 700, 959].map(|number| Position::chess960(number).unwrap());
    let mut castled = 0;
    for start in [Position::start()].into_iter().chain(starts) {
        client.new_game().unwrap();
        let mut game = Game::new(start);
        while game.moves().len() < 200 && game.outcome().is_none() {
            let limits = Limits { depth: Some(3), ..Limits::default() };
            let result =
                client.search(&game, &limits, RunOn::OwnThread, None).unwrap().wait().unwrap();
            assert_eq!(result.best, choose(&game));
            let info = result.info.unwrap();
            assert_eq!((info.depth, info.pv.first()), (3, result.best.as_ref()));
            assert_eq!(info.score, Score::Mate(-(game.moves().len() as i32)));
            let mv = result.best.unwrap();
            castled += usize::from(mv.is_castling());
            game.play(mv).unwrap();
        }
    }
    // Otherwise this would prove little about Chess960.
    assert!(castled >= 5, "castled only {castled} times");
}

#[test]
fn the_introduction() {
    let mut client = client();
    assert_eq!((client.name().as_str(), client.author().as_str()), ("Castler", "A. Smith"));
    let options = client.options();
    assert_eq!(options[..1], Castler.options()[..]);
    let names: Vec<&str> = options.iter().map(|spec| spec.name.as_str()).collect();
    assert_eq!(names[1..], ["Ponder", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode"]);
    client.set_option("two words", "x").unwrap();
}

#[test]
fn no_move_where_there_is_none() {
    let mut client = client();
    let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").unwrap();
    let (game, limits) = (Game::new(stalemate), Limits::default());
    let search = client.search(&game, &limits, RunOn::OwnThread, None).unwrap();
    search.stop();
    assert_eq!(search.wait().unwrap().best, None);
}
