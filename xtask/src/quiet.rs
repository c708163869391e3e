//! Running a command while all background work is paused.

use std::env;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::background;
use crate::error::Error;
use crate::process::Audience;
use crate::workspace;

/// Tells a command that it runs inside a quiet run, so that it does not wait for the end of its own.
const UNDER_WAY: &str = "TABIYA_QUIET";

pub(crate) fn is_under_way() -> bool {
    env::var_os(UNDER_WAY).is_some()
}

pub(crate) fn run(dir: &Path, command: &[OsString]) -> Result<ExitCode, Error> {
    let turn = if is_under_way() { None } else { Some(background::turn(dir)?) };
    // Before anything is paused, so that no signal finds it paused and us gone.
    let mut signals =
        Signals::new([SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM]).map_err(Error::Signals)?;
    let mut paused = Paused::default();
    if turn.is_some() {
        paused.pause_all(dir)?;
    }

    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .env(UNDER_WAY, "1")
        .spawn()
        .map_err(|source| Error::Start { command: workspace::spell(command), source })?;
    let status = wait(&mut child, &mut signals, &mut paused)
        .map_err(|source| Error::Wait { command: workspace::spell(command), source })?;
    Ok(exit_code(status))
}

/// Waits for the child. On any signal that asks us to end, the measurement is void: the work is
/// resumed at once, lest the next signal be one that cannot be caught.
fn wait(
    child: &mut Child,
    signals: &mut Signals,
    paused: &mut Paused,
) -> std::io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        for signal in signals.wait() {
            if signal == SIGCHLD {
                continue;
            }
            paused.resume();
            // A terminal sends these two to the child as well.
            if signal != SIGINT && signal != SIGQUIT {
                forward(child, signal);
            }
        }
    }
}

fn forward(child: &mut Child, signal: i32) {
    // The child has not been waited for, so its number is still its own; it may only have ended.
    if let Some(signal) = Signal::from_named_raw(signal) {
        let _ = kill_process(Pid::from_child(child), signal);
    }
}

/// As a shell tells it: the child's own code, or 128 and the signal that ended it.
fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default());
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}

/// Work that is paused for as long as this lives.
#[derive(Default)]
struct Paused(Vec<Audience>);

impl Paused {
    fn pause_all(&mut self, dir: &Path) -> Result<(), Error> {
        for job in background::jobs(dir)? {
            let failed = |source| Error::Pause { name: job.name.clone(), source };
            if let Some(audience) = job.identity.audience().map_err(failed)? {
                self.0.push(audience);
                audience.signal(Signal::STOP).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn resume(&mut self) {
        for audience in self.0.drain(..) {
            // Not asked again who it is: when the leader of a group was killed meanwhile, the rest
            // of the group must still wake.
            if let Err(error) = audience.signal(Signal::CONT) {
                eprintln!("warning: cannot resume {audience:?}: {error}");
            }
        }
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        self.resume();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_is_what_a_shell_would_say() {
        let code = |raw| exit_code(ExitStatus::from_raw(raw));
        assert_eq!(code(0), ExitCode::SUCCESS);
        assert_eq!(code(3 << 8), ExitCode::from(3));
        assert_eq!(code(15), ExitCode::from(143));
    }
}
