//! One game between two players.
//!
//! Our own rules end it, never the engines' word; and whatever an engine does, it ends. An engine that plays
//! an illegal move or none, is late, crashes, hangs or talks nonsense loses that game, and the report names it.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use tabiya_chess::{CastlingStyle, Claim, Color, Game, GameResult, Move, Outcome};
use tabiya_engine::{AnalystError, Score};
use tabiya_protocol::client::Gesture;

use crate::adjudication::{Adjudication, Adjudicator, Ruling};
use crate::clock::{GameClock, PlayerLimits};
use crate::openings::Opening;
use crate::player::{Failure, MoveReply, Player};
use crate::watchdog::{Stage, Watchdog};

/// What a clock forgives by default: more than a busy machine takes to hand a move on, less
/// than anybody could play a move in. See [`clock`](crate::clock) for why it can be had only once.
pub const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

/// How long a move may take by default where there is no clock.
pub const DEFAULT_PATIENCE: Duration = Duration::from_secs(120);

/// What holds for both players, besides the rules of chess.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameRules {
    /// How far a clock may be overdrawn.
    pub margin: Duration,
    /// How long a move may take where there is no clock.
    pub patience: Duration,
    /// When to end a game early.
    pub adjudication: Adjudication,
}

impl Default for GameRules {
    fn default() -> Self {
        Self {
            margin: DEFAULT_MARGIN,
            patience: DEFAULT_PATIENCE,
            adjudication: Adjudication::default(),
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Mate.
    Checkmate,
    /// No move, and no check.
    Stalemate,
    /// Neither side can ever mate.
    InsufficientMaterial,
    /// The same position for the third time.
    Repetition,
    /// Fifty moves without a capture or a pawn move.
    FiftyMoves,
    /// Both players said that nothing is going on.
    DrawAdjudicated,
    /// Both players said that it is over.
    WinAdjudicated,
    /// The tables know how it ends.
    Tablebase,
    /// The loser gave up.
    Resignation,
    /// The loser's time was up.
    TimeForfeit,
    /// The loser played a move that is not legal, or none where there was one.
    IllegalMove,
    /// The loser ended in the middle of the game.
    Crash,
    /// The loser did not answer, and did not obey `stop`.
    Hang,
    /// The loser said things that make no sense.
    Nonsense,
}

impl Reason {
    /// Did the loser fail, rather than being beaten?
    #[must_use]
    pub fn is_fault(self) -> bool {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::Repetition
            | Self::FiftyMoves
            | Self::DrawAdjudicated
            | Self::WinAdjudicated
            | Self::Tablebase
            | Self::Resignation => false,
            Self::TimeForfeit | Self::IllegalMove | Self::Crash | Self::Hang | Self::Nonsense => {
                true
            }
        }
    }

    /// The same as PGN's Termination tag has it.
    #[must_use]
    pub fn pgn_termination(self) -> &'static str {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::InsufficientMaterial
            | Self::Repetition
            | Self::FiftyMoves
            | Self::Resignation => "normal",
            Self::DrawAdjudicated | Self::WinAdjudicated | Self::Tablebase => "adjudication",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove | Self::Nonsense => "rules infraction",
            Self::Crash | Self::Hang => "abandoned",
        }
    }
}

impl From<Outcome> for Reason {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Checkmate { .. } => Self::Checkmate,
            Outcome::Stalemate => Self::Stalemate,
            Outcome::InsufficientMaterial => Self::InsufficientMaterial,
            Outcome::FivefoldRepetition | Outcome::Claimed(Claim::ThreefoldRepetition) => {
                Self::Repetition
            }
            Outcome::SeventyFiveMoves | Outcome::Claimed(Claim::FiftyMoves) => Self::FiftyMoves,
        }
    }
}

/// In words, for people.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::DrawAdjudicated => "draw by adjudication",
            Self::WinAdjudicated => "win by adjudication",
            Self::Tablebase => "tablebases",
            Self::Resignation => "resignation",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::Nonsense => "nonsense",
        })
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// What the loser did, with his name, where that ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Ending {
    /// The end that the rules of chess make; what players could claim counts as claimed.
    fn by_rule(game: &Game) -> Option<Self> {
        let outcome = game.outcome_with_claims()?;
        Some(Self { result: outcome.result(), reason: outcome.into(), fault: None })
    }

    fn draw(reason: Reason) -> Self {
        Self { result: GameResult::Draw, reason, fault: None }
    }

    fn win(winner: Color, reason: Reason) -> Self {
        Self { result: GameResult::win(winner), reason, fault: None }
    }
}

/// A move, and what its player said of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// What it is worth to the player.
    pub score: Option<Score>,
    /// How deep the player looked.
    pub depth: Option<u32>,
    /// How long it took, on our clock.
    pub time: Duration,
}

/// A game from beginning to end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// What was given.
    pub opening: Arc<Opening>,
    /// What was played from there.
    pub moves: Vec<PlayedMove>,
    /// How it ended.
    pub ending: Ending,
    /// When it began.
    pub started: SystemTime,
    /// How long it took.
    pub duration: Duration,
}

impl PlayedGame {
    /// Who failed, if somebody did, rather than being beaten.
    #[must_use]
    pub fn failed(&self) -> Option<Color> {
        let loser = self.ending.result.winner().map(|winner| !winner);
        loser.filter(|_| self.ending.reason.is_fault())
    }
}

/// A player in a game.
pub struct GamePlayer<'a> {
    /// Who.
    pub player: &'a mut Player,
    /// How long he may think.
    pub limits: PlayerLimits,
}

/// Why a player loses a game off the board.
struct Fault {
    reason: Reason,
    what: String,
}

/// Plays a game, White first; nothing if it was interrupted.
pub(crate) fn play(
    players: [GamePlayer<'_>; 2],
    opening: &Arc<Opening>,
    rules: &GameRules,
    watchdog: &Watchdog,
) -> Option<PlayedGame> {
    let started = SystemTime::now();
    let begin = Instant::now();
    let mut running = RunningGame {
        game: opening.game(),
        clocks: [GameClock::new(players[0].limits), GameClock::new(players[1].limits)],
        players,
        rules,
        watchdog,
    };
    let mut moves = Vec::new();
    let ending = match running.set_up() {
        Err(ending) => ending,
        Ok(()) => running.play_on(&mut moves)?,
    };
    Some(PlayedGame {
        opening: Arc::clone(opening),
        moves,
        ending,
        started,
        duration: begin.elapsed(),
    })
}

/// All that a game needs while it is played; arrays are by color.
struct RunningGame<'a> {
    game: Game,
    clocks: [GameClock; 2],
    players: [GamePlayer<'a>; 2],
    rules: &'a GameRules,
    watchdog: &'a Watchdog,
}

impl RunningGame<'_> {
    /// Tells both players that a new game begins.
    fn set_up(&mut self) -> Result<(), Ending> {
        for color in Color::ALL {
            let player = &mut self.players[color.index()].player;
            let guard = self.watchdog.guard(self.rules.patience, player.kill());
            let ready = unwinding(player, Player::prepare);
            let stage = guard.finish();
            if let Err(failure) = ready {
                let fault = self.explain(color, failure, stage, self.rules.patience);
                return Err(self.forfeit(color, fault));
            }
        }
        Ok(())
    }

    fn play_on(&mut self, moves: &mut Vec<PlayedMove>) -> Option<Ending> {
        let mut adjudicator = Adjudicator::new(&self.rules.adjudication);
        if let Some(ending) = Ending::by_rule(&self.game) {
            return Some(ending);
        }
        loop {
            if self.watchdog.is_halted() {
                return None;
            }
            let mover = self.game.position().side_to_move();
            let answer = self.ask(mover);
            // A search that was broken off says nothing about its player.
            if self.watchdog.is_halted() {
                return None;
            }
            let played = match answer.and_then(|answer| self.accept(mover, answer)) {
                Ok(played) => played,
                Err(fault) => return Some(self.forfeit(mover, fault)),
            };
            moves.push(played);
            // What the rules of chess say goes before what players say.
            if let Some(ending) = Ending::by_rule(&self.game) {
                return Some(ending);
            }
            if let Some(ruling) = adjudicator.judge(self.game.position(), played.score) {
                return Some(match ruling {
                    Ruling::ByScores(result) => match result.winner() {
                        Some(winner) => Ending::win(winner, Reason::WinAdjudicated),
                        None => Ending::draw(Reason::DrawAdjudicated),
                    },
                    Ruling::ByTables(result) => {
                        Ending { result, reason: Reason::Tablebase, fault: None }
                    }
                });
            }
        }
    }

    /// Lets a player think.
    fn ask(&mut self, mover: Color) -> Result<MoveReply, Fault> {
        let [mine, theirs] = [mover, !mover].map(|color| &self.clocks[color.index()]);
        let limits = mine.limits(theirs);
        let clocked = mine.allowance();
        let allowed = match clocked {
            Some(time) => time + self.rules.margin,
            None => self.rules.patience,
        };
        let player = &mut self.players[mover.index()].player;
        let guard = self.watchdog.guard(allowed, player.kill());
        let game = &self.game;
        let reply = unwinding(player, |player| player.think(game, &limits, None, &guard));
        match (reply, guard.finish()) {
            // With a clock, the time itself decides whether it was late.
            (Ok(reply), stage) if stage == Stage::InTime || clocked.is_some() => Ok(reply),
            (Ok(_), _) => Err(Fault {
                reason: Reason::Hang,
                what: format!("did not move within {allowed:?}"),
            }),
            // Whatever it is that came, it came too late.
            (Err(Failure::ToDecide(AnalystError::Protocol { .. })), Stage::Stopped)
                if clocked.is_some() =>
            {
                Err(Fault {
                    reason: Reason::TimeForfeit,
                    what: format!("was late: more than {allowed:?} used"),
                })
            }
            (Err(failure), stage) => Err(self.explain(mover, failure, stage, allowed)),
        }
    }

    /// Takes the time off the clock and plays the move, if both are as they should be.
    fn accept(&mut self, mover: Color, reply: MoveReply) -> Result<PlayedMove, Fault> {
        let MoveReply { result, used, gesture } = reply;
        self.clocks[mover.index()].charge(used, self.rules.margin).map_err(|late| Fault {
            reason: Reason::TimeForfeit,
            what: format!("was late: {late}"),
        })?;
        let fault = |reason, what: String| Fault { reason, what };
        let Some(mv) = result.best else {
            return Err(match gesture {
                Some(Gesture::Resigns) => fault(Reason::Resignation, "resigned".into()),
                Some(Gesture::Claims(claim)) => {
                    let what = format!("claimed {claim:?} instead of a move");
                    fault(Reason::IllegalMove, what)
                }
                _ => fault(Reason::IllegalMove, "played no move where there was one".into()),
            });
        };
        let text = mv.uci(self.game.position(), CastlingStyle::KingToTarget);
        self.game.play(mv).map_err(|_| {
            let what = format!("played {text}, which is not legal there");
            fault(Reason::IllegalMove, what)
        })?;
        Ok(PlayedMove {
            mv,
            score: result.info.as_ref().map(|info| info.score),
            depth: result.info.as_ref().map(|info| info.depth),
            time: used,
        })
    }

    fn explain(&self, color: Color, failure: Failure, stage: Stage, allowed: Duration) -> Fault {
        let (error, decided) = match failure {
            Failure::ToBegin(error) => (error, false),
            Failure::ToDecide(error) => (error, true),
        };
        let (reason, what) = match error {
            _ if stage == Stage::Killed => {
                let what = format!("did not answer within {allowed:?}, and did not stop either");
                (Reason::Hang, what)
            }
            AnalystError::Silent { after, .. } => {
                (Reason::Hang, format!("did not answer within {after:?}"))
            }
            AnalystError::Gone { reason, .. } => {
                let last_words = self.players[color.index()].player.last_words();
                (Reason::Crash, format!("crashed: {reason}{last_words}"))
            }
            AnalystError::Panicked { .. } => {
                (Reason::Crash, "crashed: a thread of its search panicked".to_owned())
            }
            // What makes no sense as an answer to "go" is no move.
            AnalystError::Protocol { what, .. } if decided => {
                (Reason::IllegalMove, format!("played no legal move: {what}"))
            }
            AnalystError::Protocol { what, .. } => {
                (Reason::Nonsense, format!("broke the protocol: {what}"))
            }
        };
        Fault { reason, what }
    }

    fn forfeit(&self, loser: Color, fault: Fault) -> Ending {
        let name = self.players[loser.index()].player.name();
        Ending {
            fault: Some(format!("{name} {}", fault.what)),
            ..Ending::win(!loser, fault.reason)
        }
    }
}

/// Turns a panic of an engine in this process into what it is to the game: a crash.
pub(crate) fn unwinding<T>(
    player: &mut Player,
    ask: impl FnOnce(&mut Player) -> Result<T, Failure>,
) -> Result<T, Failure> {
    // After a fault the player is not used again: it is started anew.
    let answer = panic::catch_unwind(AssertUnwindSafe(|| ask(player)));
    answer.unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        Err(Failure::ToDecide(AnalystError::Gone {
            name: player.name().to_owned(),
            reason: format!("it panicked: {message}"),
        }))
    })
}

#[cfg(test)]
mod tests;
