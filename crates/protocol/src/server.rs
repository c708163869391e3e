//! Any [`Analyst`](tabiya_engine::Analyst) as an engine in a GUI.

mod board;
mod extra;
mod output;
mod perft;
#[cfg(test)]
mod testing;
mod thinking;
mod uci;

pub use extra::{Errand, Extra, Fault, PrepareErrand, RunAtOnce, RunExtra};
pub use uci::UciServer;
