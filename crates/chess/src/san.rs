//! Standard algebraic notation (SAN): exact when written, lenient when read.

use crate::{
    CastlingSide, CastlingStyle, Color, Excerpt, File, Move, MoveKind, PieceKind, Position, Rank,
    Square,
};
use arrayvec::ArrayString;
use core::fmt::{self, Write};

/// The longest are such as `Qa1xb2#` and `axb8=Q#`.
const LONGEST: usize = 7;

/// A move in standard algebraic notation; [`Position::san`] makes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct San(ArrayString<LONGEST>);

impl San {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for San {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Why a text does not name one legal move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SanError {
    /// Not algebraic notation.
    #[error("{0} is not a move in algebraic notation, such as e4, Nbd2, exd8=Q or O-O")]
    Malformed(Excerpt),
    /// No legal move is meant.
    #[error("{0} is not legal here")]
    Illegal(Excerpt),
    /// More than one legal move may be meant.
    #[error("{found} may mean any of {}", Alternatives(.candidates))]
    Ambiguous {
        /// What was read.
        found: Excerpt,
        /// The moves it may mean.
        candidates: Vec<San>,
    },
}

struct Alternatives<'a>(&'a [San]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, san) in self.0.iter().enumerate() {
            write!(f, "{}{san}", if i == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl Position {
    /// A legal move in standard algebraic notation. One that is not legal here has no name in it and is
    /// written as two squares.
    ///
    /// ```
    /// use tabiya_chess::{Move, Position, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/RN2KN1R w KQ - 0 1").unwrap();
    /// let san = |mv| position.san(mv).to_string();
    /// assert_eq!(san(Move::normal(Square::B1, Square::D2)), "Nbd2");
    /// assert_eq!(san(Move::normal(Square::B1, Square::C3)), "Nc3");
    /// assert_eq!(san(Move::normal(Square::H1, Square::H8)), "Rh8+");
    /// ```
    pub fn san(&self, mv: Move) -> San {
        let legal = self.legal_moves();
        let mut san = San(ArrayString::new());
        let written = match self.kind_at(mv.from()) {
            Some(kind) if legal.contains(&mv) => self.write_san(&mut san.0, kind, mv, &legal),
            _ => write!(san.0, "{}", mv.uci(self, CastlingStyle::KingTakesRook)),
        };
        written.expect("no move is longer than the longest");
        san
    }

    fn write_san(
        &self,
        out: &mut impl Write,
        kind: PieceKind,
        mv: Move,
        legal: &[Move],
    ) -> fmt::Result {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            out.write_str(if to > from { "O-O" } else { "O-O-O" })?;
        } else {
            let takes = self.piece_at(to).is_some() || mv.kind() == MoveKind::EnPassant;
            if kind == PieceKind::Pawn {
                if takes {
                    write!(out, "{}", from.file())?;
                }
            } else {
                out.write_char(kind.letter().to_ascii_uppercase())?;
                let rivals = legal.iter().filter(|rival| {
                    rival.to() == to
                        && rival.from() != from
                        && self.kind_at(rival.from()) == Some(kind)
                });
                write_origin(out, from, rivals.map(|rival| rival.from()))?;
            }
            write!(out, "{}{to}", if takes { "x" } else { "" })?;
        }
        if let Some(promoted) = mv.promoted() {
            write!(out, "={}", promoted.letter().to_ascii_uppercase())?;
        }
        if self.gives_check(mv) {
            let mut next = self.clone();
            next.play_unchecked(mv);
            out.write_char(if next.has_legal_move() { '+' } else { '#' })?;
        }
        Ok(())
    }

    /// A line of play in SAN with move numbers. It ends before the first move that is illegal.
    ///
    /// ```
    /// use tabiya_chess::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7").unwrap();
    /// let mut line = Vec::new();
    /// let mut end = position.clone();
    /// for text in ["e8e7", "e2e4", "e7e6"] {
    ///     let mv = end.parse_uci(text).unwrap();
    ///     end.play(mv).unwrap();
    ///     line.push(mv);
    /// }
    /// assert_eq!(position.movetext(&line), "7... Ke7 8. e4 Ke6");
    /// ```
    pub fn movetext(&self, line: &[Move]) -> String {
        let mut position = self.clone();
        let mut text = String::new();
        for (ply, &mv) in line.iter().enumerate() {
            let (san, number) = (position.san(mv), position.move_number());
            let white = position.side_to_move() == Color::White;
            if position.play(mv).is_err() {
                break;
            }
            let gap = if ply == 0 { "" } else { " " };
            let written = match (white, ply) {
                (true, _) => write!(text, "{gap}{number}. {san}"),
                (false, 0) => write!(text, "{number}... {san}"),
                (false, _) => write!(text, "{gap}{san}"),
            };
            written.expect("a string takes any text");
        }
        text
    }

    /// Reads a move in algebraic notation, short or long, as people write it.
    ///
    /// Understood besides the standard: castling with zeros, promotion without `=`, captures without
    /// `x`, a start square where none is needed, `e.p.`, and any marks of check, mate and praise. These
    /// marks, and an `x`, are not held against the move if they are wrong; what says which move is meant
    /// must be right, and enough.
    ///
    /// ```
    /// use tabiya_chess::{Move, Position, SanError, Square};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/RN2KN1R w KQ - 0 1").unwrap();
    /// let move_of = |san| position.parse_san(san);
    /// assert_eq!(move_of("Nbd2"), Ok(Move::normal(Square::B1, Square::D2)));
    /// assert_eq!(move_of("Nb1-d2!?"), Ok(Move::normal(Square::B1, Square::D2)));
    /// assert_eq!(move_of("0-0-0").unwrap_err().to_string(), r#""0-0-0" is not legal here"#);
    /// assert_eq!(move_of("Nd2").unwrap_err().to_string(), r#""Nd2" may mean any of Nbd2, Nfd2"#);
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let excerpt = || Excerpt::of(text);
        let pattern =
            Pattern::parse(undecorated(text)).ok_or_else(|| SanError::Malformed(excerpt()))?;
        let mut meant: Vec<Move> = self.legal_moves().to_vec();
        meant.retain(|&mv| pattern.matches(self, mv));
        match *meant {
            [] => Err(SanError::Illegal(excerpt())),
            [mv] => Ok(mv),
            _ => {
                let candidates = meant.iter().map(|&mv| self.san(mv)).collect();
                Err(SanError::Ambiguous { found: excerpt(), candidates })
            }
        }
    }
}

/// As much of the start square as disambiguates it from the rivals': the file if that is enough, else
/// the rank, else both.
fn write_origin(
    out: &mut impl Write,
    from: Square,
    rivals: impl Iterator<Item = Square>,
) -> fmt::Result {
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals {
        any = true;
        same_file |= rival.file() == from.file();
        same_rank |= rival.rank() == from.rank();
    }
    if any && (!same_file || same_rank) {
        write!(out, "{}", from.file())?;
    }
    if same_file {
        write!(out, "{}", from.rank())?;
    }
    Ok(())
}

/// The text without what does not say which move is meant.
fn undecorated(text: &str) -> &str {
    let mut rest = text.trim_ascii();
    loop {
        let shorter = rest.trim_end_matches(['+', '#', '!', '?']);
        let shorter =
            shorter.strip_suffix("e.p.").or(shorter.strip_suffix("ep")).unwrap_or(shorter);
        let shorter = shorter.trim_ascii_end();
        if shorter.len() == rest.len() {
            return rest;
        }
        rest = shorter;
    }
}

/// What a text says about the move it means.
enum Pattern {
    Castling(CastlingSide),
    Plain {
        kind: PieceKind,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promoted: Option<PieceKind>,
    },
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        match *text.as_bytes() {
            [b'O' | b'0' | b'o', b'-', b'O' | b'0' | b'o'] => {
                return Some(Pattern::Castling(CastlingSide::King));
            }
            [b'O' | b'0' | b'o', b'-', b'O' | b'0' | b'o', b'-', b'O' | b'0' | b'o'] => {
                return Some(Pattern::Castling(CastlingSide::Queen));
            }
            _ => {}
        }
        let (kind, rest) = match text.as_bytes() {
            [letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'), rest @ ..] => {
                (PieceKind::from_letter((*letter).into())?, rest)
            }
            rest => (PieceKind::Pawn, rest),
        };
        let (rest, promoted) = match rest {
            [rest @ .., b'=' | b'/', letter] | [rest @ .., b'(', letter, b')'] => {
                (rest, Some(promotion(*letter)?))
            }
            [rest @ .., letter] if !letter.is_ascii_digit() => (rest, Some(promotion(*letter)?)),
            rest => (rest, None),
        };
        let (origin, to) = rest.split_last_chunk::<2>()?;
        let to = core::str::from_utf8(to).ok()?.parse().ok()?;
        let origin = match origin {
            [origin @ .., b'x' | b':' | b'-'] => origin,
            origin => origin,
        };
        let (file, rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (File::from_letter(file.into()), None),
            [rank @ b'1'..=b'8'] => (None, Rank::new((rank - b'1').into())),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                (File::from_letter(file.into()), Rank::new((rank - b'1').into()))
            }
            _ => return None,
        };
        Some(Pattern::Plain { kind, file, rank, to, promoted })
    }

    fn matches(&self, position: &Position, mv: Move) -> bool {
        match *self {
            Pattern::Castling(side) => {
                mv.is_castling() && (mv.to() > mv.from()) == (side == CastlingSide::King)
            }
            Pattern::Plain { kind, file, rank, to, promoted } => {
                !mv.is_castling()
                    && mv.to() == to
                    && position.kind_at(mv.from()) == Some(kind)
                    && file.is_none_or(|file| mv.from().file() == file)
                    && rank.is_none_or(|rank| mv.from().rank() == rank)
                    && promoted.is_none_or(|kind| mv.promoted() == Some(kind))
            }
        }
    }
}

fn promotion(letter: u8) -> Option<PieceKind> {
    PieceKind::from_letter(letter.into()).filter(|kind| PieceKind::PROMOTIONS.contains(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(fen: &str, text: &str) -> Result<String, SanError> {
        let position = Position::from_fen(fen).unwrap();
        position.parse_san(text).map(|mv| position.san(mv).to_string())
    }

    #[test]
    fn disambiguates_by_file_then_rank_then_both() {
        for (fen, san) in [
            // Two rooks on a rank, two on a file, three queens around a corner.
            ("4k3/8/8/8/8/8/K7/R6R w - - 0 1", "Rad1"),
            ("4k3/8/R7/8/8/8/7K/R7 w - - 0 1", "R1a4"),
            ("8/8/k7/8/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1"),
            // A pinned rival is none.
            ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2"),
        ] {
            assert_eq!(read(fen, san).as_deref(), Ok(san), "{fen}");
        }
    }

    #[test]
    fn reads_what_people_write() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let promotion = "3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1";
        let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (fen, text, san) in [
            (castling, "O-O", "O-O"),
            (castling, "0-0", "O-O"),
            (castling, "o-o-o!?", "O-O-O"),
            (castling, "Rxa8++", "Rxa8+"),
            (castling, "Ra8", "Rxa8+"),
            (castling, "Ra1xa8+", "Rxa8+"),
            (promotion, "e8=Q+", "e8=Q+"),
            (promotion, "e8Q", "e8=Q+"),
            (promotion, "e8q", "e8=Q+"),
            (promotion, "e8(N)", "e8=N"),
            (promotion, "exd8/R", "exd8=R+"),
            (promotion, "ed8=B", "exd8=B"),
            (promotion, "e7xd8=B", "exd8=B"),
            (passing, "exd6 e.p.", "exd6"),
            (passing, "exd6e.p.!", "exd6"),
            (passing, "ed6ep", "exd6"),
            (passing, "e5:d6", "exd6"),
            (start, "Ng1-f3", "Nf3"),
            (start, "Ngf3", "Nf3"),
            (start, "N1f3", "Nf3"),
            (start, "Pe4", "e4"),
            (start, " e2-e4 ", "e4"),
            (start, "e2e4", "e4"),
        ] {
            assert_eq!(read(fen, text).as_deref(), Ok(san), "{text} in {fen}");
        }
    }

    #[test]
    fn castles_in_chess960() {
        // The king stays on g1; the other castling takes him through the board.
        let fen = "4k3/8/8/8/8/8/8/R5KR w KQ - 0 1";
        for san in ["O-O", "O-O-O"] {
            assert_eq!(read(fen, san).as_deref(), Ok(san));
        }
        // The rook's square is no square of the king's.
        assert_eq!(read(fen, "Kh1"), Err(SanError::Illegal(Excerpt::of("Kh1"))));
    }

    #[test]
    fn tells_malformed_from_illegal_from_ambiguous() {
        let fen = "4k3/P7/8/8/8/8/8/RN2KN1R w KQ - 0 1";
        for text in
            ["", "e", "e9", "Nbd2d2", "i4", "Xe4", "e4=K", "O-O-O-O", "--", "ñf3", "exd", "+", "N"]
        {
            assert_eq!(read(fen, text), Err(SanError::Malformed(Excerpt::of(text))));
        }
        for text in ["O-O", "e4", "Nd3", "Ncd2", "Nbd2=Q", "Ke3", "a8=Q8"] {
            let error = read(fen, text).unwrap_err();
            assert!(
                matches!(error, SanError::Illegal(_) | SanError::Malformed(_)),
                "{text}: {error}"
            );
        }
        let candidates = |text| match read(fen, text) {
            Err(SanError::Ambiguous { candidates, .. }) => {
                candidates.iter().map(San::to_string).collect::<Vec<_>>()
            }
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(candidates("Nd2"), ["Nbd2", "Nfd2"]);
        assert_eq!(candidates("a8"), ["a8=Q+", "a8=R+", "a8=B", "a8=N"]);
    }

    #[test]
    fn illegal_moves_are_written_as_squares() {
        let mv = Move::promotion(Square::E2, Square::E8, PieceKind::Rook);
        assert_eq!(Position::start().san(mv).as_str(), "e2e8r");
    }

    proptest! {
        #[test]
        fn whatever_is_read_is_written_and_read_again(
            number in 0u16..960,
            text in "[KQRBNPa-h1-8xO0o=+#!?.ep -]{0,9}",
        ) {
            let position = Position::chess960(number).expect("a number below 960");
            if let Ok(mv) = position.parse_san(&text) {
                prop_assert!(position.is_legal(mv));
                prop_assert_eq!(position.parse_san(position.san(mv).as_str()), Ok(mv));
            }
        }
    }
}
