//! Strength, measured honestly: who meets whom, what the results prove, and how sure we may be.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`match_run`], [`tournament`] | let engines play, and say what came of it |
//! | [`tune`] | lets an engine play against itself, and moves its numbers |
//! | [`solve`] | lets an engine solve a test suite |
//! | [`player`], [`process`] | who plays: engines in this process and in others |
//! | [`game`], [`clock`], [`adjudication`] | one game: how it goes, how long it may take, how it ends |
//! | [`openings`], [`pgn`] | where games begin, and how they are written down |
//! | [`series`], [`runner`], [`watchdog`], [`journal`] | many games: several at a time, none hanging, none lost |
//!
//! | module | what it answers |
//! | --- | --- |
//! | [`pairing`] | who plays whom, with which color, from which opening |
//! | [`results`] | what happened: wins, draws and losses, of one pairing or of a whole tournament |
//! | [`stats`] | what it means: Elo with its error, sequential tests, ratings, tuning |
//! | [`crosstable`] | the same for the terminal, and as a picture |
//!
//! Everything here is plain data that can be written out and read back, so that whatever is
//! interrupted can be taken up again where it stopped.

#![forbid(unsafe_code)]

pub mod adjudication;
pub mod calendar;
pub mod clock;
pub mod crosstable;
mod files;
pub mod game;
pub mod journal;
mod label;
pub mod match_run;
pub mod openings;
pub mod pairing;
pub mod pgn;
pub mod player;
pub mod process;
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
