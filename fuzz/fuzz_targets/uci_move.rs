//! Whatever is read as a move is legal, and every legal move reads back in both styles.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::CastlingStyle;
use tabiya_fuzz::{assert_short, position_and_text};

fuzz_target!(|input: &str| {
    let (position, text) = position_and_text(input);
    match position.parse_uci(text) {
        Ok(mv) => assert!(position.is_legal(mv)),
        Err(error) => assert_short(&error),
    }
    for mv in position.legal_moves() {
        for style in [CastlingStyle::KingToTarget, CastlingStyle::KingTakesRook] {
            assert_eq!(position.parse_uci(&mv.uci(&position, style).to_string()), Ok(mv));
        }
    }
});
