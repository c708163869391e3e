//! The documents say what is so.

mod program;

use program::{output, text};
use tabiya_engine::{Analyst, Engine, OptionSpec};
use tabiya_protocol::server::UciServer;

/// The rows of the table under a heading of a page.
fn table<'a>(page: &'a str, heading: &str) -> Vec<&'a str> {
    let rest = page.split_once(heading).unwrap_or_else(|| panic!("no {heading:?}")).1;
    let rows = rest.lines().skip_while(|line| !line.starts_with("| `"));
    rows.take_while(|line| line.starts_with('|')).collect()
}

/// The table of options in `docs/engine.md` is what `uci` lists, as the registries have it and in their order:
/// the name, the values, the help.
#[test]
fn the_table_of_options_is_the_registry() {
    let engine = Engine::new().expect("an engine");
    let server = UciServer::new(Box::new(engine), std::io::sink());
    let expected: Vec<String> = server
        .options()
        .map(|option| format!("| `{}` | {} | {} |", option.name, option.kind, option.help))
        .collect();
    let rows = table(include_str!("../docs/engine.md"), "\n## Options\n");
    assert_eq!(rows, expected, "docs/engine.md should have these rows:\n{}", expected.join("\n"));
}

/// The table of margins in `docs/parallel.md` has all of YBWC's, as the registry has them.
#[test]
fn the_table_of_ybwc_is_the_registry() {
    let engine = Engine::tunable().expect("an engine");
    let of_ybwc = engine.options().iter().filter(|option| option.name.starts_with("ybwc_"));
    let row = |option: &OptionSpec| {
        let help = option.help.strip_prefix("YBWC: ").unwrap_or(&option.help);
        format!("| `{}` | {} | {help} |", option.name, option.kind)
    };
    let expected: Vec<String> = of_ybwc.map(row).collect();
    let page = include_str!("../docs/parallel.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `ybwc_")).collect();
    assert_eq!(rows, expected, "docs/parallel.md should have these rows:\n{}", expected.join("\n"));
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
