//! What the results mean.
//!
//! | module | question |
//! | --- | --- |
//! | [`pentanomial`] | by how much is one engine ahead of another, and how sure is that? |
//! | [`sprt`] | may the match stop, and with which verdict? |
//! | [`ratings`] | where does everybody in a tournament stand? |
//! | [`spsa`] | which values of an engine's constants play best? |
//! | [`elo`] | the scale all of them speak in |

pub mod elo;
mod normal;
pub mod pentanomial;
pub mod ratings;
#[cfg(test)]
mod simulation;
pub mod sprt;
pub mod spsa;
