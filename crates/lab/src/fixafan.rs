//! FIXAFAN, the program of Thé's thesis, written anew from its description: a fixed-depth alpha-beta search
//! that judges by material alone, made to compare ways of ordering moves.
//!
//! As profile [`Fixafan`](Profile::Fixafan) it has the errors of the original and visits the same nodes; as
//! profile [`Sound`](Profile::Sound), the default, they are mended.

pub mod board;
pub mod exchange;
pub mod generate;
pub mod list;
pub mod memory;
pub mod order;
pub mod positions;
pub mod record;
pub mod search;
pub mod sheet;
pub mod table;
pub mod tree;
pub mod watch;
pub mod worth;

pub use memory::MAX_DEPTH;
pub use order::Order;
pub use record::Record;
pub use search::{Profile, Settings, search};
pub use worth::Evaluation;
