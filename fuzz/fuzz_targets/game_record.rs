//! Bytes are refused, or they are a legal game that is written back and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::assert_short;
use tabiya_trainer::record::PackedGame;

fuzz_target!(|bytes: &[u8]| {
    let game = match PackedGame::decode(bytes) {
        Ok(game) => game,
        Err(error) => return assert_short(&error),
    };
    let written = game.encode().expect("a legal game");
    assert!(written.len() <= bytes.len());
    assert_eq!(PackedGame::decode(&written), Ok(game));
});
