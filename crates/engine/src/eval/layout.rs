//! Which weights there are: their names, their terms, and their places in a flat list.
//!
//! The list of fields below is the only one. The struct, the flat view that a fitter works on, the
//! name of every single weight and the text of `weights.rs` all follow from it.

use super::pair::Pair;
use super::term::{Term, Terms};
use core::mem::{offset_of, size_of};
use tabiya_chess::Square;

/// What an index into a field counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// Pawn to queen.
    Kind,
    /// Knight to queen.
    Officer,
    /// Knight or bishop.
    Minor,
    /// The own rank, the first one 0.
    Rank,
    /// Files from the edge: a and h are 0.
    Edge,
    /// A number of squares.
    Count,
    /// King steps.
    Distance,
    /// A square, the king to whom it is relative on the e- to h-file.
    Square,
    /// A square on the e- to h-file, rank by rank.
    HalfSquare,
    /// Where that king lives; see [`Axis::label`].
    Home,
    /// Is the enemy's pawn held up by an own one?
    Held,
    /// Is there no enemy pawn on the file?
    Open,
}

impl Axis {
    /// What an index along this axis stands for.
    pub fn label(self, index: usize) -> String {
        let pick = |names: &[&str]| names.get(index).copied().unwrap_or("?").to_owned();
        match self {
            Axis::Kind => pick(&["pawn", "knight", "bishop", "rook", "queen"]),
            Axis::Officer => pick(&["knight", "bishop", "rook", "queen"]),
            Axis::Minor => pick(&["knight", "bishop"]),
            Axis::Rank => format!("rank {}", index + 1),
            Axis::Edge => pick(&["a/h", "b/g", "c/f", "d/e"]),
            Axis::Count => format!("{index}"),
            Axis::Distance => format!("distance {index}"),
            Axis::Square => Square::wrapping(index as u32).to_string(),
            Axis::HalfSquare => {
                Square::wrapping((index / 4 * 8 + 4 + index % 4) as u32).to_string()
            }
            Axis::Home => pick(&["king in the corner", "king in the middle", "king out"]),
            Axis::Held => pick(&["free", "held"]),
            Axis::Open => pick(&["closed file", "open file"]),
        }
    }
}

/// How a weight enters the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Times how often it applies.
    Linear,
    /// The same, but into the danger to a king, which counts by its square.
    Danger,
}

/// A named group of weights.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in [`Weights`].
    pub name: &'static str,
    /// The term it belongs to.
    pub term: Term,
    /// How it enters the value.
    pub role: Role,
    /// What its indices count, and how many there are, outermost first; none for a single weight.
    pub axes: &'static [(Axis, usize)],
    /// The place of its first weight in the flat list.
    pub offset: usize,
    /// How many weights it has.
    pub len: usize,
}

impl Field {
    /// The name of one of its weights.
    pub fn weight_name(&self, index: usize) -> String {
        let mut name = self.name.replace('_', " ");
        let mut stride = self.len;
        for &(axis, len) in self.axes {
            stride /= len;
            name.push_str(", ");
            name.push_str(&axis.label(index / stride % len));
        }
        name
    }
}

/// A weight, or an array of blocks: what a field can be.
trait Block {
    fn visit(&self, visitor: &mut impl FnMut(&Pair));
    fn visit_mut(&mut self, visitor: &mut impl FnMut(&mut Pair));
}

impl Block for Pair {
    fn visit(&self, visitor: &mut impl FnMut(&Pair)) {
        visitor(self);
    }

    fn visit_mut(&mut self, visitor: &mut impl FnMut(&mut Pair)) {
        visitor(self);
    }
}

impl<B: Block, const N: usize> Block for [B; N] {
    fn visit(&self, visitor: &mut impl FnMut(&Pair)) {
        for block in self {
            block.visit(visitor);
        }
    }

    fn visit_mut(&mut self, visitor: &mut impl FnMut(&mut Pair)) {
        for block in self {
            block.visit_mut(visitor);
        }
    }
}

macro_rules! block {
    () => { Pair };
    ([$axis:ident $len:literal] $($rest:tt)*) => { [block!($($rest)*); $len] };
}

macro_rules! layout {
    ($(
        $(#[$doc:meta])*
        $term:ident $role:ident $name:ident $([$axis:ident $len:literal])*;
    )*) => {
        /// Every weight of the evaluation.
        ///
        /// Laid out as declared, with nothing but [`Pair`]s in it, so that a weight's address tells
        /// its place in the flat list.
        #[derive(Clone, PartialEq, Eq, Debug)]
        #[repr(C)]
        pub struct Weights {
            $( $(#[$doc])* pub $name: block!($([$axis $len])*), )*
        }

        /// All fields of [`Weights`], in order.
        pub const FIELDS: &[Field] = &[$(
            Field {
                name: stringify!($name),
                term: Term::$term,
                role: Role::$role,
                axes: &[$((Axis::$axis, $len)),*],
                offset: offset_of!(Weights, $name) / size_of::<Pair>(),
                len: size_of::<block!($([$axis $len])*)>() / size_of::<Pair>(),
            },
        )*];

        impl Weights {
            fn visit(&self, visitor: &mut impl FnMut(&Pair)) {
                $( self.$name.visit(visitor); )*
            }

            fn visit_mut(&mut self, visitor: &mut impl FnMut(&mut Pair)) {
                $( self.$name.visit_mut(visitor); )*
            }
        }
    };
}

layout! {
    /// What a piece is worth.
    Material Linear material [Kind 5];
    /// Bishops on squares of both colors.
    Material Linear bishop_pair;
    /// A knight and an own pawn.
    Material Linear knight_and_pawn;
    /// A rook and an own pawn.
    Material Linear rook_and_pawn;
    /// A knight beyond the first.
    Material Linear second_knight;
    /// A rook beyond the first.
    Material Linear second_rook;
    /// A queen and an enemy minor piece.
    Material Linear queen_against_minor;

    /// A piece on a square, seen from its own king.
    PieceSquares Linear own_king_squares [Home 3] [Kind 5] [Square 64];
    /// A piece on a square, seen from the enemy's king.
    PieceSquares Linear enemy_king_squares [Home 3] [Kind 5] [Square 64];
    /// The king on a square.
    PieceSquares Linear king_squares [HalfSquare 32];

    /// An attack on one of the four central squares.
    Center Linear center_attack [Kind 5];
    /// An attack on one of the twelve squares around them.
    Center Linear center_ring_attack [Kind 5];
    /// A piece, other than the king, on one of the four central squares.
    Center Linear center_occupation;

    /// By the number of safe squares of a knight.
    Mobility Linear knight_mobility [Count 9];
    /// By the number of safe squares of a bishop.
    Mobility Linear bishop_mobility [Count 14];
    /// By the number of safe squares of a rook.
    Mobility Linear rook_mobility [Count 15];
    /// By the number of safe squares of a queen.
    Mobility Linear queen_mobility [Count 28];

    /// The own pawn nearest to the king on a file beside him; on rank 1 if there is none.
    KingSafety Linear shelter [Edge 4] [Rank 8];
    /// The enemy pawn nearest to the king on such a file; on rank 1 if there is none.
    KingSafety Linear storm [Held 2] [Rank 8];
    /// A rook with which the king may still castle.
    KingSafety Linear castling_right;
    /// No pawn of either side on the king's flank.
    KingSafety Linear pawnless_flank;
    /// What every king's danger begins with.
    KingSafety Danger danger_base;
    /// As [`Weights::shelter`].
    KingSafety Danger danger_shelter [Edge 4] [Rank 8];
    /// As [`Weights::storm`].
    KingSafety Danger danger_storm [Held 2] [Rank 8];
    /// A piece that attacks squares around the king.
    KingSafety Danger danger_attacker [Officer 4];
    /// An attack on a square around the king.
    KingSafety Danger danger_attack;
    /// A square around the king that is attacked, and held by king or queen at most.
    KingSafety Danger danger_weak_square;
    /// The pieces of this kind can give check without being taken.
    KingSafety Danger danger_safe_check [Officer 4];
    /// They can do so on several squares.
    KingSafety Danger danger_more_safe_checks [Officer 4];
    /// Squares from which these pieces give check, though they can be taken.
    KingSafety Danger danger_unsafe_check [Officer 4];
    /// The enemy has no queen.
    KingSafety Danger danger_no_queen;
    /// A piece pinned to the king.
    KingSafety Danger danger_pin;
    /// A knight that guards squares around the king.
    KingSafety Danger danger_knight_guard;
    /// An attack on the king's flank, up to the fifth rank.
    KingSafety Danger danger_flank_attack;
    /// A guarded square there.
    KingSafety Danger danger_flank_guard;

    /// No own pawn on the files beside.
    PawnStructure Linear isolated_pawn [Open 2];
    /// An own pawn ahead on the same file.
    PawnStructure Linear doubled_pawn;
    /// Cannot step ahead safely, and no own pawn can come to help.
    PawnStructure Linear backward_pawn [Open 2];
    /// An own pawn beside it.
    PawnStructure Linear phalanx_pawn [Rank 8];
    /// Protected by an own pawn.
    PawnStructure Linear supported_pawn [Rank 8];
    /// Stopped by an enemy pawn ahead of it.
    PawnStructure Linear rammed_pawn [Rank 8];
    /// A group of files with pawns, beyond the first.
    PawnStructure Linear pawn_island;

    /// No enemy pawn can stop it.
    PassedPawns Linear passed_pawn [Rank 8];
    /// On this file.
    PassedPawns Linear passed_pawn_file [Edge 4];
    /// Protected by an own pawn.
    PassedPawns Linear passed_pawn_protected [Rank 8];
    /// With another passed pawn on a file beside it.
    PassedPawns Linear passed_pawn_connected [Rank 8];
    /// From the own king to the square ahead of it.
    PassedPawns Linear passed_pawn_own_king [Rank 8] [Distance 8];
    /// From the enemy's king to the square ahead of it.
    PassedPawns Linear passed_pawn_enemy_king [Rank 8] [Distance 8];
    /// Not passed yet, but with helpers enough to become so.
    PassedPawns Linear candidate_pawn [Rank 8];
    /// An enemy stands ahead of it.
    PassedPawns Linear passed_pawn_blocked [Rank 8];
    /// It can step ahead without being lost.
    PassedPawns Linear passed_pawn_safe_step [Rank 8];
    /// Nothing stands on its path.
    PassedPawns Linear passed_pawn_free_path [Rank 8];
    /// Nothing stands on its path, and it can go all of it without being lost.
    PassedPawns Linear passed_pawn_safe_path [Rank 8];
    /// An own rook or queen behind it.
    PassedPawns Linear passed_pawn_rook_behind;
    /// An enemy rook or queen behind it.
    PassedPawns Linear passed_pawn_rook_against;
    /// The enemy has but his king, and he comes too late.
    PassedPawns Linear passed_pawn_unstoppable;

    /// A pawn that cannot be taken for nothing attacks a piece.
    Threats Linear threat_by_pawn [Officer 4];
    /// A minor piece attacks a piece.
    Threats Linear threat_by_minor [Kind 5];
    /// A rook attacks a piece that is weakly held.
    Threats Linear threat_by_rook [Kind 5];
    /// The king attacks a piece that is weakly held.
    Threats Linear threat_by_king;
    /// An enemy piece can be taken for nothing, or is attacked more often than defended.
    Threats Linear hanging_piece;
    /// A pawn can step ahead safely and then attack a piece.
    Threats Linear pawn_push_threat;
    /// A square that the enemy attacks but cannot use.
    Threats Linear restricted_square;

    /// Safe squares behind the own pawns, the more so the more pieces want them.
    Space Linear space;

    /// A minor piece held by a pawn where no enemy pawn can attack it.
    Pieces Linear outpost [Minor 2];
    /// A knight that can go to such a square.
    Pieces Linear reachable_outpost;
    /// A minor piece behind a pawn.
    Pieces Linear minor_behind_pawn;
    /// Steps from a minor piece to the own king.
    Pieces Linear king_distance [Minor 2];
    /// An own pawn on a bishop's color, the more so the more pawns are blocked.
    Pieces Linear bad_bishop;
    /// A pawn on the other color, where the enemy has a bishop and we have none.
    Pieces Linear color_weakness;
    /// A rook on a file without pawns.
    Pieces Linear rook_open_file;
    /// A rook on a file without own pawns.
    Pieces Linear rook_half_open_file;
    /// A rook on the seventh rank, where there is something to attack.
    Pieces Linear rook_seventh;
    /// A rook on the file of the enemy's queen.
    Pieces Linear rook_on_queen_file;
    /// A rook that his own king locks in.
    Pieces Linear trapped_rook;

    /// It is our move.
    Tempo Linear tempo;
}

/// Why a list of numbers is no set of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{found} weights; the evaluation has {}", Weights::COUNT)]
pub struct WeightsError {
    /// How many there were.
    pub found: usize,
}

impl Weights {
    /// How many weights there are.
    pub const COUNT: usize = size_of::<Weights>() / size_of::<Pair>();

    /// All weights in one list, in the order of [`FIELDS`].
    pub fn to_vec(&self) -> Vec<Pair> {
        let mut list = Vec::with_capacity(Weights::COUNT);
        self.visit(&mut |&weight| list.push(weight));
        list
    }

    /// Weights from such a list.
    pub fn from_slice(list: &[Pair]) -> Result<Weights, WeightsError> {
        if list.len() != Weights::COUNT {
            return Err(WeightsError { found: list.len() });
        }
        let mut weights = super::weights::DEFAULT;
        let mut next = list.iter().copied();
        weights.visit_mut(&mut |weight| *weight = next.next().unwrap_or_default());
        Ok(weights)
    }

    /// The name of every weight, in the same order.
    pub fn names() -> Vec<String> {
        FIELDS.iter().flat_map(|field| (0..field.len).map(|i| field.weight_name(i))).collect()
    }

    /// These weights with nothing for terms that are off.
    #[must_use]
    pub fn restricted_to(&self, terms: Terms) -> Weights {
        let mut weights = self.clone();
        let mut index = 0;
        weights.visit_mut(&mut |weight| {
            if !terms.contains(KINDS[index].0) {
                *weight = Pair::ZERO;
            }
            index += 1;
        });
        weights
    }

    /// The place of one of these weights in the flat list.
    #[inline(always)]
    pub(super) fn index_of(&self, weight: &Pair) -> usize {
        let start = core::ptr::from_ref(self).addr();
        (core::ptr::from_ref(weight).addr() - start) / size_of::<Pair>()
    }

    /// The term and the role of the weight at a place of the flat list.
    pub fn kind(index: usize) -> (Term, Role) {
        KINDS[index]
    }
}

static KINDS: [(Term, Role); Weights::COUNT] = {
    let mut kinds = [(Term::Material, Role::Linear); Weights::COUNT];
    let mut field = 0;
    while field < FIELDS.len() {
        let mut i = 0;
        while i < FIELDS[field].len {
            kinds[FIELDS[field].offset + i] = (FIELDS[field].term, FIELDS[field].role);
            i += 1;
        }
        field += 1;
    }
    kinds
};

#[cfg(test)]
mod tests {
    use super::super::weights::DEFAULT;
    use super::*;

    #[test]
    fn addresses_tell_places() {
        let mut index = 0;
        DEFAULT.visit(&mut |_| index += 1);
        assert_eq!(index, Weights::COUNT);
        let weights = DEFAULT.clone();
        let mut index = 0;
        weights.visit(&mut |weight| {
            assert_eq!(weights.index_of(weight), index);
            index += 1;
        });
    }

    #[test]
    fn fields_fill_the_list() {
        let mut end = 0;
        for field in FIELDS {
            assert_eq!(field.offset, end, "{}", field.name);
            assert_eq!(field.len, field.axes.iter().map(|axis| axis.1).product::<usize>());
            end += field.len;
        }
        assert_eq!(end, Weights::COUNT);
    }

    #[test]
    fn names_are_told_apart() {
        let names = Weights::names();
        assert_eq!(names.len(), Weights::COUNT);
        let unique: std::collections::HashSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
        assert!(names.contains(&"own king squares, king in the middle, knight, f3".to_owned()));
    }

    #[test]
    fn list_and_back() {
        let mut list = DEFAULT.to_vec();
        assert_eq!(Weights::from_slice(&list), Ok(DEFAULT));
        list.pop();
        let error = Weights::from_slice(&list).unwrap_err();
        assert_eq!(error.found, Weights::COUNT - 1);
    }

    #[test]
    fn switching_off_zeroes() {
        assert_eq!(DEFAULT.restricted_to(Terms::ALL), DEFAULT);
        let none = DEFAULT.restricted_to(Terms::NONE);
        assert!(none.to_vec().iter().all(|&weight| weight == Pair::ZERO));
        let without = DEFAULT.restricted_to(Terms::ALL.without(Term::Mobility));
        assert_eq!(without.knight_mobility, [Pair::ZERO; 9]);
        assert_eq!(without.tempo, DEFAULT.tempo);
    }
}
