//! The manners that every verb shares.

use std::io::{self, Write};
use std::process::{Command, Output, Stdio};

fn tabiya(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(args).stdin(Stdio::null());
    command
}

fn output(args: &[&str]) -> Output {
    tabiya(args).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}

#[test]
fn completions_name_the_program_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let done = output(&["completions", shell]);
        assert_eq!(done.status.code(), Some(0), "{shell}");
        let script = text(&done.stdout);
        assert!(script.contains("tabiya") && script.contains("completions"), "{shell}: {script}");
        assert_eq!(text(&done.stderr), "", "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn bash_accepts_its_completions() {
    let script = output(&["completions", "bash"]).stdout;
    let mut bash =
        Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash starts");
    bash.stdin.take().expect("piped").write_all(&script).expect("bash reads its input");
    assert!(bash.wait().expect("bash ends").success());
}

#[test]
fn bad_usage_ends_with_code_two_and_says_so_on_standard_error() {
    for args in [&["no-such-verb"][..], &["completions", "no-such-shell"], &["--no-such-option"]] {
        let done = output(args);
        assert_eq!(done.status.code(), Some(2), "{args:?}");
        assert_eq!(text(&done.stdout), "", "{args:?}");
        let message = text(&done.stderr);
        assert!(message.starts_with("error: ") && message.contains("no-such"), "{message}");
    }
}

#[test]
fn help_and_version_are_results() {
    for (args, word) in [(["--help"], "Usage: tabiya"), (["--version"], env!("CARGO_PKG_VERSION"))]
    {
        let done = output(&args);
        assert_eq!(done.status.code(), Some(0), "{args:?}");
        assert!(text(&done.stdout).contains(word), "{args:?}");
        assert_eq!(text(&done.stderr), "", "{args:?}");
    }
}

#[test]
fn a_reader_that_went_away_ends_the_program_quietly() {
    for args in [&["completions", "bash"][..], &["--help"]] {
        let (reader, writer) = io::pipe().expect("a pipe");
        drop(reader);
        let done = tabiya(args).stdout(writer).output().expect("the program starts");
        assert_eq!(done.status.code(), Some(0), "{args:?}");
        assert_eq!(text(&done.stderr), "", "{args:?}");
    }
}

/// `/dev/full` takes no byte: the write fails with something other than a broken pipe.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_with_code_one() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let done = tabiya(&["completions", "bash"]).stdout(full).output().expect("the program starts");
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stderr).starts_with("error: "), "{}", text(&done.stderr));
}
