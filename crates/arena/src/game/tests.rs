use super::*;
use crate::testing::{factory, nodes, spec};
use crate::watchdog::Interrupt;
use tabiya_chess::Position;

fn opening(fen: &str) -> Arc<Opening> {
    Arc::new(Game::new(Position::from_fen(fen).unwrap()).into())
}

fn start() -> Arc<Opening> {
    Arc::new(Game::new(Position::start()).into())
}

fn game(
    names: [&str; 2],
    opening: &Arc<Opening>,
    limits: PlayerLimits,
    rules: &GameRules,
) -> Option<PlayedGame> {
    let own_engine = factory();
    let [mut white, mut black] =
        names.map(|name| Player::start(&spec(name), &*own_engine).unwrap());
    let players = [&mut white, &mut black].map(|player| GamePlayer { player, limits });
    let watchdog = Watchdog::new(&Interrupt::new()).unwrap();
    play(players, opening, rules, &watchdog)
}

fn ending(names: [&str; 2], opening: &Arc<Opening>) -> (GameResult, Reason, usize) {
    let played = game(names, opening, nodes(), &GameRules::default()).unwrap();
    assert_eq!(played.ending.fault, None);
    (played.ending.result, played.ending.reason, played.moves.len())
}

fn fault(name: &str, limits: &str, rules: &GameRules) -> (Reason, String) {
    let played = game([name, "random"], &start(), limits.parse().unwrap(), rules).unwrap();
    assert_eq!(played.ending.result, GameResult::Black, "{:?}", played.ending);
    assert_eq!(played.moves.len(), 4, "two moves each before the third");
    assert_eq!(played.failed(), Some(Color::White));
    (played.ending.reason, played.ending.fault.unwrap())
}

#[test]
fn the_rules_end_games() {
    use GameResult::{Black, Draw};
    let mate = ["script f2f3 g2g4", "script e7e5 d8h4"];
    assert_eq!(ending(mate, &start()), (Black, Reason::Checkmate, 4));

    let shuffle = "script g1f3 f3g1 g1f3 f3g1 g1f3";
    let reply = "script g8f6 f6g8 g8f6 f6g8 g8f6";
    assert_eq!(ending([shuffle, reply], &start()), (Draw, Reason::Repetition, 8));

    let stalemate = opening("7k/8/8/6Q1/8/8/8/K7 w - - 0 1");
    let white = ["script g5g6", "random"];
    assert_eq!(ending(white, &stalemate), (Draw, Reason::Stalemate, 1));

    let bare = opening("7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    let takes = ["script a1b2", "random"];
    assert_eq!(ending(takes, &bare), (Draw, Reason::InsufficientMaterial, 1));

    let fifty = opening("7k/8/8/8/8/8/1R6/K7 w - - 98 80");
    let slow = ["script b2b3 b3b4", "script h8g8 g8h8"];
    assert_eq!(ending(slow, &fifty), (Draw, Reason::FiftyMoves, 2));

    // A mate with the hundredth ply is a mate.
    let last = opening("7k/8/6K1/8/8/8/8/R7 w - - 99 80");
    let mates = ["script a1a8", "random"];
    assert_eq!(ending(mates, &last), (GameResult::White, Reason::Checkmate, 1));
}

#[test]
fn an_opening_that_is_over_ends_at_once() {
    let over = opening("7k/8/8/8/8/8/8/K7 w - - 0 1");
    let played = game(["random", "random"], &over, nodes(), &GameRules::default()).unwrap();
    assert_eq!(played.ending.reason, Reason::InsufficientMaterial);
    assert!(played.moves.is_empty());
}

#[test]
fn who_misbehaves_loses_by_name() {
    for (trick, reason, message) in [
        ("illegal", Reason::IllegalMove, "played a1h8, which is not legal there"),
        ("nomove", Reason::IllegalMove, "played no move where there was one"),
        ("crash", Reason::Crash, "crashed: it closed its output"),
        ("panic", Reason::Crash, "crashed: it panicked: a mistake in the search"),
        ("silent", Reason::Hang, "did not answer within 5s"),
        ("nonsense", Reason::IllegalMove, "played no legal move: bestmove \"xyzzy\""),
        ("refuse", Reason::Nonsense, "broke the protocol: it does not read"),
    ] {
        let name = format!("random {trick}@3");
        let (found, what) = fault(&name, "nodes=1", &GameRules::default());
        assert_eq!(found, reason, "{trick}");
        assert!(what.contains(&format!("{name} {message}")), "{what}");
    }
}

#[test]
fn who_is_late_is_stopped_and_loses_on_time() {
    let begin = Instant::now();
    for limits in ["tc=0.2+0.01", "movetime=100"] {
        let (reason, what) = fault("random late@3", limits, &GameRules::default());
        assert_eq!(reason, Reason::TimeForfeit);
        assert!(what.starts_with("random late@3 was late: "), "{what}");
    }
    let (reason, what) = fault(
        "random late@3",
        "nodes=1",
        &GameRules { patience: Duration::from_millis(50), ..GameRules::default() },
    );
    assert_eq!(reason, Reason::Hang);
    assert!(what.ends_with("did not move within 50ms"), "{what}");
    // Each would have thought for ten seconds.
    assert!(begin.elapsed() < Duration::from_secs(8));
}

#[test]
fn an_interrupt_breaks_a_game_off_in_the_middle_of_a_thought() {
    let own_engine = factory();
    let [mut white, mut black] =
        ["random late@1", "random"].map(|name| Player::start(&spec(name), &*own_engine).unwrap());
    let players = [&mut white, &mut black].map(|player| GamePlayer { player, limits: nodes() });
    let interrupt = Interrupt::new();
    let watchdog = Watchdog::new(&interrupt).unwrap();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            interrupt.raise();
        });
        assert!(play(players, &start(), &GameRules::default(), &watchdog).is_none());
    });
    assert!(begin.elapsed() < Duration::from_secs(8));
}

#[test]
fn moves_tell_what_their_players_said() {
    let mate = ["script f2f3 g2g4", "script e7e5 d8h4"];
    let played = game(mate, &start(), nodes(), &GameRules::default()).unwrap();
    let last = played.moves.last().unwrap();
    assert_eq!((last.score, last.depth), (Some(Score::Centipawns(25)), Some(1)));
}

#[test]
fn adjudication_ends_games_early_but_never_against_the_rules() {
    let rules = GameRules {
        adjudication: Adjudication {
            draw: Some("score=25 moves=2 after=0".parse().unwrap()),
            ..Adjudication::default()
        },
        ..GameRules::default()
    };
    let played = game(["random", "random:1"], &start(), nodes(), &rules).unwrap();
    assert_eq!((played.ending.reason, played.moves.len()), (Reason::DrawAdjudicated, 4));
    let mate = ["script f2f3 g2g4", "script e7e5 d8h4"];
    let played = game(mate, &start(), nodes(), &rules).unwrap();
    assert_eq!(played.ending.reason, Reason::Checkmate);
}
