//! Whatever is read as a move is legal, and no two legal moves have the same name.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::HashSet;
use tabiya_chess::SanError;
use tabiya_fuzz::{assert_short, position_and_text};

fuzz_target!(|input: &str| {
    let (position, text) = position_and_text(input);
    match position.parse_san(text) {
        Ok(mv) => assert!(position.is_legal(mv)),
        Err(SanError::Ambiguous { candidates, .. }) => {
            assert!(candidates.len() > 1);
            for candidate in candidates {
                assert!(position.parse_san(candidate.as_str()).is_ok());
            }
        }
        Err(error) => assert_short(&error),
    }
    let mut names = HashSet::new();
    for mv in position.legal_moves() {
        let san = position.san(mv);
        assert_eq!(position.parse_san(san.as_str()), Ok(mv));
        assert!(names.insert(san));
    }
});
