//! What the arena costs: of the processor time that a match takes, how much is not the engines'?
//!
//! ```sh
//! cargo xtask quiet -- cargo bench --bench arena_overhead
//! ```
//!
//! Over pipes, what the engines took is what the system says of child processes, and the rest is what it
//! says of this one. In this process, what passes within the engine's own functions is the engine's.

#![expect(clippy::print_stdout, reason = "the figures are what this is for")]

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::time::{ClockId, clock_gettime};
use tabiya_arena::game::GameRules;
use tabiya_arena::match_run::{MatchPlan, play_match};
use tabiya_arena::openings::Openings;
use tabiya_arena::player::OwnEngine;
use tabiya_arena::series::SeriesPlan;
use tabiya_arena::watchdog::Interrupt;
use tabiya_chess::Game;
use tabiya_engine::{
    Analyst, AnalystError, Engine, EventSink, Limits, OptionError, OptionSetting, OptionSpec,
    RunOn, SearchHandle, SearchResult,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let program = env!("CARGO_BIN_EXE_tabiya");
    let piped = format!("'{program}'");
    let spent = Arc::new(AtomicU64::new(0));
    let metered = Arc::clone(&spent);
    let own_engine = move |_: &_| {
        let meter = Meter { engine: Engine::new()?, spent: Arc::clone(&metered) };
        Ok(Box::new(meter) as Box<dyn Analyst>)
    };

    for nodes in [2000, 20_000] {
        let games = 80_000 / nodes as u32;
        let before = [processor_time(UsageWho::RUSAGE_SELF)?, processor_time(CHILDREN)?];
        let moves = play(&piped, nodes, games, 2, &own_engine)?;
        let runner = processor_time(UsageWho::RUSAGE_SELF)? - before[0];
        let engines = processor_time(CHILDREN)? - before[1];
        tell("over pipes", nodes, games, moves, engines, runner);
    }
    for nodes in [200, 2000] {
        let games = 40_000 / nodes as u32;
        spent.store(0, Ordering::Relaxed);
        let before = processor_time(UsageWho::RUSAGE_SELF)?;
        let moves = play("tabiya", nodes, games, 2, &own_engine)?;
        let all = processor_time(UsageWho::RUSAGE_SELF)? - before;
        let engines = Duration::from_nanos(spent.load(Ordering::Relaxed));
        tell("in this process", nodes, games, moves, engines, all.saturating_sub(engines));
    }
    Ok(())
}

const CHILDREN: UsageWho = UsageWho::RUSAGE_CHILDREN;

fn tell(where_: &str, nodes: u64, games: u32, moves: usize, engines: Duration, rest: Duration) {
    let share = 100.0 * rest.as_secs_f64() / (engines + rest).as_secs_f64();
    let each = 1e6 * rest.as_secs_f64() / moves as f64;
    println!(
        "{where_}, {nodes} nodes a move, two games at a time: {share:.1} % outside the engines \
         ({games} games, {moves} moves; engines {:.2} s, the rest {:.2} s, {each:.0} µs a move)",
        engines.as_secs_f64(),
        rest.as_secs_f64(),
    );
}

/// Plays a match of an engine against itself, and tells how many moves were played.
fn play(
    engine: &str,
    nodes: u64,
    games: u32,
    concurrency: usize,
    own_engine: &OwnEngine,
) -> Result<usize> {
    let plan = MatchPlan {
        players: [engine.parse()?, engine.parse()?],
        pairs: games.div_ceil(2),
        sprt: None,
        series: SeriesPlan {
            event: "Overhead".into(),
            limits: Some(format!("nodes={nodes}").parse()?),
            rules: GameRules::default(),
            openings: Openings::builtin(1),
            concurrency,
            pgn: None,
            journal: None,
        },
    };
    let mut moves = 0;
    play_match(&plan, own_engine, &Interrupt::new(), &mut |_, record| moves += record.plies)?;
    Ok(moves)
}

/// In user and in system mode together.
fn processor_time(who: UsageWho) -> Result<Duration> {
    let usage = getrusage(who)?;
    let all = usage.user_time() + usage.system_time();
    Ok(Duration::new(all.tv_sec() as u64, 1000 * all.tv_usec() as u32))
}

/// An engine whose processor time is measured, as far as its callers spend it.
struct Meter {
    engine: Engine,
    spent: Arc<AtomicU64>,
}

/// Adds the processor time that this thread takes for some work.
fn measured<T>(spent: &AtomicU64, work: impl FnOnce() -> T) -> T {
    let now = || clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from);
    let before = now();
    let done = work();
    if let (Ok(before), Ok(after)) = (before, now()) {
        spent.fetch_add((after - before).as_nanos() as u64, Ordering::Relaxed);
    }
    done
}

impl Analyst for Meter {
    fn name(&self) -> String {
        self.engine.name()
    }

    fn author(&self) -> String {
        self.engine.author()
    }

    fn options(&self) -> &[OptionSpec] {
        self.engine.options()
    }

    fn apply_option(&mut self, setting: OptionSetting) -> std::result::Result<(), OptionError> {
        self.engine.apply_option(setting)
    }

    fn new_game(&mut self) -> std::result::Result<(), AnalystError> {
        measured(&self.spent, || self.engine.new_game())
    }

    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        run: RunOn,
        report: Option<EventSink>,
    ) -> std::result::Result<Arc<dyn SearchHandle>, AnalystError> {
        let spent = Arc::clone(&self.spent);
        let search = measured(&spent, || self.engine.search(game, limits, run, report))?;
        Ok(Arc::new(MeteredSearch { search, spent }))
    }
}

struct MeteredSearch {
    search: Arc<dyn SearchHandle>,
    spent: Arc<AtomicU64>,
}

impl SearchHandle for MeteredSearch {
    fn stop(&self) {
        self.search.stop();
    }

    fn ponder_hit(&self) {
        self.search.ponder_hit();
    }

    fn wait(&self) -> std::result::Result<SearchResult, AnalystError> {
        measured(&self.spent, || self.search.wait())
    }
}
