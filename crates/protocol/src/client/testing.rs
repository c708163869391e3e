//! Engines made of paper.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::Timeouts;

/// Long enough for a machine that is busy with other things.
pub(super) const TIMEOUTS: Timeouts = Timeouts {
    handshake: Duration::from_secs(20),
    ready: Duration::from_secs(20),
    answer: Duration::from_secs(20),
};

/// For engines that will not answer anyway.
pub(super) const IMPATIENT: Timeouts = Timeouts { answer: Duration::from_millis(50), ..TIMEOUTS };

/// What a script answers to a line.
pub(super) enum Answer {
    Say(Vec<u8>),
    /// Dies.
    Exit,
}

pub(super) fn say(text: impl Into<Vec<u8>>) -> Answer {
    Answer::Say(text.into())
}

/// An engine: what it writes, what it reads, and what it has read.
pub(super) struct Paper {
    pub(super) reader: PipeReader,
    pub(super) writer: PipeWriter,
    pub(super) heard: Receiver<String>,
}

impl Paper {
    pub(super) fn engine(mut script: impl FnMut(&str) -> Answer + Send + 'static) -> Paper {
        let (input, writer) = io::pipe().unwrap();
        let (reader, mut output) = io::pipe().unwrap();
        let (tell, heard) = channel();
        thread::spawn(move || {
            for line in BufReader::new(input).lines() {
                let line = line.unwrap();
                let answer = script(&line);
                let _ = tell.send(line);
                match answer {
                    Answer::Say(bytes) => {
                        if output.write_all(&bytes).is_err() {
                            break;
                        }
                    }
                    Answer::Exit => break,
                }
            }
        });
        Paper { reader, writer, heard }
    }
}

/// All lines up to one that begins like this.
pub(super) fn lines_until(heard: &Receiver<String>, last: &str) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let line = heard.recv_timeout(Duration::from_secs(20)).expect("the engine hears more");
        let is_last = line.starts_with(last);
        lines.push(line);
        if is_last {
            return lines;
        }
    }
}
