//! What men are worth: their material, or their material and where they stand.

use super::board::{
    A1, BISHOP, BLACK, CELLS, KIND, KING, KNIGHT, PASSING, PAWN, QUEEN, ROOK, ROW, WHITE,
};
use std::sync::LazyLock;

/// How positions are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluation {
    /// Men alone, in pawns, as the thesis does.
    #[default]
    Material,
    /// Men and the squares they stand on, in hundredths of a pawn.
    Positional,
}

impl Evaluation {
    /// The table of this evaluation.
    pub fn worth(self) -> &'static Worth {
        match self {
            Evaluation::Material => &MATERIAL,
            Evaluation::Positional => &POSITIONAL,
        }
    }
}

/// What each man is worth on each cell: White's more than nothing, Black's less.
pub struct Worth {
    /// A pawn.
    pub unit: i32,
    plain: [i32; 32],
    table: [[i32; CELLS]; 32],
}

static MATERIAL: LazyLock<Box<Worth>> = LazyLock::new(|| Worth::new(1, |_, _, _| 0));
static POSITIONAL: LazyLock<Box<Worth>> = LazyLock::new(|| Worth::new(100, place));

impl Worth {
    /// From what a place is worth, for a man of a kind on a file and a rank as his owner counts it.
    fn new(unit: i32, place: fn(u8, i32, i32) -> i32) -> Box<Worth> {
        let mut worth = Box::new(Worth { unit, plain: [0; 32], table: [[0; CELLS]; 32] });
        for kind in KING..=PASSING {
            let plain = unit * pawns(kind);
            for color in [WHITE, BLACK] {
                let man = usize::from(kind | color);
                worth.plain[man] = plain;
                for (file, rank) in (0..64).map(|i| (i % 8, i / 8)) {
                    let own_rank = if color == WHITE { rank } else { 7 - rank };
                    let value = plain + place(kind, file, own_rank);
                    let cell = usize::from(A1) + usize::from(ROW) * rank as usize + file as usize;
                    worth.table[man][cell] = if color == WHITE { value } else { -value };
                }
            }
        }
        worth
    }

    /// A man on a cell, from White's side.
    #[inline]
    pub(super) fn of(&self, man: u8, cell: u8) -> i32 {
        self.table[usize::from(man)][usize::from(cell)]
    }

    /// A man as such, whoever owns him.
    #[inline]
    pub(super) fn plain(&self, man: u8) -> i32 {
        self.plain[usize::from(man & super::board::MAN)]
    }
}

/// A man in pawns, as the thesis counts.
pub(super) fn pawns(man: u8) -> i32 {
    match man & KIND {
        KING => 100,
        QUEEN => 9,
        ROOK => 5,
        BISHOP | KNIGHT => 3,
        PAWN | PASSING => 1,
        _ => 0,
    }
}

/// What a place is worth, in hundredths of a pawn: pieces like the centre, pawns advance there, rooks go to
/// the seventh rank, and kings stay in their corner.
fn place(kind: u8, file: i32, rank: i32) -> i32 {
    let from_edge = |line: i32| line.min(7 - line);
    let centre = from_edge(file) + from_edge(rank);
    match kind {
        PAWN => 3 * (rank - 1) + if centre >= 5 { 12 } else { 0 },
        KNIGHT => 8 * centre - 24,
        BISHOP => 4 * centre - 12,
        ROOK => 2 * from_edge(file) + if rank == 6 { 20 } else { 0 },
        QUEEN => 2 * centre,
        KING => -12 * rank - 6 * from_edge(file),
        _ => 0,
    }
}
