//! JSON on standard output.

use std::io::{self, Write};

use serde::Serialize;
use tabiya_engine::Identity;

use crate::identity::identity;

/// A report with the program that made it.
#[derive(Serialize)]
pub(crate) struct Signed<'a, T> {
    program: Identity,
    #[serde(flatten)]
    report: &'a T,
}

impl<'a, T> Signed<'a, T> {
    pub(crate) fn new(report: &'a T) -> Self {
        Self::by(identity(), report)
    }

    /// The same where it is not the network inside the program that counts.
    pub(crate) fn by(program: Identity, report: &'a T) -> Self {
        Self { program, report }
    }
}

/// Prints a value as one line.
///
/// Made whole in memory first: an error of the pipe stays an I/O error, so that a closed pipe is
/// not taken for a failure.
pub(crate) fn print(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value).map_err(io::Error::other)?;
    writeln!(out, "{text}")
}
