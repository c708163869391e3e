//! What several tests use.

use proptest::prelude::*;

/// Lines made of the words of a command, of numbers, and of nonsense.
pub(crate) fn word_soup(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => proptest::sample::select(words).prop_map(str::to_owned),
        2 => any::<i128>().prop_map(|number| number.to_string()),
        1 => (-3_i8..30).prop_map(|number| number.to_string()),
        1 => "[a-h][1-8][a-h][1-8][qrbn]?",
        1 => "\\PC{0,6}",
    ];
    proptest::collection::vec(word, 0..30).prop_map(|words| words.join(" "))
}
