//! The engine's school: games that it plays against itself, and what is learnt from them.
//!
//! [`selfplay`] plays games by a [`Recipe`](recipe::Recipe) and keeps them in a directory: shards of
//! whole games, a byte and a half to a position, and a manifest that names them and tells where they
//! come from. [`verify`](verify::verify) plays them again and compares. [`fit`] fits the weights of the
//! classical evaluation to them; [`net`] trains networks.
//!
//! Everything here is reproducible to the bit: a game depends on the recipe's seed, its own number and
//! the engine, never on the clock or the number of threads.

mod bits;
pub mod fit;
pub mod lineage;
pub mod manifest;
mod maths;
pub mod net;
mod parallel;
pub mod recipe;
pub mod record;
pub mod selfplay;
pub mod shard;
pub mod verify;
pub mod wdl;

/// Asked now and then; when it says yes, work ends as soon as nothing is lost by it.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
