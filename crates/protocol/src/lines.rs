//! Lines of bounded length from a stream that may send anything.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::time::Instant;

/// How much is read at a time.
const CHUNK: usize = 16 * 1024;

/// Reads line by line. Of a line that is too long only the beginning is kept, and the rest is
/// skipped as it comes, so that nothing that is sent makes this grow.
pub(crate) struct Lines<R> {
    input: R,
    longest: usize,
    chunk: Vec<u8>,
    /// What of the chunk has not been used yet.
    unused: std::ops::Range<usize>,
    arrived: Instant,
    line: Vec<u8>,
    skipping: bool,
}

/// A line, without its end.
#[derive(Debug)]
pub(crate) struct Line<'a> {
    /// What it says; bytes that are not UTF-8 are replaced.
    pub(crate) text: Cow<'a, str>,
    /// Was it too long, and this is only its beginning?
    pub(crate) cut: bool,
    /// When the bytes that end it were read: lines that come in one piece came at the same time,
    /// however long the one before takes to deal with.
    pub(crate) arrived: Instant,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, longest: usize) -> Lines<R> {
        Lines {
            input,
            longest,
            chunk: vec![0; CHUNK],
            unused: 0..0,
            arrived: Instant::now(),
            line: Vec::new(),
            skipping: false,
        }
    }

    /// The next line; none at the end. A last line need not be ended.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.line.clear();
        loop {
            if self.unused.is_empty() && !self.refill()? {
                let partial = !self.line.is_empty();
                return Ok(partial.then(|| self.finished(false)));
            }
            let unused = &self.chunk[self.unused.clone()];
            let end = unused.iter().position(|&byte| byte == b'\n');
            let piece = &unused[..end.unwrap_or(unused.len())];
            let taken = piece.len() + usize::from(end.is_some());
            if self.skipping {
                self.unused.start += taken;
                self.skipping = end.is_none();
                continue;
            }
            let room = self.longest - self.line.len();
            if piece.len() > room {
                self.line.extend_from_slice(&piece[..room]);
                self.unused.start += room;
                self.skipping = true;
                return Ok(Some(self.finished(true)));
            }
            self.line.extend_from_slice(piece);
            self.unused.start += taken;
            if end.is_some() {
                return Ok(Some(self.finished(false)));
            }
        }
    }

    fn finished(&self, cut: bool) -> Line<'_> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        Line { text: String::from_utf8_lossy(line), cut, arrived: self.arrived }
    }

    /// Reads more; false at the end.
    fn refill(&mut self) -> io::Result<bool> {
        loop {
            match self.input.read(&mut self.chunk) {
                Ok(length) => {
                    self.arrived = Instant::now();
                    self.unused = 0..length;
                    return Ok(length > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(input: impl Read, longest: usize) -> Vec<(String, bool)> {
        let mut lines = Lines::new(input, longest);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push((line.text.into_owned(), line.cut));
        }
        all
    }

    #[test]
    fn ends_of_lines() {
        let lines = read_all(&b"uci\r\n\nisready\nquit"[..], 100);
        let expected = ["uci", "", "isready", "quit"].map(|line| (line.to_owned(), false));
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_line_as_long_as_allowed_is_whole_and_a_longer_one_is_cut() {
        let lines = read_all(&b"12345\n123456\nnext\n123456"[..], 5);
        let expected = [("12345", false), ("12345", true), ("next", false), ("12345", true)];
        assert_eq!(lines, expected.map(|(line, cut)| (line.to_owned(), cut)));
    }

    #[test]
    fn a_hundred_megabytes_take_no_memory() {
        let giant = io::repeat(b'x').take(100_000_000).chain(&b"\nquit\n"[..]);
        let mut lines = Lines::new(giant, 1000);
        assert!(lines.next().unwrap().unwrap().cut);
        assert_eq!(lines.next().unwrap().unwrap().text, "quit");
        assert!(lines.line.capacity() <= 2 * CHUNK);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        let lines = read_all(&b"\xff\0go\n"[..], 100);
        assert_eq!(lines, [("\u{fffd}\0go".to_owned(), false)]);
    }

    /// Gives its bytes a few at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len());
            (&mut self.0).take(length as u64).read(buffer)
        }
    }

    proptest! {
        #[test]
        fn it_does_not_matter_in_which_pieces_the_bytes_come(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            piece in 1_usize..20,
            longest in 1_usize..30,
        ) {
            let at_once = read_all(&bytes[..], longest);
            prop_assert_eq!(read_all(Trickle(&bytes, piece), longest), at_once);
        }
    }
}
