//! Any bytes are games and faults, and the games are written back and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_fuzz::assert_short;
use tabiya_pgn::PgnReader;

fuzz_target!(|bytes: &[u8]| {
    for (number, read) in (1..).zip(PgnReader::new(bytes)) {
        let read = read.expect("bytes in memory");
        assert_eq!(read.number, number);
        read.faults.iter().for_each(assert_short);
        if let Ok(game) = read.game.main_game() {
            assert_eq!(game.moves().len(), read.game.main_line().count());
        }
        let written = read.game.to_string();
        let mut again = PgnReader::new(written.as_bytes());
        let same = again.next().expect("a game").expect("bytes in memory");
        assert!(again.next().is_none(), "more games in {written}");
        assert!(same.faults.is_empty(), "{:?} in {written}", same.faults);
        assert_eq!(same.game, read.game);
        assert_eq!(same.game.to_string(), written);
    }
});
