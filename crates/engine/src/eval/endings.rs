//! Endgames whose value is known: elementary mates, king and pawn against king, plain draws, and a few
//! that general rules misjudge.
//!
//! The value of a won ending is far above that of any ordinary advantage, and rises as the goal comes
//! nearer, so that a search which looks a few moves ahead finds its way without a table.

use super::kpk;
use super::view::{Pieces, edge};
use crate::value::WON;
use core::fmt;
use tabiya_chess::{Bitboard, Color, Position, Rank, Square};

/// Pieces as they count in known endings: pawn to queen.
const VALUES: [i32; 5] = [100, 320, 330, 500, 950];

/// Worth of each step that the losing king is from the middle, and of each that the kings are nearer.
const TO_EDGE: i32 = 20;
const TO_KING: i32 = 10;
/// Worth of each step towards the corner of the bishop's color.
const TO_CORNER: i32 = 45;

/// More pieces than this are not looked up, unless one side has only his king.
const MOST_MEN: u32 = 5;

/// Which known ending a position is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Endgame {
    /// Neither side can mate.
    DeadDraw,
    /// More than enough against the bare king.
    BareKing,
    /// Bishop and knight against the bare king.
    BishopAndKnight,
    /// King and pawn against king, won.
    PawnWon,
    /// King and pawn against king, drawn.
    PawnDrawn,
    /// Rook pawns whose corner the bishop does not reach, and the king is there first.
    WrongCorner,
    /// Queen against rook.
    QueenAgainstRook,
    /// Queen against pawn.
    QueenAgainstPawn,
    /// Rook against pawn.
    RookAgainstPawn,
    /// Rook against a minor piece.
    RookAgainstMinor,
}

impl Endgame {
    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Endgame::DeadDraw => "neither side can mate",
            Endgame::BareKing => "mate of the bare king",
            Endgame::BishopAndKnight => "mate with bishop and knight",
            Endgame::PawnWon => "king and pawn against king: won",
            Endgame::PawnDrawn => "king and pawn against king: drawn",
            Endgame::WrongCorner => "rook pawn and the wrong bishop: drawn",
            Endgame::QueenAgainstRook => "queen against rook",
            Endgame::QueenAgainstPawn => "queen against pawn",
            Endgame::RookAgainstPawn => "rook against pawn",
            Endgame::RookAgainstMinor => "rook against a minor piece",
        }
    }

    /// Is the result, a win or a draw, beyond doubt? Otherwise the value is a rule of thumb.
    pub const fn is_certain(self) -> bool {
        match self {
            Endgame::DeadDraw
            | Endgame::BareKing
            | Endgame::BishopAndKnight
            | Endgame::PawnWon
            | Endgame::PawnDrawn
            | Endgame::WrongCorner => true,
            Endgame::QueenAgainstRook
            | Endgame::QueenAgainstPawn
            | Endgame::RookAgainstPawn
            | Endgame::RookAgainstMinor => false,
        }
    }
}

impl fmt::Display for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A known ending and its worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct KnownEndgame {
    pub(super) ending: Endgame,
    /// For White.
    pub(super) value: i32,
}

/// The known ending that this is, if it is one.
#[inline(always)]
pub(super) fn known(position: &Position) -> Option<KnownEndgame> {
    let bare = |color| !position.colors(color).has_several();
    let few = position.occupied().len() <= MOST_MEN;
    if few || bare(Color::White) || bare(Color::Black) { look_up(position) } else { None }
}

#[cold]
#[inline(never)]
fn look_up(position: &Position) -> Option<KnownEndgame> {
    Color::ALL.into_iter().find_map(|color| {
        let (strong, weak) = (Pieces::of(position, color), Pieces::of(position, !color));
        let (strong, weak) = match color {
            Color::White => (strong, weak),
            Color::Black => (strong.turned(), weak.turned()),
        };
        let own_turn = position.side_to_move() == color;
        let (ending, value) = judge(&strong, &weak, own_turn)?;
        Some(KnownEndgame { ending, value: if color == Color::White { value } else { -value } })
    })
}

/// Pawns, knights, bishops, rooks, queens.
fn counts(pieces: &Pieces) -> [u32; 5] {
    [pieces.pawns, pieces.knights, pieces.bishops, pieces.rooks, pieces.queens].map(Bitboard::len)
}

/// The ending and its worth to the stronger side, in whose view the pieces are.
fn judge(strong: &Pieces, weak: &Pieces, own_turn: bool) -> Option<(Endgame, i32)> {
    match (counts(strong), counts(weak)) {
        (own, [0, 0, 0, 0, 0]) => against_bare_king(strong, weak, own, own_turn),
        ([0, 0, 0, 0, 1], [0, 0, 0, 1, 0]) => {
            let value = VALUES[4] - VALUES[3] + drive(strong, weak);
            Some((Endgame::QueenAgainstRook, value))
        }
        ([0, 0, 0, 0, 1], [1, 0, 0, 0, 0]) => {
            Some((Endgame::QueenAgainstPawn, queen_against_pawn(strong, weak, own_turn)))
        }
        ([0, 0, 0, 1, 0], [1, 0, 0, 0, 0]) => {
            Some((Endgame::RookAgainstPawn, rook_against_pawn(strong, weak, own_turn)))
        }
        ([0, 0, 0, 1, 0], [0, 0, 1, 0, 0]) => {
            Some((Endgame::RookAgainstMinor, drive(strong, weak) / 8))
        }
        ([0, 0, 0, 1, 0], [0, 1, 0, 0, 0]) => {
            // A knight far from his king is the one chance to win.
            let apart = weak.knights.first().map_or(0, |knight| knight.distance(weak.king));
            Some((Endgame::RookAgainstMinor, drive(strong, weak) / 8 + 10 * i32::from(apart)))
        }
        _ => None,
    }
}

fn against_bare_king(
    strong: &Pieces,
    weak: &Pieces,
    own: [u32; 5],
    own_turn: bool,
) -> Option<(Endgame, i32)> {
    let [pawns, knights, bishops, rooks, queens] = own;
    let one_colored =
        strong.bishops.is_subset(Bitboard::LIGHT) || strong.bishops.is_subset(Bitboard::DARK);
    if pawns + rooks + queens == 0 {
        match (knights, bishops) {
            (0..=2, 0) => return Some((Endgame::DeadDraw, 0)),
            (0, _) if one_colored => return Some((Endgame::DeadDraw, 0)),
            (1, 1) => return Some((Endgame::BishopAndKnight, bishop_and_knight(strong, weak))),
            _ => {}
        }
    }
    if own == [1, 0, 0, 0, 0] {
        let pawn = strong.pawns.first()?;
        return Some(if kpk::is_won(strong.king, pawn, weak.king, own_turn) {
            (Endgame::PawnWon, pawn_won(strong, pawn))
        } else {
            (Endgame::PawnDrawn, 0)
        });
    }
    if wrong_corner(strong, weak) {
        return Some((Endgame::WrongCorner, 0));
    }
    let mating = queens + rooks > 0 || !one_colored || bishops > 0 && knights > 0 || knights > 2;
    if !mating {
        return None;
    }
    let material: i32 = own.iter().zip(VALUES).map(|(&count, value)| count as i32 * value).sum();
    Some((Endgame::BareKing, WON + material + drive(strong, weak)))
}

/// The further the pawn the better, and the king goes ahead of it.
fn pawn_won(strong: &Pieces, pawn: Square) -> i32 {
    let promotion = Square::wrapping(pawn as u32 | 56);
    let way = 7 - i32::from(strong.king.distance(promotion));
    WON + VALUES[0] + TO_EDGE * pawn.rank().index() as i32 + TO_KING * way
}

/// Steps from the middle of the board along files and ranks, 0 to 6.
fn off_center(king: Square) -> i32 {
    let rank = king.rank().index();
    let rank_off = if rank < 4 { 3 - rank } else { rank - 4 };
    (3 - edge(king) + rank_off) as i32
}

/// What brings the mate nearer: the losing king at the edge, and the winning one close to him.
fn drive(strong: &Pieces, weak: &Pieces) -> i32 {
    TO_EDGE * off_center(weak.king) + nearness(strong, weak)
}

fn nearness(strong: &Pieces, weak: &Pieces) -> i32 {
    TO_KING * (7 - i32::from(strong.king.distance(weak.king)))
}

/// Mate can be forced in a corner of the bishop's color only.
fn bishop_and_knight(strong: &Pieces, weak: &Pieces) -> i32 {
    let king =
        if strong.bishops.intersects(Bitboard::LIGHT) { weak.king.flip_files() } else { weak.king };
    // 0 on the long diagonal between the wrong corners, 7 in a right one.
    let to_corner = (7 - king.rank().index() as i32 - king.file().index() as i32).abs();
    WON + VALUES[1] + VALUES[2] + TO_CORNER * to_corner + drive(strong, weak)
}

/// Has the stronger side nothing but bishops that do not reach the corner where all its pawns
/// promote, and is the enemy's king there? The pieces are in the stronger side's view.
pub(super) fn wrong_corner(strong: &Pieces, weak: &Pieces) -> bool {
    if strong.pawns.is_empty() || !(strong.knights | strong.rooks | strong.queens).is_empty() {
        return false;
    }
    [Square::A8, Square::H8].into_iter().any(|corner| {
        let complex =
            if Bitboard::DARK.contains(corner) { Bitboard::DARK } else { Bitboard::LIGHT };
        strong.pawns.is_subset(Bitboard::file(corner.file()))
            && strong.bishops.is_disjoint(complex)
            && weak.king.distance(corner) <= 1
    })
}

/// Drawn only with a pawn one step from promotion on a rook's or bishop's file, its king beside it
/// and the other far away.
fn queen_against_pawn(strong: &Pieces, weak: &Pieces, own_turn: bool) -> i32 {
    let Some(pawn) = weak.pawns.first() else { return 0 };
    let far = i32::from(strong.king.distance(pawn));
    let saved = pawn.rank() == Rank::Second
        && matches!(edge(pawn), 0 | 2)
        && weak.king.distance(pawn) <= 1
        && far > 4 + i32::from(own_turn);
    if saved { TO_KING * (7 - far) } else { WON + VALUES[4] - VALUES[0] + TO_KING * (7 - far) }
}

/// Who is nearer to the pawn decides.
fn rook_against_pawn(strong: &Pieces, weak: &Pieces, own_turn: bool) -> i32 {
    let Some(pawn) = weak.pawns.first() else { return 0 };
    let promotion = Square::from_coords(pawn.file(), Rank::First);
    let own = i32::from(strong.king.distance(pawn));
    let enemy = i32::from(weak.king.distance(pawn));
    let steps = pawn.rank().index() as i32;
    let ahead = strong.king.file() == pawn.file() && strong.king < pawn;
    let cut_off = enemy >= 3 + i32::from(!own_turn);
    let winning = VALUES[3] - VALUES[0];
    if ahead || cut_off {
        winning - own
    } else if steps <= 2 && enemy <= 1 && i32::from(strong.king.distance(promotion)) > steps + 1 {
        // The rook will have to be given for it.
        TO_KING * (7 - own)
    } else {
        winning / 2 + 8 * (enemy - own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known_of(fen: &str) -> Option<KnownEndgame> {
        known(&Position::from_fen(fen).expect("a legal position"))
    }

    fn ending(fen: &str) -> Option<Endgame> {
        known_of(fen).map(|known| known.ending)
    }

    fn value(fen: &str) -> i32 {
        known_of(fen).expect("a known ending").value
    }

    #[test]
    fn endings_are_recognised() {
        for (fen, expected) in [
            ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", Some(Endgame::DeadDraw)),
            ("8/8/4k3/8/8/4K3/4NN2/8 w - - 0 1", Some(Endgame::DeadDraw)),
            ("8/8/4k3/8/8/4K3/4B1B1/8 w - - 0 1", Some(Endgame::DeadDraw)),
            ("8/8/4k3/8/8/4K3/4BB2/8 w - - 0 1", Some(Endgame::BareKing)),
            ("8/8/4k3/8/8/4K3/4BN2/8 b - - 0 1", Some(Endgame::BishopAndKnight)),
            ("8/8/4k3/8/8/4K3/4r3/8 w - - 0 1", Some(Endgame::BareKing)),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", Some(Endgame::PawnWon)),
            ("4k3/8/4K3/8/8/8/p7/8 w - - 0 1", Some(Endgame::PawnWon)),
            ("k7/8/8/P7/8/8/8/K7 w - - 0 1", Some(Endgame::PawnDrawn)),
            ("k7/8/8/P7/8/8/4B3/K7 w - - 0 1", None),
            ("k7/8/8/P7/8/8/5B2/K7 w - - 0 1", Some(Endgame::WrongCorner)),
            ("7k/8/8/7P/7P/8/5B2/K7 b - - 0 1", None),
            ("7k/8/8/7P/7P/8/4B3/K7 b - - 0 1", Some(Endgame::WrongCorner)),
            ("8/8/8/8/p7/8/8/kB2K3 b - - 0 1", None),
            ("8/8/4k3/4r3/8/4K3/4Q3/8 w - - 0 1", Some(Endgame::QueenAgainstRook)),
            ("8/8/4k3/4n3/8/4K3/4R3/8 w - - 0 1", Some(Endgame::RookAgainstMinor)),
            ("8/8/4k3/4p3/8/4K3/4R3/8 w - - 0 1", Some(Endgame::RookAgainstPawn)),
            ("8/8/4k3/4pp2/8/4K3/4R3/8 w - - 0 1", None),
        ] {
            assert_eq!(ending(fen), expected, "{fen}");
        }
    }

    #[test]
    fn mates_come_nearer() {
        // The losing king goes from the middle to the corner, the winning one stays as far away.
        let rook = [
            "8/8/8/4k3/8/8/8/R3K3 w - - 0 1",
            "8/8/5k2/8/8/8/8/R3K3 w - - 0 1",
            "8/6k1/8/8/8/8/8/R3K3 w - - 0 1",
            "7k/8/8/8/8/8/8/R3K3 w - - 0 1",
        ];
        assert!(rook.map(value).is_sorted_by(|a, b| a < b));
        // The winning king comes closer.
        let queen = [
            "7k/8/8/8/8/8/8/KQ6 w - - 0 1",
            "7k/8/8/8/2K5/8/8/1Q6 w - - 0 1",
            "7k/8/5K2/8/8/8/8/1Q6 w - - 0 1",
        ];
        assert!(queen.map(value).is_sorted_by(|a, b| a < b));
        // Along the edge from the wrong corner to the right one, dark squares here.
        let right = ["k7", "1k6", "2k5", "3k4", "4k3", "5k2", "6k1", "7k"]
            .map(|rank| value(&format!("{rank}/8/8/8/8/8/4K3/2B1N3 w - - 0 1")));
        assert!(right.is_sorted_by(|a, b| a < b), "{right:?}");
        // And the other way around for the other bishop.
        let left = ["7k", "6k1", "5k2", "4k3", "3k4", "2k5", "1k6", "k7"]
            .map(|rank| value(&format!("{rank}/8/8/8/8/8/3K4/3N1B2 w - - 0 1")));
        assert!(left.is_sorted_by(|a, b| a < b), "{left:?}");
    }

    #[test]
    fn a_pawn_becomes_a_queen() {
        let pawn = value("8/4P3/3K4/8/8/8/8/k7 w - - 0 1");
        let queen = value("4Q3/8/3K4/8/8/8/8/k7 b - - 0 1");
        assert!(WON < pawn && pawn < queen);
        assert_eq!(value("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1"), 0);
    }

    #[test]
    fn drawn_against_the_odds() {
        assert!(value("8/8/8/8/8/8/pk6/6KQ b - - 0 1") < 100, "the pawn holds");
        assert!(value("8/8/8/8/8/8/1pk5/6KQ b - - 0 1") > WON, "no stalemate on this file");
        assert!(value("8/8/8/8/8/8/4kp2/R6K b - - 0 1") < 200, "the rook goes for the pawn");
        assert!(value("8/8/8/3b4/4k3/8/8/R3K3 w - - 0 1") < 100);
    }
}
