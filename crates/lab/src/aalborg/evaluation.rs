//! The report's evaluation: six terms, each with a weight; a weight of zero switches a term off.
//!
//! The report prints the values of the pieces, the rule for the centre and what two positions are worth, but not
//! the other weights. Those are chosen here so that its two positions come out right as far as they can be
//! known: a pawn that has hardly moved is worth 10 points and one on the seventh rank 140, a file without
//! pawns costs 20, a whole shield before the king is worth 20, a move 8. These are the weights of its last
//! configuration; what it calls the lower ones are half as much here.

use std::sync::LazyLock;
use tabiya_chess::{Bitboard, Color, File, Piece, PieceKind, Position, Rank, Square, attacks};

/// A term of the evaluation, in the order in which the report adds them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Term {
    Material,
    Center,
    Mobility,
    KingSafety,
    PawnStructure,
    PassedPawns,
}

impl Term {
    pub(super) const ALL: [Term; 6] = [
        Term::Material,
        Term::Center,
        Term::Mobility,
        Term::KingSafety,
        Term::PawnStructure,
        Term::PassedPawns,
    ];

    /// The report's word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Term::Material => "Material",
            Term::Center => "Center Control",
            Term::Mobility => "Mobility",
            Term::KingSafety => "King Safety",
            Term::PawnStructure => "Pawn Structure",
            Term::PassedPawns => "Passed Pawn",
        }
    }
}

/// What pieces are worth, in hundredths of a pawn: pawn to queen, and the pair of bishops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Values {
    pieces: [i32; 6],
    pair: i32,
}

impl Values {
    /// The rule of thumb, with which the report begins.
    pub(super) const THUMB: Values = Values { pieces: [100, 300, 300, 500, 900, 0], pair: 0 };
    /// Kaufman's, with which it ends.
    pub(super) const KAUFMAN: Values = Values { pieces: [100, 350, 350, 525, 1000, 0], pair: 50 };
}

/// A configuration: the values, and a weight for each term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    values: Values,
    weights: [i32; 6],
}

impl Settings {
    /// Material alone.
    pub(super) const MATERIAL: Settings =
        Settings { values: Values::THUMB, weights: [10, 0, 0, 0, 0, 0] };

    /// The last configuration of the report: all terms, at their higher weights.
    pub(super) const LAST: Settings =
        Settings { values: Values::KAUFMAN, weights: [10, 1, 8, 10, 20, 10] };

    /// The same with other weights for some terms.
    pub(super) fn with(mut self, terms: &[(Term, i32)]) -> Settings {
        for &(term, weight) in terms {
            self.weights[term as usize] = weight;
        }
        self
    }

    /// The same with other values of pieces.
    pub(super) fn valuing(self, values: Values) -> Settings {
        Settings { values, ..self }
    }

    /// The same without a term.
    pub(super) fn without(self, term: Term) -> Settings {
        self.with(&[(term, 0)])
    }
}

/// What a pawn's advance is worth, by its rank as its side sees it.
const ADVANCE: [i32; 8] = [0, 1, 1, 2, 4, 8, 14, 0];

/// The four squares in the middle, and the twelve around them.
pub(super) const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);
pub(super) const RING: Bitboard = Bitboard(0x0000_3C24_243C_0000);

/// What a piece on a square is worth for the centre by the report's rule: 5 for each middle square that it
/// attacks on an empty board, 1 for each around, twice as much for the one that it stands on.
pub(super) fn centre_value(piece: Piece, square: Square) -> i32 {
    if piece.kind() == PieceKind::King {
        return 0;
    }
    let reach = attacks::of(piece, square, Bitboard::EMPTY);
    let worth = |set: Bitboard, points: i32| {
        let attacked = (reach & set).len() as i32;
        points * (attacked + 2 * i32::from(set.contains(square)))
    };
    worth(CENTER, 5) + worth(RING, 1)
}

static CENTRE_TABLE: LazyLock<[[i32; 64]; Piece::COUNT]> =
    LazyLock::new(|| Piece::ALL.map(|piece| Square::ALL.map(|square| centre_value(piece, square))));

/// An evaluation with its tables filled.
#[derive(Clone)]
pub(super) struct Evaluation {
    settings: Settings,
    /// What a piece on a square adds by itself: material, the centre, a pawn's advance.
    alone: Box<[[i32; 64]; Piece::COUNT]>,
}

impl Evaluation {
    pub(super) fn new(settings: Settings) -> Evaluation {
        let [material, centre, _, _, _, passed] = settings.weights;
        let alone = Piece::ALL.map(|piece| {
            Square::ALL.map(|square| {
                let rank = square.relative_to(piece.color()).rank().index();
                let advance = if piece.kind() == PieceKind::Pawn { ADVANCE[rank] } else { 0 };
                material * settings.values.pieces[piece.kind().index()]
                    + centre * CENTRE_TABLE[piece.index()][square.index()]
                    + passed * advance
            })
        });
        Evaluation { settings, alone: Box::new(alone) }
    }

    /// What a position is worth to the side to move, in the report's points: a pawn is 1000.
    pub(super) fn value(&self, position: &Position) -> i32 {
        let us = position.side_to_move();
        self.side(position, us) - self.side(position, !us)
    }

    fn side(&self, position: &Position, color: Color) -> i32 {
        let [material, _, mobility, king, structure, _] = self.settings.weights;
        let mut points = 0;
        for kind in PieceKind::ALL {
            let piece = Piece::new(color, kind);
            for square in position.colored_pieces(color, kind) {
                points += self.alone[piece.index()][square.index()];
            }
        }
        points += material * self.settings.values.pair * bishop_pair(position, color);
        if mobility != 0 {
            points += mobility * moves(position, color);
        }
        if king != 0 {
            points += king * shield(position, color);
        }
        if structure != 0 {
            points -= structure * flaws(position, color);
        }
        points
    }

    /// What each term gives to a side.
    pub(super) fn terms(&self, position: &Position, color: Color) -> [i32; 6] {
        Term::ALL.map(|term| {
            let off = Term::ALL.into_iter().filter(|&other| other != term);
            let only = off.fold(self.settings, Settings::without);
            Evaluation::new(only).side(position, color)
        })
    }
}

fn bishop_pair(position: &Position, color: Color) -> i32 {
    i32::from(position.colored_pieces(color, PieceKind::Bishop).has_several())
}

/// Moves of a side, captures included; whether they leave the king in check is not asked.
fn moves(position: &Position, color: Color) -> i32 {
    let (own, occupied) = (position.colors(color), position.occupied());
    let mut count = 0;
    for kind in
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen, PieceKind::King]
    {
        let piece = Piece::new(color, kind);
        for square in position.colored_pieces(color, kind) {
            count += (attacks::of(piece, square, occupied) - own).len();
        }
    }
    let pawns = position.colored_pieces(color, PieceKind::Pawn);
    let single = pawns.forward(color) - occupied;
    let third = Bitboard::rank(Rank::Third.relative_to(color));
    let double = (single & third).forward(color) - occupied;
    let enemies = position.colors(!color);
    let ahead = pawns.forward(color);
    count += single.len() + double.len();
    count += (ahead.east() & enemies).len() + (ahead.west() & enemies).len();
    count as i32
}

/// The pawns before a king in a corner: 2 for three in the first row, 1 for three in both, else nothing.
fn shield(position: &Position, color: Color) -> i32 {
    let king = position.king(color).relative_to(color);
    let files = match king {
        Square::A1 | Square::B1 => [File::A, File::B, File::C],
        Square::G1 | Square::H1 => [File::F, File::G, File::H],
        _ => return 0,
    };
    let files = files.into_iter().fold(Bitboard::EMPTY, |set, file| set | Bitboard::file(file));
    let pawns = position.colored_pieces(color, PieceKind::Pawn) & files;
    let row = |rank: Rank| (pawns & Bitboard::rank(rank.relative_to(color))).len();
    let (first, second) = (row(Rank::Second), row(Rank::Third));
    if first == 3 { 2 } else { i32::from(first + second >= 3) }
}

/// Files without a pawn, by which the report tells islands, and pawns that are not alone on their file.
fn flaws(position: &Position, color: Color) -> i32 {
    let pawns = position.colored_pieces(color, PieceKind::Pawn);
    File::ALL
        .into_iter()
        .map(|file| match (pawns & Bitboard::file(file)).len() {
            0 => 1,
            several => several as i32 - 1,
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    fn terms_add_up_and_colors_are_alike() {
        let evaluation = Evaluation::new(Settings::LAST);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqkb1r/3n1ppp/pp2pn2/2pp4/2PP4/1P1BPN2/PBQN1PPP/R3K2R b KQkq - 1 9",
            "8/6pp/3k4/8/3K1PPP/8/8/8 w - - 0 1",
        ] {
            let position = position(fen);
            let sum = |color| evaluation.terms(&position, color).iter().sum::<i32>();
            let us = position.side_to_move();
            assert_eq!(evaluation.value(&position), sum(us) - sum(!us), "{fen}");
            assert_eq!(evaluation.value(&position), evaluation.value(&position.flip_colors()));
        }
        assert_eq!(evaluation.value(&Position::start()), 0);
    }

    #[test]
    fn the_start_has_what_can_be_counted_by_hand() {
        let terms = Evaluation::new(Settings::LAST).terms(&Position::start(), Color::White);
        // 8 x 100 + 4 x 350 + 2 x 525 + 1000 + 50, ten times; 20 moves; 8 pawns that have not moved.
        assert_eq!((terms[0], terms[2], terms[4], terms[5]), (43_000, 160, 0, 80));
    }

    #[test]
    fn shields_are_told_apart() {
        let evaluation = Evaluation::new(Settings::LAST);
        let safety = |fen| evaluation.terms(&position(fen), Color::White)[3];
        assert_eq!(safety("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1"), 20);
        assert_eq!(safety("4k3/8/8/8/8/7P/5PP1/6K1 w - - 0 1"), 10);
        assert_eq!(safety("4k3/8/8/8/7P/8/5PP1/6K1 w - - 0 1"), 0);
        assert_eq!(safety("4k3/8/8/8/8/8/5PPP/5K2 w - - 0 1"), 0);
    }
}
