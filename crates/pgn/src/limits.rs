//! The bounds of a game. A fault names what is beyond them.

/// Bytes of one game.
pub const GAME_BYTES: u64 = 1 << 24;

/// Bytes of a tag's value.
pub const TAG_BYTES: usize = 4096;

/// Bytes of a tag's name.
pub const TAG_NAME_BYTES: usize = 255;

/// Tags of one game.
pub const TAGS: usize = 256;

/// Characters of a comment's text.
pub const COMMENT_CHARS: usize = 1 << 16;

/// Variations within variations.
pub const DEPTH: usize = 100;

/// Faults of one game that are kept; the others are counted.
pub const FAULTS: usize = 64;

/// Bytes of a comment as a file has it: line breaks and commands count, unlike in
/// [`COMMENT_CHARS`].
pub(crate) const COMMENT_BYTES: usize = 8 * COMMENT_CHARS;

/// Bytes of a word. No move, number or result has half of it.
pub(crate) const WORD_BYTES: usize = 64;
