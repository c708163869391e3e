//! `cargo xtask sanitize`: the tests under AddressSanitizer and ThreadSanitizer.
//!
//! The stable compiler has both behind an unstable flag, which `RUSTC_BOOTSTRAP=1` opens, and their
//! runtimes come with it. AddressSanitizer is content with the standard library as it is shipped.
//! ThreadSanitizer is not: it does not see in it how `Once`, `Mutex` and channels put the work of threads
//! in order, and calls all that follows a race. So it has that library compiled as well, from the
//! component `rust-src`; where that is missing it is skipped, and says so.
//!
//! The fuzz targets run under AddressSanitizer whenever they run: see [`crate::fuzz`].

use std::path::Path;
use std::process::Command;

use crate::error::Error;
use crate::workspace;

/// What watches the tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum Sanitizer {
    /// Memory: out of bounds, after it was freed, leaked.
    Address,
    /// Threads: data races.
    Thread,
}

/// The crates that have unsafe code or threads, and a protocol that strangers speak to.
const PACKAGES: [&str; 3] = ["tabiya-chess", "tabiya-engine", "tabiya-protocol"];

/// The one platform whose runtimes are known to come with the compiler.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A test that is left out, and why.
struct Exception {
    test: &'static str,
    reason: &'static str,
}

const EXCEPTIONS: &[Exception] = &[Exception {
    test: "known_counts",
    reason: "billions of positions, ten times as slow; smaller counts take the same ways",
}];

/// Runs the tests under one sanitizer, or under one after the other.
pub(crate) fn run(only: Option<Sanitizer>) -> Result<(), Error> {
    for sanitizer in [Sanitizer::Address, Sanitizer::Thread] {
        if only.is_none_or(|only| only == sanitizer) {
            eprintln!("--- {sanitizer:?}Sanitizer");
            sanitizer.run()?;
        }
    }
    Ok(())
}

impl Sanitizer {
    /// As the compiler names it.
    fn flag(self) -> &'static str {
        match self {
            Sanitizer::Address => "address",
            Sanitizer::Thread => "thread",
        }
    }

    fn run(self) -> Result<(), Error> {
        let builds_std = self == Sanitizer::Thread;
        if builds_std && !has_std_sources()? {
            eprintln!(
                "skipped: no component rust-src; `rustup component add rust-src`, then again"
            );
            return Ok(());
        }
        for Exception { test, reason, .. } in EXCEPTIONS {
            eprintln!("without {test}: {reason}");
        }
        let mut command = workspace::cargo(arguments(builds_std));
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", format!("-Zsanitizer={}", self.flag()))
            // Other flags rebuild everything: a folder of its own leaves the usual build alone.
            .env("CARGO_TARGET_DIR", workspace::target().join("sanitize").join(self.flag()));
        workspace::run(&mut command)
    }
}

/// The words for cargo.
fn arguments(builds_std: bool) -> Vec<&'static str> {
    let mut words = vec!["test", "--tests", "--profile", "checked", "--target", TARGET];
    if builds_std {
        words.push("-Zbuild-std");
    }
    words.extend(PACKAGES.iter().flat_map(|package| ["--package", package]));
    words.push("--");
    words.extend(EXCEPTIONS.iter().flat_map(|exception| ["--skip", exception.test]));
    words
}

/// Are the sources of the standard library there?
fn has_std_sources() -> Result<bool, Error> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "sysroot"]).current_dir(workspace::root());
    let sysroot = workspace::output(&mut rustc)?;
    let library = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library");
    Ok(library.join("std/src/lib.rs").is_file())
}
