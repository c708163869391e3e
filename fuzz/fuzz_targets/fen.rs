//! A FEN is refused, or it is written back and read as the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Position, Setup};
use tabiya_fuzz::assert_short;

fuzz_target!(|text: &str| {
    let setup = match Setup::from_fen(text) {
        Ok(setup) => setup,
        Err(error) => return assert_short(&error),
    };
    assert_eq!(setup.to_string().parse().as_ref(), Ok(&setup));
    match setup.position() {
        Ok((position, notes)) => {
            assert_short(&notes);
            assert_eq!(position.keys(), &position.recomputed_keys());
            for fen in [position.fen(), position.shredder_fen()] {
                let (again, notes) = Position::from_fen_with_notes(&fen).expect("our own FEN");
                assert_eq!(again, position);
                assert_eq!(notes.useless_en_passant, None);
                assert!(notes.castling_without_rook.is_empty());
            }
        }
        Err(error) => {
            assert_short(&error);
            assert!(Position::from_fen(text).is_err());
        }
    }
});
