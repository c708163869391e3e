//! Games with real engines, from Debian's packages.
//!
//! `cargo test -p tabiya-protocol --test engines -- --ignored`

use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tabiya_chess::{Game, Position};
use tabiya_engine::{AnalystError, Clock, Event, Limits, OptionKind};
use tabiya_protocol::client::{CecpClient, Remote, Timeouts, UciClient};

#[derive(Clone, Copy, PartialEq)]
enum Protocol {
    Uci,
    Cecp,
}

/// An engine, and its process, which ends with it.
struct Peer {
    client: Box<dyn Remote>,
    process: Child,
}

impl Peer {
    fn start(command: &str, protocol: Protocol) -> Peer {
        let mut words = command.split(' ');
        let program = format!("/usr/games/{}", words.next().unwrap());
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{command}: {error}"));
        let writer = process.stdin.take().unwrap();
        let reader = process.stdout.take().unwrap();
        let timeouts = Timeouts::default();
        let client: Box<dyn Remote> = match protocol {
            Protocol::Uci => {
                Box::new(UciClient::connect(command, reader, writer, timeouts).unwrap())
            }
            Protocol::Cecp => {
                Box::new(CecpClient::connect(command, reader, writer, timeouts).unwrap())
            }
        };
        Peer { client, process }
    }

    /// Lets it play both sides for a while, and returns how the game went and how many events came.
    fn play(&mut self, start: &Position, plies: usize, limits: &Limits) -> (Game, usize) {
        let events = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let mut game = Game::new(start.clone());
        self.client.new_game().unwrap();
        while game.moves().len() < plies && game.outcome().is_none() && game.claim().is_none() {
            let count = std::sync::Arc::clone(&events);
            let report = Box::new(move |event: &Event| {
                if let Event::Info(info) = event {
                    let seen = usize::from(!info.pv.is_empty());
                    count.fetch_add(seen, std::sync::atomic::Ordering::Relaxed);
                }
            });
            let search = self.client.remote_search(&game, limits, Some(report)).unwrap();
            let result = search.wait_for(Duration::from_secs(30)).expect("an answer").unwrap();
            let Some(best) = result.best else {
                assert!(search.gesture().is_some(), "no move in {}", game.position().fen());
                break;
            };
            assert!(search.thinking_time().unwrap() < Duration::from_secs(10));
            game.play(best).unwrap();
        }
        (game, events.load(std::sync::atomic::Ordering::Relaxed))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn blitz() -> Limits {
    let clock = Clock {
        remaining: Duration::from_secs(2),
        increment: Duration::from_millis(20),
        moves_to_go: None,
    };
    Limits { clock: Some(clock), opponent_clock: Some(clock), ..Limits::default() }
}

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// What an engine cannot do.
#[derive(Clone, Copy, PartialEq)]
enum Lack {
    /// It begins every game at the usual start.
    Positions,
    /// It does not listen while it thinks.
    Interruption,
}

fn check(command: &str, protocol: Protocol, lacks: &[Lack]) {
    let mut peer = Peer::start(command, protocol);
    for spec in peer.client.options().to_vec() {
        if let ("Hash", OptionKind::Spin { min, max, .. }) = (spec.name.as_str(), &spec.kind) {
            peer.client.set_option("Hash", &16.clamp(*min, *max).to_string()).unwrap();
        }
    }
    let (game, events) = peer.play(&Position::start(), 60, &blitz());
    assert!(game.moves().len() >= 10);
    assert!(events > 0);

    let brief = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
    let kiwipete = Position::from_fen(KIWIPETE).unwrap();
    if !lacks.contains(&Lack::Positions) {
        let (game, _) = peer.play(&kiwipete, 20, &brief);
        assert!(game.moves().len() >= 10 || game.outcome().is_some());
    } else {
        let error = peer.client.remote_search(&Game::new(kiwipete), &brief, None).err();
        assert!(matches!(error, Some(AnalystError::Protocol { .. })), "{error:?}");
    }

    // An opening out of its book, so that it has to think.
    let mut game = Game::new(Position::start());
    for text in ["h2h4", "a7a5", "h1h3", "a8a6", "h3c3", "a6e6"] {
        game.play(game.position().parse_uci(text).unwrap()).unwrap();
    }
    let search = peer.client.remote_search(&game, &Limits::default(), None).unwrap();
    assert_eq!(search.wait_for(Duration::from_millis(300)), None, "{command} did not wait");
    use tabiya_engine::SearchHandle;
    search.stop();
    if lacks.contains(&Lack::Interruption) {
        assert!(matches!(search.wait(), Err(AnalystError::Silent { .. })));
        return;
    }
    search.wait().unwrap();
}

macro_rules! peers {
    ($($name:ident: $command:literal, $protocol:ident, $($lack:ident)*;)*) => {$(
        #[test]
        #[ignore = "needs the engine of that name"]
        fn $name() {
            check($command, Protocol::$protocol, &[$(Lack::$lack),*]);
        }
    )*};
}

peers! {
    stockfish: "stockfish", Uci,;
    ethereal: "ethereal-chess", Uci,;
    toga: "toga2", Uci,;
    gnu_chess: "gnuchess --uci", Uci,;
    phalanx: "phalanx", Cecp, Interruption;
    fairy_max: "fairymax", Cecp, Positions Interruption;
    sjeng: "sjeng", Cecp,;
    hoi_chess: "hoichess", Cecp, Interruption;
}

#[test]
#[ignore = "needs Stockfish"]
fn chess960() {
    let mut peer = Peer::start("stockfish", Protocol::Uci);
    let depth = Limits { depth: Some(5), ..Limits::default() };
    for number in [0, 17, 518, 959] {
        let (game, _) = peer.play(&Position::chess960(number).unwrap(), 40, &depth);
        assert!(game.moves().len() >= 20);
    }
}
