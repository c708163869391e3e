//! The seam between engines and their users: anything that can analyse a position is an [`Analyst`].

use crate::options::{OptionError, OptionSetting, OptionSpec};
use crate::score::{Bound, Score, Wdl};
use core::time::Duration;
use std::sync::Arc;
use tabiya_chess::{Game, Move};

/// Anything that can be asked about positions: this engine, an engine in another process, a cluster.
pub trait Analyst: Send {
    /// The name to show.
    fn name(&self) -> String;

    /// The name together with all that tells one build from another. GUIs and game records show it.
    fn identity(&self) -> String {
        self.name()
    }

    /// Who wrote it.
    fn author(&self) -> String;

    /// What can be set.
    fn options(&self) -> &[OptionSpec];

    /// Sets one of these options. Nothing changes if that fails.
    fn apply_option(&mut self, setting: OptionSetting) -> Result<(), OptionError>;

    /// Sets an option by its name, in any case. Nothing changes if that fails.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let setting = OptionSetting::parse(self.options(), name, value)?;
        self.apply_option(setting)
    }

    /// The next position belongs to another game: what was learnt may be forgotten.
    fn new_game(&mut self) -> Result<(), AnalystError>;

    /// Starts a search of where a game stands. `run` says on which thread.
    ///
    /// Events go to `report` from the thread that searches, the last of them before
    /// [`SearchHandle::wait`] returns. There is one search at a time: starting another stops the one
    /// before.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        run: RunOn,
        report: Option<EventSink>,
    ) -> Result<Arc<dyn SearchHandle>, AnalystError>;
}

/// Takes the events of a search.
pub type EventSink = Box<dyn FnMut(&Event) + Send>;

/// On which thread a search runs. An engine in another process has threads of its own, whatever is asked
/// for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOn {
    /// A thread of the engine's own starts at once.
    OwnThread,
    /// The thread that calls [`SearchHandle::wait`] searches: for many quick games a thread switch per
    /// move costs more than the move. That thread needs a stack of
    /// [`Engine::SEARCH_STACK`](crate::Engine::SEARCH_STACK) bytes.
    Waiter,
}

/// A search that is under way.
pub trait SearchHandle: Send + Sync {
    /// Ends it soon; what was found until then counts. A search that has not begun ends as soon as it
    /// does.
    fn stop(&self);

    /// The move that was pondered on has been played: the clock runs from now.
    fn ponder_hit(&self);

    /// Waits for the end, or searches to the end if the search runs on the [waiter's](RunOn::Waiter) thread.
    fn wait(&self) -> Result<SearchResult, AnalystError>;
}

/// Why an analyst cannot go on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnalystError {
    /// It has ended.
    #[error("{name} has ended: {reason}")]
    Gone {
        /// Who.
        name: String,
        /// What is known of it.
        reason: String,
    },
    /// It says things that make no sense.
    #[error("{name} broke the protocol: {what}")]
    Protocol {
        /// Who.
        name: String,
        /// What it said.
        what: String,
    },
    /// A thread of the search panicked.
    #[error("{name} failed inside its search, which is a bug in it; please report it")]
    Panicked {
        /// Who.
        name: String,
        /// The best move of what was searched, if there is one.
        best: Option<Move>,
    },
    /// It does not answer.
    #[error("{name} did not answer within {after:?}")]
    Silent {
        /// Who.
        name: String,
        /// How long was waited.
        after: Duration,
    },
}

/// How far to think. All limits that are set hold at once; with none the search runs until it is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// The opponent's clock; the search does not need it.
    pub opponent_clock: Option<Clock>,
    /// Exactly this long.
    pub move_time: Option<Duration>,
    /// To this depth.
    pub depth: Option<u32>,
    /// Never more nodes than this.
    pub nodes: Option<u64>,
    /// Soft nodes: no iteration is begun after this many nodes, since a whole iteration has a better value than
    /// a part of one.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Only these moves; all if empty.
    pub search_moves: Vec<Move>,
    /// Search until stopped, whatever was found.
    pub infinite: bool,
    /// Pondering, on the opponent's time: the clock does not run until [`SearchHandle::ponder_hit`].
    pub ponder: bool,
}

impl Limits {
    /// Is a stop the only end? So it is if nothing limits the search, and if it is infinite whatever limits
    /// it.
    ///
    /// ```
    /// use tabiya_engine::Limits;
    /// assert!(Limits::default().is_endless());
    /// assert!(!Limits { depth: Some(9), ..Limits::default() }.is_endless());
    /// assert!(Limits { depth: Some(9), infinite: true, ..Limits::default() }.is_endless());
    /// ```
    pub fn is_endless(&self) -> bool {
        let Limits { clock, move_time, depth, nodes, soft_nodes, mate, .. } = self;
        let timed = clock.is_some() || move_time.is_some();
        let in_nodes = nodes.is_some() || soft_nodes.is_some();
        self.infinite || !timed && !in_nodes && depth.is_none() && mate.is_none()
    }
}

/// A side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time comes; none if this is all there is.
    pub moves_to_go: Option<u32>,
}

/// What a search reports while it runs.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// The state of the search.
    Info(Info),
    /// The root move that is being looked at.
    CurrentMove {
        /// The iteration's depth.
        depth: u32,
        /// The move.
        mv: Move,
        /// Its number, from 1.
        number: u32,
    },
    /// Something to tell the user.
    Note(String),
}

impl Event {
    /// Before this the current moves of a search change too quickly to be read.
    pub const CURRENT_MOVE_AFTER: Duration = Duration::from_secs(1);
}

/// The state of a search, as `info` reports it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Info {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Greatest depth reached.
    pub selective_depth: u32,
    /// Which of several lines, from 1.
    pub line: u32,
    /// For the side to move.
    pub score: Score,
    /// Exact, or a bound.
    pub bound: Bound,
    /// Win, draw and loss (WDL) by the engine's own model.
    pub wdl: Option<Wdl>,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: Option<u32>,
    /// Tablebase look-ups that succeeded.
    pub tablebase_hits: u64,
    /// The line of play that is expected.
    pub pv: Vec<Move>,
}

/// What a search ends with.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchResult {
    /// The move to play; none in mate and stalemate.
    pub best: Option<Move>,
    /// The reply that is expected.
    pub ponder: Option<Move>,
    /// The value for the side to move in the search's units, which are those of [`eval`](crate::eval);
    /// mate in n plies is 32000 - n. None from an engine in another process, and from a book.
    pub value: Option<i32>,
    /// How the best line stood at the end.
    pub info: Option<Info>,
}
