//! Names and words: no type has the name of another, and the sources speak the field's language.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose public and crate-wide types must have names of their own.
const CRATES: [&str; 9] = [
    "crates/files",
    "crates/chess",
    "crates/engine",
    "crates/protocol",
    "crates/arena",
    "crates/trainer",
    "crates/pgn",
    "crates/chart",
    "src",
];

/// Names that several types have, and why.
const SHARED_NAMES: &[(&str, &str)] = &[
    ("Args", "each verb of the command line has its arguments; the verb's module tells them apart"),
    ("Wdl", "the field's word both for counts of games (arena) and for probabilities (engine)"),
];

/// The words of the field that the engine's sources must have, for those who search for them.
const TERMS: [&str; 11] =
    ["SEE", "LMR", "TT", "PVS", "MVV", "NMP", "RFP", "LMP", "IIR", "SMP", "SCReLU"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder, but for what is built.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                files(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

/// The sources below a folder, each with its path.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    files(&root().join(folder), &mut found);
    found.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("text"))).collect()
}

/// The type that a line defines, if it is public or crate-wide.
fn defined_type(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("pub ").or_else(|| rest.strip_prefix("pub(crate) "))?;
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let keywords = ["struct ", "enum ", "trait ", "type ", "union "];
    let rest = keywords.iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

#[test]
fn no_two_types_have_the_same_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in CRATES.iter().flat_map(|folder| sources(folder)) {
        let file = path.strip_prefix(root()).expect("below the root").display();
        for (number, line) in text.lines().enumerate() {
            if let Some(name) = defined_type(line) {
                places.entry(name.to_owned()).or_default().push(format!("{file}:{}", number + 1));
            }
        }
    }
    assert!(places.len() > 200, "{} types", places.len());
    let is_exception = |name: &str| SHARED_NAMES.iter().any(|(shared, _)| *shared == name);
    let twice: Vec<String> = places
        .iter()
        .filter(|(name, places)| places.len() > 1 && !is_exception(name))
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(twice.is_empty(), "types with the same name:\n{}", twice.join("\n"));
}

#[test]
fn definitions_are_recognised() {
    assert_eq!(defined_type("    pub(crate) struct Node<'a> {"), Some("Node"));
    assert_eq!(defined_type("pub enum Bound {"), Some("Bound"));
    assert_eq!(defined_type("pub type Key = u64;"), Some("Key"));
    assert_eq!(defined_type("pub unsafe trait Lanes: Copy {"), Some("Lanes"));
    assert_eq!(defined_type("struct Private;"), None);
    assert_eq!(defined_type("pub(super) struct Near;"), None);
    assert_eq!(defined_type("pub fn type_of() {}"), None);
}

#[test]
fn the_engine_has_the_words_of_the_field() {
    let text: String = sources("crates/engine/src").into_iter().map(|(_, text)| text).collect();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for term in TERMS {
        assert!(words.contains(&term), "no {term} in crates/engine/src");
    }
}

/// Words that hide what is meant. Name the thread, the number, the GUI, the user instead.
const VAGUE: [&str; 4] = ["whoever", "so many", "told", "nobody"];

/// Does a line have a vague word?
fn is_vague(line: &str) -> bool {
    let line = line.to_lowercase();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    VAGUE.iter().any(|word| {
        line.match_indices(word).any(|(at, _)| {
            !line[..at].ends_with(is_letter) && !line[at + word.len()..].starts_with(is_letter)
        })
    })
}

/// The laboratory, which quotes its works, is left out, and this file, which names the words.
#[test]
fn sentences_name_what_they_mean() {
    let mut found = Vec::new();
    let folders = ["crates", "src", "tests", "benches", "docs", "xtask", "fuzz/fuzz_targets"];
    folders.iter().for_each(|folder| files(&root().join(folder), &mut found));
    found.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| root().join(page)));
    let mut lines = Vec::new();
    for path in found {
        let file = path.strip_prefix(root()).expect("below the root").display().to_string();
        let kinds = [".rs", ".md", ".toml"];
        if file.starts_with("crates/lab/")
            || file.starts_with("docs/lab")
            || file == "tests/names.rs"
            || !kinds.iter().any(|kind| file.ends_with(kind))
        {
            continue;
        }
        let text = fs::read_to_string(&path).expect("text");
        let vague = text.lines().enumerate().filter(|(_, line)| is_vague(line));
        lines.extend(vague.map(|(number, line)| format!("{file}:{}: {line}", number + 1)));
    }
    assert!(lines.len() <= 40, "{} vague lines:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn vague_words_are_found_as_words() {
    assert!(is_vague("Nobody knows") && is_vague("at most so many.") && is_vague("is told"));
    assert!(!is_vague("untold stories") && !is_vague("so manyfold") && !is_vague("fn told_of()"));
}
