//! JSON on standard output.

use std::io::{self, Write};

use serde::Serialize;

/// Prints a value as one line.
///
/// Made whole in memory first: an error of the pipe stays an I/O error, so that a closed pipe is
/// not taken for a failure.
pub(crate) fn print(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value).map_err(io::Error::other)?;
    writeln!(out, "{text}")
}
