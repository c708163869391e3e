//! Where unsafe code may be, and how it proves itself.
#![forbid(unsafe_code)]

use std::fs;
use std::path::{Path, PathBuf};

/// The only crates with unsafe code.
const WITH_UNSAFE: [&str; 4] = ["crates/chess", "crates/engine", "crates/lab", "crates/trainer"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The roots of all crates: each of `crates`, the program, and the checks.
fn crate_roots() -> Vec<PathBuf> {
    let folders = fs::read_dir(root().join("crates")).expect("the crates").map(|entry| {
        entry.expect("a crate").path().strip_prefix(root()).expect("below the root").to_owned()
    });
    let libraries = folders.map(|folder| folder.join("src/lib.rs"));
    libraries.chain(["src/main.rs".into(), "xtask/src/main.rs".into()]).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// All sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn crates_without_unsafe_code_forbid_it() {
    let roots = crate_roots();
    assert!(roots.len() >= 10, "{roots:?}");
    for path in roots {
        let has_unsafe = WITH_UNSAFE.iter().any(|folder| path.starts_with(folder));
        let forbids = read(&path).lines().any(|line| line == "#![forbid(unsafe_code)]");
        assert!(forbids != has_unsafe, "{}: `#![forbid(unsafe_code)]`?", path.display());
    }
}

/// What the processor can do is asked in one place, which alone makes tokens of it.
#[test]
fn tokens_of_instruction_sets_come_from_one_place() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    sources(&root().join("src"), &mut files);
    let makes_tokens = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("text");
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.into_iter().any(|line| line.contains("feature_detected!"))
    };
    let makers: Vec<&Path> = files
        .iter()
        .filter(|path| makes_tokens(path))
        .map(|path| path.strip_prefix(root()).expect("below the root"))
        .collect();
    assert_eq!(makers, [Path::new("crates/chess/src/cpu.rs")]);
}
