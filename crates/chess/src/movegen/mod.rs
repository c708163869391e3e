//! Legal moves: generated, listed, counted, and asked about one by one.

mod checks;
pub(crate) mod cpu;
pub(crate) mod generate;
mod legality;
mod list;
pub(crate) mod stage;
#[cfg(target_arch = "x86_64")]
pub(crate) mod wide;

pub use checks::CheckInfo;
pub use list::MoveList;
