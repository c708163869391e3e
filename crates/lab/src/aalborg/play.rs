//! Games between two configurations: fixed depth, no clock, every opening played with both colors.

use super::search::{Judge, Methods, Searcher};
use crate::frame::experiment::{Halt, Stop};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tabiya_arena::openings::Openings;
use tabiya_arena::results::PlayerResult;
use tabiya_arena::stats::pentanomial::PairCounts;
use tabiya_chess::{Color, Game, Move};

/// Longer games are drawn: long before, most are by the rules.
const LONGEST: usize = 400;

/// What came of some pairs of games, as the first player sees them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    pub(super) pairs: PairCounts,
    /// Moves of the first player, and those that took his last one back.
    pub(super) moves: u64,
    pub(super) reversals: u64,
}

impl Tally {
    pub(super) fn add(&mut self, other: &Tally) {
        let PairCounts { ll, ld, dd, wl, wd, ww } = other.pairs;
        let sums = [
            (&mut self.pairs.ll, ll),
            (&mut self.pairs.ld, ld),
            (&mut self.pairs.dd, dd),
            (&mut self.pairs.wl, wl),
            (&mut self.pairs.wd, wd),
            (&mut self.pairs.ww, ww),
        ];
        for (own, more) in sums {
            *own += more;
        }
        self.moves += other.moves;
        self.reversals += other.reversals;
    }

    /// Wins, losses and draws, as the report writes them.
    pub(super) fn games(&self) -> String {
        let games = self.pairs.wdl();
        format!("{}-{}-{}", games.wins, games.losses, games.draws)
    }

    /// Points of a hundred, and how far off they may be with 95 % confidence. The two games of an opening
    /// are one draw from the urn, not two. Nothing if no games were played.
    pub(super) fn percent(&self) -> Option<(f64, f64)> {
        let statistics = self.pairs.statistics()?;
        let error = (statistics.pair_variance / statistics.pairs as f64).sqrt();
        Some((100.0 * statistics.score, 196.0 * error))
    }

    /// The share of moves that took the last one back, of a hundred.
    pub(super) fn reversed(&self) -> f64 {
        100.0 * self.reversals as f64 / self.moves.max(1) as f64
    }
}

/// A player: how leaves are judged. Each game has a fresh one.
pub(super) type Player<'a> = dyn Fn() -> Judge + Sync + 'a;

/// Plays pairs of games from the openings with these numbers.
pub(super) fn play_pairs(
    players: [&Player<'_>; 2],
    depth: u32,
    openings: &Openings,
    numbers: std::ops::Range<u64>,
    stop: &Stop<'_>,
) -> Result<Tally, Halt> {
    let next = AtomicU64::new(numbers.start);
    let halted = AtomicBool::new(false);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(4);
    thread::scope(|scope| {
        let work = || -> Result<Tally, Halt> {
            let mut tally = Tally::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    return Ok(tally);
                }
                let mut pair = [PlayerResult::Draw; 2];
                for (color, outcome) in Color::ALL.into_iter().zip(&mut pair) {
                    let start = openings.get(number).position().clone();
                    let game = Game::new(start);
                    *outcome = play(players, color, depth, game, &mut tally, &halted)?;
                }
                tally.pairs.record(pair[0], pair[1]);
            }
        };
        let waiting: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        while !waiting.iter().all(|worker| worker.is_finished()) {
            if stop() {
                halted.store(true, Ordering::Relaxed);
            }
            thread::sleep(Duration::from_millis(2));
        }
        let mut all = Tally::default();
        for worker in waiting {
            let tally = worker.join().map_err(|_| Halt::Wrong("a game broke off".to_owned()))?;
            all.add(&tally?);
        }
        Ok(all)
    })
}

/// One game, in which the first player has this color.
fn play(
    players: [&Player<'_>; 2],
    color: Color,
    depth: u32,
    mut game: Game,
    tally: &mut Tally,
    halted: &AtomicBool,
) -> Result<PlayerResult, Halt> {
    let stop = || halted.load(Ordering::Relaxed);
    let mut searchers = players.map(|judge| Searcher::new(Methods::PLAYER, judge()));
    let mut last: Option<Move> = None;
    while game.moves().len() < LONGEST {
        let position = game.position();
        if !position.has_legal_move() {
            return Ok(match position.in_check() {
                true if position.side_to_move() == color => PlayerResult::Loss,
                true => PlayerResult::Win,
                false => PlayerResult::Draw,
            });
        }
        if game.claim().is_some() || position.is_insufficient_material() {
            return Ok(PlayerResult::Draw);
        }
        let first = position.side_to_move() == color;
        let searcher = &mut searchers[usize::from(!first)];
        let found = searcher.search_game(position, game.keys(), depth, &stop)?;
        // There is a legal move, so there is a best one.
        let Some(mv) = found.best else { break };
        if first {
            tally.moves += 1;
            let back = |last: Move| last.from() == mv.to() && last.to() == mv.from();
            tally.reversals += u64::from(last.is_some_and(back));
            last = Some(mv);
        }
        game.play(mv).map_err(|error| Halt::Wrong(error.to_string()))?;
    }
    Ok(PlayerResult::Draw)
}
