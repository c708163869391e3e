//! An EPD is refused, or it is written back and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::Epd;
use tabiya_fuzz::assert_short;

fuzz_target!(|text: &str| {
    let epd: Epd = match text.parse() {
        Ok(epd) => epd,
        Err(error) => return assert_short(&error),
    };
    let written = epd.to_string();
    assert_eq!(written.lines().count(), 1);
    let again: Epd = written.parse().expect("our own EPD");
    assert_eq!(again, epd);
    assert_eq!(again.to_string(), written);

    for moves in [epd.best_moves(), epd.avoid_moves()] {
        match moves {
            Ok(moves) => assert!(moves.iter().all(|&mv| epd.position().is_legal(mv))),
            Err(error) => assert_short(&error),
        }
    }
    let numbers = [epd.direct_mate().err(), epd.centipawns().err(), epd.depth().err()];
    numbers.iter().flatten().for_each(assert_short);
    assert_eq!(epd.id().is_some(), epd.operation("id").is_some());
});
