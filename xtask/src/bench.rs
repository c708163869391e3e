//! `cargo xtask bench`: the benchmarks whose figures the documentation quotes.

use crate::error::Error;
use crate::workspace;

/// Runs the generator's benchmarks as anyone builds them, and then for this machine's processor with
/// every generator's own fast features, which is how engines are built.
pub(crate) fn chess() -> Result<(), Error> {
    eprintln!("=== default flags ===");
    workspace::run(&mut workspace::cargo([
        "bench",
        "--package",
        "tabiya-chess",
        "--bench",
        "perft",
    ]))?;
    // Ways to look up slider attacks are compared by the laboratory.
    let sliders = "run --release --quiet -- lab run sliders --again --dir target/lab-results";
    workspace::run(&mut workspace::cargo(sliders.split(' ')))?;

    eprintln!("\n=== -C target-cpu=native, cozy-chess with its feature `pext` ===");
    let target = workspace::root().join("target").join("native");
    let features = ["--features", "cozy-chess/pext"];
    let args = ["bench", "--package", "tabiya-chess", "--bench", "perft"];
    workspace::run(
        workspace::cargo(args)
            .args(features)
            .env("RUSTFLAGS", "-C target-cpu=native")
            // Other flags rebuild everything: a folder of its own leaves the usual build alone.
            .env("CARGO_TARGET_DIR", target),
    )
}
