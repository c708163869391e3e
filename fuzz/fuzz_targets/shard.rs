//! A file of games is refused somewhere, or all of its games are read.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::assert_short;
use tabiya_trainer::shard::ShardReader;

fuzz_target!(|bytes: &[u8]| {
    let reader = match ShardReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return assert_short(&error),
    };
    let games = reader.header().games;
    let mut read = 0;
    for game in reader {
        match game {
            Ok(_) => read += 1,
            Err(error) => return assert_short(&error),
        }
    }
    assert_eq!(read, games);
});
