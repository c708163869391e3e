//! Bytes as choices among legal moves: whatever is played, all ways to ask about a position agree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tabiya_chess::{Move, Position};

fuzz_target!(|bytes: &[u8]| {
    let Some((&number, choices)) = bytes.split_first_chunk::<2>() else {
        return;
    };
    let number = u16::from_le_bytes(number);
    let mut position = Position::chess960(number % 960).expect("a number below 960");
    for (i, &choice) in choices.iter().enumerate() {
        let moves = position.legal_moves();
        assert_eq!(moves.len(), position.count_legal_moves());
        assert!(moves.iter().all(|&mv| position.is_legal(mv)));
        // Any 16 bits, as a damaged hash table would hand them over.
        if let Some(next) = choices.get(i + 1)
            && let Some(mv) = Move::from_bits(u16::from_le_bytes([choice, *next]))
        {
            assert_eq!(position.is_legal(mv), moves.contains(&mv), "{mv:?} in {position:?}");
        }
        if moves.is_empty() {
            return;
        }
        let mv = moves[usize::from(choice) % moves.len()];
        let gives_check = position.gives_check(mv);
        position.play(mv).expect("a move from the list");
        assert_eq!(position.in_check(), gives_check, "{mv:?} to {position:?}");
        assert_eq!(position.keys(), &position.recomputed_keys(), "{mv:?} to {position:?}");
        assert_eq!(Position::from_fen(&position.fen()).as_ref(), Ok(&position));
    }
});
