//! The program as a test runs it.

use std::process::{Command, Output, Stdio};

pub(crate) fn tabiya(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabiya"));
    command.args(args).stdin(Stdio::null());
    command
}

pub(crate) fn output(args: &[&str]) -> Output {
    tabiya(args).output().expect("the program starts")
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the program prints UTF-8")
}
