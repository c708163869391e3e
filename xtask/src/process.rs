//! Which process is meant: a process number alone may have passed to a stranger.

use std::fmt;
use std::fs;
use std::io;
use std::str::FromStr;

use rustix::process::{Pid, Signal, getpgrp, kill_process, kill_process_group};

/// A process number together with the time at which that process started, in clock ticks since the
/// machine did: no other process ever has both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) pid: Pid,
    start: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Running,
    Paused,
    Ended,
}

/// Who gets a signal: a job that leads a process group takes its children along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    Process(Pid),
    Group(Pid),
}

#[derive(Debug, PartialEq, Eq)]
struct Stat {
    state: char,
    group: i32,
    start: u64,
}

impl Identity {
    pub(crate) fn of(pid: Pid) -> io::Result<Self> {
        let start = stat(pid)?.ok_or(io::ErrorKind::NotFound)?.start;
        Ok(Self { pid, start })
    }

    pub(crate) fn fate(self) -> io::Result<Fate> {
        Ok(match self.stat()?.map(|stat| stat.state) {
            None => Fate::Ended,
            Some('T' | 't') => Fate::Paused,
            Some(_) => Fate::Running,
        })
    }

    /// Whom to signal to reach this process; none if it has ended, or if the signal would reach
    /// the one who sends it.
    pub(crate) fn audience(self) -> io::Result<Option<Audience>> {
        let pid = self.pid.as_raw_nonzero().get();
        Ok(match self.stat()? {
            Some(stat) if stat.group == getpgrp().as_raw_nonzero().get() => None,
            Some(stat) if stat.group == pid => Some(Audience::Group(self.pid)),
            Some(_) => Some(Audience::Process(self.pid)),
            None => None,
        })
    }

    fn stat(self) -> io::Result<Option<Stat>> {
        let alive_and_the_same =
            |stat: &Stat| stat.start == self.start && !matches!(stat.state, 'Z' | 'X');
        Ok(stat(self.pid)?.filter(alive_and_the_same))
    }
}

impl Audience {
    /// Sends a signal; that the process has ended meanwhile is no error.
    pub(crate) fn signal(self, signal: Signal) -> io::Result<()> {
        let sent = match self {
            Self::Process(pid) => kill_process(pid, signal),
            Self::Group(pid) => kill_process_group(pid, signal),
        };
        match sent {
            Err(rustix::io::Errno::SRCH) => Ok(()),
            other => Ok(other?),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.pid.as_raw_nonzero(), self.start)
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a process number and its start time in clock ticks, such as `4711 123456`")]
pub(crate) struct BadIdentity;

impl FromStr for Identity {
    type Err = BadIdentity;

    fn from_str(text: &str) -> Result<Self, BadIdentity> {
        let (pid, start) = text.trim().split_once(' ').ok_or(BadIdentity)?;
        let pid = pid.parse().ok().filter(|&pid| pid > 0).and_then(Pid::from_raw);
        let start = start.parse().map_err(|_| BadIdentity)?;
        Ok(Self { pid: pid.ok_or(BadIdentity)?, start })
    }
}

fn stat(pid: Pid) -> io::Result<Option<Stat>> {
    match fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())) {
        Ok(bytes) => match parse_stat(&String::from_utf8_lossy(&bytes)) {
            Some(stat) => Ok(Some(stat)),
            None => Err(io::ErrorKind::InvalidData.into()),
        },
        Err(error) if is_gone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// A process may end between the opening of its file and the reading.
fn is_gone(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
        || error.raw_os_error() == Some(rustix::io::Errno::SRCH.raw_os_error())
}

/// Fields 3, 5 and 22 of `/proc/PID/stat`. Field 2 is the program's name in parentheses; the name
/// itself may hold spaces and parentheses, so counting starts after the last one.
fn parse_stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    Some(Stat {
        state: fields.first()?.chars().next()?,
        group: fields.get(2)?.parse().ok()?,
        start: fields.get(19)?.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Identity {
        Identity::of(rustix::process::getpid()).expect("this process runs")
    }

    #[test]
    fn a_program_name_cannot_forge_its_fields() {
        let text =
            "42 (a) Z 1 (b) c) S 7 40 40 34816 42 4194304 94 0 0 0 0 0 0 0 20 0 1 0 998877 0";
        assert_eq!(parse_stat(text), Some(Stat { state: 'S', group: 40, start: 998_877 }));
    }

    #[test]
    fn a_cut_off_line_is_no_stat() {
        for text in ["", "42", "42 (sh)", "42 (sh) S 7 40 40", "42 (sh) S x y z"] {
            assert_eq!(parse_stat(text), None, "{text}");
        }
    }

    #[test]
    fn an_identity_is_read_as_it_is_written() {
        assert_eq!(own().to_string().parse(), Ok(own()));
        for text in ["", "1", "1 ", " 1", "0 5", "-1 5", "x 5", "1 5 6", "99999999999 5"] {
            assert_eq!(text.parse::<Identity>(), Err(BadIdentity), "{text:?}");
        }
    }

    #[test]
    fn another_start_time_is_another_process() {
        assert_eq!(own().fate().expect("readable"), Fate::Running);
        let stranger = Identity { start: own().start + 1, ..own() };
        assert_eq!(stranger.fate().expect("readable"), Fate::Ended);
        assert_eq!(stranger.audience().expect("readable"), None);
    }

    #[test]
    fn nobody_signals_its_own_group() {
        assert_eq!(own().audience().expect("readable"), None);
    }
}
