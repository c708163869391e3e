//! Any [`Analyst`](tabiya_engine::Analyst) as an engine in a GUI.

mod board;
mod output;
mod perft;
#[cfg(test)]
mod testing;
mod thinking;
mod uci;

pub use uci::{Extra, RunExtra, UciServer};
