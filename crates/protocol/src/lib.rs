//! Talking chess: both sides of UCI, and the GUI's side of CECP.
//!
//! - [`uci`] has the lines of the protocol, read and written.
//! - [`client`] makes an engine at the other end of a pipe an
//!   [`Analyst`](tabiya_engine::Analyst), whichever of the two protocols it speaks.
//! - [`server`] makes any analyst a UCI engine.
//!
//! Everything works over any pair of byte streams: nothing here knows files, sockets or processes.
//! The other side may send anything, of any length, at any time, or nothing at all; that costs
//! neither a hang, nor a panic, nor memory without bound.

#![forbid(unsafe_code)]

mod best_move;
pub mod client;
mod lines;
pub mod server;
#[cfg(test)]
mod testing;
pub mod uci;
mod words;

pub use best_move::BestMove;
