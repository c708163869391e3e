//! A chess engine as a library.
//!
//! Whoever can analyse a position is an [`Analyst`]: it lists and sets options and starts a
//! [`Search`] of a game's position under [`Limits`], telling [`Event`]s as it goes. Nothing here
//! prints, exits or owns a global; several engines live in one process.

mod analyst;
pub mod bench;
pub mod chances;
mod clock;
mod engine;
pub mod eval;
mod evaluation;
mod exact;
mod history;
pub mod nnue;
mod options;
mod padded;
mod params;
mod picker;
mod pool;
pub mod scaling;
mod score;
mod search;
pub mod simulate;
pub mod split;
mod table;
mod team;
mod thinking;
mod value;

pub use analyst::{Analyst, AnalystError, Clock, Event, Info, Limits, Search, Verdict};
pub use engine::{Engine, NetworkInUse, NodeBudget, Thought};
pub use evaluation::{Assessment, NetworkValue};
pub use history::Sharing;
pub use options::{OptionError, OptionKind, OptionSpec, OptionValue};
pub use params::{ParamSpec, Params};
pub use score::{Bound, Chances, Score};
pub use search::{CutoffCount, ProbeCount};
