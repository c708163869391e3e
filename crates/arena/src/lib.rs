//! Strength, measured honestly: who meets whom, what the results prove, and how sure we may be.
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`pairing`] | who plays whom, with which colour, from which opening |
//! | [`results`] | what happened: wins, draws and losses, of one pairing or of a whole tournament |
//! | [`stats`] | what it means: Elo with its error, sequential tests, ratings, tuning |
//! | [`crosstable`] | the same for the terminal |
//! | [`chart`] | the same as a picture |
//!
//! Everything here is plain data that can be written out and read back, so that whatever is
//! interrupted can be taken up again where it stopped.

pub mod adjudication;
pub mod chart;
pub mod clock;
pub mod crosstable;
pub mod game;
pub mod journal;
mod label;
pub mod match_run;
pub mod openings;
pub mod pairing;
pub mod pgn;
pub mod player;
pub mod process;
mod random;
pub mod results;
pub mod runner;
pub mod series;
pub mod solve;
pub mod stats;
#[cfg(test)]
mod testing;
pub mod tournament;
pub mod tune;
pub mod watchdog;
