//! A chess engine as a library.
//!
//! Anything that can analyse a position is an [`Analyst`]: it lists and sets options and starts a
//! [`SearchHandle`] of a game's position under [`Limits`], which reports [`Event`]s. Nothing here
//! prints, exits or owns a global; several engines live in one process.

mod analyst;
pub mod bench;
mod book;
#[cfg(all(test, debug_assertions))]
mod call_path;
mod engine;
pub mod eval;
mod evaluation;
mod history;
mod identity;
mod movepick;
pub mod nnue;
mod options;
mod padded;
mod params;
mod score;
mod search;
mod smp;
mod sync;
pub mod tablebases;
mod time;
mod tt;
mod umpire;
mod value;
pub mod wdl;

pub use analyst::{
    Analyst, AnalystError, Clock, Event, EventSink, Info, Limits, RunOn, SearchHandle, SearchResult,
};
pub use book::Book;
pub use engine::{Engine, EvalInUse};
pub use evaluation::{Assessment, NetworkValue};
pub use history::Sharing;
pub use identity::Identity;
pub use options::{
    OptionError, OptionKind, OptionRegistry, OptionSetting, OptionSpec, OptionValue,
};
pub use params::{ParamSpec, Params};
pub use score::{Bound, Score, Wdl};
pub use search::{CutoffCount, ProbeCount};
pub use smp::{scaling, simulate, ybwc};
pub use sync::lock;
pub use umpire::{ScoreRule, Umpire};
