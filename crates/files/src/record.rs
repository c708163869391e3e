//! Files of records: one JSON object to a line.

use std::io::{BufRead, Read};
use std::path::Path;

use serde::Serialize;
use serde::de::IgnoredAny;

use crate::append::AppendFile;
use crate::error::{FileError, FileProblem};
use crate::sync::SyncPolicy;

/// A growing file with a record to each line, and one writer.
///
/// A record is a JSON object without line breaks. A program that ends while it writes can leave the
/// beginning of a record as the last line. A power cut can leave zeros behind the last record.
/// [`open`](Self::open) takes both away, but only after it has read everything else. It completes a record
/// that only lacks its line break. Any other end is an error, and the file stays as it is.
#[derive(Debug)]
pub struct RecordFile {
    file: AppendFile,
    max_line: usize,
}

/// What a last line without a line break is.
enum LastLine {
    /// Nothing: the file ends with a line break.
    None,
    /// A record.
    Whole,
    /// The beginning of a record.
    Torn,
    /// Anything else.
    Foreign,
}

impl RecordFile {
    /// Opens or makes a file, and has each line read with its number from 1. Lines are read one by one: the
    /// file may have any length, but no line is longer than `max_line` bytes.
    ///
    /// # Errors
    /// The first error of `read`; or if another writer has the file, or its end makes no sense.
    pub fn open<E: From<FileError>>(
        path: &Path,
        max_line: usize,
        policy: SyncPolicy,
        mut read: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<RecordFile, E> {
        let mut file = AppendFile::exclusive(path, policy)?;
        let mut locked = file.lock()?;
        let length = locked.length()?;
        let end = length - trailing_zeros(&locked.tail(max_line as u64 + 1)?);
        let fail = FileError::io(path, "read");
        let mut lines = locked.reader()?.take(end);
        let (mut line, mut number, mut start) = (Vec::new(), 0, 0);
        loop {
            line.clear();
            let most = max_line as u64 + 1;
            let taken = (&mut lines).take(most).read_until(b'\n', &mut line).map_err(&fail)?;
            number += u64::from(taken > 0);
            if line.pop_if(|byte| *byte == b'\n').is_some() {
                read(number, &line)?;
                start += taken as u64;
            } else if taken > max_line {
                let problem = FileProblem::LongLine { line: number, limit: max_line };
                return Err(FileError::new(path, problem).into());
            } else {
                break;
            }
        }
        drop(lines);
        let last = last_line(&line);
        let keep = match last {
            LastLine::None | LastLine::Torn => start,
            LastLine::Whole => {
                read(number, &line)?;
                end
            }
            LastLine::Foreign => {
                return Err(FileError::new(path, FileProblem::ForeignEnd { line: number }).into());
            }
        };
        // All that is there makes sense; only now may it be changed.
        if keep < length {
            locked.cut(keep)?;
        }
        if let LastLine::Whole = last {
            locked.append(b"\n")?;
        }
        drop(locked);
        Ok(RecordFile { file, max_line })
    }

    /// Adds a record.
    ///
    /// # Errors
    /// If it is longer than a line may be, or cannot be written.
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), FileError> {
        let path = self.file.path();
        let mut line = serde_json::to_vec(record)
            .map_err(|error| FileError::io(path, "written")(error.into()))?;
        debug_assert!(line.starts_with(b"{"), "a record is an object");
        let (length, limit) = (line.len(), self.max_line);
        if length > limit {
            return Err(FileError::new(path, FileProblem::LongRecord { length, limit }));
        }
        line.push(b'\n');
        self.file.append(&line)
    }

    /// Syncs and closes the file.
    ///
    /// # Errors
    /// As [`AppendFile::close`].
    pub fn close(self) -> Result<(), FileError> {
        self.file.close()
    }
}

fn last_line(line: &[u8]) -> LastLine {
    if line.is_empty() {
        return LastLine::None;
    }
    if !line.starts_with(b"{") {
        return LastLine::Foreign;
    }
    match serde_json::from_slice::<IgnoredAny>(line) {
        Ok(_) => LastLine::Whole,
        Err(error) if error.is_eof() => LastLine::Torn,
        Err(_) => LastLine::Foreign,
    }
}

fn trailing_zeros(bytes: &[u8]) -> u64 {
    bytes.iter().rev().take_while(|&&byte| byte == 0).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::{fs, io};

    const MAX: usize = 100;

    /// Opens a file, and says what is in it.
    fn open(path: &Path) -> Result<(RecordFile, Vec<Value>), FileError> {
        let mut records = Vec::new();
        let file = RecordFile::open(path, MAX, SyncPolicy::default(), |line, text| {
            let record = serde_json::from_slice(text).map_err(|error| {
                FileError::io(path, "understood")(io::Error::other(format!("{line}: {error}")))
            })?;
            records.push(record);
            Ok::<_, FileError>(())
        })?;
        Ok((file, records))
    }

    const TWO: &str = "{\"a\":1}\n{\"b\":[2,\"é\\\"}\"]}\n";

    #[test]
    fn what_was_written_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let (mut file, records) = open(&path).unwrap();
        assert_eq!(records, Vec::<Value>::new());
        file.append(&json!({"a": 1})).unwrap();
        assert!(open(&path).unwrap_err().is_in_use());
        file.append(&json!({"b": [2, "é\"}"]})).unwrap();
        let error = file.append(&json!({"c": "c".repeat(MAX)})).unwrap_err();
        assert!(error.to_string().contains("a record of 108 bytes"));
        file.close().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), TWO);
        assert_eq!(open(&path).unwrap().1.len(), 2);
    }

    #[test]
    fn a_file_may_end_anywhere_and_be_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let text = TWO.as_bytes();
        let first = text.iter().position(|&byte| byte == b'\n').unwrap();
        for end in 0..=text.len() {
            for zeros in [0, 1, MAX] {
                fs::write(&path, [&text[..end], &vec![0; zeros]].concat()).unwrap();
                let (mut file, records) = open(&path).unwrap();
                let expected = usize::from(end >= first) + usize::from(end >= text.len() - 1);
                assert_eq!(records.len(), expected, "{end} {zeros}");
                file.append(&json!({"c": 3})).unwrap();
                file.close().unwrap();
                assert_eq!(open(&path).unwrap().1.len(), expected + 1);
                assert!(!fs::read(&path).unwrap().contains(&0));
            }
        }
    }

    #[test]
    #[ignore = "writes more than a gigabyte"]
    fn a_file_of_any_length_is_read_to_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let record = format!("{{\"a\":\"{}\"}}\n", "a".repeat(1 << 20));
        let mut text = std::io::BufWriter::new(fs::File::create(&path).unwrap());
        (0..1100).for_each(|_| io::Write::write_all(&mut text, record.as_bytes()).unwrap());
        drop(text);
        let length = fs::metadata(&path).unwrap().len();
        assert!(length > 1 << 30);
        let mut read = 0;
        let file = RecordFile::open(&path, 1 << 21, SyncPolicy::default(), |_, line| {
            read += line.len() as u64 + 1;
            Ok::<_, FileError>(())
        });
        file.unwrap().close().unwrap();
        assert_eq!((read, fs::metadata(&path).unwrap().len()), (length, length));
    }

    #[test]
    fn what_is_not_ours_is_named_and_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let long = format!("{{}}\n{{\"a\":\"{}\"}}\n{{}}\n", "a".repeat(MAX));
        let zeros = "\0".repeat(MAX + 2);
        for (text, reason) in [
            ("1. e4 e5", "line 1, the last, has no line break"),
            ("{}\n{}\n1", "line 3, the last, has no line break"),
            ("{}\n{]", "line 2, the last, has no line break"),
            ("{}\n{} {", "line 2, the last, has no line break"),
            ("{}\n[1", "line 2, the last, has no line break"),
            (&*format!("{{}}\n{zeros}"), "line 2, the last, has no line break"),
            ("{}\n{\0}\n{}\n", "2: "),
            ("{}\nx\n{\"a", "2: "),
            (&long, "line 2 is longer than 100 bytes"),
            (long.trim_end_matches("}\n{}\n"), "line 2 is longer than 100 bytes"),
        ] {
            fs::write(&path, text).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}
