//! `tabiya attacks`: which squares a piece attacks, as a picture.

use crate::{Outcome, json};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
use std::io::Write;
use std::process::ExitCode;
use tabiya_chess::{
    Bitboard, Color, FenError, File, ParseSquareError, Piece, PieceKind, Rank, Setup, Square,
    attacks,
};

/// Show which squares a piece attacks.
///
/// The lines of bishops, rooks and queens end at the first piece in their way, of either side, which
/// is attacked itself.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The piece.
    #[arg(value_enum)]
    piece: Kind,
    /// Its square, as in `e4`.
    square: Square,
    /// Where other pieces stand: squares, as in `e6,b4`, or a FEN in quotes (its board alone is
    /// enough).
    #[arg(long, value_parser = parse_occupied, default_value = "", hide_default_value = true)]
    occupied: Bitboard,
    /// The piece's side, which only matters for a pawn.
    #[arg(long, value_enum, default_value = "white")]
    color: Side,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl From<Kind> for PieceKind {
    fn from(kind: Kind) -> PieceKind {
        match kind {
            Kind::Pawn => PieceKind::Pawn,
            Kind::Knight => PieceKind::Knight,
            Kind::Bishop => PieceKind::Bishop,
            Kind::Rook => PieceKind::Rook,
            Kind::Queen => PieceKind::Queen,
            Kind::King => PieceKind::King,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// Why a text does not say where pieces stand.
#[derive(Debug, thiserror::Error)]
enum OccupiedError {
    /// Not a list of squares.
    #[error("{0}, or give a FEN")]
    Square(#[from] ParseSquareError),
    /// Not a FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
}

fn parse_occupied(text: &str) -> Result<Bitboard, OccupiedError> {
    if !text.contains('/') {
        let squares = text.split([',', ' ']).filter(|word| !word.is_empty());
        return Ok(squares.map(str::parse::<Square>).collect::<Result<_, _>>()?);
    }
    let board_alone = !text.trim().contains(' ');
    let setup = if board_alone {
        Setup::from_fen(&format!("{} w - -", text.trim()))?
    } else {
        Setup::from_fen(text)?
    };
    Ok(Square::ALL.into_iter().filter(|square| setup.pieces[square.index()].is_some()).collect())
}

#[derive(Serialize)]
struct Report {
    piece: &'static str,
    color: String,
    square: String,
    occupied: Vec<String>,
    attacked: Vec<String>,
    bitboard: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Outcome {
    let piece = Piece::new(args.color.into(), args.piece.into());
    let attacked = attacks::of(piece, args.square, args.occupied);
    if args.json {
        let names = |set: Bitboard| set.into_iter().map(|square| square.to_string()).collect();
        let report = Report {
            piece: piece.kind().name(),
            color: piece.color().to_string().to_lowercase(),
            square: args.square.to_string(),
            occupied: names(args.occupied),
            attacked: names(attacked),
            // As text, since JSON readers round numbers of 64 bits.
            bitboard: format!("{:#018x}", attacked.0),
        };
        json::print(out, &report)?;
    } else {
        let picture = Picture { piece, square: args.square, occupied: args.occupied, attacked };
        write!(out, "{picture}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A board with coordinates and, where they occur, what its marks mean.
struct Picture {
    piece: Piece,
    square: Square,
    occupied: Bitboard,
    attacked: Bitboard,
}

impl Picture {
    fn mark(&self, square: Square) -> char {
        match (self.attacked.contains(square), self.occupied.contains(square)) {
            _ if square == self.square => self.piece.letter(),
            (true, true) => '#',
            (true, false) => 'x',
            (false, true) => 'o',
            (false, false) => '.',
        }
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{rank} ")?;
            for file in File::ALL {
                write!(f, " {}", self.mark(Square::from_coords(file, rank)))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "\n   a b c d e f g h\n")?;
        write!(f, "{} on {} attacks {}", self.piece.kind(), self.square, count(self.attacked))?;
        let hit = self.attacked & self.occupied;
        if !hit.is_empty() {
            write!(f, ", {} with a piece on it (#)", hit.len())?;
        }
        if !(self.occupied - self.attacked).without(self.square).is_empty() {
            write!(f, "; o is a piece out of its reach")?;
        }
        writeln!(f)
    }
}

fn count(set: Bitboard) -> String {
    match set.len() {
        1 => String::from("1 square"),
        many => format!("{many} squares"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_boards_say_where_men_stand() {
        let squares = |list: &[Square]| list.iter().copied().collect::<Bitboard>();
        assert_eq!(parse_occupied("").unwrap(), Bitboard::EMPTY);
        assert_eq!(parse_occupied("e4, a1").unwrap(), squares(&[Square::E4, Square::A1]));
        let kings = squares(&[Square::A8, Square::H1]);
        assert_eq!(parse_occupied("k7/8/8/8/8/8/8/7K").unwrap(), kings);
        assert_eq!(parse_occupied("k7/8/8/8/8/8/8/7K b - - 3 40").unwrap(), kings);
        assert!(matches!(parse_occupied("e9"), Err(OccupiedError::Square(_))));
        assert!(matches!(parse_occupied("k7/9/8"), Err(OccupiedError::Fen(_))));
    }

    #[test]
    fn the_picture_tells_all_marks_apart() {
        let occupied = parse_occupied("d7,b4,h8").unwrap();
        let (piece, square) = (Piece::new(Color::Black, PieceKind::Rook), Square::D4);
        let attacked = attacks::of(piece, square, occupied);
        let picture = Picture { piece, square, occupied, attacked }.to_string();
        assert_eq!(
            picture,
            "\
8  . . . . . . . o
7  . . . # . . . .
6  . . . x . . . .
5  . . . x . . . .
4  . # x r x x x x
3  . . . x . . . .
2  . . . x . . . .
1  . . . x . . . .

   a b c d e f g h

rook on d4 attacks 12 squares, 2 with a piece on it (#); o is a piece out of its reach
"
        );
    }
}
