//! An engine that is a program of its own.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tabiya_engine::AnalystError;
use tabiya_protocol::client::{CecpClient, Remote, Timeouts, UciClient};

use crate::player::{ProcessSpec, StartError};
use crate::watchdog::Kill;
use tabiya_engine::lock;

/// What an engine speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Whatever it answers to: UCI is tried first, then CECP.
    #[default]
    Auto,
    /// The Universal Chess Interface.
    Uci,
    /// The Chess Engine Communication Protocol, as XBoard speaks it.
    Cecp,
}

/// How long an engine may take to introduce itself if it is known what it speaks: it may have a network
/// to load.
const PATIENT: Duration = Duration::from_secs(20);

/// The same if that has to be found out.
const HASTY: Duration = Duration::from_secs(5);

/// How long an engine that was told to quit may take before it is killed.
const FAREWELL: Duration = Duration::from_secs(1);

/// How long to wait for the exit status of an engine that seems to have crashed.
const POST_MORTEM: Duration = Duration::from_millis(200);

/// How much of what an engine writes to standard error is remembered: the last of it.
const LAST_WORDS: usize = 2048;

/// A running program. Dropping it waits for its end, and sees to it.
pub(crate) struct Process {
    protocol: Protocol,
    child: Arc<Mutex<Child>>,
    kill: Kill,
    /// Nothing is ever sent: it closes when the program closes its standard error, which is at its end.
    ended: Receiver<()>,
    last_words: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts a program and greets it.
    pub(crate) fn start(spec: &ProcessSpec) -> Result<(Box<dyn Remote>, Self), StartError> {
        match spec.protocol {
            Protocol::Uci | Protocol::Cecp => Self::start_speaking(spec, spec.protocol, PATIENT),
            Protocol::Auto => Self::find_out(spec),
        }
    }

    fn find_out(spec: &ProcessSpec) -> Result<(Box<dyn Remote>, Self), StartError> {
        let error = match Self::start_speaking(spec, Protocol::Uci, HASTY) {
            Err(error @ StartError::Handshake { .. }) => error,
            other => return other,
        };
        // A program that does not know `uci` may be in any state after it, so CECP is tried afresh. Old
        // engines never answer its greeting, and neither do programs that are no engines at all; only
        // who says so can be taken for one.
        let begin = Instant::now();
        match Self::start_speaking(spec, Protocol::Cecp, HASTY) {
            Ok(started) if begin.elapsed() < HASTY => Ok(started),
            _ => Err(error),
        }
    }

    fn start_speaking(
        spec: &ProcessSpec,
        protocol: Protocol,
        handshake: Duration,
    ) -> Result<(Box<dyn Remote>, Self), StartError> {
        let (process, output, input) = Self::spawn(spec, protocol)
            .map_err(|source| StartError::Spawn { program: spec.program.clone(), source })?;
        let timeouts = Timeouts { handshake, ..Timeouts::default() };
        let name = &spec.program;
        let client: Result<Box<dyn Remote>, AnalystError> = match protocol {
            Protocol::Cecp => CecpClient::connect(name, output, input, timeouts)
                .map(|client| Box::new(client) as Box<dyn Remote>),
            _ => UciClient::connect(name, output, input, timeouts)
                .map(|client| Box::new(client) as Box<dyn Remote>),
        };
        match client {
            Ok(client) => Ok((client, process)),
            Err(error) => Err(StartError::Handshake {
                program: spec.program.clone(),
                error,
                last_words: process.last_words(),
            }),
        }
    }

    fn spawn(
        spec: &ProcessSpec,
        protocol: Protocol,
    ) -> io::Result<(Self, ChildStdout, ChildStdin)> {
        let mut command = Command::new(locate(&spec.program)?);
        command
            .args(&spec.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // A group of its own, so that Ctrl-C at the terminal is for us to deal with, and all that the
        // program starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);

        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let (open, ended) = mpsc::sync_channel(0);
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let remembered = Arc::clone(&last_words);
        let child = Arc::new(Mutex::new(child));
        let to_kill = Arc::clone(&child);
        let process =
            Self { protocol, child, kill: Arc::new(move || end(&to_kill)), ended, last_words };
        thread::Builder::new().spawn(move || {
            drain(errors, &remembered);
            drop::<mpsc::SyncSender<()>>(open);
        })?;
        Ok((process, output, input))
    }

    /// What it is spoken to in.
    pub(crate) fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// Ends the program at once, from any thread.
    pub(crate) fn kill_switch(&self) -> Kill {
        Arc::clone(&self.kill)
    }

    /// How the program ended and what it wrote to standard error, as the rest of a sentence.
    pub(crate) fn last_words(&self) -> String {
        self.await_end(POST_MORTEM);
        let mut rest = self
            .status_within(POST_MORTEM)
            .map_or_else(String::new, |status| format!(" ({status})"));
        let last_words = lock(&self.last_words);
        let text = String::from_utf8_lossy(&last_words);
        if !text.trim().is_empty() {
            rest.push_str(&format!("; its last words were {:?}", text.trim()));
        }
        rest
    }

    /// The exit status comes a moment after the pipes have closed, and only for those who ask.
    fn status_within(&self, patience: Duration) -> Option<ExitStatus> {
        let begin = Instant::now();
        loop {
            let status = lock(&self.child).try_wait();
            if !matches!(status, Ok(None)) || begin.elapsed() >= patience {
                return status.ok().flatten();
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    fn await_end(&self, patience: Duration) {
        // Closed or not, after this it is time to act.
        let _ = self.ended.recv_timeout(patience);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.await_end(FAREWELL);
        end(&self.child);
        // Nothing is left to be done about a process that cannot be waited for.
        let _ = lock(&self.child).wait();
    }
}

/// Kills a program and all that it has started.
fn end(child: &Mutex<Child>) {
    let mut child = lock(child);
    // Once it has been waited for, its number may belong to somebody else.
    if matches!(child.try_wait(), Ok(None)) {
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }
}

/// Reads all that comes, lest the program wait for a reader, and keeps the last of it.
fn drain(mut errors: ChildStderr, last_words: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = errors.read(&mut chunk) {
        let mut kept = lock(last_words);
        kept.extend_from_slice(&chunk[..length]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}

/// A path is meant from here, not from the directory the program will be started in.
fn locate(program: &str) -> io::Result<PathBuf> {
    let path = Path::new(program);
    if path.components().count() > 1 { std::path::absolute(path) } else { Ok(path.to_owned()) }
}

#[cfg(all(test, unix))]
mod tests;
