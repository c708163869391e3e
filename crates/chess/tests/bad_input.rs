//! Bad input of every kind, each with the error that says what is wrong.

use tabiya_chess::{
    Bitboard, Color, Epd, Excerpt, FenError, FenField, MAX_CLOCK, Position, PositionError, Rank,
    Setup, Square,
};

fn error(fen: &str) -> FenError {
    match Position::from_fen(fen) {
        Err(error) => error,
        Ok(position) => panic!("{fen} was read as {position:?}"),
    }
}

#[test]
fn malformed_fens() {
    use FenError::*;
    let quote = Excerpt::of;
    for (fen, expected) in [
        // Nothing, or too little.
        ("", Missing(FenField::Board)),
        (" \t\r\n ", Missing(FenField::Board)),
        ("4k3/8/8/8/8/8/8/4K3", Missing(FenField::SideToMove)),
        ("4k3/8/8/8/8/8/8/4K3 w", Missing(FenField::Castling)),
        ("4k3/8/8/8/8/8/8/4K3 w -", Missing(FenField::EnPassant)),
        // The board.
        ("startpos", BoardCharacter { at: 1, found: 's' }),
        ("4k3/8/8/8/8/8/8/4K3~ w - -", BoardCharacter { at: 20, found: '~' }),
        ("4k3/8/8/8/8/8/8/4é3 w - -", BoardCharacter { at: 18, found: 'é' }),
        ("4k3/8/8/0/8/8/8/4K3 w - -", BoardCharacter { at: 9, found: '0' }),
        ("4k3/8/9/8/8/8/8/4K3 w - -", BoardCharacter { at: 7, found: '9' }),
        ("4k3/8/8/\0/8/8/8/4K3 w - -", BoardCharacter { at: 9, found: '\0' }),
        ("4k3/8/8/8p/8/8/8/4K3 w - -", RankTooLong { at: 10, rank: Rank::Fifth }),
        ("4k4/8/8/8/8/8/8/4K3 w - -", RankTooLong { at: 3, rank: Rank::Eighth }),
        ("4k3/8/7/8/8/8/8/4K3 w - -", RankTooShort { at: 8, rank: Rank::Sixth, squares: 7 }),
        ("4k3/8//8/8/8/8/4K3 w - -", RankTooShort { at: 7, rank: Rank::Sixth, squares: 0 }),
        ("4k3/8/8/8/8/8/8/4K2 w - -", RankTooShort { at: 20, rank: Rank::First, squares: 7 }),
        ("4k3/8/8/8/8/8/4K3 w - -", Ranks(7)),
        ("4k3/8/8/8/8/8/8/4K3/8 w - -", Ranks(9)),
        ("4k3/8/8/8/8/8/8/4K3/ w - -", Ranks(9)),
        // The side to move.
        ("4k3/8/8/8/8/8/8/4K3 W - -", SideToMove(quote("W"))),
        ("4k3/8/8/8/8/8/8/4K3 - - -", SideToMove(quote("-"))),
        ("4k3/8/8/8/8/8/8/4K3 white - -", SideToMove(quote("white"))),
        // Castling.
        ("4k3/8/8/8/8/8/8/4K2R w KX -", CastlingCharacter { at: 2, found: 'X' }),
        ("4k3/8/8/8/8/8/8/4K2R w K- -", CastlingCharacter { at: 2, found: '-' }),
        ("4k3/8/8/8/8/8/8/4K2R w I -", CastlingCharacter { at: 1, found: 'I' }),
        ("4k3/8/8/8/8/8/8/4K2R w KK -", CastlingTwice { at: 2, found: 'K', rook: Square::H1 }),
        ("4k3/8/8/8/8/8/8/4K2R w HK -", CastlingTwice { at: 2, found: 'K', rook: Square::H1 }),
        // En passant.
        ("4k3/8/8/8/8/8/8/4K3 w - e9", EnPassant(quote("e9"))),
        ("4k3/8/8/8/8/8/8/4K3 w - E3", EnPassant(quote("E3"))),
        ("4k3/8/8/8/8/8/8/4K3 w - e", EnPassant(quote("e"))),
        ("4k3/8/8/8/8/8/8/4K3 w - --", EnPassant(quote("--"))),
        // The clocks.
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            ClockCharacter { field: FenField::HalfmoveClock, at: 1, found: '-' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - +1 1",
            ClockCharacter { field: FenField::HalfmoveClock, at: 1, found: '+' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5",
            ClockCharacter { field: FenField::MoveNumber, at: 2, found: '.' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - ٣ 1",
            ClockCharacter { field: FenField::HalfmoveClock, at: 1, found: '٣' },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 10000 1",
            ClockTooLarge { field: FenField::HalfmoveClock, found: quote("10000") },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 4294967297",
            ClockTooLarge { field: FenField::MoveNumber, found: quote("4294967297") },
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 340282366920938463463374607431768211457",
            ClockTooLarge {
                field: FenField::MoveNumber,
                found: quote("340282366920938463463374607431768211457"),
            },
        ),
        // Too much.
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2", TooManyFields(quote("moves e1e2"))),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1;", TooManyFields(quote(";"))),
    ] {
        assert_eq!(error(fen), expected, "{fen:?}");
    }
}

#[test]
fn impossible_positions() {
    use PositionError::*;
    let (white, black) = (Color::White, Color::Black);
    for (fen, expected) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", Kings { color: white, count: 0 }),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", Kings { color: black, count: 0 }),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", Kings { color: white, count: 2 }),
        ("kkkkkkkk/8/8/8/8/8/8/4K3 w - - 0 1", Kings { color: black, count: 8 }),
        ("4k3/8/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQ - 0 1", TooManyPieces { color: white, count: 17 }),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", TooManyPawns { color: black, count: 9 }),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", PawnOnEndRank(Square::H8)),
        ("4k3/8/8/8/8/8/8/4K2p b - - 0 1", PawnOnEndRank(Square::H1)),
        (
            "4k3/8/8/8/4R3/8/8/4K3 w - - 0 1",
            OpponentInCheck { color: black, king: Square::E8, checker: Square::E4 },
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 w - - 0 1",
            OpponentInCheck { color: black, king: Square::E2, checker: Square::E1 },
        ),
        // Two knights, of which only one can have moved; and three checkers.
        (
            "4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1",
            ImpossibleCheck([Square::D3, Square::F3].into_iter().collect()),
        ),
        (
            "4r1k1/8/8/8/1b5b/8/8/4K3 w - - 0 1",
            ImpossibleCheck([Square::E8, Square::B4, Square::H4].into_iter().collect()),
        ),
    ] {
        assert_eq!(error(fen), FenError::Position(expected), "{fen}");
    }
}

#[test]
fn oddities_that_are_put_right() {
    let (position, notes) = Position::from_fen_with_notes(
        "rnbqkbn1/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
    )
    .unwrap();
    assert_eq!(notes.useless_en_passant, Some(Square::E3));
    assert_eq!(notes.castling_without_rook, Bitboard::square(Square::H8));
    assert_eq!(position.fen(), "rnbqkbn1/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQq - 0 1");

    // Any square may be claimed for en passant; only a pawn that can be taken there makes it count.
    for square in ["a1", "e4", "e6", "h8"] {
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - {square} 0 1");
        let (position, notes) = Position::from_fen_with_notes(&fen).unwrap();
        assert_eq!(position.en_passant(), None);
        assert_eq!(
            notes.useless_en_passant.map(|square| square.to_string()).as_deref(),
            Some(square)
        );
    }

    let (_, notes) =
        Position::from_fen_with_notes("4k3/8/8/8/8/8/PPPPPPP1/QQQ1K3 w - - 0 1").unwrap();
    assert_eq!(notes.surplus_promotions, [1, 0]);

    let (position, _) = Position::from_fen_with_notes("4k3/8/8/8/8/8/8/4K3 w - - 0 0").unwrap();
    assert_eq!(position.move_number(), 1);
}

/// However long the input, the answer is short; and every answer names its field.
#[test]
fn long_input_gives_short_errors() {
    let long = 1_000_000;
    for text in [
        "8".repeat(long),
        "/".repeat(long),
        " ".repeat(long),
        "é".repeat(long),
        "8/".repeat(long),
        format!("4k3/8/8/8/8/8/8/4K3 {} - -", "w".repeat(long)),
        format!("4k3/8/8/8/8/8/8/4K3 w {} -", "K".repeat(long)),
        format!("4k3/8/8/8/8/8/8/4K3 w - {}", "e".repeat(long)),
        format!("4k3/8/8/8/8/8/8/4K3 w - - {} 1", "9".repeat(long)),
        format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1{}", " 1".repeat(long)),
    ] {
        for message in [
            Position::from_fen(&text).unwrap_err().to_string(),
            text.parse::<Setup>().unwrap_err().to_string(),
        ] {
            assert!(message.len() < 250, "{message}");
            assert!(message.contains("field") || message.contains("missing"), "{message}");
        }
        if let Err(error) = text.parse::<Epd>() {
            assert!(error.to_string().len() < 250, "{error}");
        }
        let position = Position::start();
        assert!(position.parse_san(&text).unwrap_err().to_string().len() < 250);
        assert!(position.parse_uci(&text).unwrap_err().to_string().len() < 250);
    }
}

/// Digits beyond the limit are refused however many there are, and zeros in front do no harm.
#[test]
fn clocks_do_not_wrap() {
    for digits in 1..50 {
        let number = "9".repeat(digits);
        let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {number} {number}");
        assert_eq!(Position::from_fen(&fen).is_ok(), digits <= 4, "{number}");
    }
    let fen = format!("4k3/8/8/8/8/8/8/4K3 w - - {} 1", "0".repeat(1_000));
    assert_eq!(Position::from_fen(&fen).unwrap().halfmove_clock(), 0);
    assert_eq!(MAX_CLOCK, 9_999);
}
