//! The documents say what is so.

mod program;

use program::{output, text};
use tabiya_engine::{Analyst, Engine};

/// The table of options in `docs/engine.md` has a row for each option of the engine, as the registry has
/// it: the name, the values, the help.
#[test]
fn the_table_of_options_is_the_registry() {
    let page = include_str!("../docs/engine.md");
    let engine = Engine::new().expect("an engine");
    let missing: Vec<String> = engine
        .options()
        .iter()
        .map(|option| format!("| `{}` | {} | {} |", option.name, option.kind, option.help))
        .filter(|row| !page.lines().any(|line| line == row))
        .collect();
    assert!(missing.is_empty(), "docs/engine.md lacks these rows:\n{}", missing.join("\n"));
}

/// Every `$ tabiya ...` of the guide to the engine prints what the guide shows. Three dots stand for what
/// is left out or differs from one run to the next.
#[test]
fn the_examples_of_the_engines_guide_are_true() {
    let page = include_str!("../docs/engine.md");
    let blocks = page.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut examples = 0;
    for block in blocks {
        let mut lines = block.lines();
        let command =
            lines.next().and_then(|line| line.strip_prefix("$ tabiya ")).expect("a command");
        let shown: Vec<&str> = lines.collect();
        let done = output(&words(command).iter().map(String::as_str).collect::<Vec<_>>());
        let printed = text(&done.stdout);
        assert!(
            fits(&shown.join("\n"), printed.trim_end()),
            "tabiya {command} prints\n{printed}\nand the guide shows\n{}",
            shown.join("\n")
        );
        examples += 1;
    }
    assert!(examples > 4, "{examples} examples");
}

/// Splits a command as a shell does; single quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate().flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
        _ => vec![part.to_owned()],
    });
    parts.collect()
}

/// Does a text have all pieces between the dots, in order, from its beginning to its end?
fn fits(shown: &str, printed: &str) -> bool {
    let mut pieces = shown.split("...");
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = printed.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        let found = if pieces.peek().is_none() { rest.rfind(piece) } else { rest.find(piece) };
        let Some(at) = found else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty()
}
