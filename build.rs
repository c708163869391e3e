//! Gives the program the commit it is built from, as `TABIYA_COMMIT`.
//!
//! A packager who builds without the history sets the environment variable of that name.

#![forbid(unsafe_code)]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=TABIYA_COMMIT");
    if let Ok(commit) = std::env::var("TABIYA_COMMIT") {
        return println!("cargo::rustc-env=TABIYA_COMMIT={commit}");
    }
    let Some(commit) = git(&["rev-parse", "--short=7", "HEAD"]) else { return };
    // This file grows with each commit and each change of the branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // A program with changes that are in no commit must not pass for the commit.
    let sources = ["Cargo.toml", "Cargo.lock", "src", "crates", "nets/default.nnue"];
    for source in sources {
        println!("cargo::rerun-if-changed={source}");
    }
    let status = [&["status", "--porcelain", "--untracked-files=no", "--"][..], &sources].concat();
    let changed = git(&status).is_some_and(|changes| !changes.is_empty());
    println!("cargo::rustc-env=TABIYA_COMMIT={commit}{}", if changed { "+" } else { "" });
}

/// What git says to that; none without git or outside a checkout.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
