//! Cuts a stream into games, and puts each in a form in which `pgn-reader` hands on all of it.
//!
//! `pgn-reader` 0.29 is fast and never panics, but it passes over in silence what it does not know: words
//! that are no moves (the next move is then read in the wrong position), comments from `;` to the end of
//! the line, NAGs above 255, lines in brackets without quotes. An empty line ends a game for it, an unclosed
//! comment or a tag beyond its buffer ends the file, and two escaped backslashes in a tag become one. So it gets
//!
//! - one game at a time, without byte order mark, `%` lines, line breaks and move numbers,
//! - only tags and words that it knows, and
//! - [`Mark`]s in place of the rest: tags and comments that begin with a NUL, which no file can
//!   have here, for all control characters have become spaces.

use std::io::{self, ErrorKind, Read};

use pgn_reader::SanPlus;

use crate::PgnResult;
use crate::limits::{COMMENT_BYTES, GAME_BYTES, TAG_BYTES, TAG_NAME_BYTES, WORD_BYTES};
use crate::tags::is_name;
use crate::text::decoded;

/// The longest line that is read as tags, twice a value for the escapes in it, and as much as is
/// looked ahead.
pub(crate) const LINE_BYTES: usize = 2 * TAG_BYTES + 2 * TAG_NAME_BYTES;

/// What stands for something that `pgn-reader` would pass over: a comment of NUL, this letter, and
/// perhaps a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Mark {
    /// A word that `pgn-reader` does not know.
    Word = b'W',
    /// A NAG beyond 255, or a pile of marks.
    Nag = b'N',
    /// `}` outside of a comment.
    StrayBrace = b'B',
    /// The comment before did not end.
    UnclosedComment = b'U',
    /// A comment beyond the bound was here.
    LongComment = b'C',
    /// The game goes on beyond the bound.
    LongGame = b'G',
}

impl Mark {
    /// The mark, and its text, if a comment is one.
    pub(crate) fn of(comment: &[u8]) -> Option<(Self, &[u8])> {
        let (&letter, text) = comment.strip_prefix(b"\0")?.split_first()?;
        let all = [
            Self::Word,
            Self::Nag,
            Self::StrayBrace,
            Self::UnclosedComment,
            Self::LongComment,
            Self::LongGame,
        ];
        let mark = all.into_iter().find(|&mark| mark as u8 == letter)?;
        Some((mark, text))
    }
}

/// The name of the tag that stands for a line in brackets that is no tag.
pub(crate) const MALFORMED_TAG: &[u8] = b"\0M";

/// The name of the tag that stands for a line in brackets that is too long for tags.
pub(crate) const LONG_TAG: &[u8] = b"\0L";

/// Games of a stream, one after the other.
pub(crate) struct Frames<R> {
    source: Source<R>,
    /// The tags of the present game.
    tags: Vec<u8>,
    /// Its moves.
    moves: Vec<u8>,
    /// Has it an `Event` tag?
    event: bool,
    /// Has it a move or a result, or what should be one?
    words: bool,
    /// Its result has been read.
    over: bool,
    /// Variations that are open.
    depth: usize,
    /// Bytes of the stream before it.
    begin: u64,
    /// Nothing more is taken.
    full: bool,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(read: R) -> Self {
        Self {
            source: Source::new(read),
            tags: Vec::new(),
            moves: Vec::new(),
            event: false,
            words: false,
            over: false,
            depth: 0,
            begin: 0,
            full: false,
        }
    }

    /// The next game for `pgn-reader`, and the line of the stream in which it begins.
    pub(crate) fn next_game(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        self.tags.clear();
        self.moves.clear();
        (self.event, self.words, self.over, self.full) = (false, false, false, false);
        self.depth = 0;
        self.source.skip_blank()?;
        self.begin = self.source.consumed;
        let line = self.source.line;
        if self.source.peek()?.is_none() {
            return Ok(None);
        }
        // Each round takes a byte at least, for a game does not begin where it would end.
        while let Some(byte) = self.source.peek()? {
            if self.source.at_line_start {
                let after_empty_line = self.source.skip_blank()?;
                if self.ends_here(after_empty_line)? {
                    break;
                }
                if self.source.at_tag()? {
                    self.tag()?;
                    continue;
                }
                self.source.at_line_start = false;
                continue;
            }
            if !self.full && self.source.consumed - self.begin > GAME_BYTES {
                self.mark(Mark::LongGame, b"");
                self.full = true;
            }
            self.token(byte)?;
        }
        // `pgn-reader` wants tags, then moves.
        self.tags.push(b'\n');
        self.tags.append(&mut self.moves);
        Ok(Some((line, &self.tags)))
    }

    /// Does the game end before this line?
    fn ends_here(&mut self, after_empty_line: bool) -> io::Result<bool> {
        if self.source.at_tag()? {
            return Ok(self.words || self.event && self.source.ahead(7)? == b"[Event ");
        }
        // Games without tags.
        let first_move = self.depth == 0 && self.source.ahead(2)? == b"1.";
        Ok(match (after_empty_line, first_move) {
            (true, true) => self.words,
            (true, false) | (false, true) => self.over,
            (false, false) => false,
        })
    }

    /// A line in brackets, which may hold several tags.
    fn tag(&mut self) -> io::Result<()> {
        let mut line = Vec::new();
        while let Some(byte) = self.source.peek()?.filter(|&byte| byte != b'\n') {
            self.source.bump();
            if line.len() <= LINE_BYTES {
                line.push(if byte < b' ' { b' ' } else { byte });
            }
        }
        let mut rest = line.trim_ascii();
        while !rest.is_empty() {
            let Some((name, value, after)) = tag_pair(rest) else {
                let text = decoded(&rest[..rest.len().min(WORD_BYTES)]).into_owned();
                let long = line.len() > LINE_BYTES;
                self.put_tag(if long { LONG_TAG } else { MALFORMED_TAG }, &escaped(&text));
                break;
            };
            self.event |= name == b"Event";
            self.put_tag(name, value);
            rest = after.trim_ascii_start();
        }
        Ok(())
    }

    fn put_tag(&mut self, name: &[u8], value: &[u8]) {
        // Tags without end are no game's.
        if self.tags.len() as u64 > GAME_BYTES {
            if !self.full {
                self.mark(Mark::LongGame, b"");
                self.full = true;
            }
            return;
        }
        for part in [b"[", name, b" \"", value, b"\"]\n"] {
            self.tags.extend_from_slice(part);
        }
    }

    /// What begins with this byte.
    fn token(&mut self, byte: u8) -> io::Result<()> {
        match byte {
            0..=b' ' | b'.' => self.source.bump(),
            b'{' => {
                self.source.bump();
                self.comment()?;
            }
            b';' => {
                self.source.bump();
                self.line_comment()?;
            }
            b'}' => {
                self.source.bump();
                self.mark(Mark::StrayBrace, b"");
            }
            b'(' | b')' => {
                self.source.bump();
                self.put(&[byte]);
                self.depth =
                    if byte == b'(' { self.depth + 1 } else { self.depth.saturating_sub(1) };
            }
            b'$' => {
                self.source.bump();
                let mut nag = vec![b'$'];
                nag.extend(self.run(|byte| byte.is_ascii_digit())?);
                let known = str::from_utf8(&nag[1..]).is_ok_and(|text| text.parse::<u8>().is_ok());
                self.put_or_mark(known, &nag, Mark::Nag);
            }
            b'!' | b'?' => {
                let glyph = self.run(|byte| matches!(byte, b'!' | b'?'))?;
                self.put_or_mark(glyph.len() <= 2, &glyph, Mark::Nag);
            }
            b'*' => {
                self.source.bump();
                self.result(PgnResult::Unknown);
            }
            _ => self.word()?,
        }
        Ok(())
    }

    /// Up to the brace; an unclosed one up to the next game.
    fn comment(&mut self) -> io::Result<()> {
        let mut text = vec![b'{'];
        let mut closed = false;
        // One look ahead is enough for any number of blanks.
        let mut looked = false;
        while let Some(byte) = self.source.peek()? {
            if byte == b'\n' && !std::mem::replace(&mut looked, true) {
                if self.source.is_game_after_empty_line()? {
                    break;
                }
            } else {
                looked &= byte <= b' ';
            }
            self.source.bump();
            if byte == b'}' {
                closed = true;
                break;
            }
            if text.len() <= COMMENT_BYTES {
                text.push(byte.max(b' '));
            }
        }
        self.put_comment(text);
        if !closed {
            self.mark(Mark::UnclosedComment, b"");
        }
        // Within a comment no line begins anew.
        self.source.at_line_start = false;
        Ok(())
    }

    /// Up to the end of the line.
    fn line_comment(&mut self) -> io::Result<()> {
        let mut text = vec![b'{'];
        while let Some(byte) = self.source.peek()?.filter(|&byte| byte != b'\n') {
            self.source.bump();
            if text.len() <= COMMENT_BYTES {
                text.push(match byte {
                    b'}' => b')',
                    _ => byte.max(b' '),
                });
            }
        }
        self.put_comment(text);
        Ok(())
    }

    fn put_comment(&mut self, mut text: Vec<u8>) {
        if text.len() > COMMENT_BYTES {
            self.mark(Mark::LongComment, b"");
        } else {
            text.push(b'}');
            self.put(&text);
        }
    }

    /// A move, a number, a result, or none of them.
    fn word(&mut self) -> io::Result<()> {
        let mut word = Vec::new();
        let mut number = true;
        let mut cut = false;
        while let Some(byte) = self.source.peek()?.filter(|&byte| !ends_word(byte)) {
            // As in `1e4`, which lacks a point.
            if number && !word.is_empty() && byte.is_ascii_alphabetic() {
                break;
            }
            number &= byte.is_ascii_digit();
            self.source.bump();
            if word.len() < WORD_BYTES {
                word.push(byte);
            } else {
                cut = true;
            }
        }
        // `e.p.` says nothing that the move does not.
        if word.ends_with(b"e") && self.source.ahead(2)? == b".p" {
            word.pop();
            (0..2).for_each(|_| self.source.bump());
        }
        if word.is_empty() || number && !cut {
            return Ok(());
        }
        if let Ok(result) = decoded(&word).parse() {
            self.result(result);
            return Ok(());
        }
        self.words = true;
        let known = !cut && SanPlus::from_ascii(&word).is_ok();
        self.put_or_mark(known, &word, Mark::Word);
        Ok(())
    }

    fn result(&mut self, result: PgnResult) {
        self.words = true;
        self.over |= self.depth == 0;
        self.put(result.to_string().as_bytes());
    }

    /// The bytes from here on that a rule allows, and no more than a word has.
    fn run(&mut self, allowed: impl Fn(u8) -> bool) -> io::Result<Vec<u8>> {
        let mut run = Vec::new();
        while let Some(byte) = self.source.peek()?.filter(|&byte| allowed(byte)) {
            self.source.bump();
            if run.len() < WORD_BYTES {
                run.push(byte);
            }
        }
        Ok(run)
    }

    fn put_or_mark(&mut self, known: bool, bytes: &[u8], mark: Mark) {
        if known {
            self.put(bytes);
        } else {
            self.mark(mark, bytes);
        }
    }

    fn mark(&mut self, mark: Mark, text: &[u8]) {
        self.put(&[b"{\0".as_slice(), &[mark as u8], text, b"}"].concat());
    }

    fn put(&mut self, bytes: &[u8]) {
        if !self.full {
            self.moves.extend_from_slice(bytes);
            self.moves.push(b' ');
        }
    }
}

fn ends_word(byte: u8) -> bool {
    byte <= b' '
        || matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'!' | b'?' | b'$' | b'*' | b'.')
}

/// Name, escaped value and what follows of `[Name "value"]`. Blanks do not matter.
fn tag_pair(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let rest = text.strip_prefix(b"[")?.trim_ascii_start();
    let quote = rest.iter().position(|&byte| byte == b'"')?;
    let name = rest[..quote].trim_ascii();
    if !str::from_utf8(name).is_ok_and(is_name) {
        return None;
    }
    let rest = &rest[quote + 1..];
    let mut end = 0;
    while *rest.get(end)? != b'"' {
        end += if rest[end] == b'\\' { 2 } else { 1 };
    }
    let after = rest[end + 1..].trim_ascii_start().strip_prefix(b"]")?;
    Some((name, &rest[..end], after))
}

/// A text as the value of a tag.
pub(crate) fn escaped(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out
}

/// A stream with a view of what comes.
struct Source<R> {
    read: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// No byte of the present line has been taken but blanks.
    at_line_start: bool,
    /// The number of the present line.
    line: u64,
    /// Bytes that have been taken.
    consumed: u64,
}

impl<R: Read> Source<R> {
    fn new(read: R) -> Self {
        Self {
            read,
            buffer: vec![0; 1 << 16].into(),
            start: 0,
            end: 0,
            at_line_start: true,
            line: 1,
            consumed: 0,
        }
    }

    /// The next bytes, fewer only at the end of the stream.
    fn ahead(&mut self, count: usize) -> io::Result<&[u8]> {
        while self.end - self.start < count {
            if self.start > 0 {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            }
            match self.read.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end.min(self.start + count)])
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        match self.buffer[self.start..self.end].first() {
            Some(&byte) => Ok(Some(byte)),
            None => Ok(self.ahead(1)?.first().copied()),
        }
    }

    /// Takes the byte that was seen.
    fn bump(&mut self) {
        if self.buffer[self.start] == b'\n' {
            self.line += 1;
            self.at_line_start = true;
        }
        self.start += 1;
        self.consumed += 1;
    }

    /// Skips blanks, lines that begin with `%`, and at the beginning a byte order mark. Was an empty line
    /// among them?
    fn skip_blank(&mut self) -> io::Result<bool> {
        if self.consumed == 0 && self.ahead(3)? == b"\xef\xbb\xbf" {
            (self.start, self.consumed) = (self.start + 3, 3);
        }
        let mut empty_line = false;
        let mut first_of_line = self.at_line_start;
        while let Some(byte) = self.peek()? {
            match byte {
                b'%' if first_of_line => {
                    while self.peek()?.is_some_and(|byte| byte != b'\n') {
                        self.bump();
                    }
                    // A line that is not there does not make the next one stand apart.
                    if self.peek()?.is_some() {
                        self.bump();
                    }
                    continue;
                }
                b'\n' => {
                    empty_line |= self.at_line_start;
                    self.bump();
                    first_of_line = true;
                }
                0..=b' ' => {
                    self.bump();
                    first_of_line = false;
                }
                _ => break,
            }
        }
        Ok(empty_line)
    }

    /// Does a tag begin here?
    fn at_tag(&mut self) -> io::Result<bool> {
        let at_line_start = self.at_line_start;
        let ahead = self.ahead(2)?;
        Ok(at_line_start
            && ahead.first() == Some(&b'[')
            && ahead.get(1).is_none_or(|byte| byte.is_ascii_alphabetic() || *byte <= b' '))
    }

    /// At the end of a line: is the next one empty, and a tag after it?
    fn is_game_after_empty_line(&mut self) -> io::Result<bool> {
        let ahead = self.ahead(LINE_BYTES)?;
        let blanks = ahead.iter().take_while(|&&byte| byte <= b' ').count();
        let breaks = ahead[..blanks].iter().filter(|&&byte| byte == b'\n').count();
        let line = ahead[blanks..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        Ok(breaks >= 2 && tag_pair(line).is_some_and(|(_, _, after)| after.trim_ascii().is_empty()))
    }
}
