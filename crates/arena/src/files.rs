//! Reading files of text.

use std::path::Path;
use tabiya_files::{FileError, read};

/// All bytes of a file, but for a mark of the byte order, if there are no more than the limit.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = read(path, limit)?;
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    Ok(bytes)
}

/// The lines of a file that say something, with their numbers from 1; what is not text is an error. Lines
/// that begin with a `#` are remarks.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, Result<&str, NotText>)> {
    (1..).zip(bytes.split(|&byte| byte == b'\n')).filter_map(|(number, line)| match str::from_utf8(
        line,
    )
    .map(str::trim)
    {
        Ok(line) if line.is_empty() || line.starts_with('#') => None,
        Ok(line) => Some((number, Ok(line))),
        Err(_) => Some((number, Err(NotText))),
    })
}

/// Bytes that are no text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotText;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_a_limit_and_without_a_mark() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "\u{feff}abc").unwrap();
        assert_eq!(read_text(file.path(), 6).unwrap(), b"abc");
        assert!(read_text(file.path(), 5).is_err());
    }

    #[test]
    fn lines_keep_their_numbers() {
        let found: Vec<_> = lines(b"# remark\n\n a \r\n\xff\nb").collect();
        assert!(matches!(found[..], [(3, Ok("a")), (4, Err(NotText)), (5, Ok("b"))]), "{found:?}");
    }
}
