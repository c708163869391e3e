//! A line as words.

/// The words of a line, one after another, parted by white space.
#[derive(Clone, Debug)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    pub(crate) fn of(text: &'a str) -> Words<'a> {
        Words { rest: text.trim_ascii() }
    }

    /// All that no word has been taken from yet, as it was written.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let end = self.rest.find(|sign: char| sign.is_ascii_whitespace());
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_ascii_start();
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_the_rest() {
        let mut words = Words::of("  name\tClear  Hash \r");
        assert_eq!(words.next(), Some("name"));
        assert_eq!(words.peek(), Some("Clear"));
        assert_eq!(words.rest(), "Clear  Hash");
        assert_eq!(words.by_ref().collect::<Vec<_>>(), ["Clear", "Hash"]);
        assert_eq!((words.next(), words.peek(), words.rest()), (None, None, ""));
    }
}
