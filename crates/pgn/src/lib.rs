//! PGN (Portable Game Notation): games with variations, comments, NAGs and clocks, read and written.
//!
//! ```
//! use tabiya_pgn::PgnReader;
//!
//! let text = "[White \"Smith\"]\n[Black \"Jones\"]\n\n1. e4 {[%clk 0:03:00]} (1. d4 d5) 1... Nf9 0-1";
//! let read = PgnReader::new(text.as_bytes()).next().unwrap().unwrap();
//!
//! let game = &read.game;
//! assert_eq!(game.tags().get("White"), Some("Smith"));
//! assert_eq!(game.main_line().count(), 1);
//! assert_eq!(game.to_string().lines().last(), Some("1. e4 {[%clk 0:03:00]} (1. d4 d5) 0-1"));
//!
//! let fault = read.faults.iter().next().unwrap().to_string();
//! assert!(fault.starts_with("game 1 (Smith - Jones), move 1...: \"Nf9\" is not a move"));
//! ```
//!
//! | module | what is in it |
//! | --- | --- |
//! | `game` | [`PgnGame`]: the tree of moves, its start and its result |
//! | `tags` | [`Tags`]: what stands before the moves |
//! | `comment` | [`Comment`]: a text, and the clock, elapsed time and evaluation that it carries |
//! | `frame` | cuts a stream into games and puts each in a form in which `pgn-reader` passes over nothing |
//! | `read` | [`PgnReader`]: plays the moves that `pgn-reader` finds |
//! | `fault` | [`Fault`]: what was damaged, by game and move |
//! | `write` | the export format, 80 columns wide |
//!
//! What is written reads back as the same game. The module `limits` bounds what is read: a fault
//! names what is beyond a bound, and nothing is shortened without one.

#![forbid(unsafe_code)]

mod comment;
mod fault;
mod frame;
mod game;
pub mod limits;
mod read;
mod tags;
mod text;
mod write;

pub use comment::{Comment, Eval, PgnScore};
pub use fault::{Fault, FaultKind, FaultPlace, Faults};
pub use game::{AddError, NoResult, NodeId, NullMove, PgnGame, PgnResult};
pub use read::{PgnReader, ReadGame};
pub use tags::{TagError, Tags};
