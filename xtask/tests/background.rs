//! Pausing and resuming, on real processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// In the shell's own place: one that is stopped while it starts a child is not yet shown as stopped.
const SLEEP: &str = "exec sleep 600";

/// A folder for background work; what was started in it ends with it, as do the quiet runs that look
/// for a file there.
struct Yard(PathBuf);

impl Yard {
    fn new(test: &str) -> Self {
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a fresh folder");
        Self(dir)
    }

    fn xtask(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(args).env("TABIYA_BACKGROUND", &self.0).stdin(Stdio::null());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.xtask(args).output().expect("xtask starts")
    }

    fn start(&self, name: &str, script: &str) -> Pid {
        let done = self.run(&["background", name, "--", "sh", "-c", script]);
        assert!(done.status.success(), "{}", text(&done.stderr));
        self.pid(name)
    }

    fn pid(&self, name: &str) -> Pid {
        pid_in(&self.0.join(name).with_extension("pid"))
    }
}

impl Drop for Yard {
    fn drop(&mut self) {
        for entry in fs::read_dir(&self.0).expect("readable").flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "pid") {
                let _ = kill_process_group(pid_in(&entry.path()), Signal::KILL);
            }
        }
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn pid_in(path: &Path) -> Pid {
    let text = fs::read_to_string(path).expect("a pid file");
    let word = text.split_whitespace().next().expect("a number");
    Pid::from_raw(word.parse().expect("a number")).expect("not zero")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// Field 3, the state, and field 19, the niceness, counted from after the program's name.
fn state_and_niceness(pid: Pid) -> Option<(String, String)> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some((fields[0].to_owned(), fields[16].to_owned()))
}

fn is_paused(pid: Pid) -> bool {
    state_and_niceness(pid).is_some_and(|(state, _)| state == "T")
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "still not so: {what}");
        sleep(Duration::from_millis(5));
    }
}

/// A quiet run that lasts until the returned file is removed.
fn hold(yard: &Yard) -> (Child, PathBuf) {
    let [held, started] = ["held", "started"].map(|name| yard.0.join(name));
    fs::write(&held, "").expect("writable");
    let script = format!(
        "touch {started}; while test -e {held}; do sleep 0.01; done",
        held = held.display(),
        started = started.display()
    );
    let child = yard.xtask(&["quiet", "--", "sh", "-c", &script]).spawn().expect("xtask starts");
    eventually("the quiet run has begun", || started.exists());
    (child, held)
}

#[test]
fn a_job_runs_niced_and_logged() {
    let yard = Yard::new("niced");
    let pid = yard.start("job", "echo to the log; echo and errors >&2; sleep 600");
    eventually("the log is written", || {
        let log = fs::read_to_string(yard.0.join("job.log"));
        log.is_ok_and(|log| log == "to the log\nand errors\n")
    });
    assert_eq!(state_and_niceness(pid).expect("alive").1, "19");
}

#[test]
fn the_list_tells_running_from_ended() {
    let yard = Yard::new("list");
    yard.start("long", SLEEP);
    yard.start("short", "true");
    eventually("the short job has ended", || {
        let list = text(&yard.run(&["background", "--list"]).stdout);
        let lines: Vec<&str> = list.lines().collect();
        lines.len() == 2
            && lines[0].starts_with("long ")
            && lines[0].ends_with(" running")
            && lines[1].starts_with("short ")
            && lines[1].ends_with(" ended")
    });
}

#[test]
fn a_name_in_use_is_refused_until_its_job_has_ended() {
    let yard = Yard::new("in_use");
    let pid = yard.start("job", SLEEP);
    let refused = yard.run(&["background", "job", "--", "true"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("already running"), "{}", text(&refused.stderr));
    assert_eq!(yard.pid("job"), pid);

    kill_process_group(pid, Signal::KILL).expect("ours to end");
    eventually("the job has ended", || {
        text(&yard.run(&["background", "--list"]).stdout).ends_with("ended\n")
    });
    assert_ne!(yard.start("job", SLEEP), pid);
}

#[test]
fn a_command_that_does_not_exist_is_an_error() {
    let yard = Yard::new("no_command");
    for verb in [&["background", "job"][..], &["quiet"]] {
        let refused = yard.run(&[verb, &["--", "no-such-program"]].concat());
        assert_eq!(refused.status.code(), Some(1));
        let message = text(&refused.stderr);
        assert!(message.starts_with("error: cannot start `no-such-program`"), "{message}");
    }
}

#[test]
fn quiet_pauses_a_job_with_its_children_and_resumes_them() {
    let yard = Yard::new("children");
    let child_file = yard.0.join("child");
    let script = format!("sleep 600 & echo $! > {}; wait", child_file.display());
    let job = yard.start("job", &script);
    eventually("the child is known", || {
        fs::read_to_string(&child_file).is_ok_and(|text| text.ends_with('\n'))
    });
    let child = pid_in(&child_file);

    let (mut quiet, held) = hold(&yard);
    eventually("both are paused", || is_paused(job) && is_paused(child));
    assert!(text(&yard.run(&["background", "--list"]).stdout).ends_with("paused\n"));

    fs::remove_file(held).expect("removable");
    assert!(quiet.wait().expect("quiet ends").success());
    eventually("both are resumed", || !is_paused(job) && !is_paused(child));
    assert!(state_and_niceness(child).is_some());
}

#[test]
fn quiet_leaves_a_stranger_with_the_same_number_alone() {
    let yard = Yard::new("stranger");
    let pid = yard.start("job", SLEEP);
    let file = yard.0.join("job.pid");
    let [number, start]: [u64; 2] = fs::read_to_string(&file)
        .expect("readable")
        .split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect::<Vec<_>>()
        .try_into()
        .expect("two numbers");
    fs::write(&file, format!("{number} {}\n", start - 1)).expect("writable");

    let (mut quiet, held) = hold(&yard);
    assert!(!is_paused(pid));
    fs::remove_file(held).expect("removable");
    assert!(quiet.wait().expect("quiet ends").success());
}

#[test]
fn quiet_ends_as_its_command_ends_and_resumes() {
    let yard = Yard::new("exit_code");
    let job = yard.start("job", SLEEP);
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 128 + 15)] {
        assert_eq!(yard.run(&["quiet", "--", "sh", "-c", script]).status.code(), Some(code));
        eventually("the job is resumed", || !is_paused(job));
    }
}

#[test]
fn a_terminated_quiet_run_ends_its_command_and_resumes() {
    let yard = Yard::new("terminated");
    let job = yard.start("job", SLEEP);
    let (mut quiet, _held) = hold(&yard);
    eventually("the job is paused", || is_paused(job));
    kill_process(Pid::from_child(&quiet), Signal::TERM).expect("ours to end");
    assert_eq!(quiet.wait().expect("quiet ends").code(), Some(128 + 15));
    eventually("the job is resumed", || !is_paused(job));
}

#[test]
fn an_interrupt_resumes_even_when_the_command_takes_no_notice() {
    let yard = Yard::new("interrupted");
    let job = yard.start("job", SLEEP);
    let (mut quiet, held) = hold(&yard);
    eventually("the job is paused", || is_paused(job));
    kill_process(Pid::from_child(&quiet), Signal::INT).expect("ours to interrupt");
    eventually("the job is resumed", || !is_paused(job));
    fs::remove_file(held).expect("removable");
    assert!(quiet.wait().expect("quiet ends").success());
}

#[test]
fn a_second_quiet_run_waits_for_its_turn() {
    let yard = Yard::new("turns");
    let (mut first, held) = hold(&yard);
    let check = format!("test ! -e {}", held.display());
    let mut second = yard.xtask(&["quiet", "--", "sh", "-c", &check]);
    let second = second.stderr(Stdio::piped()).spawn().expect("xtask starts");
    // Had it not waited, it would most likely be done by now, and have failed.
    sleep(Duration::from_millis(100));
    fs::remove_file(held).expect("removable");
    assert!(first.wait().expect("quiet ends").success());
    let second = second.wait_with_output().expect("quiet ends");
    assert!(second.status.success(), "it ran while the first was under way");
}

#[test]
fn inside_a_quiet_run_another_does_not_wait_and_nothing_is_started() {
    let yard = Yard::new("nested");
    let xtask = env!("CARGO_BIN_EXE_xtask");
    let inner = yard.run(&["quiet", "--", xtask, "quiet", "--", "sh", "-c", "exit 5"]);
    assert_eq!(inner.status.code(), Some(5));
    let refused = yard.run(&["quiet", "--", xtask, "background", "job", "--", "true"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(!yard.0.join("job.pid").exists());
}
