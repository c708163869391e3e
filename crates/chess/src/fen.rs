//! Positions as text: FEN, with castling as in X-FEN and Shredder-FEN.

use crate::{
    Bitboard, CastlingSide, Color, Excerpt, File, Notes, Piece, PieceKind, Position, PositionError,
    Rank, Setup, Square,
};
use core::fmt;
use core::str::FromStr;

/// The largest value that either clock of a FEN may have. No game lasts so long: without a capture or
/// a pawn move it ends after 75 moves, and there are not enough of those.
pub const MAX_CLOCK: u32 = 9_999;

/// A field of a FEN, in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenField {
    /// The pieces on their squares.
    Board,
    /// The color that is to move.
    SideToMove,
    /// The rooks that may castle.
    Castling,
    /// The square that a pawn has just passed over.
    EnPassant,
    /// Plies since the last capture or pawn move.
    HalfmoveClock,
    /// The number of the move to come.
    MoveNumber,
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FenField::Board => "board (field 1)",
            FenField::SideToMove => "side to move (field 2)",
            FenField::Castling => "castling rights (field 3)",
            FenField::EnPassant => "en-passant square (field 4)",
            FenField::HalfmoveClock => "halfmove clock (field 5)",
            FenField::MoveNumber => "move number (field 6)",
        })
    }
}

/// Why a text is not the FEN of a legal position. Characters are counted from 1 within their field.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FenError {
    /// The text ends too early.
    #[error(
        "the {0} is missing: a FEN is the board, w or b, castling rights, an en-passant square, and \
         may end with the two clocks"
    )]
    Missing(FenField),
    /// A sign that means nothing on a board.
    #[error(
        "board (field 1), character {at}: {found:?} is neither a piece (PNBRQK or pnbrqk), nor a number \
         of empty squares (1 to 8), nor the / between ranks"
    )]
    BoardCharacter {
        /// Which character.
        at: usize,
        /// What it is.
        found: char,
    },
    /// More than eight squares in a rank.
    #[error("board (field 1), character {at}: rank {rank} goes on beyond its 8 squares")]
    RankTooLong {
        /// Which character is too much.
        at: usize,
        /// Which rank.
        rank: Rank,
    },
    /// Less than eight squares in a rank.
    #[error(
        "board (field 1), before character {at}: rank {rank} has {squares} squares; a rank has 8"
    )]
    RankTooShort {
        /// Which character ends the rank, or would follow it.
        at: usize,
        /// Which rank.
        rank: Rank,
        /// How many squares it has.
        squares: usize,
    },
    /// Not eight ranks.
    #[error(
        "board (field 1): {0} ranks; a board has 8, from the eighth to the first, with / between"
    )]
    Ranks(usize),
    /// Not a side.
    #[error("side to move (field 2): {0} should be w for White or b for Black")]
    SideToMove(Excerpt),
    /// A sign that is no castling right.
    #[error(
        "castling rights (field 3), character {at}: {found:?} is none of KQ, kq, or a rook's file (A \
         to H for White, a to h for Black); if neither side may castle, the field is -"
    )]
    CastlingCharacter {
        /// Which character.
        at: usize,
        /// What it is.
        found: char,
    },
    /// The same rook twice.
    #[error("castling rights (field 3), character {at}: {found:?} names the rook on {rook} again")]
    CastlingTwice {
        /// Which character.
        at: usize,
        /// What it is.
        found: char,
        /// The rook that has its right already.
        rook: Square,
    },
    /// Not a square.
    #[error("en-passant square (field 4): {0} should be a square such as e3, or -")]
    EnPassant(Excerpt),
    /// A clock that is no number.
    #[error("{field}, character {at}: {found:?} is not a digit")]
    ClockCharacter {
        /// Which clock.
        field: FenField,
        /// Which character.
        at: usize,
        /// What it is.
        found: char,
    },
    /// A clock that no game reaches.
    #[error("{field}: {found} is too large; {max} is the most", max = MAX_CLOCK)]
    ClockTooLarge {
        /// Which clock.
        field: FenField,
        /// What it is.
        found: Excerpt,
    },
    /// Text after the last field.
    #[error("{0} follows the move number (field 6), which is the last field of a FEN")]
    TooManyFields(Excerpt),
    /// A well-formed FEN of a position that no game can reach.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// How castling rights are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// `KQkq` for the outermost rooks, files for others: plain FEN wherever that says enough.
    XFen,
    /// Files for all.
    Shredder,
}

impl Setup {
    /// Reads a FEN without asking whether the position is legal.
    ///
    /// Castling rights may be written `KQkq`, meaning the outermost rook on that side of the king, or
    /// with the rook's file; one or both clocks may be missing and are then 0 and 1. A right to castle
    /// without any rook becomes a claim to the corner, for [`Setup::position`] to note and drop.
    ///
    /// ```
    /// use tabiya_chess::{Bitboard, Setup, Square};
    /// let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K1RR w G -").unwrap();
    /// assert_eq!(setup.castling, Bitboard::square(Square::G1));
    /// assert_eq!(setup.to_string(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
    /// ```
    pub fn from_fen(fen: &str) -> Result<Setup, FenError> {
        let mut fields = Fields::of(fen);
        let mut setup = fields.setup()?;
        if let Some(text) = fields.next() {
            setup.halfmove_clock = parse_clock(FenField::HalfmoveClock, text)?;
        }
        if let Some(text) = fields.next() {
            setup.move_number = parse_clock(FenField::MoveNumber, text)?;
        }
        match fields.rest().trim_ascii() {
            "" => Ok(setup),
            rest => Err(FenError::TooManyFields(Excerpt::of(rest))),
        }
    }

    /// Board, side to move, castling and en passant: what FEN and EPD share.
    pub(crate) fn write_epd_fields(&self, f: &mut impl fmt::Write) -> fmt::Result {
        self.write_fields(f, Letters::XFen)
    }

    fn write_fen(&self, f: &mut impl fmt::Write, letters: Letters) -> fmt::Result {
        self.write_fields(f, letters)?;
        write!(f, " {} {}", self.halfmove_clock, self.move_number)
    }

    fn write_fields(&self, f: &mut impl fmt::Write, letters: Letters) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            let mut empty = 0;
            for file in File::ALL {
                match self.pieces[Square::from_coords(file, rank).index()] {
                    None => empty += 1,
                    Some(piece) => {
                        write_empty(f, empty)?;
                        empty = 0;
                        f.write_char(piece.letter())?;
                    }
                }
            }
            write_empty(f, empty)?;
            f.write_char(if rank == Rank::First { ' ' } else { '/' })?;
        }
        write!(f, "{} ", self.side_to_move.letter())?;
        if self.castling.is_empty() {
            f.write_char('-')?;
        }
        for color in Color::ALL {
            for file in File::ALL.into_iter().rev() {
                let rook = Square::from_coords(file, Rank::First.relative_to(color));
                if self.castling.contains(rook) {
                    f.write_char(self.castling_letter(color, rook, letters))?;
                }
            }
        }
        match self.en_passant {
            Some(square) => write!(f, " {square}"),
            None => f.write_str(" -"),
        }
    }

    fn castling_letter(&self, color: Color, rook: Square, letters: Letters) -> char {
        let outermost = |side| self.outermost_rook(color, side) == Some(rook);
        let letter = match letters {
            Letters::XFen if outermost(CastlingSide::King) => 'k',
            Letters::XFen if outermost(CastlingSide::Queen) => 'q',
            _ => rook.file().letter(),
        };
        match color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        }
    }

    /// The rook that `K` or `Q` means: the last on that side of a king at home.
    fn outermost_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let home = Rank::First.relative_to(color);
        let home = File::ALL.map(|file| Square::from_coords(file, home));
        let holds =
            |square: &Square, kind| self.pieces[square.index()] == Some(Piece::new(color, kind));
        let king = home.into_iter().find(|square| holds(square, PieceKind::King))?;
        let mut rooks = home.into_iter().filter(|square| holds(square, PieceKind::Rook));
        match side {
            CastlingSide::King => rooks.rfind(|&rook| rook > king),
            CastlingSide::Queen => rooks.find(|&rook| rook < king),
        }
    }
}

fn write_empty(f: &mut impl fmt::Write, squares: u32) -> fmt::Result {
    if squares > 0 { write!(f, "{squares}") } else { Ok(()) }
}

/// Writes the FEN, castling rights as in X-FEN.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fen(f, Letters::XFen)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Setup, FenError> {
        Setup::from_fen(fen)
    }
}

impl Position {
    /// Reads a FEN, as [`Setup::from_fen`] does, and corrects what can be corrected.
    ///
    /// ```
    /// use tabiya_chess::{FenError, Position, Rank};
    /// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// let position = Position::from_fen(fen).unwrap();
    /// assert_eq!(position.legal_moves().len(), 48);
    /// assert_eq!(position.fen(), fen);
    ///
    /// let error = Position::from_fen("8/8/8/8/9/8/8/8 w - -").unwrap_err();
    /// assert_eq!(error, FenError::BoardCharacter { at: 9, found: '9' });
    /// ```
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        Position::from_fen_with_notes(fen).map(|(position, _)| position)
    }

    /// Reads a FEN, and notes what had to be corrected.
    ///
    /// ```
    /// use tabiya_chess::{Position, Square};
    /// let (position, notes) =
    ///     Position::from_fen_with_notes("4k3/8/8/8/4P3/8/8/4K3 b K e3 0 1").unwrap();
    /// assert_eq!(notes.useless_en_passant, Some(Square::E3));
    /// assert!(notes.castling_without_rook.contains(Square::H1));
    /// assert_eq!(position.fen(), "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1");
    /// ```
    pub fn from_fen_with_notes(fen: &str) -> Result<(Position, Notes), FenError> {
        Ok(Setup::from_fen(fen)?.position()?)
    }

    /// The FEN. Castling rights are written `KQkq` where the rook is the outermost on its side, and
    /// with the rook's file where it is not; the en-passant square only if a pawn may legally be taken
    /// there.
    pub fn fen(&self) -> String {
        self.fen_with(Letters::XFen)
    }

    /// The FEN with castling rights always written as files.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// let fen = Position::start().shredder_fen();
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1");
    /// assert_eq!(Position::from_fen(&fen), Ok(Position::start()));
    /// ```
    pub fn shredder_fen(&self) -> String {
        self.fen_with(Letters::Shredder)
    }

    fn fen_with(&self, letters: Letters) -> String {
        let mut fen = String::new();
        Setup::from(self).write_fen(&mut fen, letters).expect("a string takes any text");
        fen
    }
}

/// Writes the FEN, which reads back as the same position. [`Position::diagram`] draws the board.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

/// As its FEN.
#[cfg(feature = "serde")]
impl serde::Serialize for Position {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Position {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let fen = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        fen.parse().map_err(serde::de::Error::custom)
    }
}

/// Writes the FEN, which identifies a position in one line.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Position").field(&self.fen()).finish()
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(fen: &str) -> Result<Position, FenError> {
        Position::from_fen(fen)
    }
}

/// The fields of a FEN, one after another. White space parts them, and a semicolon ends them, since in
/// EPD that ends an operation.
pub(crate) struct Fields<'a> {
    rest: &'a str,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(text: &'a str) -> Fields<'a> {
        Fields { rest: text }
    }

    /// What no field has been taken from yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    fn expect(&mut self, field: FenField) -> Result<&'a str, FenError> {
        self.next().ok_or(FenError::Missing(field))
    }

    /// The four fields that FEN and EPD share.
    pub(crate) fn setup(&mut self) -> Result<Setup, FenError> {
        let mut setup = Setup::EMPTY;
        parse_board(self.expect(FenField::Board)?, &mut setup.pieces)?;
        setup.side_to_move = match self.expect(FenField::SideToMove)? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(FenError::SideToMove(Excerpt::of(other))),
        };
        setup.castling = parse_castling(self.expect(FenField::Castling)?, &setup)?;
        setup.en_passant = match self.expect(FenField::EnPassant)? {
            "-" => None,
            text => Some(text.parse().map_err(|_| FenError::EnPassant(Excerpt::of(text)))?),
        };
        Ok(setup)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.rest = self.rest.trim_ascii_start();
        let end = self.rest.find(|sign: char| sign.is_ascii_whitespace() || sign == ';');
        let (field, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        (!field.is_empty()).then_some(field)
    }
}

fn parse_board(text: &str, pieces: &mut [Option<Piece>; 64]) -> Result<(), FenError> {
    let wrong_number = || FenError::Ranks(1 + text.matches('/').count());
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut current = ranks.next();
    let mut file = 0;
    let mut at = 0;
    for sign in text.chars() {
        at += 1;
        let rank = current.ok_or_else(wrong_number)?;
        let (piece, width) = match sign {
            '/' => {
                check_width(at, rank, file)?;
                current = ranks.next();
                file = 0;
                continue;
            }
            '1'..='8' => (None, sign as usize - '0' as usize),
            _ => match Piece::from_letter(sign) {
                Some(piece) => (Some(piece), 1),
                None => return Err(FenError::BoardCharacter { at, found: sign }),
            },
        };
        if file + width > 8 {
            return Err(FenError::RankTooLong { at, rank });
        }
        if piece.is_some() {
            pieces[Square::from_coords(File::ALL[file], rank).index()] = piece;
        }
        file += width;
    }
    match current {
        Some(Rank::First) => check_width(at + 1, Rank::First, file),
        _ => Err(wrong_number()),
    }
}

fn check_width(at: usize, rank: Rank, squares: usize) -> Result<(), FenError> {
    if squares == 8 { Ok(()) } else { Err(FenError::RankTooShort { at, rank, squares }) }
}

fn parse_castling(text: &str, setup: &Setup) -> Result<Bitboard, FenError> {
    let mut rooks = Bitboard::EMPTY;
    if text == "-" {
        return Ok(rooks);
    }
    for (i, found) in text.chars().enumerate() {
        let at = i + 1;
        let color = if found.is_ascii_uppercase() { Color::White } else { Color::Black };
        let on_file = |file| Square::from_coords(file, Rank::First.relative_to(color));
        let outermost =
            |side, corner| setup.outermost_rook(color, side).unwrap_or_else(|| on_file(corner));
        let rook = match found.to_ascii_lowercase() {
            'k' => outermost(CastlingSide::King, File::H),
            'q' => outermost(CastlingSide::Queen, File::A),
            letter => match File::from_letter(letter) {
                Some(file) => on_file(file),
                None => return Err(FenError::CastlingCharacter { at, found }),
            },
        };
        if rooks.contains(rook) {
            return Err(FenError::CastlingTwice { at, found, rook });
        }
        rooks = rooks.with(rook);
    }
    Ok(rooks)
}

/// Reads a clock: digits, at most [`MAX_CLOCK`].
pub(crate) fn parse_clock(field: FenField, text: &str) -> Result<u32, FenError> {
    let mut value: u32 = 0;
    for (i, found) in text.chars().enumerate() {
        let digit =
            found.to_digit(10).ok_or(FenError::ClockCharacter { field, at: i + 1, found })?;
        value = value.saturating_mul(10).saturating_add(digit);
    }
    if value > MAX_CLOCK {
        return Err(FenError::ClockTooLarge { field, found: Excerpt::of(text) });
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn missing_clocks_are_those_of_a_fresh_start() {
        let full = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!(Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0"), full);
        assert_eq!(Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - -"), full);
        assert_eq!(Setup::from_fen(" \t4k3/8/8/8/8/8/8/4K3  b\t-  - \r\n"), full);
        assert_eq!(Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 000 0001"), full);
    }

    #[test]
    fn clocks_go_up_to_their_limit() {
        let setup = Setup::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 9999 9999").unwrap();
        assert_eq!((setup.halfmove_clock, setup.move_number), (MAX_CLOCK, MAX_CLOCK));
        let (position, _) = setup.position().unwrap();
        assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 9999 9999");
    }

    /// White has rooks on a1, b1, g1 and h1, Black on c8 only.
    #[test]
    fn castling_letters_find_their_rooks() {
        let rooks = |letters: &str| {
            let fen = format!("2r1k3/8/8/8/8/8/8/RR2K1RR w {letters} -");
            Setup::from_fen(&fen).unwrap().castling.into_iter().collect::<Vec<_>>()
        };
        use Square::*;
        assert_eq!(rooks("-"), []);
        assert_eq!(rooks("KQ"), [A1, H1]);
        assert_eq!(rooks("GB"), [B1, G1]);
        assert_eq!(rooks("Kq"), [H1, C8]);
        assert_eq!(rooks("c"), [C8]);
        // No rook on that side: the corner stands for the claim.
        assert_eq!(rooks("k"), [H8]);
    }

    #[test]
    fn castling_is_written_as_plainly_as_possible() {
        for fen in [
            "2r1k3/8/8/8/8/8/8/RR2K1RR w KQq - 0 1",
            "2r1k3/8/8/8/8/8/8/RR2K1RR w GBq - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
        ] {
            assert_eq!(Position::from_fen(fen).unwrap().fen(), fen);
        }
        let position = Position::from_fen("2r1k3/8/8/8/8/8/8/RR2K1RR w KQq - 0 1").unwrap();
        assert_eq!(position.shredder_fen(), "2r1k3/8/8/8/8/8/8/RR2K1RR w HAc - 0 1");
    }

    #[test]
    fn rights_without_a_rook_are_noted_and_dropped() {
        for (letters, dropped) in [
            ("K", vec![Square::H1]),
            ("KQkq", vec![Square::H1, Square::H8, Square::A8]),
            ("C", vec![Square::C1]),
        ] {
            let fen = format!("4k3/8/8/8/8/8/8/R3K3 w {letters} - 0 1");
            let (position, notes) = Position::from_fen_with_notes(&fen).unwrap();
            assert_eq!(notes.castling_without_rook, dropped.into_iter().collect(), "{letters}");
            assert!(position.castling_rooks().is_subset(Bitboard::square(Square::A1)));
        }
        // A king away from home has no side to look for rooks on.
        let (position, notes) =
            Position::from_fen_with_notes("4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1").unwrap();
        assert!(position.castling_rooks().is_empty());
        assert_eq!(notes.castling_without_rook.len(), 2);
    }

    fn pieces() -> impl Strategy<Value = [Option<Piece>; 64]> {
        proptest::collection::vec(proptest::option::of(proptest::sample::select(&Piece::ALL)), 64)
            .prop_map(|pieces| pieces.try_into().expect("64 of them"))
    }

    proptest! {
        #[test]
        fn any_setup_reads_back(
            pieces in pieces(),
            black in any::<bool>(),
            castling in any::<u16>(),
            en_passant in proptest::option::of(0usize..64),
            halfmove_clock in 0..=MAX_CLOCK,
            move_number in 0..=MAX_CLOCK,
        ) {
            let [first, eighth] = castling.to_le_bytes();
            let setup = Setup {
                pieces,
                side_to_move: if black { Color::Black } else { Color::White },
                castling: Bitboard(u64::from(first) | u64::from(eighth) << 56),
                en_passant: en_passant.and_then(Square::new),
                halfmove_clock,
                move_number,
            };
            prop_assert_eq!(setup.to_string().parse(), Ok(setup));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[ -~é/0-9a-h]{0,120}") {
            match Setup::from_fen(&text) {
                Ok(setup) => prop_assert_eq!(setup.to_string().parse(), Ok(setup)),
                Err(error) => prop_assert!(error.to_string().len() < 300),
            }
        }
    }
}
