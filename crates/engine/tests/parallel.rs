//! Several threads on one position.

use std::sync::mpsc::channel;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use tabiya_chess::{Game, Move, Position};
use tabiya_engine::bench::bench;
use tabiya_engine::{
    Analyst, Clock, Engine, Event, Limits, OptionKind, RunOn, Score, SearchResult,
};

const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";
/// What a stopped search may take on a busy machine.
const DEADLINE: Duration = Duration::from_secs(1);

/// A test with a deadline has the machine to itself, as far as this file goes. With nextest, whose tests do
/// not share this lock, its configuration sees to it.
static MACHINE: RwLock<()> = RwLock::new(());

/// Is held by those who have none.
fn no_hurry() -> RwLockReadGuard<'static, ()> {
    MACHINE.read().unwrap_or_else(PoisonError::into_inner)
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

/// Every mode that the engine offers.
fn modes() -> Vec<String> {
    let options = Engine::new().unwrap().options().to_vec();
    let mode = options.into_iter().find(|option| option.name == "Parallel Mode").unwrap();
    match mode.kind {
        OptionKind::Combo { choices, .. } => choices,
        other => panic!("a choice was expected: {other:?}"),
    }
}

fn engine(mode: &str, threads: usize) -> Engine {
    let mut engine = Engine::new().unwrap();
    engine.set_option("Parallel Mode", mode).unwrap();
    engine.set_option("Threads", &threads.to_string()).unwrap();
    engine
}

fn decide(engine: &mut Engine, game: &Game, limits: &Limits) -> SearchResult {
    engine.search(game, limits, RunOn::OwnThread, None).unwrap().wait().unwrap()
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

#[test]
fn one_thread_is_the_sequential_search_to_the_node() {
    let _machine = no_hurry();
    let sequential = bench(&mut Engine::new().unwrap(), 6, |_, _| ()).unwrap();
    for mode in modes().iter().filter(|mode| *mode != "deterministic") {
        // After having been more.
        let mut engine = engine(mode, 3);
        engine.set_option("Threads", "1").unwrap();
        assert_eq!(bench(&mut engine, 6, |_, _| ()).unwrap().nodes, sequential.nodes, "{mode}");
    }
}

#[test]
fn many_threads_find_what_one_finds() {
    let _machine = no_hurry();
    for mode in modes() {
        for threads in [2, 5] {
            let mut engine = engine(&mode, threads);
            for (fen, best) in [
                ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8"),
                ("6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1", "d1d8"),
            ] {
                let game = game(fen);
                let result = decide(&mut engine, &game, &depth(8));
                assert_eq!(result.best, game.position().parse_uci(best).ok(), "{mode} {fen}");
                let info = result.info.unwrap();
                assert!(matches!(info.score, Score::Mate(1..)), "{mode} {fen} {info:?}");
                assert_eq!(info.pv.first().copied(), result.best);
            }
            // No move, no search.
            let mated = decide(&mut engine, &game("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), &depth(5));
            assert_eq!(mated.best, None);
        }
    }
}

/// Where all moves are searched at once, pruned moves must not make false mates, nor shorter ones.
#[test]
fn mates_are_as_long_as_they_are_when_everything_is_split() {
    let _machine = no_hurry();
    let mut engine = Engine::tunable().unwrap();
    for (option, value) in [
        ("Parallel Mode", "ybwc"),
        ("Threads", "5"),
        ("ybwc_depth", "1"),
        ("ybwc_standing_depth", "1"),
        ("ybwc_max_threads", "8"),
    ] {
        engine.set_option(option, value).unwrap();
    }
    for (fen, distance) in [
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
        ("6k1/5ppp/8/8/8/8/r4PPP/3R2K1 w - - 0 1", 1),
        ("k7/8/2K5/8/8/8/8/7R w - - 0 1", 2),
    ] {
        for _ in 0..3 {
            engine.new_game().unwrap();
            let info = decide(&mut engine, &game(fen), &depth(12)).info.unwrap();
            assert_eq!(info.score, Score::Mate(distance), "{fen}");
        }
    }
}

#[test]
fn lines_are_legal_and_depths_are_reached() {
    let _machine = no_hurry();
    for mode in modes() {
        let mut engine = engine(&mode, 4);
        let mut game = game(MIDDLE);
        for _ in 0..6 {
            let result = decide(&mut engine, &game, &depth(8));
            let info = result.info.unwrap();
            assert_eq!(info.depth, 8, "{mode}");
            let mut along = game.clone();
            for &mv in &info.pv {
                along.play(mv).unwrap_or_else(|error| panic!("{mode}: {error}"));
            }
            game.play(result.best.unwrap()).unwrap();
        }
    }
}

#[test]
fn a_mate_ends_the_search_whoever_finds_it() {
    let _machine = no_hurry();
    for mode in modes() {
        let mut engine = engine(&mode, 3);
        for (moves, lines) in [(2, 1), (3, 1), (20_000, 1), (u32::MAX, 1), (2, 2), (20_000, 3)] {
            engine.set_option("MultiPV", &lines.to_string()).unwrap();
            let limits = Limits { mate: Some(moves), ..Limits::default() };
            let result = decide(&mut engine, &game("k7/8/2K5/8/8/8/8/7R w - - 0 1"), &limits);
            let score = result.info.unwrap().score;
            assert!(matches!(score, Score::Mate(1..=100)), "{mode} {moves} {score:?}");
        }
    }
}

#[test]
fn limits_in_nodes_are_kept_closely() {
    let _machine = no_hurry();
    // Every root move gets a value, whatever the limit.
    let first = Limits { depth: Some(1), ..Limits::default() };
    let first = decide(&mut Engine::new().unwrap(), &game(MIDDLE), &first).info.unwrap().nodes;
    for mode in modes() {
        for threads in [2, 8] {
            let mut engine = engine(&mode, threads);
            for nodes in [1, 1000, 20_000] {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let result = decide(&mut engine, &game(MIDDLE), &limits);
                let used = result.info.unwrap().nodes;
                // Each thread may be at a node when the limit is reached.
                let most = (nodes + nodes / 32).max(first) + 2 * threads as u64;
                assert!(used <= most, "{mode} {threads}: {used} of {nodes}");
                assert!(result.best.is_some_and(|mv| game(MIDDLE).position().is_legal(mv)));
            }
        }
    }
}

#[test]
fn several_lines_are_those_of_the_first_thread() {
    let _machine = no_hurry();
    for mode in modes() {
        let mut engine = engine(&mode, 3);
        engine.set_option("MultiPV", "4").unwrap();
        let (sender, events) = channel();
        let report = move |event: &Event| {
            if let Event::Info(info) = event {
                sender.send(info.clone()).unwrap();
            }
        };
        let search = engine
            .search(&game(MIDDLE), &depth(6), RunOn::OwnThread, Some(Box::new(report)))
            .unwrap();
        let result = search.wait().unwrap();
        let infos: Vec<_> = events.try_iter().collect();
        let lines: Vec<_> = infos.iter().map(|info| info.line).collect();
        assert_eq!(lines, [1, 2, 3, 4].repeat(6), "{mode}");
        let last: Vec<Move> = infos[20..].iter().map(|info| info.pv[0]).collect();
        assert_eq!(result.best, Some(last[0]));
        assert!((1..4).all(|i| !last[..i].contains(&last[i])), "{mode} {last:?}");
    }
}

#[test]
fn pondering_waits_for_the_hit_and_analysis_for_the_end() {
    let _machine = no_hurry();
    for mode in modes() {
        let mut engine = engine(&mode, 3);
        let clock = Some(Clock { remaining: Duration::from_millis(50), ..Clock::default() });
        // Over at once, but `bestmove` may not be sent yet.
        let ponder = Limits { clock, ponder: true, depth: Some(2), ..Limits::default() };
        let search = engine.search(&game(MIDDLE), &ponder, RunOn::OwnThread, None).unwrap();
        search.ponder_hit();
        assert!(search.wait().unwrap().best.is_some());
        let infinite = Limits { infinite: true, nodes: Some(100), ..Limits::default() };
        let search = engine.search(&game(MIDDLE), &infinite, RunOn::OwnThread, None).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        search.stop();
        assert!(search.wait().unwrap().best.is_some());
    }
}

#[test]
fn the_clock_is_kept() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    for mode in modes() {
        let mut engine = engine(&mode, 4);
        let time = Duration::from_millis(100);
        let limits = Limits { move_time: Some(time), ..Limits::default() };
        let begin = Instant::now();
        let result = decide(&mut engine, &game(MIDDLE), &limits);
        assert!(result.best.is_some());
        assert!(begin.elapsed() < time + DEADLINE, "{mode} {:?}", begin.elapsed());
    }
}

#[test]
fn sixty_four_threads_stop_when_asked() {
    let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
    for mode in modes() {
        let mut engine = engine(&mode, 64);
        let endless = Limits { infinite: true, ..Limits::default() };
        for wait in [0, 1, 50] {
            let search = engine.search(&game(MIDDLE), &endless, RunOn::OwnThread, None).unwrap();
            std::thread::sleep(Duration::from_millis(wait));
            let begin = Instant::now();
            search.stop();
            assert!(search.wait().unwrap().best.is_some());
            assert!(begin.elapsed() < DEADLINE, "{mode} {:?}", begin.elapsed());
        }
    }
}

#[test]
fn options_may_change_between_searches_and_during_them() {
    let _machine = no_hurry();
    let mut engine = Engine::new().unwrap();
    let endless = Limits { infinite: true, ..Limits::default() };
    for threads in [4, 1, 7, 2] {
        for mode in modes() {
            engine.search(&game(MIDDLE), &endless, RunOn::OwnThread, None).unwrap();
            engine.set_option("Threads", &threads.to_string()).unwrap();
            engine.search(&game(MIDDLE), &endless, RunOn::OwnThread, None).unwrap();
            engine.set_option("Parallel Mode", &mode).unwrap();
            engine.search(&game(MIDDLE), &endless, RunOn::OwnThread, None).unwrap();
            engine.new_game().unwrap();
        }
    }
    assert!(engine.set_option("Threads", "0").is_err());
    assert!(engine.set_option("Threads", "1025").is_err());
    assert!(engine.set_option("Parallel Mode", "telepathy").is_err());
}

/// All that a search reports, without the time that it took.
fn deterministic(threads: usize, limits: &Limits) -> Vec<(SearchResult, u64)> {
    let mut engine = engine("lazy", threads);
    let mut game = game(MIDDLE);
    // What another mode has learnt must not matter.
    decide(&mut engine, &game, &depth(6));
    engine.set_option("Parallel Mode", "deterministic").unwrap();
    // From move to move, for what is kept in between must be the same, too.
    (0..3)
        .map(|_| {
            let mut result = decide(&mut engine, &game, limits);
            let info = result.info.as_mut().unwrap();
            info.time = Duration::ZERO;
            let nodes = info.nodes;
            game.play(result.best.unwrap()).unwrap();
            // Nor whether threads come and go meanwhile.
            engine.set_option("Threads", "5").unwrap();
            engine.set_option("Threads", &threads.to_string()).unwrap();
            (result, nodes)
        })
        .collect()
}

#[test]
fn the_exact_search_is_the_same_with_any_number_of_threads() {
    let _machine = no_hurry();
    let nodes = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    for limits in [depth(9), nodes(30_000), nodes(3)] {
        let one = deterministic(1, &limits);
        for threads in [2, 3, 8] {
            assert_eq!(deterministic(threads, &limits), one, "{threads} {limits:?}");
        }
    }
}

/// Whatever happens at once, every answer is a legal one.
fn hammer(mode: &str, searches: u64) {
    let mut engine = engine(mode, 64);
    engine.set_option("Hash", "1").unwrap();
    let mut game = game(MIDDLE);
    for search in 0..searches {
        let limits = match search % 3 {
            0 => Limits { nodes: Some(20_000), ..Limits::default() },
            1 => depth(7),
            _ => Limits { move_time: Some(Duration::from_millis(30)), ..Limits::default() },
        };
        let result = decide(&mut engine, &game, &limits);
        let Some(best) = result.best else {
            game = self::game(MIDDLE);
            continue;
        };
        let mut along = game.clone();
        for &mv in &result.info.unwrap().pv {
            along.play(mv).unwrap_or_else(|error| panic!("{mode}: {error}"));
        }
        game.play(best).unwrap();
        if game.keys().len() > 60 {
            game = self::game(MIDDLE);
        }
    }
}

#[test]
fn sixty_four_threads_on_a_small_table() {
    let _machine = no_hurry();
    modes().iter().for_each(|mode| hammer(mode, 6));
}

#[test]
#[ignore = "takes minutes"]
fn sixty_four_threads_on_a_small_table_for_long() {
    let _machine = no_hurry();
    modes().iter().for_each(|mode| hammer(mode, 1500));
}
