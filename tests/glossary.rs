//! The glossary is true: every term stands in a heading of the file that `docs/glossary.md` names.

use std::fs;
use std::path::Path;

/// A row of the glossary's table.
struct Row<'a> {
    /// The term, without its abbreviation.
    term: &'a str,
    abbreviation: Option<&'a str>,
    meaning: &'a str,
    /// Our name in the code; empty if there is none.
    name: &'a str,
    /// The file, from the folder `docs` on.
    file: &'a str,
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let table = page.lines().skip_while(|line| !line.starts_with("| term |")).skip(2);
    let table = table.take_while(|line| line.starts_with('|'));
    table
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [term, meaning, name, file] = cells[..] else { panic!("four cells: {line}") };
            let (term, abbreviation) = match term.split_once(" (") {
                Some((term, rest)) => (term, rest.strip_suffix(')')),
                None => (term, None),
            };
            let file = file.split_once("](").and_then(|(_, link)| link.strip_suffix(')'));
            let file = file.unwrap_or_else(|| panic!("a link: {line}"));
            Row { term, abbreviation, meaning, name: name.trim_matches('`'), file }
        })
        .collect()
}

/// The lines of a source where a reader looks for a term: module and item documentation, and the comments of
/// numbered steps.
fn headings(source: &str) -> Vec<&str> {
    let is_step = |line: &str| {
        line.strip_prefix("// ").and_then(|step| step.split_once(". ")).is_some_and(
            |(number, _)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()),
        )
    };
    let is_heading =
        |line: &&str| line.starts_with("//!") || line.starts_with("///") || is_step(line);
    source.lines().map(str::trim_start).filter(is_heading).collect()
}

/// Does a word occur in a text, not only as a part of another word?
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).map(|i| text.as_bytes()[i]);
        let after = text.as_bytes().get(at + word.len()).copied();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[test]
fn every_term_stands_in_a_heading_of_its_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let mut wrong = Vec::new();
    for Row { term, abbreviation, name, file, .. } in rows(include_str!("../docs/glossary.md")) {
        let Ok(source) = fs::read_to_string(folder.join(file)) else {
            wrong.push(format!("{term}: there is no file {file}"));
            continue;
        };
        let is_there = headings(&source).iter().any(|heading| {
            heading.to_lowercase().contains(&term.to_lowercase())
                || abbreviation.is_some_and(|short| has_word(heading, short))
        });
        if !is_there {
            wrong.push(format!("{term}: no heading of {file} has it"));
        }
        if !name.is_empty() && !has_word(&source, name) {
            wrong.push(format!("{term}: {file} has no {name}"));
        }
    }
    assert!(wrong.is_empty(), "docs/glossary.md:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_is_long_and_sorted_and_says_something() {
    let rows = rows(include_str!("../docs/glossary.md"));
    assert!(rows.len() >= 60, "{} terms", rows.len());
    for pair in rows.windows(2) {
        let [before, after] = [pair[0].term.to_lowercase(), pair[1].term.to_lowercase()];
        assert!(before < after, "{before} stands before {after}");
    }
    for Row { term, meaning, .. } in rows {
        assert!(meaning.len() > 15 && meaning.ends_with('.'), "{term}: {meaning}");
    }
}

#[test]
fn a_stray_comment_is_no_heading() {
    let source =
        "//! One.\n// Two.\n    /// Three.\n    // 4. Four: why.\n    let five = 5; // 5. Five.";
    assert_eq!(headings(source), ["//! One.", "/// Three.", "// 4. Four: why."]);
    assert!(has_word("the TT, of course", "TT") && !has_word("TTs and ATT", "TT"));
}
