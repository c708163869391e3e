//! Which build of the program this is.

use tabiya_engine::Identity;

/// The commit it was built from, if that is known.
pub(crate) const COMMIT: Option<&str> = option_env!("TABIYA_COMMIT");

/// Of the program with the network inside it.
pub(crate) fn identity() -> Identity {
    Identity::of(COMMIT)
}
