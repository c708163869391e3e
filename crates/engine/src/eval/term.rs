//! What an evaluation is made of, by name, and which parts of it are on.

use core::fmt;

/// A named part of the evaluation that can be switched off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum Term {
    /// What the pieces are worth, alone and together: the bishop pair is here.
    Material,
    /// Where pieces stand, seen from either king.
    PieceSquares,
    /// Attacks on the middle of the board, and pieces that hold it.
    Centre,
    /// Squares that pieces can go to.
    Mobility,
    /// The king's cover, and the attack that he is under.
    KingSafety,
    /// Isolated, doubled, backward and connected pawns.
    PawnStructure,
    /// Pawns that no enemy pawn can stop, and those about to become such.
    PassedPawns,
    /// What can be taken, or will be attacked next move.
    Threats,
    /// Safe ground behind the own pawns.
    Space,
    /// Outposts, open files, bad bishops and the like.
    Pieces,
    /// The right to move.
    Tempo,
    /// Endgames that are harder to win than they look.
    Scaling,
    /// Endgames whose value is known.
    KnownEndings,
}

impl Term {
    /// How many terms there are.
    pub const COUNT: usize = Term::ALL.len();

    /// All of them, in the order in which they are told.
    pub const ALL: [Term; 13] = [
        Term::Material,
        Term::PieceSquares,
        Term::Centre,
        Term::Mobility,
        Term::KingSafety,
        Term::PawnStructure,
        Term::PassedPawns,
        Term::Threats,
        Term::Space,
        Term::Pieces,
        Term::Tempo,
        Term::Scaling,
        Term::KnownEndings,
    ];

    /// A number for tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The name to show.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Material => "material",
            Term::PieceSquares => "piece squares",
            Term::Centre => "centre",
            Term::Mobility => "mobility",
            Term::KingSafety => "king safety",
            Term::PawnStructure => "pawn structure",
            Term::PassedPawns => "passed pawns",
            Term::Threats => "threats",
            Term::Space => "space",
            Term::Pieces => "pieces",
            Term::Tempo => "tempo",
            Term::Scaling => "scaling",
            Term::KnownEndings => "known endings",
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A set of terms: those that are on.
///
/// ```
/// use tabiya_engine::eval::{Term, Terms};
/// let terms = Terms::ALL.without(Term::Space);
/// assert!(terms.contains(Term::Mobility) && !terms.contains(Term::Space));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Terms(u16);

impl Terms {
    /// Nothing is on.
    pub const NONE: Terms = Terms(0);
    /// Everything is on.
    pub const ALL: Terms = Terms((1 << Term::COUNT) - 1);
    /// The six terms of the Aalborg engine of 2012: material, centre control, mobility, king safety,
    /// pawn structure and passed pawns.
    pub const AALBORG: Terms = Terms::NONE
        .with(Term::Material)
        .with(Term::Centre)
        .with(Term::Mobility)
        .with(Term::KingSafety)
        .with(Term::PawnStructure)
        .with(Term::PassedPawns);

    /// This set with a term switched on.
    #[must_use]
    pub const fn with(self, term: Term) -> Terms {
        Terms(self.0 | 1 << term as u16)
    }

    /// This set with a term switched off.
    #[must_use]
    pub const fn without(self, term: Term) -> Terms {
        Terms(self.0 & !(1 << term as u16))
    }

    /// Is this term on?
    #[inline(always)]
    pub const fn contains(self, term: Term) -> bool {
        self.0 >> term as u16 & 1 != 0
    }
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::ALL
    }
}
